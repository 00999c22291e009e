package palette

import (
	"strings"
	"testing"
)

// TestRanked: letters in order are enough, beginnings of words are best, and what was used last comes first.
func TestRanked(t *testing.T) {
	var actions []Action
	for _, title := range []string{"File › Open…", "View › Open as…", "Go › Go to offset…", "Go › Go to path…", "Edit › Copy path", "View › Theme › Light", "Tools › Check everything", "Edit › Try bytes"} {
		actions = append(actions, Action{Title: title})
	}
	for _, c := range []struct{ text, used, first, count string }{
		{"", "", "File › Open…", "8"},
		{"", "Edit › Copy path", "Edit › Copy path", "8"},
		{"gto", "", "Go › Go to offset…", "2"},
		{"copa", "", "Edit › Copy path", "1"},
		{"open as", "", "View › Open as…", "1"},
		{"LIGHT", "", "View › Theme › Light", "1"},
		{"go to", "Go › Go to path…", "Go › Go to path…", "2"},
		{"try", "Tools › Check everything", "Edit › Try bytes", "2"},
		{"qq", "", "", "0"},
	} {
		got := Ranked(actions, strings.Split(c.used, ","), c.text)
		if len(got) != int(c.count[0]-'0') || len(got) > 0 && got[0].Title != c.first {
			t.Errorf("%q after %q finds %v, want %s, first %q", c.text, c.used, got, c.count, c.first)
		}
	}
}
