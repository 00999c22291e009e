package table

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

// Required names the sections every file has, in the order of their dependence.
var Required = [...]string{"TOKENS", "STRINGS", "FIELDS", "FIELDSETS", "PATHS", "SPECS"}

// An Entry is a section in the table of contents.
type Entry struct {
	Name        string
	Start, Size int64 // as stored
	// Lo and hi bound the bytes that the section has to itself: cut where the file or the next section says so.
	Lo, Hi   int64
	Placed   bool   // it has a node in the layout
	Segment  string // its segment in paths
	problems []model.Problem
}

// Contents is the table of contents (chapter 4).
type Contents struct {
	Known    bool  // there is one
	at, end  int64 // its bytes
	entries  model.Span
	Sections []Entry
	Node     model.Node
}

// Section finds a section by name; the first of a name wins.
func (t *Contents) Section(name string) *Entry {
	for i := range t.Sections {
		if t.Sections[i].Name == name {
			return &t.Sections[i]
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
func (c *Crate) readTOC(ctx context.Context, off int64) {
	t := &c.Contents
	session := &grammar.Session{Truncated: "usdc.toc.truncated", Env: c}
	o := c.plan.Record("TableOfContents").Read(grammar.NewReading(ctx, 8), session, grammar.Stream{Source: c.Src, Start: off, End: c.Size}, off)
	t.Known, t.at, t.end = true, off, o.End()
	nodes := o.Nodes(ctx)
	t.entries = o.SpanOf(ctx, o.Record().Field("sections"))
	entry := c.plan.Record("Section")
	name, start, size := entry.Number("name"), entry.Number("start"), entry.Number("size")
	err := EachRecord(ctx, c.Src, t.entries.Off, entry.Size(), t.entries.Len/entry.Size(), func(_ int64, b []byte) {
		t.Sections = append(t.Sections, Entry{Name: sectionName(string(name.Bytes(b))), Start: int64(start.U64(b)), Size: int64(size.U64(b))})
	})
	// An error is reported, also one of the context: what is opened then is thrown away.
	if err != nil {
		nodes[0].Problems = append(nodes[0].Problems, model.AsProblem(err, "usdc.toc.read", nodes[0].Span()))
	}
	c.chooseReading(ctx)
	p := placer{c}
	p.placeSections(ctx)
	if len(nodes) > 1 {
		p.completeEntries(&nodes[1])
	}
	t.Node = model.Node{Name: "toc", Type: o.Record().Title, Help: o.Record().Help, Spans: []model.Span{c.ContentsSpan()}, Children: model.NewList(nodes...)}
	for _, name := range Required {
		if t.Section(name) == nil {
			t.Node.Problems = append(t.Node.Problems, model.Problemf(model.Malformed, "usdc.toc.section-missing",
				t.Node.Span(), "section %s is missing from the table of contents", name).Want(name, strings.Join(t.names(), " ")))
		}
	}
}

// chooseReading tries both readings of 0.3: the uncompressed sections of 0.2, as current readers do, and compressed ones with one
// count in PATHS, as it was written. Where neither fits, sections stay bytes.
func (c *Crate) chooseReading(ctx context.Context) {
	if c.Support != Withdrawn {
		return
	}
	for _, c.oneCount = range []bool{true, false} {
		c.plan = SectionLanguage.Shared(c)
		if c.sectionsFit(ctx) {
			c.Support = Supported
			return
		}
	}
}

// sectionsFit reports whether what each section says of its own size is the size in the table of contents; of
// uncompressed paths only a walk knows.
func (c *Crate) sectionsFit(ctx context.Context) bool {
	for _, name := range Required {
		s := c.Contents.Section(name)
		if s == nil || s.Start < bootstrapSize || s.Start > c.Size || s.Size < 0 || s.Size > c.Size-s.Start {
			return false
		}
		if size, ok := c.extent(ctx, name, s.Start, s.Size); (!ok || size != s.Size) && (name != "PATHS" || c.Compressed()) {
			return false
		}
	}
	return true
}

// A placer divides the bytes of the file between sections, and reports what is wrong in the table of contents.
type placer struct{ c *Crate }

// completeEntries completes the node of the entries with what was found out about the sections.
func (p *placer) completeEntries(all *model.Node) {
	c := p.c
	all.Brief, all.Elements = usda.Plural(int64(len(c.Contents.Sections)), "section", "sections"), false
	all.Children = model.Map(all.Children, func(_ context.Context, i int64, entry *model.Node) {
		if entry.Help = ""; i >= int64(len(c.Contents.Sections)) {
			return // it could not be read
		}
		s := &c.Contents.Sections[i]
		entry.Brief, entry.Problems = s.Name, s.problems
		if s.Placed {
			entry.Refs = func(context.Context) []model.Ref {
				return []model.Ref{{Kind: "section", Path: c.Layout + "/" + model.EscapeSegment(s.Segment), Span: c.Src.Span(s.Lo, s.Hi-s.Lo), Text: s.Name}}
			}
		}
	})
}

func (t *Contents) names() []string {
	var names []string
	for i := range t.Sections {
		names = append(names, t.Sections[i].Name)
	}
	return names
}

// placeSections divides the bytes of the file between sections, so that no byte has two. A section ends at the latest where the next one
// or the table of contents begins, as readers look at starts, not at sizes. Sections that readers ignore have what is left.
func (p *placer) placeSections(ctx context.Context) {
	c, t := p.c, &p.c.Contents
	taken := map[string]bool{"bootstrap": true, "toc": true, "trailing": true}
	for _, name := range Required {
		taken[name] = true
	}
	seen := map[string]bool{}
	var read, ignored []int
	for i := range t.Sections {
		s := &t.Sections[i]
		start := p.entrySpan(i, "start")
		if seen[s.Name] {
			s.problems = append(s.problems, model.Problemf(model.Suspicious, "usdc.toc.section-repeated",
				p.entrySpan(i, "name"), "another section %s is listed before; readers use that one", s.Name))
		}
		s.Segment = sectionSegment(s.Name, seen[s.Name], taken)
		seen[s.Name] = true
		s.Lo, s.Hi = s.Start, s.Start
		if p, bad := p.misplaced(s, start); bad {
			s.problems = append(s.problems, p)
			continue
		}
		if s == t.Section(s.Name) && slices.Contains(Required[:], s.Name) {
			s.Placed = true
			read = append(read, i)
			c.BootstrapEnd = min(c.BootstrapEnd, s.Start)
		} else {
			ignored = append(ignored, i)
		}
	}
	// Of sections with one start the first listed comes last and has the bytes.
	byStart := func(a, b int) int {
		return cmp.Or(cmp.Compare(t.Sections[a].Start, t.Sections[b].Start), cmp.Compare(b, a))
	}
	slices.SortStableFunc(read, byStart)
	for k, i := range read {
		next, what := t.next(i, read[k+1:], c.Size)
		p.bound(ctx, i, next, what)
	}
	slices.SortStableFunc(ignored, byStart)
	for k, i := range ignored {
		p.placeIgnored(i, read, ignored[k+1:])
	}
}

// next returns the offset at which the bytes of a section end at the latest, and the part that begins there: a section, the table of
// contents, or nothing.
func (t *Contents) next(i int, after []int, end int64) (next int64, what string) {
	next, what = end, "the end of the file"
	if len(after) > 0 {
		next, what = t.Sections[after[0]].Start, t.Sections[after[0]].Name
	}
	if start := t.Sections[i].Start; start < t.at && t.at < next {
		next, what = t.at, "the table of contents"
	}
	return next, what
}

// placeIgnored gives a section that readers ignore the bytes that no other one has: not those that readers read.
func (p *placer) placeIgnored(i int, read, after []int) {
	c, t := p.c, &p.c.Contents
	s := &t.Sections[i]
	if over := t.SectionAt(s.Start); over != nil || s.Start < c.BootstrapEnd {
		what := "the bootstrap"
		if over != nil {
			what = "section " + over.Name
		}
		s.problems = append(s.problems, model.Problemf(model.Suspicious, "usdc.toc.section-overlap", p.entrySpan(i, "start"),
			"section %s begins inside %s; readers do not look at it", s.Name, what))
		return
	}
	next, what := t.next(i, after, c.Size)
	for _, r := range read {
		if start := t.Sections[r].Start; start > s.Start && start < next {
			next, what = start, t.Sections[r].Name
		}
	}
	s.Placed = true
	if s.Hi = s.Start + s.Size; s.Size < 0 || s.Size > next-s.Start {
		s.Hi = next
		s.problems = append(s.problems, model.Problemf(model.Suspicious, "usdc.toc.section-size", p.entrySpan(i, "size"),
			"by its size section %s does not end before %s; readers do not look at it", s.Name, what).
			WantAtMost(next-s.Start, s.Size))
	}
}

// bound decides where a section ends, by its content as readers do. A size that is too small for the content, or that leads into
// the next part, is only reported.
func (p *placer) bound(ctx context.Context, i int, next int64, what string) {
	c, t := p.c, &p.c.Contents
	s := &t.Sections[i]
	room := next - s.Start
	if s.Hi = s.Start + s.Size; s.Size == room {
		return
	}
	need, known := c.extent(ctx, s.Name, s.Start, room)
	if s.Size >= need && s.Size < room {
		return
	}
	want := fmt.Sprintf("at most %d", room)
	if s.Hi = next; known {
		s.Hi, want = s.Start+need, strconv.FormatInt(need, 10)
	}
	message := fmt.Sprintf("section %s is larger than its size says", s.Name)
	if s.Size > room || s.Size < 0 {
		message = fmt.Sprintf("by its size section %s does not end before %s", s.Name, what)
	}
	s.problems = append(s.problems, model.Problemf(model.Suspicious, "usdc.toc.section-size", p.entrySpan(i, "size"),
		"%s; readers go by the content", message).Want(want, s.Size))
}

// entrySpan returns the bytes of a field of entry i.
func (p *placer) entrySpan(i int, field string) model.Span {
	c := p.c
	entry := c.plan.Record("Section")
	at := entry.Number(field)
	return c.Src.Span(c.Contents.entries.Off+int64(i)*entry.Size()+at.Off(), at.Len())
}

// reservedAt returns the offset of the bytes of the bootstrap that readers do not look at, so that some writers have other things there.
func (p *placer) reservedAt() int64 {
	bootstrap := p.c.plan.Record("Bootstrap")
	return bootstrap.Offset(bootstrap.Field("reserved"))
}

// misplaced returns the problem of a section at an offset where none can be.
func (p *placer) misplaced(s *Entry, start model.Span) (model.Problem, bool) {
	c := p.c
	const outside = "usdc.toc.section-out-of-file"
	switch {
	case s.Start < 0 || s.Start > c.Size:
		return model.Problemf(model.Malformed, outside, start, "section %s begins outside the file", s.Name).
			Want(fmt.Sprintf("%d to %d", bootstrapSize, c.Size), s.Start), true
	case s.Start < p.reservedAt():
		return model.Problemf(model.Malformed, "usdc.toc.section-overlap", start, "section %s begins inside the bootstrap", s.Name).
			Want(fmt.Sprintf("%d or more", bootstrapSize), s.Start), true
	case s.Start >= c.Contents.at && s.Start < c.Contents.end:
		return model.Problemf(model.Malformed, "usdc.toc.section-overlap", start, "section %s begins inside the table of contents", s.Name), true
	}
	return model.Problem{}, false
}

// sectionSegment makes a segment for a section's node that no other child of the layout has.
func sectionSegment(name string, again bool, taken map[string]bool) string {
	if slices.Contains(Required[:], name) && !again {
		return name
	}
	if name == "" {
		name = "(unnamed)"
	}
	free := name
	// A name "values" or "values~2" would hide value data.
	for k := 2; taken[free] || strings.HasPrefix(free, ValuesName); k++ {
		if free = fmt.Sprintf("%s~%d", name, k); strings.HasPrefix(name, ValuesName) {
			free = "section " + free
		}
	}
	taken[free] = true
	return free
}

// need returns a required section that has bytes, or the problem that it has none.
func (c *Crate) need(name string) (*Entry, error) {
	s := c.Contents.Section(name)
	if c.Support != Supported || s == nil || !s.Placed {
		return nil, model.Problemf(model.Malformed, "usdc.section.absent", c.ContentsSpan(), "section %s could not be found", name)
	}
	return s, nil
}

// ContentsSpan returns the bytes of the table of contents, or those of the bootstrap if there is none.
func (c *Crate) ContentsSpan() model.Span {
	if c.Contents.Known {
		return c.Src.Span(c.Contents.at, c.Contents.end-c.Contents.at)
	}
	return c.Src.Span(0, min(c.Size, bootstrapSize))
}

// SectionCount reads the count that section name begins with; not ok where it has none, or one that its bytes cannot
// be enough for.
func (c *Crate) SectionCount(ctx context.Context, name string) (n int64, ok bool) {
	s, err := c.need(name)
	if err != nil {
		return 0, false
	}
	count, ok := c.CountAt(ctx, s.Lo, s.Hi-s.Lo)
	if !ok {
		return 0, false
	}
	most := (s.Hi - s.Lo) / 4
	if c.Compressed() && name != "STRINGS" {
		most = (s.Hi - s.Lo) * 4 * 255 // 4 integers in a byte of codes, 255 bytes out of a compressed one
	} else if name == "TOKENS" {
		most = s.Hi - s.Lo
	}
	return int64(count), count <= uint64(most)
}

// SectionAt returns the section whose bytes in the layout hold off, or nil if none does.
func (t *Contents) SectionAt(off int64) *Entry {
	for i := range t.Sections {
		if s := &t.Sections[i]; s.Placed && off >= s.Lo && off < s.Hi {
			return s
		}
	}
	return nil
}

// CountAt reads the u64 at off, or returns false if less than 8 bytes of room are left, or they cannot be read.
func (c *Crate) CountAt(ctx context.Context, off, room int64) (n uint64, ok bool) {
	var b [8]byte
	if room < 8 {
		return 0, false
	}
	_, err := c.Src.ReadFull(ctx, b[:], off)
	return binary.LittleEndian.Uint64(b[:]), err == nil
}
