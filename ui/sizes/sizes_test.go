package sizes_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"cutaway/ui/opening"
	"cutaway/ui/window/windowtest"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/test"

	"cutaway/model"
	"cutaway/model/size"
	"cutaway/ui/document"
	"cutaway/ui/kit"
	"cutaway/ui/nodes"
	"cutaway/ui/uitest"
)

// TestSizesPane: the view's nodes are measured when the pane is looked at; a click on a box or a row selects its node, a
// double click fills the map with it, and the list follows.
func TestSizesPane(t *testing.T) {
	windowtest.Run(t, func(t *testing.T, b *windowtest.Bench) {
		s := b.Open(opening.Target{File: "../../assets/sample.usdc"})
		p := s.Pane.Sizes
		if p.Tree != nil {
			t.Fatal("it is measured before it is looked at")
		}
		s.Pane.Stage.Choose(document.Sizes)
		b.Until("sizes", func() bool { return p.Tree != nil })
		sum := p.Tree.Root.Stored
		for _, part := range p.Tree.Free {
			sum += part.Size
		}
		if size := s.Pane.Doc.Source().Size(); sum != size || p.Tree.Total != size {
			t.Errorf("%d of %d bytes", sum, size)
		}
		rows := p.Data.All()
		if len(rows) < 10 || rows[0].Own < rows[1].Own {
			t.Fatalf("%d rows", len(rows))
		}
		p.List.SelectIndex(0, false)
		b.At(s, rows[0].Path)

		s.Pane.Nav.GoTo("scene")
		b.At(s, "scene")
		b.Idle()
		at := fyne.NewPos(p.Map.Size().Width/2, p.Map.Size().Height/2)
		test.TapAt(p.Map, at)
		b.Until("another node", func() bool { return s.Pane.Current().Path() != "scene" })
		p.Map.DoubleTapped(&fyne.PointEvent{Position: at})
		if !p.Map.Zoomed() || p.Data.All()[0].Stored > p.Map.Root().Stored {
			t.Errorf("zoomed: %t, %d rows", p.Map.Zoomed(), len(p.Data.All()))
		}
		p.Map.Zoom(nil)
		if p.Map.Zoomed() || len(p.Data.All()) != len(rows) {
			t.Error("it does not come back to the whole file")
		}
	})
}

// TestValuesOfArray: an array's facts are in the details, its rows and a plot are cards, and a row marks its bytes.
func TestValuesOfArray(t *testing.T) {
	windowtest.Run(t, func(t *testing.T, b *windowtest.Bench) {
		s := b.Open(opening.Target{File: "../../assets/sample.usdc"})
		s.Pane.Nav.GoTo("scene/Prototypes/Leg/.points")
		b.At(s, "scene/Prototypes/Leg/.points")
		d := s.Pane.Stage
		b.Until("facts", func() bool { return strings.Contains(b.CardWords(s), "mean") })
		b.Stage(s, "Values")
		plot := slices.Index(d.Deck.Titles(), "Plot")
		if plot < 1 || d.Deck.Titles()[plot-1] != "Values" {
			t.Fatalf("cards %q", d.Deck.Titles())
		}
		for i := plot - 1; i <= plot; i++ {
			if o := b.Stage(s, d.Deck.Titles()[i]); o.MinSize().Width > 420 {
				t.Errorf("card %d takes %g", i, o.MinSize().Width)
			}
		}
		b.Stage(s, "Values")
		b.Idle()
		elements := s.Pane.Current()
		n, _ := elements.Len(t.Context())
		for i := range n {
			if c := s.Pane.Current().Child(t.Context(), i); c.Node.Elements {
				elements = c
			}
		}
		third := elements.Child(t.Context(), 3).Node.Span()
		s.Pane.Nav.Tapped(third.Source, third.Off+1, false)
		b.Until("the bytes of the row", func() bool {
			off, n := s.Pane.Hex.Shown.View.Selection()
			return off == third.Off && n == third.Len
		})
		if s.Pane.Current().Path() != "scene/Prototypes/Leg/.points" {
			t.Errorf("the click leaves the array for %s", s.Pane.Current().Path())
		}
		if text := windowtest.Words(d.Deck.Card(plot)); !strings.Contains(text, "wheel zooms") {
			t.Errorf("the plot says %q", text)
		}
	})
}

// TestSavings: the pane of sizes lists what the file could do without; a place is gone to.
func TestSavings(t *testing.T) {
	windowtest.Run(t, func(t *testing.T, b *windowtest.Bench) {
		s := b.Open(opening.Target{File: "../../testdata/usdc/samples.usdc"})
		if all := b.ActionsFor("no such action"); len(all) != 0 {
			t.Errorf("the search finds %v", all)
		}
		b.W.Find.Entry.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn}) // does nothing
		b.ActionsFor("savings")
		b.W.Find.Entry.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
		p := s.Pane.Sizes
		b.Until("sizes", func() bool { return p.Tree != nil })
		b.Until("savings", func() bool { return len(p.Savings.Data.All()) > 1 })
		b.Idle()
		if b.W.Shell.Win.Canvas().Focused() != fyne.Focusable(p.Savings.List) {
			t.Errorf("the keyboard is at %T", b.W.Shell.Win.Canvas().Focused())
		}
		p.Savings.List.SelectIndex(1, false)
		b.At(s, "scene/World/.same/timeSamples")
	})
}

// TestHistogram: the plot of an array shows on demand how its values are distributed, and goes back.
func TestHistogram(t *testing.T) {
	windowtest.Run(t, func(t *testing.T, b *windowtest.Bench) {
		s := b.Open(opening.Target{File: "../../assets/sample.usdc"})
		s.Pane.Nav.GoTo("scene/Prototypes/Leg/.points")
		b.At(s, "scene/Prototypes/Leg/.points")
		b.Until("facts", func() bool { return strings.Contains(b.CardWords(s), "mean") })
		card := b.Stage(s, "Plot")
		windowtest.CheckIn(card, "Histogram").SetChecked(true)
		b.Until("the counts", func() bool { return strings.Contains(windowtest.Words(card), "in each range") })
		windowtest.CheckIn(card, "Log").SetChecked(true)
		windowtest.CheckIn(card, "y").SetChecked(false)
		b.Idle()
		windowtest.CheckIn(card, "Histogram").SetChecked(false)
		if text := windowtest.Words(card); !strings.Contains(text, "wheel zooms") {
			t.Errorf("back at the values it says %q", text)
		}
	})
}

// TestSizesTold: what the map has at the pointer is told beside it, and what the keys go to in the line above, each with its
// part of the file.
func TestSizesTold(t *testing.T) {
	windowtest.Run(t, func(t *testing.T, b *windowtest.Bench) {
		s := b.Open(opening.Target{File: "../../assets/sample.usdc"})
		s.Pane.Stage.ChooseForKeys(document.Sizes)
		p := s.Pane.Sizes
		b.Until("sizes", func() bool { return p.Tree != nil })
		b.Idle()
		tips := func() string { return strings.Join(windowtest.Drawn(kit.TipsOf(b.W.Shell.Win.Canvas())), " ") }
		p.Map.MouseMoved(&desktop.MouseEvent{PointEvent: fyne.PointEvent{Position: fyne.NewPos(p.Map.Size().Width/2, p.Map.Size().Height/2)}})
		if text := tips(); !strings.HasPrefix(text, "scene/") || !strings.Contains(text, " %") {
			t.Errorf("the tip says %q", text)
		}
		p.Map.MouseOut()
		if text := tips(); text != "" {
			t.Errorf("%q stays", text)
		}
		p.Map.TypedKey(&fyne.KeyEvent{Name: fyne.KeyDown})
		b.Idle()
		if text := p.Line.Text; !strings.HasPrefix(text, s.Pane.Current().Path()+" ") || !strings.Contains(text, " %") {
			t.Errorf("at %s, the line says %q", s.Pane.Current().Path(), text)
		}
	})
}

// slowScene adds a view to a document whose 60 nodes of 50 bytes take a while each, the larger ones last.
func slowScene(doc *uitest.Document) *model.View {
	src := doc.Source()
	v := &model.View{Name: "slow", Title: "Slow", Root: func(context.Context) model.Node {
		return model.Node{Name: "slow", Children: &model.Rows{Count: 60, Make: func(_ context.Context, i int64) model.Node {
			time.Sleep(50 * time.Millisecond)
			return model.Node{Name: model.IndexName(i), Type: "thing", Spans: []model.Span{src.Span(60*i, i+1)}}
		}}}
	}}
	doc.Views = append(doc.Views, v)
	return v
}

// TestSizesGrow: while it measures, the pane shows what is known so far: boxes and rows can be gone to, what was zoomed to and
// selected stays. Cancelled, it keeps that and can measure again.
func TestSizesGrow(t *testing.T) {
	windowtest.Run(t, func(t *testing.T, b *windowtest.Bench) {
		b.W.Shell.Store.CheckLimit = -1 // nothing is measured yet
		s, doc := b.Fake()
		close(doc.Gate)
		b.Idle() // nothing looks at the views
		s.Pane.ShowView(slowScene(doc), true)
		s.Pane.Stage.ChooseForKeys(document.Sizes)
		p := s.Pane.Sizes
		if text := windowtest.Words(p.Object()); !strings.Contains(text, "Measuring every node of Slow") {
			t.Errorf("it begins with %q", text)
		}
		b.Until("the first rows", func() bool { return len(p.Data.All()) > 5 })
		left := func() bool {
			return slices.ContainsFunc(p.Map.Root().Children, func(n *size.Node) bool { return n.Name == "(not measured yet)" })
		}
		if p.Tree != nil || !strings.Contains(p.Line.Text, "measured so far: ") || !strings.HasSuffix(p.Line.Text, "…") || !left() {
			t.Errorf("then %q", p.Line.Text)
		}
		if b.W.Shell.Win.Canvas().Focused() != fyne.Focusable(p.Map) {
			t.Errorf("the keyboard is at %T", b.W.Shell.Win.Canvas().Focused())
		}
		inTree := func(path string) nodes.Sizes {
			t.Helper()
			at, err := doc.Lookup(t.Context(), path)
			if err != nil {
				t.Fatal(err)
			}
			return s.Pane.Sizes.Of(at)
		}
		if first, last, whole := inTree("slow/[0]"), inTree("slow/[59]"), inTree("slow"); first.Whole != 1 || first.AtLeast || last.Known || !whole.AtLeast || whole.Whole < first.Whole {
			t.Errorf("meanwhile the tree has %+v, %+v and %+v", first, last, whole)
		}
		chosen := p.Data.All()[0]
		p.List.SelectIndex(0, false)
		b.At(s, chosen.Path)
		rows := len(p.Data.All())
		b.Until("more rows", func() bool { return len(p.Data.All()) > rows+10 })
		if now, _ := p.Data.At(p.List.Selection.Item()); now == nil || now.Path != chosen.Path {
			t.Errorf("%+v is selected", now)
		}
		p.Map.Zoom(p.Map.Root().Children[slices.IndexFunc(p.Map.Root().Children, func(n *size.Node) bool { return n.Path == "slow" })])
		rows = len(p.Data.All())
		b.Until("more rows", func() bool { return len(p.Data.All()) > rows+10 })
		if !p.Map.Zoomed() || p.Map.Root().Name != "slow" {
			t.Errorf("%q is shown", p.Map.Root().Name)
		}
		s.Pane.Tasks.CancelAll()
		b.Idle()
		if p.Tree != nil || len(p.Data.All()) < rows || !strings.HasSuffix(p.Line.Text, "; stopped") || windowtest.ButtonWith(p.Object(), "Measure Slow") == nil {
			t.Errorf("stopped, it says %q", p.Line.Text)
		}
		windowtest.ButtonWith(p.Object(), "Measure Slow").OnTapped()
		b.Until("sizes", func() bool { return p.Tree != nil })
		if windowtest.ButtonWith(p.Object(), "Measure Slow").Visible() || left() || strings.Contains(p.Line.Text, "so far") {
			t.Errorf("at the end %q", p.Line.Text)
		}
		if last, whole := inTree("slow/[59]"), inTree("slow"); last.Whole != 60 || whole.AtLeast {
			t.Errorf("at the end the tree has %+v and %+v", last, whole)
		}
	})
}

// TestNoSavings: where there is nothing to save, the list says so, without numbers.
func TestNoSavings(t *testing.T) {
	windowtest.Run(t, func(t *testing.T, b *windowtest.Bench) {
		s := b.Open(opening.Target{File: "../../testdata/usdc/arcs.usdc"})
		s.Pane.Stage.Choose(document.Sizes)
		p := s.Pane.Sizes
		b.Until("sizes", func() bool { return p.Tree != nil })
		p.ShowSavings()
		b.Until("savings", func() bool { return len(p.Savings.Data.All()) > 0 })
		if row := p.Savings.Data.Show(p.Savings.Data.All()[0]); !strings.HasPrefix(row.Cells[0], "Nothing was found") || len(row.Cells) != 1 {
			t.Errorf("the list has %q", row.Cells)
		}
	})
}

// TestShiftLetGo: a dialog that was brought by a key with Shift keeps nothing held: arrows after it select one row.
func TestShiftLetGo(t *testing.T) {
	windowtest.Run(t, func(t *testing.T, b *windowtest.Bench) {
		s := b.Open(opening.Target{File: "../../assets/sample.usdc"})
		s.Pane.Nav.GoTo("scene/Prototypes")
		b.At(s, "scene/Prototypes")
		tree := s.Pane.Trees.Tree(s.Pane.Trees.View())
		b.W.Shell.Win.Canvas().Focus(tree)
		tree.KeyDown(&fyne.KeyEvent{Name: desktop.KeyShiftLeft})
		b.W.Shell.ShowModal("A dialog", nil, container.NewVBox(), 300).Hide() // which hears that Shift is let go
		tree.TypedKey(&fyne.KeyEvent{Name: fyne.KeyDown})
		tree.TypedKey(&fyne.KeyEvent{Name: fyne.KeyDown})
		if n := tree.Selection.Count(); n > 1 {
			t.Errorf("%d rows are selected", n)
		}
	})
}

// TestSortByMenu: the columns of the tree are in a menu, for the keyboard, with a sign at the one that sorts.
func TestSortByMenu(t *testing.T) {
	windowtest.Run(t, func(t *testing.T, b *windowtest.Bench) {
		s := b.Open(opening.Target{File: "../../assets/sample.usdc"})
		var titles []string
		for _, i := range b.Menu("Sort the tree by").ChildMenu.Items {
			titles = append(titles, i.Label)
		}
		if want := slices.DeleteFunc(s.Pane.Trees.Columns(), func(title string) bool { return title == "" }); len(titles) != 3 || !slices.Equal(titles, want) {
			t.Fatalf("the menu has %q, the tree %q", titles, want)
		}
		for _, want := range []int{4, 4, -1} {
			b.Menu("Sort the tree by").ChildMenu.Items[2].Action()
			b.Idle()
			if s.Pane.Trees.SortedBy() != want || b.Menu("Sort the tree by").ChildMenu.Items[2].Checked != (want == 4) {
				t.Errorf("sorted by %d, want %d", s.Pane.Trees.SortedBy(), want)
			}
		}
	})
}
