package omnilive

import (
	"cmp"
	"context"
	"encoding/binary"
	"fmt"
	"slices"
	"sort"
	"strconv"
	"strings"

	"cutaway/decoders/flatbuffer"
	"cutaway/decoders/grammar"
	"cutaway/model"
)

// The letters of the forms, and the names of the forms in facts.
const (
	identifier       = "OODF"
	multiPartLetters = "OMPF"

	formStandard     = "OODF"
	formPrefixed     = "OODF prefixed"
	formSizePrefixed = "OODF size-prefixed"
	formMultiPart    = "multi-part"
)

// offsetSize is the size of an offset in the table of parts, in bytes.
const offsetSize = 8

// carrier holds the parts of a file: the FlatBuffer and the large values.
type carrier struct {
	src     *model.Source
	form    string
	buffer  *flatbuffer.Buffer // or nil if none can be found
	head    []model.Node       // before the FlatBuffer or the parts
	offsets []int64            // of the parts, -1 for a wrong one
	order   []int32            // sound parts in the order of their places
	notes   []model.Problem    // on the FlatBuffer
}

// sniff returns the form of a file by its first bytes, or "" for none, and why. It tries the forms in their order. The multi-part form
// is known by its letters, or by letters or digits and a table that passes its checks.
func sniff(ctx context.Context, src *model.Source, head []byte) (form, why string) {
	at := func(off int) string {
		if off+len(identifier) > len(head) {
			return ""
		}
		return string(head[off : off+len(identifier)])
	}
	switch {
	case at(4) == identifier:
		return formStandard, "OODF at byte 4, where a FlatBuffer has its identifier"
	case at(0) == identifier:
		return formPrefixed, "begins with OODF"
	case at(8) == identifier:
		return formSizePrefixed, "OODF at byte 8, where a size-prefixed FlatBuffer has its identifier"
	case at(0) == multiPartLetters:
		return formMultiPart, "begins with OMPF"
	}
	if isLetters(at(0)) && otherMultiPart(ctx, src) {
		return formMultiPart, "begins with " + at(0) + " and a table of parts, the first of which is a live layer"
	}
	return "", "no OODF at byte 4, 0 or 8, no OMPF at the start, and no table of parts"
}

func isLetters(s string) bool {
	for i := range len(s) {
		switch c := s[i]; {
		case '0' <= c && c <= '9', 'A' <= c && c <= 'Z', 'a' <= c && c <= 'z':
		default:
			return false
		}
	}
	return s != ""
}

// maxSniffed is the most parts that a file of unknown letters may have.
const maxSniffed = 1 << 16

// otherMultiPart reports whether the table of parts passes its checks and part 0 verifies by a known schema.
func otherMultiPart(ctx context.Context, src *model.Source) bool {
	o := openHead("Multi-part header", src)
	list, number := listOf(ctx, o, "offsets"), o.Uint(ctx, o.Record().Field("number of parts"))
	if list == nil || number > maxSniffed || uint64(list.Known()) < number {
		return false
	}
	c := &carrier{src: src, form: formMultiPart}
	c.readParts(ctx)
	if c.buffer == nil || len(c.order) != len(c.offsets) {
		return false
	}
	for _, s := range schemas(ctx) {
		if v := c.buffer.Verify(ctx, s, firstItems); v.Errors == 0 {
			return true
		}
	}
	return false
}

// newCarrier finds the FlatBuffer of a file.
func newCarrier(ctx context.Context, src *model.Source) *carrier {
	head, err := src.Bytes(ctx, 0, min(src.Size(), 12))
	if err != nil {
		head = nil
	}
	c := &carrier{src: src}
	c.form, _ = sniff(ctx, src, head)
	switch c.form {
	case formMultiPart:
		c.readParts(ctx)
	case formPrefixed:
		c.head = openHead("prefix", src).Nodes(ctx)
		c.buffer = flatbuffer.NewBuffer(src, 4, src.Size()-4, false)
	case formSizePrefixed:
		c.buffer = flatbuffer.NewBuffer(src, 0, src.Size(), true)
		c.notes = append(c.notes, assumedIdentifier.note(src.Span(8, 4)))
	case formStandard:
		c.buffer = flatbuffer.NewBuffer(src, 0, src.Size(), false)
		c.notes = append(c.notes, assumedIdentifier.note(src.Span(4, 4)))
	default:
		c.form = formStandard // forced by name
		c.buffer = flatbuffer.NewBuffer(src, 0, src.Size(), false)
		c.notes = append(c.notes, model.Problemf(model.Malformed, "omnilive.identifier", src.Span(min(4, src.Size()), min(4, max(src.Size()-4, 0))),
			"no OODF is where a live layer has it").Want(identifier, c.buffer.Identifier(ctx)))
	}
	return c
}

// openHead returns the record that a file begins with.
func openHead(record string, src *model.Source) *grammar.Object {
	plan := language.For(nil)
	return plan.Record(record).Open(plan.Session(), grammar.Whole(src), 0)
}

// readParts reads the table of the multi-part form.
func (c *carrier) readParts(ctx context.Context) {
	src := c.src
	o := openHead("Multi-part header", src)
	fields := o.Nodes(ctx)
	if offsets := &fields[len(fields)-1]; offsets.Name == "offsets" && offsets.Span().Len > 0 {
		c.sortParts(ctx, offsets)
		offsets.Problems = append(offsets.Problems, assumedOffsets.note(offsets.Span()))
	}
	c.head = []model.Node{{Name: "header", Type: o.Record().Title, Spans: []model.Span{src.Span(0, o.End())}, Children: model.NewList(fields...)}}
	if len(c.offsets) == 0 || c.offsets[0] < 0 {
		n := &c.head[0]
		n.Problems = append(n.Problems, model.Problemf(model.Malformed, "omnilive.parts.flatbuffer", n.Span(), "part 0, the FlatBuffer, is missing"))
		return
	}
	off, size := c.part(0)
	if id, err := src.Bytes(ctx, off, min(8, size)); err == nil {
		switch {
		case len(id) == 8 && string(id[4:]) == identifier:
			c.notes = append(c.notes, assumedIdentifier.note(src.Span(off+4, 4)))
		case len(id) >= 4 && string(id[:4]) == identifier:
			c.notes = append(c.notes, model.Problemf(model.Suspicious, "omnilive.part0.prefixed", src.Span(off, 4), "part 0 begins with the letters OODF, and the FlatBuffer after them"))
			c.buffer = flatbuffer.NewBuffer(src, off+4, size-4, false)
			return
		default:
			c.notes = append(c.notes, model.Problemf(model.Suspicious, "omnilive.part0.bare", src.Span(off, min(8, size)), "part 0 has no identifier"))
		}
	}
	c.buffer = flatbuffer.NewBuffer(src, off, size, false)
}

// maxPartProblems bounds the wrong parts that are reported one by one.
const maxPartProblems = 100

// sortParts checks the offsets of the parts and puts the parts in the order of their places.
func (c *carrier) sortParts(ctx context.Context, offsets *model.Node) {
	at := offsets.Span()
	table, err := at.Source.Bytes(ctx, at.Off, at.Len)
	if err != nil {
		offsets.Problems = append(offsets.Problems, model.AsProblem(err, "omnilive.read", at))
		return
	}
	c.offsets = make([]int64, at.Len/offsetSize)
	wrong := 0
	tell := func(i int64, rule, format string, args ...any) {
		c.offsets[i] = -1
		if wrong++; wrong <= maxPartProblems {
			p := model.Problemf(model.Malformed, rule, c.src.Span(at.Off+i*offsetSize, offsetSize), format, args...)
			p.Expected, p.Found = fmt.Sprintf("%d to %d", at.End(), c.src.Size()-1), fmt.Sprint(binary.LittleEndian.Uint64(table[i*offsetSize:]))
			offsets.Problems = append(offsets.Problems, p)
		}
	}
	for i := range int64(len(c.offsets)) {
		off := binary.LittleEndian.Uint64(table[i*offsetSize:])
		c.offsets[i] = int64(off)
		if off < uint64(at.End()) || off >= uint64(c.src.Size()) {
			tell(i, "omnilive.parts.offset", "part %d does not begin after the table and inside the file", i)
			continue
		}
		c.order = append(c.order, int32(i))
	}
	slices.SortStableFunc(c.order, func(a, b int32) int { return cmp.Compare(c.offsets[a], c.offsets[b]) })
	kept := c.order[:0]
	for _, i := range c.order {
		if len(kept) > 0 && c.offsets[kept[len(kept)-1]] == c.offsets[i] {
			tell(int64(i), "omnilive.parts.repeated", "part %d begins where part %d does", i, kept[len(kept)-1])
			continue
		}
		kept = append(kept, i)
	}
	c.order = kept
}

// part returns the range of part i, which ends where the next one begins. size is 0 if no part has that number.
func (c *carrier) part(i int64) (off, size int64) {
	if i < 0 || i >= int64(len(c.offsets)) || c.offsets[i] < 0 {
		return 0, 0
	}
	off = c.offsets[i]
	next := sort.Search(len(c.order), func(k int) bool { return c.offsets[c.order[k]] > off })
	if next == len(c.order) {
		return off, c.src.Size() - off
	}
	return off, c.offsets[c.order[next]] - off
}

// sections is the children of the layout's root: head, then the FlatBuffer or the parts in the order of the file.
type sections struct {
	d    *delta
	head []model.Node
}

// Len returns the number of sections.
func (s *sections) Len(context.Context) (int64, bool) {
	n := len(s.head)
	switch c := s.d.carrier; {
	case c.form == formMultiPart:
		n += len(c.order)
	case c.buffer != nil:
		n++
	}
	return int64(n), true
}

// At returns section i.
func (s *sections) At(ctx context.Context, i int64) model.Node {
	if i < int64(len(s.head)) {
		return s.head[i]
	}
	if s.d.carrier.form != formMultiPart {
		return s.d.bufferNode(bufferName)
	}
	return s.d.partNode(ctx, int64(s.d.carrier.order[i-int64(len(s.head))]))
}

// Find finds a section by its name or by a byte.
func (s *sections) Find(ctx context.Context, q model.Query) (int64, bool) {
	if q.Source != nil {
		return model.Search(ctx, s, q)
	}
	return s.index(ctx, q.Name)
}

func (s *sections) index(_ context.Context, name string) (int64, bool) {
	for i := range s.head {
		if s.head[i].Name == name {
			return int64(i), true
		}
	}
	c := s.d.carrier
	if c.form != formMultiPart {
		return int64(len(s.head)), name == bufferName && c.buffer != nil
	}
	i, err := strconv.ParseInt(strings.TrimPrefix(name, "part "), 10, 32)
	if err != nil || name != partName(i) || i < 0 || i >= int64(len(c.offsets)) || c.offsets[i] < 0 {
		return 0, false
	}
	k := sort.Search(len(c.order), func(k int) bool { return c.offsets[c.order[k]] >= c.offsets[i] })
	return int64(len(s.head) + k), k < len(c.order) && int64(c.order[k]) == i
}

const bufferName = "FlatBuffer"

func partName(i int64) string { return fmt.Sprintf("part %d", i) }
