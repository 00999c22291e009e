package lang

import (
	"context"
	"testing"

	"cutaway/decoders/grammar"
	"cutaway/model"
)

// TestBigEndian: a number with the most significant byte first says so in its type, and its parts are in the bytes that they are read
// from.
func TestBigEndian(t *testing.T) {
	l := &Language{Name: "big", Short: "cut", Records: []*Record{
		NewRecord("File", F("flags", U16.BigEndian(), "").Parts(B("low", 4, ""), B("high", 12, "")), F("size", Named("length", U32.BigEndian()), ""))}}
	p, err := l.Plan(nil)
	if err != nil {
		t.Fatal(err)
	}
	expect(t, tree(t, p, "File", "\x12\x34\x00\x00\x00\x07"),
		"layout File 0+6",
		"flags u16be 0+2 = 4660", "flags/low bits 0+2 = 4", "flags/high bits 0+2 = 291",
		"size length 2+4 = 7")
	src := model.NewFileSource("test", model.BytesReader("\x12\x34\x00\x00\x00\x07"))
	view := &model.View{Name: model.LayoutView, Of: src, Root: func(ctx context.Context) model.Node {
		return p.Record("File").Open(p.Session(), grammar.Whole(src), 0).Node(ctx, "file")
	}}
	doc := &model.Document{Sources: []*model.Source{src}, Views: []*model.View{view}}
	for path, want := range map[string]uint64{"layout/flags/low": 0x0f00, "layout/flags/high": 0xf0ff} {
		place, err := doc.Lookup(t.Context(), path)
		if err != nil || place.Node.Span().Mask != want {
			t.Errorf("%s: %v, bits %#x, want %#x", path, err, place.Node.Span().Mask, want)
		}
	}
	if first, err := doc.ResolveAt(t.Context(), src, 0, nil); err != nil || first.Path() != "layout/flags/high" {
		t.Errorf("at byte 0 is %s, %v", first.Path(), err)
	}
	if size := l.Records[0].Fields[1]; typeText(size.of) != "length (u32be)" {
		t.Errorf("the type is %q", typeText(size.of))
	}
}
