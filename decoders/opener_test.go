package decoders

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"cutaway/decoders/decodertest"
	"cutaway/decoders/guard"
	"cutaway/model"
)

// fake is a format of files that begin with its name, with faults on request.
func fake(name string, open func(ctx context.Context, req *model.OpenRequest) (*model.Document, error)) *model.Format {
	return &model.Format{
		Name: name, Title: name, Types: []model.FileType{{Extensions: []string{"." + name}}},
		Detect: func(_ context.Context, p *model.Probe) model.Detection {
			switch {
			case strings.HasPrefix(string(p.Head), name):
				return model.Detection{Confidence: model.Sure, Reason: "begins with " + name}
			case strings.Contains(string(p.Head), name):
				return model.Detection{Confidence: model.Guess - 1, Reason: name + " is there, but not at the start"}
			}
			return model.Detection{Reason: "no " + name + " at the start"}
		},
		Open: open,
	}
}

func fileSource(data string) *model.Source {
	return model.NewFileSource("test", model.BytesReader(data))
}

func TestDetectionChooses(t *testing.T) {
	formats := []*model.Format{fake("aaa", openBytes), fake("bbb", openBytes), bytesFormat}
	doc, err := Opener{formats: formats}.Open(t.Context(), fileSource("bbb and more"), "x")
	if err != nil || doc.Why != "begins with bbb" {
		t.Fatalf("opened %+v, %v", doc, err)
	}
}

// TestEmpty: of an empty file it is only said that it is empty.
func TestEmpty(t *testing.T) {
	_, err := Opener{}.Open(t.Context(), fileSource(""), "x.usdc")
	if refused := new(model.ErrUnrecognized); !errors.As(err, &refused) || err.Error() != "empty: the file has no bytes" {
		t.Errorf("%v", err)
	}
}

func TestUnrecognized(t *testing.T) {
	formats := []*model.Format{fake("aaa", openBytes), fake("bbb", openBytes), bytesFormat}
	for _, k := range []struct{ data, name, nearest string }{
		{"zzz", "x", ""}, {"zzz", "x.AAA", "aaa"}, {"zz bbb", "x.aaa", "bbb"},
	} {
		_, err := Opener{formats: formats}.Open(t.Context(), fileSource(k.data), k.name)
		var refused *model.ErrUnrecognized
		if !errors.As(err, &refused) {
			t.Fatalf("%q: %v", k.data, err)
		}
		if len(refused.Tried) != len(formats) || refused.Nearest != k.nearest {
			t.Errorf("%q, %q: %d tried, nearest %q, want %q", k.data, k.name, len(refused.Tried), refused.Nearest, k.nearest)
		}
		for _, tried := range refused.Tried {
			if tried.Reason == "" || !strings.Contains(refused.Reasons(), tried.Reason) {
				t.Errorf("%q: the reason of %s is lost: %s", k.data, tried.Format, refused.Reasons())
			}
		}
	}
}

func TestForced(t *testing.T) {
	var got model.OpenRequest
	spy := fake("aaa", func(ctx context.Context, req *model.OpenRequest) (*model.Document, error) {
		got = *req
		return openBytes(ctx, req)
	})
	o := Opener{formats: []*model.Format{bytesFormat, spy}}
	if _, err := o.OpenWith(t.Context(), fileSource("zzz"), "x", Options{Format: "aaa"}); err != nil || !got.Forced {
		t.Errorf("forced: %v, request %+v", err, got)
	}
	if got.Files == nil || got.Opener == nil {
		t.Errorf("the request lacks files or an opener: %+v", got)
	}
	if _, err := o.Open(t.Context(), fileSource("aaa"), "x"); err != nil || got.Forced {
		t.Errorf("detected: %v, request %+v", err, got)
	}
	_, err := o.OpenWith(t.Context(), fileSource("zzz"), "x", Options{Format: "ccc"})
	if err == nil || !strings.Contains(err.Error(), "there are bytes, aaa") {
		t.Errorf("unknown format: %v", err)
	}
}

func TestFromOffset(t *testing.T) {
	o := Opener{formats: []*model.Format{fake("aaa", openBytes)}}
	doc, err := o.OpenWith(t.Context(), fileSource("headaaatail"), "x", Options{At: 4})
	if err != nil {
		t.Fatal(err)
	}
	if b, err := doc.Source().Bytes(t.Context(), 0, 7); string(b) != "aaatail" || err != nil || doc.Source().Size() != 7 {
		t.Errorf("bytes %q, %v", b, err)
	}
	for _, at := range []int64{-1, 12} {
		if _, err := o.OpenWith(t.Context(), fileSource("headaaatail"), "x", Options{At: at}); err == nil {
			t.Errorf("offset %d is taken", at)
		}
	}
}

func TestUnknownOption(t *testing.T) {
	closed := false
	options := func(list ...model.Option) *model.Format {
		return fake("aaa", func(ctx context.Context, req *model.OpenRequest) (*model.Document, error) {
			doc, err := openBytes(ctx, req)
			doc.Options = list
			doc.OnClose(func() error { closed = true; return nil })
			return doc, err
		})
	}
	open := func(f *model.Format, name string) error {
		_, err := Opener{formats: []*model.Format{f}}.OpenWith(t.Context(), fileSource("aaa"), "x",
			Options{Options: map[string]string{name: "1"}})
		return err
	}
	if err := open(options(), "step"); err == nil || !closed {
		t.Errorf("without options: %v, closed %t", err, closed)
	}
	schema := model.Option{Name: "schema"}
	if err := open(options(schema), "step"); err == nil || !strings.Contains(err.Error(), "there are schema") {
		t.Errorf("another option: %v", err)
	}
	if err := open(options(schema), "schema"); err != nil {
		t.Errorf("a known option: %v", err)
	}
}

func TestNestingIsBounded(t *testing.T) {
	var self *model.Format
	depth := 0
	self = fake("aaa", func(ctx context.Context, req *model.OpenRequest) (*model.Document, error) {
		depth++
		return req.Opener.Open(ctx, req.Source, "inner")
	})
	_, err := Opener{formats: []*model.Format{self}}.Open(t.Context(), fileSource("aaa"), "x")
	if err == nil || depth != maxNesting || !strings.Contains(err.Error(), "16 documents") {
		t.Errorf("%d documents deep: %v", depth, err)
	}
}

// A file is not refused because the looking at it was stopped.
func TestStoppedDetection(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	slow := fake("aaa", openBytes)
	slow.Detect = func(context.Context, *model.Probe) model.Detection {
		stop()
		return model.Detection{Reason: "the bytes could not be read"}
	}
	if _, err := (Opener{formats: []*model.Format{slow}}).Open(ctx, fileSource("aaa"), "x"); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// catchFaults turns panics into problems, as outside of tests.
func catchFaults(t *testing.T) {
	guard.Strict(false)
	t.Cleanup(func() { guard.Strict(true) })
}

func TestFaultWhileOpening(t *testing.T) {
	catchFaults(t)
	f := fake("aaa", func(context.Context, *model.OpenRequest) (*model.Document, error) { panic("oh no") })
	doc, err := Opener{formats: []*model.Format{f}}.Open(t.Context(), fileSource("aaa bytes"), "x")
	if err != nil {
		t.Fatal(err)
	}
	report, err := doc.CheckAll(t.Context(), nil)
	if err != nil || len(report.Tiling) > 0 || len(report.Problems) != 1 || report.Problems[0].Rule != guard.FaultRule {
		t.Errorf("report %+v, %v", report, err)
	}
	if m := report.Problems[0].Message; !strings.Contains(m, "oh no") || doc.Format != "aaa" {
		t.Errorf("format %s, message %q", doc.Format, m)
	}
}

func TestFaultWhileDetecting(t *testing.T) {
	catchFaults(t)
	bad := fake("aaa", openBytes)
	bad.Detect = func(context.Context, *model.Probe) model.Detection { panic("oh no") }
	doc, err := Opener{formats: []*model.Format{bad, fake("bbb", openBytes)}}.Open(t.Context(), fileSource("bbb"), "x")
	if err != nil || doc.Why != "begins with bbb" {
		t.Errorf("opened %+v, %v", doc, err)
	}
}

// faulty is Children whose every call panics.
type faulty struct{}

func (faulty) Len(context.Context) (int64, bool)                          { panic("len") }
func (faulty) At(context.Context, int64) model.Node                       { panic("at") }
func (faulty) Pending() bool                                              { return true }
func (faulty) Index(context.Context, string) (int64, bool)                { panic("index") }
func (faulty) Locate(context.Context, *model.Source, int64) (int64, bool) { panic("locate") }
func (faulty) Resolve(context.Context, model.Progress) error              { panic("resolve") }

// TestFaultsAfterOpening asks a document for all it offers while every answer panics.
func TestFaultsAfterOpening(t *testing.T) {
	catchFaults(t)
	src := fileSource("aaa bytes")
	f := fake("aaa", func(context.Context, *model.OpenRequest) (*model.Document, error) {
		node := model.Node{
			Name: "node", Spans: []model.Span{src.Whole()},
			Refs:  func(context.Context) []model.Ref { panic("refs") },
			Cards: func(context.Context) []model.Card { panic("cards") },
			Derived: []*model.Derivation{{Name: "d", Open: func(context.Context) (*model.Source, model.Node, error) {
				panic("derived")
			}}},
			Children: &model.Rows{Count: 2, Make: func(context.Context, int64) model.Node { panic("row") }},
		}
		return &model.Document{
			Sources: []*model.Source{src},
			Views: []*model.View{
				{Name: model.LayoutView, Of: src, Root: func(context.Context) model.Node { return node }},
				{Name: "bad", Root: func(context.Context) model.Node { panic("root") },
					Find: func(context.Context, model.Span, int) ([]string, int64, error) { panic("find") }},
				{Name: "pending", Root: func(context.Context) model.Node { return model.Node{Name: "pending", Children: faulty{}} }},
			},
			Facts: func(context.Context, bool, model.Progress) ([]model.Fact, error) { panic("facts") },
			Stats: func(context.Context, string, model.Progress) ([]model.Stat, error) { panic("stats") },
			Check: func(context.Context, model.Progress, func(string, model.Problem)) error { panic("check") },
			ReferencedBy: func(context.Context, *model.Place, int, model.Progress) ([]model.Ref, int64, error) {
				panic("refs")
			},
			SetOption: func(context.Context, string, string) (*model.Document, error) { panic("option") },
			Member:    func(context.Context, string) (*model.Document, error) { panic("member") },
		}, nil
	})
	doc, err := Opener{formats: []*model.Format{f}}.Open(t.Context(), src, "x")
	if err != nil {
		t.Fatal(err)
	}
	ctx := t.Context()
	root := doc.View(model.LayoutView).Place(t.Context())
	if row := root.Child(t.Context(), 1); row.Node.Name != "[1]" || len(row.Node.Problems) != 1 {
		t.Errorf("row: %+v", row.Node)
	}
	if refs := root.Node.Refs(t.Context()); refs != nil {
		t.Errorf("refs %v", refs)
	}
	var errCards error
	for _, c := range root.Node.Cards(t.Context()) {
		errCards = c.(model.Words).WriteText(ctx, io.Discard, nil)
	}
	_, errDerive := root.Derive(ctx, 0)
	_, _, errFind := doc.View("bad").Find(ctx, src.Whole(), 1)
	_, errFacts := doc.Facts(ctx, false, nil)
	_, errStats := doc.Stats(ctx, "type", nil)
	_, _, errRefs := doc.ReferencedBy(ctx, root, 1, nil)
	_, errOption := doc.SetOption(ctx, "a", "b")
	_, errMember := doc.Member(ctx, "a")
	pending := doc.View("pending").Place(t.Context())
	errResolve := pending.Resolve(ctx, nil)
	for what, err := range map[string]error{
		"derive": errDerive, "find": errFind, "facts": errFacts, "cards": errCards, "stats": errStats, "refs": errRefs,
		"option": errOption, "member": errMember, "resolve": errResolve,
	} {
		var p model.Problem
		if !errors.As(err, &p) || p.Rule != guard.FaultRule || !strings.Contains(p.Stack, "TestFaultsAfterOpening") || strings.Contains(err.Error(), "goroutine") {
			t.Errorf("%s: %v, stack %q", what, err, p.Stack)
		}
	}
	if n, exact := pending.Len(t.Context()); n != 0 || !exact {
		t.Errorf("len %d, %t", n, exact)
	}
	if _, ok := model.IndexOf(t.Context(), pending.Node.Children, "a"); ok {
		t.Error("index finds a name")
	}
	if _, ok := model.Locate(t.Context(), pending.Node.Children, src, 0); ok {
		t.Error("locate finds a byte")
	}
	if bad := doc.View("bad").Place(t.Context()); len(bad.Node.Problems) != 1 {
		t.Errorf("root: %+v", bad.Node)
	}
	report, err := doc.CheckAll(ctx, nil)
	if err != nil || report.Sound() {
		t.Errorf("check: %v, sound %t", err, report.Sound())
	}
}

// TestGuardKeepsTree walks a list, rows and pending children behind the guard.
func TestGuardKeepsTree(t *testing.T) {
	src := fileSource("aaa bytes")
	rows := model.FixedRows(src, 0, 1, 9, func(_ context.Context, i int64) model.Node {
		return model.Node{Name: model.IndexName(i), Spans: []model.Span{src.Span(i, 1)}}
	})
	lazy := model.NewLazy(func(context.Context, model.Progress) (model.Children, error) { return rows, nil })
	f := fake("aaa", func(_ context.Context, req *model.OpenRequest) (*model.Document, error) {
		doc, err := openBytes(context.Background(), req)
		doc.Views[0].Root = func(context.Context) model.Node {
			return model.Node{Name: "root", Spans: []model.Span{src.Whole()}, Children: lazy}
		}
		return doc, err
	})
	doc, err := Opener{formats: []*model.Format{f}}.Open(t.Context(), src, "x")
	if err != nil {
		t.Fatal(err)
	}
	if p, final := doc.At(t.Context(), src, 4); final || p.Path() != "layout" {
		t.Errorf("before: %s, %t", p.Path(), final)
	}
	if p, err := doc.ResolveAt(t.Context(), src, 4, nil); err != nil || p.Path() != "layout/[4]" {
		t.Errorf("at byte 4: %v, %v", p, err)
	}
	if p, err := doc.Lookup(t.Context(), "layout/[7]"); err != nil || p.Node.Span().Off != 7 {
		t.Errorf("lookup: %v, %v", p, err)
	}
}

func TestOpenFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "some.bin")
	if err := os.WriteFile(path, []byte("plain"), 0o600); err != nil {
		t.Fatal(err)
	}
	doc, err := OpenFile(t.Context(), path, OpenOptions{Options: Options{Format: "bytes"}})
	if err != nil {
		t.Fatal(err)
	}
	if doc.Name != "some.bin" || doc.Format != "bytes" {
		t.Errorf("opened %s as %s", doc.Name, doc.Format)
	}
	if err := doc.Close(); err != nil {
		t.Error(err)
	}
	if _, err := doc.Source().Bytes(t.Context(), 0, 1); err == nil {
		t.Error("a closed document still reads its file")
	}
	var refused *model.ErrUnrecognized
	if _, err := OpenFile(t.Context(), path, OpenOptions{}); !errors.As(err, &refused) {
		t.Errorf("plain text: %v", err)
	}
	if _, err := OpenFile(t.Context(), path+".absent", OpenOptions{}); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("absent file: %v", err)
	}
	target := Target{File: path, Inner: "a", Offset: -1}
	if _, err := OpenTarget(t.Context(), target, OpenOptions{}); !errors.As(err, &refused) {
		t.Errorf("member of plain text: %v", err)
	}
}

func TestMembers(t *testing.T) {
	closed := 0
	var box func(depth int) *model.Document
	box = func(depth int) *model.Document {
		doc := &model.Document{Name: "box", Title: "a box", Sources: []*model.Source{fileSource("aaa in the box")}}
		doc.OnClose(func() error { closed++; return nil })
		if depth > 0 {
			doc.Member = func(_ context.Context, inner string) (*model.Document, error) {
				if inner == "in" {
					return box(depth - 1), nil
				}
				return nil, errors.New("no such member")
			}
		}
		return doc
	}
	doc, err := openMember(t.Context(), box(3), "in[in[in]]", Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := doc.Close(); err != nil || closed != 3 {
		t.Errorf("closed %d of 3 documents, %v", closed, err)
	}
	closed = 0
	for inner, want := range map[string]string{
		"out": "no such member", "in[out]": "no such member", "out[in]": "no such member", "in[in[in]]": "has no members",
	} {
		if _, err := openMember(t.Context(), box(2), inner, Options{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", inner, err)
		}
	}
	if closed != 3 {
		t.Errorf("%d documents on the way were closed, want 3", closed)
	}
	again, err := openMember(t.Context(), box(1), "in", Options{Format: "bytes"})
	if err != nil || again.Format != "bytes" {
		t.Errorf("a member opened by name of its format: %v, %v", again, err)
	}
}

func TestSetOptionKeepsFiles(t *testing.T) {
	closed := false
	f := fake("aaa", func(ctx context.Context, req *model.OpenRequest) (*model.Document, error) {
		doc, err := openBytes(ctx, req)
		doc.OnClose(func() error { closed = true; return nil })
		doc.SetOption = func(context.Context, string, string) (*model.Document, error) { return openBytes(ctx, req) }
		return doc, err
	})
	doc, err := Opener{formats: []*model.Format{f}}.Open(t.Context(), fileSource("aaa"), "x")
	if err != nil {
		t.Fatal(err)
	}
	again, err := doc.SetOption(t.Context(), "step", "2")
	if err != nil || closed {
		t.Fatalf("set: %v, closed %t", err, closed)
	}
	if err := again.Close(); err != nil || !closed {
		t.Errorf("closing the new document: %v, the old one's files closed: %t", err, closed)
	}
}

func TestBytes(t *testing.T) {
	for _, data := range []string{"", "a", strings.Repeat("some bytes", 10_000)} {
		decodertest.Invariants(t, bytesFormat, func() *model.Document {
			return decodertest.Open(t, bytesFormat, "x", model.BytesReader(data))
		})
	}
}

// TestList checks what the list promises of every format.
func TestList(t *testing.T) {
	seen := make(map[string]bool)
	for _, f := range All() {
		if f.Name == "" || f.Title == "" || f.Depth == "" || f.Detect == nil || f.Open == nil || seen[f.Name] {
			t.Errorf("format %q lacks something, or is listed twice", f.Name)
		}
		seen[f.Name] = true
		if ByName(f.Name) == nil {
			t.Errorf("%s is not found by its name", f.Name)
		}
		for _, ext := range f.Extensions() {
			if ext != strings.ToLower(ext) || !strings.HasPrefix(ext, ".") {
				t.Errorf("%s: extension %q", f.Name, ext)
			}
		}
		rules := make(map[string]bool)
		for _, r := range f.Rules {
			own := strings.HasPrefix(r.ID, f.Name+".") || strings.HasPrefix(r.ID, "usd.") && f.Files != nil // text and crates share these
			if !own || r.Help == "" || rules[r.ID] {
				t.Errorf("%s: rule %q, %q", f.Name, r.ID, r.Help)
			}
			rules[r.ID] = true
		}
		if d := decodertest.Detect(t.Context(), f, "x", nil); d.Confidence >= model.Guess || d.Reason == "" {
			t.Errorf("%s takes an empty file: %+v", f.Name, d)
		}
	}
	if ByName("none") != nil {
		t.Error("there is a format none")
	}
}

func TestUSDText(t *testing.T) {
	for _, name := range []string{"scene.usd", "scene.usda", "scene"} {
		src := model.NewFileSource(name, model.BytesReader("#usda 1.0\ndef Xform \"World\" {}\n"))
		if doc, err := (Opener{}).Open(t.Context(), src, name); err != nil || doc.Format != "usda" {
			t.Errorf("%s: %v; want USD text", name, err)
		}
	}
}
