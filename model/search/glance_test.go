package search

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"cutaway/model"
)

func TestAround(t *testing.T) {
	src := model.NewFileSource("x", model.BytesReader("0123456789abcdefghijklmnopqrstuvwxyz\x00\xff"))
	for _, c := range []struct {
		off, n int64
		want   string
	}{
		{0, 2, "[30 31] 32 33 34 35 36 37 38 39   [01]23456789"},
		{2, 1, "30 31 [32] 33 34 35 36 37 38 39 61   01[2]3456789a"},
		{36, 2, "77 78 79 7a [00 ff]   wxyz[..]"},
		{10, 26, "36 37 38 39 [61 62 63 64 65 66 67 68 69 6a 6b 6c 6d 6e 6f 70] 71 72 73 74 75 76 77 78   6789[abcdefghijklmnop]qrstuvwx"},
	} {
		if got := Around(t.Context(), src, c.off, c.n); got != c.want {
			t.Errorf("%d+%d: %q, want %q", c.off, c.n, got, c.want)
		}
	}
}

// TestGlance: names, values, elements if they are asked for, and bytes; five of each are kept, and all are counted, up to a limit.
func TestGlance(t *testing.T) {
	src := model.NewFileSource("f", model.BytesReader("a leg and a leg"))
	view := &model.View{Name: "view", Root: func(context.Context) model.Node {
		return model.Node{Name: "view", Children: &model.Rows{Count: 4000, Make: func(_ context.Context, i int64) model.Node {
			n := model.Node{Name: fmt.Sprint("leg_", i)}
			switch {
			case i >= 3000:
				n = model.Node{Name: model.IndexName(i), Value: model.Text("has a leg")}
			case i >= 8:
				n.Name = model.IndexName(i)
			}
			return n
		}}}
	}}
	g := &Glance{Doc: &model.Document{Views: []*model.View{view}}, View: view, Source: src, Query: query(t, "leg")}
	g.Pattern, _ = ParsePattern("leg", Auto, PatternOptions{})
	g.FindNodes(t.Context(), nil)
	g.FindBytes(t.Context(), nil)
	var got []string
	for _, p := range g.Parts() {
		first := ""
		if len(p.Hits) > 0 {
			first = p.Hits[0].Path + "=" + p.Hits[0].Text
		}
		got = append(got, fmt.Sprint(len(p.Hits), " ", p.Count, " ", p.More, " ", p.Done, " ", first))
	}
	want := []string{"5 8 false true view/leg_0=leg_0", "5 1000 false true view/[3000]=has a leg", "0 0 false true ", "2 2 false true =61 20 [6c 65 67] 20 61 6e 64 20 61 20 6c   a [leg] and a l"}
	if strings.Join(got, ";") != strings.Join(want, ";") {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}
