package inspector_test

import (
	"context"
	"strings"
	"testing"

	"cutaway/ui/opening"
	"cutaway/ui/window/windowtest"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/theme"

	"cutaway/model"
	"cutaway/ui/document"
	"cutaway/ui/inspector"
	"cutaway/ui/look"
	"cutaway/ui/uitest"
)

// TestInspector: it follows the cursor in every tab, and its selected row stays.
func TestInspector(t *testing.T) {
	windowtest.Run(t, func(t *testing.T, b *windowtest.Bench) {
		s, _ := b.Fake()
		s.Pane.Side.Inspect()
		if r := b.Inspected(s, 0, "u32"); r.Little.Text != "1162559814   0x454b4146" || r.Big.Text != "1178684229   0x46414b45" {
			t.Errorf("%+v", r)
		}
		i := s.Pane.Side.Inspector
		i.Rows.SelectIndex(3, false)
		s.Pane.Hex.Shown.View.TypedKey(&fyne.KeyEvent{Name: fyne.KeyRight})
		s.Pane.Nav.GoToOffset(uitest.Size - 2)
		if r := b.Inspected(s, uitest.Size-2, "u32"); r.Little.Why != "only 2 of 4 bytes" {
			t.Errorf("at the end: %+v", r)
		}
		if i.Rows.Selection.Item() != int64(3) {
			t.Error("the selected row is lost")
		}
		s.Pane.Nav.GoTo("layout/packed@inflated/[3]")
		b.At(s, "layout/packed@inflated/[3]")
		b.Inspected(s, 60, "u8")
		if got := i.At.Source.Name(); got != "layout/packed@inflated" {
			t.Errorf("looks at %s", got)
		}
		s.Pane.Side.Fold()
		s.Pane.Nav.GoTo("layout/header")
		b.At(s, "layout/header")
		if i.At.Off != 60 {
			t.Error("it looks at what nobody sees")
		}
	})
}

// bitsDoc is a document of many bytes with two fields in the first.
func bitsDoc() *model.Document {
	src := model.NewFileSource("bits", model.BytesReader(append([]byte{0b10100101, 7}, make([]byte, 1<<20)...)))
	field := func(name string, mask uint64, v int64) model.Node {
		n := model.Node{Name: name, Type: "bits", Value: model.Int(v), Spans: []model.Span{src.Span(0, 1)}}
		n.Spans[0].Mask = mask
		return n
	}
	flags := model.Node{Name: "flags", Spans: []model.Span{src.Span(0, 1)}, Children: model.NewList(field("low", 0x1f, 5), field("high", 0xe0, 5))}
	rest := model.Node{Name: "rest", Spans: []model.Span{src.Span(1, src.Size()-1)}}
	children := model.NewList(flags, rest)
	return &model.Document{Format: "bits", Sources: []*model.Source{src}, Views: []*model.View{{Name: model.LayoutView, Of: src,
		Root: func(context.Context) model.Node {
			return model.Node{Name: "bits", Spans: []model.Span{src.Whole()}, Children: children}
		}}}}
}

// TestBitFields: the fields over the cursor's byte are listed, the selected one stands out, and a click on a bit selects
// its field.
func TestBitFields(t *testing.T) {
	windowtest.Run(t, func(t *testing.T, b *windowtest.Bench) {
		s := b.W.Add(opening.Subject{File: "bits"})
		s.Show(bitsDoc())
		s.Pane.Side.Inspect()
		i := s.Pane.Side.Inspector
		b.Until("the fields", func() bool { return len(i.FieldData.All()) == 2 })
		if len(i.Bits.Bytes) != 1 || i.Bits.Chosen != -1 || i.FieldBox.Objects[0] != i.Fields {
			t.Errorf("%d bytes, field %d", len(i.Bits.Bytes), i.Bits.Chosen)
		}
		click := func(bit int) {
			at := i.Bits.CellAt(bit)
			i.Bits.Tapped(&fyne.PointEvent{Position: at.AddXY(inspector.BitWide/2, inspector.BitHigh/2)})
		}
		click(6)
		b.At(s, "layout/flags/high")
		b.Until("the field", func() bool { return i.Bits.Chosen == 1 })
		if i.Fields.Selection.Item() != int64(1) {
			t.Error("the list selects another field")
		}
		r := test.TempWidgetRenderer(t, i.Bits)
		shown := ""
		for _, o := range r.Objects() {
			if text, ok := o.(*canvas.Text); ok && text.Visible() {
				shown += text.Text + " "
			}
		}
		if want := "1 0 1 0 0 1 0 1 0 0x0 1 2 3 4 5 6 7 "; shown != want { // from bit 0, then positions and the offset
			t.Errorf("shown: %s", shown)
		}
		i.Fields.OnChosen(int64(0))
		b.At(s, "layout/flags/low")
		s.Pane.Nav.GoTo("layout/rest")
		b.At(s, "layout/rest")
		b.Until("no fields", func() bool { return len(i.FieldData.All()) == 0 && i.FieldBox.Objects[0] == i.Plain })
		if i.Bits.BitAt(fyne.NewPos(-1, -1)) != -1 || i.Bits.Off != 1 {
			t.Error("wrong bits")
		}
		click(0)
		b.At(s, "layout/rest")
		s.Pane.Nav.GoToOffset(1 << 20) // its digits take more room
		b.Inspected(s, 1<<20, "u8")
	})
}

// TestChecksumsOfSelection: of the node, of the bytes selected, copied by their row.
func TestChecksumsOfSelection(t *testing.T) {
	windowtest.Run(t, func(t *testing.T, b *windowtest.Bench) {
		s, _ := b.Fake()
		s.Pane.Side.InspectAs(inspector.Sums)
		p := s.Pane.Side.Inspector.Sums
		value := func(i int) string { return p.Data.All()[i].Value }
		s.Pane.Nav.GoTo("layout/header/magic")
		b.At(s, "layout/header/magic")
		b.Until("the sums", func() bool { return value(0) != "" && p.Of.Text == "4 bytes of “magic”" })
		node := value(4)
		s.Pane.Hex.Shown.View.Select(0, 4)
		s.Pane.CursorMoved()
		b.Until("the sums of the selection", func() bool { return p.Of.Text == "4 bytes selected" && value(0) != "" })
		if value(4) != node {
			t.Error("the same bytes have other sums")
		}
		s.Pane.Hex.Shown.View.Select(0, 5)
		s.Pane.CursorMoved()
		b.Until("the sums of more", func() bool { return p.Of.Text == "5 bytes selected" && value(0) != "" && value(4) != node })
		p.List.SelectIndex(4, false)
		b.W.Shell.Win.Show()
		p.List.TypedShortcut(&fyne.ShortcutCopy{Clipboard: b.W.Shell.App.Clipboard()})
		if got := b.W.Shell.App.Clipboard().Content(); got != value(4) {
			t.Errorf("copied %q", got)
		}
	})
}

// TestChecksumsOnDemand: many bytes are summed up only when asked for, and that can be cancelled.
func TestChecksumsOnDemand(t *testing.T) {
	windowtest.Run(t, func(t *testing.T, b *windowtest.Bench) {
		s := b.W.Add(opening.Subject{File: "zeros"})
		src := model.NewFileSource("zeros", uitest.Zeros(20<<20))
		big := model.NewFileSource("more", uitest.Zeros(1<<40))
		s.Show(&model.Document{Format: "bits", Sources: []*model.Source{src, big}, Views: []*model.View{{Name: model.LayoutView, Of: src,
			Root: func(context.Context) model.Node { return model.Node{Name: "zeros", Spans: []model.Span{src.Whole()}} }}}})
		s.Pane.Side.InspectAs(inspector.Sums)
		p := s.Pane.Side.Inspector.Sums
		b.Until("the selection", func() bool { return s.Pane.Current() != nil && p.Size() == 20<<20 })
		b.Idle()
		if p.Data.All()[0].Value != "" || !p.Start.Visible() || p.Cancel.Visible() || p.Start.Text != "Compute over 21 MB" {
			t.Fatalf("%q, computed without being asked for", p.Start.Text)
		}
		test.Tap(p.Start)
		b.Until("the sums", func() bool { return p.Data.All()[0].Value != "" })
		if p.Start.Visible() || p.Running {
			t.Error("still to be computed")
		}
		s.Pane.ShowSpan(big.Whole())
		if p.Size() != 1<<40 || p.Data.All()[0].Value != "" {
			t.Fatalf("%d bytes", p.Size())
		}
		test.Tap(p.Start)
		b.Until("progress", func() bool { return strings.HasPrefix(p.Of.Text, "0 % of ") })
		if !p.Cancel.Visible() || p.Start.Visible() {
			t.Error("it cannot be cancelled")
		}
		test.Tap(p.Cancel)
		b.Until("the end", func() bool { return !p.Running && p.Start.Visible() })

		// The end of a computation that was left does not look like that of another one of the same bytes.
		test.Tap(p.Start)
		s.Pane.ShowSpan(src.Whole())
		s.Pane.ShowSpan(big.Whole())
		test.Tap(p.Start)
		b.Until("the end of the first", func() bool {
			return s.Pane.Tasks.Len() == 1
		})
		told := false
		b.W.Shell.Post(func() { told = true })
		b.Until("what it told", func() bool { return told })
		if !p.Running {
			t.Error("the second is taken for ended")
		}
		test.Tap(p.Cancel)
		b.Until("the end of the second", func() bool { return !p.Running })
	})
}

// TestInspectorLooks draws it in both themes; see TestThemes.
func TestInspectorLooks(t *testing.T) {
	windowtest.Run(t, func(t *testing.T, b *windowtest.Bench) {
		s := b.W.Add(opening.Subject{File: "bits"})
		s.Show(bitsDoc())
		s.Pane.Side.Inspect()
		s.Pane.Nav.GoTo("layout/flags/high")
		b.At(s, "layout/flags/high")
		b.Idle()
		for _, choice := range []look.Choice{look.Light, look.Dark} {
			b.SetLook(look.Settings{Choice: choice})
			b.Idle()
			img := b.W.Shell.Win.Canvas().Capture()
			windowtest.KeepPicture(t, "inspector-"+string(choice), img)
			ground := look.New(choice).Color(theme.ColorNameBackground, theme.VariantLight)
			if c := windowtest.Strongest(img, s.Pane.Side.Inspector.Rows, 1, ground); c < 4.5 {
				t.Errorf("%s: contrast %.1f", choice, c)
			}
		}
	})
}

// TestNarrow: no list below the tree, and no tab of the inspector, keeps their columns from being made narrow.
func TestNarrow(t *testing.T) {
	windowtest.Run(t, func(t *testing.T, b *windowtest.Bench) {
		s, f := b.Fake()
		close(f.Gate) // sizes take all of the document
		narrow := func(what string, o fyne.CanvasObject) {
			b.Idle()
			if w := o.MinSize().Width; w > 300 {
				t.Errorf("%s takes %g", what, w)
			}
		}
		for i := range document.ListMarks + 1 {
			s.Pane.Lists.Show(i)
			narrow(s.Pane.Lists.Bar.Tabs[i].Title, s.Pane.Lists.Object)
		}
		for i, tab := range s.Pane.Side.Inspector.Bar.Tabs {
			s.Pane.Side.Inspector.Choose(i)
			narrow(tab.Title, s.Pane.Side.Object)
		}
	})
}
