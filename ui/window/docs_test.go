package window_test

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"cutaway/ui/action"
	"cutaway/ui/opening"
	"cutaway/ui/window/windowtest"


	"cutaway/decoders/decodertest"
	"cutaway/ui/preferences"
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
			text.WriteString(action.MenuPage(b.W.Actions.Main))
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
			return preferences.WritePage(w, b.W.Settings(), func(key string) string {
				var keys map[string]json.RawMessage
				if file, err := json.Marshal(b.W.Shell.Store); err != nil || json.Unmarshal(file, &keys) != nil {
					t.Fatal(err)
				}
				return string(keys[key])
			})
		})
	})
}
