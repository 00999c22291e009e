// Package layout reads the data layouts of VRS records: their definitions, and blocks of fields by them. The chapters named in comments
// are those of docs/formats/vrs.md.
package layout

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"cutaway/decoders/grammar"
	"cutaway/decoders/vrs/container"
	"cutaway/model"
)

// Chapter 7.5: definitions of data layouts.

// A pieceKind is a kind of data piece.
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

// A Piece is one field of a data layout.
type Piece struct {
	Name  string
	Typ   string
	kind  pieceKind
	Elem  *ElementType // nil for strings and for a type that is not known
	Count int64        // of an array

	// Where it is: a fixed piece in the fixed part, a variable one by its entry in the index.
	Fixed bool
	off   int64 // in the fixed part, or unset if it is not known
	size  int64 // of a fixed piece, or unset if it is not known
	entry int   // of a variable piece
	shown int   // field of the record of the fixed part, or unset if it has none

	stated int64    // the member "offset" or "index"; unset
	names  []string // of its numbers, by the conventions for field names
	Unit   string   // or "" if the definition gives none
	Help   string   // from the definition, for a person
}

// maxFixed is the most bytes that the fixed part and the index may have.
const maxFixed = 1 << 30

// IsArray reports whether the piece is an array of elements.
func (p *Piece) IsArray() bool { return p.kind == arrayPiece }

// A Layout is the definition of a data layout.
type Layout struct {
	Source   container.Tag
	Pieces   []Piece
	Fixed    int64 // bytes of the fixed part, or unset if they are not known
	Variable []int // numbers of the variable pieces, by entry
	Problems []model.Problem
	Broken   string // why nothing can be decoded by the definition, or ""

	names     Names
	fixedPart *grammar.Record
}

// Names are names of the numbers of pieces, by the type and name of the piece.
type Names map[[2]string][]string

// Index returns the number of bytes of the index of variable pieces.
func (l *Layout) Index() int64 { return int64(len(l.Variable)) * EntrySize }

// Parse reads a definition.
func Parse(t container.Tag, names Names) *Layout {
	l := &Layout{Source: t, names: names}
	j, err := container.ParseJSON(t.Value)
	if err != nil {
		l.Problems = append(l.Problems, err.Problem(ruleLayoutJSON, l.span(err.At, 0), "the data layout"))
	}
	list := j.Get("data_layout")
	if list.Kind != container.JSONList {
		if err == nil {
			l.problem(ruleLayoutJSON, 0, int64(len(t.Value)), "the data layout has no list \"data_layout\"")
		}
		l.Broken = "its data layout cannot be read, as a problem of the stream's formats says"
		return l
	}
	if err != nil {
		l.Broken = "its data layout cannot be read, as a problem of the stream's formats says"
	}
	seen := map[[2]string]bool{}
	for i := range list.List {
		l.add(&list.List[i], seen)
	}
	l.place()
	if l.Broken == "" {
		l.fixedPart = l.describeFixed()
	}
	return l
}

// problem adds a problem at a range of the text.
func (l *Layout) problem(rule string, at, n int64, format string, args ...any) {
	l.Problems = append(l.Problems, model.Problemf(model.Malformed, rule, l.span(at, n), format, args...))
}

// span is a range of the text, as far as the text goes.
func (l *Layout) span(at, n int64) model.Span {
	if l.Source.Src == nil {
		return model.Span{}
	}
	at = min(at, int64(len(l.Source.Value)))
	return l.Source.Src.Span(l.Source.ValueOff+at, min(n, int64(len(l.Source.Value))-at))
}

// add adds a piece; seen has the types and names of those before it.
func (l *Layout) add(j *container.JSONValue, seen map[[2]string]bool) {
	name, typ := j.Get("name"), j.Get("type")
	if name.Kind != container.JSONText || typ.Kind != container.JSONText {
		l.problem(ruleLayoutPiece, j.At, j.End-j.At, "a piece without name or type is skipped")
		return
	}
	p := Piece{Name: name.Text, Typ: typ.Text, stated: container.Unset, size: container.Unset, off: container.Unset, entry: container.Unset, shown: container.Unset, Help: describePiece(j)}
	if known := [2]string{p.Typ, p.Name}; seen[known] {
		l.problem(ruleLayoutTwice, j.At, j.End-j.At, "there are two fields %q of type %s: which of them is meant cannot be told", p.Name, p.Typ)
	} else {
		seen[known] = true
	}
	if !utf8.ValidString(p.Name) {
		l.problem(RuleTagText, name.At, name.End-name.At, "the name of the field is not UTF-8 text")
	}
	l.setType(&p, typ)
	offset, index := j.Count("offset"), j.Count("index")
	p.Fixed = p.kind.fixed() || p.kind == unknownPiece && offset != container.Unset && index == container.Unset
	if p.stated = index; p.Fixed {
		p.stated = offset
	}
	switch p.kind {
	case arrayPiece:
		p.Count = max(j.Count("size"), 0)
	case valuePiece:
		p.Count = 1
	}
	if p.Fixed && p.Elem != nil {
		p.size = p.Elem.Size() * p.Count // at most 2³² elements of 128 bytes
	}
	if p.kind == valuePiece {
		p.names = l.names[[2]string{p.Typ, p.Name}]
	}
	tags := j.Get("tags")
	p.Unit = tags.Get("unit").Text
	l.Pieces = append(l.Pieces, p)
}

// setType sets the kind and element type of a piece.
func (l *Layout) setType(p *Piece, typ *container.JSONValue) {
	kind, elem := pieceKindOf(typ.Text)
	p.kind, p.Elem = kind, elementTypes[elem]
	switch {
	case kind == unknownPiece:
		l.problem(rulePieceType, typ.At, typ.End-typ.At, "the type %q of %q is not known", p.Typ, p.Name)
	case p.Elem == nil && kind != stringPiece && (kind.fixed() || elem != "string"):
		l.problem(rulePieceType, typ.At, typ.End-typ.At, "the element type %q of %q is not known", elem, p.Name)
	}
}

// pieceKindOf takes the type of a piece apart: its kind, and the type of its elements.
func pieceKindOf(typ string) (kind pieceKind, elem string) {
	if typ == stringPieceType {
		return stringPiece, ""
	}
	for _, t := range pieceTemplates {
		elem, ok := strings.CutPrefix(typ, t.prefix)
		if elem, closed := strings.CutSuffix(elem, ">"); ok && closed {
			return t.kind, elem
		}
	}
	return unknownPiece, ""
}

// place computes where the pieces are, and compares with what the definition says.
func (l *Layout) place() {
	fixed := int64(0)
	for i := range l.Pieces {
		p := &l.Pieces[i]
		if p.kind == unknownPiece && p.stated == container.Unset {
			l.Broken = fmt.Sprintf("%q is of a type that is not known, so that what follows it cannot be located", p.Name)
		}
		if p.Fixed {
			fixed = l.placeFixed(i, fixed)
			continue
		}
		p.entry = len(l.Variable)
		if p.stated != container.Unset && p.stated != int64(p.entry) {
			l.placeProblem(p, "index", int64(p.entry))
		}
		l.Variable = append(l.Variable, i)
	}
	l.Fixed = fixed
	if l.Fixed == container.Unset && l.Broken == "" {
		l.Broken = "a field is of a type that is not known, so that the size of the fixed part is not known"
	}
	if l.Fixed+l.Index() > maxFixed {
		p := model.Problemf(model.Malformed, ruleLayoutSize, l.span(0, int64(len(l.Source.Value))), "the data layout needs more than a record may hold")
		p.Expected = fmt.Sprintf("at most %d bytes", maxFixed)
		l.Problems = append(l.Problems, p)
		l.Broken = "its data layout needs more than a record may hold"
	}
}

// placeFixed places fixed piece i at an offset of the fixed part, and returns its end, or unset if that is not known.
func (l *Layout) placeFixed(i int, at int64) int64 {
	p := &l.Pieces[i]
	switch {
	case at == container.Unset:
		at = p.stated // after a piece of unknown size only the definition knows
	case p.stated != container.Unset && p.stated != at:
		l.placeProblem(p, "offset", at)
	}
	p.off = at
	if p.size == container.Unset {
		p.size = l.sizeBefore(i)
	}
	if at == container.Unset || p.size == container.Unset {
		return container.Unset
	}
	return min(at+p.size, TooLarge)
}

func (l *Layout) placeProblem(p *Piece, what string, computed int64) {
	at := int64(max(strings.Index(l.Source.Value, strconv.Quote(p.Name)), 0))
	l.Problems = append(l.Problems, model.Problemf(model.Suspicious, rulePlace, l.span(at, int64(len(p.Name)+2)),
		"the %s of %q differs from the computed one, which counts", what, p.Name).Want(computed, p.stated))
}

// sizeBefore returns the size of a fixed piece of unknown type, which ends where the next fixed piece begins.
func (l *Layout) sizeBefore(i int) int64 {
	p := &l.Pieces[i]
	for k := i + 1; k < len(l.Pieces); k++ {
		if next := &l.Pieces[k]; next.Fixed {
			if p.off != container.Unset && next.stated != container.Unset && next.stated >= p.off {
				return next.stated - p.off
			}
			return container.Unset
		}
	}
	return container.Unset
}

// Find returns the piece of a type and name, or nil if the layout has none.
func (l *Layout) Find(typ, name string) *Piece {
	for i := range l.Pieces {
		if p := &l.Pieces[i]; p.Name == name && p.Typ == typ {
			return p
		}
	}
	return nil
}

// describePiece describes a piece for a person by its definition.
func describePiece(j *container.JSONValue) string {
	var parts []string
	for _, m := range j.Get("tags").Members {
		parts = append(parts, fmt.Sprintf("%s: %s", m.Name, model.ShowHeld(m.Value.Model(), 100)))
	}
	for _, m := range j.Get("properties").Members {
		parts = append(parts, fmt.Sprintf("%s %s", m.Name, model.ShowHeld(m.Value.Model(), 40)))
	}
	if fallback := j.Get("default"); fallback.Kind != container.JSONNull {
		parts = append(parts, "default "+model.ShowHeld(fallback.Model(), 60))
	}
	if required := j.Get("required"); required.Kind == container.JSONBool && required.Number != 0 {
		parts = append(parts, "required")
	}
	return strings.Join(parts, "; ")
}

// Place returns the place of a piece: in the fixed part, or by its entry in the index of those of variable size.
func (p *Piece) Place() model.Value {
	switch {
	case !p.Fixed:
		return model.Object{{Key: "index", Value: model.Int(p.entry)}}
	case p.off == container.Unset || p.size == container.Unset:
		return model.Text("place not known")
	}
	o := model.Object{{Key: "offset", Value: model.Int(p.off)}, {Key: "size", Value: model.Int(p.size)}}
	if p.kind == arrayPiece {
		o = append(o, model.Member{Key: "count", Value: model.Int(p.Count)})
	}
	return o
}

// TooLarge stands for sizes beyond any file; a few such can be added up.
const TooLarge = math.MaxInt64 / 8
