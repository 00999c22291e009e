package guard

import (
	"context"
	"errors"
	"image"
	"io"
	"testing"

	"cutaway/model"
)

// broken is an array and a card of every kind, whose every answer panics.
type (
	brokenArray   struct{ model.ArrayBase }
	brokenTable   struct{ model.CardBase }
	brokenSeries  struct{ model.CardBase }
	brokenListing struct{ model.CardBase }
	brokenPicture struct{ model.CardBase }
	brokenSound   struct{ model.CardBase }
	brokenWords   struct{ model.CardBase }
)

func (brokenArray) Elem() string                                                 { return "int" }
func (brokenArray) Len() int64                                                   { panic("len") }
func (brokenArray) Read(context.Context, int64, []model.Value) (int, error)      { panic("read") }
func (brokenTable) Columns() []model.Column                                      { return []model.Column{{Name: "a"}} }
func (brokenTable) Rows() (int64, bool)                                          { panic("rows") }
func (brokenTable) Read(context.Context, int64, [][]model.Cell) (int, error)     { panic("read") }
func (brokenSeries) Unit() string                                                { return "" }
func (brokenSeries) Points() (int64, bool)                                       { panic("points") }
func (brokenSeries) Read(context.Context, int64, []model.Point) (int, error)     { panic("read") }
func (brokenListing) Lines() (int64, bool)                                       { panic("lines") }
func (brokenListing) Read(context.Context, int64, []model.Line) (int, error)     { panic("read") }
func (brokenListing) Labels() []model.Label                                      { panic("labels") }
func (brokenListing) Uses(int64) []int64                                         { panic("uses") }
func (brokenListing) LineAt(string) (int64, bool)                                { panic("line") }
func (brokenPicture) Rule() string                                               { return "" }
func (brokenPicture) Decode(context.Context) (image.Image, error)                { panic("decode") }
func (brokenPicture) Reduced() string                                            { return "" }
func (brokenSound) Reduced() string                                              { return "" }
func (brokenSound) Channels() int                                                { return 1 }
func (brokenSound) Rate() float64                                                { return 1 }
func (brokenSound) Frames() int64                                                { return 1 }
func (brokenSound) Read(context.Context, int64, [][]float32) (int, error)        { panic("read") }
func (brokenWords) WriteText(context.Context, io.Writer, *model.Omissions) error { panic("text") }

// arrays is an array and a table of one row, which hold arrays that panic.
type (
	arrays      struct{ model.ArrayBase }
	arraysTable struct{ brokenTable }
)

func (arrays) Elem() string { return "int[]" }
func (arrays) Len() int64   { return 1 }
func (arrays) Read(_ context.Context, _ int64, dst []model.Value) (int, error) {
	dst[0] = brokenArray{}
	return 1, nil
}
func (arraysTable) Rows() (int64, bool) { return 1, true }
func (arraysTable) Read(_ context.Context, _ int64, dst [][]model.Cell) (int, error) {
	dst[0][0].Value = brokenArray{}
	return 1, nil
}

// TestFaultsOfReading: what panics while a card or an array is read is an error, and the length of what cannot tell it
// is 0.
func TestFaultsOfReading(t *testing.T) {
	ctx := t.Context()
	base := model.CardBase{Title: "broken"}
	node := guardNode(model.Node{Value: brokenArray{}, Cards: func(context.Context) []model.Card {
		return []model.Card{brokenTable{base}, brokenSeries{base}, brokenListing{base}, brokenPicture{base}, brokenSound{base},
			brokenWords{base}, arraysTable{brokenTable{base}}}
	}})
	isFault := func(what string, err error) {
		t.Helper()
		var p model.Problem
		if !errors.As(err, &p) || p.Rule != FaultRule {
			t.Errorf("%s: %v", what, err)
		}
	}
	readArray := func(what string, v model.Value) {
		t.Helper()
		a := v.(model.Array)
		if n := a.Len(); n != 0 {
			t.Errorf("%s: length %d", what, n)
		}
		_, err := a.Read(ctx, 0, make([]model.Value, 1))
		isFault(what, err)
	}
	readArray("array", node.Value)
	inner := make([]model.Value, 1)
	if _, err := guardValue(arrays{}).(model.Array).Read(ctx, 0, inner); err != nil {
		t.Fatal(err)
	}
	readArray("array in an array", inner[0])

	cards := node.Cards(t.Context())
	if len(cards) != 7 {
		t.Fatalf("%d cards", len(cards))
	}
	rows, _ := cards[0].(model.Table).Rows()
	points, _ := cards[1].(model.Series).Points()
	lines, _ := cards[2].(model.Listing).Lines()
	if rows != 0 || points != 0 || lines != 0 {
		t.Errorf("%d rows, %d points, %d lines", rows, points, lines)
	}
	row := [][]model.Cell{make([]model.Cell, 1)}
	_, err := cards[0].(model.Table).Read(ctx, 0, row)
	isFault("table", err)
	_, err = cards[1].(model.Series).Read(ctx, 0, make([]model.Point, 1))
	isFault("series", err)
	_, err = cards[2].(model.Listing).Read(ctx, 0, make([]model.Line, 1))
	isFault("listing", err)
	_, err = cards[3].(model.Picture).Decode(ctx)
	isFault("picture", err)
	_, err = cards[4].(model.Sound).Read(ctx, 0, make([][]float32, 1))
	isFault("sound", err)
	err = cards[5].(model.Words).WriteText(ctx, io.Discard, nil)
	isFault("words", err)
	if _, err := cards[6].(model.Table).Read(ctx, 0, row); err != nil {
		t.Fatal(err)
	}
	readArray("array in a table", row[0][0].Value)
}

// brokenChildren are children whose every answer panics.
type brokenChildren struct{}

func (brokenChildren) Len(context.Context) (int64, bool)             { panic("len") }
func (brokenChildren) At(context.Context, int64) model.Node          { panic("at") }
func (brokenChildren) Pending() bool                                 { panic("pending") }
func (brokenChildren) Resolve(context.Context, model.Progress) error { panic("resolve") }

// TestChildren: what panics among children, or where a name is looked up, is met.
func TestChildren(t *testing.T) {
	n := guardNode(model.Node{Children: brokenChildren{}})
	if n.IsPending() {
		t.Error("pending")
	}
	d := &model.Document{Named: func(context.Context, string) (string, bool) { panic("named") }}
	guardDocument(d)
	if path, ok := d.Named(t.Context(), "/World"); ok {
		t.Errorf("%s", path)
	}
}
