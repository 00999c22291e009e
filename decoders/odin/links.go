package odin

import (
	"context"

	"cutaway/decoders/odin/entry"
	"cutaway/decoders/odin/kind"
	"cutaway/decoders/odin/object"
	"cutaway/decoders/odin/udon"
	"cutaway/model"
	"cutaway/model/crossref"
)

// A links holds the entries of a payload's stream as the model has them, numbered from 1. Number 0 is the whole
// payload. They have nodes in each view. places are those of its Udon programs.
type links struct {
	entries              crossref.Entries // by their nodes in the layout
	inEntries, inObjects crossref.Entries // by those in a view
	users                crossref.Entries // that name others
	names                crossref.Links
	places               crossref.Entries
	operands             crossref.Links
}

// link describes the entries to the model.
func (d *document) link() {
	for _, p := range d.payloads {
		l := &p.links
		count := func(ctx context.Context, progress model.Progress) (int64, error) {
			o, err := p.open(ctx)
			if err == nil {
				err = o.s.ScanAll(ctx, progress)
			}
			if err != nil {
				return 0, err
			}
			return o.s.Indexed() + 1, nil
		}
		l.users = crossref.Entries{Count: count, Of: func(*model.Place) (int64, bool) { return 0, false }}
		l.entries = crossref.Entries{Count: count, Of: p.entryIn(model.LayoutView), Over: d.entriesOver(p), In: map[string]crossref.Nodes{
			entry.View: p.shownIn(entry.View), object.View: p.shownIn(object.View), udon.View: p.shownInUdon}}
		l.inEntries = crossref.Entries{Count: count, Of: p.entryIn(entry.View)}
		l.inObjects = crossref.Entries{Count: count, Of: p.entryIn(object.View)}
		l.names = crossref.Links{What: "finding the references", From: &l.users, To: []*crossref.Entries{&l.entries}, Each: p.namesOf()}
		l.entries.UsedBy = []crossref.UsedBy{{Kind: "entry", From: &l.entries, View: entry.View, Back: crossref.Itself}, p.usersIn(model.LayoutView)}
		l.inEntries.UsedBy = []crossref.UsedBy{{Kind: "object", From: &l.entries, View: object.View, Back: crossref.Itself}, p.usersIn(entry.View)}
		l.inObjects.UsedBy = []crossref.UsedBy{p.usersIn(object.View)}
		l.places = crossref.Entries{Count: p.countPlaces, Of: d.placeOf(p)}
		l.operands = crossref.Links{What: "operands", From: &l.places, To: []*crossref.Entries{&l.places}, Each: func(ctx context.Context, first, end int64, add func(from int64, to int, n int64)) error {
			return p.once.Made().udon.OperandsOf(ctx, first, end, add)
		}}
		l.places.UsedBy = []crossref.UsedBy{{From: &l.places, Back: l.operands.Back(&l.places), Ref: func(ctx context.Context, from, to int64) model.Ref {
			return p.once.Made().udon.OperandRef(ctx, from, to)
		}}}
		d.Entries = append(d.Entries, &l.entries, &l.inEntries, &l.inObjects, &l.places)
	}
}

// usersIn describes the entries that name others by id or by type, by their nodes in a view.
func (p *payload) usersIn(view string) crossref.UsedBy {
	return crossref.UsedBy{From: &p.links.users, Back: p.links.names.Back(&p.links.entries), Ref: func(ctx context.Context, from, _ int64) model.Ref {
		o := p.once.Made()
		ref := model.Ref{Kind: "type", Path: o.path(ctx, view, from-1)}
		if e := o.s.Entry(ctx, from-1); e.Kind == kind.InternalReference {
			ref.Kind = "object"
		}
		return ref
	}}
}

// entryIn finds the entry that a node of a view shows.
func (p *payload) entryIn(view string) func(at *model.Place) (int64, bool) {
	return func(at *model.Place) (int64, bool) {
		o, span := p.once.Made(), at.Node.Span()
		if o == nil || !o.s.Source().Same(span.Source) || at.Segments()[0].Path() != view || at.Path() == o.s.BasePath(view) {
			return 0, false
		}
		i, ok := o.s.EntryAt(span.Off)
		return i + 1, ok
	}
}

// shownIn finds the node of an entry in a view.
func (p *payload) shownIn(view string) crossref.Nodes {
	return crossref.NodeAt(func(ctx context.Context, i int64) string {
		if i == 0 {
			return p.root(view)
		}
		return p.once.Made().path(ctx, view, i-1)
	}, "")
}

// root returns the path of the payload's node in a view.
func (p *payload) root(view string) string {
	if p.name == "" {
		return view
	}
	return view + "/" + model.EscapeSegment(p.name)
}

// entriesOver finds the entry that the first byte of a span belongs to. A character belongs to the entry that it makes.
// A byte that is compressed, or of no entry, belongs to the whole payload.
func (d *document) entriesOver(p *payload) func(ctx context.Context, at model.Span) (first, end int64, err error) {
	return func(ctx context.Context, at model.Span) (first, end int64, err error) {
		inField := p.field != nil && p.field.Value.Covers(at.Source, at.Off)
		if inField {
			if _, err := p.open(ctx); err != nil {
				return 0, 1, ctx.Err() // its node says what is wrong
			}
		}
		o := p.once.Made()
		switch {
		case o == nil:
			return 0, 0, nil
		case o.gzip != nil && (inField || o.gzip.in.Covers(at.Source, at.Off)):
			return 0, 1, nil
		case inField && o.decoded != nil:
			out, err := o.decoded.Origin().Map.To(ctx, at.Off, max(at.Len, 1))
			if err != nil || len(out) == 0 {
				return 0, 1, ctx.Err()
			}
			at = o.s.Source().Span(out[0].Off, out[0].Len)
		}
		return o.s.EntriesOver(ctx, at)
	}
}

// namesOf adds the links from references to nodes, and from uses of types to their definitions.
func (p *payload) namesOf() func(ctx context.Context, first, end int64, add func(from int64, to int, n int64)) error {
	var nodes entry.NodeIDs // of the entries before
	return func(ctx context.Context, first, end int64, add func(from int64, to int, n int64)) error {
		s := p.once.Made().s
		return s.EachIn(ctx, nil, "", max(first-1, 0), end-1, func(e *entry.Head) {
			switch {
			case e.Kind == kind.InternalReference:
				if target, ok := nodes.Find(e.Ref); ok {
					add(e.Number+1, 0, int64(target)+1)
				}
			case e.Node >= 0:
				nodes.Add(e.Node, e.Number)
			}
			if e.Tag == kind.TypeID {
				if d, ok := s.Definition(e.TypeID, e.Number); ok {
					add(e.Number+1, 0, d+1)
				}
			}
		})
	}
}

// shownInUdon finds the node of the Udon view that an entry is in.
func (p *payload) shownInUdon(ctx context.Context, i int64, add func(ref func() model.Ref) bool) (int64, error) {
	path := p.root(udon.View)
	if i > 0 {
		o := p.once.Made()
		off, _ := o.s.OwnRange(i - 1)
		over, err := o.udon.PathOver(ctx, o.s.Source().Span(off, 1))
		if err != nil {
			return 0, err
		}
		if over != "" || p.name == "" { // in a Unity file, the payload stands for its entries
			path = over
		}
	}
	if path != "" {
		add(func() model.Ref { return model.Ref{Path: path} })
	}
	return 0, nil
}

// countPlaces returns the number of places in the payload's programs.
func (p *payload) countPlaces(ctx context.Context, progress model.Progress) (int64, error) {
	o, err := p.open(ctx)
	if err != nil {
		return 0, err
	}
	return o.udon.CountPlaces(ctx, progress)
}

// placeOf finds the place of the payload's programs that a node of the Udon view shows.
func (d *document) placeOf(p *payload) func(at *model.Place) (int64, bool) {
	return func(at *model.Place) (int64, bool) {
		down, o := at.Segments(), p.once.Made()
		if down[0].Path() != udon.View || o == nil {
			return 0, false
		}
		if down = down[1:]; d.inCarrier() {
			if len(down) == 0 || down[0].Path() != p.root(udon.View) {
				return 0, false
			}
			down = down[1:]
		}
		return o.udon.PlaceOf(down)
	}
}
