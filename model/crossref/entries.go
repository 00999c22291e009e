// Package crossref finds which entries of tables name which others: references both ways, and the nodes of entries by bytes.
package crossref

import (
	"context"
	"slices"

	"cutaway/model"
)

// Entries are the numbered things of one kind in a document: tokens, fields, records, nodes. A format defines their
// number, their bytes and their links to others; ReferencedBy and Find follow from that. Numbers are below 1<<32 - 1.
type Entries struct {
	// Count loads the tables for the other functions and returns the number of entries. If nil, no node is an entry.
	Count func(ctx context.Context, progress model.Progress) (int64, error)

	// Base is the path of the layout node whose child i is entry i.
	Base string
	// Path returns the path of entry i in the layout, or is nil if that is Base/[i].
	Path func(i int64) string
	// Text names entry i for a person. It may be nil.
	Text func(ctx context.Context, i int64) string
	// Of returns the entry of a node. If nil, that is the child of Base that the node is or is below.
	Of func(p *model.Place) (i int64, ok bool)
	// Over returns the entries first ≤ i < end that have bytes of s. If nil, entries are not found by bytes.
	Over func(ctx context.Context, s model.Span) (first, end int64, err error)
	// In holds the nodes of the entries in views other than the layout.
	In map[string]Nodes

	// UsedBy are the links to the entries, in display order.
	UsedBy []UsedBy
}

// Ref returns a reference to entry i in the layout.
func (e *Entries) Ref(kind string, i int64) model.Ref {
	if e.Path != nil {
		return model.Ref{Kind: kind, Path: e.Path(i)}
	}
	return model.Ref{Kind: kind, Path: e.Base + "/" + model.IndexName(i)}
}

// Nodes calls add for each node of entry i in a view, with a function for its reference, until add returns false. It
// then returns the number of nodes left.
type Nodes func(ctx context.Context, i int64, add func(ref func() model.Ref) bool) (rest int64, err error)

// NodeAt returns Nodes for entries with one node each.
func NodeAt(path func(ctx context.Context, i int64) string, text string) Nodes {
	return func(ctx context.Context, i int64, add func(ref func() model.Ref) bool) (int64, error) {
		add(func() model.Ref { return model.Ref{Path: path(ctx, i), Text: text} })
		return 0, nil
	}
}

// Back calls visit for each entry that uses entry i, until visit returns false. It then returns the number of entries
// left.
type Back func(ctx context.Context, progress model.Progress, i int64, visit func(from int64) bool) (rest int64, err error)

// UsedBy is a kind of link to entries.
type UsedBy struct {
	Kind string
	From *Entries // the entries that use others, or nil for all that Find finds in View
	View string   // the view with the nodes of From to list, or "" for the layout
	One  bool     // each entry has one node there, so that entries beyond the limit need only be counted
	Back Back
	// Ref returns the reference back. It is nil if Kind and From determine the reference.
	Ref func(ctx context.Context, from, to int64) model.Ref
}

// Itself is the Back of entries with the same number, for entries with nodes in two places.
func Itself(_ context.Context, _ model.Progress, i int64, visit func(from int64) bool) (int64, error) {
	visit(i)
	return 0, nil
}

// Links lead from the entries of one table to those of others. Their inverse is made on demand; a cancelled attempt is
// resumed by the next call.
type Links struct {
	What string // for progress: "fields"
	From *Entries
	To   []*Entries
	// Name is for entries that name at most one entry of To[0]. It loads the links and returns a function for the
	// number named by entry i; a number that is no entry means none.
	Name func(ctx context.Context, progress model.Progress) (name func(i int64) int64, err error)
	// Each is used if Name is nil. It calls add for the links of the entries first ≤ i < end: each leads from such an
	// entry, or a later one, to entry n of To[to]. Links to entries that do not exist are ignored.
	Each func(ctx context.Context, first, end int64, add func(from int64, to int, n int64)) error

	once     model.Once[Inverse]
	next     int64    // the first entry of From whose links are not in found
	found    []uint64 // key and entry
	inverter inverter
	first    []int64 // the key of entry 0 of each of To, and the number of keys
}

// entriesAtOnce is the number of entries whose links one call of Each returns.
const entriesAtOnce = 1 << 14

// Within calls visit for each entry that names one of the entries first to last of a table of To, as a UsedBy.Back
// does.
func (l *Links) Within(ctx context.Context, progress model.Progress, to *Entries, first, last int64, visit func(from int64) bool) (rest int64, err error) {
	x, err := l.once.Get(ctx, progress, l.invert)
	if err != nil {
		return 0, err
	}
	k := slices.Index(l.To, to)
	if first < 0 || l.first[k]+last >= l.first[k+1] {
		return 0, nil
	}
	list := x.Within(l.first[k]+first, l.first[k]+last)
	for i, from := range list.All() {
		if !visit(int64(from)) {
			return list.Len() - i - 1, nil
		}
	}
	return 0, nil
}

func (l *Links) invert(ctx context.Context, progress model.Progress) (*Inverse, error) {
	n, err := l.From.Count(ctx, progress)
	if err != nil {
		return nil, err
	}
	l.first = []int64{0}
	for k, to := range l.To {
		count, err := to.Count(ctx, progress)
		if err != nil {
			return nil, err
		}
		l.first = append(l.first, l.first[k]+count)
	}
	keys := l.first[len(l.To)]
	if max(n, keys) >= noEntry {
		return nil, errTooManyLinks
	}
	if l.Name != nil {
		name, err := l.Name(ctx, progress)
		if err != nil {
			return nil, err
		}
		x, err := l.inverter.run(ctx, progress, l.What, n, keys, name)
		if err != nil {
			return nil, err
		}
		l.inverter = inverter{}
		return x, nil
	}
	if err := l.collect(ctx, progress, n); err != nil {
		return nil, err
	}
	x := sortedInverse(l.found, keys)
	l.found = nil
	return x, nil
}

// collect adds the links of the remaining entries; n is the number of all.
func (l *Links) collect(ctx context.Context, progress model.Progress, n int64) error {
	for l.next < n {
		progress.Report(l.next, n, l.What)
		had, end := len(l.found), min(l.next+entriesAtOnce, n)
		err := l.Each(ctx, l.next, end, func(from int64, to int, i int64) {
			if i >= 0 && i < l.first[to+1]-l.first[to] {
				l.found = append(l.found, uint64(l.first[to]+i)<<32|uint64(from))
			}
		})
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			l.found = l.found[:had]
			return err
		}
		l.next = end
	}
	return nil
}

const noEntry = 1<<32 - 1

// Back returns a UsedBy.Back: the entries that name entry i of one of To.
func (l *Links) Back(to *Entries) Back {
	return func(ctx context.Context, progress model.Progress, i int64, visit func(int64) bool) (int64, error) {
		return l.Within(ctx, progress, to, i, i, visit)
	}
}

// RowsOver is an Entries.Over for n entries of size bytes each from off on in src.
func RowsOver(s model.Span, src *model.Source, off, size, n int64) (first, end int64) {
	if n <= 0 || !s.Source.Same(src) || s.Off >= off+n*size || s.End() <= off {
		return 0, 0
	}
	return max(s.Off-off, 0) / size, min((max(s.End(), s.Off+1)-1-off)/size+1, n)
}

// Tables are the Entries of a document, or of a part.
type Tables struct {
	Entries []*Entries
	// Made returns the bytes derived from those of s, for example by decompression, or nil.
	Made func(ctx context.Context, s model.Span) ([]model.Span, error)
}

// Of returns the entry of a node.
func (t *Tables) Of(p *model.Place) (e *Entries, i int64, ok bool) {
	for _, e := range t.Entries {
		if e.Of == nil {
			continue
		}
		if i, ok := e.Of(p); ok {
			return e, i, true
		}
	}
	for ; p.Parent != nil; p = p.Parent {
		for _, e := range t.Entries {
			if e.Of == nil && e.Count != nil && p.Index >= 0 && p.Parent.Path() == e.Base {
				return e, p.Index, true
			}
		}
	}
	return nil, 0, false
}

// ReferencedBy implements Document.ReferencedBy by tables.
func (t *Tables) ReferencedBy(ctx context.Context, p *model.Place, limit int, progress model.Progress) ([]model.Ref, int64, error) {
	e, i, ok := t.Of(p)
	if !ok {
		return nil, 0, nil
	}
	if n, err := e.Count(ctx, progress); err != nil || i >= n {
		return nil, 0, err
	}
	l := refList{limit: limit}
	for k := range e.UsedBy {
		u := &e.UsedBy[k]
		if u.From == nil {
			s := search{t: t, view: u.View, list: &l, kind: u.Kind, leads: t.leadingTo(u.View)}
			s.add(entry{e, i})
			if err := s.run(ctx); err != nil {
				return l.refs, l.total, err
			}
			continue
		}
		if err := u.listTo(ctx, progress, i, &l); err != nil {
			return l.refs, l.total, err
		}
	}
	return l.refs, l.total, nil
}

// IsUsed reports whether entries of other tables refer to entry i.
func (e *Entries) IsUsed(ctx context.Context, progress model.Progress, i int64) (used bool, err error) {
	for k := range e.UsedBy {
		if e.UsedBy[k].From == nil || used {
			continue
		}
		if _, err = e.UsedBy[k].Back(ctx, progress, i, func(int64) bool {
			used = true
			return false
		}); err != nil {
			return false, err
		}
	}
	return used, nil
}

// A refList counts refs and makes at most limit.
type refList struct {
	limit int
	refs  []model.Ref
	total int64
}

// add adds a ref of a kind, and reports whether more will be made.
func (l *refList) add(kind string, ref func() model.Ref) bool {
	if l.total++; len(l.refs) < l.limit {
		r := ref()
		if r.Kind == "" {
			r.Kind = kind
		}
		l.refs = append(l.refs, r)
	}
	return len(l.refs) < l.limit
}

// listTo adds the refs of one kind to an entry.
func (u *UsedBy) listTo(ctx context.Context, progress model.Progress, to int64, l *refList) error {
	in := u.From.In[u.View]
	var failed error
	add := func(ref func() model.Ref) bool { return l.add(u.Kind, ref) }
	rest, err := u.Back(ctx, progress, to, func(from int64) bool {
		switch {
		case u.Ref != nil:
			return l.add(u.Kind, func() model.Ref { return u.Ref(ctx, from, to) })
		case u.View == "":
			return l.add(u.Kind, func() model.Ref {
				ref := u.From.Ref(u.Kind, from)
				if u.From.Text != nil {
					ref.Text = u.From.Text(ctx, from)
				}
				return ref
			})
		}
		more, err := in(ctx, from, add)
		l.total += more
		failed = err
		return failed == nil && (!u.One || len(l.refs) < l.limit)
	})
	l.total += rest
	if failed != nil {
		return failed
	}
	return err
}

// Limits of a search for owners.
const (
	maxSought = 1024      // entries in a span whose owners are searched
	maxPassed = 1_000_000 // entries that are visited; beyond, the count is incomplete
)

// Find returns at most limit nodes of a view that own bytes of s, and the number of all. These are the view's nodes of
// the entries with the bytes, or else of the entries that use these.
func (t *Tables) Find(view string) func(ctx context.Context, s model.Span, limit int) ([]string, int64, error) {
	return func(ctx context.Context, s model.Span, limit int) ([]string, int64, error) {
		spans := []model.Span{s}
		if t.Made != nil {
			made, err := t.Made(ctx, s)
			if err != nil {
				return nil, 0, err
			}
			if made != nil {
				spans = made
			}
		}
		l := refList{limit: limit}
		search := search{t: t, view: view, list: &l, leads: t.leadingTo(view)}
		for len(spans) > 0 {
			for _, s := range spans {
				if err := search.findBytes(ctx, s); err != nil {
					return nil, 0, err
				}
			}
			if search.sought > 0 {
				break
			}
			spans = madeFrom(ctx, spans[0])
		}
		err := search.run(ctx)
		paths := make([]string, len(l.refs))
		for i := range l.refs {
			paths[i] = l.refs[i].Path
		}
		return paths, l.total, err
	}
}

// madeFrom returns the bytes that those of a derived source were made from, or nil for the file itself.
func madeFrom(ctx context.Context, s model.Span) []model.Span {
	origin := s.Source.Origin()
	if origin == nil {
		return nil
	}
	if origin.Map != nil {
		if pieces, err := origin.Map.From(ctx, s.Off, max(s.Len, 1)); err == nil && len(pieces) > 0 && len(pieces[0].In) > 0 {
			return pieces[0].In
		}
	}
	return origin.Spans
}

// leadingTo returns the entries that have nodes in a view, or are used by such.
func (t *Tables) leadingTo(view string) map[*Entries]bool {
	leads := map[*Entries]bool{}
	for more := true; more; {
		more = false
		for _, e := range t.Entries {
			if !leads[e] && (e.In[view] != nil || slices.ContainsFunc(e.UsedBy, func(u UsedBy) bool { return u.leadsTo(view) && leads[u.From] })) {
				leads[e], more = true, true
			}
		}
	}
	return leads
}

// leadsTo reports whether a search in a view continues with users, which it does unless their nodes are in another
// view.
func (u *UsedBy) leadsTo(view string) bool { return u.View == "" || u.View == view }

// A search follows entries to their users, up to those with nodes in a view.
type search struct {
	t      *Tables
	view   string
	list   *refList
	kind   string
	leads  map[*Entries]bool // entries whose users lead to nodes of the view
	sought int
	seen   map[entry]bool
	queue  []entry
}

type entry struct {
	of *Entries
	i  int64
}

func (s *search) findBytes(ctx context.Context, at model.Span) error {
	for _, e := range s.t.Entries {
		if e.Over == nil {
			continue
		}
		first, end, err := e.Over(ctx, at)
		if err != nil {
			return err
		}
		for i := first; i < end && s.sought < maxSought; i++ {
			s.sought++
			s.add(entry{e, i})
		}
	}
	return nil
}

// add queues an entry, once.
func (s *search) add(e entry) {
	if s.seen == nil {
		s.seen = map[entry]bool{}
	}
	if s.leads[e.of] && !s.seen[e] && len(s.queue) < maxPassed {
		s.seen[e] = true
		s.queue = append(s.queue, e)
	}
}

func (s *search) run(ctx context.Context) error {
	for k := 0; k < len(s.queue); k++ {
		if k%1024 == 1023 && ctx.Err() != nil {
			return ctx.Err()
		}
		if err := s.owners(ctx, s.queue[k].of, s.queue[k].i); err != nil {
			return err
		}
	}
	return nil
}

// owners adds the nodes of an entry, or queues its users.
func (s *search) owners(ctx context.Context, e *Entries, i int64) error {
	before := s.list.total
	if in := e.In[s.view]; in != nil {
		rest, err := in(ctx, i, func(ref func() model.Ref) bool { return s.list.add(s.kind, ref) })
		if s.list.total += rest; err != nil {
			return err
		}
	}
	if s.list.total > before {
		return nil
	}
	for k := range e.UsedBy {
		u := &e.UsedBy[k]
		if u.From == nil || !u.leadsTo(s.view) {
			continue
		}
		if _, err := u.Back(ctx, nil, i, func(from int64) bool {
			s.add(entry{u.From, from})
			return true
		}); err != nil {
			return err
		}
	}
	return nil
}
