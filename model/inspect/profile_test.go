package inspect

import (
	"bytes"
	"math"
	"testing"

	"cutaway/model"
)

func TestProfiles(t *testing.T) {
	var all []byte
	all = append(all, make([]byte, 256)...)
	all = append(all, bytes.Repeat([]byte("ab"), 128)...)
	for i := range 256 {
		all = append(all, byte(i))
	}
	got := Profiles(t.Context(), model.NewFileSource("x", model.BytesReader(all)), 3, 1<<20)
	want := []Profile{{Zero: 1, Known: true}, {Entropy: 1, Text: 1, Known: true},
		{Entropy: 8, Zero: 1. / 256, Text: 98. / 256, Low: 29. / 256, High: 0.5, Known: true}}
	for i := range want {
		for k, pair := range [][2]float32{{got[i].Entropy, want[i].Entropy}, {got[i].Zero, want[i].Zero}, {got[i].Text, want[i].Text},
			{got[i].Low, want[i].Low}, {got[i].High, want[i].High}} {
			if math.Abs(float64(pair[0]-pair[1])) > 1e-4 {
				t.Errorf("part %d, number %d is %v, want %v", i, k, pair[0], pair[1])
			}
		}
	}
}

// Parts cover a source without overlap, however many there are, and no more is read of each than was said.
func TestParts(t *testing.T) {
	for _, size := range []int64{1, 2, 511, 513, 1 << 40, 1<<62 + 7} {
		n := int(min(512, size))
		at := int64(0)
		for i := range n {
			from, to := PartOf(i, n, size)
			if from != at || to <= from {
				t.Fatalf("part %d of %d of %d bytes is %d to %d, after %d", i, n, size, from, to, at)
			}
			at = to
		}
		if at != size {
			t.Errorf("parts end at %d of %d", at, size)
		}
	}
	data := append(make([]byte, 10), bytes.Repeat([]byte{0xff}, 90)...)
	if p := Profiles(t.Context(), model.NewFileSource("x", model.BytesReader(data)), 1, 10); p[0].Zero != 1 {
		t.Errorf("of 10 bytes that are read %v are zero", p[0].Zero)
	}
}
