package usda

import (
	"cmp"
	"math"
	"strconv"
	"strings"

	"cutaway/model"
)

// A block is the metadata of a spec in parentheses, which are written with the first line.
type block struct {
	w       *writer
	opening string
	open    bool
}

// start begins a line of the block.
func (b *block) start(s string) {
	if !b.open {
		b.open = true
		b.w.text(b.opening + "\n")
		b.w.indent++
	}
	b.w.start(s)
}

func (b *block) line(s string) {
	b.start(s)
	b.w.text("\n")
}

// end closes the block, or ends the line if the block is empty.
func (b *block) end(suffix string) {
	if !b.open {
		b.w.text(suffix + "\n")
		return
	}
	b.w.flushLost()
	b.w.indent--
	b.w.line(")" + suffix)
}

// metadata writes the fields that text has as metadata.
func (w *writer) metadata(s *spec, opening string) *block {
	b := &block{w: w, opening: opening}
	for i := range s.fields {
		if w.ended() {
			break
		}
		if f := s.Children.At(w.ctx, i); !structural[f.Name] {
			w.problems(&f, f.Name)
			w.metadatum(b, s, &f)
		}
	}
	return b
}

// unregistered is the prefix of the type of fields that no schema of their writer defined.
const unregistered = "UnregisteredValue: "

func (w *writer) metadatum(b *block, s *spec, f *model.Node) {
	key := f.Name
	if name := spelled[key]; name != "" {
		key = name
	}
	if why := w.refusal(key, s, f); why != "" {
		w.lose("field %s", why)
		return
	}
	_, want, _ := Metadata(key, s.Type)
	w.reportReread(want, f)
	switch {
	case isRawString(f):
		b.line(key + " = " + textOf(f))
	case f.Name == "comment" && f.Value != nil:
		w.comment(b, f)
	case f.Name == "permission" || f.Name == "symmetryFunction":
		w.word(b, key, f)
	case f.Name == "subLayers":
		w.subLayers(b, s, f)
	case f.Name == "layerRelocates":
		w.relocates(b, f)
	case f.Name == "variantSelection":
		w.selections(b, f)
	case f.Name == "payload" && f.Type == "Payload":
		w.onePayload(b, f)
	default:
		w.assignment(b, key, want, f)
	}
}

// reportReread records a field that readers of text reread as another type: as words if no schema defines it, or as a
// string if none did when it was written.
func (w *writer) reportReread(want string, f *model.Node) {
	known := want != "" || f.Name == "displayUnit" || f.Name == "comment"
	typ, wasUnknown := strings.CutPrefix(f.Type, unregistered)
	switch {
	case known && wasUnknown:
		w.omitted.Reduce(w.at, "field "+f.Name+" was unknown to its writer, and is a "+typ+" to readers of text")
	case !known && (!wasUnknown || strings.HasSuffix(typ, "ListOp") && w.isExplicit(f)):
		w.omitted.Reduce(w.at, "field "+f.Name+" is a "+typ+", of which readers of text keep the words, since no schema knows it")
	}
}

// refusal returns the name of a metadata field and the reason why text cannot hold it, or "" if it can.
func (w *writer) refusal(key string, s *spec, f *model.Node) string {
	field, want, fits := Metadata(key, s.Type)
	if f.Name == "comment" { // text has a syntax of its own for comments
		field, want, fits = f.Name, stringType, true
	}
	typ, _ := strings.CutPrefix(f.Type, unregistered)
	switch {
	case !IsIdentifier(key) && !IsTypeName(key):
		return strconv.Quote(f.Name) + ", whose name is no word"
	case fits && isNoUnit(s, f):
		return f.Name + ", which is no unit"
	case !fits:
		return f.Name + ": USD takes none for a spec of type " + s.Type
	case field != f.Name:
		return f.Name + ": the word means something else in text"
	case want != "" && !w.sameType(want, f) && !isRawString(f):
		return f.Name + ": USD takes no " + f.Type + " for it"
	case !IsRate(f.Name, f.Value):
		return f.Name + ": USD takes no " + model.Show(w.ctx, f.Value, 40) + " for it"
	case want == "" && (typ == "PathListOp" || singles[typ]):
		return f.Name + ": USD takes no " + typ + " for it"
	}
	return ""
}

// isNoUnit reports whether f is the display unit of an attribute, but no unit of text.
func isNoUnit(s *spec, f *model.Node) bool {
	return f.Name == "displayUnit" && s.Type == "attribute" && (!strings.HasPrefix(f.Type, unregistered) || !IsUnit(textOf(f)))
}

// isRawString reports whether f should be a string, but holds its source text, quotes included.
func isRawString(f *model.Node) bool {
	return metadata[f.Name].typ == stringType && f.Type == unregistered+stringType && isString(textOf(f))
}

// comment writes the comment, a string without a name.
func (w *writer) comment(b *block, f *model.Node) {
	if s, ok := f.Value.(model.Text); ok {
		b.line(Quote(string(s)))
	} else {
		w.lose("field comment: what should be its text is lost")
	}
}

// word writes a field whose value has no quotes. Only permission may not be empty.
func (w *writer) word(b *block, key string, f *model.Node) {
	if word := textOf(f); IsIdentifier(word) || word == "" && f.Name != "permission" {
		b.line(key + " = " + word)
	} else {
		w.lose("field %s: %q is no word", f.Name, word)
	}
}

// assignment writes a field by its type. want is the type in its schema, or "" if it has none.
func (w *writer) assignment(b *block, key, want string, f *model.Node) {
	switch typ, _ := strings.CutPrefix(f.Type, unregistered); {
	case strings.HasSuffix(typ, "ListOp"):
		w.listOp(key, f, typ, b.start, w.newline)
	case typ == dictionaryType:
		b.start(key + " = ")
		w.dictionary(f, f.Name == "prefixSubstitutions" || f.Name == "suffixSubstitutions", 0)
		w.text("\n")
	case typ != f.Type || f.Type == "UnregisteredValue":
		if raw := textOf(f); IsValue(raw) {
			b.line(key + " = " + raw)
		} else {
			w.lose("field %s: what USD cannot read: %q", f.Name, raw)
		}
	default:
		if why := w.plainUnfit(f); why != "" {
			w.lose("field %s: %s", f.Name, why)
			return
		}
		b.start(key + " = ")
		if v, is := f.Value.(model.Bool); is && want == "" {
			w.text(strconv.FormatBool(bool(v))) // readers do not accept a number here
		} else {
			w.value(f)
		}
		w.text("\n")
	}
}

// sameType reports whether readers accept the value of f for metadata of type want.
func (w *writer) sameType(want string, f *model.Node) bool {
	have := f.Type
	if _, plain := TypeOf(strings.TrimSuffix(want, "[]")); plain && !IsStrict(cmp.Or(spelled[f.Name], f.Name)) && (have == pathType || have == dictionaryType) {
		return true
	}
	return want == have || want == "PayloadListOp" && have == "Payload" || want == "StringVector" && have == "TokenVector" || w.takes(want, f)
}

// takes reports whether readers convert the value of n, as text, to type want: words, and numbers in range. It records
// a change of type as a reduction.
func (w *writer) takes(want string, n *model.Node) bool {
	of, wantArray := elementOf(want)
	have, isArray := elementOf(strings.TrimSuffix(n.Type, " edit"))
	t, known := TypeOf(of)
	value, ok := TypeOf(have)
	switch {
	case !known || !ok || isArray != wantArray || t.Name != value.Name && !t.takes(value):
		return false
	case t.Name == value.Name:
		return true
	case t.isInteger() && !w.inRange(t, n.Value), t.Scalar == AssetPath && !w.areAssets(n.Value):
		return false
	}
	if t.Scalar < Text {
		w.reduceOnce(n.Name + " is stored as " + n.Type + ", which readers of text take for " + want)
	}
	return true
}

// every reports whether all elements of an array are readable and satisfy ok.
func (w *writer) every(a model.Array, ok func(model.Value) bool) bool {
	all := true
	err := each(w.ctx, a, func(e model.Value) bool {
		all = ok(e)
		return all
	})
	return all && err == nil
}

// areAssets reports whether USD accepts all texts as asset paths.
func (w *writer) areAssets(v model.Value) bool {
	if a, is := v.(model.Array); is {
		return w.every(a, w.areAssets)
	}
	s, isText := v.(model.Text)
	_, fits := QuoteAsset(string(s))
	return isText && fits
}

// inRange reports whether numbers, truncated, are in the range of an integer type.
func (w *writer) inRange(t Type, v model.Value) bool {
	switch v := v.(type) {
	case model.Tuple:
		for _, part := range v {
			if !w.inRange(t, part) {
				return false
			}
		}
		return true
	case model.Array:
		return w.every(v, func(e model.Value) bool { return w.inRange(t, e) })
	case model.Bool:
		return true
	case model.Uint:
		return uint64(v) <= t.most()
	case model.Int:
		return int64(v) >= t.least() && (v < 0 || uint64(v) <= t.most())
	}
	f, ok := model.FloatOf(v)
	return ok && math.Trunc(f) >= float64(t.least()) && math.Trunc(f) < float64(t.most())+1
}

func (w *writer) subLayers(b *block, s *spec, f *model.Node) {
	layers, ok := f.Value.(model.Array)
	if !ok {
		w.lose("field subLayers")
		return
	}
	offsetsNode := s.of["subLayerOffsets"]
	offsets, _ := offsetsNode.Value.(model.Array)
	b.line("subLayers = [")
	w.indent++
	i := int64(0)
	err := each(w.ctx, layers, func(v model.Value) bool {
		name, _ := v.(model.Text)
		text, fits := QuoteAsset(string(name))
		if !fits {
			w.lose("sublayer %q: USD takes no such asset path", string(name))
		} else {
			var offset [1]model.Value
			if offsets != nil && i < offsets.Len() {
				_, _ = offsets.Read(w.ctx, i, offset[:])
			}
			w.line(text + layerOffset(offset[0]) + ",")
		}
		i++
		return !w.ended()
	})
	if err != nil {
		w.lose("field subLayers: %v", err)
	}
	w.flushLost()
	w.indent--
	w.line("]")
}

// layerOffset returns an offset and scale as text, or "" if they are 0 and 1.
func layerOffset(v model.Value) string {
	if parts := offsetParts(v); len(parts) > 0 {
		return " (" + strings.Join(parts, "; ") + ")"
	}
	return ""
}

func offsetParts(v model.Value) []string {
	pair, ok := v.(model.Tuple)
	if !ok || len(pair) != 2 {
		return nil
	}
	var parts []string
	for i, name := range []string{"offset", "scale"} {
		if f, ok := pair[i].(model.Float64); ok && float64(f) != float64(i) {
			parts = append(parts, name+" = "+string(appendFloat(nil, float64(f), 64)))
		}
	}
	return parts
}

func (w *writer) relocates(b *block, f *model.Node) {
	pairs, ok := f.Value.(model.Array)
	if !ok {
		w.lose("field layerRelocates")
		return
	}
	b.line("relocates = {")
	w.indent++
	err := each(w.ctx, pairs, func(v model.Value) bool {
		pair, _ := v.(model.Tuple)
		if len(pair) != 2 {
			return true
		}
		from, _ := pair[0].(model.Text)
		to, _ := pair[1].(model.Text)
		if !isArcPath(string(from)) || to != "" && !isArcPath(string(to)) {
			w.lose("relocate %q to %q: USD takes no such path", string(from), string(to))
		} else {
			w.line("<" + string(from) + ">: <" + string(to) + ">,")
		}
		return !w.ended()
	})
	if err != nil {
		w.lose("field layerRelocates: %v", err)
	}
	w.flushLost()
	w.indent--
	w.line("}")
}

// IsPathValue reports whether USD accepts s as a value that is a path. It may be empty.
func IsPathValue(s string) bool {
	_, ok := ParsePath(s)
	return ok || s == "" || s == ".."
}

// isArcPath reports whether references and payloads can target the path.
func isArcPath(s string) bool {
	p, ok := ParsePath(s)
	return ok && p.IsArc()
}

// isTargetPath reports whether a relationship or connection can target the absolute path.
func isTargetPath(s string) bool {
	p, ok := ParsePath(s)
	return ok && p.Absolute && p.IsTarget()
}

func (w *writer) selections(b *block, f *model.Node) {
	b.line("variants = {")
	w.indent++
	for _, k := range w.children(f) {
		set, _ := w.key(&k)
		variant, ok := k.Value.(model.Text)
		if !ok || !IsSelection(string(variant)) {
			w.lose("field variantSelection: that in %s", set)
			continue
		}
		w.line("string " + Quote(set) + " = " + Quote(string(variant)))
	}
	w.flushLost()
	w.indent--
	w.line("}")
}

// children returns all children of a node that has few.
func (w *writer) children(n *model.Node) []model.Node {
	if n.Children == nil {
		return nil
	}
	count, _ := n.Children.Len(w.ctx)
	all := make([]model.Node, 0, min(count, window))
	for i := int64(0); i < count && !w.ended(); i++ {
		all = append(all, n.Children.At(w.ctx, i))
	}
	return all
}

// key returns the key of an entry of a dictionary. ok is false if an earlier entry has the same key.
func (w *writer) key(n *model.Node) (key string, ok bool) {
	for i := range n.Problems {
		if strings.HasSuffix(n.Problems[i].Rule, "repeated-key") {
			return n.Name, false
		}
	}
	return n.Name, true
}

func (w *writer) onePayload(b *block, f *model.Node) {
	asset, prim := child(w.ctx, f, "assetPath"), child(w.ctx, f, "primPath")
	if textOf(&asset) == "" && textOf(&prim) == "" {
		b.line("payload = None")
		return
	}
	if why := w.arcUnfit(f); why != "" {
		w.lose("field payload: %s", why)
		return
	}
	b.start("payload = ")
	w.arc(f)
	w.text("\n")
}

func (w *writer) attribute(n *model.Node, name string) {
	s := w.spec(n)
	w.problems(n, "the property")
	def, has := s.of["default"]
	typ := w.attributeType(s)
	if typ == "" {
		return
	}
	head := typ + " " + name
	if s.field("variability") == "uniform" {
		head = "uniform " + head
	}
	first := head
	if s.isTrue("custom") {
		first = "custom " + head
	}
	if has {
		w.problems(&def, "default")
		if why := w.attributeUnfit(typ, &def); why != "" {
			w.lose("field default: %s", why)
			has = false
		}
	}
	w.strays(s)
	w.start(first)
	if has {
		w.text(" = ")
		w.value(&def)
	}
	w.metadata(s, " (").end("")
	w.samples(s, head, typ)
	w.spline(s, head, typ)
	w.connections(s, head)
}

// attributeType returns the type of an attribute in its field or of its value, or "" if text has no such type.
func (w *writer) attributeType(s *spec) string {
	typ := s.field("typeName")
	if def, has := s.of["default"]; typ == "" && has {
		typ, _ = strings.CutSuffix(def.Type, " edit")
		if element, _ := elementOf(typ); types[element].Name == "" {
			typ = ""
		}
	}
	if typ == "" {
		w.lose("an attribute whose type is not known; what it has is not written either")
		return ""
	}
	if element, _ := elementOf(typ); !IsTypeName(element) {
		w.lose("an attribute of a type that USD does not take, %q; what it has is not written either", typ)
		return ""
	}
	return typ
}

func (w *writer) connections(s *spec, head string) {
	f, ok := s.of["connectionPaths"]
	if !ok {
		return
	}
	w.problems(&f, "connections")
	if w.appended && w.isExplicit(&f) {
		w.remark("the next line only keeps readers from taking the append above for one of connections")
		w.line("delete " + head + ".connect = </_>")
	}
	w.appended = false
	w.pathListOp(head+".connect", &f, w.start, w.newline)
}

// attributeUnfit returns the reason why text cannot hold a value of an attribute of type typ, or "" if it can.
func (w *writer) attributeUnfit(typ string, f *model.Node) string {
	if f.Type == "ValueBlock" || f.Type == "AnimationBlock" {
		return ""
	}
	if f.Type == pathType {
		return w.unfit(f)
	}
	of, _ := elementOf(typ)
	if _, known := TypeOf(of); !known { // a reader keeps values of unknown types unparsed
		if strings.HasPrefix(f.Type, unregistered) && IsValue(textOf(f)) {
			return ""
		}
		return "no reader knows its type " + of
	}
	if !w.takes(typ, f) {
		return "it is of type " + f.Type + ", " + typ + " does not take it"
	}
	return w.unfit(f)
}

// takes reports whether text writes values of both types alike.
func (t Type) takes(value Type) bool {
	if t.Scalar >= Text {
		return value.Scalar == Text
	}
	return t.Count == value.Count && t.Rows == value.Rows && value.Scalar <= Double
}

// isInteger reports whether the components are integers.
func (t Type) isInteger() bool { return t.Scalar >= UChar && t.Scalar <= UInt64 }

// least returns the least integer of the type.
func (t Type) least() int64 {
	switch t.Scalar {
	case Int:
		return math.MinInt32
	case Int64:
		return math.MinInt64
	}
	return 0
}

func (t Type) most() uint64 {
	switch t.Scalar {
	case UChar:
		return math.MaxUint8
	case Int:
		return math.MaxInt32
	case UInt:
		return math.MaxUint32
	case Int64:
		return math.MaxInt64
	}
	return math.MaxUint64
}

// isFloating reports whether the components are floating-point numbers.
func (t Type) isFloating() bool { return t.Scalar >= Half && t.Scalar <= Double }

func (w *writer) samples(s *spec, head, typ string) {
	f, ok := s.of["timeSamples"]
	if !ok {
		return
	}
	w.problems(&f, "time samples")
	w.line(head + ".timeSamples = {")
	w.indent++
	count := int64(0)
	if f.Children != nil {
		count, _ = f.Children.Len(w.ctx)
	}
	for i := int64(0); i < count && !w.ended(); i++ {
		n := f.Children.At(w.ctx, i)
		time, v := child(w.ctx, &n, "time"), child(w.ctx, &n, "value")
		t, ok := time.Value.(model.Float64)
		w.problems(&v, "sample")
		if !ok || math.IsNaN(float64(t)) {
			w.lose("the sample at nan: %s", model.Show(w.ctx, v.Value, 200))
			continue
		}
		at := string(appendFloat(nil, float64(t), 64))
		why := w.attributeUnfit(typ, &v)
		if v.Type == "AnimationBlock" {
			why = "text has no block of animation here"
		}
		if why != "" {
			w.lose("the sample at %s: %s", at, why)
			continue
		}
		w.start(at + ": ")
		w.value(&v)
		w.text(",\n")
	}
	w.flushLost()
	w.indent--
	w.line("}")
}

func (w *writer) relationship(n *model.Node, name string) {
	s := w.spec(n)
	w.problems(n, "the property")
	head := "rel " + name
	if s.field("variability") != "uniform" {
		head = "varying " + head
	}
	first := head
	if s.isTrue("custom") {
		first = "custom " + head
	}
	w.strays(s)
	f, has := s.of["targetPaths"]
	w.problems(&f, "targets")
	if has && w.isExplicit(&f) && !w.appended {
		start := func(line string) { w.start(first + strings.TrimPrefix(line, head)) }
		w.pathListOp(head, &f, start, func() { w.metadata(s, " (").end("") })
	} else {
		w.start(first)
		w.metadata(s, " (").end("")
		w.appended = false
		if has {
			w.pathListOp(head, &f, w.start, w.newline)
		}
	}
	if f, ok := s.of["default"]; ok {
		w.relationshipDefault(head, &f)
	}
}

// relationshipDefault writes the default value of a relationship, which must be a path.
func (w *writer) relationshipDefault(head string, f *model.Node) {
	if why := w.unfit(f); f.Type != pathType || why != "" {
		w.lose("field default, of type %s", f.Type)
		return
	}
	w.start(head + ".default = ")
	w.value(f)
	w.newline()
}

// strays records the specs of a property's targets and connections as lost. Text has only their paths.
func (w *writer) strays(s *spec) {
	if s.Children == nil {
		return
	}
	count, _ := s.Children.Len(w.ctx)
	for i := s.fields; i < count && !w.ended(); i++ {
		n := s.Children.At(w.ctx, i)
		leave := w.enter(&n)
		switch kids := w.spec(&n); {
		case n.Type == "path":
		case n.Type != "connection" && n.Type != "relationshipTarget":
			w.lose("text has no place for it: %s", n.Type)
		case kids.fields > 0:
			w.lose("its fields and what is below it")
		}
		leave()
	}
}

// pathListOp writes the targets or connections of a property.
func (w *writer) pathListOp(head string, f *model.Node, start func(string), end func()) {
	if f.Type != "PathListOp" {
		w.lose("field %s, of type %s", f.Name, f.Type)
		return
	}
	w.listOp(head, f, f.Type, start, end)
}
