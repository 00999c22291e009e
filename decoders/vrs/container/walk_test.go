package container

import (
	"fmt"
	"testing"

	"cutaway/internal/vrsgen"
	"cutaway/model"
)

// TestIndexAsInflated opens a recording by its compressed index without keeping the entries, which come in runs that end
// inside of an entry.
func TestIndexAsInflated(t *testing.T) {
	const records = 30_000
	f := &vrsgen.File{Index: vrsgen.AtEnd, Streams: []vrsgen.Stream{{Type: 999, Instance: 1}, {Type: 241, Instance: 3}}}
	for i := range records {
		f.Records = append(f.Records, vrsgen.Record{Stream: i % 7 / 6, Kind: vrsgen.Data, Version: 1, Time: float64(i), Payload: make([]byte, i%50)})
	}
	b, _ := f.Bytes()
	src := model.NewFileSource("made.vrs", model.BytesReader(b))
	w := &Walker{File: &File{Name: "made.vrs", Src: src, firstEnd: src.Size()}}
	w.ReadHeader(t.Context())
	w.Describe()
	w.OpenParts(t.Context())
	if !w.Index.Compressed {
		t.Fatal("the index is not compressed")
	}
	l, err := w.listedAsInflated(t.Context(), w.Index, nil)
	if err != nil || l == nil || l.t.N() != records {
		t.Fatalf("%v, %v", l, err)
	}
	byRecord, err := w.Records(t.Context(), nil)
	if err != nil || !byRecord.Indexed || w.Index.entries.Made() != nil {
		t.Fatalf("indexed %t, %v; entries kept: %t", byRecord.Indexed, err, w.Index.entries.Made() != nil)
	}
	for i := range byRecord.N() {
		h, err := w.HeaderAt(t.Context(), byRecord.Off[i])
		if f := (Info{byRecord.Time[i], uint32(byRecord.End(i) - byRecord.Off[i]), byRecord.Kind(i), byRecord.ID(i)}); err != nil || !f.Agrees(&h) {
			t.Fatalf("record %d: %v, %v", i, f, h)
		}
	}
}

// TestExtraNames: parts with one name are numbered, each name by itself.
func TestExtraNames(t *testing.T) {
	x := newTable(0)
	for _, name := range []string{"lost bytes", "unused index", "lost bytes", "lost bytes", "unused index"} {
		x.addExtra(name, 0, 1, nil)
	}
	var names []string
	for _, e := range x.Extra {
		names = append(names, e.Name)
	}
	if got := fmt.Sprintf("%q", names); got != `["lost bytes" "unused index" "lost bytes 2" "lost bytes 3" "unused index 2"]` {
		t.Error(got)
	}
}
