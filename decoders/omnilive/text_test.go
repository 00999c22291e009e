package omnilive

import (
	"path/filepath"
	"strings"
	"testing"

	"cutaway/decoders/decodertest"
	"cutaway/internal/livegen"
	"cutaway/model"
)

func usdaOf(t testing.TB, doc *model.Document) string {
	t.Helper()
	for _, c := range doc.View(layerView).Place(t.Context()).Node.Cards(t.Context()) {
		if words, ok := c.(model.Words); ok && c.CardTitle() == "USDA" {
			var b strings.Builder
			if err := words.WriteText(t.Context(), &b, nil); err != nil {
				t.Fatal(err)
			}
			return b.String()
		}
	}
	t.Fatal("no USDA card")
	return ""
}

// usdLayer is a layer with something of each kind that text holds.
func usdLayer() *livegen.Delta {
	text := func(section uint64, key string, typ byte, s string) livegen.Setting {
		return livegen.Setting{Section: section, Key: key, Value: livegen.Text(typ, s)}
	}
	value := func(section uint64, key string, b ...byte) livegen.Setting {
		return livegen.Setting{Section: section, Key: key, Value: b}
	}
	str := func(s string) []byte { return livegen.Text(0, s)[2:] }
	count := func(n byte) []byte { return []byte{n, 0, 0, 0, 0, 0, 0, 0} }
	join := func(parts ...[]byte) []byte {
		var all []byte
		for _, p := range parts {
			all = append(all, p...)
		}
		return all
	}
	dictionary := join([]byte{31, 0}, count(1), str("k"), count(6), livegen.Int(7))
	schemas := join([]byte{32, 0, 1 << 5}, count(2), str("ApiA"), str("ApiB"))
	references := join([]byte{35, 0, 3}, count(1), str("./a@b.usd"), str("/Chair"), make([]byte, 8), []byte{0, 0, 0, 0, 0, 0, 0xe0, 0x3f}, count(0))
	return &livegen.Delta{
		Commands: append(livegen.World(),
			livegen.Command{Kind: livegen.Create, Parent: 10, Section: 12, Name: "material:binding", Type: 8},
			livegen.Command{Kind: livegen.Create, Parent: 12, Section: 13, Name: "/Looks", Type: 9},
			livegen.Command{Kind: livegen.Create, Parent: 11, Section: 14, Name: "/World.other", Type: 2},
			livegen.Command{Kind: livegen.Create, Parent: 10, Section: 15, Name: "lod", Type: 11},
			livegen.Command{Kind: livegen.Create, Parent: 15, Section: 16, Name: "high", Type: 10},
			livegen.Command{Kind: livegen.Create, Parent: 16, Section: 17, Name: "In", Type: 6},
			livegen.Command{Kind: livegen.Create, Parent: 10, Section: 18, Name: "turn", Type: 1},
			livegen.Command{Kind: livegen.Create, Parent: 10, Section: 19, Name: "odd", Type: 0}),
		Settings: []livegen.Setting{
			text(1, "upAxis", 11, "Z"), value(10, "specifier", 42, 0, 0, 0, 0, 0), text(10, "typeName", 11, "Xform"),
			value(10, "customData", dictionary...), value(10, "apiSchemas", schemas...), value(10, "references", references...),
			text(10, "documentation", 10, "two\nlines \"quoted\""), text(11, "typeName", 11, "int"), value(11, "variability", 44, 0, 1, 0, 0, 0),
			value(11, "default", livegen.Int(-3)...), value(18, "default", append([]byte{17, 0}, make([]byte, 12)...)...),
			value(18, "custom", 1, 0, 1), value(18, "default", join([]byte{17, 0}, make([]byte, 12), []byte{0, 0, 0x80, 0x3f})...),
			{Sample: true, Section: 11, Time: 2, Value: livegen.Int(5)}, {Sample: true, Section: 11, Time: 1, Value: []byte{51, 0}},
			value(10, "hidden", 99, 0),
		},
	}
}

const usdLayerText = `#usda 1.0
(
    upAxis = "Z"
)

def Xform "World" (
    customData = {
        int k = 7
    }
    prepend apiSchemas = ["ApiA", "ApiB"]
    references = @@@./a@b.usd@@@</Chair> (scale = 0.5)
    doc = """two
lines "quoted\""""
    # not written: /World: field hidden: USD takes no type 99 for it
)
{
    uniform int size = -3
    uniform int size.timeSamples = {
        1: None,
        2: 5,
    }
    uniform int size.connect = </World.other>
    varying rel material:binding = </Looks>
    custom quatf turn = (1, 0, 0, 0)
    variantSet "lod" = {
        "high" {
            over "In"
            {
            }
        }
    }
    # not written: /World/(odd): text has no place for it: spec type Unknown
}
`

func TestUSDA(t *testing.T) {
	for _, union := range []bool{false, true} {
		d := usdLayer()
		d.UnionVector = union
		if got := usdaOf(t, decodertest.Open(t, Format, "usd.oodf", model.BytesReader(d.Build()))); got != usdLayerText {
			t.Errorf("written\n%s\nwant\n%s", got, usdLayerText)
		}
	}
}

// TestUSDAOfCorpus writes every file of the corpus: nothing may fail, and a layer with sections has lines.
func TestUSDAOfCorpus(t *testing.T) {
	for name, want := range expected(t) {
		if want.Sequence != nil {
			continue
		}
		text := usdaOf(t, decodertest.OpenFile(t, Format, filepath.Join(corpus, name)))
		if !strings.HasPrefix(text, "#usda 1.0\n") {
			t.Errorf("%s: %.40q", name, text)
		}
		if _, hasWorld := want.Layer["/World"]; hasWorld && !strings.Contains(text, `"World"`) {
			t.Errorf("%s: World is not written", name)
		}
	}
}
