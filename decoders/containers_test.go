package decoders

import (
	"archive/zip"
	"bytes"
	"compress/flate"
	"compress/gzip"
	"context"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"hash/crc32"
	"maps"
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
func zipOf(t testing.TB, members ...string) string { return zipDeflating(t, "", members...) }

// zipped is a package as packed makes it, but for one member, which is deflated.
func zipDeflating(t testing.TB, deflated string, members ...string) string {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for i := 0; i < len(members); i += 2 {
		name, data := members[i], []byte(members[i+1])
		stored, method := data, zip.Store
		if name == deflated {
			stored, method = deflate(t, data), zip.Deflate
		}
		if err := w.Flush(); err != nil {
			t.Fatal(err)
		}
		extra := (2*64 - 4 - (b.Len()+30+len(name))%64) % 64
		header := zip.FileHeader{Name: name, Method: method, CRC32: crc32.ChecksumIEEE(data), CompressedSize64: uint64(len(stored)),
			UncompressedSize64: uint64(len(data)), Extra: append([]byte{0x86, 0x19, byte(extra), 0}, make([]byte, extra)...)}
		m, err := w.CreateRaw(&header)
		if err == nil {
			_, err = m.Write(stored)
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

func deflate(t testing.TB, data []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	w, err := flate.NewWriter(&b, flate.DefaultCompression)
	if err == nil {
		_, err = w.Write(data)
	}
	if err = errors.Join(err, w.Close()); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// A container holds a file. What is seen of the file through it must be what is seen of the file alone.
type container struct {
	name   string
	made   string // the bytes
	member string // that has the file's views; "": the container itself
	root   string // the path of the file's layout in that of the member
	field  string // the file's node below the roots of the views; "": they are its own
	errors int    // of its own
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
	second := zipOf(t, "layer.usda", layer, name, f)
	one("second", second, name)
	deflated := func(members ...string) string { return zipDeflating(t, name, members...) }
	one("second, deflated", deflated("layer.usda", layer, name, f), name)
	all[1].errors = 1
	one("second of the first", zipOf(t, "in.usdz", second), "in.usdz["+name+"]")
	one("second of the second", zipOf(t, "layer.usda", layer, "in.usdz", second), "in.usdz["+name+"]")
	if !first {
		return all
	}
	alone := zipOf(t, name, f, "layer.usda", layer)
	one("first", alone, "", name)
	all = append(all, container{name: "first, deflated", made: deflated(name, f), root: top + "/" + model.EscapeSegment(name) + "/data@inflated", errors: 1})
	one("first of the first", zipOf(t, "in.usdz", alone), "", "in.usdz", name)
	one("first of the second", zipOf(t, "layer.usda", layer, "in.usdz", alone), "in.usdz", name)
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
			if !slices.Contains([]string{"members", "payloads", "wrapper", "inflated"}, f.Key) { // they are of the container
				s["facts"] = append(s["facts"], f.Key+": "+model.Show(ctx, f.Value, 1000))
			}
		}
	}
	names := FilesOf(doc)
	err := model.Walk(ctx, doc.Views[0].Place(ctx), model.WalkOptions{Resolve: true}, func(p *model.Place) error {
		if names == nil {
			return model.ErrSkip
		}
		for _, asset := range names.Of(ctx, &p.Node) {
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
		root := v.Place(ctx)
		if home.field != "" {
			if root, err = doc.Lookup(ctx, v.Name+"/"+home.field); err != nil {
				return nil, err
			}
		}
		if err := s.view(ctx, v.Name, root, home); err != nil {
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
	if home.bare {
		s[name] = s[name][1 : len(s[name])-1] // the last one closes what is open
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
		if !home.bare || h.Place.Path() != root.Path() {
			s[name+" hits"] = append(s[name+" hits"], home.path(h.Place.Path()))
		}
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
		if key == links && len(a) > 0 {
			continue // its own links are astray
		}
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

func openMade(ctx context.Context, name, made string, opt Options) (*model.Document, error) {
	return Opener{}.OpenWith(ctx, model.NewFileSource(name, model.BytesReader(made)), name, opt)
}

// alone is what is seen of a file by itself, and how many errors it has.
func alone(t *testing.T, name, f string, opt Options, bare bool) (s sight, errs int) {
	doc, err := openMade(t.Context(), name, f, opt)
	if err != nil {
		return nil, 0 // no format takes it
	}
	defer func() { _ = doc.Close() }()
	report, err := doc.CheckAll(t.Context(), nil)
	if err == nil {
		report.Problems = slices.DeleteFunc(report.Problems, isOfFirst)
		s, err = sightOf(t.Context(), doc, report.Problems, &way{root: model.LayoutView, bare: bare})
	}
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	s.astray(t.Context(), doc)
	return s, countErrors(report.Problems)
}

// isOfFirst reports whether a problem is one that only the first layer of a package can have.
func isOfFirst(p model.LocatedProblem) bool { return p.Rule == "usd.data.stage" }

func countErrors(problems []model.LocatedProblem) (n int) {
	for i := range problems {
		if problems[i].Kind.Severity() == model.Error {
			n++
		}
	}
	return n
}

// through is what is seen of a file in a container of that name.
func (c *container) through(t *testing.T, name string, opt Options, bare bool) (s sight, errs int) {
	t.Helper()
	doc, err := openMade(t.Context(), name, c.made, opt)
	if err != nil {
		t.Fatalf("%s: %v", c.name, err)
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
		if c.holds(&p) && !isOfFirst(p) {
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
	if s, err = sightOf(t.Context(), of, own, &way{c.root, c.field, bare}); err != nil {
		t.Fatal(err)
	}
	s.astray(t.Context(), doc)
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

// A way leads from the views of a container to those of the file in it.
type way struct {
	root, field string // as of a container
	bare        bool   // the roots of views are not compared
}

// path is a path of the file as it is alone.
func (w *way) path(s string) string {
	s = strings.ReplaceAll(s, w.root, model.LayoutView)
	if w.field != "" {
		s = strings.ReplaceAll(s, "/"+w.field, "")
	}
	return s
}

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
		return w.path(s)
	}
	return w.path(strings.ReplaceAll(s, `"source":"`+w.root+`"`, `"source":"`+model.FileSource+`"`))
}

// astray adds the first link in a layout that leads nowhere, as some of damaged files do.
func (s sight) astray(ctx context.Context, doc *model.Document) {
	if err := leads(ctx, doc); err != nil {
		s[links] = []string{err.Error()}
	}
}

const links = "links" // of a sight

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
	pairs, byFormat := map[string]int{}, sampleFiles(t)
	delete(byFormat, "ledger") // many, and alike
	for _, format := range slices.Sorted(maps.Keys(byFormat)) {
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
					pairs[format] += answersFor(t, f, k == 0 && i%4 == 0)
				}
			}
		})
	}
	t.Logf("pairs: %v", pairs)
}

// ofData reports whether some problems are of the data rules.
func (s sight) ofData() bool {
	return slices.ContainsFunc(s["problems"], func(line string) bool {
		return strings.HasPrefix(line, "usd.data.") || strings.HasPrefix(line, "usd.standard.")
	})
}

// answersFor holds packages to the law: those in which the file is alone, or all.
func answersFor(t *testing.T, f decodertest.File, all bool) (pairs int) {
	t.Helper()
	want, errs := alone(t, f.Name, string(f.Data), Options{}, false)
	if want == nil {
		return 0
	}
	usd := slices.Contains([]string{".usd", ".usda", ".usdc", ".usdz"}, path.Ext(f.Name))
	for _, c := range packages(t, f.Name, string(f.Data), usd) {
		if !all && strings.Contains(c.name, " ") || c.errors > 0 && want.ofData() { // data of a damaged file is not checked
			continue
		}
		pairs++
		got, found := c.through(t, "outer.usdz", Options{}, false)
		if diff := want.differs(got); diff != "" || found != errs+c.errors {
			t.Errorf("%s as %s: %d errors, alone %d; %s", f.Name, c.name, found-c.errors, errs, diff)
		}
	}
	return pairs
}

// unityFile is a file of Unity with a payload in a field of its second object.
func unityFile(field, text string, format int) string {
	return fmt.Sprintf("%%YAML 1.1\n%%TAG !u! tag:unity3d.com,2011:\n--- !u!1 &1\nGameObject:\n  m_Name: Holder\n--- !u!114 &11400000\nMonoBehaviour:\n"+
		"  m_Name: Thing\n  serializationData:\n    SerializedFormat: %d\n    %s: %s\n    SerializationNodes: []\n", format, field, text)
}

// variables is a field with a payload in a prefab that is changed by an instance of it.
const variables = "serializedPublicVariablesBytesString"

// prefabFile is that instance.
func prefabFile(text string) string {
	return "%YAML 1.1\n%TAG !u! tag:unity3d.com,2011:\n--- !u!1001 &77\nPrefabInstance:\n  m_Modification:\n    m_Modifications:\n" +
		"    - target: {fileID: 2, guid: e10ab24bd1c8f7abca1605dfcddbc499, type: 3}\n      propertyPath: " + variables + "\n" +
		"      value: " + text + "\n      objectReference: {fileID: 0}\n"
}

func gpacked(t *testing.T, data string) string {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	if _, err := z.Write([]byte(data)); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// streamsHeld are the containers of a stream of OdinSerializer, in files of Unity and gzip.
func streamsHeld(t *testing.T, f string, format int) []container {
	const hexField, textField, program = "SerializedBytes", "SerializedBytesString", "serializedProgramCompressedBytes"
	in := func(object int, field string) string {
		return fmt.Sprintf("layout/[%d]/%s/value@decoded", object, field)
	}
	zip := gpacked(t, f)
	text, zipText := base64.StdEncoding.EncodeToString([]byte(f)), base64.StdEncoding.EncodeToString([]byte(zip))
	return []container{
		{name: "gzip", made: zip, root: "layout@inflated"},
		{name: "hex", made: unityFile(hexField, hex.EncodeToString([]byte(f)), format), root: in(1, hexField), field: hexField},
		{name: "base64", made: unityFile(textField, text, format), root: in(1, textField), field: textField},
		{name: "gzip in hex", made: unityFile(program, hex.EncodeToString([]byte(zip)), format), root: in(1, program) + "@inflated", field: program},
		{name: "prefab", made: prefabFile(text), root: in(0, variables), field: variables},
		{name: "gzip in prefab", made: prefabFile(zipText), root: in(0, variables) + "@inflated", field: variables},
	}
}

// TestUnityFilesAnswerForTheirStreams: what is seen of a stream alone is seen through gzip, hexadecimal digits and base64 in files of Unity,
// and the changes of a prefab; so it is where those are in a package.
func TestUnityFilesAnswerForTheirStreams(t *testing.T) {
	pairs := 0
	for i, file := range sampleFiles(t)["odin"] {
		name := filepath.Base(file)
		if !strings.Contains(name, ".odin") || strings.HasSuffix(name, ".gz") || strings.HasSuffix(name, ".txt") {
			continue
		}
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		format := 0
		if strings.HasSuffix(name, ".json") {
			format = 1
		}
		tried := []decodertest.File{{Name: name, Data: data}}
		if i%8 == 0 {
			tried = append(tried, decodertest.Mutants(tried[0], 12)...)
		}
		for _, f := range tried {
			want, errs := alone(t, name, string(f.Data), Options{}, true)
			if want == nil {
				continue
			}
			for _, c := range streamsHeld(t, string(f.Data), format) {
				opt := Options{}
				if c.name == "gzip" {
					opt.Format = "odin" // by name alone, as streams are known that are damaged at their beginnings
				}
				pairs++
				got, found := c.through(t, name+".asset", opt, true)
				if diff := want.differs(got); diff != "" || found != errs {
					t.Errorf("%s in %s: %d errors, alone %d; %s", name, c.name, found, errs, diff)
				}
			}
		}
	}
	if pairs == 0 {
		t.Error("there is nothing to compare")
	}
	t.Logf("%d pairs", pairs)
}

// envelope is a FlatBuffer of testdata/flatbuffer/post.bfbs with one in its third field, which begins at 32.
func envelope(letter string) string {
	b := []byte{16, 0, 0, 0, 10, 0, 8, 0, 0, 0, 0, 0, 4, 0, 0, 0, 12, 0, 0, 0, 8, 0, 0, 0, 0, 0, 0, 0}
	return string(binary.LittleEndian.AppendUint32(b, uint32(len(letter)))) + letter
}

// rootedAt is a compiled schema whose root is another of its tables, without an identifier.
func rootedAt(schema []byte, object int) []byte {
	const objects, identifier, root = 0, 2, 4 // fields of reflection.Schema
	u32 := func(at int) int { return int(binary.LittleEndian.Uint32(schema[at:])) }
	table := u32(0)
	vtable := table - int(int32(u32(table)))
	field := func(slot int) int { return table + int(binary.LittleEndian.Uint16(schema[vtable+4+2*slot:])) }
	list := field(objects) + u32(field(objects))
	entry := list + 4 + 4*object
	schema = bytes.Clone(schema)
	binary.LittleEndian.PutUint32(schema[field(root):], uint32(entry+u32(entry)-field(root)))
	binary.LittleEndian.PutUint16(schema[vtable+4+2*identifier:], 0)
	return schema
}

// TestFlatBuffersAnswerForNested: what is seen of a FlatBuffer alone is seen of one in a vector of bytes.
func TestFlatBuffersAnswerForNested(t *testing.T) {
	const post = "../testdata/flatbuffer/post.bfbs"
	whole, err := os.ReadFile("../testdata/flatbuffer/envelope.post")
	if err != nil {
		t.Fatal(err)
	}
	schema, err := os.ReadFile(post)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "letter.bfbs")
	if err := os.WriteFile(file, rootedAt(schema, 1), 0o600); err != nil {
		t.Fatal(err)
	}
	letter := decodertest.File{Name: "letter.bin", Data: whole[0x34 : 0x34+84]}
	opt := func(schema string) Options { return Options{Options: map[string]string{"schema": schema}} }
	pairs := 0
	for _, f := range append([]decodertest.File{letter}, decodertest.Mutants(letter, 100)...) {
		want, errs := alone(t, f.Name, string(f.Data), opt(file), true)
		if want == nil {
			continue
		}
		pairs++
		c := container{name: "nested", made: envelope(string(f.Data)), root: "layout/0x1c/elements@flatbuffer", field: "letter"}
		got, found := c.through(t, "envelope.post", opt(post), true)
		delete(want, "facts") // they count what is in the outer one
		delete(got, "facts")
		if diff := want.differs(got); diff != "" || found != errs {
			t.Errorf("%d errors, alone %d; %s", found, errs, diff)
		}
	}
	if pairs == 0 {
		t.Error("there is nothing to compare")
	}
	t.Logf("%d pairs", pairs)
}
