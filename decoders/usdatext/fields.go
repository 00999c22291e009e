package usdatext

import (
	"context"
	"slices"
	"strings"

	"cutaway/decoders/usda"
	"cutaway/model"
)

// fields holds the fields of a spec in the order of their first statements.
type fields struct {
	ctx      context.Context
	list     []model.Node
	ops      map[string]*listOp // or nil
	declared string             // the variability and type of an attribute in its first statement
}

func (f *fields) find(name string) int {
	return slices.IndexFunc(f.list, func(n model.Node) bool { return n.Name == name })
}

// set sets a field. The last value counts; problems of earlier ones are kept.
func (f *fields) set(n model.Node) {
	if i := f.find(n.Name); i >= 0 {
		n.Problems = append(problemsIn(f.ctx, &f.list[i]), n.Problems...)
		f.list[i] = n
		return
	}
	f.list = append(f.list, n)
}

// problemsIn returns the problems of a node and all below, but not those of the elements of arrays.
func problemsIn(ctx context.Context, n *model.Node) []model.Problem {
	all := n.Problems
	if n.Children == nil || n.Elements {
		return all
	}
	count, _ := n.Children.Len(ctx)
	for i := range count {
		child := n.Children.At(ctx, i)
		all = append(all, problemsIn(ctx, &child)...)
	}
	return all
}

// texts returns a field whose value is an array of names.
func texts(name, typ, of string, words []string) model.Node {
	return model.Node{Name: name, Type: typ, Value: textElements(of, words)}
}

func textElements(of string, words []string) *model.Elements {
	return &model.Elements{Type: of, Count: int64(len(words)), Make: func(_ context.Context, i int64) (model.Value, error) {
		return model.Text(words[i]), nil
	}}
}

// fieldsOf reads the fields of a spec.
func (l *layer) fieldsOf(ctx context.Context, i int32) []model.Node {
	list := l.fieldsInto(ctx, i, nil, &textWindow{})
	for k := range list {
		list[k].Clause = usda.ClauseOf(list[k].Name, kindNames[l.index.specs[i].kind])
	}
	return list
}

// eachSpec calls visit for each spec. Its fields are valid only during the call.
func (l *layer) eachSpec(ctx context.Context, progress model.Progress, what string, visit func(i int32, fields []model.Node)) error {
	list, w := []model.Node(nil), &textWindow{ahead: l.src.Size()}
	specs := l.index.specs
	for i := range specs {
		if i&255 == 0 {
			progress.Report(int64(i), int64(len(specs)), what)
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		list = l.fieldsInto(ctx, int32(i), list[:0], w)
		visit(int32(i), list)
	}
	return ctx.Err()
}

// fieldsInto appends the fields of a spec to list[:0]. Callers that read successive specs pass the same w.
func (l *layer) fieldsInto(ctx context.Context, i int32, list []model.Node, w *textWindow) []model.Node {
	s := &l.index.specs[i]
	f := &fields{ctx: ctx, list: list}
	switch s.kind {
	case kindAttribute:
		f.set(model.Node{Name: "custom", Type: "bool", Value: model.Bool(false)})
		f.set(model.Node{Name: "typeName", Type: "token"})
		f.set(model.Node{Name: "variability", Type: "Variability", Value: model.Symbol{Name: "varying"}})
	case kindRelationship:
		f.set(model.Node{Name: "variability", Type: "Variability", Value: model.Symbol{Number: 1, Name: "uniform"}})
	}
	for at := s.first; at >= 0 && ctx.Err() == nil; at = l.index.statements[at].next {
		st := &l.index.statements[at]
		p := l.parser(ctx, st.off, st.end, w)
		p.spec = i
		switch {
		case p.nextIs("reorder") && s.kind != kindAttribute && s.kind != kindRelationship:
			p.order(f)
		case s.kind == kindLayer:
			p.metadata(f, s.kind)
		case s.kind == kindPrim:
			p.primHead(f)
		case s.kind == kindVariant:
			p.next()
			p.metadata(f, s.kind)
		default:
			p.property(f)
		}
	}
	l.names(i, f)
	for i := range f.list {
		if op := f.ops[f.list[i].Name]; op != nil {
			op.finish(&f.list[i])
		}
	}
	return f.list
}

// names sets the fields that list the names of children.
func (l *layer) names(i int32, f *fields) {
	s := &l.index.specs[i]
	list := func(field string, kinds ...specKind) {
		var names []string
		listed, some := l.index.listed[listing{i, kinds[0]}]
		if !some {
			listed = l.index.childrenOf(i, kinds...)
		}
		for _, k := range listed {
			if name := l.index.specs[k].name; !l.isTwin(k) {
				names = append(names, name)
			}
		}
		if len(names) > 0 || s.kind == kindVariantSet || s.kind == kindLayer && field == "primChildren" {
			f.set(texts(field, "TokenVector", "token", names))
		}
	}
	switch s.kind {
	case kindVariantSet:
		list("variantChildren", kindVariant)
	case kindAttribute, kindRelationship:
	default:
		list("primChildren", kindPrim)
		list("properties", kindAttribute, kindRelationship)
		if sets := l.setNames(i, f); len(sets) > 0 {
			f.set(texts("variantSetChildren", "TokenVector", "token", sets))
		}
	}
}

// isTwin reports whether an earlier prim has the same parent and name.
func (l *layer) isTwin(i int32) bool { return l.twins[i] }

// setNames returns the names of a prim's variant sets: those in its metadata, then those in its body.
func (l *layer) setNames(i int32, f *fields) []string {
	var sets []string
	add := func(name string) {
		if !slices.Contains(sets, name) {
			sets = append(sets, name)
		}
	}
	if op := f.ops["variantSetNames"]; op != nil {
		for _, name := range append(slices.Clone(op.words["explicit"]), op.words["added"]...) { // as readers do
			add(name)
		}
	}
	for _, k := range l.index.childrenOf(i, kindVariantSet) {
		add(l.index.specs[k].name)
	}
	return sets
}

// order reads a reorder statement.
func (p *parser) order(f *fields) {
	off := p.tok.off
	p.next()
	field := map[string]string{"nameChildren": "primOrder", "rootPrims": "primOrder", "properties": "propertyOrder"}[string(p.text)]
	if field == "" {
		return
	}
	p.next()
	p.accept("=")
	f.set(p.done(texts(field, "TokenVector", "token", p.strings()), off))
}

// strings reads a string, or several in brackets.
func (p *parser) strings() []string {
	var list []string
	brackets := p.accept("[")
	for p.tok.kind == usda.String {
		list = append(list, usda.Unquote(string(p.text)))
		p.next()
		if !brackets || !p.comma() {
			break
		}
	}
	if len(list) == 0 || brackets && !p.accept("]") {
		p.fail("strings in quotes")
		p.skipValue()
	}
	return list
}

func (p *parser) primHead(f *fields) {
	at := p.tok
	word := p.word()
	number := map[string]int64{"def": 0, "over": 1, "class": 2}[word]
	f.set(model.Node{Name: "specifier", Type: "Specifier", Value: model.Symbol{Number: number, Name: word}, Spans: p.spans(at)})
	if at = p.tok; at.kind == usda.Word {
		if usda.IsKeyword(string(p.text)) {
			p.fail("a type of prims, or the name in quotes")
		}
		typ := p.typeName()
		f.set(p.done(model.Node{Name: "typeName", Type: "token", Value: model.Text(typ)}, at.off))
	}
	p.next() // the name
	p.metadata(f, kindPrim)
}

func (p *parser) spans(t token) []model.Span { return []model.Span{p.src.Span(t.off, t.len)} }

// listWord consumes the keyword of a list of a list op and returns the list's name, or "" if the next token is none.
func (p *parser) listWord() string {
	list := ""
	for _, l := range listOrder {
		if l.word != "" && p.accept(l.word) {
			list = l.name
		}
	}
	if list != "" && !p.isApart() {
		p.fail("a blank before it")
	}
	return list
}

// property reads a statement of a property.
func (p *parser) property(f *fields) {
	op := p.listWord()
	if at := p.tok; p.accept("custom") {
		f.set(model.Node{Name: "custom", Type: "bool", Value: model.Bool(true), Spans: p.spans(at)})
	}
	typ := p.propertyType(f, p.variability(f))
	kind := kindAttribute
	if typ == "rel" {
		kind = kindRelationship
	}
	p.word()
	what := ""
	if p.accept(".") {
		what = p.word()
	}
	off := p.tok.off
	isList := kind == kindAttribute && what == "connect" || kind == kindRelationship && what == ""
	if op != "" && !isList {
		p.fail("a property without word of a list: only connections and targets are lists")
		f.damaged(p, off)
	}
	if p.accept("=") {
		p.assigned(f, kind, typ, what, op, off)
	}
	if p.nextIs("(") && (op != "" || what != "") {
		p.fail("the end of the line: only the statement of a property or of its default has metadata")
		f.damaged(p, off)
	}
	p.metadata(f, kind)
}

// propertyType consumes and returns the type of an attribute, and sets the field; that of a relationship is rel.
func (p *parser) propertyType(f *fields, variability string) string {
	at := p.tok
	typ := p.word()
	if p.accept("[") {
		p.accept("]")
		typ += "[]"
	}
	if typ == "rel" {
		return typ
	}
	if usda.IsKeyword(strings.TrimSuffix(typ, "[]")) {
		p.failAt(at, "rel, or the type of an attribute", typ)
	}
	p.agree(f, variability+" "+typ)
	f.set(p.done(model.Node{Name: "typeName", Type: "token", Value: model.Text(typ)}, at.off))
	return typ
}

// variability consumes the keyword for the variability of a property, if present, and sets the field: attributes may
// only say uniform, relationships only varying.
func (p *parser) variability(f *fields) string {
	at, word := p.tok, "varying"
	n := model.Node{Name: "variability", Type: "Variability", Value: model.Symbol{Name: word}}
	switch {
	case p.accept("uniform"), p.accept("config"):
		word = "uniform"
		n.Value = model.Symbol{Number: 1, Name: word}
		if p.nextIs("rel") {
			p.fail("the type of an attribute")
		}
	case p.accept("varying"):
		if !p.nextIs("rel") {
			p.fail("rel")
		}
	default:
		return word
	}
	f.set(p.done(n, at.off))
	return word
}

// agree reports a problem if the variability and type of an attribute differ from those in its first statement.
func (p *parser) agree(f *fields, declared string) {
	if f.declared == "" {
		f.declared = declared
	} else if f.declared != declared {
		p.fail(f.declared + ", as in the attribute's first statement")
	}
}

// assigned reads the value after =.
func (p *parser) assigned(f *fields, kind specKind, typ, what, op string, off int64) {
	switch {
	case what == "connect":
		p.listOp(f, "connectionPaths", "PathListOp", op)
	case what == samplesField:
		n := model.Node{Name: samplesField, Type: "TimeSamples"}
		p.samples(&n, typ)
		f.set(p.done(n, off))
	case what == "spline":
		n := model.Node{Name: "spline", Type: "Spline"}
		p.spline(&n, typ)
		f.set(p.done(n, off))
	case kind == kindRelationship:
		if what != "" && p.tok.kind != usda.PathRef {
			p.fail("a path between < and >")
		}
		if what == "" {
			p.listOp(f, "targetPaths", "PathListOp", op)
			return
		}
		f.set(p.value("default", typ))
	default:
		f.set(p.attributeValue("default", typ))
	}
}

// damaged adds a node of text that is no field, for its problem.
func (f *fields) damaged(p *parser, off int64) {
	f.list = append(f.list, p.done(model.Node{Name: "(damaged)", Type: "text"}, off))
}

// metadata reads the metadata in parentheses, if any.
func (p *parser) metadata(f *fields, kind specKind) {
	if !p.accept("(") {
		return
	}
	for !p.accept(")") {
		if p.tok.kind == usda.End {
			return
		}
		at := p.tok
		around := p.begin(p.strayed)
		ok := p.metadatum(f, kind)
		p.goOn(around)
		if ok && !p.isSeparated(")") {
			at, ok = p.tok, p.fail("the end of the line, ; or )")
		}
		if !ok {
			f.damaged(p, at.off)
			if p.tok.off == at.off {
				p.skipValue()
			}
			for p.tok.kind != usda.End && !p.tok.newLine && !p.nextIs(")") {
				p.skipValue()
			}
		}
	}
}

func (p *parser) metadatum(f *fields, kind specKind) bool {
	off := p.tok.off
	if p.tok.kind == usda.String {
		n := model.Node{Name: "comment", Type: "string", Value: model.Text(usda.Unquote(string(p.text)))}
		p.next()
		f.set(p.done(n, off))
		return true
	}
	op := p.listWord()
	word := string(p.text)
	if !p.isMetadataWord() {
		return p.fail("a word whose namespaces end in ::, and =")
	}
	name, typ, ok := usda.Metadata(word, kindNames[kind])
	if !ok {
		return p.fail("metadata of a spec of type " + kindNames[kind])
	}
	p.next()
	if !p.accept("=") {
		return p.fail("=")
	}
	switch isList := strings.HasSuffix(typ, "ListOp"); {
	case op != "" && !isList && typ != "":
		p.fail("no list, which is of metadata that are not")
	case isList || op != "":
		p.listOp(f, name, typ, op)
		return true
	case name == "subLayers" && kind == kindLayer:
		p.subLayers(f, off)
		return true
	}
	if usda.IsStrict(word) && p.tok.kind != usda.String {
		p.fail("a string in quotes")
	}
	f.set(p.wholeField(p.fieldValue(name, typ), off))
	return true
}

// isMetadataWord reports whether the next token can set metadata.
func (p *parser) isMetadataWord() bool {
	return p.isIdentifier() || p.tok.kind == usda.Word && usda.IsTypeName(string(p.text))
}

// wholeField gives the node of a value the span of its statement, which begins at off.
func (p *parser) wholeField(n model.Node, off int64) model.Node {
	problems, hasSpan := n.Problems, len(n.Spans) > 0
	if n = p.done(n, off); hasSpan {
		n.Problems = problems
	}
	return n
}

// fieldValue reads the value of a metadata field.
func (p *parser) fieldValue(name, typ string) model.Node {
	n := model.Node{Name: name, Type: typ}
	switch typ {
	case "":
		if name == "displayUnit" && !usda.IsUnit(string(p.text)) {
			p.fail("a unit, such as cm or deg")
		}
		return p.unregistered(name)
	case "dictionary":
		switch {
		case strings.HasSuffix(name, "Substitutions"):
			p.substitutions(&n)
		case p.tok.kind == usda.PathRef:
			return p.value(name, typ)
		default:
			p.dictionary(&n, "")
		}
	case "VariantSelectionMap":
		p.dictionary(&n, "string")
		n.Brief = strings.Replace(strings.Replace(n.Brief, "entries", "sets", 1), "entry", "set", 1)
	case "Permission":
		p.want("public", "private")
		n.Value = model.Symbol{Number: map[string]int64{"private": 1}[string(p.text)], Name: string(p.text)}
		p.next()
	case "Relocates":
		p.relocates(&n)
	default:
		switch {
		case name == "symmetryFunction":
			n.Value = model.Text(p.function())
		case p.nextIs("{"):
			if n.Type = "dictionary"; !usda.IsRate(name, nil) {
				p.fail("a number above 0")
			}
			p.dictionary(&n, "")
		default:
			at := p.tok
			v := p.value(name, typ)
			if !usda.IsRate(name, v.Value) {
				p.failAt(at, "a number above 0", model.Show(p.ctx, v.Value, 40))
				v = p.done(v, at.off)
			}
			return v
		}
	}
	return n
}

// want reports a problem unless the next token is one of words.
func (p *parser) want(words ...string) {
	if !slices.ContainsFunc(words, p.nextIs) {
		p.fail(strings.Join(words, " or "))
	}
}

// function reads the optional name of a symmetry function.
func (p *parser) function() string {
	if p.tok.newLine || p.nextIs(")") || p.nextIs(";") {
		return ""
	}
	if p.tok.kind != usda.Word || !usda.IsTypeName(string(p.text)) {
		p.fail("a word, or none")
	}
	return p.word()
}

func (p *parser) relocates(n *model.Node) {
	var pairs []model.Value
	if !p.accept("{") {
		p.fail("{")
		p.skipValue()
	}
	for p.tok.kind == usda.PathRef {
		around := p.begin(p.strayed)
		from := p.path(primPath)
		if !p.accept(":") {
			p.fail(":")
		}
		pairs = append(pairs, model.Tuple{from, p.path(relocated)})
		p.goOn(around)
		if !p.comma() {
			break
		}
	}
	if !p.accept("}") {
		p.fail("a path, or }")
	}
	n.Value = elementsOf("relocate", pairs)
}

// A pathRule says which paths are accepted.
type pathRule struct {
	expected string
	empty    bool
	relative bool // relative to the enclosing prim is accepted too
	fits     func(*usda.Path) bool
}

var (
	relocated  = pathRule{"the path of a prim, or none", true, true, (*usda.Path).IsPrim}
	arcPath    = pathRule{"the absolute path of a prim, or none", true, false, (*usda.Path).IsArc}
	primPath   = pathRule{"the path of a prim", false, true, (*usda.Path).IsPrim}
	targetPath = pathRule{"the path of a prim or property", false, true, (*usda.Path).IsTarget}
)

// path reads a path between < and >.
func (p *parser) path(rule pathRule) model.Value {
	if p.tok.kind != usda.PathRef {
		p.fail("a path between < and >")
		p.skipValue()
		return model.Text("")
	}
	written := string(p.text[1 : len(p.text)-1])
	s, inVariant := written, false
	if rule.relative {
		s, inVariant = p.absolute(written)
	}
	if path, ok := usda.ParsePath(s); s == "" && !rule.empty || s != "" && (!ok || !path.Absolute || !rule.fits(&path)) {
		p.fail(rule.expected)
	} else if inVariant && p.problem == nil {
		line, column := p.l.index.place(p.ctx, p.src, p.tok.off)
		e := model.Problemf(model.Suspicious, ruleValue, p.src.Span(p.tok.off, p.tok.len),
			"line %d, column %d: the path leads into a variant; readers of a connection leave the variant out of it", line, column)
		p.problem = &e
	}
	p.next()
	return model.Text(s)
}

// absolute resolves a path relative to the prim of the statement. The path of a connection may lead into a variant: the
// variant is then dropped, and inVariant is true.
func (p *parser) absolute(path string) (absolute string, inVariant bool) {
	if path == "" || path[0] == '/' {
		return path, false
	}
	specs, prim := p.l.index.specs, p.spec
	for prim > 0 && specs[prim].kind != kindPrim {
		prim = specs[prim].parent
	}
	absolute = usda.AbsolutePath(p.l.path(prim), path)
	if specs[p.spec].kind != kindAttribute || strings.Contains(path, "{") {
		return absolute, false
	}
	plain := usda.WithoutVariants(absolute)
	return plain, plain != absolute
}

func (p *parser) subLayers(f *fields, off int64) {
	var names []string
	var offsets []model.Value
	if !p.accept("[") {
		p.fail("[")
		p.skipValue()
	}
	for p.tok.kind == usda.Asset {
		around := p.begin(p.strayed)
		names = append(names, string(p.asset()))
		p.next()
		offset := p.layerOffset(nil)
		p.goOn(around)
		offsets = append(offsets, offset)
		if !p.comma() {
			break
		}
	}
	if !p.accept("]") {
		p.fail("an asset path, or ]")
		p.skipValue()
	}
	n := p.done(texts("subLayers", "StringVector", "string", names), off)
	f.set(n)
	f.set(model.Node{Name: "subLayerOffsets", Type: "LayerOffsetVector", Spans: n.Spans, Value: elementsOf("LayerOffset", offsets)})
}

// layerOffset reads offset, scale and, if data is not nil, custom data in parentheses.
func (p *parser) layerOffset(data *model.Node) model.Tuple {
	pair := model.Tuple{model.Float64(0), model.Float64(1)}
	if p.tok.newLine || !p.accept("(") {
		return pair
	}
	for !p.accept(")") {
		if p.tok.kind == usda.End {
			p.fail(")")
			break
		}
		around := p.begin(p.strayed)
		switch word := p.word(); {
		case !p.accept("="):
			p.fail("offset =, scale = or customData =")
			p.skipValue()
		case word == "offset" || word == "scale":
			if v := p.atom(usda.Double); v != nil && word == "offset" {
				pair[0] = v
			} else if v != nil {
				pair[1] = v
			}
		case word == "customData" && data != nil:
			off := p.tok.off
			p.dictionary(data, "")
			*data = p.done(*data, off)
		default:
			p.fail("offset, scale or customData")
			p.skipValue()
		}
		p.goOn(around)
		if !p.isSeparated(")") {
			p.fail("the end of the line, ; or )")
		}
	}
	return pair
}
