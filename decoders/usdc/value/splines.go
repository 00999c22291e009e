package value

import (
	"context"
	"fmt"

	"cutaway/decoders/grammar"
	"cutaway/decoders/lang"
	"cutaway/decoders/usda"
	"cutaway/decoders/usdc/table"
	"cutaway/model"
)

// splineScalars are the encodings of the values of usda.SplineValues.
var splineScalars = []table.Scalar{table.NoScalar, table.ScalarF64, table.ScalarF32, table.ScalarF16, table.ScalarF64, table.ScalarF64}

var (
	splineHeader1 = []lang.Part{
		lang.B("dataVersion", 4, "of the spline's data: 1 to 4"),
		lang.B("valueType", 2, "of the knots' values", usda.SplineValues...),
		lang.B("valuesAreTimes", 1, ""),
		lang.B("curveType", 1, "Bezier curves have tangent widths", usda.CurveTypes...),
	}
	splineHeader1v3 = []lang.Part{
		lang.B("dataVersion", 4, "of the spline's data: 1 to 4"),
		lang.B("valueType", 3, "of the knots' values", usda.SplineValues...),
		lang.B("curveType", 1, "Bezier curves have tangent widths", usda.CurveTypes...),
	}
)

// showHeader1 shows the first header as its parts, which depend on the version that it says.
func showHeader1(_ grammar.Scope, v grammar.Value, n *model.Node) {
	bits, ok := v.Uint()
	if !ok {
		return
	}
	parts := splineHeader1
	if bits&15 >= 3 {
		parts = splineHeader1v3
	}
	n.Children = lang.PartsOf(bits, n.Span(), parts)
}

// checkKnots finds the first knot that the knot data do not hold.
func checkKnots(s grammar.Scope, v grammar.Value) (model.Problem, bool) {
	vs, data := valuesOf(s), s.Object()
	count, _ := v.Int()
	header1 := grammar.IntValue(s.Number("header1"))
	off, end := s.Span(data.Record().Field("knotCount")).End(), data.Stream().End
	pass := grammar.Borrow(s.Reading().Context())
	defer pass.Return()
	record := vs.plan.Record("knot")
	for i := range count {
		knot := record.Read(pass, vs.session, vs.stream, off, header1)
		next, whole := knot.End(), knot.OK()
		knot.Release(pass)
		if !whole || next > end {
			return model.Problemf(model.Truncated, "", model.Span{}, "the knot data end inside knot %d of %d", i, count).
				Want(fmt.Sprintf("%d bytes", next-off), end-off), true
		}
		off = next
	}
	return model.Problem{}, false
}

// showKnots shows the list of knots.
func showKnots(_ grammar.Scope, v grammar.Value, n *model.Node) {
	n.Brief, n.Elements = usda.Plural(v.List().Known(), "knot", "knots"), true
}

// showKnot shows a knot by its time, its value and what follows it.
func showKnot(s grammar.Scope, v grammar.Value, n *model.Node) {
	n.Help = ""
	if knot := v.Object(); knot != nil && knot.OK() {
		ctx := s.Reading().Context()
		flags := knot.Uint(ctx, knot.Record().Field("flags"))
		time, value := n.Children.At(ctx, 1).Value, n.Children.At(ctx, 2).Value
		n.Brief = fmt.Sprintf("%s: %s, %s", model.Show(ctx, time, 32), model.Show(ctx, value, 32), usda.Interpolations[flags>>1&3])
	}
}

// fillSpline makes children of the headers' parts, of the knots with their custom data, and of custom data that
// no knot has the time of.
func (in *nodes) fillSpline(ctx context.Context, n *model.Node, t *storedValue) {
	n.Brief = usda.Plural(0, "knot", "knots")
	custom := in.knotCustomData(ctx, t)
	var children []model.Node
	var knots model.Children
	if data := t.object.Inner(ctx, t.object.Record().Field("")); data != nil {
		children, knots = splineFields(ctx, data, custom)
	}
	if knots != nil {
		count, _ := knots.Len(ctx)
		n.Brief = usda.Plural(count, "knot", "knots")
	}
	children = append(children, strayData(ctx, knots, custom)...)
	if len(children) > 0 {
		n.Children = model.NewList(children...)
	}
}

// splineFields returns the fields of the knot data: the bits of the first headers, the numbers after them, the knots.
func splineFields(ctx context.Context, data *grammar.Object, custom []knotData) (children []model.Node, knots model.Children) {
	for _, f := range data.Nodes(ctx) {
		switch f.Name {
		case "header1", "header2":
			for k := int64(0); f.Children != nil; k++ {
				if n, _ := f.Children.Len(ctx); k == n {
					break
				}
				if b := f.Children.At(ctx, k); b.Name != "unused" {
					children = append(children, b)
				}
			}
		case "header3", "knotCount":
		case "knots":
			knots = f.Children
			all, _ := knots.Len(ctx)
			f.Elements = false
			f.Children = &model.Rows{Count: all, Make: func(ctx context.Context, i int64) model.Node {
				return withCustomData(ctx, knots.At(ctx, i), custom)
			}}
			children = append(children, f)
		default:
			if f.Span().Len > 0 {
				children = append(children, f)
			}
		}
	}
	return children, knots
}

// knotData is the custom data of a knot.
type knotData struct {
	time float64
	node model.Node
}

// knotCustomData finds the custom data of the knots.
func (in *nodes) knotCustomData(ctx context.Context, t *storedValue) []knotData {
	l := t.object.List(ctx, t.object.Record().Field("customData"))
	if l == nil {
		return nil
	}
	var all []knotData
	for i := range l.Known() {
		o := l.Object(ctx, i)
		if o == nil || o.End() == o.Start() {
			break
		}
		time, _ := o.Value(ctx, o.Record().Field("time"))
		d := knotData{}
		d.time, _ = time.Float()
		d.node = model.Node{Name: "customData", Type: "dictionary", Spans: in.values.leafSpans(ctx, o)}
		in.fillDictionary(ctx, &d.node, o)
		all = append(all, d)
	}
	return all
}

// withCustomData adds to a knot the custom data of its time.
func withCustomData(ctx context.Context, n model.Node, data []knotData) model.Node {
	if len(data) == 0 || n.Children == nil {
		return n
	}
	count, _ := n.Children.Len(ctx)
	fields := make([]model.Node, 0, count+1)
	for i := range count {
		fields = append(fields, n.Children.At(ctx, i))
	}
	if len(fields) < 2 {
		return n // ctx has ended
	}
	for _, d := range data {
		if at, ok := model.FloatOf(fields[1].Value); ok && d.time == at {
			n.Children = model.NewList(append(fields, d.node)...)
		}
	}
	return n
}

// strayData returns the custom data that no knot has the time of.
func strayData(ctx context.Context, knots model.Children, data []knotData) []model.Node {
	if len(data) == 0 {
		return nil
	}
	times := map[float64]bool{}
	if knots != nil {
		count, _ := knots.Len(ctx)
		for i := range count {
			fields := knots.At(ctx, i).Children
			if fields == nil {
				continue
			}
			if n, _ := fields.Len(ctx); n > 1 { // else ctx has ended
				at, ok := model.FloatOf(fields.At(ctx, 1).Value)
				times[at] = times[at] || ok
			}
		}
	}
	var stray []model.Node
	for _, d := range data {
		if times[d.time] {
			continue
		}
		d.node.Problems = append(d.node.Problems, model.Problemf(model.Suspicious, "usdc.spline.stray-data", d.node.Span(),
			"custom data for time %v, at which there is no knot", d.time))
		stray = append(stray, d.node)
	}
	return stray
}

// SplineVersion returns the version of the data of a spline, or 0 if it cannot be read.
func (vs *Values) SplineVersion(ctx context.Context, r table.Rep) uint8 {
	spline := vs.record(r)
	header1 := spline.Offset(spline.Field(""))
	var b [1]byte
	if _, err := vs.crate.Src.ReadFull(ctx, b[:], r.Payload()+header1); err != nil {
		return 0
	}
	return b[0] & 0xF
}
