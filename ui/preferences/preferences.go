// Package preferences is everything that a user can set: as data, as a dialog with a search field, as a page of the docs.
package preferences

import (
	"fmt"
	"io"
	"strings"
)

// Setting is one thing that a user can set. It has Choices, a Switch or a Text.
type Setting struct {
	Key     string // in the file that remembers
	Group   string // under which it is listed
	Title   string
	Help    string   // one sentence
	Choices []Choice // of which one holds
	Switch  *Switch
	Text    *Text
}

// Choice is one of several ways.
type Choice struct {
	Title  string
	Holds  func() bool
	Choose func()
}

// Switch is what is on or off.
type Switch struct {
	On  func() bool
	Set func(on bool)
}

// Text is what is typed.
type Text struct {
	Lines bool   // several, one below the other
	Hint  string // what an empty one means
	Get   func() string
	Set   func(text string) error // says what is wrong, and then changes nothing
}

// held is the title of the choice that holds; "": none does.
func (s Setting) held() string {
	for _, c := range s.Choices {
		if c.Holds() {
			return c.Title
		}
	}
	return ""
}

// titles are those of the choices.
func (s Setting) titles() (all []string) {
	for _, c := range s.Choices {
		all = append(all, c.Title)
	}
	return all
}

// fits reports whether all words of text are somewhere in what is said of the setting, in any case.
func (s Setting) fits(text string) bool {
	said := strings.ToLower(strings.Join(append(s.titles(), s.Key, strings.ReplaceAll(s.Key, "_", " "), s.Group, s.Title, s.Help), "\n"))
	for _, word := range strings.Fields(strings.ToLower(text)) {
		if !strings.Contains(said, word) {
			return false
		}
	}
	return true
}

// WritePage writes the settings as tables of Markdown, one for each group. The first choice is the usual one.
func WritePage(w io.Writer, all []Setting) error {
	var text strings.Builder
	group := ""
	for _, s := range all {
		if s.Group != group {
			group = s.Group
			fmt.Fprintf(&text, "\n## %s\n\n| setting | what it does | may be | key |\n| --- | --- | --- | --- |\n", group)
		}
		var may string
		switch {
		case s.Choices != nil:
			may = strings.Join(s.titles(), " · ")
		case s.Switch != nil && s.Switch.On():
			may = "on · off"
		case s.Switch != nil:
			may = "off · on"
		default:
			may = "text; empty means " + s.Text.Hint
		}
		fmt.Fprintf(&text, "| %s | %s | %s | `%s` |\n", s.Title, s.Help, may, s.Key)
	}
	_, err := io.WriteString(w, text.String())
	return err
}
