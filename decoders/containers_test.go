package decoders

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"fmt"
	"hash/crc32"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"cutaway/decoders/decodertest"
	"cutaway/model"
	"cutaway/model/export"
	"cutaway/model/search"
)

// packed is a package of stored members, in order: names and contents.
func packed(t testing.TB, members ...string) string {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for i := 0; i < len(members); i += 2 {
		name, data := members[i], []byte(members[i+1])
		if err := w.Flush(); err != nil {
			t.Fatal(err)
		}
		extra := (2*64 - 4 - (b.Len()+30+len(name))%64) % 64
		header := zip.FileHeader{Name: name, Method: zip.Store, CRC32: crc32.ChecksumIEEE(data), CompressedSize64: uint64(len(data)),
			UncompressedSize64: uint64(len(data)), Extra: append([]byte{0x86, 0x19, byte(extra), 0}, make([]byte, extra)...)}
		m, err := w.CreateRaw(&header)
		if err == nil {
			_, err = m.Write(data)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// A container holds a file. What is seen of the file through it must be what is seen of the file alone.
type container struct {
	name   string
	made   string // the bytes
	member string // that has the file's views; "": the container itself
	root   string // the path of the file's layout in that of the member
}

// layoutIn is the path of a member's layout in that of its package, whose path is outer.
func layoutIn(outer, member string) string {
	return outer + "/" + model.EscapeSegment(member) + "/data@member"
}

// packages are the packages that can hold a file; first says whether it can be a default layer.
func packages(t *testing.T, name, f string, first bool) (all []container) {
	const layer, top = "#usda 1.0\n", model.LayoutView
	one := func(kind, made, member string, way ...string) {
		c := container{name: kind, made: made, member: member, root: top}
		for _, member := range way {
			c.root = layoutIn(c.root, member)
		}
		all = append(all, c)
	}
	second := packed(t, "layer.usda", layer, name, f)
	one("second", second, name)
	one("second of the first", packed(t, "in.usdz", second), "in.usdz["+name+"]")
	one("second of the second", packed(t, "layer.usda", layer, "in.usdz", second), "in.usdz["+name+"]")
	if !first {
		return all
	}
	alone := packed(t, name, f, "layer.usda", layer)
	one("first", alone, "", name)
	one("first of the first", packed(t, "in.usdz", alone), "", "in.usdz", name)
	one("first of the second", packed(t, "layer.usda", layer, "in.usdz", alone), "in.usdz", name)
	return all
}

// A sight is what is seen of a file: lines, by what they are about.
type sight map[string][]string

// sightOf looks at a document. own are the problems of it; home is the way out of the container.
func sightOf(ctx context.Context, doc *model.Document, own []model.LocatedProblem, home *way) (sight, error) {
	s := sight{}
	for i := range own {
		p := &own[i]
		src := ""
		if p.Span.Source != nil {
			src = home.source(p.Span.Source.Name())
		}
		at := home.path(p.Path)
		if _, err := doc.Lookup(ctx, p.Path); err != nil && p.Member == "" {
			at += " (no node)"
		}
		s["problems"] = append(s["problems"], strings.Join([]string{p.Rule, p.Kind.String(), p.Member, at, src, p.Span.String(), p.Error()}, "|"))
	}
	slices.Sort(s["problems"])
	if doc.Facts != nil {
		facts, err := doc.Facts(ctx, false, nil)
		if err != nil {
			return nil, err
		}
		for _, f := range facts {
			if f.Key != "members" {
				s["facts"] = append(s["facts"], f.Key+": "+model.Show(ctx, f.Value, 1000))
			}
		}
	}
	err := model.Walk(ctx, doc.Views[0].Place(ctx), model.WalkOptions{Resolve: true}, func(p *model.Place) error {
		for _, asset := range Assets(ctx, &p.Node) {
			s["assets"] = append(s["assets"], p.Path()+" "+asset)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	for _, v := range doc.Views {
		if v.Name == model.LayoutView {
			continue
		}
		if err := s.view(ctx, v.Name, v.Place(ctx), home); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// view adds what is exported of a tree, and found in it.
func (s sight) view(ctx context.Context, name string, root *model.Place, home *way) error {
	const most = 1000 // lines
	w := &capped{room: most}
	_, err := export.JSON(ctx, w, []*model.Place{root}, export.NestOptions{Walk: model.WalkOptions{Resolve: true, Elements: true}, Whole: true})
	if err != nil && w.room > 0 {
		return err
	}
	for line := range strings.SplitSeq(w.String(), "\n") {
		s[name] = append(s[name], home.line(line))
	}
	q, err := search.ParseQuery("e")
	if err != nil {
		return err
	}
	const enough = 200
	_, err = search.Tree(ctx, root, q, search.TreeOptions{Resolve: true}, func(_ context.Context, h search.Hit) error {
		if len(s[name+" hits"]) >= enough {
			return errEnough
		}
		s[name+" hits"] = append(s[name+" hits"], home.path(h.Place.Path()))
		return nil
	})
	if errors.Is(err, errEnough) {
		return nil
	}
	return err
}

var errEnough = errors.New("enough")

// capped keeps the first lines of what is written.
type capped struct {
	strings.Builder
	room int
}

func (w *capped) Write(p []byte) (int, error) {
	for line := range bytes.Lines(p) {
		if w.room--; w.room <= 0 {
			return 0, errEnough
		}
		w.Builder.Write(line) // memory takes all
	}
	return len(p), nil
}

// differs tells the first line in which two sights are not the same.
func (s sight) differs(other sight) string {
	about := map[string]bool{}
	for key := range s {
		about[key] = true
	}
	for key := range other {
		about[key] = true
	}
	for key := range about {
		a, b := s[key], other[key]
		for i := range max(len(a), len(b)) {
			x, y := "nothing", "nothing"
			if i < len(a) {
				x = a[i]
			}
			if i < len(b) {
				y = b[i]
			}
			if x != y {
				return fmt.Sprintf("%s, line %d:\n\talone %.700s\n\tin it %.700s", key, i, x, y)
			}
		}
	}
	return ""
}

func openMade(ctx context.Context, name, made string) (*model.Document, error) {
	return Opener{}.Open(ctx, model.NewFileSource(name, model.BytesReader(made)), name)
}

// alone is what is seen of a file by itself, and how many errors it has.
func alone(t *testing.T, name, f string) (s sight, errs int) {
	doc, err := openMade(t.Context(), name, f)
	if err != nil {
		return nil, 0 // no format takes it
	}
	defer func() { _ = doc.Close() }()
	report, err := doc.CheckAll(t.Context(), nil)
	if err == nil {
		s, err = sightOf(t.Context(), doc, report.Problems, &way{root: model.LayoutView})
	}
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return s, countErrors(report.Problems)
}

func countErrors(problems []model.LocatedProblem) (n int) {
	for i := range problems {
		if problems[i].Kind.Severity() == model.Error {
			n++
		}
	}
	return n
}

// through is what is seen of a file in a package.
func (c *container) through(t *testing.T) (s sight, errs int) {
	t.Helper()
	doc, err := openMade(t.Context(), "outer.usdz", c.made)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = doc.Close() }()
	report, err := doc.CheckAll(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(report.Tiling) > 0 {
		t.Errorf("%s: %s", c.name, report.Tiling[0])
	}
	var own []model.LocatedProblem
	for _, p := range report.Problems {
		if c.holds(&p) {
			own = append(own, p)
		}
	}
	of := doc
	if c.member != "" {
		if of, err = doc.OpenMember(t.Context(), c.member); err != nil {
			t.Fatal(err)
		}
		defer func() { _ = of.Close() }()
	}
	if s, err = sightOf(t.Context(), of, own, &way{c.root}); err != nil {
		t.Fatal(err)
	}
	if err := leads(t.Context(), doc); err != nil {
		t.Errorf("%s: %v", c.name, err)
	}
	return s, countErrors(report.Problems)
}

// holds reports whether a problem is of the file in the container, and makes its member that in the file.
func (c *container) holds(p *model.LocatedProblem) bool {
	if c.member != "" && p.Member == c.member {
		p.Member = ""
	} else if c.member != "" {
		in, ok := strings.CutPrefix(p.Member, strings.TrimRight(c.member, "]")+"[")
		if !ok {
			return false
		}
		p.Member = strings.TrimSuffix(in, strings.Repeat("]", 1+strings.Count(c.member, "]")))
	}
	firsts := strings.Split(c.root, "/")
	if p.Member == "" {
		return p.Span.Source == nil || c.root == model.LayoutView || strings.HasPrefix(p.Span.Source.Name(), c.root)
	}
	for i := 1; i < len(firsts); i += 2 { // the file is the first layer, and has members
		in, ok := strings.CutPrefix(p.Member, firsts[i]+"[")
		if !ok {
			return false
		}
		p.Member = strings.TrimSuffix(in, "]")
	}
	return true
}

// A way leads from the layout of a container to that of the file in it.
type way struct{ root string }

// path is a path of the file as it is alone.
func (w *way) path(s string) string { return strings.ReplaceAll(s, w.root, model.LayoutView) }

// source is a source's name as it is alone.
func (w *way) source(s string) string {
	if s == w.root {
		return model.FileSource
	}
	return w.path(s)
}

// line is a line of JSON as it is of the file alone.
func (w *way) line(s string) string {
	if w.root == model.LayoutView {
		return s
	}
	return w.path(strings.ReplaceAll(s, `"source":"`+w.root+`"`, `"source":"`+model.FileSource+`"`))
}

// leads holds the beginning of a layout to the paths that it tells: derived sources are named by their owners, and links to layouts lead to nodes.
func leads(ctx context.Context, doc *model.Document) error {
	const enough = 300
	seen := 0
	err := model.Walk(ctx, doc.View(model.LayoutView).Place(ctx), model.WalkOptions{Resolve: true, Derived: true}, func(p *model.Place) error {
		if seen++; seen > enough {
			return errEnough
		}
		if p.Index < 0 && p.Parent != nil && !strings.HasPrefix(p.Path(), p.Parent.Path()+"@") {
			return fmt.Errorf("what is derived from %s has the path %s", p.Parent.Path(), p.Path())
		}
		if p.Node.Refs == nil {
			return nil
		}
		for _, r := range p.Node.Refs(ctx) {
			if r.Path == "" || !strings.HasPrefix(r.Path, model.LayoutView) {
				continue
			}
			if _, err := doc.Lookup(ctx, r.Path); err != nil {
				return fmt.Errorf("a link of %s: %w", p.Path(), err)
			}
		}
		return nil
	})
	if errors.Is(err, errEnough) {
		return nil
	}
	return err
}

// TestPackagesAnswerForTheirMembers: what is wrong with a file, its facts, its values, what it exports, the files that it names and what a
// search finds are the same alone and as any member of any package. Files of every format, sound, damaged and changed.
func TestPackagesAnswerForTheirMembers(t *testing.T) {
	const changes = 12 // of each of a few files
	pairs, byFormat := 0, sampleFiles(t)
	for _, format := range slices.Sorted(mapKeys(byFormat)) {
		t.Run(format, func(t *testing.T) {
			if format == "ksy" {
				UseDescriptions("../testdata/ksy")
				t.Cleanup(func() { UseDescriptions() })
			}
			for i, file := range byFormat[format] {
				if strings.Contains(file, "nested-40") {
					continue // to be in a package is one level of those that are opened
				}
				data, err := os.ReadFile(file)
				if err != nil {
					t.Fatal(err)
				}
				name := filepath.Base(file)
				tried := []decodertest.File{{Name: name, Data: data}}
				if i%8 == 0 {
					tried = append(tried, decodertest.Mutants(tried[0], changes)...)
				}
				for k, f := range tried {
					pairs += answersFor(t, f, k == 0 && i%4 == 0)
				}
			}
		})
	}
	t.Logf("%d pairs", pairs)
}

func mapKeys(m map[string][]string) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		for k := range m {
			if !yield(k) {
				return
			}
		}
	}
}

// answersFor holds packages to the law: those in which the file is alone, or all.
func answersFor(t *testing.T, f decodertest.File, all bool) (pairs int) {
	t.Helper()
	want, errs := alone(t, f.Name, string(f.Data))
	if want == nil {
		return 0
	}
	usd := slices.Contains([]string{".usd", ".usda", ".usdc", ".usdz"}, path.Ext(f.Name))
	for _, c := range packages(t, f.Name, string(f.Data), usd) {
		if !all && strings.Contains(c.name, " ") {
			continue
		}
		pairs++
		got, found := c.through(t)
		if diff := want.differs(got); diff != "" || found != errs {
			t.Errorf("%s as %s: %d errors, alone %d; %s", f.Name, c.name, found, errs, diff)
		}
	}
	return pairs
}
