package decodertest

import (
	"context"
	"encoding/binary"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"cutaway/model"
)

// recorder is a test that keeps what it is told.
type recorder struct {
	testing.TB
	mu   sync.Mutex
	said []string
}

func (r *recorder) Helper()                           {}
func (r *recorder) Logf(string, ...any)               {}
func (r *recorder) Errorf(format string, args ...any) { r.Error(fmt.Sprintf(format, args...)) }
func (r *recorder) Error(args ...any) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.said = append(r.said, fmt.Sprint(args...))
}
func (r *recorder) Fatalf(format string, args ...any) {
	r.Errorf(format, args...)
	runtime.Goexit()
}
func (r *recorder) Fatal(args ...any) {
	r.Error(args...)
	runtime.Goexit()
}

// said runs f with a recorder and returns what it complained of.
func said(t *testing.T, f func(tb testing.TB)) string {
	r := &recorder{TB: t}
	done := make(chan bool)
	go func() {
		defer close(done)
		f(r)
	}()
	<-done
	return strings.Join(r.said, "\n")
}

// spoiler puts a fault into the decoder of pairs.
type spoiler func(doc *model.Document, nodes []model.Node) []model.Node

type faulty struct {
	name, complaint string
	spoil           spoiler
}

// pairs is a format of four bytes: a u16 that must be 1, and a u16 that its first leaf refers to.
func pairs(spoil spoiler) *model.Format {
	return &model.Format{
		Name:   "pairs",
		Detect: func(context.Context, *model.Probe) model.Detection { return model.Detection{Reason: "never"} },
		Open: func(ctx context.Context, req *model.OpenRequest) (*model.Document, error) {
			src := req.Source
			doc := &model.Document{Sources: []*model.Source{src}, Name: req.Name}
			nodes := pair(ctx, src)
			if spoil != nil {
				nodes = spoil(doc, nodes)
			}
			root := model.Node{Name: "root", Spans: []model.Span{src.Whole()}, Children: model.NewList(nodes...)}
			doc.Views = []*model.View{{Name: model.LayoutView, Of: src, Root: func(context.Context) model.Node { return root }}}
			doc.ReferencedBy = func(_ context.Context, p *model.Place, _ int, _ model.Progress) ([]model.Ref, int64, error) {
				if p.Path() == "layout/b" {
					return []model.Ref{{Kind: "next", Path: "layout/a"}}, 1, nil
				}
				return nil, 0, nil
			}
			return doc, nil
		},
		Rules: []model.Rule{{ID: "pairs.short", Help: "bytes are missing"}, {ID: "pairs.one", Help: "a is not 1"}},
	}
}

func pair(ctx context.Context, src *model.Source) []model.Node {
	b, err := src.Bytes(ctx, 0, 4)
	if err != nil {
		return []model.Node{{Name: "a", Spans: []model.Span{src.Whole()}, Problems: []model.Problem{
			model.Problemf(model.Truncated, "pairs.short", src.Whole(), "bytes are missing")}}}
	}
	a := model.Node{Name: "a", Type: "u16", Value: model.Uint(binary.LittleEndian.Uint16(b)), Spans: []model.Span{src.Span(0, 2)}}
	if a.Value != model.Uint(1) {
		a.Problems = []model.Problem{model.Problemf(model.Malformed, "pairs.one", a.Spans[0], "a is not 1")}
	}
	a.Refs = func(context.Context) []model.Ref { return []model.Ref{{Kind: "next", Path: "layout/b"}} }
	z := model.Node{Name: "b", Type: "u16", Value: model.Uint(binary.LittleEndian.Uint16(b[2:])), Spans: []model.Span{src.Span(2, 2)}}
	return []model.Node{a, z}
}

var pairFile = File{"pair", []byte{1, 0, 7, 9}}

func invariants(t *testing.T, f *model.Format) string {
	return said(t, func(tb testing.TB) {
		Invariants(tb, f, func() *model.Document {
			return Open(tb, f, pairFile.Name, model.BytesReader(pairFile.Data))
		})
	})
}

// TestInvariantsSeeFaults puts one fault after the other into a decoder that has none.
func TestInvariantsSeeFaults(t *testing.T) {
	if s := invariants(t, pairs(nil)); s != "" {
		t.Fatalf("complaints of a decoder without fault: %s", s)
	}
	turn := 0
	faults := []faulty{
		{"gap", "does not tile", func(_ *model.Document, n []model.Node) []model.Node {
			n[1].Spans[0].Off, n[1].Spans[0].Len = 3, 1
			return n
		}},
		{"overlap", "does not tile", func(_ *model.Document, n []model.Node) []model.Node {
			n[1].Spans[0].Off = 1
			return n
		}},
		{"missing end", "does not tile", func(_ *model.Document, n []model.Node) []model.Node { return n[:1] }},
		{"ref to nowhere", "leads nowhere", func(_ *model.Document, n []model.Node) []model.Node {
			n[0].Refs = func(context.Context) []model.Ref { return []model.Ref{{Kind: "next", Path: "layout/c"}} }
			return n
		}},
		{"ref without inverse", "does not lead back", func(_ *model.Document, n []model.Node) []model.Node {
			n[1].Refs = func(context.Context) []model.Ref { return []model.Ref{{Kind: "back", Path: "layout/a"}} }
			return n
		}},
		{"span outside", "outside", func(_ *model.Document, n []model.Node) []model.Node {
			far := model.Span{Source: n[0].Spans[0].Source, Off: 3, Len: 9}
			n[0].Problems = []model.Problem{model.Problemf(model.Suspicious, "pairs.one", far, "far")}
			return n
		}},
		{"rule unlisted", "not in the format's list", func(_ *model.Document, n []model.Node) []model.Node {
			n[1].Problems = []model.Problem{model.Problemf(model.Suspicious, "pairs.odd", n[1].Spans[0], "odd")}
			return n
		}},
		{"different each time", "piece by piece", func(_ *model.Document, n []model.Node) []model.Node {
			turn++
			n[1].Brief = fmt.Sprint(turn)
			return n
		}},
		{"bits without owner", "belong to no field", func(_ *model.Document, n []model.Node) []model.Node {
			bit := model.Node{Name: "bit", Spans: []model.Span{n[1].Spans[0]}}
			bit.Spans[0].Mask = 0xfffe
			n[1].Children = model.NewList(bit)
			return n
		}},
		{"role with children", "its role is", func(_ *model.Document, n []model.Node) []model.Node {
			n[1].Role = model.Unknown
			n[1].Children = model.NewList(model.Node{Name: "x", Spans: n[1].Spans})
			return n
		}},
		{"equal names", "named", func(_ *model.Document, n []model.Node) []model.Node {
			spans := n[1].Spans
			n[1].Children = &model.Rows{Count: 2, Make: func(_ context.Context, i int64) model.Node {
				return model.Node{Name: "x", Spans: []model.Span{{Source: spans[0].Source, Off: 2 + i, Len: 1}}}
			}}
			return n
		}},
		{"At finds another", "At finds", func(_ *model.Document, n []model.Node) []model.Node {
			spans := n[1].Spans
			n[1].Children = &model.Rows{Count: 2, ByByte: func(context.Context, *model.Source, int64) (int64, bool) { return 0, true },
				Make: func(_ context.Context, i int64) model.Node {
					return model.Node{Name: model.IndexName(i), Spans: []model.Span{{Source: spans[0].Source, Off: 2 + i, Len: 1}}}
				}}
			return n
		}},
	}
	for _, f := range faults {
		if s := invariants(t, pairs(f.spoil)); !strings.Contains(s, f.complaint) {
			t.Errorf("%s: want a complaint with %q, got %q", f.name, f.complaint, s)
		}
	}
}

// TestMutateSeesFaults does the same for faults that only damaged files show.
func TestMutateSeesFaults(t *testing.T) {
	run := func(f *model.Format, opt MutateOptions) string {
		return said(t, func(tb testing.TB) { Mutate(tb, f, []File{pairFile}, opt) })
	}
	if s := run(pairs(nil), MutateOptions{}); s != "" {
		t.Fatalf("complaints of a decoder without fault: %s", s)
	}
	damaged := func(n []model.Node) bool { return len(n) == 2 && n[1].Value != model.Uint(0x907) }
	faults := []faulty{
		{"panic", "panic: oh", func(_ *model.Document, n []model.Node) []model.Node {
			if damaged(n) {
				panic("oh")
			}
			return n
		}},
		{"change unseen", "not seen", func(_ *model.Document, n []model.Node) []model.Node {
			if len(n) == 2 {
				n[1].Value = nil
			}
			return n
		}},
		{"cut unseen", "are missing", func(_ *model.Document, n []model.Node) []model.Node {
			if len(n) == 1 {
				n[0].Problems = nil
			}
			return n
		}},
		{"gap", "does not tile", func(_ *model.Document, n []model.Node) []model.Node {
			if damaged(n) {
				n[1].Spans[0].Len = 1
			}
			return n
		}},
		{"slow", "took", func(_ *model.Document, n []model.Node) []model.Node {
			if len(n) == 2 && n[1].Value == model.Uint(0x900) {
				time.Sleep(timeLimit() + 10*time.Millisecond)
			}
			return n
		}},
		{"greedy", "allocated", func(_ *model.Document, n []model.Node) []model.Node {
			if damaged(n) {
				for range 9 {
					n[1].Brief = fmt.Sprint(len(make([]byte, 64<<20)))
				}
			}
			return n
		}},
	}
	for _, f := range faults {
		if s := run(pairs(f.spoil), MutateOptions{}); !strings.Contains(s, f.complaint) {
			t.Errorf("%s: want a complaint with %q, got %q", f.name, f.complaint, s)
		}
	}
	unseen := faults[slices.IndexFunc(faults, func(f faulty) bool { return f.name == "change unseen" })]
	allowed := MutateOptions{Exceptions: []Exception{{Path: "layout/b", Reason: "for the test"}}}
	if s := run(pairs(unseen.spoil), allowed); s != "" {
		t.Errorf("an exception is not heeded: %s", s)
	}
}

// TestSameSeesChanges compares a decoder with itself and with one that says a rule in other words.
func TestSameSeesChanges(t *testing.T) {
	compared := func(spoil spoiler) string {
		return said(t, func(tb testing.TB) { Same(tb, pairs(nil), pairs(spoil), []File{pairFile}, MutateOptions{}) })
	}
	if s := compared(nil); s != "" {
		t.Errorf("a decoder differs from itself: %s", s)
	}
	other := func(_ *model.Document, n []model.Node) []model.Node {
		for i := range n[0].Problems {
			n[0].Problems[i].Message = "a differs from 1"
		}
		return n
	}
	if s := compared(other); !strings.Contains(s, "byte 0x0 from 0x01 to 0x00") || !strings.Contains(s, "a differs from 1") {
		t.Errorf("of another message Same says: %s", s)
	}
}
