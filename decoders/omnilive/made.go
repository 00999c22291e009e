package omnilive

import (
	"context"
	"strings"

	"cutaway/model"
)

// commandAt is the command at a path of the commands view.
func (l *live) commandAt(path string) (place, bool) {
	rest, ok := strings.CutPrefix(path, commandsView+"/")
	if !ok {
		return place{}, false
	}
	at := place{}
	if len(l.deltas) > 1 {
		name, index, _ := strings.Cut(rest, "/")
		rest, at.delta = index, -1
		for i, d := range l.deltas {
			if model.EscapeSegment(d.name) == name {
				at.delta = int32(i)
			}
		}
	}
	index, isIndex := model.ParseIndex(rest)
	at.index = index
	return at, isIndex && at.delta >= 0 && index < l.deltas[at.delta].commands.n
}

// madeBy lists what refers to a command: the section of the layer view that it made, and the commands about that section.
func (l *live) madeBy(ctx context.Context, at place, limit int, progress model.Progress) ([]model.Ref, int64, error) {
	res, err := l.all.get(ctx, progress)
	if err != nil {
		return nil, 0, err
	}
	if _, err := l.upTo.get(ctx, progress); err != nil {
		return nil, 0, err
	}
	id := l.deltas[at.delta].commandSection(ctx, at.index)
	if n := res.layer.find(id); n == none || res.layer.nodes[n].madeBy != at {
		return nil, 0, nil
	}
	var refs []model.Ref
	for _, path := range l.layerPaths(ctx, owner{delta: int(at.delta), command: at.index, field: none, sample: none}) {
		refs = append(refs, model.Ref{Kind: "made by", Path: path})
	}
	n := int64(len(refs))
	for k, d := range l.deltas {
		if d.bind == nil {
			continue
		}
		for i := range d.commands.n {
			if i&1023 == 0 && ctx.Err() != nil {
				return nil, 0, ctx.Err()
			}
			if one := (place{int32(k), i}); one != at && d.about(ctx, i, id) {
				if n++; len(refs) < limit {
					refs = append(refs, model.Ref{Kind: "section id", Path: l.commandPath(one)})
				}
			}
		}
	}
	return refs[:min(len(refs), limit)], n, nil
}

// about tells whether a command names a section.
func (d *delta) about(ctx context.Context, i int64, id uint64) bool {
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
