package references_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"cutaway/ui/opening"
	"cutaway/ui/tab"
	"cutaway/ui/window"
	"cutaway/ui/window/windowtest"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/test"

	"cutaway/model"
	"cutaway/ui/document"
	"cutaway/ui/nodes"
	"cutaway/ui/references"
)

// linkedDoc is a layout of 64 KiB whose parts refer to each other: "one" to a table's row, "many" to twenty of them,
// "bare" to bytes without a path, and 5,000 nodes to "shared".
func linkedDoc() *model.Document {
	src := model.NewFileSource("linked", model.BytesReader(make([]byte, 64<<10)))
	leaf := func(name string, off int64, refs ...model.Ref) model.Node {
		n := model.Node{Name: name, Spans: []model.Span{src.Span(off, 16)}}
		if refs != nil {
			n.Refs = func(context.Context) []model.Ref { return refs }
		}
		return n
	}
	row := func(i int64) model.Ref {
		return model.Ref{Kind: "row", Path: "layout/table/" + model.IndexName(i), Text: fmt.Sprint("row ", i)}
	}
	var twenty []model.Ref
	for i := range int64(20) {
		twenty = append(twenty, row(i))
	}
	table := model.Node{Name: "table", Elements: true, Spans: []model.Span{src.Span(4096, 32<<10)},
		Children: model.FixedRows(src, 4096, 16, 2048, func(_ context.Context, i int64) model.Node { return leaf(model.IndexName(i), 4096+16*i) })}
	children := model.NewList(leaf("one", 0, row(1000)), leaf("many", 16, twenty...), leaf("bare", 32, model.Ref{Kind: "bytes", Span: src.Span(4096, 16)}),
		leaf("none", 48), leaf("shared", 64), table)
	return &model.Document{Format: "linked", Sources: []*model.Source{src},
		Views: []*model.View{
			{Name: model.LayoutView, Title: "Layout", Of: src, Root: func(context.Context) model.Node {
				return model.Node{Name: "linked", Spans: []model.Span{src.Whole()}, Children: children}
			}},
			{Name: "other", Title: "Other", Root: func(context.Context) model.Node {
				return model.Node{Name: "other", Spans: []model.Span{src.Span(64, 16)}}
			}},
		},
		ReferencedBy: func(_ context.Context, p *model.Place, limit int, _ model.Progress) ([]model.Ref, int64, error) {
			if p.Path() != "layout/shared" {
				return nil, 0, nil
			}
			var refs []model.Ref
			for i := range int64(limit) {
				refs = append(refs, row(i))
			}
			return refs, 5000, nil
		}}
}

func linked(b *windowtest.Bench) *tab.Tab {
	s := b.W.Add(opening.Subject{File: "linked"})
	s.Show(linkedDoc())
	b.Until("the root", func() bool { return s.Pane.Current() != nil && len(s.Pane.Side.Card.Rows.Objects) > 0 })
	return s
}

// TestFollow: a click with Ctrl, Enter on a leaf and the menu's key follow the one reference of a node.
func TestFollow(t *testing.T) {
	windowtest.Run(t, func(t *testing.T, b *windowtest.Bench) {
		s := linked(b)
		tree := s.Pane.Trees.Tree(s.Pane.Trees.View())
		for what, act := range map[string]func(){
			"Enter":    func() { tree.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn}) },
			"the menu": func() { b.Menu("Follow reference").Action() },
			"a click": func() {
				row, size, _ := tree.CursorRect()
				at := row.AddXY(size.Width/2, size.Height/2)
				tree.MouseDown(&desktop.MouseEvent{PointEvent: fyne.PointEvent{Position: at}, Button: desktop.MouseButtonPrimary, Modifier: fyne.KeyModifierShortcutDefault})
				tree.MouseUp(nil)
			},
		} {
			s.Pane.Nav.GoTo("layout/one")
			b.At(s, "layout/one")
			b.Idle()
			test.WidgetRenderer(tree).Refresh()
			act()
			b.Until(what+" to follow", func() bool { return s.Pane.Current().Path() == "layout/table/[1000]" })
		}
		s.Pane.Nav.GoTo("layout/bare")
		b.At(s, "layout/bare")
		s.Pane.Actions.FollowCurrent()
		b.At(s, "layout/table/[0]")
		if off, n := s.Pane.Hex.Shown.View.Selection(); off != 4096 || n != 16 {
			t.Errorf("selected %d bytes at %d", n, off)
		}
		s.Pane.Nav.GoTo("layout/none")
		b.At(s, "layout/none")
		s.Pane.Actions.FollowCurrent()
		b.Idle()
		if got := b.W.Status.Where.Text; got != "none refers to nothing" {
			t.Errorf("status %q", got)
		}
		time.Sleep(window.NoticeStays)
		b.Idle()
		if got := b.W.Status.Where.Text; !strings.HasSuffix(got, "File") {
			t.Errorf("a notice stays: %q", got)
		}
	})
}

// TestFollowSeveral: of several references, a menu offers the first; the others are in the tab.
func TestFollowSeveral(t *testing.T) {
	windowtest.Run(t, func(t *testing.T, b *windowtest.Bench) {
		s := linked(b)
		s.Pane.Nav.GoTo("layout/many")
		b.At(s, "layout/many")
		b.Idle()
		s.Pane.Actions.FollowCurrent()
		b.Until("the menu", func() bool { return b.W.Shell.Win.Canvas().Overlays().Top() != nil })
		pop := b.W.Shell.Win.Canvas().Overlays().Top()
		s.Pane.Actions.RefItems(s.Pane.Current().Node.Refs(t.Context()), "")[2].Action()
		b.At(s, "layout/table/[2]")
		items := s.Pane.Actions.RefItems(linkedDoc().Views[0].Place(t.Context()).Child(t.Context(), 1).Node.Refs(t.Context()), "Go to ")
		if len(items) != document.MenuRefs+1 || items[0].Label != "Go to row  layout/table/[0]  row 0" || items[document.MenuRefs].Label != "Go to all 20…" {
			t.Errorf("%d items, the last %q", len(items), items[len(items)-1].Label)
		}
		pop.Hide()
		items[document.MenuRefs].Action()
		if s.Pane.Lists.Open != document.ListReferences {
			t.Error("the references are not shown")
		}
	})
}

// TestLinksInDetails: the details lead where the node refers to.
func TestLinksInDetails(t *testing.T) {
	windowtest.Run(t, func(_ *testing.T, b *windowtest.Bench) {
		s := linked(b)
		s.Pane.Nav.GoTo("layout/one")
		b.At(s, "layout/one")
		b.Until("the link", func() bool {
			return strings.Contains(windowtest.Texts(s.Pane.Side.Card.Rows), "row 1000")
		})
		b.CardRow(s, s.Pane.Current(), "row").Links[0].Tap()
		b.At(s, "layout/table/[1000]")
	})
}

// TestReferencesPane: counts by direction and kind, and a filter.
func TestReferencesPane(t *testing.T) {
	windowtest.Run(t, func(t *testing.T, b *windowtest.Bench) {
		s := linked(b)
		r := s.Pane.Lists.Refs
		s.Pane.Nav.GoTo("layout/shared")
		b.At(s, "layout/shared")
		b.Until("the references", func() bool { return !r.Busy && r.Path == "layout/shared" })
		if r.Head.Text != "Referenced by 5,000 (row), the first 1,000 listed" || r.Title() != "References 5,000" {
			t.Errorf("%q, %q", r.Head.Text, r.Title())
		}
		r.Filter.SetText("ROW 99")
		if n := len(r.Data.All()); n != 11 {
			t.Errorf("%d rows", n)
		}
		r.Filter.TypedKey(&fyne.KeyEvent{Name: fyne.KeyEscape})
		if n := len(r.Data.All()); n != references.ShownRefs {
			t.Errorf("%d rows", n)
		}
		items := s.Pane.Actions.LinkItems(nodes.ItemOf(s.Pane.Current()), nil)
		if len(items) != 1 || items[0].Label != "Referenced by 5,000…" {
			t.Errorf("menu %v", items)
		}
		items[0].Action()
		if s.Pane.Lists.Open != document.ListReferences || r.Filter.Text != references.CameBy || len(r.Data.All()) != references.ShownRefs {
			t.Error("they are not shown")
		}
		s.Pane.Nav.GoTo("layout/many")
		b.At(s, "layout/many")
		b.Until("the references", func() bool { return !r.Busy && r.Path == "layout/many" })
		if r.Head.Text != "Goes to 20 (row)" || r.Filter.Text != "" {
			t.Errorf("%q", r.Head.Text)
		}
	})
}

// TestBack: going back shows the tree and the bytes as they were, also after a click or a jump to an offset.
func TestBack(t *testing.T) {
	windowtest.Run(t, func(t *testing.T, b *windowtest.Bench) {
		s := linked(b)
		v := s.Pane.Hex.Shown.View
		s.Pane.Nav.GoTo("layout/table/[500]")
		b.At(s, "layout/table/[500]")
		b.Idle()
		v.ScrollTo(4096 + 16*470)
		v.Select(4096+16*480, 5)
		top, _ := v.VisibleBytes()
		s.Pane.Nav.GoToOffset(50) // a jump
		b.At(s, "layout/none")
		b.Idle()
		s.Pane.Trees.Views.Choose(1) // another tree
		b.At(s, "other")
		s.Pane.Nav.Tapped(s.Pane.Doc.Source(), 4096, false) // a click on what the other tree does not have
		b.At(s, "layout/table/[0]")
		b.Idle()
		s.Pane.Nav.GoTo("layout/one")
		b.At(s, "layout/one")
		s.Pane.Nav.Travel(-1)
		b.At(s, "layout/table/[0]")
		if s.Pane.Trees.View().Name != "other" {
			t.Error("the tree was another one")
		}
		s.Pane.Nav.Travel(-3)
		b.At(s, "layout/table/[500]")
		b.Idle()
		if at, _ := v.VisibleBytes(); at != top {
			t.Errorf("scrolled to %d, was %d", at, top)
		}
		if off, n := v.Selection(); off != 4096+16*480 || n != 5 {
			t.Errorf("%d bytes at %d are selected", n, off)
		}
		if s.Pane.Trees.View().Name != model.LayoutView || s.Pane.Trees.Tree(s.Pane.Trees.View()).Selection.Item().(*nodes.Item).Path() != "layout/table/[500]" {
			t.Error("the tree is another one")
		}
		s.Pane.Nav.Travel(1)
		b.At(s, "layout/none")
		if v.Cursor() != 50 {
			t.Errorf("cursor at %d", v.Cursor())
		}
	})
}

// TestFollowDecoded: the references of a node that was decoded after its row was made are followed.
func TestFollowDecoded(t *testing.T) {
	windowtest.Run(t, func(t *testing.T, b *windowtest.Bench) {
		s := b.W.Add(opening.Subject{File: "late"})
		src := model.NewFileSource("late", model.BytesReader(make([]byte, 32)))
		late := model.NewLazy(func(context.Context, model.Progress) (model.Children, error) {
			return model.NewList(model.Node{Name: "part", Spans: []model.Span{src.Span(0, 16)}}), nil
		})
		doc := &model.Document{Format: "late", Sources: []*model.Source{src}, Views: []*model.View{{Name: model.LayoutView, Of: src,
			Root: func(context.Context) model.Node {
				n := model.Node{Name: "late", Spans: []model.Span{src.Whole()}, Children: late}
				if !late.Pending() {
					n.Refs = func(context.Context) []model.Ref { return []model.Ref{{Kind: "part", Path: "layout/part"}} }
				}
				return n
			}}}}
		stale := nodes.ItemOf(doc.Views[0].Place(t.Context()))
		s.Show(doc)
		b.Until("the part", func() bool { return !late.Pending() && s.Pane.Current() != nil })
		if stale.Place.Node.Refs != nil {
			t.Fatal("the row knew the reference")
		}
		s.Pane.Actions.FollowFrom(stale, fyne.NewPos(0, 0))
		b.At(s, "layout/part")
	})
}

// TestOpenAsset: Ctrl+Enter on an asset path, and on the attribute or reference that has it, opens the file beside the layer or
// in its package in a tab; of one that is not there it is told.
func TestOpenAsset(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		folder := t.TempDir()
		layer := "#usda 1.0\ndef Shader \"S\" (references = [@./parts/other.usda@</X>, @./parts/other.usda@, @./parts/none.usda@]) {\n    asset inputs:file = @parts/other.usda@\n    asset inputs:gone = @gone.png@\n}\n"
		for name, text := range map[string]string{"main.usda": layer, "parts/other.usda": "#usda 1.0\n(\ndefaultPrim = \"Y\"\n)\ndef \"X\" {\n}\ndef \"Y\" {\n}\n",
			"parts/none.usda": "#usda 1.0\ndef \"X\" {\n}\n"} {
			file := filepath.Join(folder, name)
			if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o700), os.WriteFile(file, []byte(text), 0o600)); err != nil {
				t.Fatal(err)
			}
		}
		b := windowtest.New(t)
		for _, c := range []struct{ file, path, opens, at string }{
			{filepath.Join(folder, "main.usda"), "scene/S/.inputs:file", "parts/other.usda", ""},
			{filepath.Join(folder, "main.usda"), "scene/S/.inputs:file/default", "parts/other.usda", ""},
			{filepath.Join(folder, "main.usda"), "scene/S/references/explicit/[0]", "parts/other.usda", "scene/X"},
			{filepath.Join(folder, "main.usda"), "scene/S/references/explicit/[1]", "parts/other.usda", "scene/Y"},
			{filepath.Join(folder, "main.usda"), "scene/S/references/explicit/[2]", "parts/none.usda", "scene"},
			{"../../testdata/usdc/several.usdz", "scene/Root/references/prepended/[1]", "several.usdz[look.usda]", ""},
			{"../../testdata/usdc/several.usdz[look.usda]", "scene/Root/.file", "several.usdz[image.png]", ""},
			{filepath.Join(folder, "main.usda"), "scene/S/.inputs:gone", "", ""},
		} {
			s := b.Open(opening.Target{File: c.file})
			s.Pane.Nav.GoTo(c.path)
			b.At(s, c.path)
			b.Idle()
			s.Pane.Actions.FollowCurrent()
			b.Idle()
			if c.opens == "" {
				if b.W.Active != s || !strings.Contains(windowtest.ShownTexts(b.W.Status.Object), "there is no file") {
					t.Errorf("%s: %q", c.path, windowtest.ShownTexts(b.W.Status.Object))
				}
				continue
			}
			b.Until("the file of "+c.path, func() bool { return b.W.Active != s && b.W.Active.Pane != nil })
			if !strings.HasSuffix(filepath.ToSlash(b.W.Active.Subject.File), c.opens) {
				t.Errorf("%s opens %s", c.path, b.W.Active.Subject.File)
			}
			if c.at != "" {
				b.At(b.W.Active, c.at)
			}
		}
	})
}
