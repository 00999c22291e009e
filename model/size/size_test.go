package size

import (
	"context"
	"slices"
	"strings"
	"testing"

	"cutaway/model"
)

func leaf(name string, at ...model.Span) model.Node {
	return model.Node{Name: name, Type: "leaf", Spans: at}
}

// document is a file of 1,000 bytes, of which a run of 10 gives 100, and a view over both.
func document() (d *model.Document, file, inflated *model.Source) {
	file = model.NewFileSource("f", model.BytesReader(make([]byte, 1000)))
	inflated = model.Derive("layout/run", "inflated", "", model.BytesReader(make([]byte, 100)),
		model.Origin{Parent: file, Spans: []model.Span{file.Span(100, 10)}, Codec: "LZ4"})
	layout := &model.View{Name: model.LayoutView, Of: file, Root: func(context.Context) model.Node {
		return model.Node{Name: "layout", Spans: []model.Span{file.Whole()}, Children: model.NewList(
			leaf("head", file.Span(0, 100)), leaf("run", file.Span(100, 10)), leaf("body", file.Span(110, 800)),
			model.Node{Name: "filler", Role: model.Padding, Spans: []model.Span{file.Span(910, 90)}})}
	}}
	return &model.Document{Sources: []*model.Source{file}, Views: []*model.View{layout}}, file, inflated
}

func measure(t *testing.T, d *model.Document, root func() model.Node) (*Tree, map[string]Size) {
	t.Helper()
	v := &model.View{Name: "scene", Root: func(context.Context) model.Node { return root() }}
	got := make(map[string]Size)
	tree, err := Measure(t.Context(), d, v, Options{Each: func(path string, n *Node) error {
		got[path] = n.Size
		return nil
	}})
	if err != nil {
		t.Fatal(err)
	}
	return tree, got
}

// TestShares: a share of a run is whole bytes, shared bytes count once, and what no node has is named.
func TestShares(t *testing.T) {
	d, file, inflated := document()
	tree, got := measure(t, d, func() model.Node {
		return model.Node{Name: "root", Children: model.NewList(
			leaf("a", inflated.Span(0, 33), file.Span(110, 100)),
			leaf("b", inflated.Span(33, 33), file.Span(160, 100)), // half of its bytes are a's
			leaf("bits", model.Span{Source: file, Off: 300, Len: 2, Mask: 0x300}),
			leaf("same bits", model.Span{Source: file, Off: 300, Len: 2, Mask: 0x500}),
		)}
	})
	for path, want := range map[string]Size{
		"scene/a": {103, 103, 133}, "scene/b": {53, 53, 83}, "scene/bits": {1, 1, 1}, "scene/same bits": {}, "scene": {0, 157, 217},
	} {
		if got[path] != want {
			t.Errorf("%s: %+v, want %+v", path, got[path], want)
		}
	}
	free := make(map[string]int64)
	for _, p := range tree.Free {
		free[p.Path+" "+p.Role.String()] = p.Size
	}
	for name, want := range map[string]int64{"layout/head explained": 100, "layout/run explained": 4, "layout/body explained": 649, "layout/filler padding": 90} {
		if free[name] != want {
			t.Errorf("%s: %d, want %d of %v", name, free[name], want, free)
		}
	}
}

// TestRestOfRun: who has all the bytes of a run has what is left of it.
func TestRestOfRun(t *testing.T) {
	d, file, inflated := document()
	_, got := measure(t, d, func() model.Node {
		return model.Node{Name: "root", Spans: []model.Span{file.Span(90, 30)}, Children: model.NewList(leaf("a", inflated.Span(0, 55)))}
	})
	if got["scene/a"].Stored != 5 || got["scene"] != (Size{25, 30, 75}) {
		t.Errorf("%+v", got)
	}
}

// TestBoxes: boxes lie in those around them, do not overlap their neighbours, and have their share of the area.
func TestBoxes(t *testing.T) {
	n := &Node{Name: "all", Size: Size{Stored: 100}}
	for _, size := range []int64{50, 20, 15, 10, 5} {
		n.Children = append(n.Children, &Node{Size: Size{Own: size, Stored: size}})
	}
	boxes := Boxes(n, 200, 100, 0, 1)
	if len(boxes) != 6 {
		t.Fatalf("%d boxes", len(boxes))
	}
	for i, b := range boxes[1:] {
		if area := b.W * b.H / 200; area < float64(b.Node.Stored)-0.01 || area > float64(b.Node.Stored)+0.01 || b.X < 0 || b.Y < 0 || b.X+b.W > 200.01 || b.Y+b.H > 100.01 {
			t.Errorf("%+v", b)
		}
		for _, o := range boxes[1 : i+1] {
			if min(b.X+b.W, o.X+o.W)-max(b.X, o.X) > 0.01 && min(b.Y+b.H, o.Y+o.H)-max(b.Y, o.Y) > 0.01 {
				t.Errorf("%+v and %+v overlap", b, o)
			}
		}
	}
	if largest := n.Largest(2); len(largest) != 2 || largest[0].Own != 50 {
		t.Errorf("%v", largest)
	}
}

// array is a plain array of float32 at a place.
func array(name string, at model.Span) model.Node {
	return model.Node{Name: name, Spans: []model.Span{at}, Value: &model.Elements{Type: "float", Count: at.Len / 4,
		Make: func(context.Context, int64) (model.Value, error) { return model.Float32(0), nil },
		Pack: model.Packing{Number: model.NumberF32, Components: 1, At: at}}}
}

// TestSavings: equal arrays at two places, and plain ones that would compress.
func TestSavings(t *testing.T) {
	file := model.NewFileSource("f", model.BytesReader(append(make([]byte, 16384), "abcdefghijklmnopqrstuvwxyz012345678901234567890123456789012345678901234567890123456789"...)))
	d := &model.Document{Sources: []*model.Source{file}}
	v := &model.View{Name: "scene", Root: func(context.Context) model.Node {
		return model.Node{Name: "root", Children: model.NewList(array("a", file.Span(0, 8000)), array("b", file.Span(8000, 8000)),
			array("again", file.Span(0, 8000)), array("other", file.Span(16384, 80)))}
	}}
	list, err := Savings(t.Context(), d, v, nil)
	if err != nil || len(list) != 2 {
		t.Fatalf("%v, %v", list, err)
	}
	if s := list[0]; s.Kind != EqualValues || s.Bytes != 8000 || s.Count != 2 || strings.Join(s.Paths, " ") != "scene/a scene/b" {
		t.Errorf("%+v", s)
	}
	if s := list[1]; s.Kind != WouldCompress || s.Bytes < 7900 || s.Paths[0] != "scene/a" || s.Text != "2,000 × float, to about 0 %; all the same" {
		t.Errorf("%+v", s)
	}
}

// TestPeek: what is shown of a measurement that runs adds up, only grows, names its nodes as the end does, and stays as it was.
func TestPeek(t *testing.T) {
	d, file, _ := document()
	branch := func(name string, off int64) model.Node {
		return model.Node{Name: name, Children: model.NewList(leaf("a", file.Span(off, 20)), leaf("b", file.Span(off+20, 70)), leaf("c", file.Span(off+90, 10)))}
	}
	v := &model.View{Name: "scene", Root: func(context.Context) model.Node {
		return model.Node{Name: "root", Spans: []model.Span{file.Span(0, 100)}, Children: model.NewList(branch("one", 200), branch("two", 300), branch("three", 400))}
	}}
	peek := &Peek{}
	var seen []*Tree
	var stored []int64
	end, err := Measure(t.Context(), d, v, Options{Peek: peek, Each: func(string, *Node) error {
		if so := peek.Tree(); so != nil {
			seen, stored = append(seen, so), append(stored, so.Root.Stored)
		}
		return nil
	}})
	if err != nil || len(seen) < 6 || seen[0].Root.Stored != 20 {
		t.Fatalf("%d, %v", len(seen), err)
	}
	for i, so := range seen {
		whole := so.Whole()
		sum := int64(0)
		for _, c := range whole.Children {
			sum += c.Stored
		}
		if so.Total != end.Total || so.Root.Stored != stored[i] || so.Root.Stored+so.Left != so.Total || sum != so.Total || i > 0 && stored[i] < stored[i-1] {
			t.Errorf("%d: %d, then %d, and %d left of %d", i, stored[i], so.Root.Stored, so.Left, so.Total)
		}
		for _, n := range so.Root.Largest(100) {
			if at := end.Root.Find(n.Path); at == nil || at.Own != n.Own {
				t.Errorf("%d: %s has %d bytes, at the end %+v", i, n.Path, n.Own, at)
			}
		}
	}
	if end.Left != 0 || peek.Tree() != nil {
		t.Errorf("%d left", end.Left)
	}
}

// TestSmallOnes: of nodes that are all too small to be told apart, the largest are known all the same, each by its path.
func TestSmallOnes(t *testing.T) {
	const count = kept + 5000
	file := model.NewFileSource("f", model.BytesReader(make([]byte, count*20)))
	kid := func(i int64) model.Node {
		return model.Node{Name: "a/b", Type: "kid", Spans: []model.Span{file.Span(20*i, 1+(i>>8)&1)}}
	}
	v := &model.View{Name: "rows", Root: func(context.Context) model.Node {
		return model.Node{Name: "root", Children: &model.Rows{Count: count, Make: func(_ context.Context, i int64) model.Node {
			return model.Node{Name: model.IndexName(i), Children: model.NewList(kid(i))}
		}}}
	}}
	tree, err := Measure(t.Context(), &model.Document{Sources: []*model.Source{file}, Views: []*model.View{{Name: model.LayoutView, Root: func(context.Context) model.Node {
		return model.Node{Name: "layout", Spans: []model.Span{file.Whole()}}
	}}}}, v, Options{})
	if err != nil {
		t.Fatal(err)
	}
	top := tree.Largest(tree.Whole(), 50)
	if len(tree.Root.Children) > 0 || len(top) != 50 || !top[0].IsFree() || top[1].Path != `rows/[256]/a%2Fb` || top[49].Own != 2 || top[49].Path != "rows/[304]/a%2Fb" {
		t.Errorf("%d children, %d are the largest: %+v … %+v", len(tree.Root.Children), len(top), top[1], top[len(top)-1])
	}
}

// TestBranch: nodes of a branch are told apart that are too small elsewhere.
func TestBranch(t *testing.T) {
	d, file, _ := document()
	many := func(name string, from int64, below func(i int64) model.Children) model.Node {
		return model.Node{Name: name, Children: &model.Rows{Count: 20, Make: func(_ context.Context, i int64) model.Node {
			return model.Node{Name: model.IndexName(i), Spans: []model.Span{file.Span(from+2*i, 2)}, Children: below(i)}
		}}}
	}
	none := func(int64) model.Children { return nil }
	v := &model.View{Name: "scene", Root: func(context.Context) model.Node {
		return model.Node{Name: "root", Children: model.NewList(leaf("large", file.Span(400, 500)), many("other", 0, none),
			many("small", 100, func(i int64) model.Children { return model.NewList(leaf("part", file.Span(200+i, 1))) }))}
	}}
	branch := v.Place(t.Context()).Child(t.Context(), 2).Child(t.Context(), 7)
	tree, err := Measure(t.Context(), d, v, Options{Least: 100, Branch: branch, BranchLeast: 1})
	if err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]int64{"scene/large": 500, "scene/other": -1, "scene/small": 60, "scene/small/[6]": -1, "scene/small/[7]": 3, "scene/small/[7]/part": 1} {
		if n := tree.Root.Find(path); (n == nil) != (want < 0) || n != nil && n.Stored != want {
			t.Errorf("%s: %+v, want %d", path, n, want)
		}
	}
	if n := tree.Root.Find("scene/small"); tree.Root.Stored != 600 || n == nil || n.Small.Stored != 57 || n.Smaller != 19 || n.Lumps() != true {
		t.Errorf("%d, and of the others %+v", tree.Root.Stored, n)
	}
	if list := tree.Largest(tree.Root.Find(branch.Path()), 9); len(list) != 2 || list[0].Own != 2 || list[1].Path != "scene/small/[7]/part" {
		t.Errorf("the largest of the branch are %v", list)
	}
}

// TestExtents: a node's extent has the parts of the file with its bytes and those below it, inflated ones by what they were made from.
func TestExtents(t *testing.T) {
	d, file, inflated := document()
	tree, _ := measure(t, d, func() model.Node {
		return model.Node{Name: "root", Children: model.NewList(
			model.Node{Name: "group", Children: model.NewList(leaf("a", file.Span(500, 1)), leaf("b", file.Span(900, 100)))},
			leaf("run", inflated.Span(0, 50)))}
	})
	for path, want := range map[string][][2]int64{
		"scene/group/a": {{500, 504}}, "scene/group": {{500, 504}, {899, 1000}}, "scene/run": {{98, 110}}, "scene": {{98, 110}, {500, 504}, {899, 1000}},
	} {
		n := tree.Root.Find(path)
		if got := n.Where.Ranges(1000); !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", path, got, want)
		}
	}
}
