package usdc

import (
	"cmp"
	"context"
	"encoding/binary"
	"fmt"
	"slices"
	"strings"

	"cutaway/decoders/read"
	"cutaway/model"
)

const (
	tocEntrySize = 32
	// maxSections bounds the entries that are read when a file is opened; real files have 6.
	maxSections = 1 << 16
)

// required names the sections every file has, in the order of their dependence.
var required = [...]string{"TOKENS", "STRINGS", "FIELDS", "FIELDSETS", "PATHS", "SPECS"}

// section is one entry of the table of contents.
type section struct {
	name        string
	start, size int64 // as stored
	// lo and hi bound the bytes that the section has to itself: cut where the file or the next section says so.
	lo, hi   int64
	placed   bool   // it has a node in the layout
	node     string // the name of that node
	problems []model.Problem
}

// contents is the table of contents (chapter 4).
type contents struct {
	known    bool  // there is one
	at, end  int64 // its bytes
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

// readTOC decodes the table of contents at off.
func (c *crate) readTOC(ctx context.Context, off int64) {
	t := &c.toc
	r := read.New(ctx, c.src, off, c.size, "usdc.toc.truncated")
	claimed := r.U64("count", "number of sections")
	n := r.Count(claimed, tocEntrySize, "usdc.toc.count")
	if n > maxSections {
		r.Problem(model.Problemf(model.Malformed, "usdc.toc.too-many", model.Span{},
			"only the first %d sections are read, which is this program's limit", maxSections).Want(maxSections, n))
		n = maxSections
	}
	raw, err := c.src.Bytes(ctx, r.Off(), n*tocEntrySize)
	if err != nil {
		r.Problem(model.AsProblem(err, "usdc.toc.read", model.Span{}))
		n = 0
	}
	t.known, t.at, t.end = true, off, r.Off()+n*tocEntrySize
	for i := range n {
		t.sections = append(t.sections, parseSection(raw[i*tocEntrySize:(i+1)*tocEntrySize]))
	}
	c.placeSections()
	entries := r.Off()
	if n > 0 {
		r.Add(model.Node{
			Name: "sections", Type: "Section[]", Spans: []model.Span{c.src.Span(entries, n*tocEntrySize)},
			Brief:    plural(n, "section", "sections"),
			Children: model.FixedRows(c.src, entries, tocEntrySize, n, func(ctx context.Context, i int64) model.Node { return c.tocEntry(ctx, entries, i) }),
		})
	}
	t.node = r.Node("toc", "TableOfContents", "where each section begins and how long it is")
	for _, name := range required {
		if t.section(name) == nil {
			t.node.Problems = append(t.node.Problems, model.Problemf(model.Malformed, "usdc.toc.section-missing",
				t.node.Span(), "section %s is missing from the table of contents", name).Want(name, strings.Join(t.names(), " ")))
		}
	}
}

func (t *contents) names() []string {
	var names []string
	for i := range t.sections {
		names = append(names, t.sections[i].name)
	}
	return names
}

func parseSection(b []byte) section {
	name, _, _ := strings.Cut(string(b[:16]), "\x00")
	return section{name: name, start: int64(binary.LittleEndian.Uint64(b[16:])), size: int64(binary.LittleEndian.Uint64(b[24:]))}
}

// tocEntry makes the node of entry i.
func (c *crate) tocEntry(ctx context.Context, entries, i int64) model.Node {
	s := &c.toc.sections[i]
	r := read.New(ctx, c.src, entries+i*tocEntrySize, entries+(i+1)*tocEntrySize, "usdc.toc.truncated")
	r.PaddedText("name", 16, "NUL-padded, at most 15 characters")
	r.Expect(len(s.name) < 16, "usdc.toc.name", "at most 15 characters and a NUL", fmt.Sprintf("%q", s.name), "the section's name has no NUL behind it")
	r.I64("start", "offset of the section's first byte")
	r.I64("size", "bytes; readers go by the content instead")
	n := r.Node(model.IndexName(i), "Section", "")
	n.Brief = s.name
	n.Problems = s.problems
	if s.placed {
		n.Refs = func(context.Context) []model.Ref {
			return []model.Ref{{Kind: "section", Path: c.layout + "/" + model.EscapeSegment(s.node), Span: c.src.Span(s.lo, s.hi-s.lo), Text: s.name}}
		}
	}
	return n
}

// placeSections decides which bytes belong to which section, so that no byte belongs to two: a section ends at the
// latest where the next one or the table of contents begins, for readers go by starts, not by sizes.
func (c *crate) placeSections() {
	t := &c.toc
	taken := map[string]bool{"bootstrap": true, "toc": true, "trailing": true}
	for _, name := range required {
		taken[name] = true
	}
	seen := map[string]bool{}
	var order []int
	for i := range t.sections {
		s := &t.sections[i]
		entry := t.end - int64(len(t.sections)-i)*tocEntrySize
		start, size := c.src.Span(entry+16, 8), c.src.Span(entry+24, 8)
		if seen[s.name] {
			s.problems = append(s.problems, model.Problemf(model.Suspicious, "usdc.toc.section-repeated",
				c.src.Span(entry, 16), "another section %s is listed before; readers use that one", s.name))
		}
		s.node = layoutName(s.name, seen[s.name], taken)
		seen[s.name] = true
		s.lo, s.hi = s.start, s.start
		if p, bad := c.misplaced(s, start, size); bad {
			s.problems = append(s.problems, p)
			if s.start < bootstrapSize || s.start > c.size || s.size < 0 || s.start >= t.at && s.start < t.end {
				continue
			}
		}
		s.placed = true
		s.hi = s.start + min(s.size, c.size-s.start)
		order = append(order, i)
	}
	// Of sections with one start the first listed comes last and has the bytes.
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Or(cmp.Compare(t.sections[a].start, t.sections[b].start), cmp.Compare(b, a))
	})
	for k, i := range order {
		s := &t.sections[i]
		next, what := c.size, ""
		if k+1 < len(order) {
			next, what = t.sections[order[k+1]].start, t.sections[order[k+1]].name
		}
		if s.start < t.at && t.at < next {
			next, what = t.at, "the table of contents"
		}
		if s.hi > next {
			s.hi = next
			entry := t.end - int64(len(t.sections)-i)*tocEntrySize
			s.problems = append(s.problems, model.Problemf(model.Malformed, "usdc.toc.section-overlap",
				c.src.Span(entry+24, 8), "section %s runs into %s", s.name, what).Want(fmt.Sprintf("at most %d", next-s.start), s.size))
		}
	}
}

// misplaced is the problem of a section that is not where a section can be.
func (c *crate) misplaced(s *section, start, size model.Span) (model.Problem, bool) {
	const outside = "usdc.toc.section-out-of-file"
	switch {
	case s.start < 0 || s.start > c.size:
		return model.Problemf(model.Malformed, outside, start, "section %s begins outside the file", s.name).
			Want(fmt.Sprintf("%d to %d", bootstrapSize, c.size), s.start), true
	case s.size < 0 || s.size > c.size-s.start:
		return model.Problemf(model.Malformed, outside, size, "section %s runs off the file", s.name).
			Want(fmt.Sprintf("0 to %d", c.size-s.start), s.size), true
	case s.start < bootstrapSize:
		return model.Problemf(model.Malformed, "usdc.toc.section-overlap", start, "section %s begins inside the bootstrap", s.name).
			Want(fmt.Sprintf("%d or more", bootstrapSize), s.start), true
	case s.start >= c.toc.at && s.start < c.toc.end:
		return model.Problemf(model.Malformed, "usdc.toc.section-overlap", start, "section %s begins inside the table of contents", s.name), true
	}
	return model.Problem{}, false
}

// layoutName makes a name for a section's node that no other child of the layout has.
func layoutName(name string, again bool, taken map[string]bool) string {
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
	var b [8]byte
	if s.hi-s.lo < 8 {
		return 0, false
	}
	if _, err := c.src.ReadFull(ctx, b[:], s.lo); err != nil {
		return 0, false
	}
	most := (s.hi - s.lo) / 4
	if c.inflated() && name != "STRINGS" {
		most = (s.hi - s.lo) * 4 * 255 // 4 integers in a byte of codes, 255 bytes out of a compressed one
	} else if name == "TOKENS" {
		most = s.hi - s.lo
	}
	count := binary.LittleEndian.Uint64(b[:])
	return int64(count), count <= uint64(most)
}

// over is the section whose bytes in the layout hold off; nil: none.
func (t *contents) over(off int64) *section {
	for i := range t.sections {
		if s := &t.sections[i]; s.placed && off >= s.lo && off < s.hi {
			return s
		}
	}
	return nil
}
