package document_test

import (
	"context"
	"strings"
	"testing"

	"fyne.io/fyne/v2/container"

	"cutaway/ui/opening"
	"cutaway/ui/window/windowtest"

	"cutaway/model"
	"cutaway/ui/document"
	"cutaway/ui/uitest"
)

// slowReader gives zeros, and from its middle on only when its gate is open.
type slowReader struct{ gate chan struct{} }

func (slowReader) Size() int64 { return 200 }

func (r slowReader) ReadAt(ctx context.Context, p []byte, off int64) (int, error) {
	if off >= 100 {
		select {
		case <-r.gate:
		case <-ctx.Done():
			return 0, ctx.Err()
		}
	}
	for i := range p {
		p[i] = 0x5a
	}
	return len(p), nil
}

// slowDocument has two nodes: swift tells all of itself at once, slow tells nothing until gate is closed.
func slowDocument(gate chan struct{}) *model.Document {
	src := model.NewFileSource("slow.bin", slowReader{gate})
	wait := func(ctx context.Context) {
		select {
		case <-gate:
		case <-ctx.Done():
		}
	}
	node := func(name string, off int64, ready func(context.Context)) model.Node {
		n := model.Node{Name: name, Type: name + "-type", Value: model.Text(name + "-value"), Help: name + "-help",
			Spans: []model.Span{src.Span(off, 1)}}
		n.Children = model.NewList(model.Node{Name: name + "-bit", Type: "bit", Value: model.Uint(1), Spans: []model.Span{{Source: src, Off: off, Len: 1, Mask: 2}}})
		n.Refs = func(ctx context.Context) []model.Ref {
			ready(ctx)
			return []model.Ref{{Kind: name + "-kind", Path: "layout/" + name + "-target"}}
		}
		n.Cards = func(ctx context.Context) []model.Card {
			ready(ctx)
			return []model.Card{&uitest.Table{CardBase: model.CardBase{Title: name + "-card"}}, &uitest.Table{CardBase: model.CardBase{Title: "Rows"}}}
		}
		return n
	}
	root := model.Node{Name: "slow.bin", Type: "file", Spans: []model.Span{src.Whole()}}
	root.Children = model.NewList(node("swift", 0, func(context.Context) {}), node("slow", 150, wait))
	return &model.Document{Format: "fake", Title: "Fake", Name: "slow.bin", Sources: []*model.Source{src},
		Views: []*model.View{{Name: model.LayoutView, Title: "Layout", Of: src, Root: func(context.Context) model.Node { return root }}},
		ReferencedBy: func(ctx context.Context, p *model.Place, _ int, _ model.Progress) ([]model.Ref, int64, error) {
			if p.Node.Name == "slow" {
				wait(ctx)
			}
			return []model.Ref{{Kind: "back", Path: "layout/" + p.Node.Name + "-user"}}, 1, nil
		}}
}

// TestNothingStale: when a slow node is chosen after a fast one, neither card nor list nor inspector say a word of the fast one while
// the slow one is read; the stage keeps its card until then.
func TestNothingStale(t *testing.T) {
	windowtest.Run(t, func(t *testing.T, b *windowtest.Bench) {
		gate := make(chan struct{})
		s := b.W.Add(opening.Subject{File: "slow.bin"})
		s.Show(slowDocument(gate))
		choose := func(name string) {
			s.Pane.Nav.GoTo("layout/" + name)
			b.At(s, "layout/"+name)
		}
		screen := func() string {
			return windowtest.ShownTexts(s.Pane.Side.Object) + "\n" + windowtest.ShownTexts(s.Pane.Lists.Object.Objects[0].(*container.Split).Trailing) + "\n" + windowtest.ShownTexts(b.W.Status.Object) + "\n" + b.W.Place.Entry.Text
		}
		s.Pane.Side.Fold()
		for _, front := range []int{document.ListReferences, document.ListProblems} {
			choose("swift")
			b.Pass()
			s.Pane.Lists.Show(front)
			b.Pass()
			before := screen()
			if !strings.Contains(before, "swift") {
				t.Fatalf("with list %d nothing tells of the fast node:\n%s", front, before)
			}
			choose("slow")
			for _, when := range []string{"at once", "a while later"} {
				after := screen()
				for _, stale := range []string{"swift", "0x5a", "90", "01011010", "49"} {
					if strings.Contains(after, stale) {
						t.Errorf("list %d, %s: %q of the fast node is still there:\n%s", front, when, stale, after)
					}
				}
				if got := s.Pane.Stage.Kind(); got != "Table" && got != "Text" {
					t.Errorf("the stage has %q meanwhile", got)
				}
				b.Pass()
			}
		}
		close(gate)
		b.Until("the slow node's card", func() bool { return strings.Contains(screen(), "slow-value") })
		s.Pane.Lists.Show(document.ListReferences)
		s.Pane.Stage.Choose("Table")
		for _, want := range []string{"layout/slow-user", "0x5a", "49"} {
			b.Until(want+" of the slow node", func() bool {
				b.W.Shell.Win.Canvas().Capture()
				return strings.Contains(screen()+windowtest.ShownTexts(s.Pane.Stage.Object), want)
			})
		}
	})
}

// TestRowsStay: the details of the node that is chosen stay while they are read again.
func TestRowsStay(t *testing.T) {
	windowtest.Run(t, func(t *testing.T, b *windowtest.Bench) {
		s, doc := b.Fake()
		s.Pane.Nav.GoTo("layout/header/version")
		b.At(s, "layout/header/version")
		b.Pass()
		s.Pane.Lists.Problems.Look()
		s.Pane.Decoded()
		if got := windowtest.ShownTexts(s.Pane.Side.Object); !strings.Contains(got, "The version is not known") {
			t.Errorf("the details have gone while they are read again:\n%s", got)
		}
		close(doc.Gate)
		b.Pass()
	})
}
