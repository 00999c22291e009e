package document

import (
	"context"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"cutaway/model"
	"cutaway/ui/card"
	"cutaway/ui/inspector"
	"cutaway/ui/kit"
	"cutaway/ui/nodes"
	"cutaway/ui/phrase"
	"cutaway/ui/shell"
)

// A Side is the column of the card, with the inspector at its foot.
type Side struct {
	shell.Opened
	pane      *Pane
	Object    *fyne.Container
	Card      *card.Pane
	Inspector *inspector.Pane
	head      fyne.CanvasObject // it on its ground
	Head      *kit.Button       // says where the cursor is, and folds the inspector
	split     *container.Split  // the card and the inspector
	above     *fyne.Container   // what is over the card: a welcome
}

// newSide makes the column of a document.
func newSide(s *Pane) *Side {
	d := &Side{Opened: s.Opened, pane: s, Object: container.NewStack(), above: container.NewStack()}
	d.Card = card.New(s.Opened, card.Host{GoTo: s.Nav.GoTo, VisitSpan: s.Nav.VisitSpan, Follow: s.Nav.Follow, Selection: s.Selection,
		Refs:        func(ctx context.Context, n *model.Node, parts bool) []model.Ref { return refsOf(ctx, s.Doc, n, parts) },
		OpenDerived: s.Actions.OpenDerived, Size: s.Sizes.Of,
		ShowReferences: func() { s.Lists.ShowForKeys(ListReferences) },
		GoToPlot: func(path string) {
			s.Stage.Choose("Plot")
			s.Nav.GoToNode(path)
		},
		Moment: func() (float64, bool) {
			if s.Time.At == nil {
				return 0, false
			}
			return s.Time.At.Moment.Time, true
		},
		Copy: s.Actions.CopyValue, Export: s.Actions.ExportSelected, Mark: s.Lists.Kept.Add,
		More: func(at fyne.Position) { s.Actions.treeMenu(nodes.ItemOf(s.current), at) }})
	d.Inspector = inspector.New(s.Opened, inspector.Host{GoTo: s.Nav.GoTo, ShowSpan: s.ShowSpan, ChangeReading: s.editor.ChangeReading,
		Light: func(spans []model.Span) { s.Hex.LightSpans(spans) }, FlipOrder: s.host.FlipOrder})
	d.Head = kit.IconButton(theme.MenuExpandIcon(), "Unfold or fold the inspector (Ctrl+I)", d.Fold)
	d.Head.Text, d.Head.Alignment = "Inspector", widget.ButtonAlignLeading
	d.head = kit.NewBacked(theme.ColorNameBackground, container.New(low{}, d.Head))
	d.split = container.NewVSplit(kit.Under(d.above, d.Card.Object), kit.Under(d.head, d.Inspector.Object))
	d.split.Offset = s.Store.InspectorSide
	d.arrange()
	return d
}

// HasAbove reports whether something is over the card.
func (s *Pane) HasAbove() bool { return len(s.Side.above.Objects) > 0 }

// ShowAbove shows o over the card, in the drawer if the card has no column, or nothing if o is nil.
func (s *Pane) ShowAbove(o fyne.CanvasObject) {
	box := s.Side.above
	if box.Objects = nil; o != nil {
		box.Objects = []fyne.CanvasObject{o}
	}
	s.Frame.ShowDrawer(o != nil)
	s.Side.Object.Refresh()
}

// arrange puts the inspector below the card, or only its head.
func (d *Side) arrange() {
	d.Head.SetIcon(theme.MenuExpandIcon())
	if d.Store.InspectorOpen {
		d.Head.SetIcon(theme.MenuDropDownIcon())
		d.split.Offset = d.Store.InspectorSide
		d.Object.Objects = []fyne.CanvasObject{d.split}
	} else {
		d.Object.Objects = []fyne.CanvasObject{kit.Border(nil, d.head, nil, nil, d.split.Leading)}
	}
	d.Object.Refresh()
	d.split.Refresh()
	d.Follow()
}

// Fold unfolds the inspector, or folds it.
func (d *Side) Fold() {
	d.storeDivider()
	d.Store.InspectorOpen = !d.Store.InspectorOpen
	d.arrange()
	d.pane.host.Moved()
	d.Save()
	d.Log.Write("inspector", d.Store.InspectorOpen)
}

// Inspect brings the inspector into sight and gives it the keyboard, or folds it where it has the keyboard.
func (d *Side) Inspect() {
	if d.Store.InspectorOpen && shell.Holds(d.Inspector.Object, d.Win.Canvas().Focused()) {
		d.Fold()
		d.pane.Trees.FocusTree()
		return
	}
	d.InspectAs(d.Inspector.Front)
}

// InspectAs unfolds the inspector at a tab and gives it the keyboard.
func (d *Side) InspectAs(tab int) {
	if !d.Store.InspectorOpen {
		d.Fold()
	}
	d.Inspector.Choose(tab)
	d.pane.Frame.ShowPart(PartCard)
	d.Inspector.TakeKeys()
}

// Follow has the inspector look at the cursor of the bytes, if it is in sight.
func (d *Side) Follow() {
	t := d.pane.Hex.Shown
	if t == nil {
		return
	}
	if text := "Inspector   " + phrase.Hex(t.View.Cursor()); text != d.Head.Text {
		d.Head.SetText(text)
	}
	if d.Store.InspectorOpen {
		spans, from := d.pane.subject()
		d.Inspector.Follow(inspector.Place{Source: t.Src, Off: t.View.Cursor(), Node: d.pane.current}, spans, from)
	}
}

// storeDivider stores the height of the inspector.
func (d *Side) storeDivider() {
	if d.Store.InspectorOpen && d.split.Size().Height > 0 {
		d.Store.InspectorSide = d.split.Offset
	}
}

// low gives a button the height of a bar.
type low struct{}

func (low) Layout(o []fyne.CanvasObject, size fyne.Size) { o[0].Resize(size) }

func (low) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.NewSize(60, buttonLeast) }

// cardLine is the card of the selected node in one line, where the window has no room for its column.
type cardLine struct {
	pane   *Pane
	Object fyne.CanvasObject
	name   *widget.Label
	about  *widget.Label
	row    *fyne.Container
}

// lineHigh is the height of the line.
const lineHigh = 34

func newCardLine(s *Pane) *cardLine {
	l := &cardLine{pane: s, name: widget.NewLabel(""), about: widget.NewLabel(""), row: container.NewStack()}
	l.name.TextStyle.Bold = true
	l.about.Truncation, l.about.Importance = fyne.TextTruncateEllipsis, widget.LowImportance
	open := kit.NewTextButton("Card", func() { s.Frame.FlipCard() })
	ground := kit.NewBacked(theme.ColorNameBackground, kit.Border(nil, nil, nil, kit.Padded(3, 3, 0, 4, open), l.row))
	l.Object = ground
	return l
}

// set shows the title and the sentence of a card.
func (l *cardLine) set(title, sentence string) {
	l.name.Text = phrase.Short(title, 40)
	l.about.Text = sentence
	var link fyne.CanvasObject
	if own := l.pane.own.spans; len(own) > 0 && own[0].Source != nil {
		link = container.NewHBox(l.pane.Side.Card.Bytes(own))
	}
	l.row.Objects = []fyne.CanvasObject{kit.Border(nil, nil, l.name, link, l.about)}
	l.row.Refresh()
}
