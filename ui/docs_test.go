package ui

import (
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"

	"fyne.io/fyne/v2"

	"cutaway/decoders"
	"cutaway/decoders/decodertest"
	"cutaway/ui/compare"
	"cutaway/ui/folder"
	"cutaway/ui/kit"
	"cutaway/ui/preferences"
)

// TestKeysPage: docs/keys.md is what Help › Keys and the menus say; -update writes it anew.
func TestKeysPage(t *testing.T) { synctest.Test(t, testKeysPage) }

func testKeysPage(t *testing.T) {
	b := newBench(t)
	b.fake()
	decodertest.Golden(t, "../docs/keys.md", func(w io.Writer) error {
		var text strings.Builder
		text.WriteString("# Keys\n\nOn macOS, Ctrl is ⌘ (Cmd). The program's own lists write this page (`make golden`), and a test holds them together.\n" +
			"View has, besides, an item for each option of the document that is a file, such as Schema….\n\n" +
			"## As Help › Keys has them\n\n| key | does |\n| --- | --- |\n")
		for _, k := range keysText {
			fmt.Fprintf(&text, "| %s | %s |\n", k[0], k[1])
		}
		writeMenus(&text, "", b.w.Win)
		dir := t.TempDir()
		folder.Show(b.w.Shell, dir, nil, nil)
		b.idle()
		files := windowNamed(filepath.Base(dir) + " · files")
		writeMenus(&text, "The window of a folder › ", files)
		files.Close()
		two := [2]string{write(t, "a.bin", []byte{1}), write(t, "b.bin", []byte{2})}
		compare.Show(b.w.Shell, compare.Part{File: two[0]}, compare.Part{File: two[1]}, decoders.OpenOptions{})
		b.idle()
		both := windowNamed("a.bin ↔ b.bin")
		writeMenus(&text, "The window that compares › ", both)
		both.Close()
		b.idle()
		_, err := io.WriteString(w, text.String())
		return err
	})
}

// windowNamed is the open window of a title.
func windowNamed(title string) fyne.Window {
	for _, w := range fyne.CurrentApp().Driver().AllWindows() {
		if w.Title() == title {
			return w
		}
	}
	return nil
}

// writeMenus writes a table of each menu of a window.
func writeMenus(text *strings.Builder, of string, w fyne.Window) {
	for _, menu := range w.MainMenu().Items {
		fmt.Fprintf(text, "\n## %s%s\n\n| item | key |\n| --- | --- |\n", of, menu.Label)
		for _, i := range menu.Items {
			if !i.IsSeparator {
				fmt.Fprintf(text, "| %s | %s |\n", kit.MenuTitle(i), kit.KeyWords(i.Shortcut))
			}
		}
	}
}

// TestSettingsPage: docs/settings.md is what the dialog has; -update writes it anew.
func TestSettingsPage(t *testing.T) { synctest.Test(t, testSettingsPage) }

func testSettingsPage(t *testing.T) {
	b := newBench(t)
	decodertest.Golden(t, "../docs/settings.md", func(w io.Writer) error {
		_, err := io.WriteString(w, "# Settings\n\nEdit › Settings… (Ctrl+,) has all of them, with a field to search them, and so has Ctrl+Shift+P. What is changed holds at\n"+
			"once and at the next start. They are kept in `cutaway/window.json` of the folder that the system has for settings\n"+
			"(`~/.config` on Linux), under the keys below. What is usual comes first, and is not in the file; what the\n"+
			"file has for a choice stands behind it.\n")
		if err != nil {
			return err
		}
		return preferences.WritePage(w, b.w.settings(), func(key string) string {
			var keys map[string]json.RawMessage
			if file, err := json.Marshal(b.w.Store); err != nil || json.Unmarshal(file, &keys) != nil {
				t.Fatal(err)
			}
			return string(keys[key])
		})
	})
}
