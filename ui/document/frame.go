package document

import (
	"cmp"
	"math"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"

	"cutaway/ui/kit"
	"cutaway/ui/shell"
	"cutaway/ui/stage"
)

// drawerFor is the width of the card over the stage.
const drawerFor = 320

// The parts of a document, in the order of F6 and of the strip of a narrow window.
const (
	PartTree = iota
	PartStage
	PartBytes
	PartCard
	parts
)

var partTitles = [parts]string{"Tree", "Stage", "Bytes", "Card"}

// A Frame lays out the three columns of a document: tree above list, stage above bytes, card above inspector.
type Frame struct {
	shell.Opened
	pane   *Pane
	Object *fyne.Container
	Left   fyne.CanvasObject
	Middle *fyne.Container // the head of the stage, the line of the card, the stage and the bytes, the times
	Right  fyne.CanvasObject
	Split  *container.Split // the stage and the bytes
	lines  [2]*kit.Divider
	strip  *kit.TabBar // of a narrow window
	line   *cardLine

	width  shell.Width
	part   int             // which one a narrow window shows
	full   bool            // only the stage is shown
	drawer bool            // the card is over the stage
	body   *fyne.Container // of the stage and the bytes what is shown
	put    float64         // where the divider between them was put last, before the user moved it
	room   float32         // the height that they and the times had then
}

// newFrame makes the columns of a document.
func newFrame(s *Pane, left, right fyne.CanvasObject) *Frame {
	f := &Frame{Opened: s.Opened, pane: s, Left: left, Right: kit.NewBacked(theme.ColorNameBackground, right), body: container.NewStack()}
	f.Split = container.NewVSplit(s.Stage.Object, s.Hex.Object)
	f.Split.Offset = s.Store.StageSide
	f.line = newCardLine(s)
	f.Middle = container.New(middleLayout{f}, s.Stage.Head, f.line.Object, f.body, s.Time.Object)
	f.lines[0] = kit.NewDivider(func(by float32) { f.drag(&s.Store.TreeWide, f.Left.Size().Width+by) }, s.Save)
	f.lines[1] = kit.NewDivider(func(by float32) { f.drag(&s.Store.CardWide, f.Right.Size().Width-by) }, s.Save)
	f.strip = kit.NewTabBar(func(i int) { f.ShowPart(i) })
	f.Object = container.New(columns{f}, f.strip, f.Left, f.lines[0], f.Middle, f.lines[1], f.Right)
	f.arrange()
	return f
}

// drag gives a column another width.
func (f *Frame) drag(field *float32, to float32) {
	*field = max(to, 1)
	f.Object.Refresh()
}

// Arranged returns the arrangement of stage and bytes that the user chose for the format.
func (f *Frame) Arranged() stage.Arrangement {
	return stage.Arrangement(f.Store.Arranged[f.Doc.Format])
}

// Arrange shows the stage, the bytes, or both.
func (f *Frame) Arrange(a stage.Arrangement) {
	if f.Store.Arranged == nil {
		f.Store.Arranged = make(map[string]string)
	}
	f.storeDivider()
	f.Store.Arranged[f.Doc.Format] = string(a)
	f.arrange()
	f.pane.host.Moved()
	f.Save()
	f.Log.Write("arranged", string(a))
}

// shown returns the arrangement in use, which a full stage and a narrow window override.
func (f *Frame) shown() stage.Arrangement {
	switch {
	case f.full:
		return stage.Stage
	case f.width != shell.Narrow:
		return f.Arranged()
	case f.part == PartBytes:
		return stage.Bytes
	}
	return stage.Stage
}

// arrange puts the stage, the bytes or both on the screen.
func (f *Frame) arrange() {
	var o fyne.CanvasObject = f.Split
	switch f.shown() {
	case stage.Stage:
		o = f.pane.Stage.Object
	case stage.Bytes:
		o = f.pane.Hex.Object
	}
	f.body.Objects = []fyne.CanvasObject{o}
	tabs := make([]kit.Tab, parts)
	for i, title := range partTitles {
		tabs[i] = kit.Tab{Title: title}
	}
	f.strip.Set(tabs, f.part)
	f.pane.Stage.ShowArranged()
	f.Object.Refresh()
	f.Middle.Refresh()
}

// ShowPart brings a part into sight. A narrow window shows one at a time.
func (f *Frame) ShowPart(i int) {
	was := f.part
	f.part = i
	switch {
	case f.width == shell.Narrow && was != i:
		f.arrange()
	case f.width == shell.Middle && i == PartCard:
		f.ShowDrawer(true)
	case f.width != shell.Narrow && i == PartStage && f.Arranged() == stage.Bytes, f.width != shell.Narrow && i == PartBytes && f.Arranged() == stage.Stage:
		f.Arrange(stage.Both)
	}
}

// ShowDrawer shows the card over the stage where it has no column, or hides it.
func (f *Frame) ShowDrawer(on bool) {
	f.drawer = on
	f.Object.Refresh()
	f.pane.host.Moved()
	f.Log.Write("drawer", on)
}

// FlipCard shows the card, or hides it where it is over the stage.
func (f *Frame) FlipCard() {
	if f.width == shell.Middle {
		f.ShowDrawer(!f.drawer)
	} else {
		f.focusPart(PartCard)
	}
}

// Drawer reports whether the card is over the stage.
func (f *Frame) Drawer() bool { return f.width == shell.Middle && f.drawer }

// FullStage gives the stage the whole window below the tabs, or takes it back.
func (f *Frame) FullStage(on bool) {
	if on == f.full {
		return
	}
	f.storeDivider()
	f.full = on
	f.arrange()
	if on {
		f.pane.Stage.TakeKeys()
	}
	f.pane.host.Moved()
	f.Log.Write("full", on)
}

// IsFull reports whether the stage has the whole window.
func (f *Frame) IsFull() bool { return f != nil && f.full }

// NextPart gives the keyboard to the next part, or with back to the one before, around the ends.
func (f *Frame) NextPart(back bool) {
	by := 1
	if back {
		by = parts - 1
	}
	next := (f.partWithKeys() + by) % parts
	if f.width != shell.Narrow && (next == PartStage && f.Arranged() == stage.Bytes || next == PartBytes && f.Arranged() == stage.Stage) {
		next = (next + by) % parts
	}
	f.full = false
	f.focusPart(next)
}

// partWithKeys returns the part that has the keyboard.
func (f *Frame) partWithKeys() int {
	focused := f.Win.Canvas().Focused()
	switch {
	case f.pane.Stage.HasKeys():
		return PartStage
	case shell.Holds(f.pane.Hex.Object, focused):
		return PartBytes
	case shell.Holds(f.pane.Side.Object, focused):
		return PartCard
	}
	return PartTree
}

// focusPart brings a part into sight and gives it the keyboard.
func (f *Frame) focusPart(i int) {
	f.ShowPart(i)
	switch i {
	case PartTree:
		f.pane.Trees.FocusTree()
	case PartStage:
		f.pane.Stage.TakeKeys()
	case PartBytes:
		f.Focus(f.pane.Hex.Shown.View)
	case PartCard:
		f.pane.Side.Card.TakeKeys()
	}
	f.Log.Write("part", partTitles[i])
}

// Leave ends the full stage or closes the drawer of the card, and reports whether it did.
func (f *Frame) Leave() bool {
	switch {
	case f.full:
		f.FullStage(false)
	case f.Drawer():
		f.ShowDrawer(false)
	default:
		return false
	}
	return true
}

// storeDivider stores where the user has put the divider between stage and bytes.
func (f *Frame) storeDivider() {
	if f.room > 0 && f.Split.Offset != f.put {
		f.Store.StageSide = f.Split.Offset * float64((f.Split.Size().Height-f.gripHigh())/(f.room-f.gripHigh()))
		f.put = f.Split.Offset
	}
}

// divide puts the divider between stage and bytes where the user has it. The times take their height from the bytes, so that the divider
// stays.
func (f *Frame) divide(room, height float32) {
	f.storeDivider()
	const leastBytes = 90
	free := height - f.gripHigh()
	if free <= 0 {
		return
	}
	stage := float32(math.Round(f.Store.StageSide * float64(room-f.gripHigh())))
	at := float64(min(stage, max(free-leastBytes, free/2)) / free)
	f.room, f.put = room, at
	if f.Split.Offset != at {
		f.Split.Offset = at
		f.Split.Refresh()
	}
}

// gripHigh is the height of the divider between stage and bytes.
func (f *Frame) gripHigh() float32 {
	const usual = 5 // Fyne's, for a theme without a size of its own
	return cmp.Or(theme.Size(theme.SizeNameSplitThickness), usual)
}

// columns lays out the columns by the size of the window.
type columns struct{ f *Frame }

func (columns) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.NewSize(320, 160) }

func (c columns) Layout(_ []fyne.CanvasObject, size fyne.Size) {
	f := c.f
	if to := shell.WidthOf(f.Win.Canvas().Size()); to != f.width {
		f.width = to
		f.Tasks.Show(f.Ctx, f.arrange) // not while things are laid out
	}
	show := func(strip, left, mid, right bool) {
		kit.SetVisible(f.strip, strip)
		kit.SetVisible(f.Left, left)
		kit.SetVisible(f.Middle, mid)
		kit.SetVisible(f.Right, right)
		kit.SetVisible(f.lines[0], left && mid)
		kit.SetVisible(f.lines[1], right && mid && f.width == shell.Wide)
	}
	switch {
	case f.full:
		show(false, false, true, false)
		kit.Put(f.Middle, 0, 0, size.Width, size.Height)
	case f.width == shell.Narrow:
		show(true, f.part == PartTree, f.part == PartStage || f.part == PartBytes, f.part == PartCard)
		top := f.strip.MinSize().Height
		kit.Put(f.strip, 0, 0, size.Width, top)
		for _, o := range []fyne.CanvasObject{f.Left, f.Middle, f.Right} {
			kit.Put(o, 0, top, size.Width, max(size.Height-top, 0))
		}
	default:
		show(false, true, true, f.width == shell.Wide || f.drawer)
		f.layOut(size)
	}
}

// layOut lays out two columns, or three.
func (f *Frame) layOut(size fyne.Size) {
	left, right := f.Columns(f.width, size.Width)
	kit.Put(f.Left, 0, 0, left, size.Height)
	kit.Put(f.lines[0], left, 0, kit.DividerWide, size.Height)
	left += kit.DividerWide
	if f.width == shell.Wide {
		kit.Put(f.lines[1], size.Width-right-kit.DividerWide, 0, kit.DividerWide, size.Height)
		kit.Put(f.Right, size.Width-right, 0, right, size.Height)
		right += kit.DividerWide
	} else {
		top := f.pane.Stage.Head.MinSize().Height + lineHigh
		kit.Put(f.Right, size.Width-drawerFor, top, drawerFor, max(size.Height-top, 0))
	}
	kit.Put(f.Middle, left, 0, max(size.Width-left-right, 0), size.Height)
}

// middleLayout stacks the head of the stage, the card's line unless the card has a column, the stage and the bytes, and the times. The
// times take a third of the height at most.
type middleLayout struct{ f *Frame }

func (middleLayout) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.NewSize(160, 100) }

func (l middleLayout) Layout(o []fyne.CanvasObject, size fyne.Size) {
	y := float32(0)
	kit.SetVisible(o[0], l.f.width != shell.Narrow || l.f.part == PartStage || l.f.full)
	if o[0].Visible() {
		y = o[0].MinSize().Height
		kit.Put(o[0], 0, 0, size.Width, y)
	}
	if kit.SetVisible(o[1], l.f.width == shell.Middle && !l.f.full); o[1].Visible() {
		kit.Put(o[1], 0, y, size.Width, lineHigh)
		y += lineHigh
	}
	bottom := float32(0)
	if o[3].Visible() {
		bottom = min(o[3].MinSize().Height, size.Height-y)
		kit.Put(o[3], 0, size.Height-bottom, size.Width, bottom)
	}
	l.f.divide(size.Height-y, size.Height-y-bottom)
	kit.Put(o[2], 0, y, size.Width, max(size.Height-y-bottom, 0))
}

// Escape handles the key where the focused widget does not: it ends the full stage, closes the drawer or the list with the keyboard, or else
// focuses the tree.
func (s *Pane) Escape() {
	switch {
	case s.Frame.Leave():
	case s.Lists.HasKeys():
		s.Lists.Close()
	default:
		s.Trees.FocusTree()
	}
}

// showTree brings the tree and the list below it into sight in a narrow window.
func (f *Frame) showTree() {
	if f != nil && f.width == shell.Narrow {
		f.ShowPart(PartTree)
	}
}
