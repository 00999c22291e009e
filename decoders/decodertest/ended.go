package decodertest

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"

	"cutaway/model"
)

// Ended cancels all passes over a file at various reads, and checks that the document then answers as a fresh one does:
// nothing is kept from a cancelled pass.
func Ended(t testing.TB, data []byte, open func(ctx context.Context, r model.Reader) (*model.Document, error)) {
	t.Helper()
	fresh := &ender{BytesReader: data}
	doc, err := open(t.Context(), fresh)
	if err != nil {
		return // refused by its format
	}
	fresh.reads.Store(0) // opening reads more often if the race detector drops pooled buffers
	want := everything(t.Context(), doc)
	reads := fresh.reads.Load()
	if err := doc.Close(); err != nil {
		t.Error(err)
	}
	fails := false
	for end := int64(1); end <= reads; end += max(end/2, 1) {
		fails = !fails
		r := &ender{BytesReader: data, fails: fails}
		doc, err := open(t.Context(), r)
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		r.cancel = cancel
		r.reads.Store(0)
		r.end.Store(end)
		everything(ctx, doc)
		cancel()
		r.end.Store(0)
		got := everything(t.Context(), doc)
		diff := firstLine(strings.Join(want, "\n"), strings.Join(got, "\n"))
		if err := doc.Close(); err != nil || diff != "" {
			t.Errorf("after an end at read %d of %d (the read fails: %t): %s%v", end, reads, fails, diff, err)
			return
		}
	}
}

// An ender cancels a context at one of its reads, which may fail then.
type ender struct {
	model.BytesReader
	reads  atomic.Int64
	end    atomic.Int64 // number of the read, or 0 for none
	fails  bool
	cancel func()
}

var _ model.Reader = (*ender)(nil)

func (e *ender) ReadAt(ctx context.Context, p []byte, off int64) (int, error) {
	if e.reads.Add(1) == e.end.Load() {
		e.cancel()
	}
	if err := ctx.Err(); err != nil && e.fails {
		return 0, err
	}
	return e.BytesReader.ReadAt(ctx, p, off)
}

// asked is the number of places of a view that all questions are asked about.
const asked = 100

// everything returns all answers of a document, a line each.
func everything(ctx context.Context, doc *model.Document) (lines []string) {
	add := func(format string, args ...any) { lines = append(lines, fmt.Sprintf(format, args...)) }
	if doc.Facts != nil {
		facts, err := doc.Facts(ctx, false, nil)
		for _, f := range facts {
			add("fact %s = %s", f.Key, model.Show(ctx, f.Value, 400))
		}
		add("facts: %v", err)
	}
	for _, key := range doc.StatKeys {
		if doc.Stats == nil {
			break
		}
		stats, err := doc.Stats(ctx, key, nil)
		add("statistics by %s: %v, %v", key, stats, err)
	}
	for _, v := range doc.Views {
		everyPlace(ctx, doc, v, add)
		if v.Timeline != nil {
			tracks, err := v.Timeline(ctx, nil)
			add("%d tracks: %v", len(tracks), err)
		}
	}
	report, err := doc.CheckAll(ctx, nil)
	add("check: %v", err)
	if report != nil {
		lines = append(lines, strings.Split(describeReport(report), "\n")...)
	}
	return lines
}

// everyPlace reports the first places of a view, and the owners of some bytes.
func everyPlace(ctx context.Context, doc *model.Document, v *model.View, add func(format string, args ...any)) {
	count := 0
	err := model.Walk(ctx, v.Place(ctx), model.WalkOptions{Resolve: true, Derived: true, Elements: true}, func(p *model.Place) error {
		if count++; count > asked {
			return errEnough
		}
		add("%s", describe(ctx, p))
		if p.Node.Cards != nil {
			for _, c := range p.Node.Cards(ctx) {
				add("card %s: %s", c.CardTitle(), cardText(ctx, c))
			}
		}
		if v.Summary != nil {
			add("summary %s", v.Summary(ctx, &p.Node))
		}
		if v.Content != nil {
			add("content %v", v.Content(ctx, p).Key)
		}
		if doc.ReferencedBy != nil && count%4 == 0 {
			refs, n, err := doc.ReferencedBy(ctx, p, 3, nil)
			for _, r := range refs {
				add("from %s %s", r.Kind, r.Path)
			}
			add("%d refs: %v", n, err)
		}
		if again, err := doc.Lookup(ctx, p.Path()); err != nil || again.Path() != p.Path() {
			add("it is not found by its path: %v", err)
		}
		return nil
	})
	if !errors.Is(err, errEnough) {
		add("%s: %d places, %v", v.Name, count, err)
	}
	size := doc.Source().Size()
	for i := range min(size, 8) {
		at := doc.Source().Span(i*(size/8), 1)
		owners, n, err := doc.Owners(ctx, v, at, 3)
		for _, p := range owners {
			add("%s is of %s", at, p.Path())
		}
		add("%s has %d owners: %v", at, n, err)
	}
}

// writeFirst writes the first rows of a card.
func writeFirst[T any](ctx context.Context, b *strings.Builder, count func() (int64, bool), read func(context.Context, int64, []T) (int, error)) {
	n, exact := count()
	rows := make([]T, min(n, 8))
	got, err := read(ctx, 0, rows)
	for _, row := range rows[:got] {
		fmt.Fprintf(b, "%v|", row)
	}
	fmt.Fprint(b, n, exact, err)
}

// cardText returns the first rows of a card.
func cardText(ctx context.Context, c model.Card) string {
	var b strings.Builder
	switch c := c.(type) {
	case model.Table:
		n, exact := c.Rows()
		rows := make([][]model.Cell, min(n, 8))
		for i := range rows {
			rows[i] = make([]model.Cell, len(c.Columns()))
		}
		got, err := c.Read(ctx, 0, rows)
		for _, row := range rows[:got] {
			for _, cell := range row {
				fmt.Fprintf(&b, "%s %s|", model.Show(ctx, cell.Value, 80), cell.Path)
			}
		}
		fmt.Fprint(&b, n, exact, err)
	case model.Series:
		writeFirst(ctx, &b, c.Points, c.Read)
	case model.Listing:
		writeFirst(ctx, &b, c.Lines, c.Read)
	case model.Words:
		text := &strings.Builder{}
		err := c.WriteText(ctx, text, nil)
		fmt.Fprint(&b, text.Len(), err)
	}
	return b.String()
}
