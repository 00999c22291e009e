package cards

import (
	"context"
	"fmt"
	"math"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"cutaway/model"
	"cutaway/model/timeline"
	"cutaway/ui/kit"
	"cutaway/ui/picture"
)

// Pictures in time: those of all streams at one time, and played.

// mostBeside is the most pictures that are shown side by side.
const mostBeside = 36

// pictureAt returns the first picture of a node, or nil if it has none.
func pictureAt(ctx context.Context, doc *model.Document, path string) (model.Picture, error) {
	p, err := doc.Lookup(ctx, path)
	if err != nil {
		return nil, err
	}
	if pictures := model.CardsOf[model.Picture](ctx, &p.Node); len(pictures) > 0 {
		return pictures[0], nil
	}
	return nil, ctx.Err()
}

// turnBeside shows the pictures of all streams at the time of this one, or it alone if they are shown.
func (c *pictureCard) turnBeside() {
	c.d.beside = !c.grid
	c.showBeside(!c.grid)
}

func (c *pictureCard) showBeside(on bool) {
	c.grid = on
	c.beside.Importance = widget.LowImportance
	if on {
		c.beside.Importance = widget.HighImportance
	}
	c.beside.Refresh()
	if !on {
		c.around.Stop()
		c.frames = c.frames[:1]
		c.activate(c.frames[0])
		c.layFrames()
		return
	}
	c.readAround()
}

// layFrames puts the frames on the screen.
func (c *pictureCard) layFrames() {
	if len(c.frames) == 1 {
		c.body.Objects = []fyne.CanvasObject{c.frames[0].view}
		c.body.Refresh()
		return
	}
	var cells []fyne.CanvasObject
	for _, f := range c.frames {
		if f.caption == nil {
			f.caption = widget.NewLabel("")
			f.caption.Importance, f.caption.Truncation = widget.LowImportance, fyne.TextTruncateEllipsis
		}
		cells = append(cells, kit.Under(kit.Dense(f.caption), f.view))
	}
	c.body.Objects = []fyne.CanvasObject{container.New(grid{}, cells...)}
	c.body.Refresh()
}

// grid lays pictures out beside one another, about as wide as high. It takes what room there is: many pictures do not widen
// the window.
type grid struct{}

func (grid) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.Size{} }

func (grid) Layout(cells []fyne.CanvasObject, size fyne.Size) {
	columns := gridColumns(len(cells), float64(size.Width), float64(size.Height))
	rows := (len(cells) + columns - 1) / columns
	width, height := (size.Width+gridGap)/float32(columns), (size.Height+gridGap)/float32(rows)
	for i, o := range cells {
		kit.Put(o, width*float32(i%columns), height*float32(i/columns), max(width-gridGap, 0), max(height-gridGap, 0))
	}
}

// gridGap is between two pictures, in Fyne's units.
const gridGap = 4

// gridColumns returns the number of columns that makes the cells about square.
func gridColumns(n int, width, height float64) int {
	best, most := 1, 0.0
	for columns := 1; columns <= n; columns++ {
		rows := (n + columns - 1) / columns
		if side := min(width/float64(columns), height/float64(rows)); side > most {
			best, most = columns, side
		}
	}
	return best
}

// neighbour is the picture of another stream at a time.
type neighbour struct {
	track *timeline.Index
	key   string
	stop  *timeline.Stop
	got   *decoded
}

// readAround reads the pictures of other streams at the time of this one.
func (c *pictureCard) readAround() {
	tracks, _ := c.d.host.Times()
	own, looks := c.at, c.d.copyLooks()
	c.d.Tasks.Go(c.around.Next(c.ctx), "reading pictures of other streams", func(ctx context.Context, progress model.Progress) func() {
		stop, err := own.track.Of(ctx, own.child)
		if err != nil || stop == nil {
			return nil
		}
		list := c.neighbours(ctx, tracks, stop, looks, progress)
		if ctx.Err() != nil {
			return nil
		}
		return func() {
			if len(list) == 0 {
				c.showBeside(false)
				if c.d.beside { // asked for
					c.d.Notify("no other stream has pictures")
				}
				return
			}
			c.showAround(stop, list)
		}
	})
}

// neighbours are the pictures nearest to a moment of other tracks than its own.
func (c *pictureCard) neighbours(ctx context.Context, tracks []*timeline.Index, at *timeline.Stop, looks looks, progress model.Progress) (list []neighbour) {
	for i, x := range tracks {
		progress.Report(int64(i), int64(len(tracks)), "streams")
		if x == at.Track || x.Len() == 0 || len(list) == mostBeside-1 {
			continue
		}
		stop, err := timeline.Nearest(ctx, []*timeline.Index{x}, at.Moment.Time)
		if err != nil || stop == nil {
			continue
		}
		pic, err := pictureAt(ctx, c.at.file, stop.Path())
		if err != nil || pic == nil {
			continue
		}
		got, err := readPicture(ctx, pic, looks.forStream(x.Track.Path))
		if err == nil {
			list = append(list, neighbour{x, x.Track.Path, stop, got})
		}
	}
	return list
}

// showAround shows the pictures of other streams, and reuses their frames.
func (c *pictureCard) showAround(at *timeline.Stop, list []neighbour) {
	known := map[string]*frame{}
	for _, f := range c.frames[1:] {
		known[f.key] = f
	}
	frames := c.frames[:1:1]
	for _, n := range list {
		f := known[n.key]
		if f == nil {
			f = c.newFrame(n.key, n.stop.Path())
		}
		f.path = n.stop.Path()
		f.set(n.got)
		frames = append(frames, f)
	}
	same := len(frames) == len(c.frames)
	for i := range frames {
		same = same && frames[i] == c.frames[i]
	}
	if c.frames = frames; !same || len(c.body.Objects) == 1 && c.frames[0].caption == nil {
		c.layFrames()
	}
	if c.frames[0].caption != nil {
		c.frames[0].caption.SetText(at.Track.Track.Title())
	}
	for i, n := range list {
		text := n.track.Track.Title()
		if by := n.stop.Moment.Time - at.Moment.Time; math.Abs(by) >= 1e-6 {
			text += "   " + offsetText(by)
		}
		c.frames[i+1].caption.SetText(text)
	}
}

// offsetText returns how many seconds a picture is after another, such as "+34.4 ms".
func offsetText(seconds float64) string {
	if math.Abs(seconds) < 1 {
		return fmt.Sprintf("%+.1f ms", seconds*1000)
	}
	return fmt.Sprintf("%+.6g s", seconds)
}

// Play shows the pictures of the stream one after another as fast as they were recorded, or stops. When it stops, the last
// one that was seen is selected.
func (c *pictureCard) Play() {
	if c.at.track == nil {
		c.d.Notify("this picture is in no stream of records with times")
		return
	}
	if c.plays {
		c.player.Stop()
		return
	}
	c.plays = true
	c.play.SetIcon(theme.MediaPauseIcon())
	p := &reel{c: c, looks: c.d.copyLooks()}
	if c.grid {
		p.tracks, _ = c.d.host.Times()
	}
	within := c.player.Next(c.ctx)
	c.d.Tasks.Go(within, "", func(ctx context.Context, _ model.Progress) func() {
		err := p.run(ctx)
		c.d.Tasks.Show(c.ctx, func() { c.stopped(p, err) })
		return nil
	})
}

// stopped selects what was seen last.
func (c *pictureCard) stopped(p *reel, err error) {
	c.plays = false
	c.play.SetIcon(theme.MediaPlayIcon())
	if err != nil && p.hidden {
		err = nil
	}
	if err != nil {
		c.label.SetText("Stopped: " + err.Error())
	}
	if p.last != nil && !p.hidden {
		c.d.host.GoToNode(p.last.Path() + c.at.rest)
	}
}

// reel shows pictures at the times of their records.
type reel struct {
	c      *pictureCard
	tracks []*timeline.Index // whose pictures are shown, too
	looks  looks             // as they were when the last picture was shown
	last   *timeline.Stop    // the last one shown, or nil
	hidden bool              // nobody sees it
	left   int64             // pictures that would have come late
	from   float64           // the time of its first record
	began  time.Time
}

// run plays until ctx ends, the stream ends, or nobody sees it. Pictures that would come late are left out.
func (p *reel) run(ctx context.Context) error {
	x := p.c.at.track
	from, err := x.Of(ctx, p.c.at.child)
	if err != nil || from == nil {
		return err
	}
	k := from.Number + 1
	p.from = from.Moment.Time
	if k == x.Len() { // from the beginning again
		k, p.from = 0, x.Facts.First
	}
	for p.began = time.Now(); k < x.Len() && ctx.Err() == nil && !p.hidden; k++ {
		due, err := x.Search(ctx, p.from+time.Since(p.began).Seconds(), true)
		if err != nil {
			return err
		}
		if due-1 > k {
			p.left += due - 1 - k
			k = due - 1
		}
		m, err := x.At(ctx, k)
		if err == nil {
			err = p.show(ctx, &timeline.Stop{Track: x, Number: k, Moment: m})
		}
		if err != nil && ctx.Err() == nil {
			return err
		}
	}
	return nil
}

// show shows the picture of a moment when its time has come.
func (p *reel) show(ctx context.Context, stop *timeline.Stop) error {
	c := p.c
	pic, err := pictureAt(ctx, c.at.file, stop.Path()+c.at.rest)
	if err != nil {
		return err
	}
	var got *decoded
	if pic != nil {
		if got, err = readPicture(ctx, pic, p.looks.forStream(c.at.key())); err != nil {
			return err
		}
	}
	var around []neighbour
	if len(p.tracks) > 0 {
		around = c.neighbours(ctx, p.tracks, stop, p.looks, nil)
	}
	const longest = 5 * time.Second
	wait := time.Duration((stop.Moment.Time-p.from)*float64(time.Second)) - time.Since(p.began)
	if wait > longest { // a gap is cut short
		p.began = p.began.Add(longest - wait)
		wait = longest
	}
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(wait):
	}
	done := make(chan struct{})
	c.d.Tasks.Show(ctx, func() {
		defer close(done)
		p.seen(stop, got, around)
	})
	select {
	case <-ctx.Done():
	case <-done:
	}
	return ctx.Err()
}

// seen puts a picture on the screen.
func (p *reel) seen(stop *timeline.Stop, got *decoded, around []neighbour) {
	c := p.c
	if p.hidden = !onScreen(c.frames[0].view); p.hidden {
		return
	}
	p.looks, p.last = c.d.copyLooks(), stop
	if got != nil {
		c.frames[0].set(got)
	}
	if len(p.tracks) > 0 {
		c.showAround(stop, around)
	}
	text := fmt.Sprintf("%s s   %s of %s", model.FormatTime(stop.Moment.Time), model.Grouped(stop.Number+1), model.Grouped(stop.Track.Len()))
	if p.left > 0 {
		text += "   " + model.Grouped(p.left) + " left out"
	}
	c.label.SetText(text)
	c.d.host.Pass(stop)
}

// onScreen reports whether an object is shown by its window; others have no place.
func onScreen(o fyne.CanvasObject) bool {
	return fyne.CurrentApp().Driver().AbsolutePositionForObject(o) != fyne.Position{}
}

// looks holds the settings of pictures by stream.
type looks map[string]picture.Look

func (l looks) forStream(key string) picture.Look {
	if look, ok := l[key]; ok {
		return look
	}
	return picture.Look{Fit: true}
}

// copyLooks returns the current settings for another goroutine.
func (d *Deck) copyLooks() looks {
	l := looks{}
	for key, look := range d.looks {
		l[key] = *look
	}
	return l
}
