package guard

import (
	"context"
	"image"
	"io"

	"cutaway/model"
)

// guardCard wraps the functions of a card. Each kind of card has one wrapper, with every optional interface of the
// kind.
func guardCard(card model.Card) model.Card {
	title := guardedTitle{card}
	switch c := card.(type) {
	case model.Table:
		return guardedTable{title, c}
	case model.Series:
		return guardedSeries{title, c}
	case model.Listing:
		return guardedListing{title, c}
	case model.Picture:
		return guardedPicture{title, c}
	case model.Sound:
		return guardedSound{title, c}
	case model.Shape:
		return guardedShape{title, c}
	case model.Scene:
		return guardedScene{title, c}
	case model.Words:
		return guardedWords{title, c}
	case model.Media:
		return guardedMedia{title, c}
	case model.Copier:
		return guardedCopier{title, c}
	}
	return title
}

type guardedTitle struct{ card model.Card }

func (g guardedTitle) CardTitle() (title string) {
	defer quiet()
	return g.card.CardTitle()
}

type guardedTable struct {
	guardedTitle
	in model.Table
}

func (g guardedTable) Columns() (list []model.Column) {
	defer quiet()
	return g.in.Columns()
}

func (g guardedTable) Rows() (n int64, exact bool) {
	defer instead(&exact, true)
	return g.in.Rows()
}

func (g guardedTable) Read(ctx context.Context, first int64, dst [][]model.Cell) (n int, err error) {
	defer caught(&err, "reading the table "+g.CardTitle())
	n, err = g.in.Read(ctx, first, dst)
	for _, row := range dst[:n] {
		for i := range row {
			row[i].Value = guardValue(row[i].Value)
		}
	}
	return n, err
}

type guardedSeries struct {
	guardedTitle
	in model.Series
}

func (g guardedSeries) Unit() (unit string) {
	defer quiet()
	return g.in.Unit()
}

func (g guardedSeries) Points() (n int64, exact bool) {
	defer instead(&exact, true)
	return g.in.Points()
}

func (g guardedSeries) Read(ctx context.Context, first int64, dst []model.Point) (n int, err error) {
	defer caught(&err, "reading the series "+g.CardTitle())
	return g.in.Read(ctx, first, dst)
}

type guardedListing struct {
	guardedTitle
	in model.Listing
}

func (g guardedListing) Lines() (n int64, exact bool) {
	defer instead(&exact, true)
	return g.in.Lines()
}

func (g guardedListing) Read(ctx context.Context, first int64, dst []model.Line) (n int, err error) {
	defer caught(&err, "reading the listing "+g.CardTitle())
	return g.in.Read(ctx, first, dst)
}

func (g guardedListing) Labels() (list []model.Label) {
	defer quiet()
	return g.in.Labels()
}

func (g guardedListing) Uses(i int64) (list []int64) {
	defer quiet()
	return g.in.Uses(i)
}

func (g guardedListing) LineAt(text string) (i int64, ok bool) {
	defer quiet()
	return g.in.LineAt(text)
}

type guardedPicture struct {
	guardedTitle
	in model.Picture
}

func (g guardedPicture) Rule() (rule string) {
	defer quiet()
	return g.in.Rule()
}

func (g guardedPicture) Decode(ctx context.Context) (img image.Image, err error) {
	defer caught(&err, "decoding the picture "+g.CardTitle())
	return g.in.Decode(ctx)
}

func (g guardedPicture) Reduced() (what string) {
	defer quiet()
	return g.in.Reduced()
}

func (g guardedPicture) Pixels(ctx context.Context) (p *model.Pixels, err error) {
	defer caught(&err, "decoding the picture "+g.CardTitle())
	got, err := model.PixelsOf(ctx, g.in)
	if got == nil {
		return nil, err
	}
	return guardPixels(got), err
}

func guardPixels(p *model.Pixels) *model.Pixels {
	safe := *p
	safe.Planes = nil
	for _, plane := range p.Planes {
		row := plane.Row
		plane.Row = func(y int, dst []float64) {
			defer quiet()
			row(y, dst)
		}
		safe.Planes = append(safe.Planes, plane)
	}
	if p.Bytes != nil {
		safe.Bytes = func(x, y, plane int) (at model.Span) {
			defer quiet()
			return p.Bytes(x, y, plane)
		}
	}
	return &safe
}

type guardedSound struct {
	guardedTitle
	in model.Sound
}

func (g guardedSound) Channels() (n int) {
	defer quiet()
	return g.in.Channels()
}

func (g guardedSound) Rate() (rate float64) {
	defer quiet()
	return g.in.Rate()
}

func (g guardedSound) Frames() (n int64) {
	defer quiet()
	return g.in.Frames()
}

func (g guardedSound) Read(ctx context.Context, first int64, dst [][]float32) (n int, err error) {
	defer caught(&err, "reading the sound "+g.CardTitle())
	return g.in.Read(ctx, first, dst)
}

func (g guardedSound) Reduced() (what string) {
	defer quiet()
	return g.in.Reduced()
}

type guardedShape struct {
	guardedTitle
	in model.Shape
}

func (g guardedShape) Points(ctx context.Context) (a model.Array) {
	defer quiet()
	return guardArray(g.in.Points(ctx))
}

func (g guardedShape) Parts(ctx context.Context) (counts, indices model.Array, closed bool) {
	defer quiet()
	c, i, shut := g.in.Parts(ctx)
	return guardArray(c), guardArray(i), shut
}

func (g guardedShape) Arrays(ctx context.Context) (list []model.NamedArray) {
	defer quiet()
	if d, ok := g.in.(model.DetailedShape); ok {
		for _, a := range d.Arrays(ctx) {
			list = append(list, model.NamedArray{Name: a.Name, Array: guardArray(a.Array)})
		}
	}
	return list
}

func (g guardedShape) Bounds(ctx context.Context) (a model.Array) {
	defer quiet()
	if d, ok := g.in.(model.DetailedShape); ok {
		return guardArray(d.Bounds(ctx))
	}
	return nil
}

func (g guardedShape) ZUp(ctx context.Context) (up bool) {
	defer quiet()
	u, ok := g.in.(model.UprightShape)
	return ok && u.ZUp(ctx)
}

type guardedScene struct {
	guardedTitle
	in model.Scene
}

func (g guardedScene) Shapes(ctx context.Context, time float64, give func(model.Placed) error) (timed bool, err error) {
	defer caught(&err, "reading shapes")
	return g.in.Shapes(ctx, time, func(p model.Placed) error {
		p.Shape = guardedShape{guardedTitle{p.Shape}, p.Shape}
		return give(p)
	})
}

func (g guardedScene) ZUp(ctx context.Context) (up bool) {
	defer quiet()
	return g.in.ZUp(ctx)
}

type guardedWords struct {
	guardedTitle
	in model.Words
}

func (g guardedWords) WriteText(ctx context.Context, w io.Writer, omitted *model.Omissions) (err error) {
	defer caught(&err, "writing "+g.CardTitle())
	return g.in.WriteText(ctx, w, omitted)
}

// Tokens implements model.TokenWords: text that has none stands out nowhere.
func (g guardedWords) Tokens(line string) (tokens []model.Token) {
	defer quiet()
	if w, ok := g.in.(model.TokenWords); ok {
		return w.Tokens(line)
	}
	return nil
}

type guardedMedia struct {
	guardedTitle
	in model.Media
}

func (g guardedMedia) Coding() (coding string) {
	defer quiet()
	return g.in.Coding()
}

func (g guardedMedia) Items() (n int64) {
	defer quiet()
	return g.in.Items()
}

func (g guardedMedia) Time(i int64) (seconds float64) {
	defer quiet()
	return g.in.Time(i)
}

func (g guardedMedia) Item(ctx context.Context, i int64) (item model.MediaItem, err error) {
	defer caught(&err, "reading a picture or a piece of sound")
	return g.in.Item(ctx, i)
}

func (g guardedMedia) Pictures(ctx context.Context, first, end int64, give func(i int64, img image.Image, why error) error) (err error) {
	defer caught(&err, "decoding pictures")
	return g.in.Pictures(ctx, first, end, give)
}

func (g guardedMedia) Sound(ctx context.Context, first, end int64, progress model.Progress) (s model.Sound, err error) {
	defer caught(&err, "decoding sound")
	sound, err := g.in.Sound(ctx, first, end, progress)
	if sound == nil {
		return nil, err
	}
	return guardedSound{guardedTitle{sound}, sound}, err
}

func (g guardedMedia) Stream(ctx context.Context, w io.Writer, first, end int64, progress model.Progress) (err error) {
	defer caught(&err, "writing pictures or sound as stored")
	return g.in.Stream(ctx, w, first, end, progress)
}

type guardedCopier struct {
	guardedTitle
	in model.Copier
}

func (g guardedCopier) Format() (name string) {
	defer quiet()
	return g.in.Format()
}

func (g guardedCopier) Copy(ctx context.Context, w io.Writer, omitted *model.Omissions, places []*model.Place, first, last float64, progress model.Progress) (err error) {
	defer caught(&err, "copying as "+g.CardTitle())
	return g.in.Copy(ctx, w, omitted, places, first, last, progress)
}

func (g guardedCopier) Span() (first, last float64) {
	defer quiet()
	return g.in.Span()
}

// failedCards stands for the cards of a node whose making panicked.
type failedCards struct {
	model.CardBase
	fault model.Problem
}

func (f failedCards) WriteText(context.Context, io.Writer, *model.Omissions) error { return f.fault }
