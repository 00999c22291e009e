// Package preferences lists everything that a user can set: in a dialog with a search field, and on a page of the docs.
package preferences

import (
	"fmt"
	"io"
	"slices"
	"strings"
)

// A Setting is one thing that a user can set. It has Choices, a Switch or a Text.
type Setting struct {
	Key     string // in the settings file
	Group   string // the title above it
	Title   string
	Help    string   // one sentence
	Choices []Choice // at most one holds
	Switch  *Switch
	Text    *Text
}

// A Choice is a possible value of a setting.
type Choice struct {
	Title  string
	Holds  func() bool // reports whether the setting has this value
	Choose func()
}

// A Switch is a setting that is on or off.
type Switch struct {
	On  func() bool
	Set func(on bool)
}

// A Text is a setting that is typed.
type Text struct {
	Lines bool   // the text may have several lines
	Hint  string // the meaning of an empty text
	Get   func() string
	Set   func(text string) error // changes nothing if it returns an error
}

// held returns the title of the current choice, or "" if none holds.
func (s Setting) held() string {
	for _, c := range s.Choices {
		if c.Holds() {
			return c.Title
		}
	}
	return ""
}

// titles returns the titles of the choices.
func (s Setting) titles() (all []string) {
	for _, c := range s.Choices {
		all = append(all, c.Title)
	}
	return all
}

// fits reports whether the setting's texts and key contain all words of text, in upper or lower case.
func (s Setting) fits(text string) bool {
	said := strings.ToLower(strings.Join(append(s.titles(), s.Key, strings.ReplaceAll(s.Key, "_", " "), s.Group, s.Title, s.Help), "\n"))
	for _, word := range strings.Fields(strings.ToLower(text)) {
		if !strings.Contains(said, word) {
			return false
		}
	}
	return true
}

// WritePage writes the settings as tables of Markdown, one for each group. The first choice is the default. stored
// returns the value of a key in the settings file, or "". WritePage makes each choice once to learn its value there.
func WritePage(w io.Writer, all []Setting, stored func(key string) string) error {
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
			may = s.choicesInFile(stored)
		case s.Switch != nil:
			may = s.switchInFile(stored)
		default:
			may = "text; empty means " + s.Text.Hint
		}
		fmt.Fprintf(&text, "| %s | %s | %s | `%s` |\n", s.Title, s.Help, may, s.Key)
	}
	_, err := io.WriteString(w, text.String())
	return err
}

// inFile adds the value in the settings file to a choice's title.
func inFile(title, stored string) string {
	if stored == "" {
		return title
	}
	return title + " `" + stored + "`"
}

func (s Setting) choicesInFile(stored func(key string) string) string {
	held := slices.IndexFunc(s.Choices, func(c Choice) bool { return c.Holds() })
	var all []string
	for _, c := range s.Choices {
		c.Choose()
		all = append(all, inFile(c.Title, stored(s.Key)))
	}
	if held >= 0 {
		s.Choices[held].Choose()
	}
	return strings.Join(all, " · ")
}

func (s Setting) switchInFile(stored func(key string) string) string {
	usual := s.Switch.On()
	word := map[bool]string{true: "on", false: "off"}
	all := inFile(word[usual], stored(s.Key)) + " · "
	s.Switch.Set(!usual)
	all += inFile(word[!usual], stored(s.Key))
	s.Switch.Set(usual)
	return all
}
