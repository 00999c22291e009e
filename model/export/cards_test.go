package export

import (
	"context"

	"cutaway/model"
)

type words string

func (words) CardTitle() string                      { return "words" }
func (w words) Text(context.Context) (string, error) { return string(w), nil }

// program is a listing of so many lines.
type program int64

func (program) CardTitle() string      { return "program" }
func (p program) Lines() (int64, bool) { return int64(p), true }
func (p program) Read(_ context.Context, first int64, dst []model.Line) (int, error) {
	n := int(min(int64(len(dst)), int64(p)-first))
	for i := range n {
		dst[i] = model.Line{Text: "NOP"}
	}
	return n, nil
}

// squares is a table of n and n², of so many rows, which gives at most 100 rows at a time.
type squares int64

func (squares) CardTitle() string { return "squares" }
func (squares) Columns() []model.Column {
	return []model.Column{{Name: "n", Type: "int"}, {Name: "n, squared", Type: "int"}}
}
func (s squares) Rows() (int64, bool) { return int64(s), true }
func (s squares) Read(_ context.Context, first int64, dst [][]model.Cell) (int, error) {
	n := int(min(int64(len(dst)), int64(s)-first, 100))
	for i := range n {
		k := first + int64(i)
		dst[i][0], dst[i][1] = model.Cell{Value: model.Int(k)}, model.Cell{Value: model.Int(k * k)}
	}
	return n, nil
}

// ramp is a series of so many points, whose number is not known exactly before the end.
type ramp int64

func (ramp) CardTitle() string     { return "ramp" }
func (ramp) Unit() string          { return "m/s" }
func (ramp) Points() (int64, bool) { return 1, false }
func (r ramp) Read(_ context.Context, first int64, dst []model.Point) (int, error) {
	n := int(max(0, min(int64(len(dst)), int64(r)-first)))
	for i := range n {
		dst[i] = model.Point{Time: float64(first) + float64(i), Value: 0.5}
	}
	return n, nil
}
