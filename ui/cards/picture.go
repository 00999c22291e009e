package cards

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"cutaway/model"
	"cutaway/model/timeline"
	"cutaway/ui/kit"
	"cutaway/ui/picture"
	"cutaway/ui/task"
)

// pictureCard is a picture with what it takes to look at it, or those of all streams at its time beside one another.
type pictureCard struct {
	d      *Deck
	ctx    context.Context
	pic    model.Picture
	at     seat
	active *frame // whose numbers are told and set
	object fyne.CanvasObject

	label  *widget.Label
	planes *kit.Select
	ranges *kit.Select
	black  *kit.Entry
	white  *kit.Entry
	hand   *fyne.Container // the two fields
	play   *kit.Button
	beside *kit.Button
	body   *fyne.Container
	frames []*frame // the card's own first; others are of other streams
	shown  bool     // the picture was read
	grid   bool
	around task.Latest // reads the pictures of other streams
	player task.Latest
	plays  bool
}

// seat is where a picture is in time.
type seat struct {
	path  string          // of its node; "": not known
	track *timeline.Index // that it is of; nil: of none
	child int64           // which child of the track's node it is in
	rest  string          // from there to the picture's node
	file  *model.Document
}

// key is the same for all pictures of a stream.
func (s *seat) key() string {
	if s.track == nil {
		return s.path
	}
	return s.track.Track.Path + s.rest
}

// frame is one picture on the screen.
type frame struct {
	c       *pictureCard
	key     string
	path    string // of the record or node that it is of
	rule    string
	pixels  *model.Pixels // nil: not read yet, or it cannot be
	tones   *picture.Tones
	view    *picture.View
	caption *widget.Label // beside others
	toning  task.Latest
}

// decoded is a picture that was read.
type decoded struct {
	rule   string
	pixels *model.Pixels
	tones  *picture.Tones
}

// colours is the name of all planes together.
const colours = "Colours"

var rangeNames = []string{"Full range", "Automatic", "By hand", "Labels"}

// pictureCard makes the card of a picture. How a stream was looked at last stays.
func (d *Deck) pictureCard(ctx context.Context, pic model.Picture) *pictureCard {
	c := &pictureCard{d: d, ctx: ctx, pic: pic, at: d.seat(), label: widget.NewLabel("reading…")}
	c.label.Importance, c.label.Truncation = widget.LowImportance, fyne.TextTruncateEllipsis
	f := c.newFrame(c.at.key(), c.at.path)
	c.frames, c.active = []*frame{f}, f
	c.body = container.NewStack(f.view)
	c.object = kit.Border(c.bar(), nil, nil, nil, c.body)
	c.followTimes()
	look := *f.view.Look
	d.load(ctx, pic, func(ctx context.Context, _ model.Progress) (func(), error) {
		got, err := readPicture(ctx, pic, look)
		return func() {
			f.set(got)
			c.activate(f)
			c.shown = true
			c.followTimes()
		}, err
	}, refusal{c})
	return c
}

// refusal says in the place of a picture why there is none.
type refusal struct{ c *pictureCard }

// SetText shows the reason.
func (r refusal) SetText(text string) {
	r.c.label.SetText("")
	r.c.body.Objects = []fyne.CanvasObject{kit.Message(text)}
	r.c.body.Refresh()
}

// followTimes shows what takes the times of streams, once they are known.
func (c *pictureCard) followTimes() {
	if c.at.track == nil {
		f := c.frames[0]
		if c.at = c.d.seat(); c.at.key() != f.key { // the stream may be looked at in another way than the one picture
			f.key = c.at.key()
			if f.view.Look = c.d.look(f.key); c.shown {
				f.tone()
			}
		}
	}
	kit.SetVisible(c.play, c.at.track != nil)
	kit.SetVisible(c.beside, c.at.track != nil)
	if (c.d.beside || c.d.several) && c.at.track != nil && c.shown && !c.grid {
		c.showBeside(true)
	}
}

// seat is where the pictures of the selected node are in time.
func (d *Deck) seat() seat {
	s := seat{file: d.Doc}
	if at := d.host.Current(); at != nil {
		s.path = at.Path()
	}
	tracks, _ := d.host.Times()
	s.track, s.child, s.rest = timeline.TrackOf(tracks, s.path)
	return s
}

func readPicture(ctx context.Context, pic model.Picture, look picture.Look) (*decoded, error) {
	got, err := model.PixelsOf(ctx, pic)
	if err != nil {
		return nil, err
	}
	if got.Width <= 0 || got.Height <= 0 || len(got.Planes) == 0 {
		return nil, errors.New("it has no pixels")
	}
	rule := pic.Rule()
	if size := fmt.Sprintf("%d × %d", got.Width, got.Height); !strings.Contains(rule, size) { // only its own coding says it
		rule = size + ", " + rule
	}
	return &decoded{rule, got, picture.Tone(got, look)}, ctx.Err()
}

// look is how pictures of a stream are looked at.
func (d *Deck) look(key string) *picture.Look {
	look := d.looks[key]
	if look == nil {
		look = &picture.Look{Fit: true, Turns: d.Store.Turns[key]}
		d.looks[key] = look
	}
	return look
}

func (c *pictureCard) newFrame(key, path string) *frame {
	f := &frame{c: c, key: key, path: path, view: picture.New(c.d.look(key))}
	f.view.OnPoint = f.point
	f.view.OnPixel = f.mark
	f.view.OnRune = c.rune
	f.view.OnLook = f.keepTurns
	return f
}

// keepTurns remembers how far the pictures of a stream are turned.
func (f *frame) keepTurns() {
	store := f.c.d.Store
	if turns := f.view.Look.Turns; store.Turns[f.key] != turns {
		if store.Turns == nil {
			store.Turns = map[string]int{}
		}
		if store.Turns[f.key] = turns; turns == 0 {
			delete(store.Turns, f.key)
		}
		f.c.d.Save()
	}
}

// bar is the line over the picture: what it is, or the numbers under the pointer, and how it is drawn.
func (c *pictureCard) bar() fyne.CanvasObject {
	button := func(text string, tap func()) *widget.Button {
		b := widget.NewButton(text, tap)
		b.Importance = widget.LowImportance
		return b
	}
	each := func(do func(v *picture.View)) func() {
		return func() {
			for _, f := range c.frames {
				do(f.view)
			}
		}
	}
	fit := button("Fit", each((*picture.View).FitIn))
	one := button("1:1", each(func(v *picture.View) { v.TypedRune('1') }))
	left := kit.IconButton(theme.ContentUndoIcon(), "Turn to the left", func() { c.active.view.Turn(-1) })
	right := kit.IconButton(theme.ContentRedoIcon(), "Turn to the right", func() { c.active.view.Turn(1) })
	c.play = kit.IconButton(theme.MediaPlayIcon(), "Play or stop", c.Play)
	c.beside = kit.IconButton(theme.GridIcon(), "The streams side by side", c.turnBeside)
	c.planes = kit.NewSelect(nil, nil)
	c.ranges = kit.NewSelect(rangeNames, nil)
	c.planes.Hide()
	c.ranges.Hide()
	field := func(hint string) *kit.Entry {
		e := kit.NewEntry(func() { c.d.Focus(c.active.view) })
		e.SetPlaceHolder(hint)
		e.OnSubmitted = func(string) { c.byHand() }
		return e
	}
	c.black, c.white = field("Black"), field("White")
	c.hand = container.NewHBox(kit.FixedWidth(76, c.black), kit.FixedWidth(76, c.white))
	c.hand.Hide()
	tools := container.NewHBox(c.play, c.beside, c.hand, c.ranges, c.planes, left, right, fit, one)
	return kit.Padded(0, 0, 4, 5, kit.Border(nil, nil, nil, tools, c.label))
}

// set shows a picture that was read; nil: there is none.
func (f *frame) set(got *decoded) {
	if got == nil {
		f.pixels, f.tones = nil, nil
		f.view.Set(nil, 0, 0)
		return
	}
	f.rule, f.pixels, f.tones = got.rule, got.pixels, got.tones
	f.view.Set(got.tones, got.pixels.Width, got.pixels.Height)
}

// activate lets the bar be of a frame.
func (c *pictureCard) activate(f *frame) {
	c.active = f
	if f.pixels == nil {
		return
	}
	look, names := f.view.Look, []string{colours}
	for _, plane := range f.pixels.Planes {
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
		f.tone()
	}
	c.ranges.OnChanged = func(name string) { c.setRange(picture.Range(slices.Index(rangeNames, name))) }
	kit.SetVisible(c.planes, len(f.pixels.Planes) > 1)
	c.drawn()
	f.tell()
}

// drawn shows which numbers are black and white.
func (c *pictureCard) drawn() {
	tones := c.active.tones
	// A picture of one number has a range, too: that of its kind.
	ranged, look, change := tones.Bounded || tones.Black != tones.White || c.active.view.Look.Range == picture.Labels, c.active.view.Look, c.ranges.OnChanged
	names := rangeNames
	if !tones.One {
		names = rangeNames[:picture.Labels]
	}
	c.ranges.OnChanged, c.ranges.Options = nil, names
	if !tones.Bounded {
		c.ranges.Options = names[picture.Automatic:] // there is no other
		c.ranges.SetSelected(rangeNames[max(look.Range, picture.Automatic)])
	} else {
		c.ranges.SetSelected(rangeNames[look.Range])
	}
	c.ranges.OnChanged = change
	kit.SetVisible(c.ranges, ranged)
	kit.SetVisible(c.hand, ranged && look.Range == picture.ByHand)
	if look.Range == picture.ByHand { // as it was chosen for this stream, in another picture of it too
		c.black.SetText(shortFloat(look.Black))
		c.white.SetText(shortFloat(look.White))
	}
}

func (c *pictureCard) setRange(r picture.Range) {
	look, tones := c.active.view.Look, c.active.tones
	if look.Range = r; r == picture.ByHand {
		look.Black, look.White = tones.Black, tones.White
	}
	c.active.tone()
}

// byHand takes the numbers in the two fields.
func (c *pictureCard) byHand() {
	black, err1 := strconv.ParseFloat(strings.TrimSpace(c.black.Text), 64)
	white, err2 := strconv.ParseFloat(strings.TrimSpace(c.white.Text), 64)
	if err1 != nil || err2 != nil || black == white {
		c.d.Notify("two different numbers are wanted: what is drawn black, and what white")
		return
	}
	c.active.view.Look.Black, c.active.view.Look.White = black, white
	c.active.tone()
}

// tone draws the picture anew.
func (f *frame) tone() {
	p, look := f.pixels, *f.view.Look
	f.c.d.Tasks.Go(f.toning.Next(f.c.ctx), "drawing", func(context.Context, model.Progress) func() {
		tones := picture.Tone(p, look)
		return func() {
			if f.pixels != p {
				return
			}
			f.tones = tones
			f.view.Set(tones, p.Width, p.Height)
			if f.c.active == f {
				f.c.drawn()
				f.tell()
			}
		}
	})
}

// rune is what letters do: c the next plane, C the one before, a the next range, Space plays, s shows all streams, l a window.
func (c *pictureCard) rune(r rune) bool {
	next := func(s *kit.Select, by int) {
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
	case ' ':
		c.Play()
	case 's':
		c.turnBeside()
	case 'l':
		c.d.host.Enlarge()
	default:
		return false
	}
	return true
}

// tell says what the picture is, how it is drawn, and what can be done with it.
func (f *frame) tell() {
	if x, y, ok := f.view.Cursor(); ok {
		f.point(x, y)
		return
	}
	if f.pixels == nil {
		return
	}
	text := f.rule
	if f.tones.Black != f.tones.White {
		text += fmt.Sprintf(", %s black, %s white", shortFloat(f.tones.Black), shortFloat(f.tones.White))
	}
	f.c.label.SetText(text + "   the wheel zooms, a drag moves, a click tells of a pixel")
}

// point tells of a pixel.
func (f *frame) point(x, y int) {
	p := f.pixels
	switch {
	case p == nil:
		return
	case x < 0 || y < 0 || x >= p.Width || y >= p.Height:
		if cx, cy, ok := f.view.Cursor(); ok && (cx != x || cy != y) {
			f.point(cx, cy)
		} else {
			f.tell()
		}
		return
	}
	text := fmt.Sprintf("(%d, %d)", x, y)
	row := make([]float64, p.Width)
	for k := range p.Planes {
		p.Planes[k].Row(y, row)
		text += "   " + p.Planes[k].Name + " " + shortFloat(row[x])
	}
	f.c.label.SetText(text)
}

// mark selects the bytes of a pixel: those of the plane that is shown, or of all where they are beside one another.
func (f *frame) mark(x, y int) {
	p := f.pixels
	if f.c.active != f {
		f.c.activate(f)
		f.point(x, y)
	}
	if p == nil || p.Bytes == nil {
		f.c.d.Notify("the pixels of this picture are coded: no bytes are those of one")
		return
	}
	var all model.Span
	for k := range p.Planes {
		at := p.Bytes(x, y, k)
		switch {
		case f.view.Look.Plane != "" && f.view.Look.Plane != p.Planes[k].Name || at.Source == nil:
		case all.Source == nil:
			all = at
		case at.Off == all.End():
			all.Len += at.Len
		}
	}
	if all.Source != nil {
		f.c.d.host.ShowSpan(all)
	}
}
