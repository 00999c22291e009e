package export

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"image"
	"image/png"
	"io"
	"math"
	"strconv"
	"strings"

	"cutaway/model"
	"cutaway/model/values"
)

// Times are the first and last time to write, in seconds, or "" for no limit. "+2.5" counts from the first item, "-2.5"
// back from the last; other numbers are times as in the file.
type Times struct{ From, To string }

// bounds returns the limits for items with times from first to last.
func (t Times) bounds(first, last float64) (from, to float64, err error) {
	from, to = math.Inf(-1), math.Inf(1)
	for _, end := range []struct {
		text string
		at   *float64
	}{{t.From, &from}, {t.To, &to}} {
		if end.text == "" {
			continue
		}
		v, err := strconv.ParseFloat(end.text, 64)
		if err != nil || math.IsNaN(v) {
			return 0, 0, fmt.Errorf("%q is no time: give seconds as the file has them, +2.5 from the beginning or -2.5 from the end", end.text)
		}
		switch end.text[0] {
		case '+':
			v += first
		case '-':
			v += last
		}
		*end.at = v
	}
	if from > to {
		return 0, 0, fmt.Errorf("the time from which to write, %s, is after the last, %s", model.FormatFloat(from, 64), model.FormatFloat(to, 64))
	}
	return from, to, nil
}

// items returns the range of items within the times. time returns the ascending times of n items.
func (t Times) items(n int64, time func(i int64) float64) (first, end int64, err error) {
	if n == 0 {
		return 0, 0, nil
	}
	from, to, err := t.bounds(time(0), time(n-1))
	if err != nil {
		return 0, 0, err
	}
	first, end = search(n, func(i int64) bool { return time(i) >= from }), search(n, func(i int64) bool { return time(i) > to })
	if first == end {
		return 0, 0, fmt.Errorf("%w: there is something from %s to %s", errNothingThen, model.FormatFloat(time(0), 64), model.FormatFloat(time(n-1), 64))
	}
	return first, end, nil
}

// search returns the first of n numbers that satisfies f, or n, by bisection.
func search(n int64, f func(i int64) bool) int64 {
	low, high := int64(0), n
	for low < high {
		if mid := low + (high-low)/2; f(mid) {
			high = mid
		} else {
			low = mid + 1
		}
	}
	return low
}

// cardOf returns the first card of kind C that is accepts.
func cardOf[C model.Card](ctx context.Context, n *model.Node, is func(C) bool) (c C, ok bool) {
	for _, card := range model.CardsOf[C](ctx, n) {
		if is(card) {
			return card, true
		}
	}
	return c, false
}

// A mediaForm is a form for media. It writes the accepted ones as one file, or as a file for each item.
type mediaForm struct {
	name, title, extension, help string
	what                         string // the kind of card, in messages: "picture"
	// single accepts a card of the node itself. If nil, the node's media are written even if they have one item only.
	single func(card model.Card) bool
	takes  func(m model.Media) bool
	join   func(ctx context.Context, w io.Writer, m *items) error
	// each passes on the items that become files of their own. It is nil for a form that joins them.
	each func(ctx context.Context, m *items, give giveItem) error
}

// errNothingThen is the error of times without items.
var errNothingThen = errors.New("nothing lies within these times")

// items are the items of a media to write.
type items struct {
	model.Media
	first, end int64
	r          *Request
	p          *model.Place // the node of the items
}

// chosen returns the items of m within the times.
func chosen(r *Request, p *model.Place, m model.Media) (*items, error) {
	first, end, err := r.Times.items(m.Items(), m.Time)
	if err == nil && end-first < m.Items() {
		r.reduce(p, notInTime)
	}
	return &items{m, first, end, r, p}, err
}

// giveItem receives item i, which write writes.
type giveItem func(i int64, item model.MediaItem, write func(io.Writer) error) error

// nodeCard returns the card of a node that is written by itself.
func (k *mediaForm) nodeCard(ctx context.Context, n *model.Node) (model.Card, bool) {
	if k.single == nil {
		return nil, false
	}
	return cardOf(ctx, n, k.single)
}

func (k *mediaForm) suits(ctx context.Context, n *model.Node) bool {
	_, single := k.nodeCard(ctx, n)
	_, media := cardOf(ctx, n, k.takes)
	return single || media
}

func (k *mediaForm) refuse(ctx context.Context, p *model.Place) string {
	if values.Meant(ctx, p, false, k.suits) == nil && !p.Node.IsPending() {
		return fmt.Sprintf("%s has no %s", PathText(p.Path()), k.what)
	}
	return ""
}

// find returns the card or the media of a place.
func (k *mediaForm) find(ctx context.Context, p *model.Place, progress model.Progress) (model.Card, model.Media, error) {
	if err := p.Resolve(ctx, progress); err != nil {
		return nil, nil, err
	}
	owner := values.Meant(ctx, p, false, k.suits)
	if owner == nil {
		return nil, nil, errors.New(k.refuse(ctx, p))
	}
	if card, ok := k.nodeCard(ctx, &owner.Node); ok {
		return card, nil, nil
	}
	m, _ := cardOf(ctx, &owner.Node, k.takes)
	return nil, m, nil
}

// write writes one file.
func (k *mediaForm) write(ctx context.Context, w io.Writer, r *Request, p *model.Place) error {
	card, m, err := k.find(ctx, p, r.Progress)
	switch {
	case err != nil:
		return err
	case card != nil:
		return Card(ctx, w, r, p, card)
	}
	list, err := chosen(r, p, m)
	switch {
	case err != nil:
		return err
	case k.join != nil:
		return k.join(ctx, w, list)
	case list.end-list.first > 1:
		return fmt.Errorf("these are %s: give a folder for them", model.GroupedCount(list.end-list.first, "file"))
	}
	return k.each(ctx, list, func(_ int64, _ model.MediaItem, write func(io.Writer) error) error { return write(w) })
}

// count returns the number of items of a place, as far as is known.
func (k *mediaForm) count(ctx context.Context, p *model.Place) int64 {
	if p.Node.IsPending() {
		return 0 // unknown
	}
	_, m, err := k.find(ctx, p, nil)
	if err != nil || m == nil {
		return 0
	}
	return m.Items()
}

// files writes a file for each item.
func (k *mediaForm) files(ctx context.Context, r *Request, create func(name string, write func(io.Writer) error) error) error {
	_, m, err := k.find(ctx, r.Places[0], r.Progress)
	if err != nil {
		return err
	}
	list, err := chosen(r, r.Places[0], m)
	if err != nil {
		return err
	}
	return k.each(ctx, list, func(i int64, item model.MediaItem, write func(io.Writer) error) error {
		r.Progress.Report(i-list.first, list.end-list.first, Writing)
		return create(cleanName(item.Name)+k.extension, write)
	})
}

// form returns the Form for display.
func (k mediaForm) form() *Form {
	f := &Form{Name: k.name, Title: k.title, Extension: k.extension, Help: k.help, Binary: true, Media: true, Single: true, own: k.suits, refuse: k.refuse, timed: everyPlace}
	f.write = ofValues(func(ctx context.Context, w io.Writer, r *Request) error {
		return r.each(func(p *model.Place) error { return k.write(ctx, w, r, p) })
	})
	if k.each != nil {
		f.count, f.files = k.count, k.files
	}
	return f
}

// An itemTally counts the items that were written, and records the others as lost.
type itemTally struct {
	*items
	given, without int64
	lost           error // the first failure
}

func (t *itemTally) lose(why error) {
	t.lost = cmp.Or(t.lost, why)
	t.r.lose(t.p, "%v", why)
}

// ended returns err, or the reason why no item was written although some exist.
func (t *itemTally) ended(err error) error {
	if t.without > 0 {
		t.r.reduce(t.p, "%s without data of this form", model.GroupedCount(t.without, "item"))
	}
	if err == nil && t.given == 0 {
		err = t.lost
	}
	return err
}

// pictures writes each picture as PNG.
func pictures(ctx context.Context, m *items, give giveItem) error {
	encoder := png.Encoder{CompressionLevel: png.BestSpeed}
	t := itemTally{items: m, without: m.end - m.first}
	return t.ended(m.Pictures(ctx, m.first, m.end, func(i int64, img image.Image, why error) error {
		t.without--
		item, err := m.Item(ctx, i)
		if why = cmp.Or(why, err); why != nil {
			t.lose(why)
			return ctx.Err()
		}
		if item.Reduced != "" {
			m.r.reduce(m.p, "%s", item.Reduced)
		}
		t.given++
		return give(i, item, func(w io.Writer) error { return encoder.Encode(w, img) })
	}))
}

// stored writes the stored bytes of each item.
func stored(ctx context.Context, m *items, give giveItem) error {
	t := itemTally{items: m}
	for i := m.first; i < m.end && ctx.Err() == nil; i++ {
		item, err := m.Item(ctx, i)
		switch {
		case ctx.Err() != nil:
		case err != nil:
			t.lose(err)
		case item.Stored.Source == nil:
			t.without++
		default:
			t.given++
			if err := give(i, item, func(w io.Writer) error { return copySpan(ctx, w, item.Stored) }); err != nil {
				return err
			}
		}
	}
	return t.ended(ctx.Err())
}

func joinStored(ctx context.Context, w io.Writer, m *items) error {
	return m.Stream(ctx, w, m.first, m.end, m.r.Progress)
}

func joinWave(ctx context.Context, w io.Writer, m *items) error {
	s, err := m.Sound(ctx, m.first, m.end, m.r.Progress)
	if err != nil {
		return err
	}
	return wave(ctx, w, m.r, m.p, s)
}

func codedAs(coding string) func(model.Media) bool {
	return func(m model.Media) bool { return strings.EqualFold(m.Coding(), coding) }
}

// copyForm returns the form that writes parts of a document as a file of its own format.
func copyForm(own model.OwnForm) *Form {
	copier := func(ctx context.Context, p *model.Place) (model.Copier, bool) {
		return cardOf(ctx, &p.Node, func(c model.Copier) bool { return c.Format() == own.Name })
	}
	refuse := func(ctx context.Context, p *model.Place) string {
		if _, ok := copier(ctx, p); !ok && !p.Node.IsPending() {
			return fmt.Sprintf("%s is no part that can be in a %s file by itself", PathText(p.Path()), strings.ToUpper(own.Name))
		}
		return ""
	}
	return &Form{Name: own.Name, Title: own.Title, Extension: own.Extension, Help: own.Help, Binary: true, refuse: refuse, timed: everyPlace,
		write: ofValues(func(ctx context.Context, w io.Writer, r *Request) error {
			for _, p := range r.Places {
				if err := p.Resolve(ctx, r.Progress); err != nil {
					return err
				}
				if why := refuse(ctx, p); why != "" {
					return errors.New(why)
				}
			}
			c, _ := copier(ctx, r.Places[0])
			from, to, err := r.Times.bounds(c.Span())
			if err != nil {
				return err
			}
			return c.Copy(ctx, w, r.Omitted, r.Places, from, to, r.Progress)
		})}
}

// mediaForms returns the forms of pictures and sound.
func mediaForms() []*Form {
	isPicture := func(c model.Card) bool { _, ok := c.(model.Picture); return ok }
	isSound := func(c model.Card) bool { _, ok := c.(model.Sound); return ok }
	sounds := func(m model.Media) bool { return m.Coding() == "pcm" || m.Coding() == "opus" }
	list := []*Form{
		mediaForm{name: "png", title: "Picture (PNG)", extension: ".png", help: "a picture as PNG; of a stream each, into a folder", what: "picture",
			single: isPicture, takes: func(m model.Media) bool { return !sounds(m) }, each: pictures}.form(),
		mediaForm{name: "wav", title: "Sound (WAV)", extension: ".wav", help: "sound as WAV, with 32-bit floats; of a stream joined", what: "sound",
			single: isSound, takes: sounds, join: joinWave}.form(),
		mediaForm{name: "jpg", title: "Pictures as stored (JPEG)", extension: ".jpg", help: "JPEG pictures as they are stored; of a stream each, into a folder",
			what: "picture that is stored as JPEG", takes: codedAs("jpg"), each: stored}.form(),
	}
	for _, k := range []struct{ name, title, codec string }{{"h264", "Video as stored (H.264)", "H.264"}, {"h265", "Video as stored (H.265)", "H.265"}} {
		list = append(list, mediaForm{name: k.name, title: k.title, extension: "." + k.name, help: k.codec + " video as it is stored, joined",
			what: k.codec + " video", takes: codedAs(k.codec), join: joinStored}.form())
	}
	return append(list, mediaForm{name: "opus", title: "Sound as stored (Opus)", extension: ".opus", help: "Opus packets as they are stored, in an Ogg file",
		what: "Opus sound", takes: codedAs("opus"), join: joinStored}.form())
}
