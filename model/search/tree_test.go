package search

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"cutaway/model"
)

// forest is a tree of groups of items; every seventh item is called "seven".
func forest(ctx context.Context, groups, items int64) *model.Place {
	view := &model.View{Name: "view", Root: func(context.Context) model.Node {
		return model.Node{Name: "view", Children: &model.Rows{Count: groups, Make: func(_ context.Context, g int64) model.Node {
			return model.Node{Name: model.IndexName(g), Children: &model.Rows{Count: items, Make: func(_ context.Context, i int64) model.Node {
				n := model.Node{Name: model.IndexName(i), Value: model.Int(g*items + i)}
				if (g*items+i)%7 == 0 {
					n.Type = "seven"
				}
				return n
			}}}
		}}}
	}}
	return view.Place(ctx)
}

func query(t testing.TB, text string) *Query {
	t.Helper()
	q, err := ParseQuery(text)
	if err != nil {
		t.Fatal(err)
	}
	return q
}

func paths(t *testing.T, start *model.Place, text string, opt TreeOptions) (found []string, visited int64) {
	t.Helper()
	visited, err := Tree(t.Context(), start, query(t, text), opt, func(_ context.Context, h Hit) error {
		found = append(found, h.Path)
		if h.Place.Path() != h.Path {
			t.Errorf("the place of %s is %s", h.Path, h.Place.Path())
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return found, visited
}

func TestTreeIsInOrder(t *testing.T) {
	for _, k := range []struct{ groups, items int64 }{{1, 1}, {3, 5}, {200, 3}, {3, 2000}, {100, 200}, {1, 100_000}} {
		var want []string
		start := forest(t.Context(), k.groups, k.items)
		for g := range k.groups {
			for i := range k.items {
				if (g*k.items+i)%7 == 0 {
					want = append(want, fmt.Sprintf("view/[%d]/[%d]", g, i))
				}
			}
		}
		got, visited := paths(t, start, "seven", TreeOptions{})
		if !slices.Equal(got, want) {
			t.Errorf("%v: %d hits, want %d", k, len(got), len(want))
		}
		if all := 1 + k.groups + k.groups*k.items; visited != all {
			t.Errorf("%v: %d visited, want %d", k, visited, all)
		}
	}
}

func TestTreeEndsWhenToldTo(t *testing.T) {
	start := forest(t.Context(), 100, 1000)
	stop := errors.New("enough")
	n := 0
	visited, err := Tree(t.Context(), start, query(t, "seven"), TreeOptions{}, func(context.Context, Hit) error {
		if n++; n == 100 {
			return stop
		}
		return nil
	})
	if err != stop || n != 100 || visited == 0 {
		t.Errorf("%d hits, %d visited, %v", n, visited, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	n = 0
	_, err = Tree(ctx, start, query(t, "seven"), TreeOptions{}, func(context.Context, Hit) error {
		if n++; n == 100 {
			cancel()
		}
		return nil
	})
	if !errors.Is(err, context.Canceled) || n < 100 || n > 10_000 {
		t.Errorf("%d hits, %v", n, err)
	}
}

func TestTreeReportsProgress(t *testing.T) {
	last, calls := int64(0), 0
	opt := TreeOptions{Progress: func(done, total int64, what string) {
		calls++
		if done < last || total != 1000 || !strings.Contains(what, "nodes searched") {
			t.Errorf("%d of %d %q after %d", done, total, what, last)
		}
		last = done
	}}
	paths(t, forest(t.Context(), 100, 1000), "seven", opt)
	if calls < 10 || last < 800 {
		t.Errorf("%d calls, the last with %d", calls, last)
	}
}

func TestPanicOfADecoderIsTheCallers(t *testing.T) {
	start := (&model.View{Name: "view", Root: func(context.Context) model.Node {
		return model.Node{Name: "view", Children: &model.Rows{Count: 1000, Make: func(_ context.Context, i int64) model.Node {
			if i == 500 {
				panic("a fault")
			}
			return model.Node{Name: model.IndexName(i)}
		}}}
	}}).Place(t.Context())
	defer func() {
		said := fmt.Sprint(recover())
		if !strings.HasPrefix(said, "a fault\n") || !strings.Contains(said, "TestPanicOfADecoderIsTheCallers.func") { // where it was
			t.Errorf("recovered %s", said)
		}
	}()
	_, err := Tree(t.Context(), start, query(t, "x"), TreeOptions{}, func(context.Context, Hit) error { return nil })
	t.Errorf("no panic, %v", err)
}

// arrays is a node of an array with nodes for its elements, one of an array without, and one of elements alone.
func arrays(ctx context.Context) *model.Place {
	const count = 3 * window
	values := &model.Elements{Type: "int", Count: count, Make: func(_ context.Context, i int64) (model.Value, error) { return model.Int(i), nil }}
	words := &model.Elements{Type: "token", Count: count, Make: func(_ context.Context, i int64) (model.Value, error) {
		if i == count-10 {
			return nil, errors.New("damage")
		}
		return model.Text(fmt.Sprintf("w%d", i)), nil
	}}
	src := model.NewFileSource("f", make(model.BytesReader, 4*count))
	return (&model.View{Name: "view", Root: func(context.Context) model.Node {
		return model.Node{Name: "view", Children: model.NewList(
			model.Node{Name: "points", Value: values, Elements: true, Children: &model.Rows{Count: count, Make: func(_ context.Context, i int64) model.Node {
				return model.Node{Name: model.IndexName(i), Value: model.Int(i), Spans: []model.Span{src.Span(4*i, 4)}}
			}}},
			model.Node{Name: "words", Value: words, Spans: []model.Span{src.Whole()}},
			model.Node{Name: "structs", Elements: true, Children: &model.Rows{Count: count, Make: func(_ context.Context, i int64) model.Node {
				return model.Node{Name: model.IndexName(i), Children: model.NewList(model.Node{Name: "member", Value: model.Int(-i)})}
			}}},
			model.Node{Name: "vector", Value: model.Tuple{model.Int(-1e6), model.Int(7)}, Elements: true, Children: model.NewList(
				model.Node{Name: "x", Value: model.Int(-1e6)}, model.Node{Name: "y", Value: model.Int(7)})},
		)}
	}}).Place(ctx)
}

func TestElements(t *testing.T) {
	for _, k := range []struct {
		query    string
		elements bool
		want     []string
	}{
		{"=12287", false, nil},
		{"=12287", true, []string{"view/points/[12287]"}},
		{"words w5000", true, []string{"view/words"}},
		{"points w5000", true, nil},
		{"points >12285", true, []string{"view/points/[12286]", "view/points/[12287]"}},
		{"name:points", true, []string{"view/points"}},
		{"name:points value:7", true, []string{"view/points/[7]"}},
		{"=-9999", true, []string{"view/structs/[9999]/member"}},
		{"=-1e6", true, []string{"view/vector"}},
		{"w12279", true, nil}, // after the damage
		{"w12277", true, []string{"view/words"}},
	} {
		if got, _ := paths(t, arrays(t.Context()), k.query, TreeOptions{Elements: k.elements}); !slices.Equal(got, k.want) {
			t.Errorf("%s: %v, want %v", k.query, got, k.want)
		}
	}
	_, err := Tree(t.Context(), arrays(t.Context()), query(t, "=5000"), TreeOptions{Elements: true}, func(_ context.Context, h Hit) error {
		if h.Off != 20000 || h.Len != 4 || h.Where != InValue || h.Text != "[5000] = 5000" {
			t.Errorf("%+v", h)
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}

// twins is children that all groups of a tree have: some leaves, and one with a leaf below.
type twins struct {
	*model.Rows
	made *atomic.Int64
}

func (c twins) At(ctx context.Context, i int64) model.Node {
	c.made.Add(1)
	return c.Rows.At(ctx, i)
}

func (twins) Bulk() *model.BulkFuncs {
	return &model.BulkFuncs{Recurs: func(c model.Children, i int64) (of any, n, count int64) {
		rows := c.(twins).Rows
		return rows, i, rows.Count
	}}
}

// TestTreeOfTwins: nodes that recur are found below each node that has them, and are made once where they are no hits. Where the
// path counts they are looked at each time.
func TestTreeOfTwins(t *testing.T) {
	for _, groups := range []int64{3, 500} { // by one goroutine, by several
		const items = 100
		var made atomic.Int64
		leaves := &model.Rows{Count: items, Make: func(_ context.Context, i int64) model.Node {
			n := model.Node{Name: model.IndexName(i), Type: "leaf", Value: model.Int(i)}
			if i == 9 {
				n.Children = model.NewList(model.Node{Name: "deep", Value: model.Int(9)})
			}
			return n
		}}
		start := (&model.View{Name: "view", Root: func(context.Context) model.Node {
			return model.Node{Name: "view", Children: &model.Rows{Count: groups, Make: func(_ context.Context, g int64) model.Node {
				return model.Node{Name: fmt.Sprintf("group%d", g), Children: twins{leaves, &made}}
			}}}
		}}).Place(t.Context())
		for _, k := range []struct {
			text        string
			each        int64 // hits by group
			most, least int64 // leaves made
		}{
			{"type:none", 0, items*mostWorkers + 2*groups, items},
			{"=7", 1, items*mostWorkers + 3*groups, groups},
			{"=9", 2, items*mostWorkers + 3*groups, groups},
			{"type:leaf", items, 2 * groups * items, groups * items},
			{"path:7]", 10, 2 * groups * items, groups * items},
		} {
			made.Store(0)
			got, visited := paths(t, start, k.text, TreeOptions{})
			if int64(len(got)) != k.each*groups || visited != 1+groups*(1+items+1) {
				t.Errorf("%d groups, %s: %d hits, %d visited", groups, k.text, len(got), visited)
			}
			for i, path := range got {
				if group := fmt.Sprintf("view/group%d/", int64(i)/k.each); !strings.HasPrefix(path, group) {
					t.Errorf("%d groups, %s: hit %d is %s, not below %s", groups, k.text, i, path, group)
				}
			}
			if n := made.Load(); n > k.most || n < k.least {
				t.Errorf("%d groups, %s: %d leaves made, want %d to %d", groups, k.text, n, k.least, k.most)
			}
		}
	}
}

// TestFind: names that fit come first, the whole ones before those that begin with the term and those that have it inside,
// each once; then come the other hits in the order of the tree. With an index of names it is asked, and not the tree.
func TestFind(t *testing.T) {
	names := []string{"a mesh", "Mesh", "value", "mesh_1", ".mesh", "mesh"}
	asked := 0
	view := &model.View{Name: "view", Root: func(context.Context) model.Node {
		return model.Node{Name: "view", Children: &model.Rows{Count: int64(len(names)), Make: func(_ context.Context, i int64) model.Node {
			n := model.Node{Name: model.IndexName(i)}.Named(names[i])
			if names[i] == "value" {
				n.Value = model.Text("of a mesh")
			}
			return n
		}}}
	}}
	doc := &model.Document{Views: []*model.View{view}}
	index := &model.NameIndex{
		Each: func(_ context.Context, _ model.Progress, rank func(string) int, visit func(int, int64) bool) error {
			asked++
			for i, name := range names {
				if r := rank(name); r >= 0 && !visit(r, int64(i)) {
					break
				}
			}
			return nil
		},
		Way: func(_ context.Context, i int64) []int64 { return []int64{i} },
	}
	for text, want := range map[string][]string{
		"mesh":       {"[1]", "[4]", "[5]", "[3]", "[0]", "[2]"},
		"name:mesh":  {"[1]", "[4]", "[5]", "[3]", "[0]"},
		"Mesh":       {"[1]"},
		"value:mesh": {"[2]"},
		"mesh a":     {"[0]", "[2]"},
	} {
		for _, view.Names = range []*model.NameIndex{nil, index} {
			var found []string
			err := Find(t.Context(), doc, view, query(t, text), TreeOptions{}, func(_ context.Context, h Hit) error {
				found = append(found, strings.TrimPrefix(h.Path, "view/"))
				return nil
			})
			if err != nil || !slices.Equal(found, want) {
				t.Errorf("%s: %v, %q, want %q", text, err, found, want)
			}
		}
	}
	if asked != 4 {
		t.Errorf("the index is asked %d times, want 4", asked)
	}
}

// TestTotal: total: is about the bytes of a node with all below, which a search measures first.
func TestTotal(t *testing.T) {
	src := model.NewFileSource("f", model.BytesReader(strings.Repeat("x", 100)))
	leaf := func(name string, off, n int64) model.Node {
		return model.Node{Name: name, Spans: []model.Span{src.Span(off, n)}}
	}
	view := &model.View{Name: "view", Root: func(context.Context) model.Node {
		return model.Node{Name: "view", Children: model.NewList(
			model.Node{Name: "large", Children: model.NewList(leaf("a", 0, 40), leaf("b", 40, 30))}, leaf("c", 70, 20))}
	}}
	layout := &model.View{Name: model.LayoutView, Of: src, Root: func(context.Context) model.Node { return leaf("all", 0, 100) }}
	doc := &model.Document{Sources: []*model.Source{src}, Views: []*model.View{view, layout}}
	for text, want := range map[string]string{
		"total:>=40": "view view/large view/large/a", "total:<=20": "view/c", "total:70": "view/large", "total:>50 large": "view/large", "total:!=70 total:<80": "view/large/a view/large/b view/c",
	} {
		var found []string
		err := Find(t.Context(), doc, view, query(t, text), TreeOptions{}, func(_ context.Context, h Hit) error {
			found = append(found, h.Path)
			return nil
		})
		if got := strings.Join(found, " "); err != nil || got != want {
			t.Errorf("%s: %v, %q, want %q", text, err, got, want)
		}
	}
	if _, ok := query(t, "total:>0").Match(t.Context(), view.Place(t.Context())); ok {
		t.Error("a total is known before it is measured")
	}
}

// TestNamesAmongMany: without an index, names after a long list of numbered nodes are found too.
func TestNamesAmongMany(t *testing.T) {
	many := &model.Rows{Count: 4 * mostWalked, Make: func(_ context.Context, i int64) model.Node { return model.Node{Name: model.IndexName(i)} }}
	view := &model.View{Name: "view", Root: func(context.Context) model.Node {
		return model.Node{Name: "view", Children: model.NewList(model.Node{Name: "many", Children: many}, model.Node{Name: "last"})}
	}}
	doc := &model.Document{Views: []*model.View{view}}
	for text, want := range map[string]string{"last": "view/last", "[2000]": "view/many/[2000]"} {
		var found []string
		err := Names(t.Context(), doc, view, query(t, text), nil, func(_ context.Context, h Hit) error {
			found = append(found, h.Path)
			return nil
		})
		if err != nil || len(found) == 0 || found[0] != want {
			t.Errorf("%s: %v, %q, want %q", text, err, found, want)
		}
	}
}
