package decodertest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"cutaway/model"
)

// lookedAt is the number of places that are examined in each view.
const lookedAt = 300

// examine does all that a user could do with a document, on a small scale: check it and look at the beginning of each
// view. The error is the first violation of an invariant.
func examine(ctx context.Context, doc *model.Document) (*model.Report, error) {
	report, err := doc.CheckAll(ctx, nil)
	if err != nil {
		return report, fmt.Errorf("check: %w", err)
	}
	if err := sound(report); err != nil {
		return report, err
	}
	if report.Surveyed > 0 {
		each, err := doc.CheckEach(ctx, nil)
		if err != nil {
			return report, fmt.Errorf("check of each node: %w", err)
		}
		if err := sameReport(report, each); err != nil {
			return report, err
		}
	}
	for _, v := range doc.Views {
		if err := look(ctx, v); err != nil {
			return report, err
		}
	}
	if doc.Facts == nil {
		return report, nil
	}
	if _, err := doc.Facts(ctx, false, nil); err != nil {
		return report, fmt.Errorf("facts: %w", err)
	}
	return report, nil
}

// sameReport returns an error if a check by surveys differs from one that visits each node.
func sameReport(quick, each *model.Report) error {
	if got, want := describeReport(quick), describeReport(each); got != want {
		i := 0
		for i < min(len(got), len(want)) && got[i] == want[i] {
			i++
		}
		i = strings.LastIndexByte(want[:i], '\n') + 1
		return fmt.Errorf("a survey finds …%.300s\na check of each node …%.300s", got[i:], want[i:])
	}
	return nil
}

func describeReport(r *model.Report) string {
	var b strings.Builder
	for i := range r.Problems {
		fmt.Fprintln(&b, problemKey(&r.Problems[i]))
	}
	for _, c := range r.Coverage {
		fmt.Fprintf(&b, "%s: %d: %d %d %d %d %d, %d\n", c.Source.Name(), c.Size, c.Explained, c.Padding, c.Unreferenced, c.Unknown, c.Pending, c.Shared)
	}
	return b.String() + strings.Join(r.Tiling, "\n")
}

// sound returns an error if the tiling or the spans in a report are wrong.
func sound(r *model.Report) error {
	if len(r.Tiling) > 0 {
		return fmt.Errorf("the layout does not tile: %s", strings.Join(r.Tiling[:min(len(r.Tiling), 4)], "; "))
	}
	for _, c := range r.Coverage {
		if c.Sum() != c.Size {
			return fmt.Errorf("%s: coverage sums to %d, the size is %d", c.Source.Name(), c.Sum(), c.Size)
		}
		if c.Pending != 0 {
			return fmt.Errorf("%s: %d bytes are pending after the check", c.Source.Name(), c.Pending)
		}
		if c.Shared > c.Explained {
			return fmt.Errorf("%s: more bytes are shared than explained", c.Source.Name())
		}
	}
	for i := range r.Problems {
		p := &r.Problems[i]
		if p.Rule == "" || p.Message == "" || p.Path == "" {
			return fmt.Errorf("a problem lacks its rule, message or path: %+v", *p)
		}
		if err := inside(p.Span); err != nil {
			return fmt.Errorf("problem %s at %s: %w", p.Rule, p.Path, err)
		}
	}
	return nil
}

var errEnough = errors.New("enough")

func look(ctx context.Context, v *model.View) error {
	seen := 0
	err := model.Walk(ctx, v.Place(ctx), model.WalkOptions{Resolve: true, Derived: true, Elements: true}, func(p *model.Place) error {
		if seen++; seen > lookedAt {
			return errEnough
		}
		return lookAt(ctx, p)
	})
	if errors.Is(err, errEnough) {
		return nil
	}
	return err
}

// lookAt uses everything that a node offers.
func lookAt(ctx context.Context, p *model.Place) error {
	n := &p.Node
	model.Show(ctx, n.Value, 200)
	for _, s := range slices.Concat(n.Spans, n.PrincipalSpans(ctx)) {
		if err := inside(s); err != nil {
			return fmt.Errorf("%s: %w", p.Path(), err)
		}
	}
	if n.Refs != nil {
		for _, r := range n.Refs(ctx) {
			if r.Span.Source != nil {
				if err := inside(r.Span); err != nil {
					return fmt.Errorf("%s: ref %s: %w", p.Path(), r.Kind, err)
				}
			}
		}
	}
	if a, is := n.Value.(model.Array); is {
		if err := errors.Join(lookAtArray(ctx, a), lookAtPlaces(ctx, p, a)); err != nil {
			return fmt.Errorf("%s: %w", p.Path(), err)
		}
	}
	if n.Cards != nil {
		for _, c := range n.Cards(ctx) {
			if err := lookAtCard(ctx, c); err != nil {
				return fmt.Errorf("%s: card %q: %w", p.Path(), c.CardTitle(), err)
			}
		}
	}
	return nil
}

// A beginning accepts a limited number of bytes.
type beginning struct{ left int }

func (b *beginning) Write(p []byte) (int, error) {
	if b.left -= len(p); b.left < 0 {
		return 0, errEnough
	}
	return len(p), nil
}

// lookAtCard reads both ends of a card. An error of the card is no failure: it is reported to the user as damage.
func lookAtCard(ctx context.Context, c model.Card) error {
	switch c := c.(type) {
	case model.Table:
		rows, _ := c.Rows()
		return lookAtWindows(rows, func(first int64) []model.Span { return tableSpans(ctx, c, first) })
	case model.Series:
		points, _ := c.Points()
		return lookAtWindows(points, func(first int64) (spans []model.Span) {
			window := make([]model.Point, 4)
			got, _ := c.Read(ctx, first, window)
			for _, p := range window[:got] {
				spans = append(spans, p.Span)
			}
			return spans
		})
	case model.Listing:
		lines, _ := c.Lines()
		return lookAtWindows(lines, func(first int64) (spans []model.Span) {
			window := make([]model.Line, 4)
			got, _ := c.Read(ctx, first, window)
			for _, l := range window[:got] {
				spans = append(spans, l.Spans...)
			}
			return spans
		})
	case model.Picture:
		return lookAtPixels(ctx, c)
	case model.Sound:
		return lookAtWindows(c.Frames(), func(first int64) []model.Span {
			window := make([][]float32, c.Channels())
			for i := range window {
				window[i] = make([]float32, 4)
			}
			_, _ = c.Read(ctx, first, window)
			return nil
		})
	case model.Shape:
		lookAtShape(ctx, c)
	case model.Words:
		_ = c.WriteText(ctx, &beginning{left: 32 << 10}, nil)
	}
	return nil
}

// lookAtShape reads the last elements of a shape's arrays.
func lookAtShape(ctx context.Context, c model.Shape) {
	counts, indices, _ := c.Parts(ctx)
	list := []model.Array{c.Points(ctx), counts, indices}
	if d, ok := c.(model.DetailedShape); ok {
		list = append(list, d.Bounds(ctx))
		for _, a := range d.Arrays(ctx) {
			list = append(list, a.Array)
		}
	}
	for _, a := range list {
		if a != nil {
			_, _ = a.Read(ctx, max(a.Len()-4, 0), make([]model.Value, min(a.Len(), 4)))
		}
	}
}

// lookAtPixels reads the first and last row of a picture, and checks the spans of two pixels.
func lookAtPixels(ctx context.Context, c model.Picture) error {
	p, err := model.PixelsOf(ctx, c)
	if err != nil || p.Width <= 0 || p.Height <= 0 {
		return nil
	}
	row := make([]float64, p.Width)
	for k := range p.Planes {
		p.Planes[k].Row(0, row)
		p.Planes[k].Row(p.Height-1, row)
		if p.Bytes == nil {
			continue
		}
		for _, at := range []model.Span{p.Bytes(0, 0, k), p.Bytes(p.Width-1, p.Height-1, k)} {
			if err := inside(at); err != nil {
				return err
			}
		}
	}
	return nil
}

// lookAtWindows checks the spans that read returns for the first and last of n rows.
func lookAtWindows(n int64, read func(first int64) []model.Span) error {
	for _, first := range ends(n) {
		for _, s := range read(first) {
			if err := inside(s); err != nil {
				return err
			}
		}
	}
	return nil
}

// tableSpans returns the spans of all cells of four rows.
func tableSpans(ctx context.Context, c model.Table, first int64) (spans []model.Span) {
	window := make([][]model.Cell, 4)
	for i := range window {
		window[i] = make([]model.Cell, len(c.Columns()))
	}
	got, _ := c.Read(ctx, first, window)
	for _, row := range window[:got] {
		for _, cell := range row {
			spans = append(spans, cell.Spans...)
		}
	}
	return spans
}

// ends returns the first rows of the windows that are read of n rows.
func ends(n int64) []int64 {
	switch {
	case n == 0:
		return nil
	case n <= 4:
		return []int64{0}
	}
	return []int64{0, n - 4}
}

// inside returns an error if a span is not inside its source. A span without a source is none.
func inside(s model.Span) error {
	if s.Source != nil && !s.Source.Holds(s.Off, s.Len) {
		return fmt.Errorf("span %s is outside of %s, which has %#x bytes", s, s.Source.Name(), s.Source.Size())
	}
	if s.Mask != 0 && (s.Len < 1 || s.Len > 8 || s.Len < 8 && s.Mask>>(8*s.Len) != 0) {
		return fmt.Errorf("span %s: mask %#x selects bits outside of it", s, s.Mask)
	}
	return nil
}
