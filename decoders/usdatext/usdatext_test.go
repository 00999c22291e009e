package usdatext

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"cutaway/decoders/decodertest"
	"cutaway/model"
)

const folder = "../../testdata/usda"

func files(t testing.TB, pattern string) []decodertest.File {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(folder, pattern))
	if err != nil || len(names) == 0 {
		t.Fatalf("no %s (%v)", pattern, err)
	}
	var list []decodertest.File
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, decodertest.File{Name: filepath.Base(name), Data: data})
	}
	return list
}

func TestInvariants(t *testing.T) {
	for _, f := range files(t, "*.usda") {
		t.Run(f.Name, func(t *testing.T) {
			decodertest.Invariants(t, Format, func() *model.Document {
				return decodertest.Open(t, Format, f.Name, model.BytesReader(f.Data))
			})
		})
	}
}

// TestLongParts: a prim with much text is opened in the background and stays open, with the long arrays of its samples as one piece each.
func TestLongParts(t *testing.T) {
	array := "[" + strings.Repeat("(1, 2, 3), ", longArray/10) + "(4, 5, 6)]"
	var text strings.Builder
	text.WriteString("#usda 1.0\ndef \"P\"\n{\n    def Mesh \"M\"\n    {\n        point3f[] points.timeSamples = {\n")
	for i := range 100 {
		fmt.Fprintf(&text, "            %d: %s,\n", i, array)
	}
	text.WriteString("        }\n        int[] few = [1, 2]\n    }\n}\n")
	if text.Len() < longPart {
		t.Fatalf("%d bytes are no long part", text.Len())
	}
	openText := func() *model.Document {
		return decodertest.Open(t, Format, "long.usda", model.BytesReader(text.String()))
	}
	decodertest.Invariants(t, Format, openText)
	report, err := openText().CheckAll(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if c := report.Coverage[0]; c.Pending != 0 || c.Unknown != 0 || !report.Sound() {
		t.Errorf("coverage %+v, problems %v", c, report.Problems)
	}
	arrays := 0
	err = model.Walk(t.Context(), openText().View(model.LayoutView).Place(t.Context()), model.WalkOptions{Resolve: true}, func(p *model.Place) error {
		if p.Node.Type == "array" {
			arrays++
		}
		return nil
	})
	if err != nil || arrays != 100 {
		t.Errorf("%d arrays, %v; want 100", arrays, err)
	}
}

func TestDetects(t *testing.T) {
	decodertest.Detects(t, Format, files(t, "[^x]*.usda"))
}

func TestGolden(t *testing.T) {
	for _, f := range files(t, "*.usda") {
		doc := decodertest.Open(t, Format, f.Name, model.BytesReader(f.Data))
		for _, view := range []string{sceneView, model.LayoutView} {
			decodertest.Golden(t, filepath.Join(folder, "golden", f.Name+"."+view+".txt"), decodertest.Tree(t, doc, view))
		}
	}
}

// TestVerdicts: what usd-core takes is sound, what it refuses is not.
func TestVerdicts(t *testing.T) {
	b, err := os.ReadFile("../../testdata/usda/verdicts.txt")
	if err != nil {
		t.Fatal(err)
	}
	counts := map[byte]int{}
	for line := range strings.Lines(string(b)) {
		if line[0] == '#' {
			continue
		}
		text, err := strconv.Unquote(strings.TrimSpace(line[2:]))
		if err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		report, err := decodertest.Open(t, Format, "x.usda", model.BytesReader([]byte("#usda 1.0\n"+text))).CheckAll(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		if counts[line[0]]++; report.Sound() != (line[0] == '+') {
			t.Errorf("%q is sound: %t, %v", text, report.Sound(), report.Problems)
		}
	}
	if counts['+'] < 850 || counts['-'] < 950 {
		t.Errorf("looked at %v", counts)
	}
}

// TestHeaders: the first lines that usd-core takes are sound, no others.
func TestHeaders(t *testing.T) {
	for sound, lines := range map[bool][]string{
		true: {"#usda 1.0", "#usda  1.0", "#usda 01.0", "#usda 1.04", "#usda 1.0 x", "#usda 1.0\r", "#usda 1.0.32", "#usda 1.0.32 x", "#usda 1.0.00032",
			"#usda 1.0.255", "#usda 1.3.7", "#usda 1.4", "#usda 1.4.0", "#usda 1.0 .32"},
		false: {"#usda 1.0.0.1", "#usda\t1.0", " #usda 1.0", "#usda 1", "#usda 1.0x", "#usda 1.0.", "#usda 1.0.x", "#usda 1.0.256", "#usda 1.4.1",
			"#usda 1.5.0", "#usda 1.0.+3", "#usda 1.3.999", "#usda 2.0", "#usda 257.0"},
	} {
		for _, line := range lines {
			doc := decodertest.Open(t, Format, "x.usda", model.BytesReader(line+"\ndef \"a\"\n{\n}\n"))
			report, err := doc.CheckAll(t.Context(), nil)
			if err != nil {
				t.Fatal(err)
			}
			if report.Sound() != sound {
				t.Errorf("%q: %v", line, report.Problems)
			}
		}
	}
}

// TestDeep: prims that are nested deeper than is read are a limit, and no damage; what follows them is read.
func TestDeep(t *testing.T) {
	const deep = 100_000
	text := "#usda 1.0\n" + strings.Repeat("def \"a\" {\n", deep) + strings.Repeat("}\n", deep) + "def \"b\" {\n}\n"
	doc := decodertest.Open(t, Format, "deep.usda", model.BytesReader([]byte(text)))
	report, err := doc.CheckAll(t.Context(), nil)
	if err != nil || !report.Sound() {
		t.Fatal(err, report.Problems)
	}
	if !slices.ContainsFunc(report.Problems, func(p model.LocatedProblem) bool { return p.Kind == model.Limit && p.Rule == ruleDepth }) {
		t.Errorf("no limit is told: %v", report.Problems)
	}
	if _, err := doc.Lookup(t.Context(), "scene/b"); err != nil {
		t.Error(err)
	}
}

// TestUTF8: bytes that are no UTF-8 are told at their place, and characters that go on in the next window are whole.
func TestUTF8(t *testing.T) {
	for _, k := range []struct {
		before int // bytes of the layer before the character
		char   string
		bad    bool
	}{{40, "\xe2\x80\xa6", false}, {40, "\xeb", true}, {window - 1, "\xe2\x80\xa6", false}, {window - 2, "\xe2\x80\xa6", false},
		{window - 1, "\xe2\x80", true}, {window, "\xff", true}, {2*window - 3, "\xf0\x9f\x8c\x8d", false}} {
		text := "#usda 1.0\n# "
		text += strings.Repeat("x", k.before-len(text)) + k.char + "\n"
		report, err := decodertest.Open(t, Format, "x.usda", model.BytesReader([]byte(text))).CheckAll(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		found := slices.ContainsFunc(report.Problems, func(p model.LocatedProblem) bool {
			return p.Rule == ruleUTF8 && p.Span.Off == int64(k.before) && p.Span.Len == int64(len(k.char))
		})
		if found != k.bad || report.Sound() == k.bad {
			t.Errorf("%q at %d: %v", k.char, k.before, report.Problems)
		}
	}
}

// TestProblems holds what is said of a damaged layer, and that what follows is read.
func TestProblems(t *testing.T) {
	f := files(t, "x-errors.usda")[0]
	doc := decodertest.Open(t, Format, f.Name, model.BytesReader(f.Data))
	report, err := doc.CheckAll(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	var said strings.Builder
	for _, p := range report.Problems {
		fmt.Fprintf(&said, "%s %s %s\n", p.Rule, p.Path, p.Message)
	}
	for _, want := range []string{
		"usda.value scene/A/.bad/default line 6, column 15", "usda.syntax layout line 7, column 17",
		"usda.value scene/A/.short/default line 8", "usda.value scene/A/.points/default line 9", "line 10", "line 13",
		"usda.twice layout line 18", "usda.name layout line 21", "usda.syntax layout line 24", "usda.syntax layout line 31",
	} {
		if !strings.Contains(said.String(), want) {
			t.Errorf("nothing says %q:\n%s", want, said.String())
		}
	}
	for path, want := range map[string]string{"scene/A/.after/default": "2", "scene/A/.last/default": "3",
		"scene/A/B/documentation": "read all the same", "scene/Open/.inside/default": "1"} {
		p, err := doc.Lookup(t.Context(), path)
		if err != nil {
			t.Errorf("%s: %v", path, err)
		} else if got := model.Show(t.Context(), p.Node.Value, 100); got != want {
			t.Errorf("%s is %s, want %s", path, got, want)
		}
	}
}

// large is a layer with as many prims, and an array.
func large(prims int) []byte {
	var b strings.Builder
	b.WriteString("#usda 1.0\n\ndef \"Array\"\n{\n    int[] ints = [0")
	for i := range 20 * prims {
		fmt.Fprintf(&b, ", %d", i)
	}
	b.WriteString("]\n}\n")
	for i := range prims {
		fmt.Fprintf(&b, "\ndef Xform \"P%d\"\n{\n    double3 xformOp:translate = (%d, 0, 0)\n}\n", i, i)
	}
	return []byte(b.String())
}

// TestLongArrays reads elements of an array without those before them.
func TestLongArrays(t *testing.T) {
	doc := decodertest.Open(t, Format, "large.usda", model.BytesReader(large(5000)))
	root := doc.View(sceneView).Place(t.Context())
	if err := root.Resolve(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	p, err := doc.Lookup(t.Context(), "scene/Array/.ints/default")
	if err != nil {
		t.Fatal(err)
	}
	a := p.Node.Value.(model.Array)
	if a.Len() != 100_001 {
		t.Fatalf("%d elements", a.Len())
	}
	var v [2]model.Value
	if n, err := a.Read(t.Context(), 99_000, v[:]); n != 2 || err != nil || v[0] != model.Value(model.Int(98_999)) {
		t.Errorf("read %v: %d %v", v, n, err)
	}
	e := p.Node.Children.At(t.Context(), 50_000)
	span := e.Span()
	text, err := span.Source.Bytes(t.Context(), span.Off, span.Len)
	if err != nil || string(text) != "49999" {
		t.Errorf("element 50,000 stands on %q (%v)", text, err)
	}
}

func TestMutate(t *testing.T) {
	decodertest.Mutate(t, Format, files(t, "[^dx]*.usda"), decodertest.MutateOptions{Exceptions: []decodertest.Exception{
		{Path: "layout/[1]", Cut: true, Reason: "a layer may end after its first line"},
		{Path: "layout/[2]", Cut: true, Reason: "and after what is there before the first prim, which is a comment"},
		{Path: "layout/[3]", Cut: true, Reason: "the same"},
		{Path: "layout/[4]/[0]", Cut: true, Reason: "the same, where the first prim begins"},
	}})
}

func FuzzUSDA(f *testing.F) { decodertest.Fuzz(f, Format, files(f, "*.usda")) }

// TestLazy shows rows of a large layer: the scan reads it once, and rows of an array read no more than what is before
// their mark.
func TestLazy(t *testing.T) {
	data := large(20_000)
	decodertest.Lazy(t, Format, "large.usda", model.BytesReader(data), decodertest.Limits{Path: "scene/P7000", Bytes: 3 * int64(len(data))})
}

// TestNamed finds every spec by its USD path.
func TestNamed(t *testing.T) {
	found := 0
	for _, f := range files(t, "[^x]*.usda") {
		doc := decodertest.Open(t, Format, f.Name, model.BytesReader(f.Data))
		view := doc.View(sceneView)
		err := model.Walk(t.Context(), view.Place(t.Context()), model.WalkOptions{Resolve: true}, func(p *model.Place) error {
			name, is := p.Node.Value.(model.Text)
			if !is || !view.ContentOf(t.Context(), p).Where {
				return nil
			}
			found++
			if q, err := doc.Lookup(t.Context(), string(name)); err != nil || q.Path() != p.Path() {
				t.Errorf("%s: %s is %v, %v; want %s", f.Name, name, q, err, p.Path())
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{"/Nowhere", "/A.", "/A{v=none}", "A"} {
			if path, ok := doc.Named(t.Context(), name); ok {
				t.Errorf("%s: %s is %s", f.Name, name, path)
			}
		}
	}
	if found < 20 {
		t.Errorf("only %d specs", found)
	}
}

// TestRelativePaths: paths are those that OpenUSD makes of relative ones, in variants too.
func TestRelativePaths(t *testing.T) {
	layer := []byte(`#usda 1.0
def "World" {
    rel r = [<A>, <.x>, </B>]
    variantSet "look" = {
        "red" {
            rel r = <A>
            def "A" (
                inherits = <../../C>
            ) {
                rel r = <../../Other>
                float x.connect = <../Other.y>
            }
        }
    }
    def "Up" {
        rel r = <../../../Other>
    }
}
`)
	doc := decodertest.Open(t, Format, "relative.usda", model.BytesReader(layer))
	for path, want := range map[string]string{
		"scene/World/.r/targetPaths/explicit":                  `["/World/A", "/World.x", "/B"]`,
		"scene/World/{look=red}/.r/targetPaths/explicit":       `["/World/A"]`,
		"scene/World/{look=red}/A/inheritPaths/explicit":       `["/World/C"]`,
		"scene/World/{look=red}/A/.r/targetPaths/explicit":     `["/World/Other"]`,
		"scene/World/{look=red}/A/.x/connectionPaths/explicit": `["/World/Other.y"]`,
	} {
		p, err := doc.Lookup(t.Context(), path)
		if err != nil {
			t.Errorf("%s: %v", path, err)
		} else if got := model.Show(t.Context(), p.Node.Value, 200); got != want {
			t.Errorf("%s is %s, want %s", path, got, want)
		}
	}
}

// TestWrittenIsRead: the text that is written of a layer has its scene, and loses nothing.
func TestWrittenIsRead(t *testing.T) {
	layers := files(t, "[^x]*.usda")
	for _, statement := range []string{"token x = </A.b>", "int[] x = <../B>", "Foo x = <>", "rel x.default = </A>", "varying rel x", "Foo::Bar x = word",
		"int[] x.timeSamples = {1: edit [append 1], 2: </A>}", "duration x = 1.5", "int x (customData = {string a = </B>})", "int x (hidden = </B>)",
		"int x (displayName = {int a = 1})", "int x (foo = true)"} {
		layers = append(layers, decodertest.File{Name: statement, Data: []byte("#usda 1.4\ndef Foo.Bar \"A\" (\n    variants = {string \"v w\" = \"`${X}`\"}\n)\n{\n    " + statement + "\n}\n")})
	}
	for _, f := range layers {
		doc := decodertest.Open(t, Format, f.Name, model.BytesReader(f.Data))
		var b bytes.Buffer
		omitted := &model.Omissions{}
		words := doc.View(sceneView).Place(t.Context()).Node.Cards(t.Context())[0].(model.Words)
		if err := words.WriteText(t.Context(), &b, omitted); err != nil {
			t.Fatal(err)
		}
		if lost, _ := omitted.Lost(); len(lost) > 0 {
			t.Errorf("%s: lost %v", f.Name, lost)
		}
		again := decodertest.Open(t, Format, f.Name, model.BytesReader(b.String()))
		if report, err := again.CheckAll(t.Context(), nil); err != nil || !report.Sound() {
			t.Errorf("%s: %v, %v, of\n%s", f.Name, err, report.Problems, b.String())
		}
		want, got := sceneNodes(t, doc), sceneNodes(t, again)
		for path, node := range want {
			if got[path] != node {
				t.Errorf("%s: %s is %q, was %q", f.Name, path, got[path], node)
			}
		}
		if len(got) != len(want) {
			t.Errorf("%s: %d nodes, were %d", f.Name, len(got), len(want))
		}
	}
}

// sceneNodes is the type and value of each node of the scene, by its path.
func sceneNodes(t *testing.T, doc *model.Document) map[string]string {
	t.Helper()
	nodes := map[string]string{}
	err := model.Walk(t.Context(), doc.View(sceneView).Place(t.Context()), model.WalkOptions{Resolve: true}, func(p *model.Place) error {
		nodes[p.Path()] = p.Node.Type + " " + model.Show(t.Context(), p.Node.Value, 1000)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return nodes
}
