package usdc

import (
	"context"
	"fmt"

	"cutaway/decoders/grammar"
	"cutaway/decoders/usda"
	"cutaway/model"
)

// splineScalars are the encodings of the values of usda.SplineValues.
var splineScalars = []scalar{noScalar, scalarF64, scalarF32, scalarF16, scalarF64}

var (
	splineHeader1 = []grammar.Bit{
		grammar.Part("dataVersion", 4, "of the spline's data: 1, 2 or 3"),
		grammar.Part("valueType", 2, "of the knots' values", usda.SplineValues...),
		grammar.Part("valuesAreTimes", 1, ""),
		grammar.Part("curveType", 1, "Bezier curves have tangent widths", usda.CurveTypes...),
	}
	splineHeader1v3 = []grammar.Bit{
		grammar.Part("dataVersion", 4, "of the spline's data: 1, 2 or 3"),
		grammar.Part("valueType", 3, "of the knots' values", usda.SplineValues...),
		grammar.Part("curveType", 1, "Bezier curves have tangent widths", usda.CurveTypes...),
	}
	splineHeader2 = []grammar.Bit{
		grammar.Part("preExtrapolation", 3, "before the first knot", usda.Extrapolations...),
		grammar.Part("postExtrapolation", 3, "after the last knot", usda.Extrapolations...),
		grammar.Part("innerLoops", 1, "loop parameters follow"),
		grammar.Part("unused", 1, "always 0"),
	}
	splineHeader3 = []grammar.Bit{
		grammar.Part("preBoundary", 1, "a time for the loops before the knots follows"),
		grammar.Part("postBoundary", 1, "a time for the loops after the knots follows"),
		grammar.Part("unused", 6, "always 0"),
	}
	knotFlags = []grammar.Bit{
		grammar.Part("dualValued", 1, "the knot has a value of its own for its left side"),
		grammar.Part("interpolation", 2, "of the segment after the knot", usda.Interpolations...),
		grammar.Part("curveType", 1, "", usda.CurveTypes...),
		grammar.Part("preTangentMaya", 1, "by early writers"),
		grammar.Part("postTangentMaya", 1, "by early writers"),
		grammar.Part("unused", 2, "always 0"),
	}
	knotAlgorithms = []grammar.Bit{
		grammar.Part("preTangent", 4, "how it was made", usda.TangentRules...),
		grammar.Part("postTangent", 4, "how it was made", usda.TangentRules...),
	}
)

const (
	dualValued  = 1 // bit of a knot's flags
	splineLoops = 1 << 6
)

// splineHeader is what the first header says of a spline's bytes.
type splineHeader struct {
	version int
	number  int    // of the value type
	scalar  scalar // of the values, or noScalar if there is no such type
	hermite bool
}

func splineHeaderOf(header1 uint64) splineHeader {
	h := splineHeader{version: int(header1 & 15), number: int(header1 >> 4 & 3), hermite: header1&0x80 != 0}
	if h.version >= 3 {
		h.number = int(header1 >> 4 & 7)
	}
	if h.number < len(splineScalars) {
		h.scalar = splineScalars[h.number]
	}
	return h
}

// leastKnot is the size of a knot with one value only.
func (h *splineHeader) leastKnot() int64 {
	n := 1 + 8 + 3*h.scalar.size()
	if !h.hermite {
		n += 16
	}
	if h.version >= 2 {
		n++
	}
	return n
}

// newSpline is the description of splines (12.8): the knot data, which end where their size says, and the knots' custom
// data.
func newSpline() *grammar.Record {
	size := counter("knotDataSize", grammar.U64, "size in bytes of the knot data that follow; 0: an empty spline", atLeast(1))
	count := counter("customDataCount", grammar.U64, "number of knots with custom data", atLeast(knotDataSize))
	custom := append([]*grammar.Field{grammar.F("time", grammar.F64, "time of the knot that the dictionary belongs to")},
		things("entries", atLeast(entrySize), structures.entry)...)
	return grammar.NewRecord("Spline",
		size, grammar.F("", newKnotData(), "").Sized(grammar.Ref("knotDataSize")).If(positive(size)),
		count, grammar.F("customData", grammar.NewRecord("customData", custom...), "").Times(grammar.Ref("customDataCount")))
}

// newKnotData is the description of the headers and the knots of a spline.
func newKnotData() *grammar.Record {
	header1 := grammar.F("header1", grammar.U8, "data version, value type and curve type").Ends(checkSplineHeader).
		Shown(func(s grammar.Scope, v grammar.Value, n *model.Node) {
			fields := splineHeader1
			if bits, _ := v.Uint(); splineHeaderOf(bits).version >= 3 {
				fields = splineHeader1v3
			}
			showBits(fields)(s, v, n)
		})
	header2 := grammar.F("header2", grammar.U8, "extrapolation and loops").Shown(showBits(splineHeader2))
	header3 := grammar.F("header3", grammar.U8, "which loop boundary times follow").Shown(showBits(splineHeader3))
	header := func(s grammar.Scope) splineHeader { return splineHeaderOf(uint64(s.Int(header1))) }
	when := func(f *grammar.Field, mask, bits int64) grammar.Expr {
		return grammar.When(func(s grammar.Scope) bool { return s.Int(f)&mask == bits })
	}
	number := func(name string, of grammar.Type, help string, condition grammar.Expr) *grammar.Field {
		return grammar.F(name, of, help).If(condition)
	}
	loops := when(header2, splineLoops, splineLoops)
	count := counter("knotCount", grammar.U32, "number of knots that follow", func(s grammar.Scope) int64 {
		h := header(s)
		return h.leastKnot()
	})
	count.If(grammar.When(func(s grammar.Scope) bool { return header(s).scalar != noScalar }))
	count.Ends(func(s grammar.Scope, v grammar.Value) (model.Problem, bool) {
		n, _ := v.Int()
		return checkKnots(s, s.Span(count).End(), n, grammar.IntValue(s.Int(header1)))
	})
	return grammar.NewRecord("knot data", header1, header2,
		header3.If(grammar.When(func(s grammar.Scope) bool { return header(s).version >= 3 })),
		number("preLoopBoundary", grammar.F64, "time up to which the loop before the knots runs", when(header3, 1, 1)),
		number("postLoopBoundary", grammar.F64, "time up to which the loop after the knots runs", when(header3, 2, 2)),
		number("preSlope", grammar.F64, "slope before the first knot", when(header2, 7, usda.Sloped)),
		number("postSlope", grammar.F64, "slope after the last knot", when(header2, 7<<3, usda.Sloped<<3)),
		number("loopStart", grammar.F64, "time at which the inner loop's prototype begins", loops),
		number("loopEnd", grammar.F64, "time at which the inner loop's prototype ends", loops),
		number("loopsBefore", grammar.I32, "copies before the prototype", loops),
		number("loopsAfter", grammar.I32, "copies after the prototype", loops),
		number("loopValueOffset", grammar.F64, "added to the values with each copy", loops),
		count,
		grammar.F("knots", grammar.Call(structures.knot, grammar.Ref("header1")), "the spline's knots").
			Times(grammar.Ref("knotCount")).If(positive(count)).Together().Shown(showKnots))
}

func checkSplineHeader(_ grammar.Scope, v grammar.Value) (model.Problem, bool) {
	header1, _ := v.Uint()
	switch h := splineHeaderOf(header1); {
	case h.version < 1 || h.version > 3:
		return model.Problemf(model.Malformed, "usdc.spline.version", model.Span{},
			"spline data version %d is not known", h.version).Want("1 to 3", h.version), true
	case h.number >= len(usda.SplineValues):
		return model.Problemf(model.Malformed, "usdc.spline.value-type", model.Span{},
			"a spline has no value type %d", h.number).Want(fmt.Sprintf("below %d", len(usda.SplineValues)), h.number), true
	}
	return model.Problem{}, false
}

// checkKnots holds n knots against the end of the knot data.
func checkKnots(s grammar.Scope, off, n int64, header1 grammar.Value) (model.Problem, bool) {
	c, end := crateOf(s), s.Object().Stream().End
	pass := grammar.Borrow(s.Reading().Context())
	defer pass.Return()
	for i := range n {
		knot := structures.knot.Read(pass, c.session, c.stream, off, header1)
		next, whole := knot.End(), knot.OK()
		knot.Release(pass)
		if !whole || next > end {
			return model.Problemf(model.Truncated, "usdc.spline.knots", model.Span{},
				"the knot data end inside knot %d of %d", i, n).Want(fmt.Sprintf("%d bytes", next-off), end-off), true
		}
		off = next
	}
	return model.Problem{}, false
}

// newKnot is the description of a knot, which is given the first header.
func newKnot() *grammar.Record {
	header := func(s grammar.Scope) splineHeader {
		header1, _ := s.Object().Arg(0).Uint()
		return splineHeaderOf(header1)
	}
	double, float, half := grammar.F64.Named("double"), grammar.F32.Named("float"), grammar.F16.Named("half")
	value := &grammar.Switch{On: grammar.Const(0), Types: []grammar.Type{double, float, half},
		Pick: func(s grammar.Scope, _ grammar.Value) (grammar.Type, error) {
			switch header(s).scalar {
			case scalarF16:
				return half, nil
			case scalarF32:
				return float, nil
			}
			return double, nil
		}}
	bezier := grammar.When(func(s grammar.Scope) bool { return !header(s).hermite })
	flags := grammar.F("flags", grammar.U8.Named("uchar"), "").Shown(showBits(knotFlags))
	return grammar.NewRecord("knot", flags,
		grammar.F("time", double, ""),
		grammar.F("value", value, ""),
		grammar.F("preValue", value, "the value on the knot's left side").If(grammar.HasBits(grammar.Ref("flags"), grammar.Const(dualValued))),
		grammar.F("preTangentWidth", double, "in time").If(bezier),
		grammar.F("postTangentWidth", double, "in time").If(bezier),
		grammar.F("preTangentSlope", value, ""),
		grammar.F("postTangentSlope", value, ""),
		grammar.F("tangentAlgorithms", grammar.U8.Named("uchar"), "").Shown(showBits(knotAlgorithms)).
			If(grammar.When(func(s grammar.Scope) bool { return header(s).version >= 2 })),
	).With("header1")
}

// showKnots completes the node of the knots, or of one of them.
func showKnots(s grammar.Scope, v grammar.Value, n *model.Node) {
	ctx := s.Reading().Context()
	if l := v.List(); l != nil {
		n.Brief, n.Elements = plural(l.Known(), "knot", "knots"), true
		return
	}
	n.Help = ""
	if knot := v.Object(); knot != nil && knot.OK() {
		flags := knot.Uint(ctx, structures.knot.Field("flags"))
		time, value := n.Children.At(ctx, 1).Value, n.Children.At(ctx, 2).Value
		n.Brief = fmt.Sprintf("%s: %s, %s", model.Show(ctx, time, 32), model.Show(ctx, value, 32), usda.Interpolations[flags>>1&3])
	}
}

// fillSpline makes children of what the headers say, of the knots with their custom data, and of custom data that
// no knot has the time of.
func (c *crate) fillSpline(ctx context.Context, n *model.Node, t *storedValue, in *enclosing) {
	n.Brief = plural(0, "knot", "knots")
	custom := c.knotCustomData(ctx, t, in)
	var children []model.Node
	var knots model.Children
	if data := t.object.Inner(ctx, t.object.Record().Field("")); data != nil {
		children, knots = splineFields(ctx, data, custom)
	}
	if knots != nil {
		count, _ := knots.Len(ctx)
		n.Brief = plural(count, "knot", "knots")
	}
	children = append(children, strayData(ctx, knots, custom)...)
	if len(children) > 0 {
		n.Children = model.NewList(children...)
	}
}

// splineFields are the fields of the knot data: the bits of the first headers, the numbers after them, the knots.
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
func (c *crate) knotCustomData(ctx context.Context, t *storedValue, in *enclosing) []knotData {
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
		d.node = model.Node{Name: "customData", Type: "dictionary", Spans: c.leafSpans(ctx, o)}
		c.fillDictionary(ctx, &d.node, o, in)
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

// strayData is the custom data that no knot has the time of.
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
