package crossref_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"cutaway/model"
	"cutaway/model/crossref"
)

// letters is a made-up format: words of a letter each at bytes 0 … words-1, from byte 32 on pairs of bytes that each
// name two words, and a view in which a pair is shown once for each of its bytes. Word 9 is named by none.
type letters struct {
	doc          *model.Document
	words, pairs crossref.Entries
	named        crossref.Links
	asked        []int64 // the first pair of each call of Each
	cancel       func()  // called by Each
}

const (
	pairsAt   = 32
	pairCount = 40_000
)

func newLetters() *letters {
	x := &letters{}
	data := make([]byte, pairsAt+2*pairCount)
	for i := range pairCount {
		data[pairsAt+2*i], data[pairsAt+2*i+1] = byte(i%9), byte(i%3)
	}
	src := model.NewFileSource("letters", model.BytesReader(data))
	at := func(first, size, count int64) func(context.Context, model.Span) (int64, int64, error) {
		return func(_ context.Context, s model.Span) (int64, int64, error) {
			if s.Off < first || s.Off >= first+size*count {
				return 0, 0, nil
			}
			return (s.Off - first) / size, min((s.End()-1-first)/size+1, count), nil
		}
	}
	count := func(n int64) func(context.Context, model.Progress) (int64, error) {
		return func(context.Context, model.Progress) (int64, error) { return n, nil }
	}
	x.words = crossref.Entries{Count: count(10), Base: "layout/words", Over: at(0, 1, 10)}
	x.pairs = crossref.Entries{Count: count(pairCount), Base: "layout/pairs", Over: at(pairsAt, 2, pairCount),
		Text: func(_ context.Context, i int64) string { return fmt.Sprint("pair ", i) },
		In: map[string]crossref.Nodes{
			"twice": func(_ context.Context, i int64, add func(func() model.Ref) bool) (int64, error) {
				for side := range int64(2) {
					if !add(func() model.Ref { return model.Ref{Path: fmt.Sprintf("twice/[%d]", 2*i+side)} }) {
						return 1 - side, nil
					}
				}
				return 0, nil
			},
		}}
	x.named = crossref.Links{What: "pairs", From: &x.pairs, To: []*crossref.Entries{&x.words},
		Each: func(_ context.Context, first, end int64, add func(int64, int, int64)) error {
			x.asked = append(x.asked, first)
			if x.cancel != nil {
				x.cancel()
			}
			for i := first; i < end; i++ {
				add(i, 0, int64(data[pairsAt+2*i]))
				add(i, 0, int64(data[pairsAt+2*i+1]))
				add(i, 0, 77) // no such word
			}
			return nil
		}}
	x.words.UsedBy = []crossref.UsedBy{
		{Kind: "word", From: &x.pairs, Back: x.named.Back(&x.words)},
		{Kind: "owner", View: "twice"},
	}
	tables := &crossref.Tables{Entries: []*crossref.Entries{&x.words, &x.pairs}}
	rows := func(name string, first, size, count int64) model.Node {
		return model.Node{Name: name, Spans: []model.Span{src.Span(first, size*count)}, Elements: true,
			Children: model.FixedRows(src, first, size, count, func(_ context.Context, i int64) model.Node {
				return model.Node{Name: model.IndexName(i), Spans: []model.Span{src.Span(first+size*i, size)}}
			})}
	}
	x.doc = &model.Document{Sources: []*model.Source{src}, ReferencedBy: tables.ReferencedBy, Views: []*model.View{
		{Name: "twice", Root: func(context.Context) model.Node { return rows("twice", pairsAt, 1, 2*pairCount) }, Find: tables.Find("twice")},
		{Name: model.LayoutView, Of: src, Root: func(context.Context) model.Node {
			gap := model.Node{Name: "gap", Spans: []model.Span{src.Span(10, pairsAt-10)}, Role: model.Padding}
			return model.Node{Name: "letters", Spans: []model.Span{src.Whole()},
				Children: model.NewList(rows("words", 0, 1, 10), gap, rows("pairs", pairsAt, 2, pairCount))}
		}},
	}}
	return x
}

func (x *letters) refs(ctx context.Context, t *testing.T, path string, limit int) ([]string, int64, error) {
	t.Helper()
	p, err := x.doc.Lookup(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	refs, n, err := x.doc.ReferencedBy(ctx, p, limit, nil)
	var list []string
	for _, r := range refs {
		list = append(list, strings.TrimSpace(r.Kind+" "+r.Path+" "+r.Text))
	}
	return list, n, err
}

// TestReferencedByEntries: refs to an entry come from all that name it, once each, in order, with the limit's number
// of them and the total of all; what is not an entry, and what is beyond the last, has none.
func TestReferencedByEntries(t *testing.T) {
	x := newLetters()
	eight := int64(pairCount / 9) // pairs of which the first byte is 8; no second is
	for _, c := range []struct {
		path  string
		limit int
		want  []string
		n     int64
	}{
		{"layout/words/[8]", 2, []string{"word layout/pairs/[8] pair 8", "word layout/pairs/[17] pair 17"}, 3 * eight},
		{"layout/words/[0]", 3, []string{"word layout/pairs/[0] pair 0", "word layout/pairs/[3] pair 3", "word layout/pairs/[6] pair 6"}, 3 * 13334},
		{"layout/words/[8]", 0, nil, 3 * eight},
		{"layout/words/[9]", 5, nil, 0},
		{"layout/pairs/[1]", 5, nil, 0},
		{"layout/words", 5, nil, 0},
		{"layout", 5, nil, 0},
	} {
		got, n, err := x.refs(t.Context(), t, c.path, c.limit)
		if err != nil || n != c.n || !slices.Equal(got, c.want) {
			t.Errorf("%s, %d of them: %q of %d, %v; want %q of %d", c.path, c.limit, got, n, err, c.want, c.n)
		}
	}
	got, _, err := x.refs(t.Context(), t, "layout/words/[8]", int(eight)+2)
	if want := []string{"owner twice/[16]", "owner twice/[17]"}; err != nil || !slices.Equal(got[eight:], want) {
		t.Errorf("after the pairs: %q, %v; want %q", got[eight:], err, want)
	}
	if len(x.asked) != 3 {
		t.Errorf("asked for links from %v on: more than once", x.asked)
	}
}

// TestLinksGoOn: making an inverse that is cancelled ends with the context's error, keeps what it has, and the next
// goes on from there.
func TestLinksGoOn(t *testing.T) {
	x := newLetters()
	for attempt := range 3 {
		ctx, cancel := context.WithCancel(t.Context())
		x.cancel = cancel
		if _, _, err := x.refs(ctx, t, "layout/words/[8]", 1); !errors.Is(err, context.Canceled) {
			t.Fatalf("cancelled %d times: %v", attempt+1, err)
		}
	}
	x.cancel = nil
	if _, n, err := x.refs(t.Context(), t, "layout/words/[8]", 1); err != nil || n != 3*(pairCount/9) {
		t.Errorf("%d refs, %v", n, err)
	}
	// What was under way when the context ended is asked for again.
	if want := []int64{0, 0, 0, 0, 1 << 14, 1 << 15}; !slices.Equal(x.asked, want) {
		t.Errorf("asked for links from %v on, want %v", x.asked, want)
	}
}

// TestFindEntries: a byte's owners in a view are the nodes of its entry, or of all that use it; each once, the limit's
// number of them, and how many there are.
func TestFindEntries(t *testing.T) {
	x := newLetters()
	src := x.doc.Source()
	for _, c := range []struct {
		at    model.Span
		limit int
		want  []string
		n     int64
	}{
		{src.Span(pairsAt+6, 1), 9, []string{"twice/[6]", "twice/[7]"}, 2},
		{src.Span(pairsAt+7, 2), 3, []string{"twice/[6]", "twice/[7]", "twice/[8]"}, 4},
		{src.Span(8, 1), 3, []string{"twice/[16]", "twice/[17]", "twice/[34]"}, 2 * (pairCount / 9)},
		{src.Span(9, 1), 3, nil, 0},
		{src.Span(20, 1), 3, nil, 0},
	} {
		got, n, err := x.doc.View("twice").Find(t.Context(), c.at, c.limit)
		if err != nil || n != c.n || !slices.Equal(got, c.want) {
			t.Errorf("%v: %q of %d, %v; want %q of %d", c.at, got, n, err, c.want, c.n)
		}
	}
}

// TestOwnersInElements: where Find ends at an array, Owners goes on to its element, unless that is an owner of its own.
func TestOwnersInElements(t *testing.T) {
	x := newLetters()
	view := x.doc.View("twice")
	for _, c := range []struct{ found, want []string }{
		{[]string{"twice", "twice/[10]", "twice/nothing"}, []string{"twice/[9]", "twice/[10]"}},
		{[]string{"twice", "twice/[9]", "twice/[9]"}, []string{"twice", "twice/[9]"}},
	} {
		view.Find = func(context.Context, model.Span, int) ([]string, int64, error) { return c.found, 3, nil }
		owners, n, err := x.doc.Owners(t.Context(), view, x.doc.Source().Span(pairsAt+9, 1), 10)
		var got []string
		for _, p := range owners {
			got = append(got, p.Path())
		}
		if err != nil || n != 2 || !slices.Equal(got, c.want) {
			t.Errorf("of %q: %q of %d, %v; want %q", c.found, got, n, err, c.want)
		}
	}
	view.Find = nil
	owners, n, err := x.doc.Owners(t.Context(), view, x.doc.Source().Span(pairsAt+9, 1), 10)
	if err != nil || n != 1 || owners[0].Path() != "twice/[9]" {
		t.Errorf("by the spans: %v of %d, %v", owners, n, err)
	}
	if owners, n, err = x.doc.Owners(t.Context(), view, x.doc.Source().Span(1, 1), 10); err != nil || n != 0 || owners != nil {
		t.Errorf("a byte that the view has not: %v of %d, %v", owners, n, err)
	}
}
