package palette

import (
	"fmt"
	"strings"
	"testing"
)

// TestRanked: whole words are better than beginnings of words, these than parts, and letters in order are enough where nothing is
// better; what was used last comes first, and what cannot be done is found too.
func TestRanked(t *testing.T) {
	var actions []Action
	for _, title := range []string{"File › Open…", "View › Open as…", "Go › Go to offset…", "Go › Go to path…", "Edit › Copy path", "View › Theme › Light", "Tools › Check everything", "Edit › Try bytes",
		"Settings › Open files in the running window…", "View › Reopen"} {
		actions = append(actions, Action{Title: title, Do: func() {}})
	}
	actions = append(actions, Action{Title: "Edit › Undo", Why: "nothing was changed"})
	for _, c := range []struct{ text, used, first, count string }{
		{"", "", "File › Open…", "11"},
		{"", "Edit › Copy path", "Edit › Copy path", "11"},
		{"gto", "", "Go › Go to offset…", "3"},
		{"copa", "", "Edit › Copy path", "1"},
		{"open as", "", "View › Open as…", "1"},
		{"LIGHT", "", "View › Theme › Light", "1"},
		{"go to", "Go › Go to path…", "Go › Go to path…", "2"},
		{"try", "Tools › Check everything", "Edit › Try bytes", "1"},
		{"undo", "", "Edit › Undo", "1"}, // not the letters of "running window"
		{"und", "", "Edit › Undo", "1"},
		{"nwn", "", "Settings › Open files in the running window…", "1"},
		{"open", "View › Reopen", "File › Open…", "3"}, // not in the middle of a word
		{"as open", "", "View › Open as…", "1"},
		{"hec", "", "Tools › Check everything", "1"},
		{"qq", "", "", "0"},
	} {
		got := Ranked(actions, strings.Split(c.used, ","), c.text)
		if fmt.Sprint(len(got)) != c.count || len(got) > 0 && got[0].Title != c.first {
			t.Errorf("%q after %q finds %v, want %s, first %q", c.text, c.used, got, c.count, c.first)
		}
	}
}
