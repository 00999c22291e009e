package trying

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"cutaway/model"
	"cutaway/source"
)

// TestUndo: any steps are undone and done again to the byte, however they overlap.
func TestUndo(t *testing.T) {
	rnd := rand.New(rand.NewPCG(3, 4))
	file := []byte("the bytes of a file that is never written")
	var e Edits
	now := func() []byte {
		b := bytes.Clone(file)
		e.Patch().Apply(b, 0)
		return b
	}
	states := [][]byte{now()}
	for range 200 {
		off := rnd.IntN(len(file) - 4)
		put := []byte(strings.Repeat(string(rune('a'+rnd.IntN(4))), 2+rnd.IntN(3)))
		e.Put(int64(off), now()[off:off+len(put)], put)
		states = append(states, now())
	}
	for i := len(states) - 2; i >= 0; i-- {
		e.Undo()
		if !bytes.Equal(now(), states[i]) {
			t.Fatalf("undone to %q, want %q", now(), states[i])
		}
	}
	if e.CanUndo() || e.Len() != 0 || e.Unsaved() {
		t.Errorf("%d bytes are changed", e.Len())
	}
	for i := 1; i < len(states); i++ {
		e.Redo()
		if !bytes.Equal(now(), states[i]) {
			t.Fatalf("done again to %q, want %q", now(), states[i])
		}
	}
	if e.CanRedo() || !e.Unsaved() {
		t.Error("not all is done again")
	}
	e.Saved(e.Patch())
	if e.Unsaved() {
		t.Error("not saved")
	}
	e.Replace(nil)
	e.Undo()
	if !bytes.Equal(now(), states[len(states)-1]) || e.Unsaved() {
		t.Error("all is not back")
	}
}

// TestHalves: the two digits of a byte are one step; a step after an undone one takes its place.
func TestHalves(t *testing.T) {
	var e Edits
	e.Put(7, []byte{0x00}, []byte{0xa0})
	e.Put(7, []byte{0xa0}, []byte{0xab})
	e.Put(8, []byte{0x00}, []byte{0x10})
	if e.Undo() != 8 || e.Undo() != 7 || e.CanUndo() || e.Len() != 0 {
		t.Errorf("%d bytes are changed", e.Len())
	}
	e.Put(9, []byte{0}, []byte{1})
	if e.CanRedo() || e.Len() != 1 {
		t.Error("an undone step is still there")
	}
}

// TestFileOffset: bytes that are in the file as they are can be changed wherever they are shown; others say why not.
func TestFileOffset(t *testing.T) {
	file := model.NewFileSource("file", model.BytesReader(make([]byte, 100)))
	stored := func(from *model.Source, codec string) *model.Source {
		return model.Derive("layout/x", "y", "a member", model.BytesReader(make([]byte, 10)),
			model.Origin{Parent: from, Spans: []model.Span{from.Span(20, 10)}, Codec: codec})
	}
	joined := model.NewFileSource("joined", model.BytesReader(make([]byte, 100))).WithSegments([]model.Segment{{File: "one", Length: 50}, {File: "two", Start: 50, Length: 50}})
	for _, c := range []struct {
		src  *model.Source
		off  int64
		want string
	}{
		{file, 5, "5"},
		{stored(file, model.StoredCodec), 5, "25"},
		{stored(stored(file, model.StoredCodec), model.StoredCodec), 5, "45"},
		{stored(file, "zlib"), 5, "made from others (zlib)"},
		{stored(stored(file, "LZ4"), model.StoredCodec), 5, "LZ4"},
		{joined, 46, "46"},
		{joined, 47, "another part"},
	} {
		off, err := FileOffset(c.src, c.off, 4)
		if got := fmt.Sprint(off, err); !strings.Contains(got, c.want) {
			t.Errorf("%s: %s, want %s", c.src.Name(), got, c.want)
		}
	}
}

// TestOver: what is changed in the file shows at its place in a source that begins later.
func TestOver(t *testing.T) {
	var e Edits
	if e.Over(10) != nil {
		t.Error("something is changed")
	}
	p, err := source.ReadPatch(strings.NewReader("0x0c aa bb"))
	if err != nil {
		t.Fatal(err)
	}
	e.Replace(p)
	b := make([]byte, 4)
	e.Over(10).Apply(b, 1)
	got := fmt.Sprintf("% x", b)
	e.Over(10).Each(3, 9, func(off int64, now []byte) { got += fmt.Sprintf(" %d:% x", off, now) })
	if got != "00 aa bb 00 3:bb" {
		t.Error(got)
	}
}
