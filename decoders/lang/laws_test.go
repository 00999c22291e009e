package lang_test

import (
	"context"
	"encoding/binary"
	"testing"

	"cutaway/decoders/decodertest"
	"cutaway/decoders/grammar"
	. "cutaway/decoders/lang" // as a format's records.go
	"cutaway/model"
)

type row struct {
	name string
	of   Type
}

// every is a language whose records have what the engine does for package lang alone: cases, records and lists that are inlined,
// fields that are there only where they fit, lists of one type that a number chooses, records that lie in themselves.
var every = &Language{
	Name: "every", Short: "cut",
	Known: []Known{Know("version", "", func(v int64) int64 { return v })},
	Tables: []*Table{NewTable("types", []row{{}, {"byte", U8}, {"pair", Rec("Pair")}, {"name", Rec("Name")}, {"item", Rec("Item")}},
		Label("name", func(r *row) string { return r.name }), Of(func(r *row) Type { return r.of }))},
	Records: []*Record{
		NewRecord("File",
			F("magic", UTF8("2"), ""),
			F("later", U16, "").If("version > 1"),
			F("count", U16, ""),
			F("items", Rec("Item"), "").Times("count"),
			Rest("trailing", "")),
		NewRecord("Item",
			F("kind", U8, "").NamedBy("types"),
			Then("kind",
				On(1, F("value", U8, "")),
				On(2, F("pair", Rec("Pair"), ""), F("name", Rec("Name"), "").If("pair.a == 1")),
				On(3, F("size", U16, ""), F("inside", In("size", Rec("Inside")), "").Inline()),
				On(4, F("type", U8, "").NamedBy("types"), F("count", U16, ""), F("list", Row("types", "type"), "").If("type in 1..4").Times("count")),
				On(5, F("depth", U8, ""), F("item", Rec("Deep", "depth"), "")),
				On(6, F("size", U16, "").Sizes(), F("name", Rec("Name"), ""))),
			F("check", U8, "").If("kind in 1..6")),
		NewRecord("Inside",
			F("head", U8, ""),
			F("name", Rec("Name"), "").If("head == 1").Inline().Exactly(),
			F("items", Rec("Item"), "").If("head == 2").ToEnd().Inline(),
			F("bytes", Bytes("left"), "").If("head != 2 and left > 0").Unknown()),
		NewRecord("Deep(levels)", F("n", U8, ""), Then("levels", On(0), Else(F("deeper", Rec("Deep", "levels - 1"), "")))),
		NewRecord("Pair", F("a", U16, ""), F("b", U16, "").If("version > 1")),
		NewRecord("Name", F("length", U8, ""), F("text", UTF8("length"), "")),
	},
	Rules: []Rule{
		{ID: "cut", Help: "bytes are missing"},
		{ID: "magic", On: "File.magic", Holds: `it == "EV"`, Says: "not of this kind"},
		{ID: "count", On: "File.items", Kind: Truncated, Holds: "fits", Help: "too many"},
		{ID: "kind", On: "Item.kind", Holds: "it in 1..6", Stops: true, Says: "no kind {it}"},
		{ID: "check", On: "Item.check", Holds: "it == 0x55", Says: "the check is wrong"},
		{ID: "list", On: "Item.count", Kind: Truncated, Holds: "fits", Stops: true, Help: "too many"},
		{ID: "type", On: "Item.type", Holds: "it in 1..4", Says: "no type {it}"},
		{ID: "pair", On: "Pair", Kind: Suspicious, If: "version > 1", Holds: "b >= a", Says: "a is above b"},
		{ID: "name", On: "Name.text", Kind: Suspicious, Holds: `it != "odd"`, Says: "the name is odd"},
		{ID: "inside", On: "Inside.head", Holds: "it in 1..2", Says: "no inside {it}"},
		{ID: "trailing", On: "File.trailing", Kind: Suspicious, Holds: "false", Says: "bytes follow"},
	},
}

func format(version int64) *model.Format {
	return &model.Format{Name: "every", Rules: every.RuleList(),
		Detect: func(context.Context, *model.Probe) model.Detection {
			return model.Detection{Confidence: model.Sure, Reason: "a test"}
		},
		Open: func(_ context.Context, req *model.OpenRequest) (*model.Document, error) {
			plan := every.For(version)
			session := plan.Session()
			session.Tile = true
			root := plan.Record("File").Open(session, grammar.Whole(req.Source), 0)
			return &model.Document{Format: "every", Name: req.Name, Sources: []*model.Source{req.Source}, Views: []*model.View{{
				Name: model.LayoutView, Title: "Layout", Of: req.Source, Root: func(ctx context.Context) model.Node { return root.Node(ctx, "file") }}}}, nil
		}}
}

func data(version int, items ...string) []byte {
	b := []byte("EV")
	if version > 1 {
		b = append(b, 7, 0)
	}
	b = binary.LittleEndian.AppendUint16(b, uint16(len(items)))
	for _, item := range items {
		b = append(b, item...)
	}
	return b
}

var sound = []string{
	"\x01\x09U",
	"\x03\x04\x00\x01\x02abU",
	"\x03\x07\x00\x02\x01\x07U\x01\x08UU",
	"\x04\x01\x03\x00abcU",
	"\x04\x03\x02\x00\x01a\x02bcU",
	"\x04\x04\x02\x00\x01aU\x01bUU",
	"\x05\x03\x09\x08\x07\x06U",
	"\x06\x04\x00\x02abU",
}

func files(version int) []decodertest.File {
	pair := "\x02\x01\x00\x01xU"
	if version > 1 {
		pair = "\x02\x01\x00\x02\x00\x01xU"
	}
	many := make([]string, 600)
	for i := range many {
		many[i] = sound[i%3]
	}
	return []decodertest.File{
		{Name: "each", Data: data(version, append([]string{pair}, sound...)...)},
		{Name: "none", Data: data(version)},
		{Name: "many", Data: data(version, many...)},
		{Name: "unfit", Data: data(version, "\x03\x04\x00\x01\x01abU", "\x03\x04\x00\x03abcU", "\x06\x05\x00\x02abUx")},
	}
}

func TestLaws(t *testing.T) {
	for version := 1; version <= 2; version++ {
		f := format(int64(version))
		decodertest.Mutate(t, f, files(version), decodertest.MutateOptions{Try: 100, Exceptions: []decodertest.Exception{
			{Path: "layout/items/[1]/bytes", Cut: true, Reason: "nothing says how long it is"}}})
		for _, file := range files(version) {
			open := func() *model.Document { return decodertest.Open(t, f, file.Name, model.BytesReader(file.Data)) }
			decodertest.Invariants(t, f, open)
			if len(file.Data) < 100 {
				decodertest.Ended(t, file.Data, func(ctx context.Context, r model.Reader) (*model.Document, error) {
					return f.Open(ctx, decodertest.Request(nil, model.NewFileSource(file.Name, r), file.Name))
				})
			}
		}
	}
}

func FuzzEvery(f *testing.F) { decodertest.Fuzz(f, format(2), files(2)) }
