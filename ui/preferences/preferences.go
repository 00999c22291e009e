// Package preferences is everything that a user can set: as data, as a dialog with a search field, as a page of the docs.
package preferences

import (
	"fmt"
	"io"
	"slices"
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

// WritePage writes the settings as tables of Markdown, one for each group. The first choice is the usual one. stored returns
// what the file has under a key, "" for nothing; each choice is made once to ask it.
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

// inFile adds to a choice's title what the file has for it.
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
