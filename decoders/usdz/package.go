package usdz

import (
	"context"
	"fmt"
	"path"
	"slices"
	"sort"
	"strings"

	"cutaway/decoders/grammar"
	"cutaway/decoders/lang"
	"cutaway/model"
)

// A pkg is an opened package. Opening reads the headers of the members and the directory, but no data.
type pkg struct {
	src       *model.Source
	opener    model.Opener
	entries   []*entry
	directory []listing
	end       int64 // file offset of the end record, or -1
	byHeader  map[int64]*entry
	parts     *model.List     // the children of the layout
	nodes     []model.Node    // of the layout, in the order of the file
	problems  []model.Problem // of the whole package
	stream    grammar.Stream  // all of src
	plan      *lang.Plan
	session   *grammar.Session
	first     *model.Document // the default layer, or nil
}

func open(ctx context.Context, req *model.OpenRequest) (*model.Document, error) {
	p := &pkg{src: req.Source, opener: req.Opener, byHeader: make(map[int64]*entry), stream: grammar.Whole(req.Source)}
	p.plan = language.For(p)
	p.session = p.plan.Session()
	if err := p.read(ctx); err != nil {
		return nil, err
	}
	doc := &model.Document{
		Format: "usdz", Title: "USD package", Why: req.Why, Name: req.Name,
		Sources: []*model.Source{p.src},
		Facts:   p.facts,
		Check:   p.check,

		CheckData: p.checkData,
		Member:    p.openMember,
	}
	doc.ReferencedBy = p.referencedBy
	first, err := p.firstLayer(ctx)
	if err != nil {
		return nil, err
	}
	p.first = first
	if first != nil {
		for _, v := range first.Views {
			if v.Name != model.LayoutView {
				doc.Views = append(doc.Views, v)
			}
		}
		doc.Tables, doc.Named, doc.Releases, doc.Judges = first.Tables, first.Named, first.Releases, first.Judges
		if doc.First = p.entries[0].name; first.First != "" {
			doc.First += "[" + first.First + "]"
		}
	}
	doc.Headless = p.headless()
	doc.Members = p.otherMembers()
	doc.Views = append(doc.Views, &model.View{Name: model.LayoutView, Title: "Layout", Of: p.src, Root: p.layout, Cards: []string{"Image"}})
	return doc, nil
}

// firstLayer opens the default layer: the first member, or the first layer of a package that comes first. It returns
// nil if no format recognises it.
func (p *pkg) firstLayer(ctx context.Context) (*model.Document, error) {
	if len(p.entries) == 0 || !opensFirst(p.entries[0].name) || !p.entries[0].member.derivable() {
		return nil, nil
	}
	doc, err := p.entries[0].member.document(ctx)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil {
		return nil, nil // its node in the layout has the problem
	}
	return doc, nil
}

// headless returns the reason why the package has no default layer, also as a problem of its first member, or nil if it
// has one.
func (p *pkg) headless() error {
	switch {
	case len(p.entries) == 0:
		return nil // an empty package is reported separately
	case p.first != nil && p.first.Headless != nil:
		return p.first.Headless
	case p.first != nil && isUSD(p.first):
		return nil
	}
	e := p.entries[0]
	switch {
	case p.first != nil || e.member.refused != nil || e.appleDouble || e.isHollow():
		e.problems = append(e.problems, e.member.notALayer())
		p.nodes[e.part].Problems = e.problems
	case opensFirst(e.name) && e.member.derivable():
		return nil // its node has the limit or the failure to read as a problem
	}
	return fmt.Errorf("the package has no default layer: its first member, %q, is none that could be opened", e.name)
}

// otherMembers returns the members whose views the package does not show as its own.
func (p *pkg) otherMembers() []string {
	var names []string
	for i, e := range p.entries {
		if i > 0 || p.first == nil {
			names = append(names, e.name)
			continue
		}
		for _, inner := range p.first.Members { // of a package that comes first
			names = append(names, e.name+"["+inner+"]")
		}
	}
	return names
}

// read walks the local headers from the start, as the reference does, and then reads the directory. If a member's
// signature is missing, it continues at the next offset in the directory.
func (p *pkg) read(ctx context.Context) error {
	size := p.src.Size()
	p.end = p.findEnd(ctx)
	var known []int64 // offsets of local headers and of the directory, ascending
	listed := map[int64]listing{}
	if p.end >= 0 {
		o := p.plan.Record("end record").Open(p.session, p.stream, p.end)
		if o.SpanOf(ctx, p.plan.Record("end record").Field("comment length")).Len == 2 {
			start := int64(o.Uint(ctx, p.plan.Record("end record").Field("directory offset")))
			known = append(known, start, p.end)
			for _, r := range p.readDirectory(ctx, start) {
				known = append(known, r.local)
				listed[r.local] = r
			}
		}
	}
	slices.Sort(known)

	pos := int64(0)
	for pos < size && !p.starts(ctx, pos, centralSignature) && !p.starts(ctx, pos, endSignature) {
		if err := ctx.Err(); err != nil {
			return err
		}
		if p.starts(ctx, pos, localSignature) {
			e := p.readEntry(ctx, pos, listed[pos])
			pos = e.end
			continue
		}
		next := size
		if i := sort.Search(len(known), func(i int) bool { return known[i] > pos }); i < len(known) {
			next = min(known[i], size)
		}
		p.unknown(pos, next, model.Problemf(model.Malformed, ruleSignature, p.src.Span(pos, next-pos),
			"neither a member nor the central directory begins here").Want("PK 03 04 or PK 01 02", p.found(ctx, pos)))
		pos = next
	}
	p.finish(ctx, pos)
	p.markTwins()
	p.parts = model.NewList(p.nodes...)
	return nil
}

func (p *pkg) found(ctx context.Context, off int64) string {
	b, _ := p.src.Bytes(ctx, off, min(4, p.src.Size()-off))
	return fmt.Sprintf("% x", b)
}

// readEntry reads the member at off. listed is its directory entry, for sizes that its header lacks.
func (p *pkg) readEntry(ctx context.Context, off int64, listed listing) *entry {
	size := p.src.Size()
	o := p.plan.Record("local header").Read(grammar.NewReading(ctx, grammar.Near), p.session, p.stream, off)
	e := &entry{header: headerOf(ctx, o), fields: o, flags: uint16(o.Uint(ctx, p.plan.Record("local header").Field("flags")))}
	e.data = o.End()
	length := int64(e.compressed)
	late := e.flags&flagDescriptor != 0 && e.compressed == 0
	if late {
		length = int64(listed.compressed)
		e.compressed, e.inflated, e.crc = listed.compressed, listed.inflated, listed.crc
	}
	e.dataEnd = min(e.data+length, size)
	e.end = e.dataEnd
	if o.OK() && e.data+length > size {
		e.problems = append(e.problems, model.Problemf(model.Truncated, ruleData, p.src.Span(e.data, e.dataEnd-e.data),
			"%q is cut off", e.name).Want(fmt.Sprintf("%d bytes", length), fmt.Sprintf("%d bytes", e.dataEnd-e.data)))
	}
	if late {
		// With or without the optional signature.
		n := int64(12)
		if p.starts(ctx, e.dataEnd, descriptorMark) {
			n = 16
		}
		e.end = min(e.dataEnd+n, size)
	}
	e.member = &member{p: p, e: e}
	if o.OK() {
		e.appleDouble = p.isAppleDouble(ctx, e)
		e.check(ctx, p.src, len(p.entries) == 0)
	}
	p.entries = append(p.entries, e)
	p.byHeader[off] = e
	e.part = len(p.nodes)
	p.nodes = append(p.nodes, p.entryNode(e))
	return e
}

// isAppleDouble reports whether macOS added the member for the attributes of another.
func (p *pkg) isAppleDouble(ctx context.Context, e *entry) bool {
	return strings.HasPrefix(path.Base(e.name), "._") &&
		(strings.HasPrefix(e.name, "__MACOSX/") || e.method == methodStored && p.starts(ctx, e.data, appleDoubleMagic))
}

func (p *pkg) unknown(off, end int64, problems ...model.Problem) {
	span := p.src.Span(off, end-off)
	p.nodes = append(p.nodes, model.Node{
		Name: fmt.Sprintf("%#x", off), Type: "bytes", Role: model.Unknown, Value: model.Blob{Span: span}, Spans: []model.Span{span}, Problems: problems,
	})
}

// finish adds nodes for the rest of the file: the directory, the end record, and bytes that should not exist.
func (p *pkg) finish(ctx context.Context, pos int64) {
	size := p.src.Size()
	if len(p.entries) == 0 {
		p.problems = append(p.problems, model.Problemf(model.Malformed, ruleNoMembers, p.src.Span(0, min(4, size)),
			"the package has no members").Want("PK 03 04", p.found(ctx, 0)))
	}
	p.directory = p.readDirectory(ctx, pos)
	if len(p.directory) > 0 {
		p.nodes = append(p.nodes, p.directoryNode())
		pos = p.directorySpan(0).End()
	}
	if p.end >= pos {
		if p.end > pos {
			p.unknown(pos, p.end, model.Problemf(model.Malformed, ruleSignature, p.src.Span(pos, p.end-pos),
				"bytes that no rule explains are before the end record"))
		}
		o := p.plan.Record("end record").Read(grammar.NewReading(ctx, grammar.Near), p.session, grammar.Stream{Source: p.src, End: size}, p.end)
		pos = o.End()
		own := grammar.Stream{Source: p.src, Start: p.end, End: pos} // without the bytes after the package
		p.nodes = append(p.nodes, p.plan.Record("end record").Open(p.session, own, p.end).Node(ctx, "end record"))
	} else {
		p.problems = append(p.problems, model.Problemf(model.Truncated, ruleNoDirectory, p.src.Span(size, 0),
			"the package has no end record: it is cut off or was not finished").Want("PK 05 06", "the end of the file"))
	}
	if pos < size {
		p.unknown(pos, size, model.Problemf(model.Suspicious, ruleTrailing, p.src.Span(pos, size-pos),
			"%d bytes follow the end of the package", size-pos))
	}
}

// markTwins reports members that share a name.
func (p *pkg) markTwins() {
	stored := map[string]bool{}
	for _, e := range p.entries {
		if stored[e.name] {
			at := p.src.Span(e.fields.Start(), e.data-e.fields.Start())
			e.problems = append(e.problems, model.Problemf(model.Suspicious, ruleDuplicate, at, "another member is called %q too", e.name))
		}
		stored[e.name] = true
		p.nodes[e.part].Problems = e.problems
	}
}

func (p *pkg) layout(context.Context) model.Node {
	return model.Node{
		Name: model.LayoutView, Type: "USD package", Brief: fmt.Sprintf("%d members", len(p.entries)),
		Spans: []model.Span{p.src.Whole()}, Problems: p.problems, Children: p.parts,
	}
}

func (p *pkg) facts(ctx context.Context, quick bool, progress model.Progress) ([]model.Fact, error) {
	var members model.Seq
	for _, e := range p.entries {
		format := "bytes"
		if e.member.derivable() {
			doc, err := e.member.document(ctx)
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			if err == nil && doc != nil {
				format = doc.Format
			}
		}
		members = append(members, model.Object{
			{Key: "path", Value: model.Text(e.name)},
			{Key: "format", Value: model.Text(format)},
			{Key: "size", Value: model.Uint(e.inflated)},
		})
	}
	facts := []model.Fact{{Key: "members", Title: "Members", Value: members}}
	if p.first == nil || p.first.Facts == nil {
		return facts, nil
	}
	layer, err := p.first.Facts(ctx, quick, progress)
	return append(facts, slices.DeleteFunc(layer, func(f model.Fact) bool { return f.Key == "members" })...), err
}

// check runs the check of the default layer, whose views are the package's, and compares checksums.
func (p *pkg) check(ctx context.Context, progress model.Progress, report func(path string, p model.Problem)) error {
	if p.first != nil && p.first.Check != nil {
		if err := p.first.Check(ctx, progress, report); err != nil {
			return err
		}
	}
	return p.checkSums(ctx, progress, report)
}

// checkData checks the data of the default layer, by which the package is opened.
func (p *pkg) checkData(ctx context.Context, _ bool, progress model.Progress, report func(path string, p model.Problem)) error {
	if p.first == nil || p.first.CheckData == nil {
		return nil
	}
	return p.first.CheckData(ctx, true, progress, report)
}

// checkSums compares the CRC-32 of each member's bytes with its header.
func (p *pkg) checkSums(ctx context.Context, progress model.Progress, report func(path string, p model.Problem)) error {
	var done int64
	for _, e := range p.entries {
		if !e.member.derivable() || e.data+int64(e.compressed) > e.dataEnd {
			continue
		}
		crc, err := e.sum(ctx, e.member.reader(), func(n int64) {
			done += n
			progress.Report(done, p.src.Size(), "checking CRC-32")
		})
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err == nil && crc != e.crc {
			report(e.member.ownerPath(), model.Problemf(model.Malformed, ruleCRC, e.member.stored(),
				"the bytes of %q have changed since the package was written", e.name).
				Want(fmt.Sprintf("CRC-32 %08x", e.crc), fmt.Sprintf("%08x", crc)))
		}
	}
	return nil
}

// referencedBy asks the member that has the node. Other views are those of the first layer. Of the package's own nodes,
// only members have references, from the directory.
func (p *pkg) referencedBy(ctx context.Context, at *model.Place, limit int, progress model.Progress) ([]model.Ref, int64, error) {
	path := at.Path()
	owner := p.entryOver(path)
	if owner == nil {
		return p.directoryRefs(path, limit)
	}
	if !owner.member.derivable() {
		return nil, 0, nil
	}
	doc, err := owner.member.document(ctx)
	if err != nil || doc == nil || doc.ReferencedBy == nil {
		return nil, 0, err
	}
	refs, n, err := doc.ReferencedBy(ctx, at, limit, progress)
	if owner != p.entries[0] {
		all := len(refs)
		refs = slices.DeleteFunc(refs, func(r model.Ref) bool { return !toLayout(r) })
		n -= int64(all - len(refs))
	}
	return refs, n, err
}

// entryOver returns the member with the node at path, or nil for the package's own nodes.
func (p *pkg) entryOver(path string) *entry {
	layout := p.src.LayoutPath()
	if len(p.entries) > 0 && path != layout && !strings.HasPrefix(path, layout+"/") {
		return p.entries[0]
	}
	for _, e := range p.entries {
		if strings.HasPrefix(path, e.member.ownerPath()+"@") {
			return e
		}
	}
	return nil
}

func (p *pkg) directoryRefs(path string, limit int) ([]model.Ref, int64, error) {
	var refs []model.Ref
	for i, r := range p.directory {
		if e := p.byHeader[r.local]; e != nil && path == p.entryPath(e) {
			refs = append(refs, model.Ref{Kind: "member", Path: p.src.LayoutPath() + "/" + directoryName + "/" + model.IndexName(int64(i)), Text: e.name})
		}
	}
	return refs[:min(limit, len(refs))], int64(len(refs)), nil
}

func (p *pkg) entryPath(e *entry) string {
	return p.nodes[e.part].PathUnder(p.src.LayoutPath())
}

func (p *pkg) openMember(ctx context.Context, inner string) (*model.Document, error) {
	for _, e := range p.entries {
		if e.name == inner {
			return e.member.openAlone(ctx)
		}
	}
	return nil, fmt.Errorf("the package has no member %q", inner)
}
