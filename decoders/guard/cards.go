package guard

import (
	"context"
	"image"
	"io"

	"cutaway/model"
)

// guardValue wraps what is read of a value when it is looked at.
func guardValue(v model.Value) model.Value {
	if a, ok := v.(model.Array); ok {
		return guardedArray{a}
	}
	return v
}

// guardedArray is an Array behind the guard.
type guardedArray struct{ model.Array }

func (g guardedArray) Len() (n int64) {
	defer func() {
		if met(recover()) != nil {
			n = 0
		}
	}()
	return g.Array.Len()
}

func (g guardedArray) Read(ctx context.Context, first int64, dst []model.Value) (n int, err error) {
	defer caught(&err, "reading an array")
	n, err = g.Array.Read(ctx, first, dst)
	for i := range dst[:n] {
		dst[i] = guardValue(dst[i])
	}
	return n, err
}

// At implements model.Located.
func (g guardedArray) At(ctx context.Context, i int64) (at model.Span) {
	defer func() {
		if met(recover()) != nil {
			at = model.Span{}
		}
	}()
	return model.ElementSpan(ctx, g.Array, i)
}

func (g guardedArray) Packing() (p model.Packing) {
	defer func() {
		if met(recover()) != nil {
			p = model.Packing{}
		}
	}()
	p = model.PackingOf(g.Array)
	if decode := p.Decode; decode != nil {
		p.Decode = func(ctx context.Context, first int64, dst []byte) (n int, err error) {
			defer caught(&err, "reading an array")
			return decode(ctx, first, dst)
		}
	}
	return p
}

// guardCard wraps what a card reads.
func guardCard(card model.Card) model.Card {
	switch c := card.(type) {
	case model.Table:
		return guardedTable{c}
	case model.Series:
		return guardedSeries{c}
	case model.Listing:
		return guardedListing{c}
	case model.Picture:
		return guardedPicture{c}
	case model.Sound:
		return guardedSound{c}
	case model.Shape:
		return guardedShape{c}
	case model.Words:
		return guardedWords{c}
	}
	return card
}

// count is what a card says of its length, nothing where it panics.
func count(f func() (int64, bool)) (n int64, exact bool) {
	defer func() {
		if met(recover()) != nil {
			n, exact = 0, true
		}
	}()
	return f()
}

// guardedTable is a Table behind the guard.
type guardedTable struct{ model.Table }

func (g guardedTable) Rows() (int64, bool) { return count(g.Table.Rows) }

func (g guardedTable) Read(ctx context.Context, first int64, dst [][]model.Cell) (n int, err error) {
	defer caught(&err, "reading the table "+g.CardTitle())
	n, err = g.Table.Read(ctx, first, dst)
	for _, row := range dst[:n] {
		for i := range row {
			row[i].Value = guardValue(row[i].Value)
		}
	}
	return n, err
}

// guardedSeries is a Series behind the guard.
type guardedSeries struct{ model.Series }

func (g guardedSeries) Points() (int64, bool) { return count(g.Series.Points) }

func (g guardedSeries) Read(ctx context.Context, first int64, dst []model.Point) (n int, err error) {
	defer caught(&err, "reading the series "+g.CardTitle())
	return g.Series.Read(ctx, first, dst)
}

// guardedListing is a Listing behind the guard.
type guardedListing struct{ model.Listing }

func (g guardedListing) Lines() (int64, bool) { return count(g.Listing.Lines) }

func (g guardedListing) Read(ctx context.Context, first int64, dst []model.Line) (n int, err error) {
	defer caught(&err, "reading the listing "+g.CardTitle())
	return g.Listing.Read(ctx, first, dst)
}

// guardedPicture is a Picture behind the guard.
type guardedPicture struct{ model.Picture }

func (g guardedPicture) Decode(ctx context.Context) (img image.Image, err error) {
	defer caught(&err, "decoding the picture "+g.CardTitle())
	return g.Picture.Decode(ctx)
}

// Pixels implements model.RawPicture.
func (g guardedPicture) Pixels(ctx context.Context) (p *model.Pixels, err error) {
	defer caught(&err, "decoding the picture "+g.CardTitle())
	got, err := model.PixelsOf(ctx, g.Picture)
	if got == nil {
		return nil, err
	}
	safe := *got
	safe.Planes = nil
	for _, plane := range got.Planes {
		row := plane.Row
		plane.Row = func(y int, dst []float64) {
			defer func() { _ = met(recover()) }()
			row(y, dst)
		}
		safe.Planes = append(safe.Planes, plane)
	}
	if got.Bytes != nil {
		safe.Bytes = func(x, y, k int) (at model.Span) {
			defer func() {
				if met(recover()) != nil {
					at = model.Span{}
				}
			}()
			return got.Bytes(x, y, k)
		}
	}
	return &safe, err
}

// guardedShape is a Shape behind the guard.
type guardedShape struct{ model.Shape }

func (g guardedShape) Points(ctx context.Context) (a model.Array) {
	defer func() {
		if met(recover()) != nil {
			a = nil
		}
	}()
	return guardArray(g.Shape.Points(ctx))
}

func (g guardedShape) Parts(ctx context.Context) (counts, indices model.Array, closed bool) {
	defer func() {
		if met(recover()) != nil {
			counts, indices = nil, nil
		}
	}()
	counts, indices, closed = g.Shape.Parts(ctx)
	return guardArray(counts), guardArray(indices), closed
}

// Arrays implements model.DetailedShape.
func (g guardedShape) Arrays(ctx context.Context) (list []model.NamedArray) {
	defer func() {
		if met(recover()) != nil {
			list = nil
		}
	}()
	if d, ok := g.Shape.(model.DetailedShape); ok {
		for _, a := range d.Arrays(ctx) {
			list = append(list, model.NamedArray{Name: a.Name, Array: guardArray(a.Array)})
		}
	}
	return list
}

// Bounds implements model.DetailedShape.
func (g guardedShape) Bounds(ctx context.Context) (a model.Array) {
	defer func() {
		if met(recover()) != nil {
			a = nil
		}
	}()
	if d, ok := g.Shape.(model.DetailedShape); ok {
		a = guardArray(d.Bounds(ctx))
	}
	return a
}

// ZUp implements model.UprightShape.
func (g guardedShape) ZUp(ctx context.Context) (up bool) {
	defer func() {
		if met(recover()) != nil {
			up = false
		}
	}()
	u, ok := g.Shape.(model.UprightShape)
	return ok && u.ZUp(ctx)
}

func guardArray(a model.Array) model.Array {
	if a == nil {
		return nil
	}
	return guardValue(a).(model.Array)
}

// guardedSound is a Sound behind the guard.
type guardedSound struct{ model.Sound }

func (g guardedSound) Read(ctx context.Context, first int64, dst [][]float32) (n int, err error) {
	defer caught(&err, "reading the sound "+g.CardTitle())
	return g.Sound.Read(ctx, first, dst)
}

// guardedWords is Words behind the guard.
type guardedWords struct{ model.Words }

func (g guardedWords) WriteText(ctx context.Context, w io.Writer, omitted *model.Omissions) (err error) {
	defer caught(&err, "writing "+g.CardTitle())
	return g.Words.WriteText(ctx, w, omitted)
}

// failedCards stands for the cards of a node that could not be made.
type failedCards struct {
	model.CardBase
	fault model.Problem
}

func (f failedCards) WriteText(context.Context, io.Writer, *model.Omissions) error { return f.fault }
