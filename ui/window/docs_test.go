package window_test

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"

	"cutaway/decoders/decodertest"
	"cutaway/ui/action"
	"cutaway/ui/kit"
	"cutaway/ui/opening"
	"cutaway/ui/preferences"
	"cutaway/ui/window/windowtest"
)

// TestKeysPage: docs/keys.md is what Help › Keys and the menus say; -update writes it anew.
func TestKeysPage(t *testing.T) {
	windowtest.Run(t, func(t *testing.T, b *windowtest.Bench) {
		b.Fake()
		decodertest.Golden(t, "../../docs/keys.md", func(w io.Writer) error {
			var text strings.Builder
			text.WriteString("# Keys\n\nOn macOS, Ctrl is ⌘ (Cmd). The program's own lists write this page (`make golden`), and a test holds them together.\n" +
				"View has, besides, an item for each option of the document that is a file, such as Schema….\n\n" +
				"## As Help › Keys has them\n\n| key | does |\n| --- | --- |\n")
			for _, k := range b.W.Keys() {
				fmt.Fprintf(&text, "| %s | %s |\n", k.Key, k.Does)
			}
			text.WriteString(menuPage(b.W.Actions.Main))
			_, err := io.WriteString(w, text.String())
			return err
		})
	})
}

// TestMenusThatAreNamed: what pages and texts of the window call an item of a menu is one.
func TestMenusThatAreNamed(t *testing.T) {
	var files []string
	for _, pattern := range []string{"../../*.md", "../../docs/*.md", "../../docs/use/*.md", "../../decoders/*/about.md", "../*/*.go"} {
		found, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, found...)
	}
	windowtest.Run(t, func(t *testing.T, b *windowtest.Bench) {
		b.Open(opening.Target{File: "../../testdata/flatbuffer/stall.mrkt"})
		paths := map[string]bool{}
		b.W.Actions.Each(func(above string, a *action.Action) {
			paths[above+a.Title] = true
			for ; strings.Count(above, "›") > 1; above = above[:strings.LastIndex(strings.TrimSuffix(above, " › "), " › ")+len(" › ")] {
				paths[strings.TrimSuffix(above, " › ")] = true
			}
		})
		named := regexp.MustCompile(`(File|Edit|View|Go|Tools|Help) › [^"|*()\\]+`)
		for _, file := range files {
			if base := filepath.Base(file); strings.HasSuffix(base, "_test.go") || base == "CHANGELOG.md" || base == "keys.md" {
				continue
			}
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			for _, said := range named.FindAllString(strings.ReplaceAll(string(text), "\n", " "), -1) {
				is := false
				for path := range paths {
					is = is || strings.HasPrefix(said, strings.TrimSuffix(path, "…"))
				}
				if !is {
					t.Errorf("%s names %.60q, which no menu has", file, said)
				}
			}
		}
	})
}

// TestSettingsPage: docs/settings.md is what the dialog has; -update writes it anew.
func TestSettingsPage(t *testing.T) {
	windowtest.Run(t, func(t *testing.T, b *windowtest.Bench) {
		decodertest.Golden(t, "../../docs/settings.md", func(w io.Writer) error {
			_, err := io.WriteString(w, "# Settings\n\nEdit › Settings… (Ctrl+,) has all of them, with a field to search them, and so has Ctrl+Shift+P. What is changed holds at\n"+
				"once and at the next start. They are kept in `cutaway/window.json` of the folder that the system has for settings\n"+
				"(`~/.config` on Linux), under the keys below. What is usual comes first, and is not in the file; what the\n"+
				"file has for a choice stands behind it.\n")
			if err != nil {
				return err
			}
			return settingsPage(w, b.W.Settings(), func(key string) string {
				var keys map[string]json.RawMessage
				if file, err := json.Marshal(b.W.Shell.Store); err != nil || json.Unmarshal(file, &keys) != nil {
					t.Fatal(err)
				}
				return string(keys[key])
			})
		})
	})
}

// menuPage writes the menus of a window as tables of Markdown. The items of submenus are named "Compare › Compare with…"; the choices below those are left out.
func menuPage(main *fyne.MainMenu) string {
	var text strings.Builder
	for _, menu := range main.Items {
		fmt.Fprintf(&text, "\n## %s\n\n| item | key |\n| --- | --- |\n", menu.Label)
		menuRows(&text, "", menu)
	}
	return text.String()
}

func menuRows(text *strings.Builder, of string, menu *fyne.Menu) {
	for _, i := range menu.Items {
		if i.IsSeparator {
			continue
		}
		fmt.Fprintf(text, "| %s%s | %s |\n", of, kit.MenuTitle(i), kit.KeyWords(i.Shortcut))
		if i.ChildMenu != nil && of == "" {
			menuRows(text, kit.MenuTitle(i)+" › ", i.ChildMenu)
		}
	}
}

// settingsPage writes the settings as tables of Markdown, one for each group. The first choice is the default. stored
// returns the value of a key in the settings file, or "". It makes each choice once to learn its value there.
func settingsPage(w io.Writer, all []preferences.Setting, stored func(key string) string) error {
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
			may = choicesInFile(s, stored)
		case s.Switch != nil:
			may = switchInFile(s, stored)
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

func choicesInFile(s preferences.Setting, stored func(key string) string) string {
	held := slices.IndexFunc(s.Choices, func(c preferences.Choice) bool { return c.Holds() })
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

func switchInFile(s preferences.Setting, stored func(key string) string) string {
	usual := s.Switch.On()
	word := map[bool]string{true: "on", false: "off"}
	all := inFile(word[usual], stored(s.Key)) + " · "
	s.Switch.Set(!usual)
	all += inFile(word[!usual], stored(s.Key))
	s.Switch.Set(usual)
	return all
}
