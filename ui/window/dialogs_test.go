package window_test

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/widget"

	"cutaway/assets"
	"cutaway/ui/action"
	"cutaway/ui/opening"
	"cutaway/ui/treeview"
	"cutaway/ui/window/windowtest"
)

// ownEnter are the dialogs in whose fields Enter means something else: it leads to what is listed below them.
var ownEnter = []string{"Search actions…", "Settings…", "Descriptions and codecs…", "Open parts as one…", "Compare several…", "Open…", "Open folder…",
	"Compare…", "Import marks…", "Read patch list…", "Read by a description…"}

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
		if p := b.W.Pages; len(p.All) != 3 || p.Front != p.All[2] || p.Front.Title() != "a.bin ↔ b.bin" || b.W.Shell.Covered() {
			t.Fatalf("%d tabs, %s in front, or the question stays", len(p.All), p.Front.Title())
		}
		if b.W.Shell.Win.Title() != "a.bin ↔ b.bin · Cutaway" || b.W.Actions.Find("go.path").Need() == "" || b.W.Actions.Find("go.change.next").Need() != "" {
			t.Errorf("the title is %q, or what needs a file can be done, or the next change cannot", b.W.Shell.Win.Title())
		}
		b.W.Actions.Press(fyne.KeyF8)
		b.Idle()
		b.Shortcut(fyne.KeyW, fyne.KeyModifierShortcutDefault)
		if len(b.W.Pages.All) != 2 || b.W.Active != b.W.Pages.All[1] {
			t.Errorf("%d tabs are open", len(b.W.Pages.All))
		}
		if b.W.Actions.Find("file.reopen").Need() == "" {
			t.Error("a comparison is remembered")
		}
	})
}

// TestFolderTab: the files of a folder are a tab, which is there once; its menu items are those of files.
func TestFolderTab(t *testing.T) {
	windowtest.Run(t, func(t *testing.T, b *windowtest.Bench) {
		t.Setenv("XDG_STATE_HOME", t.TempDir())
		file := windowtest.WriteFile(t, "sample.usdc", assets.Sample)
		dir := filepath.Dir(file)
		b.Sample()
		for range 2 {
			b.W.Open(opening.Target{File: dir})
			b.Idle()
		}
		if p := b.W.Pages; len(p.All) != 2 || p.Front.Title() != filepath.Base(dir)+" · files" || b.W.Active != nil {
			t.Fatalf("%d tabs, %s in front", len(p.All), p.Front.Title())
		}
		for id, can := range map[string]bool{"file.reload": true, "file.export": true, "edit.filter": true, "file.close": true, "go.tab.next": true, "tools.check": false, "view.as": false, "go.change.next": false} {
			if why := b.W.Actions.Find(id).Need(); (why == "") != can {
				t.Errorf("%s: %q", id, why)
			}
		}
		var by []string
		for _, i := range b.Menu("Sort the tree by").ChildMenu.Items {
			by = append(by, i.Label)
		}
		if len(by) != 10 || by[0] != "File" {
			t.Errorf("sorted by %q", by)
		}
		list := windowtest.First[*treeview.Tree](b.W.Pages.Front.Content())
		if b.W.Shell.Win.Canvas().Focused() != list {
			t.Error("the list has not the keyboard")
		}
		list.SelectIndex(0, false)
		b.Type("\n")
		b.Idle()
		if b.Tab().Subject.File != file || len(b.W.Pages.All) != 3 {
			t.Errorf("%d tabs, %q in front", len(b.W.Pages.All), b.W.Active.Subject.File)
		}
	})
}

// TestOtherWords: panes, cards and settings are found by the words that people use, and letters that are none find nothing.
func TestOtherWords(t *testing.T) {
	windowtest.Run(t, func(t *testing.T, b *windowtest.Bench) {
		b.AtPoints()
		for word, want := range map[string]string{"treemap": "View › Cards › Sizes", "chart": "View › Cards › Plot", "3d": "View › Cards › Shape", "bookmark": "Edit › Mark…", "modify": "Edit › Try bytes",
			"dark": "View › Look › Theme › Dark", "bytes per row": "View › Bytes › Bytes per row › As many as fit", "diff": "File › Compare…", "problems": "View › Lists › Problems",
			"table": "View › Cards › Table", "shortcuts": "Help › Keys", "texture": "View › Cards › Image", "full stage": "View › Full stage", "crc": "Inspector › Checksums",
			"layout": "Show › Layout", "scene": "Show › Scene", "tab sample": "Show › sample.usdc"} {
			if got := b.ActionsFor(word); len(got) == 0 || got[0].Title != want {
				t.Errorf("%q finds %v, want %q first", word, got, want)
			}
		}
		for _, nonsense := range []string{"xqz", "nxttr", "hjkl"} {
			if got := b.ActionsFor(nonsense); len(got) != 0 {
				t.Errorf("%q finds %v", nonsense, got)
			}
		}
	})
}
