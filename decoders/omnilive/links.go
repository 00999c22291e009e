package omnilive

import (
	"context"

	"cutaway/decoders/flatbuffer"
	"cutaway/model"
	"cutaway/model/crossref"
)

// links is the entries of a delta besides the objects of its FlatBuffer: its items, which are fields, time samples and
// commands, numbered one after another; the commands by their nodes in the view of commands; and the parts of the
// multi-part form.
type links struct {
	items, commands, parts crossref.Entries
	tables, external       crossref.Links
}

// link describes the deltas to the model.
func (l *live) link() {
	for i, d := range l.deltas {
		if d.tree == nil {
			continue
		}
		l.Entries = append(l.Entries, d.tree.Links.Entries...)
		if d.bind != nil {
			l.linkItems(i, d)
		}
	}
	for i, d := range l.deltas {
		if d.bind == nil {
			continue
		}
		d.links.commands.UsedBy = []crossref.UsedBy{{Kind: "made by", From: &d.links.items, View: layerView, Back: l.ifMade(i, d, crossref.Itself)}}
		for _, other := range l.deltas {
			if other.bind != nil {
				d.links.commands.UsedBy = append(d.links.commands.UsedBy, crossref.UsedBy{
					Kind: "section id", From: &other.links.items, View: commandsView, Back: l.ifMade(i, d, d.about(other))})
			}
		}
	}
}

func (l *live) linkItems(delta int, d *delta) {
	k := &d.links
	items := func(context.Context, model.Progress) (int64, error) {
		return d.fields.n + d.samples.n + d.commands.n, nil
	}
	k.items = crossref.Entries{
		Count: items, Of: func(*model.Place) (int64, bool) { return 0, false },
		In: map[string]crossref.Nodes{commandsView: l.inCommands(delta, d), layerView: l.inLayer(delta, d)},
	}
	objects := &d.tree.Links.Objects
	k.tables = crossref.Links{What: "commands and fields", From: &k.items, To: []*crossref.Entries{objects}, Each: d.eachTable}
	objects.UsedBy = append([]crossref.UsedBy{
		{Kind: "command", From: &k.items, View: commandsView, Back: k.tables.Back(objects)},
		{Kind: "layer", From: &k.items, View: layerView, Back: k.tables.Back(objects)},
	}, objects.UsedBy...)
	k.commands = crossref.Entries{Count: items, Of: func(p *model.Place) (int64, bool) { return l.commandOf(delta, d, p) }}
	k.parts = crossref.Entries{
		Count: func(context.Context, model.Progress) (int64, error) { return int64(len(d.carrier.offsets)), nil },
		Of:    d.partOf, Over: d.partsOver,
	}
	k.external = crossref.Links{What: "external values", From: &k.items, To: []*crossref.Entries{&k.parts}, Each: d.eachExternal}
	k.parts.UsedBy = []crossref.UsedBy{{Kind: "external value", From: &k.items, Back: k.external.Back(&k.parts),
		Ref: func(ctx context.Context, item, _ int64) model.Ref {
			s, _ := d.settingOf(ctx, item)
			return model.Ref{Path: d.tree.ObjectPath(s.table), Span: d.carrier.buffer.Span(s.table, 4)}
		}}}
	l.Entries = append(l.Entries, &k.items, &k.commands, &k.parts)
}

// owner is an item: a command, or a setting, which is a field or a time sample.
type owner struct {
	delta   int
	command int64 // none: not a command
	field   int64 // none: not a field
	sample  int64 // none: not a time sample
}

// itemAt is the item of a number.
func (d *delta) itemAt(delta int, i int64) owner {
	o := owner{delta: delta, command: none, field: none, sample: none}
	switch {
	case i < d.fields.n:
		o.field = i
	case i < d.fields.n+d.samples.n:
		o.sample = i - d.fields.n
	default:
		o.command = i - d.fields.n - d.samples.n
	}
	return o
}

// settingOf reads a setting by its number; ok is false of commands.
func (d *delta) settingOf(ctx context.Context, i int64) (s setting, ok bool) {
	r := d.carrier.buffer.Reader(ctx)
	defer d.carrier.buffer.Release(r)
	return d.settingAt(r, i)
}

func (d *delta) settingAt(r *flatbuffer.Reader, i int64) (s setting, ok bool) {
	switch o := d.itemAt(0, i); {
	case o.field != none:
		return d.setting(r, false, o.field)
	case o.sample != none:
		return d.setting(r, true, o.sample)
	}
	return s, false
}

// eachTable adds the tables of items.
func (d *delta) eachTable(ctx context.Context, first, end int64, add func(from int64, to int, n int64)) error {
	r := d.carrier.buffer.Reader(ctx)
	defer d.carrier.buffer.Release(r)
	for i := first; i < end; i++ {
		tables := [2]int64{}
		switch o := d.itemAt(0, i); {
		case o.field != none:
			tables[0] = r.Element(d.fields.first, o.field)
		case o.sample != none:
			tables[0] = r.Element(d.samples.first, o.sample)
		default:
			tables[0], tables[1] = d.commandTables(r, o.command)
		}
		for _, table := range tables {
			if object, ok := d.tree.Entry(table); ok && table != 0 {
				add(i, 0, object)
			}
		}
	}
	return nil
}

// eachExternal adds the parts that hold the values of settings.
func (d *delta) eachExternal(ctx context.Context, first, end int64, add func(from int64, to int, n int64)) error {
	r := d.carrier.buffer.Reader(ctx)
	defer d.carrier.buffer.Release(r)
	for i := first; i < end; i++ {
		if s, ok := d.settingAt(r, i); ok && s.external() {
			add(i, 0, int64(s.index))
		}
	}
	return nil
}

// partOf is the part that a node of the layout is.
func (d *delta) partOf(p *model.Place) (int64, bool) {
	c := d.carrier
	if p.Parent == nil || p.Parent.Path() != d.layout || c.form != formMultiPart {
		return 0, false
	}
	i := p.Index - int64(len(d.head()))
	if i < 0 || i >= int64(len(c.order)) {
		return 0, false
	}
	return int64(c.order[i]), true
}

// partsOver is the part, other than the FlatBuffer, that has the first byte of a span.
func (d *delta) partsOver(_ context.Context, s model.Span) (first, end int64, err error) {
	for _, part := range d.carrier.order {
		off, size := d.carrier.part(int64(part))
		if part > 0 && d.carrier.src.Span(off, size).Covers(s.Source, s.Off) {
			return int64(part), int64(part) + 1, nil
		}
	}
	return 0, 0, nil
}

// commandOf is the command that a node of the view of commands is.
func (l *live) commandOf(delta int, d *delta, p *model.Place) (int64, bool) {
	down := p.Segments()
	if down[0].Path() != commandsView {
		return 0, false
	}
	if down = down[1:]; len(l.deltas) > 1 && len(down) > 0 {
		if down[0].Index != int64(delta) {
			return 0, false
		}
		down = down[1:]
	}
	if len(down) != 1 {
		return 0, false
	}
	return d.fields.n + d.samples.n + p.Index, true
}

func (l *live) inCommands(delta int, d *delta) crossref.Nodes {
	return func(_ context.Context, i int64, add func(func() model.Ref) bool) (int64, error) {
		if o := d.itemAt(delta, i); o.command != none {
			add(func() model.Ref { return model.Ref{Path: l.commandPath(origin{int32(delta), o.command})} })
		}
		return 0, nil
	}
}

func (l *live) inLayer(delta int, d *delta) crossref.Nodes {
	return func(ctx context.Context, i int64, add func(func() model.Ref) bool) (int64, error) {
		if _, err := l.upTo.get(ctx, nil); err != nil {
			return 0, err
		}
		if path := l.layerPath(ctx, d.itemAt(delta, i)); path != "" {
			add(func() model.Ref { return model.Ref{Path: path} })
		}
		return 0, nil
	}
}

// ifMade is back for the commands that made a section.
func (l *live) ifMade(delta int, d *delta, back crossref.Back) crossref.Back {
	return func(ctx context.Context, progress model.Progress, i int64, visit func(from int64) bool) (int64, error) {
		res, err := l.all.get(ctx, progress)
		if err != nil {
			return 0, err
		}
		command := d.itemAt(delta, i).command
		n := res.layer.find(d.commandSection(ctx, command))
		if n == none || res.layer.nodes[n].madeBy != (origin{int32(delta), command}) {
			return 0, nil
		}
		return back(ctx, progress, i, visit)
	}
}

// about are the commands of another delta, or the same, that name the section of a command.
func (d *delta) about(other *delta) crossref.Back {
	return func(ctx context.Context, _ model.Progress, i int64, visit func(from int64) bool) (int64, error) {
		id := d.commandSection(ctx, d.itemAt(0, i).command)
		for k := range other.commands.n {
			if k&1023 == 0 && ctx.Err() != nil {
				return 0, ctx.Err()
			}
			if item := other.fields.n + other.samples.n + k; (other != d || item != i) && other.names(ctx, k, id) {
				visit(item)
			}
		}
		return 0, nil
	}
}

// layerPath returns the path of the node in the layer view that a command or setting made, or "" if it made none.
func (l *live) layerPath(ctx context.Context, o owner) string {
	res := l.stepped()
	if res == nil {
		return ""
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
	if !res.layer.isAlive(n) {
		return ""
	}
	path := l.sectionPath(ctx, res, n)
	if path == "" || o.command != none {
		if made := res.layer.nodes[n].madeBy; path != "" && int(made.delta) == o.delta && made.index == o.command {
			return path
		}
		return ""
	}
	if p := l.settingPath(ctx, res, n, o); p != "" {
		return path + "/" + p
	}
	return ""
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
			return model.EscapeSegment(c.own.At(int64(c.ids() + i)))
		}
	}
	for g, list := range c.lists {
		for i, k := range list {
			if is(k) {
				return model.EscapeSegment(c.extra[g].InPath()) + "/" + model.IndexName(int64(i))
			}
		}
	}
	return ""
}

// names reports whether a command names a section.
func (d *delta) names(ctx context.Context, i int64, id uint64) bool {
	r := d.carrier.buffer.Reader(ctx)
	defer d.carrier.buffer.Release(r)
	c := d.command(r, i)
	if c.kind < 0 {
		return false
	}
	if c.sectionID == id || c.parentID == id || c.oldParentID == id {
		return true
	}
	size := d.bind.childrenList.ElementSize()
	for k := range c.list.n {
		if child, ok := r.Number(c.list.first+size*k, size); ok && child == id {
			return true
		}
	}
	return false
}
