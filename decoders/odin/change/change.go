// Package change encodes another value of an entry of a stream. The bytes may get longer or shorter: no form records offsets, or
// the length of the stream. The chapters named in comments are those of docs/formats/odin.md.
package change

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"cutaway/decoders/odin/dotnet"
	"cutaway/decoders/odin/entry"
	"cutaway/decoders/odin/kind"
	"cutaway/model"
)

// mostParts is the greatest number of values in a struct that is changed as one, such as a matrix.
const mostParts = 16

// A Splice replaces some bytes of a stream's source, the value of an entry.
type Splice struct {
	Entry int64
	At    model.Span
	Now   []byte
	lead  int // bytes of Now before the value: a blank
}

// parts returns the entries that hold the value of entry i: itself, or those in a struct or box, or the reason why it cannot be
// changed.
func parts(ctx context.Context, s *entry.Stream, i int64) ([]int64, error) {
	e := s.Entry(ctx, i)
	switch {
	case e.Kind == kind.Null:
		return nil, errors.New("it is null: the file does not say what type of value could be there. Set it in Unity")
	case e.Kind == kind.InternalReference:
		return nil, fmt.Errorf("it is a reference to object %d of the file: change that", e.Ref)
	case e.Kind >= kind.ExternalByIndex && e.Kind <= kind.ExternalByString:
		return nil, errors.New("it is a reference to an object of Unity, which only Unity can find: set it there")
	case e.IsScalar():
		return []int64{i}, nil
	case !e.IsNode():
		return nil, errors.New("it is an array or no value: only single values, and structs of such, can be changed")
	}
	if list := scalarsIn(ctx, s, i); e.Kind == kind.StructNode && len(list) > 0 || len(list) == 1 && isBox(e.Type.Name) {
		return list, nil
	}
	return nil, fmt.Errorf("it is an object of the type %s: only single values, and structs of such, can be changed", dotnet.Short(e.Type.Name))
}

// scalarsIn returns the children of a node if they are some scalars, or nil.
func scalarsIn(ctx context.Context, s *entry.Stream, i int64) (list []int64) {
	n, exact := s.Count(i)
	if !exact || n > mostParts {
		return nil
	}
	for k := range n {
		c := s.Child(i, k)
		if e := s.Entry(ctx, c); !e.IsScalar() || e.Kind == kind.Null {
			return nil
		}
		list = append(list, c)
	}
	return list
}

// isBox reports whether nodes of a type hold a single value.
func isBox(name string) bool {
	t, ok := dotnet.Parse(name)
	return ok && len(t.Ranks) == 0 && (t.Full == "System.String" || kind.OfType(t.Full) != kind.Invalid)
}

// Text returns the value of entry i as it is typed, or the reason why it cannot be changed. Values in a struct have commas between
// them.
func Text(ctx context.Context, s *entry.Stream, i int64) (string, error) {
	list, err := parts(ctx, s, i)
	if err != nil {
		return "", err
	}
	var texts []string
	for _, i := range list {
		switch v := s.Entry(ctx, i).Value.(type) {
		case model.Float32:
			texts = append(texts, strconv.FormatFloat(float64(v), 'g', -1, 32))
		case model.Float64:
			texts = append(texts, strconv.FormatFloat(float64(v), 'g', -1, 64))
		case model.Text, model.Bool, model.Int, model.Uint:
			texts = append(texts, fmt.Sprint(v))
		default:
			return "", errors.New("it is a text of more than a megabyte")
		}
	}
	return strings.Join(texts, ", "), nil
}

// To returns the splices by which entry i gets the value that a text means, or the reason why the value does not fit. declared is the
// kind of the value by its type, which the text forms do not record, or Invalid.
func To(ctx context.Context, s *entry.Stream, i int64, declared kind.Kind, text string) ([]Splice, error) {
	list, err := parts(ctx, s, i)
	if err != nil {
		return nil, err
	}
	texts := []string{text}
	if len(list) > 1 {
		if texts = strings.Split(strings.Trim(text, " ()"), ","); len(texts) != len(list) {
			return nil, fmt.Errorf("it has %d values: write as many, with commas between them", len(list))
		}
	}
	var all []Splice
	for k, i := range list {
		splice, err := spliceOf(ctx, s, i, declared, texts[k])
		if err != nil {
			return nil, err
		}
		all = append(all, splice)
	}
	if !slices.ContainsFunc(all, func(p Splice) bool {
		was, _ := p.At.Source.Bytes(ctx, p.At.Off, p.At.Len)
		return !bytes.Equal(was, p.Now)
	}) {
		return nil, errors.New("this is the value that it has")
	}
	return all, nil
}

// spliceOf returns the splice by which scalar i gets the value that a text means.
func spliceOf(ctx context.Context, s *entry.Stream, i int64, declared kind.Kind, text string) (Splice, error) {
	e := s.Entry(ctx, i)
	at := entry.ValueSpan(ctx, s, i)
	was, err := at.Source.Bytes(ctx, at.Off, at.Len)
	if err != nil {
		return Splice{}, err
	}
	v, k, err := typed(e.Kind, declared, s.Encoding() == entry.EncodingBinary, text)
	if err != nil {
		return Splice{}, err
	}
	if s.Encoding() == entry.EncodingBinary {
		return Splice{Entry: i, At: at, Now: encodeBinary(k, v, was)}, nil
	}
	p := Splice{Entry: i, At: at, Now: []byte(encodeText(k, v, s.Encoding() == entry.EncodingNodes))}
	if before, err := at.Source.Bytes(ctx, max(at.Off-1, 0), 1); err == nil && at.Len == 0 && len(p.Now) > 0 && before[0] == ':' {
		p.Now, p.lead = slices.Insert(p.Now, 0, ' '), 1
	}
	return p, nil
}

// typed returns the value that a text means for an entry, and its kind: in a text form the declared one, or if that is not known that of
// the text, since a number like 1 may be of either kind.
func typed(k, declared kind.Kind, isBinary bool, text string) (model.Value, kind.Kind, error) {
	switch {
	case isBinary:
	case declared != kind.Invalid && sameFamily(k, declared):
		k = declared
	case isNumber(k):
		for _, whole := range []kind.Kind{kind.Long, kind.ULong} {
			if v, err := parse(whole, text); err == nil {
				return v, kind.Integer, nil
			}
		}
		k = kind.FloatingPoint
	}
	v, err := parse(k, text)
	return v, k, err
}

// sameFamily reports whether a text form writes values of a kind as entries of another: numbers as whole or not, chars as strings.
func sameFamily(written, declared kind.Kind) bool {
	switch written {
	case kind.Integer, kind.FloatingPoint:
		return declared >= kind.SByte && declared <= kind.Decimal
	case kind.String:
		return declared == kind.Char
	}
	return written == declared
}

// Apply returns bytes of a source, which begin at off, with splices in the order of the bytes.
func Apply(b []byte, off int64, splices []Splice) []byte {
	var out []byte
	at := int64(0)
	for _, p := range splices {
		out = append(append(out, b[at:p.At.Off-off]...), p.Now...)
		at = p.At.End() - off
	}
	return append(out, b[at:]...)
}

// Differs compares two streams entry by entry. It returns the first difference that is not one of the splices' values, or nil.
func Differs(ctx context.Context, before, after *entry.Stream, splices []Splice) error {
	if err := errors.Join(before.ScanAll(ctx, nil), after.ScanAll(ctx, nil)); err != nil {
		return err
	}
	n := before.Indexed()
	if m := after.Indexed(); m != n {
		return fmt.Errorf("there are %d entries instead of %d", m, n)
	}
	for i := range n {
		if i%1024 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		a, b := before.Entry(ctx, i), after.Entry(ctx, i)
		k := slices.IndexFunc(splices, func(p Splice) bool { return p.Entry == i })
		if k < 0 && !equal(ctx, before, after, &a, &b) || k >= 0 && !splices[k].isIn(ctx, after, &a, &b) {
			return fmt.Errorf("entry %d differs", i)
		}
	}
	return nil
}

// isIn reports whether an entry has the value of a splice in a stream, and is otherwise as it was before.
func (p *Splice) isIn(ctx context.Context, s *entry.Stream, before, now *entry.Entry) bool {
	at := entry.ValueSpan(ctx, s, p.Entry)
	b, err := at.Source.Bytes(ctx, at.Off, at.Len)
	isSame := before.Kind == now.Kind || isNumber(before.Kind) && isNumber(now.Kind)
	return err == nil && isSame && before.Name == now.Name && bytes.Equal(b, p.value())
}

// value returns the bytes of the value alone.
func (p *Splice) value() []byte { return p.Now[p.lead:] }

// isNumber reports whether a kind is one of numbers of the text forms.
func isNumber(k kind.Kind) bool { return k == kind.Integer || k == kind.FloatingPoint }

// equal reports whether an entry is the same in two streams, wherever its bytes are.
func equal(ctx context.Context, before, after *entry.Stream, a, b *entry.Entry) bool {
	if a.Kind != b.Kind || a.Name != b.Name || a.Type != b.Type || a.Node != b.Node || a.Ref != b.Ref {
		return false
	}
	x, err := before.Source().Bytes(ctx, a.Off, a.Len)
	y, other := after.Source().Bytes(ctx, b.Off, b.Len)
	return err == nil && other == nil && bytes.Equal(x, y)
}
