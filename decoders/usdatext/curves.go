package usdatext

import (
	"context"
	"math"
	"slices"
	"strings"

	"cutaway/decoders/usda"
	"cutaway/model"
)

// A sampleSpan is the time of a sample and its byte range.
type sampleSpan struct {
	time     float64
	off, end int64
}

// samples reads time samples into n: times now, values on demand.
func (p *parser) samples(n *model.Node, typ string) {
	if !p.accept("{") {
		p.fail("{")
		p.skipValue()
		return
	}
	all := sorted(p.samplePlaces(typ))
	n.Brief = plural(int64(len(all)), "sample", "samples")
	l := p.l
	if len(all) == 0 {
		return
	}
	n.Children = &sampleRows{all, model.Rows{Count: int64(len(all)), Make: func(ctx context.Context, i int64) model.Node {
		return l.sample(ctx, i, all[i], typ)
	}, ByByte: func(_ context.Context, src *model.Source, off int64) (int64, bool) {
		i := slices.IndexFunc(all, func(s sampleSpan) bool { return l.src.Span(s.off, s.end-s.off).Covers(src, off) })
		return int64(i), i >= 0
	}}}
	n.Cards = (&usda.Samples{Count: int64(len(all)), Time: func(ctx context.Context, i int64) model.Node {
		return l.sample(ctx, i, all[i], typ).Children.At(ctx, 0)
	}, Value: func(ctx context.Context, i int64) model.Node {
		return l.sample(ctx, i, all[i], typ).Children.At(ctx, 1)
	}}).Cards
}

// sampleRows are the nodes of samples.
type sampleRows struct {
	places []sampleSpan
	model.Rows
}

// samplePlaces returns the spans of all samples and consumes the closing brace. Readers accept only one value of an unknown
// type.
func (p *parser) samplePlaces(typ string) []sampleSpan {
	var all []sampleSpan
	_, known := usda.TypeOf(strings.TrimSuffix(typ, "[]"))
	values := 0
	for !p.accept("}") {
		if p.tok.kind == usda.End {
			p.fail("}")
			break
		}
		at := sampleSpan{off: p.tok.off}
		around := p.begin(p.strayed)
		time, ok := p.atom(usda.Double).(model.Float64)
		if !ok || !p.accept(":") {
			p.fail("a time and :")
			p.goOn(around)
			continue
		}
		at.time = float64(time)
		if !p.nextIs("None") && p.tok.kind != usda.PathRef {
			values++
		}
		if values > 1 && !known {
			p.fail("at most one sample: " + typ + " is no known type")
		}
		if p.nextIs("edit") {
			p.next()
		}
		if _, ok := p.known(); !ok {
			p.skipValue()
		}
		p.goOn(around)
		at.end = p.before
		all = append(all, at)
		if !p.comma() && !p.nextIs("}") {
			p.fail(", or }")
		}
	}
	return all
}

// sampleValue is the name of the value of a sample.
const sampleValue = "value"

// sample returns the node of a sample.
func (l *layer) sample(ctx context.Context, i int64, at sampleSpan, typ string) model.Node {
	p := l.parser(ctx, at.off, at.end, nil)
	s := model.Node{Name: model.IndexName(i), Type: "sample"}
	off := p.tok.off
	time := p.done(model.Node{Name: "time", Type: "double", Value: p.atom(usda.Double)}, off)
	p.accept(":")
	v := p.attributeValue(sampleValue, typ)
	if v.Value != nil {
		s.Value = model.Tuple{time.Value, v.Value}
	} else {
		s.Brief = model.Show(ctx, time.Value, 32) + ": " + v.Brief
	}
	s.Problems = v.Problems
	s.Children = model.NewList(time, v)
	return p.done(s, off)
}

// compareTimes orders times. NaN equals every time, so that a stable sort leaves it in its position.
func compareTimes(a, b float64) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

// sorted sorts samples by time; of those with equal times it keeps the last.
func sorted(all []sampleSpan) []sampleSpan {
	slices.SortStableFunc(all, func(a, b sampleSpan) int { return compareTimes(a.time, b.time) })
	kept := all[:0]
	for i, s := range all {
		if i+1 < len(all) && all[i+1].time == s.time {
			continue
		}
		kept = append(kept, s)
	}
	return kept
}

func bit(name string, v bool) model.Node {
	return model.Node{Name: name, Type: "bit", Value: model.Bool(v)}
}

func bits(name string, number int64, words []string) model.Node {
	n := model.Node{Name: name, Type: "bits", Value: model.Uint(number)}
	if words != nil && number >= 0 && number < int64(len(words)) {
		n.Value = model.Symbol{Number: number, Name: words[number]}
	}
	return n
}

var (
	splineScalars   = []usda.Scalar{usda.Double, usda.Double, usda.Float, usda.Half, usda.Double, usda.Double}
	splineScalarsOf = map[string]int64{"double": 1, "float": 2, "half": 3, "timecode": 1, "duration": 5}
)

// splineText holds the parsed text of a spline.
type splineText struct {
	*parser
	valueType int64
	times     bool
	hermite   bool
	modes     [2]int64
	slopes    [2]model.Value
	bounds    [2]model.Value
	loop      []model.Value
	knots     []knotText
	version   int64
}

// knotText holds the parsed text of a knot.
type knotText struct {
	off, end      int64
	time          float64
	value, pre    model.Value
	interpolation int64
	tangents      [2][2]model.Value // width and slope before and after it
	rules         [2]int64
	data          *model.Node
}

// spline reads a spline.
func (p *parser) spline(n *model.Node, typ string) {
	s := &splineText{parser: p, valueType: splineScalarsOf[typ], times: typ == "timecode", modes: [2]int64{usda.Held, usda.Held}, version: 1}
	if _, ok := splineScalarsOf[typ]; !ok {
		p.fail("a spline of a half, float, double, timecode or duration")
	}
	if typ == "duration" {
		s.version = 4
	}
	if !p.accept("{") {
		p.fail("{")
		p.skipValue()
		return
	}
	p.listed("}", func() bool {
		s.item()
		return p.accept(",")
	})
	if s.loop != nil && (s.bounds[0] != nil || s.bounds[1] != nil) {
		p.fail("no boundaries of loops beside an inner loop before it")
	}
	s.nodes(n)
}

// listed calls item until end. item reports whether another may follow. Text that is no item is skipped.
func (p *parser) listed(end string, item func() (more bool)) {
	for !p.accept(end) {
		if p.tok.kind == usda.End {
			p.fail(end)
			return
		}
		off := p.tok.off
		if !item() && !p.nextIs(end) {
			p.fail("a separator, or " + end)
		}
		if p.tok.off == off {
			p.skipValue()
		}
	}
}

func (s *splineText) item() {
	around := s.begin(s.strayed)
	defer func() { s.goOn(around) }()
	word := ""
	if s.tok.kind == usda.Word && !slices.Contains([]string{"inf", "nan"}, string(s.text)) {
		word = s.word()
	}
	if word == "" {
		s.knot()
		return
	}
	s.setting(word)
	if s.tok.newLine && s.nextIs(",") {
		s.strayed()
	}
}

// setting reads what is said of the whole curve.
func (s *splineText) setting(word string) {
	if word == usda.CurveTypes[0] || word == usda.CurveTypes[1] {
		s.hermite = word == usda.CurveTypes[1]
		return
	}
	before, after, joined := strings.Cut(word, ":") // "pre:held" is one word
	if !joined && !s.accept(":") {
		s.fail(":")
	}
	switch before {
	case "pre":
		s.extrapolation(0, after)
	case "post":
		s.extrapolation(1, after)
	case "loop":
		s.loop = s.numbers(5)
		for _, count := range s.loop[min(len(s.loop), 2):min(len(s.loop), 4)] {
			if f, _ := model.FloatOf(count); f != math.Trunc(f) {
				s.fail("whole numbers of loops before it")
			}
		}
	default:
		s.fail("a knot, bezier, hermite, pre, post or loop")
	}
}

func (s *splineText) extrapolation(side int, word string) {
	if word == "" {
		word = s.word()
	}
	isLoop := word == "loop"
	if isLoop {
		word += " " + s.word()
	}
	i := usda.SplineNumber(usda.Extrapolations, word)
	switch {
	case i < 0:
		s.fail("held, linear, sloped(…), loop … or none")
		return
	case i == usda.Sloped || isLoop && s.nextIs("("):
		v := s.numbers(1)
		if i == usda.Sloped && len(v) == 1 {
			s.slopes[side] = v[0]
		} else if len(v) == 1 {
			s.bounds[side], s.version = v[0], max(s.version, 3)
		}
	}
	s.modes[side] = i
}

// numbers reads n numbers in parentheses.
func (s *splineText) numbers(n int) []model.Value {
	if !s.accept("(") {
		s.fail("(")
		return nil
	}
	var list []model.Value
	for i := range n {
		if i > 0 && !s.comma() {
			s.fail(",")
		}
		s.onLine()
		if v := s.atom(usda.Double); v != nil {
			list = append(list, v)
		}
	}
	s.onLine()
	if !s.accept(")") {
		s.fail(")")
	}
	return list
}

// onLine expects the next token on the line of the last one, inside brackets.
func (s *splineText) onLine() {
	if s.tok.newLine {
		s.strayed()
	}
}

// finite reads a finite number.
func (s *splineText) finite(of usda.Scalar) model.Value {
	at := s.tok
	v := s.atom(of)
	if f, ok := model.FloatOf(v); v != nil && (!ok || math.IsInf(f, 0) || math.IsNaN(f)) {
		s.failAt(at, "a finite "+scalarNames[of], model.Show(s.ctx, v, 40))
	}
	return v
}

func (s *splineText) knot() {
	k := knotText{off: s.tok.off, interpolation: usda.Held}
	of := splineScalars[s.valueType]
	zero := numberOf(of, "0")
	k.tangents = [2][2]model.Value{{model.Float64(0), zero}, {model.Float64(0), zero}}
	if s.times && s.valueType == 0 {
		of = usda.Double
	}
	time, ok := s.finite(usda.Double).(model.Float64)
	if !ok || !s.accept(":") {
		s.fail("a time and :")
		return
	}
	k.time = float64(time)
	k.value = s.finite(of)
	if s.accept("&") {
		k.pre, k.value = k.value, s.finite(of)
	}
	s.line.stray = nil // the knot's parameters may be on lines of their own
	for first := true; s.tok.newLine || s.nextIs(";"); first = false {
		if !s.tok.newLine {
			s.next()
		}
		if !first && (s.nextIs(",") || s.nextIs("}")) {
			break
		}
		if !s.parameter(&k, of) {
			return
		}
	}
	k.end = s.before
	s.knots = append(s.knots, k)
}

// parameter reads a tangent, the interpolation or the custom data of a knot.
func (s *splineText) parameter(k *knotText, of usda.Scalar) bool {
	around := s.begin(s.strayed)
	defer func() { s.goOn(around) }()
	switch {
	case s.accept("pre"):
		if !s.isApart() || !s.nextIs("(") {
			return s.fail("a blank and (")
		}
		s.tangent(k, 0, of)
	case s.accept("post"):
		if !s.isApart() {
			s.fail("a blank")
		}
		i := usda.SplineNumber(usda.Interpolations, s.word())
		if i < 0 {
			return s.fail("none, held, linear or curve")
		}
		k.interpolation = i
		if s.isApart() && s.nextIs("(") {
			s.tangent(k, 1, of)
		}
	case s.nextIs("{"):
		at := s.tok.off
		data := model.Node{Name: "customData", Type: "dictionary"}
		s.dictionary(&data, "")
		if data = s.done(data, at); k.data != nil {
			data.Problems = append(k.data.Problems, data.Problems...)
		}
		k.data = &data
	default:
		return s.fail("pre, post or {")
	}
	return true
}

// rule consumes the name of a tangent's rule and sets it, and reports whether it was the next token.
func (s *splineText) rule(to *int64) bool {
	for rule, word := range map[int64]string{usda.CustomTangent: "custom", usda.EasedTangent: "autoEase"} {
		if s.accept(word) {
			*to = rule
			return true
		}
	}
	return false
}

// tangent reads the width (absent in Hermite curves), slope and rule of a tangent.
func (s *splineText) tangent(k *knotText, side int, of usda.Scalar) {
	s.next()
	var numbers []model.Value
	for more := true; more; more = s.comma() {
		s.onLine()
		at, kind := s.tok, usda.Double
		if len(numbers) > 0 && s.rule(&k.rules[side]) {
			break
		}
		if len(numbers) == 1 || s.hermite {
			kind = of
		}
		if len(numbers) == 2 {
			s.fail("custom, autoEase or )")
			return
		}
		v := s.finite(kind)
		if v == nil {
			return
		}
		numbers = append(numbers, v)
		if width, _ := model.FloatOf(numbers[0]); len(numbers) == 2 && width < 0 {
			s.failAt(at, "a width before it that is not negative", model.Show(s.ctx, numbers[0], 40))
		}
	}
	s.onLine()
	if !s.accept(")") {
		s.fail(")")
	}
	if k.rules[side] != 0 {
		s.version = max(s.version, 2)
	}
	k.tangents[side][1] = numbers[len(numbers)-1]
	if len(numbers) == 2 {
		k.tangents[side][0] = numbers[0]
	}
}

// nodes gives n the children that a spline in a crate has.
func (s *splineText) nodes(n *model.Node) {
	list := []model.Node{bits("dataVersion", s.version, nil), bits("valueType", s.valueType, usda.SplineValues)}
	if s.version < 3 {
		list = append(list, bit("valuesAreTimes", s.times))
	}
	hermite := model.Node{Name: "curveType", Type: "bit", Value: model.Symbol{Name: usda.CurveTypes[0]}}
	if s.hermite {
		hermite.Value = model.Symbol{Number: 1, Name: usda.CurveTypes[1]}
	}
	list = append(list, hermite, bits("preExtrapolation", s.modes[0], usda.Extrapolations),
		bits("postExtrapolation", s.modes[1], usda.Extrapolations), bit("innerLoops", len(s.loop) == 5))
	number := func(name, typ string, v model.Value) {
		if v != nil {
			list = append(list, model.Node{Name: name, Type: typ, Value: v})
		}
	}
	for i, side := range usda.SplineSides {
		number(side+"LoopBoundary", "f64", s.bounds[i])
		number(side+"Slope", "f64", s.slopes[i])
	}
	if len(s.loop) == 5 {
		for i, name := range usda.LoopFields {
			typ, v := "f64", s.loop[i]
			if i == 2 || i == 3 {
				typ, v = "i32", model.Int(v.(model.Float64))
			}
			number(name, typ, v)
		}
	}
	slices.SortStableFunc(s.knots, func(a, b knotText) int { return compareTimes(a.time, b.time) })
	n.Brief = plural(int64(len(s.knots)), "knot", "knots")
	if count := int64(len(s.knots)); count > 0 {
		list = append(list, model.Node{Name: "knots", Type: "knot[]", Brief: n.Brief, Children: &model.Rows{Count: count,
			Make: func(ctx context.Context, i int64) model.Node { return s.knotNode(ctx, i) }}})
	}
	n.Children = model.NewList(list...)
}

func (s *splineText) knotNode(ctx context.Context, i int64) model.Node {
	k := &s.knots[i]
	flags := uint64(k.interpolation) << 1
	if k.pre != nil {
		flags |= 1
	}
	value := usda.SplineValues[1]
	if s.valueType == 2 || s.valueType == 3 { // timecodes and durations are doubles
		value = usda.SplineValues[s.valueType]
	}
	list := []model.Node{{Name: "flags", Type: "uchar", Value: model.Uint(flags), Children: model.NewList(
		bit("dualValued", k.pre != nil), bits("interpolation", k.interpolation, usda.Interpolations),
		model.Node{Name: "curveType", Type: "bit", Value: model.Symbol{Name: usda.CurveTypes[0]}},
		bit("preTangentMaya", false), bit("postTangentMaya", false), bits("unused", 0, nil))}}
	add := func(name, typ string, v model.Value) {
		if v != nil {
			list = append(list, model.Node{Name: name, Type: typ, Value: v})
		}
	}
	add("time", "double", model.Float64(k.time))
	add("value", value, k.value)
	add("preValue", value, k.pre)
	if !s.hermite {
		add("preTangentWidth", "double", k.tangents[0][0])
		add("postTangentWidth", "double", k.tangents[1][0])
	}
	add("preTangentSlope", value, k.tangents[0][1])
	add("postTangentSlope", value, k.tangents[1][1])
	if s.version >= 2 {
		list = append(list, model.Node{Name: "tangentAlgorithms", Type: "uchar", Value: model.Uint(k.rules[0] | k.rules[1]<<4),
			Children: model.NewList(bits("preTangent", k.rules[0], usda.TangentRules), bits("postTangent", k.rules[1], usda.TangentRules))})
	}
	if k.data != nil {
		list = append(list, *k.data)
	}
	return model.Node{Name: model.IndexName(i), Type: "knot", Children: model.NewList(list...), Spans: []model.Span{s.src.Span(k.off, k.end-k.off)},
		Brief: model.Show(ctx, model.Float64(k.time), 32) + ": " + model.Show(ctx, k.value, 32) + ", " + usda.Interpolations[k.interpolation]}
}

// edit reads an array edit: "edit [write 7 to [2]; append [0]; erase [-1]]".
func (p *parser) edit(n *model.Node, t usda.Type) {
	p.next()
	if !p.accept("[") {
		p.fail("[")
		return
	}
	e := &editText{parser: p, t: t}
	p.listed("]", func() bool {
		around := p.begin(p.strayed)
		e.instruction()
		p.goOn(around)
		return p.isSeparated("]")
	})
	e.nodes(n)
}

// editText holds the parsed text of an array edit.
type editText struct {
	*parser
	t        usda.Type
	literals []model.Value
	ops      []model.Node
}

// maxLiteral is the length in bytes at which a comparison of literals ends.
const maxLiteral = 1 << 16

// source reads the value that an instruction writes: a literal, or the index of an element of the array.
func (e *editText) source(op string) (model.Node, string) {
	if e.nextIs("[") {
		return e.index("source"), op + " reference"
	}
	return e.literal(), op + " literal"
}

func (e *editText) literal() model.Node {
	off := e.tok.off
	v := e.components(e.t)
	i := slices.IndexFunc(e.literals, func(l model.Value) bool {
		text := model.Show(e.ctx, l, maxLiteral)
		return text == model.Show(e.ctx, v, maxLiteral) && !strings.Contains(text, "NaN")
	})
	if i < 0 {
		i = len(e.literals)
		e.literals = append(e.literals, v)
	}
	return e.done(model.Node{Name: "literal", Type: "i64", Value: model.Int(i)}, off)
}

func (e *editText) index(name string) model.Node {
	off := e.tok.off
	e.accept("[")
	v := e.integer(math.MinInt64)
	e.accept("]")
	return e.done(model.Node{Name: name, Type: "i64", Value: v}, off)
}

func (e *editText) size(least model.Int) model.Node {
	off := e.tok.off
	return e.done(model.Node{Name: "size", Type: "i64", Value: e.integer(least)}, off)
}

// integer reads a whole number without point and exponent.
func (e *editText) integer(least model.Int) model.Value {
	at, written := e.tok, string(e.text)
	v := e.atom(usda.Int64)
	if i, ok := v.(model.Int); ok && (strings.ContainsAny(written, ".eE") || i < least) {
		e.failAt(at, "a whole number", written)
	}
	return v
}

func (e *editText) instruction() {
	off := e.tok.off
	n := model.Node{Name: model.IndexName(int64(len(e.ops)))}
	var args []model.Node
	position := func(v model.Value) {
		args = append(args, model.Node{Name: "position", Type: "i64", Value: v})
	}
	one := func(a model.Node, typ string) { args, n.Type = append(args, a), typ }
	switch word := e.word(); word {
	case "write":
		one(e.source("write"))
		e.accept("to")
		args = append(args, e.index("destination"))
	case "insert":
		one(e.source("insert"))
		e.accept("at")
		args = append(args, e.index("position"))
	case "prepend":
		one(e.source("insert"))
		position(model.Int(0))
	case "append":
		one(e.source("insert"))
		position(model.Symbol{Number: math.MinInt64, Name: "end"})
	case "erase":
		one(e.index("position"), "erase")
	case "minsize", "resize", "maxsize":
		least := model.Int(math.MinInt64)
		if word == "minsize" {
			least = 0
		}
		one(e.size(least), map[string]string{"minsize": "minimum size", "resize": "set size", "maxsize": "maximum size"}[word])
		if word != "maxsize" && e.accept("fill") {
			n.Type += ", fill"
			args = append(args, e.literal())
		}
	default:
		e.fail("write, insert, prepend, append, erase, minsize, resize or maxsize")
		return
	}
	values := make(model.Tuple, len(args))
	for i := range args {
		values[i] = args[i].Value
		n.Problems = append(n.Problems, args[i].Problems...)
	}
	n.Value, n.Children = values, model.NewList(args...)
	e.ops = append(e.ops, e.done(n, off))
}

// grouped puts successive instructions of one kind under one node, as crates do.
func grouped(ops []model.Node) []model.Node {
	var groups []model.Node
	for i := 0; i < len(ops); {
		n := 1
		for i+n < len(ops) && ops[i+n].Type == ops[i].Type {
			n++
		}
		g := ops[i]
		if n > 1 {
			g = model.Node{Type: ops[i].Type, Brief: plural(int64(n), "time", "times"), Spans: slices.Clone(g.Spans)}
			g.Spans[0].Len = ops[i+n-1].Span().End() - g.Spans[0].Off
			for k := range n {
				ops[i+k].Name = model.IndexName(int64(k))
				g.Problems = append(g.Problems, ops[i+k].Problems...)
			}
			g.Children = model.NewList(ops[i : i+n]...)
		}
		g.Name = model.IndexName(int64(len(groups)))
		groups = append(groups, g)
		i += n
	}
	return groups
}

func (e *editText) nodes(n *model.Node) {
	if len(e.ops) == 0 {
		n.Brief = "no edit"
		return
	}
	e.ops = grouped(e.ops)
	n.Brief = plural(int64(len(e.ops)), "instruction", "instructions")
	n.Children = model.NewList(
		model.Node{Name: "literals", Type: e.t.Name + "[]", Value: elementsOf(e.t.Name, e.literals)},
		model.Node{Name: "instructions", Type: "int64[]", Brief: n.Brief, Children: model.NewList(e.ops...)},
		model.Node{Name: "dense", Type: "bool", Value: model.Bool(false)})
}
