package usda

import (
	"cmp"
	"slices"
	"strings"

	"cutaway/model"
)

// spline writes the spline of an attribute.
func (w *writer) spline(s *spec, head, typ string) {
	f, ok := s.of["spline"]
	if !ok {
		return
	}
	w.problems(&f, "spline")
	if t, _ := TypeOf(typ); f.Type == "Spline" && (t.Count != 1 || !t.isFloating()) {
		w.lose("field spline: attributes of type %s have none", typ)
		return
	}
	if f.Type != "Spline" {
		w.lose("field spline, of type %s", f.Type)
		return
	}
	w.line(head + ".spline = {")
	w.indent++
	splineWriter{w}.write(&f)
	w.flushLost()
	w.indent--
	w.line("}")
}

// A splineWriter writes the lines of a spline.
type splineWriter struct{ *writer }

func (w splineWriter) write(f *model.Node) {
	curve := child(w.ctx, f, "curveType")
	w.line(cmp.Or(textOf(&curve), CurveTypes[0]) + ",")
	if w.extrapolations(f) {
		if start := child(w.ctx, f, "loopStart"); start.Value != nil {
			w.lose("field spline: its loop: USD has none beside times that bound the loops around the knots")
		}
	} else {
		w.loop(f)
	}
	w.knots(f)
}

// extrapolations writes the curve before and after the knots. bounded reports whether times bound the loops.
func (w splineWriter) extrapolations(f *model.Node) (bounded bool) {
	for _, at := range []struct{ side, where string }{{"pre", "before"}, {"post", "after"}} {
		mode, slope := child(w.ctx, f, at.side+"Extrapolation"), child(w.ctx, f, at.side+"Slope")
		boundary := child(w.ctx, f, at.side+"LoopBoundary")
		if loops := strings.HasPrefix(textOf(&mode), "loop "); boundary.Value != nil && !loops {
			w.lose("field spline: the time at which loops %s the knots end: there are no loops", at.where)
			boundary.Value = nil
		}
		bounded = bounded || boundary.Value != nil
		if text := extrapolation(textOf(&mode), slope.Value, boundary.Value); text != "" {
			w.line(at.side + ": " + text + ",")
		}
	}
	return bounded
}

func (w splineWriter) knots(f *model.Node) {
	knots := child(w.ctx, f, "knots")
	if knots.Children == nil {
		return
	}
	count, _ := knots.Children.Len(w.ctx)
	for i := int64(0); i < count && !w.ended(); i++ {
		k := knots.Children.At(w.ctx, i)
		w.problems(&k, "knot")
		w.knot(&k)
	}
}

// extrapolation returns the curve on one side of the knots as text, or "" for the default, held.
func extrapolation(mode string, slope, boundary model.Value) string {
	if mode == Extrapolations[Held] || mode == "" {
		return ""
	}
	text := textOfSpline(mode)
	number := boundary
	if mode == Extrapolations[Sloped] {
		number = slope
	}
	if number != nil {
		b, _ := appendNumber([]byte(text+"("), number, Double)
		text = string(b) + ")"
	}
	return text
}

func (w splineWriter) loop(f *model.Node) {
	if start := child(w.ctx, f, "loopStart"); start.Value == nil {
		return
	}
	b := []byte("loop: (")
	for i, name := range LoopFields {
		if i > 0 {
			b = append(b, ", "...)
		}
		part := child(w.ctx, f, name)
		var ok bool
		if b, ok = appendNumber(b, part.Value, Double); !ok {
			w.lose("field spline: its loop")
			return
		}
	}
	w.line(string(b) + "),")
}

func (w splineWriter) knot(k *model.Node) {
	at := map[string]model.Node{}
	for _, n := range w.children(k) {
		at[n.Name] = n
	}
	b, ok := appendNumber(nil, at["time"].Value, Double)
	b = append(b, ": "...)
	if pre := at["preValue"].Value; pre != nil && ok {
		b, ok = appendNumber(b, pre, Double)
		b = append(b, " & "...)
	}
	if ok {
		b, ok = appendNumber(b, at["value"].Value, Double)
	}
	if !ok {
		w.lose("field spline: a knot")
		return
	}
	flags, algorithms := at["flags"], at["tangentAlgorithms"]
	interpolation := child(w.ctx, &flags, "interpolation")
	next := textOfSpline(cmp.Or(textOf(&interpolation), Interpolations[0]))
	b = append(b, "; pre "...)
	b = w.tangent(b, at, &algorithms, "pre")
	b = append(append(append(b, "; post "...), next...), ' ')
	b = w.tangent(b, at, &algorithms, "post")
	w.start(string(b))
	if data := at["customData"]; data.Children != nil {
		w.text("; ")
		w.dictionary(&data, false, 0)
	}
	w.text(",\n")
}

// tangent appends the width, slope and algorithm of a tangent.
func (w splineWriter) tangent(b []byte, at map[string]model.Node, algorithms *model.Node, side string) []byte {
	b = append(b, '(')
	if width := at[side+"TangentWidth"].Value; width != nil {
		b, _ = appendNumber(b, width, Double)
		b = append(b, ", "...)
	}
	if slope := at[side+"TangentSlope"].Value; slope != nil {
		b, _ = appendNumber(b, slope, Double)
	} else {
		b = append(b, '0')
	}
	rule := child(w.ctx, algorithms, side+"Tangent")
	if word := textOf(&rule); slices.Index(TangentRules, word) > 0 {
		b = append(append(b, ", "...), textOfSpline(word)...)
	}
	return append(b, ')')
}

// editUnfit returns the reason why an array edit cannot be written, or "" if it can.
func (w *writer) editUnfit(n *model.Node) string {
	if n.Children == nil { // an edit without effect
		return ""
	}
	dense := child(w.ctx, n, "dense")
	if dense.Value == model.Value(model.Bool(true)) {
		return "text has no array edit that is a whole array"
	}
	literals, instructions := child(w.ctx, n, "literals"), child(w.ctx, n, "instructions")
	if _, ok := literals.Value.(model.Array); !ok || len(literals.Problems)+len(instructions.Problems) > 0 {
		return "the array edit is damaged"
	}
	return ""
}

// edit writes an array edit.
func (w *writer) edit(n *model.Node) {
	w.text("edit [")
	literalsNode, instructions := child(w.ctx, n, "literals"), child(w.ctx, n, "instructions")
	element, _ := elementOf(strings.TrimSuffix(n.Type, " edit"))
	literals, _ := literalsNode.Value.(model.Array)
	e := editWriter{writer: w, literals: literals, of: types[element].Scalar}
	if instructions.Children != nil {
		count, _ := instructions.Children.Len(w.ctx)
		for i := int64(0); i < count && !w.ended(); i++ {
			k := instructions.Children.At(w.ctx, i)
			if k.Value != nil {
				e.instruction(&k)
				continue
			}
			repeats := int64(0)
			if k.Children != nil {
				repeats, _ = k.Children.Len(w.ctx)
			}
			for r := int64(0); r < repeats && !w.ended(); r++ {
				again := k.Children.At(w.ctx, r)
				e.instruction(&again)
			}
		}
	}
	w.text("]")
}

type editWriter struct {
	*writer
	literals model.Array
	of       Scalar
	written  bool
}

// instruction writes an instruction of an array edit.
func (e *editWriter) instruction(n *model.Node) {
	if len(n.Problems) > 0 {
		e.problems(n, n.Type)
		return
	}
	argument := func(name string) model.Value {
		a := child(e.ctx, n, name)
		return a.Value
	}
	index := func(name string) string { return "[" + model.Show(e.ctx, argument(name), 40) + "]" }
	literal := func() string {
		i, _ := argument("literal").(model.Int)
		var v [1]model.Value
		if e.literals != nil {
			_, _ = e.literals.Read(e.ctx, int64(i), v[:])
		}
		b, _ := appendNumber(nil, v[0], e.of)
		return string(b)
	}
	text := ""
	source := literal
	if strings.HasSuffix(n.Type, " reference") {
		source = func() string { return index("source") }
	}
	switch n.Type {
	case "write literal", "write reference":
		text = "write " + source() + " to " + index("destination")
	case "insert literal", "insert reference":
		switch at := index("position"); at {
		case "[end]":
			text = "append " + source()
			e.appended = true
		default: // a reader takes "prepend" for append
			text = "insert " + source() + " at " + at
		}
	case "erase":
		text = "erase " + index("position")
	default:
		word := map[string]string{"minimum size": "minsize", "minimum size, fill": "minsize", "set size": "resize",
			"set size, fill": "resize", "maximum size": "maxsize"}[n.Type]
		text = word + " " + model.Show(e.ctx, argument("size"), 40)
		if strings.HasSuffix(n.Type, "fill") {
			text += " fill " + literal()
		}
	}
	if e.written {
		e.text("; ")
	}
	e.text(text)
	e.written = true
}
