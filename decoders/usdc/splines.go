package usdc

import (
	"context"
	"encoding/binary"
	"fmt"
	"math"

	"cutaway/model"
)

// splineValue is a value type of splines: its name and the encoding of a value.
type splineValue struct {
	name   string
	scalar scalar
}

var splineValues = []splineValue{{"unspecified", noScalar}, {"double", scalarF64}, {"float", scalarF32}, {"half", scalarF16},
	{"timecode", scalarF64}}

var (
	extrapolations  = []string{"value block", "held", "linear", "sloped", "loop repeat", "loop reset", "loop oscillate"}
	interpolations  = []string{"value block", "held", "linear", "curve"}
	curveTypes      = []string{"bezier", "hermite"}
	tangentRules    = []string{"none", "custom", "auto ease"}
	splineHeader1   = []bitField{{"dataVersion", 4, "1, 2 or 3"}, {"valueType", 2, "of the knots' values"}, {"valuesAreTimes", 1, ""}, {"curveType", 1, "Bezier curves have tangent widths"}}
	splineHeader1v3 = []bitField{{"dataVersion", 4, "1, 2 or 3"}, {"valueType", 3, "of the knots' values"}, {"curveType", 1, "Bezier curves have tangent widths"}}
	splineHeader2   = []bitField{{"preExtrapolation", 3, "before the first knot"}, {"postExtrapolation", 3, "behind the last knot"}, {"innerLoops", 1, "loop parameters follow"}, {"unused", 1, "0"}}
	splineHeader3   = []bitField{{"preBoundary", 1, "a time for the loops before the knots follows"}, {"postBoundary", 1, "a time for the loops behind the knots follows"}, {"unused", 6, "0"}}
	knotFlags       = []bitField{{"dualValued", 1, "the knot has a value of its own for its left side"}, {"interpolation", 2, "of the segment behind the knot"},
		{"curveType", 1, ""}, {"preTangentMaya", 1, "by early writers"}, {"postTangentMaya", 1, "by early writers"}, {"unused", 2, "0"}}
	knotAlgorithms = []bitField{{"preTangent", 4, "how it was made"}, {"postTangent", 4, "how it was made"}}
)

const (
	sloped      = 3 // the extrapolation that has a slope
	dualValued  = 1 // bit of a knot's flags
	splineLoops = 1 << 6
)

// splineForm is what the first headers say of a spline's bytes.
type splineForm struct {
	version int
	value   splineValue
	number  int // of the value type
	times   bool
	hermite bool
}

func splineFormOf(header1 uint64) splineForm {
	f := splineForm{version: int(header1 & 15), number: int(header1 >> 4 & 3), hermite: header1&0x80 != 0}
	if f.version >= 3 {
		f.number = int(header1 >> 4 & 7)
	} else {
		f.times = header1&0x40 != 0
	}
	if f.number < len(splineValues) {
		f.value = splineValues[f.number]
	}
	return f
}

// knotSize is the size of a knot with the given flags.
func (f *splineForm) knotSize(flags byte) int64 {
	v := f.value.scalar.size()
	n := 1 + 8 + v + 2*v
	if flags&dualValued != 0 {
		n += v
	}
	if !f.hermite {
		n += 16
	}
	if f.version >= 2 {
		n++
	}
	return n
}

// spline walks a spline (12.8): the knot data, which end where their size says, and the knots' custom data.
func (w *walker) spline(ctx context.Context) {
	n, ok := w.counted(ctx, partKnotBytes, 8, 1)
	if !ok {
		return
	}
	if n > 0 {
		end := w.at + n
		outerEnd := w.end
		w.end = end
		w.knotData(ctx)
		w.end = outerEnd
		if w.at < end && !w.emit(partSpare, end-w.at, 0) {
			return
		}
	}
	count, ok := w.counted(ctx, partDataCount, 8, knotDataSize)
	for i := int64(0); ok && i < count; i++ {
		w.item = int32(i)
		ok = w.number(ctx, partKnotTime, 8) && w.dictionary(ctx)
	}
}

// knotData walks the knot data up to w.end.
func (w *walker) knotData(ctx context.Context) {
	at := w.at
	header1, ok := w.read(ctx, partHeader1, 1)
	if !ok {
		return
	}
	f := splineFormOf(header1)
	switch {
	case f.version < 1 || f.version > 3:
		w.fail(model.Problemf(model.Malformed, "usdc.spline.version", w.where(at, 1),
			"spline data version %d is not known", f.version).Want("1 to 3", f.version))
		return
	case f.number >= len(splineValues):
		w.fail(model.Problemf(model.Malformed, "usdc.spline.value-type", w.where(at, 1),
			"a spline has no value type %d", f.number).Want(fmt.Sprintf("below %d", len(splineValues)), f.number))
		return
	}
	header2, ok := w.read(ctx, partHeader2, 1)
	if !ok || f.version >= 3 && !w.boundaries(ctx) ||
		header2&7 == sloped && !w.number(ctx, partPreSlope, 8) ||
		header2>>3&7 == sloped && !w.number(ctx, partPostSlope, 8) ||
		header2&splineLoops != 0 && !w.loops(ctx) {
		return
	}
	if f.value.scalar != noScalar && !w.knots(ctx, &f) {
		return
	}
	if left := w.end - w.at; left > 0 {
		w.fail(model.Problemf(model.Malformed, "usdc.spline.leftover", w.where(w.at, left),
			"%d bytes of the knot data belong to no knot", left).Want("nothing", left))
	}
}

// boundaries walks the third header and the times that it announces.
func (w *walker) boundaries(ctx context.Context) bool {
	header3, ok := w.read(ctx, partHeader3, 1)
	return ok && (header3&1 == 0 || w.number(ctx, partPreBoundary, 8)) && (header3&2 == 0 || w.number(ctx, partPostBoundary, 8))
}

func (w *walker) loops(ctx context.Context) bool {
	return w.number(ctx, partLoopStart, 8) && w.number(ctx, partLoopEnd, 8) && w.number(ctx, partLoopsBefore, 4) &&
		w.number(ctx, partLoopsAfter, 4) && w.number(ctx, partLoopOffset, 8)
}

// knots walks the knot count and the knots, which are one part.
func (w *walker) knots(ctx context.Context, f *splineForm) bool {
	at := w.at
	n, ok := w.counted(ctx, partKnotCount, 4, f.knotSize(0))
	if !ok || n == 0 {
		return ok
	}
	end := w.at
	for i := range n {
		size := f.knotSize(0)
		if end < w.end {
			flags, err := w.in.get(ctx, end, 1)
			if err != nil {
				return w.fail(model.AsProblem(err, "usdc.read", w.where(end, 1)))
			}
			size = f.knotSize(flags[0])
		}
		if size > w.end-end {
			return w.fail(model.Problemf(model.Truncated, "usdc.spline.knots", w.where(at, 4),
				"the knot data end inside knot %d of %d", i, n).Want(fmt.Sprintf("%d bytes", size), w.end-end))
		}
		end += size
	}
	return w.emit(partKnots, end-w.at, uint64(n))
}

// fillSplineHeader sets the bit fields of a header.
func (c *crate) fillSplineHeader(n *model.Node, t *taken, p *part) {
	n.Value = model.Uint(p.raw)
	fields := map[partKind][]bitField{partHeader1: splineHeader1, partHeader2: splineHeader2, partHeader3: splineHeader3}[p.kind]
	if p.kind == partHeader1 && splineFormOf(p.raw).version >= 3 {
		fields = splineHeader1v3
	}
	n.Children = bitRows(p.raw, n.Spans[0], fields, nameSplineBits)
}

// nameSplineBits gives the numbers in bit fields of splines their names.
func nameSplineBits(n *model.Node, got uint64) {
	switch n.Name {
	case "valueType":
		s := model.Symbol{Number: int64(got)}
		if got < uint64(len(splineValues)) {
			s.Name = splineValues[got].name
		}
		n.Value = s
	case "curveType":
		n.Value = symbols(got, curveTypes)
	case "preExtrapolation", "postExtrapolation":
		n.Value = symbols(got, extrapolations)
	case "interpolation":
		n.Value = symbols(got, interpolations)
	case "preTangent", "postTangent":
		n.Value = symbols(got, tangentRules)
	}
}

// knotList is the knots of a spline, each at its own offset.
type knotList struct {
	c    *crate
	form splineForm
	offs []int64 // of the knots, and of the end of the last
}

// knotsOf finds the knots; nil where there are none.
func (c *crate) knotsOf(ctx context.Context, t *taken) *knotList {
	p, header := t.find(partKnots), t.find(partHeader1)
	if p == nil || header == nil {
		return nil
	}
	t.knotsOnce.Do(func() {
		k := &knotList{c: c, form: splineFormOf(header.raw), offs: make([]int64, 0, p.raw+1)}
		in := nearby{src: c.src}
		off := p.off
		for off < p.end() {
			k.offs = append(k.offs, off)
			flags, err := in.get(ctx, off, 1)
			if err != nil {
				break
			}
			off += k.form.knotSize(flags[0])
		}
		k.offs = append(k.offs, off)
		t.knots = k
	})
	return t.knots
}

// knotsNode is the knots as a leaf of elements.
func (c *crate) knotsNode(ctx context.Context, n model.Node, t *taken, p *part) model.Node {
	n.Type, n.Brief, n.Elements = "knot[]", plural(int64(p.raw), "knot", "knots"), true
	k := c.knotsOf(ctx, t)
	n.Children = &model.Rows{Count: int64(len(k.offs) - 1), Make: func(ctx context.Context, i int64) model.Node { return k.node(ctx, i) }}
	return n
}

// node is knot i with its fields.
func (k *knotList) node(ctx context.Context, i int64) model.Node {
	off, end := k.offs[i], k.offs[i+1]
	n := model.Node{Name: model.IndexName(i), Type: "knot", Spans: []model.Span{k.c.src.Span(off, end-off)}}
	b, err := k.c.src.Bytes(ctx, off, end-off)
	if err != nil {
		n.Problems = append(n.Problems, model.AsProblem(err, "usdc.read", n.Spans[0]))
		return n
	}
	var fields []model.Node
	at := int64(0)
	add := func(name string, s scalar, help string) model.Value {
		v, _ := k.c.component(ctx, s, false, b[at:])
		fields = append(fields, model.Node{Name: name, Type: scalarNames[s], Value: v, Help: help,
			Spans: []model.Span{k.c.src.Span(off+at, s.size())}})
		at += s.size()
		return v
	}
	bits := func(name string, parts []bitField) {
		add(name, scalarU8, "")
		f := &fields[len(fields)-1]
		f.Children = bitRows(uint64(b[at-1]), f.Spans[0], parts, nameSplineBits)
	}
	v := k.form.value.scalar
	bits("flags", knotFlags)
	time := add("time", scalarF64, "")
	value := add("value", v, "")
	if b[0]&dualValued != 0 {
		add("preValue", v, "the value on the knot's left side")
	}
	if !k.form.hermite {
		add("preTangentWidth", scalarF64, "in time")
		add("postTangentWidth", scalarF64, "in time")
	}
	add("preTangentSlope", v, "")
	add("postTangentSlope", v, "")
	if k.form.version >= 2 {
		bits("tangentAlgorithms", knotAlgorithms)
	}
	n.Brief = fmt.Sprintf("%s: %s, %s", model.Show(ctx, time, 32), model.Show(ctx, value, 32), interpolations[b[0]>>1&3])
	n.Children = model.NewList(fields...)
	return n
}

// time is the time of knot i.
func (k *knotList) time(ctx context.Context, in *nearby, i int) float64 {
	b, err := in.get(ctx, k.offs[i]+1, 8)
	if err != nil {
		return math.NaN()
	}
	return math.Float64frombits(binary.LittleEndian.Uint64(b))
}

// fillSpline makes children of what the headers say, of the knots with their custom data, and of custom data that
// no knot has the time of.
func (c *crate) fillSpline(ctx context.Context, n *model.Node, t *taken, in *outer) {
	k := c.knotsOf(ctx, t)
	n.Brief = plural(0, "knot", "knots")
	data := c.knotCustomData(t, in)
	var children []model.Node
	for i := range t.parts {
		p := &t.parts[i]
		switch p.kind {
		case partHeader1, partHeader2, partHeader3:
			header := c.partNode(ctx, t, p)
			count, _ := header.Children.Len(ctx)
			for f := range count {
				if b := header.Children.At(ctx, f); b.Name != "unused" && p.kind != partHeader3 {
					children = append(children, b)
				}
			}
		case partPreBoundary, partPostBoundary, partPreSlope, partPostSlope, partLoopStart, partLoopEnd, partLoopsBefore,
			partLoopsAfter, partLoopOffset:
			children = append(children, c.partNode(ctx, t, p))
		case partKnots:
			knots := c.knotsNode(ctx, c.plainPart(p), t, p)
			knots.Elements = false
			knots.Children = &model.Rows{Count: int64(len(k.offs) - 1), Make: func(ctx context.Context, i int64) model.Node {
				return withCustomData(ctx, k.node(ctx, i), data)
			}}
			children = append(children, knots)
			n.Brief = knots.Brief
		}
	}
	children = append(children, c.strayData(ctx, k, data)...)
	if len(children) > 0 {
		n.Children = model.NewList(children...)
	}
}

func (c *crate) plainPart(p *part) model.Node {
	info := &partInfos[p.kind]
	return model.Node{Name: p.name(), Type: info.typ, Help: info.help, Spans: []model.Span{c.src.Span(p.off, p.len)}}
}

// knotData is the custom data of a knot.
type knotData struct {
	time float64
	node model.Node
}

// knotCustomData finds the custom data of the knots.
func (c *crate) knotCustomData(t *taken, in *outer) []knotData {
	var all []knotData
	for _, g := range split(t.parts, func(p *part) int32 { return p.item }) {
		if g[0].kind != partKnotTime {
			continue
		}
		d := knotData{time: math.Float64frombits(g[0].raw)}
		d.node = model.Node{Name: "customData", Type: "dictionary", Spans: (&taken{parts: g}).spans(c.src)}
		c.fillDictionary(&d.node, g[1:], in)
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
	for _, d := range data {
		if d.time == number(fields[1].Value) {
			n.Children = model.NewList(append(fields, d.node)...)
		}
	}
	return n
}

// strayData is the custom data that no knot has the time of.
func (c *crate) strayData(ctx context.Context, k *knotList, data []knotData) []model.Node {
	if len(data) == 0 {
		return nil
	}
	times := map[float64]bool{}
	if k != nil {
		in := nearby{src: c.src}
		for i := range len(k.offs) - 1 {
			times[k.time(ctx, &in, i)] = true
		}
	}
	var stray []model.Node
	for _, d := range data {
		if times[d.time] {
			continue
		}
		d.node.Problems = append(d.node.Problems, model.Problemf(model.Suspicious, "usdc.spline.stray-data", d.node.Spans[0],
			"custom data for time %v, at which there is no knot", d.time))
		stray = append(stray, d.node)
	}
	return stray
}
