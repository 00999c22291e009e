// Package preferences lists everything that a user can set in a dialog with a search field.
package preferences

import "strings"

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
