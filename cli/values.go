package cli

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"cutaway/model"
	"cutaway/model/export"
	sizes "cutaway/model/size"
	"cutaway/model/values"
)

type valuesVerb struct {
	File     string   `arg:"" help:"The file and the node: FILE#PATH. Of a field of a record, its values in all records are described; of a shape, its points, parts and bounds."`
	Column   string   `placeholder:"NAME" help:"Of a table's columns only this one."`
	Rows     rowRange `placeholder:"A:B" help:"Print the elements from A up to, but without, B instead; A: is from A on, :B the first B."`
	Plot     string   `placeholder:"FILE.png" help:"Draw the values over their index into this file too: a PNG, SVG or PDF by its ending."`
	Distinct bool     `help:"Of texts, print each distinct one, up to 10,000, with how often it is there and in which row first, the most frequent before the others."`
	JSON     bool     `name:"json" help:"Print one JSON object a line for each array or column."`
	fileFlags
}

func (*valuesVerb) Help() string {
	return `Of numbers: least, greatest, mean and deviation of the finite ones, NaN, infinities, zeros, distinct
values (up to 10,000), order, first and last. With --json also a histogram. Of text: distinct texts, the
most frequent and the longest. Of a shape, such as a mesh: points, faces or lines, and bounds. "hash" is
xxHash64 of the values, so equal arrays have equal hashes however they are stored.

The node may be one of which a single child has values, such as an attribute. A field of a record is described by
its values in all records of its group. Of a sequence of structures each field is a column.

` +
		examples("values 'sample.usdc#scene/Prototypes/Leg/.points'", "values --json 'sample.usdc#scene/Prototypes/Leg/.points'",
			"values --rows 0:10 'sample.usdc#scene/Prototypes/Leg/.points'", "values --column timestamp 'recording.vrs#streams/999-1/configuration'",
			"values --plot points.png 'sample.usdc#scene/Prototypes/Leg/.points'")
}

// rowRange is a flag that names some rows.
type rowRange struct {
	first, end int64
	set        bool
}

// UnmarshalText reads A:B; either may be left out.
func (r *rowRange) UnmarshalText(text []byte) error {
	a, b, ok := strings.Cut(string(text), ":")
	r.first, r.end, r.set = 0, 1<<62, true
	for _, x := range []struct {
		text string
		to   *int64
	}{{a, &r.first}, {b, &r.end}} {
		if x.text == "" {
			continue
		}
		n, err := strconv.ParseInt(x.text, 10, 64)
		if err != nil || n < 0 {
			ok = false
		}
		*x.to = n
	}
	if !ok || r.end < r.first {
		return fmt.Errorf("%q is no range of rows: write 0:10", text)
	}
	return nil
}

func (v *valuesVerb) run(s *session) error {
	d, err := v.open(s, v.File)
	if err != nil {
		return err
	}
	defer d.shut()
	p, err := d.start(s, "")
	if err != nil {
		return err
	}
	if shapes := model.CardsOf[model.Shape](s.ctx, &p.Node); len(shapes) > 0 && v.Column == "" && v.Plot == "" && !v.Rows.set && !v.Distinct {
		return v.shapes(s, p, shapes)
	}
	columns, owner, err := v.columns(s, p)
	if err != nil {
		return err
	}
	if v.Plot != "" {
		if err := v.plot(s, d, columns); err != nil {
			return err
		}
	}
	return v.print(s, owner, columns)
}

// print prints the facts of columns, or their elements.
func (v *valuesVerb) print(s *session, owner *model.Place, columns []*values.Column) (err error) {
	for i, c := range columns {
		if i > 0 && !v.JSON && !v.Rows.set {
			fmt.Fprintln(s.out)
		}
		if v.Rows.set {
			err = v.rows(s, c, len(columns) > 1)
		} else {
			err = v.facts(s, owner, c)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// columns returns the columns of values at a place, and the node that has them.
func (v *valuesVerb) columns(s *session, p *model.Place) ([]*values.Column, *model.Place, error) {
	columns, err := values.Of(s.ctx, p)
	if err != nil {
		return nil, nil, err
	}
	if len(columns) == 0 {
		return nil, nil, wrongUsage("%s has no values: it is no array, and has no table, no series and no shape", export.PathText(p.Path()))
	}
	owner, err := values.Owner(s.ctx, p)
	if err == nil && v.Distinct {
		columns = slices.DeleteFunc(columns, (*values.Column).Numeric)
		if len(columns) == 0 {
			return nil, nil, wrongUsage("--distinct is for texts, and %s has numbers", export.PathText(p.Path()))
		}
	}
	if err != nil || v.Column == "" {
		return columns, owner, err
	}
	var names []string
	for _, c := range columns {
		names = append(names, c.Name)
	}
	columns = slices.DeleteFunc(columns, func(c *values.Column) bool { return c.Name != v.Column })
	if len(columns) == 0 {
		return nil, nil, wrongUsage("there is no column %q; there are %s", v.Column, strings.Join(names, ", "))
	}
	return columns[:1], owner, nil
}

// facts prints what is known of a column.
func (v *valuesVerb) facts(s *session, p *model.Place, c *values.Column) error {
	f, err := values.Summarize(s.ctx, c, values.Reporting(s.progress(), "values"))
	s.meter.clear()
	if s.ctx.Err() != nil {
		return s.ctx.Err()
	}
	if err != nil { // the values read before are still reported
		s.count(export.Tally{Errors: 1})
		s.say("after %s: %v", model.GroupedCount(f.Count, "element"), err)
	}
	o := v.object(p, c, f)
	switch {
	case v.Distinct:
		return v.distinct(s, c, f)
	case v.JSON:
		return s.object(o)
	}
	return v.text(s, o, c, f)
}

// distinct prints the distinct texts of a column.
func (v *valuesVerb) distinct(s *session, c *values.Column, f *values.Facts) error {
	if f.Text.Distinct < 0 {
		return &failure{StatusFailed, fmt.Errorf("these are more than %s distinct values: they are not listed", model.Grouped(values.MostDistinct))}
	}
	table := textTable{head: []string{"count", "first row", "value"}, right: []bool{true, true, false}}
	for _, w := range f.Text.Said {
		one := model.Object{{Key: "value", Value: model.Text(w.Value)}, {Key: "count", Value: model.Int(w.Count)}, {Key: "first", Value: model.Int(w.First)}}
		if c.Name != "" {
			one = append(one, model.Member{Key: "column", Value: model.Text(c.Name)})
		}
		if !v.JSON {
			table.add(model.Grouped(w.Count), model.Grouped(w.First), oneLine(s.ctx, model.ShowHeld(model.Text(w.Value), 400)))
		} else if err := s.object(one); err != nil {
			return err
		}
	}
	if !v.JSON {
		table.write(s)
	}
	return nil
}

// shapes prints the facts of shapes.
func (v *valuesVerb) shapes(s *session, p *model.Place, list []model.Shape) error {
	progress := s.progress()
	for i, shape := range list {
		f, err := values.SummarizeShape(s.ctx, shape, values.Reporting(progress, "points"))
		s.meter.clear()
		if s.ctx.Err() != nil {
			return s.ctx.Err()
		}
		if err != nil {
			s.count(export.Tally{Errors: 1})
			s.say("the points: %v", err)
		}
		path := model.Member{Key: "path", Value: export.JSONPath(p.Path())}
		if v.JSON {
			if err := s.object(append(model.Object{path}, f.Object()...)); err != nil {
				return err
			}
			continue
		}
		if i > 0 {
			fmt.Fprintln(s.out)
		}
		v.members(s, append(model.Object{path}, f.Object()...))
	}
	return nil
}

// object is the facts as JSON has them.
func (v *valuesVerb) object(p *model.Place, c *values.Column, f *values.Facts) model.Object {
	o := model.Object{{Key: "path", Value: export.JSONPath(p.Path())}}
	if c.Name != "" {
		o = append(o, model.Member{Key: "column", Value: model.Text(c.Name)})
	}
	var at sizes.Size
	if c.Name == "" {
		at = sizes.Of(&p.Node)
	}
	return append(o, f.Object(c, at.Stored, at.Logical)...)
}

// members prints members, a line each.
func (v *valuesVerb) members(s *session, o model.Object) {
	for _, m := range o {
		switch m.Value.(type) {
		case nil, model.None:
			continue
		}
		fmt.Fprintf(s.out, "%s  %s\n", s.style.Quiet(fill(m.Key, 10)), oneLine(s.ctx, model.Show(s.ctx, m.Value, 200)))
	}
}

// text prints the facts for a person: what holds for all, then a line for each component.
func (v *valuesVerb) text(s *session, o model.Object, c *values.Column, f *values.Facts) error {
	v.members(s, slices.DeleteFunc(o, func(m model.Member) bool {
		_, list := m.Value.(model.Seq)
		return list
	}))
	if f.Text != nil {
		table := textTable{head: []string{"value", "count"}, right: numbers(1)}
		for _, w := range f.Text.Said[:min(len(f.Text.Said), values.MostSaid)] {
			table.add(oneLine(s.ctx, model.ShowHeld(model.Text(w.Value), 60)), model.Grouped(w.Count))
		}
		table.write(s)
		return nil
	}
	table := textTable{head: []string{"", "min", "max", "mean", "std", "NaN", "inf", "zero", "-0", "distinct", "sorted"}, right: numbers(10)}
	for k := range f.By {
		b := &f.By[k]
		table.add(values.ComponentName(c, k), shown(b.Min), shown(b.Max), b.MeanText(), b.StdText(), model.Grouped(b.NaN), model.Grouped(b.Inf), model.Grouped(b.Zero),
			model.Grouped(b.NegativeZero), values.DistinctText(b.Distinct), b.Sorted)
	}
	table.write(s)
	return nil
}

func shown(v model.Value) string {
	if v == nil {
		return "-"
	}
	return model.ShowHeld(v, 40)
}

// rows prints elements as they are: a line each, as JSON an array or value a line.
func (v *valuesVerb) rows(s *session, c *values.Column, named bool) error {
	window := make([]model.Value, values.Window)
	for first := v.Rows.first; first < v.Rows.end; {
		n, err := c.Read(s.ctx, first, window[:min(int64(len(window)), v.Rows.end-first)])
		for i, x := range window[:n] {
			if werr := v.row(s, c, first+int64(i), x, named); werr != nil {
				return werr
			}
		}
		if err != nil || n == 0 {
			return err
		}
		first += int64(n)
	}
	return nil
}

func (v *valuesVerb) row(s *session, c *values.Column, i int64, x model.Value, named bool) error {
	if v.JSON {
		o := model.Object{{Key: "row", Value: model.Int(i)}, {Key: "value", Value: x}}
		if named {
			o = append(o, model.Member{Key: "column", Value: model.Text(c.Name)})
		}
		return s.object(o)
	}
	label := "[" + strconv.FormatInt(i, 10) + "]"
	if named {
		label = c.Name + label
	}
	_, err := fmt.Fprintf(s.out, "%s  %s\n", s.style.Quiet(label), oneLine(s.ctx, model.Show(s.ctx, x, 1<<10)))
	return err
}

// plot draws the columns into a file, which appears when it is whole.
func (v *valuesVerb) plot(s *session, d *opened, columns []*values.Column) error {
	b, err := drawPlot(s.ctx, v.Plot, columns)
	if err == nil {
		err = export.ToFile(v.Plot, d.target.File, d.Document, func(w io.Writer) error {
			_, err := w.Write(b)
			return err
		})
	}
	if err != nil && s.ctx.Err() == nil {
		return &failure{StatusFailed, err}
	}
	return err
}
