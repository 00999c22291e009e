package cards

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"cutaway/model"
	"cutaway/ui/kit"
	"cutaway/ui/picture"
	"cutaway/ui/task"
)

// pictureCard is a picture with what it takes to look at it.
type pictureCard struct {
	d      *Deck
	ctx    context.Context
	rule   string
	pixels *model.Pixels // nil: not read yet, or it cannot be
	tones  *picture.Tones
	view   *picture.View
	object fyne.CanvasObject

	label  *widget.Label
	planes *widget.Select
	ranges *widget.Select
	black  *kit.Entry
	white  *kit.Entry
	hand   *fyne.Container // the two fields
	toning task.Latest
}

// colours is the name of all planes together.
const colours = "colours"

var rangeNames = []string{"full range", "automatic", "by hand"}

// pictureCard makes the card of a picture. How a stream was looked at last stays.
func (d *Deck) pictureCard(ctx context.Context, pic model.Picture) *pictureCard {
	key := pic.CardTitle() + " " + pic.Rule()
	look := d.looks[key]
	if look == nil {
		look = &picture.Look{Fit: true}
		d.looks[key] = look
	}
	c := &pictureCard{d: d, ctx: ctx, rule: pic.Rule(), view: picture.New(look), label: widget.NewLabel("reading…")}
	c.label.Importance, c.label.Truncation = widget.LowImportance, fyne.TextTruncateEllipsis
	c.view.OnPoint = c.point
	c.view.OnPixel = c.mark
	c.view.OnRune = c.rune
	c.object = container.NewBorder(c.bar(), nil, nil, nil, c.view)
	d.load(ctx, pic, func(ctx context.Context, _ model.Progress) (func(), error) {
		got, err := model.PixelsOf(ctx, pic)
		if err != nil {
			return nil, err
		}
		if got.Width <= 0 || got.Height <= 0 || len(got.Planes) == 0 {
			return nil, fmt.Errorf("it has no pixels")
		}
		tones := picture.Tone(got, *look)
		return func() { c.set(got, tones) }, nil
	}, c.label)
	return c
}

// bar is the line over the picture: what it is, or the numbers under the pointer, and how it is drawn.
func (c *pictureCard) bar() fyne.CanvasObject {
	fit := widget.NewButton("Fit", c.view.FitIn)
	one := widget.NewButton("1:1", func() { c.view.TypedRune('1') })
	fit.Importance, one.Importance = widget.LowImportance, widget.LowImportance
	left := kit.IconButton(theme.ContentUndoIcon(), func() { c.view.Turn(-1) })
	right := kit.IconButton(theme.ContentRedoIcon(), func() { c.view.Turn(1) })
	c.planes = widget.NewSelect(nil, nil)
	c.ranges = widget.NewSelect(rangeNames, nil)
	c.planes.Hide()
	c.ranges.Hide()
	field := func(hint string) *kit.Entry {
		e := kit.NewEntry(func() { c.d.Focus(c.view) })
		e.SetPlaceHolder(hint)
		e.OnSubmitted = func(string) { c.byHand() }
		return e
	}
	c.black, c.white = field("black"), field("white")
	c.hand = container.NewHBox(kit.FixedWidth(76, c.black), kit.FixedWidth(76, c.white))
	c.hand.Hide()
	tools := container.NewHBox(c.hand, c.ranges, c.planes, left, right, fit, one)
	return container.New(layout.NewCustomPaddedLayout(0, 0, 4, 5), container.NewBorder(nil, nil, nil, tools, c.label))
}

// set shows pixels that were read.
func (c *pictureCard) set(p *model.Pixels, tones *picture.Tones) {
	c.pixels, c.tones = p, tones
	look := c.view.Look
	names := []string{colours}
	for _, plane := range p.Planes {
		names = append(names, plane.Name)
	}
	c.planes.OnChanged, c.ranges.OnChanged = nil, nil
	c.planes.Options = names
	c.planes.SetSelected(colours)
	if look.Plane != "" {
		c.planes.SetSelected(look.Plane)
	}
	c.planes.OnChanged = func(name string) {
		if look.Plane = name; name == colours {
			look.Plane = ""
		}
		c.tone()
	}
	c.ranges.OnChanged = func(name string) { c.setRange(picture.Range(slices.Index(rangeNames, name))) }
	kit.SetVisible(c.planes, len(p.Planes) > 1)
	c.view.Set(tones, p.Width, p.Height)
	c.drawn()
	c.tell()
}

// drawn shows which numbers are black and white.
func (c *pictureCard) drawn() {
	ranged, look, change := c.tones.Black != c.tones.White, c.view.Look, c.ranges.OnChanged
	c.ranges.OnChanged, c.ranges.Options = nil, rangeNames
	if !c.tones.Bounded {
		c.ranges.Options = rangeNames[picture.Automatic:] // there is no other
		c.ranges.SetSelected(rangeNames[max(look.Range, picture.Automatic)])
	} else {
		c.ranges.SetSelected(rangeNames[look.Range])
	}
	c.ranges.OnChanged = change
	kit.SetVisible(c.ranges, ranged)
	kit.SetVisible(c.hand, ranged && c.view.Look.Range == picture.ByHand)
}

func (c *pictureCard) setRange(r picture.Range) {
	look := c.view.Look
	if look.Range = r; r == picture.ByHand {
		look.Black, look.White = c.tones.Black, c.tones.White
		c.black.SetText(shortFloat(look.Black))
		c.white.SetText(shortFloat(look.White))
	}
	c.tone()
}

// byHand takes the numbers in the two fields.
func (c *pictureCard) byHand() {
	black, err1 := strconv.ParseFloat(strings.TrimSpace(c.black.Text), 64)
	white, err2 := strconv.ParseFloat(strings.TrimSpace(c.white.Text), 64)
	if err1 != nil || err2 != nil || black == white {
		c.d.Notify("two different numbers are wanted: what is drawn black, and what white")
		return
	}
	c.view.Look.Black, c.view.Look.White = black, white
	c.tone()
}

// tone draws the picture anew.
func (c *pictureCard) tone() {
	p, look := c.pixels, *c.view.Look
	c.d.Tasks.Go(c.toning.Next(c.ctx), "drawing", func(context.Context, model.Progress) func() {
		tones := picture.Tone(p, look)
		return func() {
			c.tones = tones
			c.view.Set(tones, p.Width, p.Height)
			c.drawn()
			c.tell()
		}
	})
}

// rune is what letters do: c the next plane, C the one before, a the next range.
func (c *pictureCard) rune(r rune) bool {
	next := func(s *widget.Select, by int) {
		if n := len(s.Options); s.Visible() && n > 0 {
			s.SetSelectedIndex((s.SelectedIndex() + by + n) % n)
		}
	}
	switch r {
	case 'c':
		next(c.planes, 1)
	case 'C':
		next(c.planes, -1)
	case 'a':
		next(c.ranges, 1)
	default:
		return false
	}
	return true
}

// tell says what the picture is, how it is drawn, and what can be done with it.
func (c *pictureCard) tell() {
	if x, y, ok := c.view.Cursor(); ok {
		c.point(x, y)
		return
	}
	text := c.rule
	if c.tones.Black != c.tones.White {
		text += fmt.Sprintf(", %s black, %s white", shortFloat(c.tones.Black), shortFloat(c.tones.White))
	}
	c.label.SetText(text + "   the wheel zooms, a drag moves, a click tells of a pixel")
}

// point tells of a pixel.
func (c *pictureCard) point(x, y int) {
	p := c.pixels
	switch {
	case p == nil:
		return
	case x < 0 || y < 0 || x >= p.Width || y >= p.Height:
		if cx, cy, ok := c.view.Cursor(); ok && (cx != x || cy != y) {
			c.point(cx, cy)
		} else {
			c.tell()
		}
		return
	}
	text := fmt.Sprintf("(%d, %d)", x, y)
	row := make([]float64, p.Width)
	for k := range p.Planes {
		p.Planes[k].Row(y, row)
		text += "   " + p.Planes[k].Name + " " + shortFloat(row[x])
	}
	c.label.SetText(text)
}

// mark selects the bytes of a pixel: those of the plane that is shown, or of all where they are beside one another.
func (c *pictureCard) mark(x, y int) {
	p := c.pixels
	if p == nil || p.Bytes == nil {
		c.d.Notify("the pixels of this picture are coded: no bytes are those of one")
		return
	}
	var all model.Span
	for k := range p.Planes {
		at := p.Bytes(x, y, k)
		switch {
		case c.view.Look.Plane != "" && c.view.Look.Plane != p.Planes[k].Name || at.Source == nil:
		case all.Source == nil:
			all = at
		case at.Off == all.End():
			all.Len += at.Len
		}
	}
	if all.Source != nil {
		c.d.host.ShowSpan(all)
	}
}
