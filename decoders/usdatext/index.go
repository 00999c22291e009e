package usdatext

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"cutaway/decoders/usda"
	"cutaway/model"
	"cutaway/source"
)

// A specKind is one of the kinds of specs that text can state.
type specKind uint8

const (
	kindLayer specKind = iota
	kindPrim
	kindAttribute
	kindRelationship
	kindVariantSet
	kindVariant
)

var kindNames = [...]string{"pseudoRoot", "prim", "attribute", "relationship", "variantSet", "variant"}

// A spec is an object of the layer. Specs refer to each other, and to statements, by index.
type spec struct {
	kind          specKind
	parent        int32
	off, end      int64 // of its first definition
	name          string
	first, last   int32 // statements, or -1
	kid, lastKid  int32 // children, or -1
	next          int32 // sibling, or -1
	kids          int32
	body, bodyEnd int64 // between its braces
}

// A statement is a range of the text about one spec: the head of a prim, a statement of a property, an order.
type statement struct {
	off, end int64
	next     int32
}

// A listing identifies the children of a spec that are of one kind; kindAttribute stands for all properties.
type listing struct {
	of   int32
	kind specKind
}

// An arrayIndex holds the offset of every markEvery-th element of a long array.
type arrayIndex struct {
	end   int64
	count int64
	marks []int64
	sound usda.Type // the type that all elements are valid for, or the zero Type if unknown
}

// add adds the element at off.
func (a *arrayIndex) add(off int64) {
	if a.count%markEvery == 0 {
		a.marks = append(a.marks, off)
	}
	a.count++
}

// markEvery is the number of elements from one kept offset to the next.
const markEvery = 1024

// longArray is the size in bytes above which the scan indexes an array's elements.
const longArray = 4 << 10

// An index holds the structure that a scan finds in a layer.
type index struct {
	specs      []spec
	statements []statement
	sampled    []int32 // those with time samples
	arrays     map[int64]arrayIndex
	listed     map[listing][]int32    // the children that readers list of a repeated spec: those of its last definition
	blocks     map[int32][]model.Span // the definitions of repeated variants and variant sets
	problems   []model.Problem
	lines      []int32      // number of line ends before each window of the source
	bad        []model.Span // invalid UTF-8
	more       int          // number of problems beyond maxProblems
	end        int64        // of the scanned text
	full       bool         // the memory limit ended the scan
}

// memory estimates the bytes that the index takes, spare capacity included.
func (x *index) memory() int64 {
	return int64(len(x.specs))*240 + int64(len(x.statements))*50 + int64(len(x.arrays))*300
}

// limit returns the problem that the memory limit left rest unread.
func (x *index) limit(rest model.Span) model.Problem {
	return model.Problemf(model.Limit, ruleLimit, rest, "the layer is read up to here, which is as much as memory allows; --max-memory raises it")
}

// maxProblems is the most syntax errors that are listed.
const maxProblems = 1000

// maxNesting is the greatest depth of prims.
const maxNesting = 10_000

// A scanner builds an index.
type scanner struct {
	*lexer
	x        *index
	progress model.Progress
	reported int64
	depth    int
	names    map[int32]bodyNames // of children, by spec, where a spec may be defined again
}

// scan builds the index of the text that begins at from.
func scan(ctx context.Context, src *model.Source, from int64, progress model.Progress) (*index, error) {
	x := &index{arrays: map[int64]arrayIndex{}, listed: map[listing][]int32{}, blocks: map[int32][]model.Span{}}
	if err := x.countLines(ctx, src); err != nil {
		return nil, err
	}
	if from == 0 || from < src.Size() {
		x.reportBad(ctx, src)
	}
	s := &scanner{lexer: newLexer(ctx, src, from, src.Size(), nil), x: x, progress: progress, names: map[int32]bodyNames{}}
	s.next()
	x.end = src.Size()
	x.specs = append(x.specs, spec{kind: kindLayer, parent: -1, end: src.Size(), first: -1, last: -1, kid: -1, lastKid: -1, next: -1,
		bodyEnd: src.Size()})
	if s.nextIs("(") {
		off := s.tok.off
		s.group("metadata", usda.Type{})
		s.x.state(0, off, s.before)
		s.x.specs[0].body = s.before
	}
	s.body(0)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if s.err != nil {
		x.problems = append(x.problems, model.AsProblem(s.err, "usda.read", src.Span(s.pos, min(1, src.Size()-s.pos))))
	}
	return x, nil
}

// countLines counts the line ends of each window, and collects invalid UTF-8.
func (x *index) countLines(ctx context.Context, src *model.Source) error {
	n, begin := int32(0), 0
	for off := int64(0); off < src.Size(); off += window {
		x.lines = append(x.lines, n)
		b, err := src.Bytes(ctx, off, min(window+utf8.UTFMax-1, src.Size()-off))
		if err != nil {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			return nil // reported where it is read
		}
		n += int32(bytes.Count(b[:min(window, len(b))], []byte{'\n'}))
		begin = x.findBad(b, off, begin)
	}
	return nil
}

// findBad collects invalid UTF-8 in the first window of b, which holds a few bytes more. begin is the offset of the
// first character in b; next is that of the first in the next window.
func (x *index) findBad(b []byte, off int64, begin int) (next int) {
	i, end := begin, min(window, len(b))
	if utf8.Valid(b[i:end]) { // the common case
		return 0
	}
	for i < end {
		if b[i] < utf8.RuneSelf {
			i++
			continue
		}
		c, n := utf8.DecodeRune(b[i:])
		if c == utf8.RuneError && n == 1 {
			x.addBad(off + int64(i))
		}
		i += n
	}
	return max(0, i-window)
}

// addBad adds an invalid byte.
func (x *index) addBad(at int64) {
	if last := len(x.bad) - 1; last >= 0 && x.bad[last].End() == at {
		x.bad[last].Len++
	} else if len(x.bad) < maxProblems {
		x.bad = append(x.bad, model.Span{Off: at, Len: 1})
	} else {
		x.more++
	}
}

// reportBad adds a problem for each run of invalid UTF-8.
func (x *index) reportBad(ctx context.Context, src *model.Source) {
	for _, at := range x.bad {
		line, column := x.place(ctx, src, at.Off)
		b, _ := src.Bytes(ctx, at.Off, min(at.Len, 8))
		x.problems = append(x.problems, model.Problemf(model.Malformed, ruleUTF8, src.Span(at.Off, at.Len), "line %d, column %d: this is no UTF-8", line, column).
			Want("UTF-8", fmt.Sprintf("% x", b)))
	}
	x.bad = nil
}

// place returns the line and column of a byte, both from 1 on. A column counts bytes.
func (x *index) place(ctx context.Context, src *model.Source, off int64) (line, column int64) {
	block := off / window
	if block >= int64(len(x.lines)) {
		if block = int64(len(x.lines)) - 1; block < 0 {
			return 1, 1
		}
	}
	line = int64(x.lines[block]) + 1
	start := block * window
	b, err := src.Bytes(ctx, start, off-start)
	if err != nil {
		return line, 1
	}
	for i, c := range b {
		if c == '\n' {
			line++
			start = block*window + int64(i) + 1
		}
	}
	if start == block*window && block > 0 { // the line began in an earlier window
		back := max(0, start-window)
		if before, err := src.Bytes(ctx, back, start-back); err == nil {
			for len(before) > 0 && before[len(before)-1] != '\n' {
				before = before[:len(before)-1]
			}
			start = back + int64(len(before))
		}
	}
	return line, off - start + 1
}

// fail reports a syntax error at the next token.
func (s *scanner) fail(want string) {
	s.failAt(ruleSyntax, want, s.found(), s.tok.off, s.tok.len)
}

func (s *scanner) failAt(rule, want, found string, off, n int64) {
	if s.x.full {
		return // the rest was not read
	}
	if len(s.x.problems) >= maxProblems {
		s.x.more++
		return
	}
	line, column := s.x.place(s.ctx, s.src, off)
	at := s.src.Span(min(off, s.src.Size()), n)
	kind := model.Malformed
	switch {
	case off >= s.src.Size():
		kind = model.Truncated
	case rule == ruleVariant || rule == ruleSet:
		kind = model.Suspicious
	}
	if rule == ruleDepth {
		kind = model.Limit
	}
	s.x.problems = append(s.x.problems, model.Problemf(kind, rule, at, "line %d, column %d: %s", line, column,
		map[string]string{ruleSyntax: "this is no USD text", ruleTwice: "the name is here once more", ruleVariant: "the variant is here once more", ruleSet: "the variant set is here once more", ruleName: "USD takes no such name",
			ruleDepth: "what is nested deeper is not read, which is this program's limit"}[rule]).
		Want(want, found))
}

// state adds a statement to a spec.
func (x *index) state(of int32, off, end int64) {
	i := int32(len(x.statements))
	x.statements = append(x.statements, statement{off, end, -1})
	if s := &x.specs[of]; s.last < 0 {
		s.first, s.last = i, i
	} else {
		x.statements[s.last].next, s.last = i, i
	}
}

// add adds a child to a spec.
func (x *index) add(parent int32, kind specKind, name string, off int64) int32 {
	i := int32(len(x.specs))
	x.specs = append(x.specs, spec{kind: kind, parent: parent, name: name, off: off, first: -1, last: -1, kid: -1, lastKid: -1, next: -1})
	p := &x.specs[parent]
	if p.lastKid < 0 {
		p.kid = i
	} else {
		x.specs[p.lastKid].next = i
	}
	p.lastKid = i
	p.kids++
	return i
}

// childrenOf returns the children of some kinds, in the order of the text.
func (x *index) childrenOf(parent int32, kinds ...specKind) []int32 {
	var list []int32
	for i := x.specs[parent].kid; i >= 0; i = x.specs[i].next {
		for _, k := range kinds {
			if x.specs[i].kind == k {
				list = append(list, i)
			}
		}
	}
	return list
}

// bodyNames maps the names of properties, prims and variant sets in a body, by bodyKey, to their specs.
type bodyNames map[string]int32

// namesIn returns the names of the children of a spec, which are kept if its body is read a second time.
func (s *scanner) namesIn(of int32) bodyNames {
	names := s.names[of]
	if names != nil {
		return names
	}
	if names = (bodyNames{}); s.x.specs[of].kid < 0 {
		return names
	}
	for i := s.x.specs[of].kid; i >= 0; i = s.x.specs[i].next {
		names[bodyKey(s.x.specs[i].kind, s.x.specs[i].name)] = i
	}
	s.names[of] = names
	return names
}

// bodyKey returns the key of a spec in bodyNames.
func bodyKey(kind specKind, name string) string {
	switch kind {
	case kindPrim:
		return "/" + name
	case kindVariantSet:
		return "{" + name
	}
	return "." + name
}

// body reads the statements of a layer, prim or variant, up to its closing brace.
func (s *scanner) body(of int32) {
	names := s.namesIn(of)
	for s.tok.kind != usda.End && s.ctx.Err() == nil {
		if s.nextIs("}") && of != 0 {
			return
		}
		if s.tok.off-s.reported > 1<<20 {
			s.reported = s.tok.off
			s.progress.Report(s.reported, s.end, "reading USD text")
		}
		off := s.tok.off
		if s.x.memory() > source.CacheLimit()/2 {
			s.x.full, s.x.end = true, off
			s.tok, s.pos, s.end = token{kind: usda.End, off: off, newLine: true}, off, off
			return
		}
		block := s.nextIs("def") || s.nextIs("over") || s.nextIs("class") || s.nextIs("variantSet")
		around := s.begin(func() { s.fail("it on the line before") })
		ok := s.statement(of, names)
		s.goOn(around)
		if ok {
			s.lineEnd(block)
		} else {
			s.recover(off)
		}
	}
	if of != 0 {
		s.fail("}")
	}
}

// lineEnd expects the end of the line after a statement, or a semicolon if the statement is no block.
func (s *scanner) lineEnd(block bool) {
	switch {
	case s.tok.newLine:
	case block:
		s.fail("the end of the line")
	case !s.accept(";"):
		s.fail("the end of the line, or ;")
	}
}

// recover skips the rest of an erroneous line, including the groups that begin there.
func (s *scanner) recover(from int64) {
	if s.tok.off == from && !s.nextIs("}") {
		s.next()
	}
	for s.tok.kind != usda.End && s.ctx.Err() == nil && !s.tok.newLine && !s.nextIs("}") {
		if s.nextIs("(") || s.nextIs("[") || s.nextIs("{") {
			s.skipGroup(nil)
		} else {
			s.next()
		}
	}
	if s.nextIs("}") && s.depth == 0 {
		s.next()
	}
}

func (s *scanner) statement(of int32, names bodyNames) bool {
	if s.tok.kind != usda.Word {
		s.fail("a prim, property or variant set")
		return false
	}
	kind, off := s.x.specs[of].kind, s.tok.off
	switch word := string(s.text); word {
	case "def", "over", "class":
		return s.prim(of, names)
	case "variantSet":
		if kind != kindLayer {
			return s.variantSet(of, names)
		}
	case "reorder":
		s.next()
		s.blank()
		if s.order(of, off) {
			return true
		}
	}
	if kind == kindLayer {
		s.fail("def, over, class or reorder rootPrims")
		return false
	}
	return s.property(of, names, off)
}

// order reads what follows the word reorder at off. It returns false if that is part of a property.
func (s *scanner) order(of int32, off int64) bool {
	isLayer := s.x.specs[of].kind == kindLayer
	switch string(s.text) {
	case "nameChildren", "properties", "rootPrims":
		if isLayer != s.nextIs("rootPrims") {
			return false
		}
		s.next()
		if !s.accept("=") {
			s.fail("=")
		} else if s.nextIs("[") {
			s.group("names", usda.Type{})
		} else {
			s.next()
		}
		s.x.state(of, off, s.before)
		return true
	}
	return false
}

// group skips a bracketed group. It indexes long arrays; t is the type of their elements, or the zero Type if unknown.
func (s *scanner) group(what string, t usda.Type) {
	off, ok := s.tok.off, false
	switch {
	case s.text[0] == '[':
		var a arrayIndex
		if a, ok = s.array(t); a.end-off > longArray {
			s.x.arrays[off] = a
		}
	case s.text[0] == '{' && t.Count > 0:
		ok = s.samples(t)
	default:
		ok = s.skipGroup(nil)
	}
	if !ok {
		s.failAt(ruleSyntax, "the end of the "+what, s.found(), s.tok.off, s.tok.len)
	}
}

// array skips an array and indexes its elements. a.sound is t if all elements are values of type t.
func (s *scanner) array(t usda.Type) (a arrayIndex, ok bool) {
	e, swept, fresh := elementOf(t), int64(0), true // fresh: no element since the bracket or comma
	ok = s.skipGroup(func(mark byte) (over, ok bool) {
		switch {
		case mark == ',':
			fresh = true
		case fresh && mark != ']':
			if n := s.sweep(e, &a); n > 0 {
				swept += n
				return true, true
			}
			a.add(s.tok.off)
			fresh = false
		}
		return false, true
	})
	a.end = s.before
	if ok && swept == a.count {
		a.sound = t
	}
	return a, ok
}

// samples skips time samples whose values are arrays, and indexes those that are long and valid. Others are reported
// when they are read.
func (s *scanner) samples(t usda.Type) bool {
	return s.skipGroup(func(mark byte) (over, ok bool) {
		if mark != '[' {
			return false, true
		}
		off := s.tok.off
		a, ok := s.array(t)
		if a.sound == t && a.end-off > longArray {
			s.x.arrays[off] = a
		}
		return true, ok
	})
}

func (s *scanner) prim(of int32, names bodyNames) bool {
	off := s.tok.off
	s.next()
	s.blank()
	if s.tok.kind == usda.Word {
		s.noColon()
		for s.word(); s.accept("."); s.word() {
			if s.tok.kind != usda.Word || usda.IsKeyword(string(s.text)) {
				s.fail("a word after the dot, which is none of the syntax")
			}
			s.noColon()
		}
	}
	s.blank()
	name, ok := s.name()
	s.line.stray = nil
	if !ok {
		return false
	}
	if s.twice(names, bodyKey(kindPrim, name)) {
		s.failAt(ruleTwice, "another name", name, off, s.before-off)
	} else if !usda.IsIdentifier(name) {
		s.failAt(ruleName, "letters, digits and _", name, off, s.before-off)
	}
	i := s.x.add(of, kindPrim, name, off)
	names[bodyKey(kindPrim, name)] = i
	if s.nextIs("(") {
		s.group("metadata", usda.Type{})
	}
	s.x.state(i, off, s.before)
	return s.braces(i)
}

// noColon reports a type name with a namespace that does not end in a double colon.
func (s *scanner) noColon() {
	if bytes.IndexByte(s.text, ':') >= 0 && !usda.IsTypeName(string(s.text)) {
		s.failAt(ruleName, "a type whose namespaces end in ::", s.found(), s.tok.off, s.tok.len)
	}
}

// blank expects a blank before the next token.
func (s *scanner) blank() {
	if !s.tok.blank && !s.tok.newLine {
		s.fail("a blank before it")
	}
}

func (s *scanner) twice(names bodyNames, name string) bool {
	_, twice := names[name]
	return twice
}

// name reads a name in quotes.
func (s *scanner) name() (string, bool) {
	if s.tok.kind != usda.String {
		s.fail("a name in quotes")
		return "", false
	}
	name := usda.Unquote(string(s.text))
	s.next()
	return name, true
}

// braces reads the body of a prim or variant in braces.
func (s *scanner) braces(i int32) bool {
	if !s.nextIs("{") {
		s.fail("{")
		s.x.specs[i].end = s.before
		return false
	}
	s.x.specs[i].body = s.tok.end()
	if s.depth == maxNesting {
		s.failAt(ruleDepth, fmt.Sprintf("at most %d", maxNesting), "more", s.tok.off, 1)
		ok := s.skipGroup(nil)
		s.x.specs[i].bodyEnd, s.x.specs[i].end = s.before, s.before
		return ok
	}
	s.next()
	s.depth++
	s.body(i)
	s.depth--
	s.x.specs[i].bodyEnd = s.tok.off
	s.accept("}")
	s.x.specs[i].end = s.before
	return true
}

func (s *scanner) variantSet(of int32, names bodyNames) bool {
	off := s.tok.off
	s.next()
	s.blank()
	set, ok := s.name()
	if !ok {
		return false
	}
	if !usda.IsVariantSet(set) {
		s.failAt(ruleName, "the name of a variant set", set, off, s.before-off)
	}
	i, known := names[bodyKey(kindVariantSet, set)]
	if known {
		s.failAt(ruleSet, "another name", set, off, s.before-off)
	} else {
		i = s.x.add(of, kindVariantSet, set, off)
		names[bodyKey(kindVariantSet, set)] = i
	}
	if !s.accept("=") {
		s.fail("=")
		return false
	}
	s.line.stray = nil
	if !s.accept("{") {
		s.fail("{")
		return false
	}
	first := s.x.specs[i]
	s.x.specs[i].body = s.before
	ok = s.variants(i, known)
	s.x.specs[i].bodyEnd = s.tok.off
	if ok && !s.accept("}") {
		s.fail("a variant, or }")
		ok = false
	}
	s.x.specs[i].end = s.before
	if known {
		s.addBlock(i, off, &first)
	}
	return ok
}

// addBlock records a repeated definition, which begins at off, and gives the spec the range of its first one back.
func (s *scanner) addBlock(i int32, off int64, first *spec) {
	at := &s.x.specs[i]
	if s.x.blocks[i] == nil {
		s.x.blocks[i] = []model.Span{s.src.Span(first.off, max(first.end-first.off, 0))}
	}
	s.x.blocks[i] = append(s.x.blocks[i], s.src.Span(off, max(at.end-off, 0)))
	at.end, at.body, at.bodyEnd = first.end, first.body, first.bodyEnd
}

// variants reads the variants of a set; again says that the set was defined before.
func (s *scanner) variants(i int32, again bool) bool {
	variants, stated := s.namesIn(i), []int32(nil)
	for s.tok.kind == usda.String && s.ctx.Err() == nil {
		v, ok := s.variant(i, variants)
		if !ok {
			return false
		}
		stated = append(stated, v)
	}
	if len(stated) == 0 && s.tok.off > s.before { // readers accept {}, but nothing between the braces
		s.fail("a variant")
	}
	if len(stated) > 0 && (again || len(stated) > len(variants)) {
		s.x.listed[listing{i, kindVariant}] = stated
	}
	return true
}

// variant reads a variant of a set. A repeated one adds to the first.
func (s *scanner) variant(set int32, variants bodyNames) (v int32, ok bool) {
	off := s.tok.off
	name, _ := s.name()
	v, again := variants[bodyKey(kindVariant, name)]
	switch {
	case again:
		s.failAt(ruleVariant, "another name", name, off, s.before-off)
	case !usda.IsVariantName(name):
		s.failAt(ruleName, "the name of a variant", name, off, s.before-off)
	}
	if !again {
		v = s.x.add(set, kindVariant, name, off)
		variants[bodyKey(kindVariant, name)] = v
	}
	if s.nextIs("(") {
		s.group("metadata", usda.Type{})
	}
	s.x.state(v, off, s.before)
	if !again {
		return v, s.braces(v)
	}
	first, before := s.x.specs[v], s.x.specs[v].lastKid
	ok = s.braces(v)
	s.addBlock(v, off, &first)
	s.x.relist(v, before)
	return v, ok
}

// relist makes readers list only the children of spec of that follow child after, for each kind that has any.
func (x *index) relist(of, after int32) {
	next := x.specs[of].kid
	if after >= 0 {
		next = x.specs[after].next
	}
	added := map[specKind][]int32{}
	for i := next; i >= 0; i = x.specs[i].next {
		kind := x.specs[i].kind
		if kind == kindRelationship {
			kind = kindAttribute
		}
		added[kind] = append(added[kind], i)
	}
	for kind, list := range added {
		x.listed[listing{of, kind}] = list
	}
}

// property reads a statement of an attribute or relationship.
func (s *scanner) property(of int32, names bodyNames, off int64) bool {
	kind, t, ok := s.propertyHead()
	if !ok {
		return false
	}
	s.blank()
	at, n := s.tok.off, s.tok.len
	name := s.word()
	if !usda.IsPropertyName(name) {
		s.failAt(ruleSyntax, "the name of a property", s.found(), at, n)
		return false
	}
	sampled := false
	if s.accept(".") {
		if sampled = s.nextIs(samplesField); !s.aspect(kind) {
			return false
		}
	}
	i, known := names[bodyKey(kind, name)]
	if !known {
		i = s.x.add(of, kind, name, off)
		names[bodyKey(kind, name)] = i
	} else if kind == kindAttribute && s.x.specs[i].kind == kindRelationship {
		s.failAt(ruleTwice, "rel, as before", name, at, n)
	}
	if sampled && !slices.Contains(s.x.sampled[max(len(s.x.sampled)-1, 0):], i) {
		s.x.sampled = append(s.x.sampled, i)
	}
	ok = !s.accept("=") || s.value(t)
	if ok && s.nextIs("(") {
		s.group("metadata", usda.Type{})
	}
	s.x.state(i, off, s.before)
	if p := &s.x.specs[i]; p.end == 0 {
		p.end = s.before
	}
	return ok
}

// aspect consumes the word after the dot of a property, such as timeSamples.
func (s *scanner) aspect(of specKind) bool {
	aspects := []string{"connect", samplesField, "spline"}
	if of == kindRelationship {
		aspects = []string{"default"}
	}
	if !slices.Contains(aspects, string(s.text)) {
		s.fail(strings.Join(aspects, ", "))
		return false
	}
	s.next()
	if !s.nextIs("=") {
		s.fail("=")
	}
	return s.nextIs("=")
}

// propertyHead consumes the words before a property's name. elements is the type of an array's elements, or the zero
// Type if it is no array.
func (s *scanner) propertyHead() (kind specKind, elements usda.Type, ok bool) {
	switch string(s.text) {
	case "add", "delete", "append", "prepend":
		s.next()
		s.blank()
	}
	if s.accept("custom") {
		s.blank()
	}
	if s.accept("uniform") || s.accept("varying") || s.accept("config") {
		s.blank()
	}
	kind = kindAttribute
	if s.nextIs("rel") {
		kind = kindRelationship
	}
	s.noColon()
	typ := s.word()
	if typ == "" {
		s.fail("rel, or the type of an attribute")
		return kind, elements, false
	}
	if s.accept("[") {
		if s.tok.newLine || !s.accept("]") {
			s.fail("]")
			return kind, elements, false
		}
		elements, _ = usda.TypeOf(typ)
	}
	return kind, elements, true
}

// value skips a value; t is the type of an array's elements.
func (s *scanner) value(t usda.Type) bool {
	switch {
	case s.nextIs("edit"):
		s.next()
		if !s.nextIs("[") {
			s.fail("[")
			return false
		}
		s.group("array edit", usda.Type{})
	case s.nextIs("(") || s.nextIs("[") || s.nextIs("{"):
		s.group("value", t)
	case s.tok.kind == usda.Word, s.tok.kind == usda.Number, s.tok.kind == usda.String, s.tok.kind == usda.PathRef, s.tok.kind == usda.Asset:
		s.next()
	default:
		s.fail("a value")
		return false
	}
	return true
}
