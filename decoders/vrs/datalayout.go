package vrs

import (
	"fmt"
	"strconv"
	"strings"

	"cutaway/decoders/grammar"
	"cutaway/model"
)

// Chapter 7.5: definitions of data layouts.

// pieceKind is a kind of data piece.
type pieceKind uint8

const (
	valuePiece pieceKind = iota
	arrayPiece
	vectorPiece
	mapPiece
	stringPiece
	unknownPiece
)

// fixed reports whether pieces of the kind have a fixed size.
func (k pieceKind) fixed() bool { return k == valuePiece || k == arrayPiece }

var pieceTemplates = []struct {
	prefix string
	kind   pieceKind
}{
	{"DataPieceValue<", valuePiece},
	{"DataPieceArray<", arrayPiece},
	{"DataPieceVector<", vectorPiece},
	{"DataPieceStringMap<", mapPiece},
}

const stringPieceType = "DataPieceString"

// piece is one field of a data layout.
type piece struct {
	name  string
	typ   string
	kind  pieceKind
	elem  *elementType // nil: strings, or a type that is not known
	count int64        // of an array

	// Where it stands: a fixed piece in the fixed part, a variable one by its entry in the index.
	fixed bool
	off   int64 // in the fixed part; unset: not known
	size  int64 // of a fixed piece; unset: not known
	entry int   // of a variable piece
	shown int   // of a fixed piece: its field of the description of the fixed part; unset: it is not there

	stated   int64 // the member "offset" or "index"; unset
	fallback jsonValue
	props    []jsonMember
	tags     []jsonMember
	required bool
	help     string // what the definition says of it for a person
}

// maxFixed is the most bytes that the fixed part and the index may have.
const maxFixed = 1 << 30

// layout is the definition of a data layout.
type layout struct {
	source   tag
	pieces   []piece
	fixed    int64 // bytes of the fixed part; unset: not known
	variable []int // numbers of the variable pieces, by entry
	problems []model.Problem
	broken   string // why nothing can be decoded by it; ""

	fixedPart *grammar.Record
}

// index is the number of bytes of the index of variable pieces.
func (l *layout) index() int64 { return int64(len(l.variable)) * entrySize }

// entrySize is the number of bytes of an entry of the index of variable pieces.
const entrySize = 8

// parseLayout reads a definition.
func parseLayout(t tag) *layout {
	l := &layout{source: t}
	j, err := parseJSON(t.value)
	if err != nil {
		l.problem(model.Malformed, ruleLayoutJSON, err.at, 0, "the data layout is not JSON: %s", err.reason)
	}
	list, ok := j.member("data_layout")
	if !ok || list.kind != jsonList {
		if err == nil {
			l.problem(model.Malformed, ruleLayoutJSON, 0, int64(len(t.value)), "the data layout has no list \"data_layout\"")
		}
		l.broken = "its data layout cannot be read"
		return l
	}
	if err != nil {
		l.broken = "its data layout cannot be read"
	}
	for i := range list.list {
		l.add(&list.list[i])
	}
	l.place()
	if l.broken == "" {
		l.describeFixed()
	}
	return l
}

// problem adds a problem at a range of the text.
func (l *layout) problem(kind model.Kind, rule string, at, n int64, format string, args ...any) *model.Problem {
	var span model.Span
	if l.source.src != nil {
		at = min(at, int64(len(l.source.value)))
		span = l.source.src.Span(l.source.valueOff+at, min(n, int64(len(l.source.value))-at))
	}
	l.problems = append(l.problems, model.Problemf(kind, rule, span, format, args...))
	return &l.problems[len(l.problems)-1]
}

func (l *layout) add(j *jsonValue) {
	name, okName := j.member("name")
	typ, okType := j.member("type")
	if !okName || !okType || name.kind != jsonText || typ.kind != jsonText {
		l.problem(model.Suspicious, ruleLayoutPiece, j.at, j.end-j.at, "a piece without name or type is skipped")
		return
	}
	p := piece{name: name.text, typ: typ.text, kind: unknownPiece, stated: unset, size: unset, off: unset, entry: unset, shown: unset}
	if typ.text == stringPieceType {
		p.kind = stringPiece
	}
	for _, t := range pieceTemplates {
		elem, ok := strings.CutPrefix(typ.text, t.prefix)
		if elem, closed := strings.CutSuffix(elem, ">"); ok && closed {
			p.kind, p.elem = t.kind, elementTypes[elem]
			if p.elem == nil && (t.kind.fixed() || elem != "string") {
				l.problem(model.Suspicious, rulePieceType, typ.at, typ.end-typ.at, "the element type %q of %q is not known", elem, p.name)
			}
		}
	}
	if p.kind == unknownPiece {
		l.problem(model.Suspicious, rulePieceType, typ.at, typ.end-typ.at, "the type %q of %q is not known", p.typ, p.name)
	}
	member := func(name string) int64 {
		if m, ok := j.member(name); ok && m.kind == jsonNumber && m.number >= 0 && m.number <= 1<<32 && m.number == float64(int64(m.number)) {
			return int64(m.number)
		}
		return unset
	}
	offset, index := member("offset"), member("index")
	p.fixed = p.kind.fixed() || p.kind == unknownPiece && offset != unset && index == unset
	if p.stated = index; p.fixed {
		p.stated = offset
	}
	if p.kind == arrayPiece {
		p.count = max(member("size"), 0)
	} else if p.kind == valuePiece {
		p.count = 1
	}
	p.fallback, _ = j.member("default")
	props, _ := j.member("properties")
	p.props = props.members
	tags, _ := j.member("tags")
	p.tags = tags.members
	required, _ := j.member("required")
	p.required = required.kind == jsonBool && required.number != 0
	if p.fixed && p.elem != nil {
		p.size = p.elem.Size() * p.count // at most 2³² elements of 128 bytes
	}
	p.help = p.describe()
	l.pieces = append(l.pieces, p)
}

// place computes where the pieces stand and compares with what the definition says.
func (l *layout) place() {
	fixed := int64(0)
	for i := range l.pieces {
		p := &l.pieces[i]
		if p.kind == unknownPiece && p.stated == unset {
			l.broken = fmt.Sprintf("%q is of a type that is not known, so that what stands behind it cannot be located", p.name)
		}
		if !p.fixed {
			p.entry = len(l.variable)
			if p.stated != unset && p.stated != int64(p.entry) {
				l.placeProblem(p, "index", int64(p.entry))
			}
			l.variable = append(l.variable, i)
			continue
		}
		switch {
		case fixed == unset:
			fixed = p.stated // behind a piece of unknown size only the definition knows
		case p.stated != unset && p.stated != fixed:
			l.placeProblem(p, "offset", fixed)
		}
		p.off = fixed
		if p.size == unset {
			p.size = l.sizeBefore(i)
		}
		if fixed == unset || p.size == unset {
			fixed = unset
		} else {
			fixed = min(fixed+p.size, tooLarge)
		}
	}
	l.fixed = fixed
	if l.fixed == unset && l.broken == "" {
		l.broken = "a field is of a type that is not known, so that the size of the fixed part is not known"
	}
	if l.fixed+l.index() > maxFixed {
		l.problem(model.Malformed, ruleLayoutSize, 0, int64(len(l.source.value)), "the data layout needs more than a record may hold").
			Expected = fmt.Sprintf("at most %d bytes", maxFixed)
		l.broken = "its data layout needs more than a record may hold"
	}
}

func (l *layout) placeProblem(p *piece, what string, computed int64) {
	at := int64(max(strings.Index(l.source.value, strconv.Quote(p.name)), 0))
	wrong := l.problem(model.Suspicious, rulePlace, at, int64(len(p.name)+2), "the %s of %q differs from the computed one, which counts", what, p.name)
	*wrong = wrong.Want(computed, p.stated)
}

// sizeBefore is the size of a fixed piece of unknown type: the next fixed piece tells where it ends.
func (l *layout) sizeBefore(i int) int64 {
	p := &l.pieces[i]
	for k := i + 1; k < len(l.pieces); k++ {
		if next := &l.pieces[k]; next.fixed {
			if p.off != unset && next.stated != unset && next.stated >= p.off {
				return next.stated - p.off
			}
			return unset
		}
	}
	return unset
}

// find is the piece of a type and name; nil: there is none.
func (l *layout) find(typ, name string) *piece {
	for i := range l.pieces {
		if p := &l.pieces[i]; p.name == name && p.typ == typ {
			return p
		}
	}
	return nil
}

// describe is what the definition says of a piece for a person.
func (p *piece) describe() string {
	var parts []string
	for _, m := range p.tags {
		parts = append(parts, fmt.Sprintf("%s: %s", m.name, model.ShowHeld(m.value.model(), 100)))
	}
	for _, m := range p.props {
		parts = append(parts, fmt.Sprintf("%s %s", m.name, model.ShowHeld(m.value.model(), 40)))
	}
	if p.fallback.kind != jsonNull {
		parts = append(parts, "default "+model.ShowHeld(p.fallback.model(), 60))
	}
	if p.required {
		parts = append(parts, "required")
	}
	return strings.Join(parts, "; ")
}

// unit is the piece's unit; "" where the definition gives none.
func (p *piece) unit() string {
	for _, m := range p.tags {
		if m.name == "unit" {
			return m.value.text
		}
	}
	return ""
}
