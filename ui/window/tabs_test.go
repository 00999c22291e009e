package window_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"cutaway/ui/opening"
	"cutaway/ui/window/windowtest"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"

	"cutaway/assets"
	"cutaway/ui/kit"
)

// samples writes n copies of the sample and opens them.
func samples(b *windowtest.Bench, n int) (files []string) {
	b.Helper()
	dir := b.TempDir()
	for i := range n {
		files = append(files, filepath.Join(dir, fmt.Sprintf("sample %02d.usdc", i+1)))
		if err := os.WriteFile(files[i], assets.Sample, 0o600); err != nil {
			b.Fatal(err)
		}
		b.W.Open(opening.Target{File: files[i]})
		b.Until("the file", func() bool { return b.W.Active.Pane != nil && b.W.Active.Pane.Current() != nil })
	}
	return files
}

// TestTabKeys: tabs are gone to by keys; the one in front is in sight, and buttons scroll and
// list those that are not.
func TestTabKeys(t *testing.T) {
	windowtest.Run(t, func(t *testing.T, b *windowtest.Bench) {
		samples(b, 13)
		inSight := func(i int) {
			t.Helper()
			edges := b.W.Pages.Bar.Edges()
			if room := b.W.Pages.Bar.Room(edges); edges[i] < b.W.Pages.Bar.Scroll-0.5 || edges[i+1] > b.W.Pages.Bar.Scroll+room+0.5 {
				t.Errorf("tab %d is at %.0f to %.0f, in sight are %.0f to %.0f", i+1, edges[i], edges[i+1], b.W.Pages.Bar.Scroll, b.W.Pages.Bar.Scroll+room)
			}
		}
		if at := slices.Index(b.W.Pages.Tabs(), b.W.Active); at != 12 {
			t.Fatalf("tab %d is in front", at+1)
		}
		inSight(12)
		for _, c := range []struct {
			key  fyne.KeyName
			mod  fyne.KeyModifier
			want int
		}{
			{fyne.KeyTab, fyne.KeyModifierControl, 0}, {fyne.KeyTab, fyne.KeyModifierControl, 1}, {fyne.KeyPageUp, fyne.KeyModifierShortcutDefault, 0},
			{fyne.KeyTab, fyne.KeyModifierControl | fyne.KeyModifierShift, 12}, {fyne.KeyPageDown, fyne.KeyModifierShortcutDefault, 0}, {fyne.Key4, fyne.KeyModifierShortcutDefault, 3}, {fyne.Key9, fyne.KeyModifierShortcutDefault, 12}, {fyne.Key1, fyne.KeyModifierShortcutDefault, 0},
		} {
			b.W.Pages.ShowAt((c.want + 5) % 13)
			if c.key == fyne.KeyTab || c.key == fyne.KeyPageUp || c.key == fyne.KeyPageDown {
				back := c.mod&fyne.KeyModifierShift != 0 || c.key == fyne.KeyPageUp
				b.W.Pages.ShowAt((c.want + map[bool]int{true: 1, false: 12}[back]) % 13)
			}
			b.Shortcut(c.key, c.mod)
			if got := slices.Index(b.W.Pages.Tabs(), b.W.Active); got != c.want {
				t.Fatalf("%s leads to tab %d, want %d", kit.KeyWords(&desktop.CustomShortcut{KeyName: c.key, Modifier: c.mod}), got+1, c.want+1)
			}
			inSight(c.want)
		}
		b.W.Pages.Bar.More(1)
		if b.W.Pages.Bar.Scroll == 0 {
			t.Error("the button at the right does not scroll")
		}
		b.W.Shell.Win.Resize(fyne.NewSize(700, 600))
		inSight(0)
		b.W.Pages.Bar.MouseDown(&desktop.MouseEvent{PointEvent: fyne.PointEvent{Position: fyne.NewPos(b.W.Pages.Bar.Size().Width-10, 10)}, Button: desktop.MouseButtonPrimary})
		if top := b.W.Shell.Win.Canvas().Overlays().Top(); top == nil || !strings.Contains(windowtest.ShownTexts(top), "sample 12.usdc") {
			t.Error("the list of all tabs does not open")
		}
	})
}
