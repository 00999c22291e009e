package window_test

import (
	"math/rand/v2"
	"testing"
	"testing/synctest"

	"cutaway/ui/document"

	"cutaway/ui/tab"
	"cutaway/ui/window/windowtest"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"

	"cutaway/model"
	searchpane "cutaway/ui/search"
)

// TestMonkey does a thousand things in no order, with what the background posts in between: nothing may panic, and
// the tree, the panes and the history stay usable.
func TestMonkey(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		seeds := uint64(3)
		if testing.Short() { // looks for races alone
			seeds = 1
		}
		for seed := range seeds {
			b := windowtest.New(t)
			rnd := rand.New(rand.NewPCG(seed, 11))
			s := b.Sample()
			fake, doc := b.Fake()
			close(doc.Gate)
			keys := []fyne.KeyName{fyne.KeyUp, fyne.KeyDown, fyne.KeyDown, fyne.KeyLeft, fyne.KeyRight, fyne.KeyRight, fyne.KeyRight,
				fyne.KeyHome, fyne.KeyEnd, fyne.KeyPageDown, fyne.KeyPageUp, fyne.KeyReturn}
			paths := []string{"layout", "layout/TOKENS", "layout/TOKENS/text@inflated/[3]", "layout/packed@inflated/[1]", "layout/nowhere",
				"scene", "scene/Lamp", "layout/slow/inside", "no view"}
			for range 1000 {
				for drained := false; !drained; {
					select {
					case f := <-b.Queue:
						f()
					default:
						drained = true
					}
				}
				if top := b.W.Shell.Win.Canvas().Overlays().Top(); top != nil {
					top.Hide()
					b.W.Shell.Win.Canvas().Overlays().Remove(top)
				}
				s := b.W.Active
				tab := s.Pane.Hex.Shown
				switch rnd.IntN(21) {
				case 0:
					b.W.Pages.Show(b.W.Pages.Tabs()[rnd.IntN(2)])
				case 1:
					s.Pane.Nav.GoTo(paths[rnd.IntN(len(paths))])
				case 2:
					s.Pane.Nav.Tapped(tab.Src, rnd.Int64N(max(tab.Src.Size(), 1)), rnd.IntN(3) == 0)
				case 3:
					b.W.Active.Pane.Nav.Travel(rnd.IntN(5) - 2)
				case 4:
					s.Pane.Origin.ToOrigin(rnd.IntN(3) - 1)
				case 5:
					s.Pane.ShowView(s.Pane.Doc.Views[rnd.IntN(len(s.Pane.Doc.Views))], true)
				case 6:
					s.Pane.Lists.Show(rnd.IntN(document.ListMarks + 1))
					s.Pane.Stage.ChoosePlace(rnd.IntN(8))
				case 7:
					if rnd.IntN(8) == 0 {
						s.Pane.Lists.Problems.Check()
					}
				case 8:
					s.Pane.Hex.Choose(s.Pane.Hex.Tabs[rnd.IntN(len(s.Pane.Hex.Tabs))])
				case 9:
					if !tab.File {
						s.Pane.Hex.Close(tab)
					}
				case 10:
					s.Pane.Hex.Pin(tab)
				case 11:
					s.Pane.Trees.Front(s.Pane.Trees.View()).TypedRune([]rune("*abt1")[rnd.IntN(5)])
				case 12:
					at := fyne.NewPos(rnd.Float32()*500, rnd.Float32()*400)
					s.Pane.Trees.Front(s.Pane.Trees.View()).MouseDown(&desktop.MouseEvent{PointEvent: fyne.PointEvent{Position: at}, Button: desktop.MouseButtonPrimary})
					s.Pane.Trees.Front(s.Pane.Trees.View()).MouseUp(nil)
				case 13:
					s.Pane.Trees.Front(s.Pane.Trees.View()).Scrolled(&fyne.ScrollEvent{Scrolled: fyne.NewDelta(0, rnd.Float32()*200-100)})
				case 14:
					b.W.Shell.Win.Resize(fyne.NewSize(300+rnd.Float32()*1000, 200+rnd.Float32()*700))
				case 15:
					s.Pane.Trees.Filters.Entry.SetText([]string{"", "", "a", "lamp", "98..", "/(", "type:row"}[rnd.IntN(7)])
					s.Pane.Trees.Filters.Entry.TypedKey(&fyne.KeyEvent{Name: []fyne.KeyName{fyne.KeyReturn, fyne.KeyEscape, fyne.KeyA}[rnd.IntN(3)]})
				case 16:
					p := s.Pane.Lists.Search
					p.Set(searchpane.Query{Text: []string{"", "a", "00 00", "0", "row", "/("}[rnd.IntN(6)], Scope: searchpane.Scope(rnd.IntN(5)), Decode: rnd.IntN(2) == 0})
					p.Begin()
					b.W.Find.Open([]string{"", "a", "name:lamp", "/(", "> th", "0x30"}[rnd.IntN(6)])
					b.W.Find.Entry.TypedKey(&fyne.KeyEvent{Name: []fyne.KeyName{fyne.KeyDown, fyne.KeyEscape, fyne.KeyReturn}[rnd.IntN(3)]})
				case 17:
					s.Pane.Lists.Search.Step(rnd.Int64N(3) - 1)
				case 18:
					if p := s.Pane.Lists.Search; p.Run != nil && p.Run.Hits.Len() > 0 {
						p.List.SelectIndex(rnd.Int64N(p.Run.Hits.Len()), false)
					}
				case 19:
					s.Pane.Lists.Search.Escape()
				default:
					s.Pane.Trees.Front(s.Pane.Trees.View()).TypedKey(&fyne.KeyEvent{Name: keys[rnd.IntN(len(keys))]})
				}
				if s.Pane.Current() == nil || b.W.Active == nil || s.Pane.Hex.Shown == nil {
					t.Fatal("nothing is selected any more")
				}
			}
			b.Idle()
			for _, s := range []*tab.Tab{s, fake} {
				b.W.Pages.Show(s)
				s.Pane.Nav.GoTo(model.LayoutView)
				b.At(s, model.LayoutView)
			}
		}
	})
}
