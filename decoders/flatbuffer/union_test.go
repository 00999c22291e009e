package flatbuffer

import (
	"path/filepath"
	"strings"
	"testing"

	flatbuffers "github.com/google/flatbuffers/go"

	"cutaway/decoders/decodertest"
	"cutaway/model"
)

// The type numbers of the union Goods in market.fbs, and the slots of a stall's offer.
const (
	goodsPoint, goodsNote = 3, 4
	offerTypeSlot         = 12
	stallSlots            = 23
)

// stall builds a stall that offers what value makes.
func stall(goods byte, value func(b *flatbuffers.Builder) flatbuffers.UOffsetT) []byte {
	b := flatbuffers.NewBuilder(0)
	at := value(b)
	b.StartObject(stallSlots)
	b.PrependByteSlot(offerTypeSlot, goods, 0)
	b.PrependUOffsetTSlot(offerTypeSlot+1, at, 0)
	b.FinishWithFileIdentifier(b.EndObject(), []byte("MRKT"))
	return b.FinishedBytes()
}

// TestUnionMembers reads unions of a string and of a struct, which no JSON of flatc 2.0.8 can say.
func TestUnionMembers(t *testing.T) {
	format := withSchema(filepath.Join(testdata, "market.bfbs"))
	for name, k := range map[string]struct {
		data []byte
		want string
	}{
		"string": {stall(goodsNote, func(b *flatbuffers.Builder) flatbuffers.UOffsetT { return b.CreateString("hello") }), "string=hello"},
		"struct": {stall(goodsPoint, func(b *flatbuffers.Builder) flatbuffers.UOffsetT {
			b.Prep(4, 8)
			b.PrependFloat32(2)
			b.PrependFloat32(1)
			return b.Offset()
		}), "Point="},
	} {
		doc := decodertest.Open(t, format, name, model.BytesReader(k.data))
		report, err := doc.CheckAll(t.Context(), nil)
		if err != nil || len(report.Problems)+len(report.Tiling) > 0 {
			t.Errorf("%s: %v, %+v", name, err, report)
		}
		var seen []string
		root := doc.View(model.LayoutView).Place(t.Context())
		n, _ := root.Len(t.Context())
		for i := range n {
			c := root.Child(t.Context(), i)
			seen = append(seen, c.Node.Type+"="+model.Show(t.Context(), c.Node.Value, 40))
		}
		if !strings.Contains(strings.Join(seen, " "), k.want) {
			t.Errorf("%s: objects %q", name, seen)
		}
		decodertest.Invariants(t, format, func() *model.Document { return decodertest.Open(t, format, name, model.BytesReader(k.data)) })
	}
}

// TestDamage verifies a stall with one thing wrong, which must be told at its place.
func TestDamage(t *testing.T) {
	schema := market(t)
	for name, k := range map[string]struct {
		data []byte
		rule string
	}{
		"type without value": {stall(goodsNote, func(*flatbuffers.Builder) flatbuffers.UOffsetT { return 0 }), ruleUnion},
		"value without type": {stall(0, func(b *flatbuffers.Builder) flatbuffers.UOffsetT { return b.CreateString("x") }), ruleUnion},
		"unknown type":       {stall(9, func(b *flatbuffers.Builder) flatbuffers.UOffsetT { return b.CreateString("x") }), ruleUnion},
		"label absent": {stall(2, func(b *flatbuffers.Builder) flatbuffers.UOffsetT { // a crate without its required label
			b.StartObject(3)
			return b.EndObject()
		}), ruleRequired},
		"crates 80 deep": {stall(2, func(b *flatbuffers.Builder) flatbuffers.UOffsetT {
			label := b.CreateString("x")
			inside := flatbuffers.UOffsetT(0)
			for range 80 {
				b.StartObject(3)
				b.PrependUOffsetTSlot(1, inside, 0)
				b.PrependUOffsetTSlot(2, label, 0)
				inside = b.EndObject()
			}
			return inside
		}), ruleDepth},
	} {
		b := NewBuffer(model.NewFileSource(name, model.BytesReader(k.data)), 0, int64(len(k.data)), false)
		w := b.verify(t.Context(), schema, 0)
		if len(w.problems) != 1 || w.problems[0].Rule != OwnPrefix+k.rule {
			t.Errorf("%s: %v, want %s", name, w.problems, k.rule)
		}
	}
}
