package size

import (
	"compress/flate"
	"context"
	"fmt"
	"hash/maphash"
	"slices"
	"sort"
	"strings"

	"cutaway/model"
	"cutaway/model/values"
)

// A Saving is a number of bytes that a file does not need.
type Saving struct {
	Kind  string   // one of the kinds below
	Bytes int64    // of the file, approximately
	Count int64    // number of places
	Paths []string // the first places
	Text  string   // a description
}

// The kinds of savings.
const (
	EqualValues   = "equal values"   // stored more than once
	NeverChanges  = "never changes"  // a column of samples or records whose values are equal
	WouldCompress = "would compress" // an array that is stored plain
	Unused        = "unused"         // a text of a table that nothing names
)

// Limits of a search for savings.
const (
	leastArray    = 64        // least logical bytes of an array that is compared with others
	leastPlain    = 4096      // least stored bytes of an array that is compressed on trial
	trialBytes    = 64 << 10  // bytes of a window of a trial
	trials        = 4         // number of windows, spread over the array
	worthwhile    = 0.75      // greatest ratio of a compression that is reported
	leastUnused   = 64        // least bytes of unused texts in a table
	shownPaths    = 20        // paths of a saving
	mostRows      = 1_000_000 // rows of a table that are examined
	mostTexts     = 5_000_000 // texts of a table that are examined
	probedTexts   = 16        // texts that are examined to find out whether any is used
	mostGroups    = 1 << 20   // different arrays that are compared
	windowForHash = 1024      // elements in a window, if they are no numbers
)

// Savings finds bytes that a file does not need, greatest saving first. It reads every array of the view once.
func Savings(ctx context.Context, d *model.Document, v *model.View, progress model.Progress) ([]Saving, error) {
	s := newSaver(ctx, d)
	walk := model.WalkOptions{Resolve: true, Fleeting: true, Progress: progress}
	err := model.Walk(ctx, v.Place(ctx), walk, s.visit)
	if err == nil && d.ReferencedBy != nil {
		walk.Derived = true
		err = model.Walk(ctx, d.View(model.LayoutView).Place(ctx), walk, s.texts)
	}
	for _, g := range s.equal {
		if g.count > 1 {
			s.found = append(s.found, Saving{EqualValues, g.bytes, g.count, g.paths, fmt.Sprintf("%s of the same %s values", g.typ, model.Grouped(g.len))})
		}
	}
	sort.Slice(s.found, func(i, k int) bool {
		a, b := &s.found[i], &s.found[k]
		if a.Bytes != b.Bytes {
			return a.Bytes > b.Bytes
		}
		return a.Kind+a.Paths[0] < b.Kind+b.Paths[0]
	})
	return s.found, err
}

// SavingBelow returns the number of bytes that the file does not need of a node and those below, approximately. It reads all of
// their arrays that are decoded.
func SavingBelow(ctx context.Context, d *model.Document, p *model.Place) (bytes int64, err error) {
	s := newSaver(ctx, d)
	err = model.Walk(ctx, p, model.WalkOptions{Fleeting: true}, s.visit)
	for _, found := range s.found {
		bytes += found.Bytes
	}
	for _, g := range s.equal {
		bytes += g.bytes
	}
	return bytes, err
}

func newSaver(ctx context.Context, d *model.Document) *saver {
	return &saver{ctx: ctx, d: d, equal: make(map[equalKey]*group), seen: make(map[placeKey]bool)}
}

type saver struct {
	ctx   context.Context
	d     *model.Document
	found []Saving
	equal map[equalKey]*group
	seen  map[placeKey]bool // arrays that were examined: several nodes may have one
}

// An equalKey is equal for arrays of equal values.
type equalKey struct {
	hash uint64
	len  int64
	typ  string
}

type placeKey struct {
	source string
	off    int64
}

// A group holds the places of equal arrays; bytes excludes the first one.
type group struct {
	typ          string
	len          int64
	bytes, count int64
	paths        []string
}

func (s *saver) visit(p *model.Place) error {
	if a, ok := p.Node.Value.(model.Array); ok && a.Len() > 0 {
		return s.array(p, a)
	}
	if p.Node.Children != nil && p.Node.Cards != nil {
		return s.samples(p)
	}
	return nil
}

// array compares an array with the previous ones, and tries to compress it.
func (s *saver) array(p *model.Place, a model.Array) error {
	of := Of(&p.Node)
	at := p.Node.Span()
	if plain := model.PackingOf(a).At; plain.Source != nil {
		at = plain // nested nodes may have the same elements
	}
	if of.Logical < leastArray || at.Source == nil || len(s.equal) > mostGroups {
		return nil
	}
	here := placeKey{at.Source.Name(), at.Off}
	if s.seen[here] {
		return nil
	}
	s.seen[here] = true
	c, err := values.ArrayColumn(s.ctx, a)
	if err != nil {
		return err
	}
	hash, err := values.Hash(s.ctx, c)
	if err != nil {
		return s.ctx.Err() // the check reports a damaged array
	}
	key := equalKey{hash, a.Len(), a.Elem()}
	g := s.equal[key]
	if g == nil {
		s.equal[key] = &group{typ: a.Elem(), len: a.Len(), count: 1, paths: []string{p.Path()}}
		return s.compress(p, c, of.Stored)
	}
	g.bytes += of.Stored
	if g.count++; len(g.paths) < shownPaths {
		g.paths = append(g.paths, p.Path())
	}
	return nil
}

// compress compresses a plain array on trial.
func (s *saver) compress(p *model.Place, c *values.Column, stored int64) error {
	if !c.Numeric() || c.Coding() != "plain" || stored < leastPlain {
		return nil
	}
	size := c.Packing.Size()
	n, _ := c.Len()
	rows := max(trialBytes/size, 1)
	buf := make([]byte, rows*size)
	var in, out int64
	for k := range int64(trials) {
		first := max(n-rows, 0) * k / (trials - 1)
		got, err := c.ReadPacked(s.ctx, first, buf)
		if err != nil || got == 0 {
			return s.ctx.Err()
		}
		w := &count{}
		z, err := flate.NewWriter(w, flate.BestSpeed)
		if err != nil {
			return err
		}
		_, _ = z.Write(buf[:int64(got)*size]) // count accepts all
		_ = z.Close()
		in, out = in+int64(got)*size, out+w.n
		if n <= rows {
			break
		}
	}
	if ratio := float64(out) / float64(in); ratio <= worthwhile {
		text := fmt.Sprintf("%s × %s, to about %.0f %%", model.Grouped(n), c.Type, 100*ratio)
		distinct, err := s.distinct(c, n)
		if err != nil {
			return err
		}
		switch {
		case distinct == 1:
			text += "; all the same"
		case distinct > 1:
			text += fmt.Sprintf("; %s distinct", model.Grouped(distinct))
		}
		s.found = append(s.found, Saving{WouldCompress, stored - int64(ratio*float64(stored)), 1, []string{p.Path()}, text})
	}
	return nil
}

// mostDistinct is the most different elements of an array, which are compared by hash.
const mostDistinct = 1 << 16

// distinct returns the number of different elements of an array, or 0 if these are more than half of all. Few different
// elements can be written as indexes.
func (s *saver) distinct(c *values.Column, n int64) (int64, error) {
	size := c.Packing.Size()
	most := min(n/2, mostDistinct)
	seen := make(map[uint64]struct{})
	buf := make([]byte, max(trialBytes/size, 1)*size)
	for at := int64(0); at < n; {
		got, err := c.ReadPacked(s.ctx, at, buf[:min(int64(len(buf)), (n-at)*size)])
		if err != nil || got == 0 {
			return 0, s.ctx.Err()
		}
		for i := range int64(got) {
			seen[maphash.Bytes(model.ContentSeed, buf[i*size:(i+1)*size])] = struct{}{}
		}
		if int64(len(seen)) > most {
			return 0, nil
		}
		at += int64(got)
	}
	return int64(len(seen)), nil
}

// count counts the bytes written.
type count struct{ n int64 }

func (c *count) Write(b []byte) (int, error) {
	c.n += int64(len(b))
	return len(b), nil
}

// samples searches the tables over time whose rows are the children of a node for columns, other than the first, that
// never change.
func (s *saver) samples(p *model.Place) error {
	children, _ := p.Len(s.ctx)
	if children < 2 || children > mostRows {
		return nil
	}
	for _, t := range model.CardsOf[model.Table](s.ctx, &p.Node) {
		n, exact := t.Rows()
		if names := t.Columns(); n != children || !exact || len(names) == 0 || !strings.Contains(strings.ToLower(names[0].Name), "time") {
			continue
		}
		if err := s.columns(p, t, children); err != nil {
			return err
		}
	}
	return nil
}

func (s *saver) columns(p *model.Place, t model.Table, n int64) error {
	names := t.Columns()
	same := make([]bool, len(names))
	first, shown := make([]string, len(names)), make([]string, len(names))
	bytes := make([]int64, len(names))
	last := make([]placeKey, len(names))
	rows := make([][]model.Cell, windowForHash)
	for i := range rows {
		rows[i] = make([]model.Cell, len(names))
	}
	for at := int64(0); at < n; {
		got, err := t.Read(s.ctx, at, rows[:min(int64(len(rows)), n-at)])
		if err != nil || got == 0 {
			return s.ctx.Err()
		}
		for i, row := range rows[:got] {
			for k := 1; k < len(row); k++ {
				text := s.key(row[k].Value)
				here := place(row[k].Spans)
				switch {
				case at == 0 && i == 0:
					same[k], first[k] = text != "", text
					shown[k] = s.shown(row[k].Value, text)
				case text != first[k]:
					same[k] = false
				case here != last[k]:
					bytes[k] += storedAll(row[k].Spans)
				}
				last[k] = here
			}
		}
		at += int64(got)
		if !slices.Contains(same, true) {
			return nil
		}
	}
	for k, is := range same {
		if is && bytes[k] > 0 {
			s.found = append(s.found, Saving{NeverChanges, bytes[k], n, []string{p.Path()}, names[k].Name + " is always " + shown[k]})
		}
	}
	return nil
}

// key returns a text that differs for different values, or "".
func (s *saver) key(v model.Value) string {
	const most = 200
	if a, ok := v.(model.Array); ok {
		c, err := values.ArrayColumn(s.ctx, a)
		if err != nil {
			return ""
		}
		hash, err := values.Hash(s.ctx, c)
		if err != nil {
			return ""
		}
		return fmt.Sprintf("%s × %s (%016x)", model.Grouped(a.Len()), a.Elem(), hash)
	}
	if v == nil {
		return ""
	}
	return model.Show(s.ctx, v, most)
}

// shown returns a value for a person: its key unless it is a short array.
func (s *saver) shown(v model.Value, key string) string {
	const few = 16
	if a, ok := v.(model.Array); ok && a.Len() <= few {
		return model.Show(s.ctx, v, 60)
	}
	return key
}

func place(spans []model.Span) placeKey {
	if len(spans) == 0 || spans[0].Source == nil {
		return placeKey{}
	}
	return placeKey{spans[0].Source.Name(), spans[0].Off}
}

func storedAll(spans []model.Span) (n int64) {
	for _, at := range spans {
		if at.Source != nil {
			n += storedOf(at)
		}
	}
	return n
}

// texts searches tables of texts for unused ones, if references to some texts exist.
func (s *saver) texts(p *model.Place) error {
	n, exact := p.Len(s.ctx)
	if n < 2 || n > mostTexts || !exact || p.Node.IsPending() {
		return nil
	}
	if _, ok := p.Child(s.ctx, 0).Node.Value.(model.Text); !ok {
		return nil
	}
	unused, named, err := s.unused(p, n)
	switch {
	case err != nil:
		return err
	case !named:
		return nil
	case unused.Bytes >= leastUnused:
		unused.Text = model.GroupedCount(unused.Count, "text") + " that nothing names"
		s.found = append(s.found, unused)
	}
	return model.ErrSkip
}

// unused sums the unused texts among the n children. named is false if none of the first is used.
func (s *saver) unused(p *model.Place, n int64) (unused Saving, named bool, err error) {
	unused.Kind = Unused
	for i := range n {
		c := p.Child(s.ctx, i)
		_, total, err := s.d.ReferencedBy(s.ctx, c, 1, nil)
		if named = named || total > 0; err != nil || i == probedTexts && !named {
			return unused, named, err
		}
		if _, is := c.Node.Value.(model.Text); !is || total > 0 {
			continue
		}
		unused.Bytes += storedAll(c.Node.Spans)
		if unused.Count++; len(unused.Paths) < shownPaths {
			unused.Paths = append(unused.Paths, c.Path())
		}
	}
	return unused, named, nil
}
