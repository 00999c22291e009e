package ui

import (
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/synctest"

	"cutaway/decoders/decodertest"
	"cutaway/ui/kit"
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
		for _, menu := range b.w.menu.main.Items {
			fmt.Fprintf(&text, "\n## %s\n\n| item | key |\n| --- | --- |\n", menu.Label)
			for _, i := range menu.Items {
				if i.IsSeparator {
					continue
				}
				fmt.Fprintf(&text, "| %s | %s |\n", kit.MenuTitle(i), kit.KeyWords(i.Shortcut))
			}
		}
		_, err := io.WriteString(w, text.String())
		return err
	})
}
