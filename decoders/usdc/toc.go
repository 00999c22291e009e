package usdc

import (
	"cmp"
	"context"
	"encoding/binary"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"cutaway/decoders/grammar"
	"cutaway/decoders/usda"
	"cutaway/model"
)

// paddedText is text with NULs after it.
var paddedText = grammar.Text("text", func(b []byte) (string, error) { return strings.TrimRight(string(b), "\x00"), nil })

// required names the sections every file has, in the order of their dependence.
var required = [...]string{"TOKENS", "STRINGS", "FIELDS", "FIELDSETS", "PATHS", "SPECS"}

// section is one entry of the table of contents.
type section struct {
	name        string
	start, size int64 // as stored
	// lo and hi bound the bytes that the section has to itself: cut where the file or the next section says so.
	lo, hi   int64
	placed   bool   // it has a node in the layout
	segment  string // its segment in paths
	problems []model.Problem
}

// contents is the table of contents (chapter 4).
type contents struct {
	known    bool  // there is one
	at, end  int64 // its bytes
	entries  model.Span
	sections []section
	node     model.Node
}

// section finds a section by name; the first of a name wins.
func (t *contents) section(name string) *section {
	for i := range t.sections {
		if t.sections[i].name == name {
			return &t.sections[i]
		}
	}
	return nil
}

// findNoNUL finds a name of 16 characters.
func findNoNUL(_ grammar.Scope, v grammar.Value) (p model.Problem, breach bool) {
	name := sectionName(v.String())
	return model.Problem{Found: fmt.Sprintf("%q", name)}, len(name) >= 16
}

// sectionName returns the text before the first NUL.
func sectionName(padded string) string {
	name, _, _ := strings.Cut(padded, "\x00")
	return name
}

// readTOC decodes the table of contents at off.
func (c *crate) readTOC(ctx context.Context, off int64) {
	t := &c.toc
	session := &grammar.Session{Truncated: "usdc.toc.truncated", Env: c}
	o := c.plan.Record("TableOfContents").Read(grammar.NewReading(ctx, 8), session, grammar.Stream{Source: c.src, Start: off, End: c.size}, off)
	t.known, t.at, t.end = true, off, o.End()
	nodes := o.Nodes(ctx)
	t.entries = o.SpanOf(ctx, o.Record().Field("sections"))
	entry := c.plan.Record("Section")
	name, start, size := entry.Number("name"), entry.Number("start"), entry.Number("size")
	err := eachRecord(ctx, c.src, t.entries.Off, entry.Size(), t.entries.Len/entry.Size(), func(_ int64, b []byte) {
		t.sections = append(t.sections, section{name: sectionName(string(name.Bytes(b))), start: int64(start.U64(b)), size: int64(size.U64(b))})
	})
	// An error is reported, also one of the context: what is opened then is thrown away.
	if err != nil {
		nodes[0].Problems = append(nodes[0].Problems, model.AsProblem(err, "usdc.toc.read", nodes[0].Span()))
	}
	c.chooseReading(ctx)
	c.placeSections(ctx)
	if len(nodes) > 1 {
		c.completeEntries(&nodes[1])
	}
	t.node = model.Node{Name: "toc", Type: o.Record().Title, Help: o.Record().Help, Spans: []model.Span{c.tocSpan()}, Children: model.NewList(nodes...)}
	for _, name := range required {
		if t.section(name) == nil {
			t.node.Problems = append(t.node.Problems, model.Problemf(model.Malformed, "usdc.toc.section-missing",
				t.node.Span(), "section %s is missing from the table of contents", name).Want(name, strings.Join(t.names(), " ")))
		}
	}
}

// chooseReading tries both readings of 0.3: the uncompressed sections of 0.2, for which current readers take it, and
// compressed ones with one count in PATHS, as it was written. Where neither fits, sections stay bytes.
func (c *crate) chooseReading(ctx context.Context) {
	if c.support != withdrawn {
		return
	}
	for _, c.oneCount = range []bool{true, false} {
		c.plan = language.Shared(c)
		if c.sectionsFit(ctx) {
			c.support = supported
			return
		}
	}
}

// sectionsFit reports whether what each section says of its own size is the size in the table of contents; of
// uncompressed paths only a walk knows.
func (c *crate) sectionsFit(ctx context.Context) bool {
	for _, name := range required {
		s := c.toc.section(name)
		if s == nil || s.start < bootstrapSize || s.start > c.size || s.size < 0 || s.size > c.size-s.start {
			return false
		}
		if size, ok := c.extent(ctx, name, s.start, s.size); (!ok || size != s.size) && (name != "PATHS" || c.inflated()) {
			return false
		}
	}
	return true
}

// completeEntries completes the node of the entries with what was found out about the sections.
func (c *crate) completeEntries(all *model.Node) {
	all.Brief, all.Elements = usda.Plural(int64(len(c.toc.sections)), "section", "sections"), false
	all.Children = model.Map(all.Children, func(_ context.Context, i int64, entry *model.Node) {
		if entry.Help = ""; i >= int64(len(c.toc.sections)) {
			return // it could not be read
		}
		s := &c.toc.sections[i]
		entry.Brief, entry.Problems = s.name, s.problems
		if s.placed {
			entry.Refs = func(context.Context) []model.Ref {
				return []model.Ref{{Kind: "section", Path: c.layout + "/" + model.EscapeSegment(s.segment), Span: c.src.Span(s.lo, s.hi-s.lo), Text: s.name}}
			}
		}
	})
}

func (t *contents) names() []string {
	var names []string
	for i := range t.sections {
		names = append(names, t.sections[i].name)
	}
	return names
}

// placeSections decides which bytes belong to which section, so that no byte belongs to two: a section ends at the
// latest where the next one or the table of contents begins, for readers go by starts, not by sizes. Sections that readers
// ignore have what is left.
func (c *crate) placeSections(ctx context.Context) {
	t := &c.toc
	taken := map[string]bool{"bootstrap": true, "toc": true, "trailing": true}
	for _, name := range required {
		taken[name] = true
	}
	seen := map[string]bool{}
	var read, ignored []int
	for i := range t.sections {
		s := &t.sections[i]
		start := c.entrySpan(i, "start")
		if seen[s.name] {
			s.problems = append(s.problems, model.Problemf(model.Suspicious, "usdc.toc.section-repeated",
				c.entrySpan(i, "name"), "another section %s is listed before; readers use that one", s.name))
		}
		s.segment = sectionSegment(s.name, seen[s.name], taken)
		seen[s.name] = true
		s.lo, s.hi = s.start, s.start
		if p, bad := c.misplaced(s, start); bad {
			s.problems = append(s.problems, p)
			continue
		}
		if s == t.section(s.name) && slices.Contains(required[:], s.name) {
			s.placed = true
			read = append(read, i)
			c.bootstrapEnd = min(c.bootstrapEnd, s.start)
		} else {
			ignored = append(ignored, i)
		}
	}
	// Of sections with one start the first listed comes last and has the bytes.
	byStart := func(a, b int) int {
		return cmp.Or(cmp.Compare(t.sections[a].start, t.sections[b].start), cmp.Compare(b, a))
	}
	slices.SortStableFunc(read, byStart)
	for k, i := range read {
		next, what := t.next(i, read[k+1:], c.size)
		c.bound(ctx, i, next, what)
	}
	slices.SortStableFunc(ignored, byStart)
	for k, i := range ignored {
		c.placeIgnored(i, read, ignored[k+1:])
	}
}

// next returns the offset at which the bytes of a section end at the latest, and the part that begins there: a section, the table of
// contents, or nothing.
func (t *contents) next(i int, after []int, end int64) (next int64, what string) {
	next, what = end, "the end of the file"
	if len(after) > 0 {
		next, what = t.sections[after[0]].start, t.sections[after[0]].name
	}
	if start := t.sections[i].start; start < t.at && t.at < next {
		next, what = t.at, "the table of contents"
	}
	return next, what
}

// placeIgnored gives a section that readers ignore the bytes that no other one has: not those that readers read.
func (c *crate) placeIgnored(i int, read, after []int) {
	t := &c.toc
	s := &t.sections[i]
	if over := t.sectionAt(s.start); over != nil || s.start < c.bootstrapEnd {
		what := "the bootstrap"
		if over != nil {
			what = "section " + over.name
		}
		s.problems = append(s.problems, model.Problemf(model.Suspicious, "usdc.toc.section-overlap", c.entrySpan(i, "start"),
			"section %s begins inside %s; readers do not look at it", s.name, what))
		return
	}
	next, what := t.next(i, after, c.size)
	for _, r := range read {
		if start := t.sections[r].start; start > s.start && start < next {
			next, what = start, t.sections[r].name
		}
	}
	s.placed = true
	if s.hi = s.start + s.size; s.size < 0 || s.size > next-s.start {
		s.hi = next
		s.problems = append(s.problems, model.Problemf(model.Suspicious, "usdc.toc.section-size", c.entrySpan(i, "size"),
			"by its size section %s does not end before %s; readers do not look at it", s.name, what).
			WantAtMost(next-s.start, s.size))
	}
}

// bound decides where a section ends. Readers go by its content: a size that is too small for it, or that leads into
// the next part, is only reported.
func (c *crate) bound(ctx context.Context, i int, next int64, what string) {
	t := &c.toc
	s := &t.sections[i]
	room := next - s.start
	if s.hi = s.start + s.size; s.size == room {
		return
	}
	need, known := c.extent(ctx, s.name, s.start, room)
	if s.size >= need && s.size < room {
		return
	}
	want := fmt.Sprintf("at most %d", room)
	if s.hi = next; known {
		s.hi, want = s.start+need, strconv.FormatInt(need, 10)
	}
	message := fmt.Sprintf("section %s is larger than its size says", s.name)
	if s.size > room || s.size < 0 {
		message = fmt.Sprintf("by its size section %s does not end before %s", s.name, what)
	}
	s.problems = append(s.problems, model.Problemf(model.Suspicious, "usdc.toc.section-size", c.entrySpan(i, "size"),
		"%s; readers go by the content", message).Want(want, s.size))
}

// entrySpan returns the bytes of a field of entry i.
func (c *crate) entrySpan(i int, field string) model.Span {
	entry := c.plan.Record("Section")
	at := entry.Number(field)
	return c.src.Span(c.toc.entries.Off+int64(i)*entry.Size()+at.Off(), at.Len())
}

// reservedAt returns the offset of the bytes of the bootstrap that readers do not look at, so that some writers have other things there.
func (c *crate) reservedAt() int64 {
	bootstrap := c.plan.Record("Bootstrap")
	return bootstrap.Offset(bootstrap.Field("reserved"))
}

// misplaced is the problem of a section that is not where a section can be.
func (c *crate) misplaced(s *section, start model.Span) (model.Problem, bool) {
	const outside = "usdc.toc.section-out-of-file"
	switch {
	case s.start < 0 || s.start > c.size:
		return model.Problemf(model.Malformed, outside, start, "section %s begins outside the file", s.name).
			Want(fmt.Sprintf("%d to %d", bootstrapSize, c.size), s.start), true
	case s.start < c.reservedAt():
		return model.Problemf(model.Malformed, "usdc.toc.section-overlap", start, "section %s begins inside the bootstrap", s.name).
			Want(fmt.Sprintf("%d or more", bootstrapSize), s.start), true
	case s.start >= c.toc.at && s.start < c.toc.end:
		return model.Problemf(model.Malformed, "usdc.toc.section-overlap", start, "section %s begins inside the table of contents", s.name), true
	}
	return model.Problem{}, false
}

// sectionSegment makes a segment for a section's node that no other child of the layout has.
func sectionSegment(name string, again bool, taken map[string]bool) string {
	if slices.Contains(required[:], name) && !again {
		return name
	}
	if name == "" {
		name = "(unnamed)"
	}
	free := name
	// A name "values" or "values~2" would hide value data.
	for k := 2; taken[free] || strings.HasPrefix(free, valuesName); k++ {
		if free = fmt.Sprintf("%s~%d", name, k); strings.HasPrefix(name, valuesName) {
			free = "section " + free
		}
	}
	taken[free] = true
	return free
}

// need returns a required section that has bytes, or the problem that it has none.
func (c *crate) need(name string) (*section, error) {
	s := c.toc.section(name)
	if c.support != supported || s == nil || !s.placed {
		return nil, model.Problemf(model.Malformed, "usdc.section.absent", c.tocSpan(), "section %s could not be found", name)
	}
	return s, nil
}

func (c *crate) tocSpan() model.Span {
	if c.toc.known {
		return c.src.Span(c.toc.at, c.toc.end-c.toc.at)
	}
	return c.src.Span(0, min(c.size, bootstrapSize))
}

// sectionCount reads the count that section name begins with; not ok where it has none, or one that its bytes cannot
// be enough for.
func (c *crate) sectionCount(ctx context.Context, name string) (n int64, ok bool) {
	s, err := c.need(name)
	if err != nil {
		return 0, false
	}
	count, ok := c.number(ctx, s.lo, s.hi-s.lo)
	if !ok {
		return 0, false
	}
	most := (s.hi - s.lo) / 4
	if c.inflated() && name != "STRINGS" {
		most = (s.hi - s.lo) * 4 * 255 // 4 integers in a byte of codes, 255 bytes out of a compressed one
	} else if name == "TOKENS" {
		most = s.hi - s.lo
	}
	return int64(count), count <= uint64(most)
}

// sectionAt returns the section whose bytes in the layout hold off, or nil if none does.
func (t *contents) sectionAt(off int64) *section {
	for i := range t.sections {
		if s := &t.sections[i]; s.placed && off >= s.lo && off < s.hi {
			return s
		}
	}
	return nil
}

// number reads the u64 at off, before which room bytes are left.
func (c *crate) number(ctx context.Context, off, room int64) (n uint64, ok bool) {
	var b [8]byte
	if room < 8 {
		return 0, false
	}
	_, err := c.src.ReadFull(ctx, b[:], off)
	return binary.LittleEndian.Uint64(b[:]), err == nil
}
