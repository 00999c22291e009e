package source

import (
	"bytes"
	"context"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"

	"cutaway/model"
)

// patchedBytes reads all of r through p.
func patchedBytes(t *testing.T, p *Patch, r model.Reader) []byte {
	t.Helper()
	over, err := p.Over(r)
	if err != nil {
		t.Fatal(err)
	}
	b := make([]byte, r.Size())
	if _, err := model.NewFileSource("patched", over).ReadFull(t.Context(), b, 0); err != nil {
		t.Fatal(err)
	}
	return b
}

// TestPatchPut: any sequence of changes reads as if the bytes had been written, and counts the bytes that differ.
func TestPatchPut(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	was := make([]byte, 64)
	for round := range 200 {
		p, want := (*Patch)(nil), bytes.Clone(was)
		for range 30 {
			off := rnd.IntN(len(was))
			now := make([]byte, 1+rnd.IntN(min(12, len(was)-off)))
			for i := range now {
				now[i] = byte(rnd.IntN(3)) // 0 is what is there
			}
			before := p
			kept := patchedBytes(t, before, model.BytesReader(was))
			p = p.Put(int64(off), now, want[off:off+len(now)])
			copy(want[off:], now)
			if got := patchedBytes(t, p, model.BytesReader(was)); !bytes.Equal(got, want) {
				t.Fatalf("round %d: % x at %d\n% x, want\n% x", round, now, off, got, want)
			}
			if !bytes.Equal(patchedBytes(t, before, model.BytesReader(was)), kept) {
				t.Fatal("an older patch has changed")
			}
			if n := len(want) - bytes.Count(want, []byte{0}); p.Len() != int64(n) {
				t.Fatalf("%d bytes are changed, want %d", p.Len(), n)
			}
			for i := 1; i < len(p.runs); i++ {
				if p.runs[i-1].end() >= p.runs[i].off {
					t.Fatalf("runs touch: %v", p.runs)
				}
			}
		}
	}
}

// TestPatchFar: a change at the end of a source of many GB costs what it is long.
func TestPatchFar(t *testing.T) {
	r := zeros(1 << 45)
	p := (*Patch)(nil).Put(1<<45-2, []byte{1, 2}, []byte{0, 0})
	over, err := p.Over(r)
	if err != nil {
		t.Fatal(err)
	}
	b := make([]byte, 4)
	if _, err := model.NewFileSource("far", over).ReadScattered(t.Context(), b, 1<<45-4); err != nil || !bytes.Equal(b, []byte{0, 0, 1, 2}) {
		t.Errorf("% x, %v", b, err)
	}
	if _, err := p.Put(1<<45-1, []byte{3, 4}, []byte{2, 0}).Over(r); err == nil {
		t.Error("a patch after the end")
	}
}

// zeros is so many zero bytes.
type zeros int64

func (z zeros) Size() int64 { return int64(z) }

func (z zeros) ReadAt(_ context.Context, b []byte, _ int64) (int, error) {
	clear(b)
	return len(b), nil
}

// TestPatchReaders: who reads through a patch sees none of what others put upon it meanwhile.
func TestPatchReaders(t *testing.T) {
	base := model.BytesReader(make([]byte, 4096))
	p := (*Patch)(nil).Put(0, bytes.Repeat([]byte{1}, 4096), make([]byte, 4096))
	over, err := p.Over(base)
	if err != nil {
		t.Fatal(err)
	}
	var all sync.WaitGroup
	for range 2 {
		all.Go(func() {
			b := make([]byte, 4096)
			for range 50 {
				if _, err := over.ReadAt(t.Context(), b, 0); err != nil || bytes.Count(b, []byte{1}) != 4096 {
					t.Errorf("torn: %v", err)
				}
			}
		})
	}
	for i := range 500 {
		p = p.Put(int64(i), []byte{2}, []byte{1})
	}
	all.Wait()
}

// TestPatchList: a list is read as it was written, and what is wrong in one is told with its line.
func TestPatchList(t *testing.T) {
	p, err := ReadPatch(strings.NewReader("# of a file\n\n0x10 00ff 1a # why\n5 AA\n19 07\r\n"))
	if err != nil {
		t.Fatal(err)
	}
	if p, err = p.Learn(t.Context(), model.BytesReader(make([]byte, 200))); err != nil || p.Len() != 4 {
		t.Fatalf("%d bytes are changed, %v", p.Len(), err) // one of those listed is what is there
	}
	if _, err := p.Learn(t.Context(), model.BytesReader(make([]byte, 19))); err == nil {
		t.Error("learnt over another file")
	}
	p = p.Put(100, bytes.Repeat([]byte{9}, 50), make([]byte, 50))
	var text strings.Builder
	if err := p.Write(&text); err != nil {
		t.Fatal(err)
	}
	want := "0x5 aa\n0x11 ff 1a 07\n0x64" + strings.Repeat(" 09", 32) + "\n0x84" + strings.Repeat(" 09", 18) + "\n"
	if text.String() != want {
		t.Errorf("got\n%swant\n%s", text.String(), want)
	}
	again, err := ReadPatch(strings.NewReader(text.String()))
	if err != nil || again.Len() != p.Len() {
		t.Errorf("%v, %v", again, err)
	}
	for list, want := range map[string]string{
		"1 00\nx 00":                 `line 2: "x" is no offset`,
		"-1 00":                      `"-1" is no offset`,
		"0x10":                       "no bytes after",
		"0x10 0":                     `"0" are no bytes`,
		"0x10 zz":                    `"zz" are no bytes`,
		"0x10 0000\n0x11 01":         "the byte at 0x11 is changed twice",
		"0x7fffffffffffffff 00 00":   "largest offset",
		"0xffffffffffffffff 00":      "is no offset",
		strings.Repeat("00", 1<<20):  "token too long",
		"0x10 " + "00 # 00\n0x10 1 ": "line 2",
	} {
		if _, err := ReadPatch(strings.NewReader(list)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.40q: %v, want %q", list, err, want)
		}
	}
}
