package odin

import (
	"context"
	"fmt"
	"sort"
	"strings"

	"cutaway/model"
)

// references is who uses a node or a type: links from entries to the node starts that they name, by id or by type, in
// the order of their targets; 8 bytes a link.
type references struct {
	target, user []uint32
}

// Len, Less and Swap implement sort.Interface.
func (r *references) Len() int { return len(r.target) }
func (r *references) Less(i, j int) bool {
	return r.target[i] < r.target[j] || r.target[i] == r.target[j] && r.user[i] < r.user[j]
}
func (r *references) Swap(i, j int) {
	r.target[i], r.target[j] = r.target[j], r.target[i]
	r.user[i], r.user[j] = r.user[j], r.user[i]
}

// of lists the users of a node start.
func (r *references) of(target int64) []uint32 {
	from := sort.Search(len(r.target), func(k int) bool { return int64(r.target[k]) >= target })
	to := sort.Search(len(r.target), func(k int) bool { return int64(r.target[k]) > target })
	return r.user[from:to]
}

// nodeIDs finds reference nodes by their id while a stream is gone through from its start.
type nodeIDs struct {
	ids     []int64
	entries []uint32
	stray   map[int64]uint32
}

func (t *nodeIDs) add(id, entry int64) {
	if n := len(t.ids); n > 0 && id <= t.ids[n-1] {
		if t.stray == nil {
			t.stray = map[int64]uint32{}
		}
		if _, known := t.stray[id]; !known {
			t.stray[id] = uint32(entry)
		}
		return
	}
	t.ids, t.entries = append(t.ids, id), append(t.entries, uint32(entry))
}

func (t *nodeIDs) find(id int64) (uint32, bool) {
	k := sort.Search(len(t.ids), func(k int) bool { return t.ids[k] >= id })
	if k < len(t.ids) && t.ids[k] == id {
		return t.entries[k], true
	}
	i, ok := t.stray[id]
	return i, ok
}

// links makes the references of a stream, once.
func (s *stream) links(ctx context.Context, progress model.Progress) (*references, error) {
	return s.refs.Get(ctx, progress, func(ctx context.Context, progress model.Progress) (*references, error) {
		r := &references{}
		var nodes nodeIDs
		err := s.each(ctx, progress, "finding the references", func(e *brief) {
			switch {
			case e.kind == kInternal:
				if target, ok := nodes.find(e.ref); ok {
					r.target, r.user = append(r.target, target), append(r.user, uint32(e.i))
				}
			case e.node >= 0:
				nodes.add(e.node, e.i)
			}
			if e.tag == idTypeID {
				if d, ok := s.definer(e.typeID, e.i); ok {
					r.target, r.user = append(r.target, uint32(d)), append(r.user, uint32(e.i))
				}
			}
		})
		if err != nil {
			return nil, err
		}
		sort.Sort(r)
		return r, nil
	})
}

// brief is what is counted of an entry.
type brief struct {
	i, off, length int64
	kind           kind
	ref            int64 // of internal references
	node           int64 // id of a reference node; noNodeFound: none
	tag            byte
	typeID         int32
	typ            string // of nodes whose type has no id
}

// each visits all entries of a stream in their order, scanning it first.
func (s *stream) each(ctx context.Context, progress model.Progress, what string, visit func(e *brief)) error {
	if err := s.all(ctx, progress); err != nil {
		return err
	}
	s.mu.RLock()
	n := s.x.n
	s.mu.RUnlock()
	_, isBinary := s.form.(*binaryForm)
	p := newHeads(s)
	var h head
	var b brief // one for all, so that millions cost no memory
	for i, at := int64(0), s.start; i < n; i++ {
		if i%(1<<14) == 0 {
			if err := ctx.Err(); err != nil {
				return err
			}
			progress.Report(i, n, what)
		}
		b = brief{i: i, off: at, node: noNodeFound}
		if isBinary {
			if !p.read(ctx, i, at, &h) {
				return unreadable(ctx, at)
			}
			b.length, b.kind, b.tag, b.typeID, b.ref, b.typ = h.end-at, h.code.kind, h.tag, h.typeID, int64(h.ref), ""
			if h.code.kind == kRefNode {
				b.node = int64(h.node)
			}
			if h.tag == idTypeName {
				b.typ = h.typeName
			}
		} else {
			e := s.entry(ctx, i)
			b.length, b.kind, b.tag, b.typeID, b.ref, b.node, b.typ = e.length, e.kind, e.typ.tag, e.typ.id, e.ref, e.node, e.typ.name
		}
		at += b.length
		visit(&b)
	}
	return nil
}

// unreadable says that an entry that was found once cannot be read again.
func unreadable(ctx context.Context, at int64) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	return fmt.Errorf("the entry at %#x cannot be read any more", at)
}

// nameOfType is the type name of an entry that each visits.
func (s *stream) nameOfType(ctx context.Context, e *brief) string {
	switch {
	case e.typ != "":
		return e.typ
	case e.tag == idTypeID:
		name, _ := s.typeName(ctx, e.typeID, e.i)
		return name
	}
	return ""
}

// streamOver is the stream whose bytes a span begins in.
func (d *document) streamOver(ctx context.Context, at model.Span) *stream {
	if at.Source == nil {
		return nil
	}
	for _, p := range d.payloads {
		// A payload whose source has not been made has no spans yet; making one costs, so the owner's path is asked first.
		if p.field != nil && !at.Source.Same(d.src) && !strings.HasPrefix(at.Source.Name(), p.field.path()+"/value@") {
			continue
		}
		if p.field != nil && at.Source.Same(d.src) && !p.field.nodes {
			continue
		}
		if s := p.stream(ctx); s != nil && s.src.Same(at.Source) && at.Off >= s.start && at.Off < s.end {
			return s
		}
	}
	return nil
}

// referencedBy lists what leads to the node at a path.
func (d *document) referencedBy(ctx context.Context, p *model.Place, limit int, progress model.Progress) ([]model.Ref, int64, error) {
	path := p.Path()
	view, _, _ := strings.Cut(path, "/")
	view, _, _ = strings.Cut(view, "@")
	s := d.streamOver(ctx, p.Node.Span())
	if s == nil || path == s.base(view) || path == view {
		return nil, 0, nil
	}
	if err := s.until(ctx, progress, func() bool { return s.x.end > p.Node.Span().Off }); err != nil {
		return nil, 0, err
	}
	i, ok := s.at(p.Node.Span().Off)
	if !ok {
		return nil, 0, nil
	}
	if view == viewUdon {
		return d.udonUsers(ctx, s, path, limit)
	}
	links, err := s.links(ctx, progress)
	if err != nil {
		return nil, 0, err
	}
	var refs []model.Ref
	total := int64(0)
	add := func(kind string, path func() string) {
		if total++; len(refs) < limit {
			refs = append(refs, model.Ref{Kind: kind, Path: path()})
		}
	}
	switch view {
	case model.LayoutView:
		add("entry", func() string { return s.path(ctx, viewEntries, i) })
	case viewEntries:
		add("object", func() string { return s.objectPath(ctx, i) })
	}
	for _, user := range links.of(i) {
		e := s.entry(ctx, int64(user))
		kind := "object"
		if e.kind != kInternal {
			kind = "type"
		}
		add(kind, func() string { return s.pathIn(ctx, view, int64(user)) })
	}
	return refs, total, nil
}

// udonUsers adds the instructions, symbols and entry points that name a place of a program.
func (d *document) udonUsers(ctx context.Context, s *stream, path string, limit int) ([]model.Ref, int64, error) {
	var refs []model.Ref
	total := int64(0)
	parts, err := s.udonParts(ctx, nil)
	if err != nil {
		return nil, 0, err
	}
	look := func(from string, out []model.Ref) {
		for _, r := range out {
			if r.Path == path {
				if total++; len(refs) < limit {
					refs = append(refs, model.Ref{Kind: r.Kind, Path: from})
				}
			}
		}
	}
	for _, part := range parts {
		p := part.program
		if p == nil {
			continue
		}
		for i := range p.lines {
			in := p.instruction(int64(i))
			look(p.linePath(int64(i)), p.lineRefs(&in))
		}
		for i := range p.symbols {
			n := p.symbolNode(int64(i), p.symbols[i].name)
			look(p.path+"/symbols/"+model.EscapeSegment(n.Name), n.Refs(ctx))
		}
		for i := range p.points {
			n := p.pointNode(int64(i), p.points[i].name)
			look(p.path+"/entry points/"+model.EscapeSegment(n.Name), n.Refs(ctx))
		}
	}
	return refs, total, nil
}

// Find functions of the views.

// find makes the search for the owner of bytes in a view.
func (d *document) find(view string, of func(ctx context.Context, s *stream, i int64, at model.Span) (string, error)) func(context.Context, model.Span) ([]string, error) {
	return func(ctx context.Context, at model.Span) ([]string, error) {
		s, at, path := d.inside(ctx, view, at)
		if s == nil {
			if path == "" {
				return nil, nil
			}
			return []string{path}, nil
		}
		if err := s.until(ctx, nil, func() bool { return s.x.end > at.Off }); err != nil {
			return nil, err
		}
		i, ok := s.at(at.Off)
		if !ok {
			return []string{s.base(view)}, nil
		}
		found, err := of(ctx, s, i, at)
		if err != nil || found == "" {
			return nil, err
		}
		return []string{found}, nil
	}
}

// inside goes from a span to the stream that holds it; from characters of a payload to the bytes that they make. Where
// those are compressed, only the path of the payload is known.
func (d *document) inside(ctx context.Context, view string, at model.Span) (*stream, model.Span, string) {
	if s := d.streamOver(ctx, at); s != nil {
		return s, at, ""
	}
	for _, p := range d.payloads {
		if p.field == nil {
			if gzip := p.once.Made().gzip; gzip != nil && gzip.in.Covers(at.Source, at.Off) {
				return nil, at, view
			}
			continue
		}
		if !p.field.value.Covers(at.Source, at.Off) {
			continue
		}
		o, err := p.open(ctx)
		if err != nil || o.gzip != nil {
			return nil, at, view + "/" + model.EscapeSegment(p.name)
		}
		out, err := o.decoded.Origin().Map.To(ctx, at.Off, max(at.Len, 1))
		if err != nil || len(out) == 0 {
			return nil, at, view + "/" + model.EscapeSegment(p.name)
		}
		return o.s, o.s.src.Span(out[0].Off, out[0].Len), ""
	}
	return nil, at, ""
}

func (d *document) findEntry() func(context.Context, model.Span) ([]string, error) {
	return d.find(viewEntries, func(ctx context.Context, s *stream, i int64, _ model.Span) (string, error) {
		return s.path(ctx, viewEntries, i), nil
	})
}

func (d *document) findObject() func(context.Context, model.Span) ([]string, error) {
	return d.find(viewObjects, func(ctx context.Context, s *stream, i int64, _ model.Span) (string, error) {
		return s.objectPath(ctx, i), nil
	})
}

func (d *document) findUdon() func(context.Context, model.Span) ([]string, error) {
	return d.find(viewUdon, func(ctx context.Context, s *stream, i int64, at model.Span) (string, error) {
		parts, err := s.udonParts(ctx, nil)
		if err != nil {
			return "", err
		}
		for _, part := range parts {
			base := s.base(viewUdon) + "/" + part.name
			if !s.span(part.entry).Covers(at.Source, at.Off) {
				continue
			}
			if part.program != nil {
				return part.program.over(ctx, at), nil
			}
			for _, v := range s.elementsOf(ctx, s.variablesList(ctx, part.entry)) {
				if s.span(v).Covers(at.Source, at.Off) {
					return fmt.Sprintf("%s/%s", base, model.EscapeSegment(s.variableNode(ctx, v).Name)), nil
				}
			}
			return base, nil
		}
		return "", nil
	})
}

// over is the path of the deepest node of the program over a byte.
func (p *program) over(ctx context.Context, at model.Span) string {
	covers := func(entry int64) bool { return p.s.span(entry).Covers(at.Source, at.Off) }
	if n := int64(len(p.code.bytes)); n > 0 && p.code.span(ctx, 0, n).Covers(at.Source, at.Off) {
		i := sort.Search(len(p.lines), func(i int) bool { return p.code.span(ctx, int64(p.lines[i]), 1).Off > at.Off }) - 1
		if i >= 0 {
			return p.linePath(int64(i))
		}
	}
	for k := range p.slots {
		if covers(p.slots[k].entry) {
			return p.slotPath(k)
		}
	}
	for _, table := range []struct {
		name string
		list []symbol
	}{{"symbols", p.symbols}, {"entry points", p.points}} {
		for _, sym := range table.list {
			if covers(sym.entry) {
				return p.path + "/" + table.name + "/" + model.EscapeSegment(sym.name)
			}
		}
	}
	for i := range p.sync {
		if covers(p.sync[i].entry) {
			return p.path + "/sync/" + model.EscapeSegment(p.syncName(int64(i)))
		}
	}
	for name, of := range map[string]string{"code": "ByteCode", "heap": "Heap", "entry points": "EntryPoints", "symbols": "SymbolTable", "sync": "SyncMetadataTable"} {
		if i := p.parts[of]; i >= 0 && covers(i) {
			return p.path + "/" + name
		}
	}
	return p.path
}
