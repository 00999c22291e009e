package omnilive

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"strings"

	"cutaway/model"
)

// owner is what a table is to a delta: a command or a setting.
type owner struct {
	delta   int
	table   int64
	command int64 // none: not a command
	field   int64 // none: not a field
	sample  int64 // none: not a time sample
}

// ownersOf finds the commands and settings whose tables own a byte.
func (l *live) ownersOf(ctx context.Context, s model.Span) ([]owner, error) {
	for i, d := range l.deltas {
		if d.bind == nil || !s.Source.Same(d.carrier.src) {
			continue
		}
		tables, err := d.tree.Owners(ctx, s.Off)
		if err != nil {
			return nil, err
		}
		var list []owner
		for _, t := range tables {
			o, ok, err := l.ownerAt(ctx, i, t, nil)
			if err != nil {
				return nil, err
			}
			if ok {
				list = append(list, o)
			}
		}
		return list, nil
	}
	return nil, nil
}

// ownerEntry says that a table of the buffer is that of an item: fields are numbered first, then time samples, then
// commands.
type ownerEntry struct{ table, item uint32 }

// findOwners lists the tables of all items in the order of their places.
func (d *delta) findOwners(ctx context.Context, progress model.Progress) (*[]ownerEntry, error) {
	r := d.carrier.buffer.Reader(ctx)
	defer d.carrier.buffer.Release(r)
	all := make([]ownerEntry, 0, d.fields.n+d.samples.n+2*d.commands.n)
	add := func(table, item int64) {
		if table != 0 {
			all = append(all, ownerEntry{uint32(table), uint32(item)})
		}
	}
	total := d.fields.n + d.samples.n + d.commands.n
	for item := range total {
		if item&1023 == 0 {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			progress.Report(item, total, "indexing commands and fields")
		}
		switch o := d.itemAt(item); {
		case o.field != none:
			add(r.Element(d.fields.first, o.field), item)
		case o.sample != none:
			add(r.Element(d.samples.first, o.sample), item)
		default:
			outer, inner := d.commandTables(r, o.command)
			add(outer, item)
			if inner != outer {
				add(inner, item)
			}
		}
	}
	slices.SortStableFunc(all, func(a, b ownerEntry) int { return cmp.Compare(a.table, b.table) })
	return &all, nil
}

// itemAt is the field, time sample or command of a number.
func (d *delta) itemAt(item int64) owner {
	o := owner{command: none, field: none, sample: none}
	switch {
	case item < d.fields.n:
		o.field = item
	case item < d.fields.n+d.samples.n:
		o.sample = item - d.fields.n
	default:
		o.command = item - d.fields.n - d.samples.n
	}
	return o
}

// ownerAt tells what the table at off is to a delta. The error is ctx's.
func (l *live) ownerAt(ctx context.Context, delta int, off int64, progress model.Progress) (o owner, ok bool, err error) {
	d := l.deltas[delta]
	all, err := d.owners.Get(ctx, progress, d.findOwners)
	if err != nil {
		return o, false, err
	}
	i, ok := slices.BinarySearchFunc(*all, off, func(e ownerEntry, off int64) int { return cmp.Compare(int64(e.table), off) })
	if !ok {
		return o, false, nil
	}
	o = d.itemAt(int64((*all)[i].item))
	o.delta, o.table = delta, off
	return o, true, nil
}

// findCommands finds the commands that own a byte, and of each first the field that does.
func (l *live) findCommands(ctx context.Context, s model.Span) ([]string, error) {
	owners, err := l.ownersOf(ctx, s)
	var paths []string
	for _, o := range owners {
		if o.command == none {
			continue
		}
		path := l.commandPath(place{int32(o.delta), o.command})
		n := l.commandNode(ctx, o.delta, o.command)
		if err := n.Resolve(ctx, nil); err != nil {
			return nil, err
		}
		if part := partOver(ctx, n.Children, s); part != "" {
			paths = append(paths, path+"/"+model.EscapeSegment(part))
		}
		paths = append(paths, path)
	}
	return paths, err
}

// partOver is the name of the first part of a command that stands on a byte; "" where none does.
func partOver(ctx context.Context, parts model.Children, s model.Span) string {
	if parts == nil {
		return ""
	}
	count, _ := parts.Len(ctx)
	for i := range count {
		n := parts.At(ctx, i)
		for _, at := range n.Spans {
			if at.Covers(s.Source, s.Off) {
				return n.Name
			}
		}
	}
	return ""
}

// findInLayer finds the fields, samples and sections that own a byte.
func (l *live) findInLayer(ctx context.Context, s model.Span) ([]string, error) {
	if _, err := l.upTo.get(ctx, nil); err != nil {
		return nil, err
	}
	owners, err := l.ownersOf(ctx, s)
	var paths []string
	for _, o := range owners {
		paths = append(paths, l.layerPaths(ctx, o)...)
	}
	return paths, err
}

// layerPaths are the nodes of the layer view that a command or setting made.
func (l *live) layerPaths(ctx context.Context, o owner) []string {
	res := l.stepped()
	if res == nil {
		return nil
	}
	d := l.deltas[o.delta]
	r := d.carrier.buffer.Reader(ctx)
	defer d.carrier.buffer.Release(r)
	id := uint64(0)
	switch {
	case o.command != none:
		id = d.commandSection(ctx, o.command)
	case o.field != none:
		s, _ := d.setting(r, false, o.field)
		id = s.sectionID
	default:
		s, _ := d.setting(r, true, o.sample)
		id = s.sectionID
	}
	n := res.layer.find(id)
	if !res.layer.alive(n) {
		return nil
	}
	path := l.sectionPath(ctx, res, n)
	if path == "" || o.command != none {
		if made := res.layer.nodes[n].madeBy; path != "" && int(made.delta) == o.delta && made.index == o.command {
			return []string{path}
		}
		return nil
	}
	if p := l.settingPath(ctx, res, n, o); p != "" {
		return []string{path + "/" + p}
	}
	return nil
}

func (d *delta) commandSection(ctx context.Context, i int64) uint64 {
	r := d.carrier.buffer.Reader(ctx)
	defer d.carrier.buffer.Release(r)
	c := d.command(r, i)
	return c.sectionID
}

// settingPath is the path of a setting below its section.
func (l *live) settingPath(ctx context.Context, res *result, n int32, o owner) string {
	c := l.newChildren(ctx, res, n)
	s := &res.layer.nodes[n]
	sample := o.sample != none
	index := o.field
	if sample {
		index = o.sample
	}
	is := func(i int32) bool {
		x := &s.settings[i]
		return x.sample == sample && x.index == index && int(x.delta) == o.delta
	}
	for i, k := range c.fields {
		if is(k) {
			return model.EscapeSegment(c.names[c.ids()+i])
		}
	}
	for g, list := range c.lists {
		for i, k := range list {
			if is(k) {
				return model.EscapeSegment(c.extra[g].Name) + "/" + model.IndexName(int64(i))
			}
		}
	}
	return ""
}

// referencedBy lists what refers to a node of the layout, objects of the FlatBuffer and the commands and settings whose
// table it is, or to a command.
func (l *live) referencedBy(ctx context.Context, p *model.Place, limit int, progress model.Progress) ([]model.Ref, int64, error) {
	path := p.Path()
	if at, ok := l.commandAt(path); ok {
		return l.madeBy(ctx, at, limit, progress)
	}
	for i, d := range l.deltas {
		if d.tree == nil {
			continue
		}
		if index, ok := strings.CutPrefix(path, d.layout+"/part "); ok && d.bind != nil {
			if part, err := strconv.ParseUint(index, 10, 32); err == nil {
				refs, n := l.partUsers(ctx, i, part, limit)
				return refs, n, nil
			}
		}
		refs, n, ok, err := d.tree.ReferencedBy(ctx, path, limit, progress)
		if err != nil || !ok {
			if err != nil {
				return nil, 0, err
			}
			continue
		}
		if d.bind == nil {
			return refs, n, nil
		}
		more, err := l.viewUsers(ctx, i, path, progress)
		if err != nil {
			return nil, 0, err
		}
		n += int64(len(more))
		refs = append(more, refs...)
		return refs[:min(len(refs), limit)], n, nil
	}
	return nil, 0, nil
}

// viewUsers lists the nodes of the views that stand on the object at path.
func (l *live) viewUsers(ctx context.Context, delta int, path string, progress model.Progress) ([]model.Ref, error) {
	d := l.deltas[delta]
	off, ok := d.tree.OffsetOf(path)
	if !ok {
		return nil, nil
	}
	o, ok, err := l.ownerAt(ctx, delta, off, progress)
	if err != nil || !ok {
		return nil, err
	}
	var refs []model.Ref
	if o.command != none {
		refs = append(refs, model.Ref{Kind: "command", Path: l.commandPath(place{int32(delta), o.command})})
	}
	if _, err := l.upTo.get(ctx, progress); err != nil {
		return nil, err
	}
	for _, p := range l.layerPaths(ctx, o) {
		refs = append(refs, model.Ref{Kind: "layer", Path: p})
	}
	return refs, nil
}

// partUsers lists the fields and samples whose value is a part.
func (l *live) partUsers(ctx context.Context, delta int, part uint64, limit int) ([]model.Ref, int64) {
	d := l.deltas[delta]
	r := d.carrier.buffer.Reader(ctx)
	defer d.carrier.buffer.Release(r)
	var refs []model.Ref
	n := int64(0)
	for _, sample := range []bool{false, true} {
		count := d.fields.n
		if sample {
			count = d.samples.n
		}
		for i := range count {
			if s, ok := d.setting(r, sample, i); ok && s.external() && s.index == part {
				if n++; len(refs) < limit {
					refs = append(refs, model.Ref{Kind: "external value", Path: d.tree.ObjectPath(s.table), Span: d.carrier.buffer.Span(s.table, 4)})
				}
			}
		}
	}
	return refs, n
}
