package window_test

import (
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/widget"

	"cutaway/ui/action"
	"cutaway/ui/opening"
	"cutaway/ui/palette"
	"cutaway/ui/window/windowtest"
)

// ownEnter are the dialogs in whose fields Enter means something else: it leads to what is listed below them.
var ownEnter = []string{"Search actions…", "Settings…", "Descriptions and codecs…", "Open parts as one…", "Compare several…", "Open…", "Open folder…",
	"Compare with…", "Import marks…", "Read patch list…", "Read by a description…"}

// TestEnter: in every field of a line of every dialog Enter presses the button that is meant.
func TestEnter(t *testing.T) {
	windowtest.Run(t, func(t *testing.T, b *windowtest.Bench) {
		s := b.Open(opening.Target{File: windowtest.WriteFile(t, "a.bin", []byte("nothing known"))})
		b.Idle()
		b.W.Shell.App.Clipboard().SetContent("00 01")
		c, fields := b.W.Shell.Win.Canvas(), 0
		b.W.Actions.Each(func(above string, a *action.Action) {
			if a.Do == nil || !strings.HasSuffix(a.Title, "…") || strings.HasPrefix(above, "Settings") || slices.Contains(ownEnter, a.Title) || a.Need != nil && a.Need() != "" {
				return
			}
			a.Do()
			b.Idle()
			top := c.Overlays().Top()
			if top == nil {
				return
			}
			if main := windowtest.ButtonIn(top, func(b *widget.Button) bool { return b.Importance == widget.HighImportance && b.OnTapped != nil }); main != nil {
				pressed := 0
				main.OnTapped = func() { pressed++ }
				for f := range windowtest.All(top) {
					field, is := f.(interface {
						fyne.Focusable
						SetPlaceHolder(string)
					})
					if e := windowtest.Entries(f); !is || !f.Visible() || len(e) == 0 || e[0].MultiLine || e[0].Disabled() {
						continue
					}
					fields++
					before := pressed
					c.Focus(field)
					field.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
					if pressed != before+1 {
						t.Errorf("Enter in a field of %q presses the button %d times", a.Title, pressed-before)
					}
				}
			}
			for c.Overlays().Top() != nil {
				c.OnTypedKey()(&fyne.KeyEvent{Name: fyne.KeyEscape})
				b.Idle()
			}
		})
		if fields < 5 {
			t.Errorf("only %d fields", fields)
		}
		if s.Ended() {
			t.Error("the tab is closed")
		}
	})
}

// TestCompareOpen: a file is compared with one that is open by two keys; the first that is offered is the other tab.
func TestCompareOpen(t *testing.T) {
	windowtest.Run(t, func(t *testing.T, b *windowtest.Bench) {
		b.Open(opening.Target{File: windowtest.WriteFile(t, "a.bin", []byte("one thing"))})
		b.Open(opening.Target{File: windowtest.WriteFile(t, "b.bin", []byte("another"))})
		b.Shortcut(fyne.KeyM, fyne.KeyModifierShortcutDefault|fyne.KeyModifierShift)
		b.Type("\n")
		b.Idle()
		both := windowNamed("a.bin ↔ b.bin")
		if both == nil || b.W.Shell.Covered() {
			t.Fatal("they are not compared, or the question stays")
		}
		both.Close()
		b.Idle()
	})
}

// TestOtherWords: panes, cards and settings are found by the words that people use, and letters that are none find nothing.
func TestOtherWords(t *testing.T) {
	windowtest.Run(t, func(t *testing.T, b *windowtest.Bench) {
		b.AtPoints()
		var p *palette.Palette
		for word, want := range map[string]string{"treemap": "View › Cards › Sizes", "chart": "View › Cards › Plot", "3d": "View › Cards › Shape", "bookmark": "Edit › Mark…", "modify": "Edit › Try bytes",
			"dark": "View › Look › Theme › Dark", "bytes per row": "View › Bytes › Bytes per row › As many as fit", "diff": "File › Compare › Compare with…", "problems": "View › Lists › Problems",
			"table": "View › Cards › Table", "shortcuts": "Help › Keys", "texture": "View › Cards › Image", "full stage": "View › Full stage", "crc": "Inspector › Checksums"} {
			b.W.ShowPalette()
			p = b.W.Palette
			p.Entry.SetText(word)
			if got := p.Data.All(); got[0].Title != want {
				t.Errorf("%q finds %q first, want %q", word, got[0].Title, want)
			}
			p.Entry.TypedKey(&fyne.KeyEvent{Name: fyne.KeyEscape})
		}
		for _, nonsense := range []string{"xqz", "nxttr", "hjkl"} {
			b.W.ShowPalette()
			b.W.Palette.Entry.SetText(nonsense)
			if got := b.W.Palette.Data.All(); len(got) != 1 || got[0].Why == "" {
				t.Errorf("%q finds %v", nonsense, got)
			}
			b.W.Palette.Entry.TypedKey(&fyne.KeyEvent{Name: fyne.KeyEscape})
		}
	})
}
