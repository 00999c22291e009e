package ui

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"

	"cutaway/assets"
	"cutaway/ui/kit"
)

// samples writes n copies of the sample and opens them.
func (b *bench) samples(n int) (files []string) {
	b.Helper()
	dir := b.TempDir()
	for i := range n {
		files = append(files, filepath.Join(dir, fmt.Sprintf("sample %02d.usdc", i+1)))
		if err := os.WriteFile(files[i], assets.Sample, 0o600); err != nil {
			b.Fatal(err)
		}
		b.w.open(Target{File: files[i]})
		b.until("the file", func() bool { return b.w.active.Pane != nil && b.w.active.Pane.Current() != nil })
	}
	return files
}

// shortcut does what a shortcut means: the menu's first, as the driver has it, then the window's own.
func (b *bench) shortcut(key fyne.KeyName, mod fyne.KeyModifier) {
	s := &desktop.CustomShortcut{KeyName: key, Modifier: mod}
	for _, m := range b.w.menu.main.Items {
		for _, i := range m.Items {
			if i.Shortcut != nil && i.Shortcut.ShortcutName() == s.ShortcutName() && !i.Disabled {
				i.Action()
				return
			}
		}
	}
	if do := b.w.keys[s.ShortcutName()]; do != nil {
		do()
	}
}

// TestTabKeys: tabs are gone to by keys; the one in front is in sight, and buttons scroll and
// list those that are not.
func TestTabKeys(t *testing.T) { synctest.Test(t, testTabKeys) }

func testTabKeys(t *testing.T) {
	b := newBench(t)
	b.samples(13)
	inSight := func(i int) {
		t.Helper()
		edges := b.w.tabs.Edges()
		if room := b.w.tabs.Room(edges); edges[i] < b.w.tabs.Scroll-0.5 || edges[i+1] > b.w.tabs.Scroll+room+0.5 {
			t.Errorf("tab %d is at %.0f to %.0f, in sight are %.0f to %.0f", i+1, edges[i], edges[i+1], b.w.tabs.Scroll, b.w.tabs.Scroll+room)
		}
	}
	if at := slices.Index(b.w.sessions, b.w.active); at != 12 {
		t.Fatalf("tab %d is in front", at+1)
	}
	inSight(12)
	for _, c := range []struct {
		key  fyne.KeyName
		mod  fyne.KeyModifier
		want int
	}{
		{fyne.KeyTab, fyne.KeyModifierControl, 0}, {fyne.KeyTab, fyne.KeyModifierControl, 1}, {fyne.KeyPageUp, ctrl, 0},
		{fyne.KeyTab, fyne.KeyModifierControl | fyne.KeyModifierShift, 12}, {fyne.KeyPageDown, ctrl, 0}, {fyne.Key4, ctrl, 3}, {fyne.Key9, ctrl, 12}, {fyne.Key1, ctrl, 0},
	} {
		b.w.showTab((c.want + 5) % 13)
		if c.key == fyne.KeyTab || c.key == fyne.KeyPageUp || c.key == fyne.KeyPageDown {
			back := c.mod&fyne.KeyModifierShift != 0 || c.key == fyne.KeyPageUp
			b.w.showTab((c.want + map[bool]int{true: 1, false: 12}[back]) % 13)
		}
		b.shortcut(c.key, c.mod)
		if got := slices.Index(b.w.sessions, b.w.active); got != c.want {
			t.Fatalf("%s leads to tab %d, want %d", kit.KeyWords(&desktop.CustomShortcut{KeyName: c.key, Modifier: c.mod}), got+1, c.want+1)
		}
		inSight(c.want)
	}
	b.w.tabs.More(1)
	if b.w.tabs.Scroll == 0 {
		t.Error("the button at the right does not scroll")
	}
	b.w.Win.Resize(fyne.NewSize(700, 600))
	inSight(0)
	room := b.w.tabs.Room(b.w.tabs.Edges())
	b.w.tabs.MouseDown(&desktop.MouseEvent{PointEvent: fyne.PointEvent{Position: fyne.NewPos(room+50, 10)}, Button: desktop.MouseButtonPrimary})
	if top := b.w.Win.Canvas().Overlays().Top(); top == nil || !strings.Contains(shownTexts(top), "sample 12.usdc") {
		t.Error("the list of all tabs does not open")
	}
}

// TestPalette: an action is found by letters of its name and done; the next time it comes first.
func TestPalette(t *testing.T) { synctest.Test(t, testPalette) }

func testPalette(t *testing.T) {
	b := newBench(t)
	s, doc := b.fake()
	close(doc.Gate)
	b.shortcut(fyne.KeyP, ctrl|fyne.KeyModifierShift)
	p := b.w.palette
	if b.w.Win.Canvas().Focused() != p.Entry {
		t.Fatal("the field has not got the keyboard")
	}
	p.Entry.SetText("nxt tr")
	b.idle()
	if got := p.Data.All(); len(got) == 0 || got[0].Title != "View › Next tree" || got[0].Key != "Ctrl+T" {
		t.Fatalf("finds %v", got)
	}
	view := s.Pane.Trees.View()
	p.Entry.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
	b.idle()
	if s.Pane.Trees.View() == view || b.w.Win.Canvas().Overlays().Top() != nil {
		t.Error("the action is not done, or the list stays")
	}
	b.w.showPalette()
	if first := b.w.palette.Data.All()[0].Title; first != "View › Next tree" {
		t.Errorf("%q comes first", first)
	}
	b.w.palette.Entry.TypedKey(&fyne.KeyEvent{Name: fyne.KeyEscape})
	if b.w.Win.Canvas().Overlays().Top() != nil {
		t.Error("Escape does not close the list")
	}
	b.idle()
}
