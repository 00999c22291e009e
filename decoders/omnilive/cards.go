package omnilive

import (
	"context"
	"math"

	"cutaway/model"
)

// commandTable shows the commands of a delta as a table.
type commandTable struct {
	model.CardBase
	l     *live
	delta int
}

// Columns names the columns.
func (c *commandTable) Columns() []model.Column {
	return []model.Column{
		{Name: "outcome"}, {Name: "command"}, {Name: "path"}, {Name: "name"}, {Name: "sectionId"}, {Name: "parentId"},
	}
}

// Rows returns the number of commands.
func (c *commandTable) Rows() (int64, bool) { return c.l.deltas[c.delta].commands.n, true }

// Read implements model.Table; it applies the commands first.
func (c *commandTable) Read(ctx context.Context, first int64, dst [][]model.Cell) (int, error) {
	res, err := c.l.all.get(ctx, nil)
	if err != nil {
		return 0, err
	}
	d := c.l.deltas[c.delta]
	if d.carrier.buffer == nil {
		return 0, nil
	}
	r := d.carrier.buffer.Reader(ctx)
	defer d.carrier.buffer.Release(r)
	for i := range dst {
		n := first + int64(i)
		if n >= d.commands.n {
			return i, nil
		}
		cmd := d.command(r, n)
		path := c.l.commandPath(origin{int32(c.delta), n})
		row := dst[i]
		if cmd.kind < 0 {
			row[0] = model.Cell{Value: model.Text(unreadable.String()), Path: path, Spans: []model.Span{d.commandSlot(n)}}
			continue
		}
		spans := []model.Span{d.tableSpan(r, cmd.table)}
		for k, v := range []model.Value{
			model.Text(res.outcomes[c.delta][n].String()), model.Text(commandNames[cmd.kind]), model.Text(c.l.sectionText(res, cmd.sectionID)),
			model.Text(cmd.name), model.Uint(cmd.sectionID), model.Uint(cmd.parentID),
		} {
			row[k] = model.Cell{Value: v, Path: path, Spans: spans}
		}
	}
	return len(dst), nil
}

// commandCards offers the table of a delta's commands.
func (l *live) commandCards(delta int) func(context.Context) []model.Card {
	return func(context.Context) []model.Card {
		return []model.Card{&commandTable{model.CardBase{Title: "Commands"}, l, delta}}
	}
}

// sampleSeries shows the time samples of a section whose values are numbers.
type sampleSeries struct {
	model.CardBase
	l    *live
	res  *result
	n    int32
	list []int32
}

// Unit returns "": values have no unit.
func (c *sampleSeries) Unit() string { return "" }

// Points returns the number of samples.
func (c *sampleSeries) Points() (int64, bool) { return int64(len(c.list)), true }

// Read implements model.Series; a value that is no number ends the points.
func (c *sampleSeries) Read(ctx context.Context, first int64, dst []model.Point) (int, error) {
	path := c.l.sectionPath(ctx, c.res, c.n) + "/" + samplesName
	for i := range dst {
		k := first + int64(i)
		if k >= int64(len(c.list)) {
			return i, nil
		}
		x := &c.res.layer.nodes[c.n].settings[c.list[k]]
		v, at := c.l.sampleValue(ctx, x)
		_, ok := model.FloatOf(v)
		_, none := v.(model.None)
		dst[i] = model.Point{Time: x.time, Value: math.NaN(), None: none, Span: at, Path: path + "/" + model.IndexName(k)}
		switch {
		case ok:
			dst[i].SetNumber(v)
		case !none:
			return i, nil
		}
	}
	return len(dst), nil
}

// sampleValue is the value that a time sample sets, if it is small; else nil.
func (l *live) sampleValue(ctx context.Context, x *setField) (model.Value, model.Span) {
	d := l.deltas[x.delta]
	r := d.carrier.buffer.Reader(ctx)
	defer d.carrier.buffer.Release(r)
	s, ok := d.setting(r, true, x.index)
	at := d.valueSpan(&s)
	if !ok || at.Source == nil || at.Len > smallValue {
		return nil, at
	}
	shown, _ := d.values.open(at, 0).show(ctx)
	return shown, at
}

// samplesNumbers reports whether the first of some samples that has a value is a number.
func (l *live) samplesNumbers(ctx context.Context, settings []setField, samples []int32) bool {
	for _, i := range samples {
		v, _ := l.sampleValue(ctx, &settings[i])
		if _, none := v.(model.None); !none {
			_, ok := model.FloatOf(v)
			return ok
		}
	}
	return false
}
