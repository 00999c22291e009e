package action

import (
	"fmt"
	"strings"
	"testing"
)

// TestRanked: whole words are better than beginnings of words, these than parts, and the title's than others that people search for;
// what was used last comes first, what cannot be done is found too, and letters that are no word find nothing.
func TestRanked(t *testing.T) {
	var actions []Hit
	other := map[string]string{"Edit › Try bytes": "edit patch hex", "View › Theme › Light": "dark colours"}
	for _, title := range []string{"File › Open…", "View › Open as…", "Go › Go to offset…", "Go › Go to path…", "Edit › Copy path", "View › Theme › Light", "Tools › Check everything", "Edit › Try bytes",
		"Settings › Open files in the running window…", "View › Reopen"} {
		actions = append(actions, Hit{Action: &Action{Words: other[title]}, Title: title})
	}
	actions = append(actions, Hit{Action: &Action{}, Title: "Edit › Undo", Why: "nothing was changed"})
	for _, c := range []struct{ text, used, first, count string }{
		{"", "", "File › Open…", "11"},
		{"", "Edit › Copy path", "Edit › Copy path", "11"},
		{"gto", "", "", "0"},
		{"colours", "", "View › Theme › Light", "1"},
		{"hex bytes", "", "Edit › Try bytes", "1"},
		{"edit", "", "Edit › Copy path", "3"}, // of the title
		{"open as", "", "View › Open as…", "1"},
		{"LIGHT", "", "View › Theme › Light", "1"},
		{"go to", "Go › Go to path…", "Go › Go to path…", "2"},
		{"try", "Tools › Check everything", "Edit › Try bytes", "1"},
		{"undo", "", "Edit › Undo", "1"}, // not the letters of "running window"
		{"und", "", "Edit › Undo", "1"},
		{"nwn", "", "", "0"},
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
