package omnilive

import (
	"context"
	"fmt"

	"cutaway/decoders/flatbuffer"
	"cutaway/model"
)

const commandsView = "commands"

// commandsRoot is the root of the view of the commands in their order.
func (l *live) commandsRoot(context.Context) model.Node {
	n := model.Node{Name: commandsView, Type: "commands", Help: "structCommands in the order in which they are applied, and what becomes of each"}
	if len(l.deltas) == 1 {
		n.Children, n.Brief = l.commandRows(0), model.Counted(l.deltas[0].commands.n, "command")
		n.Cards = l.commandCards(0)
		return n
	}
	n.Brief = model.Counted(int64(len(l.deltas)), "delta")
	n.Children = &model.Rows{Count: int64(len(l.deltas)), Make: func(_ context.Context, i int64) model.Node {
		d := l.deltas[i]
		return model.Node{
			Name: d.name, Type: "delta", Brief: model.Counted(d.commands.n, "command"), Children: l.commandRows(int(i)),
			Spans: []model.Span{d.carrier.src.Whole()}, Help: "a file of the sequence", Cards: l.commandCards(int(i)),
		}
	}}
	return n
}

func (l *live) commandRows(delta int) *model.Rows {
	return &model.Rows{Count: l.deltas[delta].commands.n, Make: func(ctx context.Context, i int64) model.Node { return l.commandNode(ctx, delta, i) }}
}

// commandPath is the path of a command in its view.
func (l *live) commandPath(p origin) string {
	path := commandsView
	if len(l.deltas) > 1 {
		path += "/" + model.EscapeSegment(l.deltas[p.delta].name)
	}
	return path + "/" + model.IndexName(p.index)
}

// commandNode is a command; its outcome is known once the commands are applied.
func (l *live) commandNode(ctx context.Context, delta int, i int64) model.Node {
	d := l.deltas[delta]
	r := d.carrier.buffer.Reader(ctx)
	defer d.carrier.buffer.Release(r)
	c := d.command(r, i)
	n := model.Node{Name: model.IndexName(i)}
	if c.kind < 0 {
		n.Type, n.Brief = "command", unreadable.String()
		at := d.commandSlot(i)
		n.Spans = []model.Span{at}
		n.Problems = []model.Problem{model.Problemf(model.Malformed, "omnilive.command.unreadable", at, "the command cannot be read: its kind is not known, or its table is not there")}
		return n
	}
	n.Type, n.Help = commandNames[c.kind], commandHelp[c.kind]
	n.Spans = []model.Span{d.tableSpan(r, c.table)}
	n.Refs = func(context.Context) []model.Ref {
		return []model.Ref{d.tree.Ref("table", c.table)}
	}
	res := l.applied()
	if res == nil {
		n.Brief = l.describe(nil, &c)
	} else {
		o := res.outcomes[delta][i]
		n.Problems = problems(o, res.remarks[delta][i], n.Span())
		n.Brief = fmt.Sprintf("%s · %s", o, l.describe(res, &c))
	}
	n.Children = l.all.when(ctx, func(ctx context.Context, res *result) model.Children { return l.commandParts(ctx, res, delta, i, &c) })
	return n
}

var commandHelp = [commandKinds]string{
	"makes a section under its parent", "deletes a section with all below it", "moves a section to another parent or renames it",
	"orders the children of a section", "creates or overwrites a section of a diff", "deletes a section of a diff",
}

// describe says in a few words what a command is about; res may be nil.
func (l *live) describe(res *result, c *command) string {
	switch c.kind {
	case createSection, diffChangeSection:
		if c.sectionID == rootID && c.parentID == 0 {
			return "the root"
		}
		return fmt.Sprintf("%s %q in %s", specName(c.sectionType), c.name, l.sectionText(res, c.parentID))
	case moveSection:
		if c.parentID == c.oldParentID {
			return fmt.Sprintf("%s renamed to %q", l.sectionText(res, c.sectionID), c.name)
		}
		return fmt.Sprintf("%s to %q in %s", l.sectionText(res, c.sectionID), c.name, l.sectionText(res, c.parentID))
	case reorderChildren:
		return fmt.Sprintf("%d children of %s", c.list.n, l.sectionText(res, c.sectionID))
	}
	return l.sectionText(res, c.sectionID)
}

// sectionText names a section by its path, where it is known, else by its id.
func (l *live) sectionText(res *result, id uint64) string {
	if res != nil {
		if n := res.layer.find(id); n != none {
			return res.layer.path(n)
		}
	}
	return fmt.Sprintf("#%d", id)
}

// commandSlot is the element of structCommands that leads to command i.
func (d *delta) commandSlot(i int64) model.Span {
	return d.carrier.buffer.Span(d.commands.first+4*i, 4)
}

// commandParts is the outcome and the fields of a command, with ids resolved.
func (l *live) commandParts(ctx context.Context, res *result, delta int, i int64, c *command) model.Children {
	d := l.deltas[delta]
	r := d.carrier.buffer.Reader(ctx)
	defer d.carrier.buffer.Release(r)
	nodes := []model.Node{{
		Name: "outcome", Type: "outcome", Value: model.Text(res.outcomes[delta][i].String()),
		Help: "what becomes of the command when all are applied in their order",
	}}
	t, ok := r.Table(c.table)
	if !ok {
		return model.NewList(nodes...)
	}
	id := func(name string, f *flatbuffer.Field, id uint64) {
		n := model.Node{Name: name, Type: "section id", Value: model.Uint(id), Spans: d.fieldSpans(&t, f), Help: helpOf(commandNames[c.kind], name)}
		nodes = append(nodes, n)
		path := model.Node{Name: name + " path", Type: "path", Value: model.Text(l.sectionText(res, id)), Help: "as it is at the end, or was when it was deleted"}
		if k := res.layer.find(id); k != none {
			path.Refs = l.sectionRefs(res, k)
			nodes = append(nodes, path)
		}
	}
	text := func(name string, f *flatbuffer.Field) {
		nodes = append(nodes, model.Node{Name: name, Type: "string", Value: model.Text(c.name), Spans: d.fieldSpans(&t, f), Help: helpOf(commandNames[c.kind], name)})
	}
	b := d.bind
	switch k := c.kind; k {
	case createSection, diffChangeSection:
		id("sectionId", b.sectionID[k], c.sectionID)
		id("parentId", b.parentID[k], c.parentID)
		text("sectionName", b.sectionName[k])
		nodes = append(nodes, model.Node{Name: "sectionType", Type: "SdfSpecType", Value: model.Symbol{Number: int64(c.sectionType), Name: specName(c.sectionType)}, Spans: d.fieldSpans(&t, b.sectionType[k]),
			Help: fieldHelp["sectionType"]})
		if k == diffChangeSection {
			nodes = append(nodes, model.Node{Name: "sectionOrder", Type: "uint", Value: model.Uint(c.order), Spans: d.fieldSpans(&t, b.sectionOrder[k]), Help: fieldHelp["sectionOrder"]})
		}
	case moveSection:
		id("sectionId", b.sectionID[k], c.sectionID)
		id("oldParentId", b.oldParentID, c.oldParentID)
		id("newParentId", b.newParentID, c.parentID)
		text("newName", b.newName)
	case reorderChildren:
		id("sectionId", b.sectionID[k], c.sectionID)
		nodes = append(nodes, model.Node{Name: "childrenListId", Type: "uint", Value: model.Uint(c.listID), Spans: d.fieldSpans(&t, b.childrenListID),
			Help: fieldHelp["childrenListId"]}, l.childrenList(res, d, c))
	case deleteSection:
		id("sectionId", b.sectionID[k], c.sectionID)
		nodes = append(nodes, model.Node{Name: "parentId", Type: "section id", Value: model.Uint(c.parentID), Spans: d.fieldSpans(&t, b.parentID[k]), Help: fieldHelp["DeleteSection.parentId"]})
	default:
		id("sectionId", b.sectionID[k], c.sectionID)
	}
	return model.NewList(nodes...)
}

// childrenList shows the ids that ReorderChildren lists.
func (l *live) childrenList(res *result, d *delta, c *command) model.Node {
	n := model.Node{Name: "childrenList", Type: "section id[]", Brief: model.Counted(c.list.n, "id"), Elements: c.list.n > 0, Help: fieldHelp["childrenList"]}
	if c.list.n == 0 {
		n.Columns = []model.Column{}
		return n
	}
	b, size := d.carrier.buffer, d.bind.childrenList.ElementSize()
	n.Spans = []model.Span{b.Span(c.list.first, size*c.list.n)}
	idAt := func(ctx context.Context, i int64) uint64 {
		r := b.Reader(ctx)
		defer b.Release(r)
		id, _ := r.Number(c.list.first+size*i, size)
		return id
	}
	n.Value = &model.Elements{Type: "ulong", Count: c.list.n, Make: func(ctx context.Context, i int64) (model.Value, error) { return model.Uint(idAt(ctx, i)), nil }}
	n.Children = model.FixedRows(d.carrier.src, n.Spans[0].Off, size, c.list.n, func(ctx context.Context, i int64) model.Node {
		id := idAt(ctx, i)
		row := model.Node{Name: model.IndexName(i), Type: "section id", Value: model.Uint(id), Help: l.sectionText(res, id), Spans: []model.Span{b.Span(c.list.first+size*i, size)}}
		if k := res.layer.find(id); k != none {
			row.Refs = l.sectionRefs(res, k)
		}
		return row
	})
	return n
}

// sectionRefs leads to the command that made a section.
func (l *live) sectionRefs(res *result, n int32) func(context.Context) []model.Ref {
	made := res.layer.nodes[n].madeBy
	if made.delta == none {
		return nil
	}
	return func(context.Context) []model.Ref { return []model.Ref{{Kind: "made by", Path: l.commandPath(made)}} }
}

// tableSpan is the bytes of a table.
func (d *delta) tableSpan(r *flatbuffer.Reader, off int64) model.Span {
	n := int64(4)
	if t, ok := r.Table(off); ok {
		n = max(t.Size(), n)
	}
	return d.carrier.buffer.Span(off, n)
}

// fieldSpans is the bytes of a field: its scalar, or what its offset leads to. None where it is absent.
func (d *delta) fieldSpans(t *flatbuffer.Table, f *flatbuffer.Field) []model.Span {
	if f == nil {
		return nil
	}
	if at, n := t.Place(f); n > 0 {
		return []model.Span{d.carrier.buffer.Span(at, n)}
	}
	return nil
}
