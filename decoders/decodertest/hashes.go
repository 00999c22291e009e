package decodertest

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"testing"

	"cutaway/model"
	"cutaway/model/diff"
)

// Changes returns the changes between two views, a line each.
func Changes(t testing.TB, a, b *model.View, opt diff.Options) (lines []string) {
	t.Helper()
	sides := [2]diff.Side{{View: a, Start: a.Place(t.Context())}, {View: b, Start: b.Place(t.Context())}}
	err := diff.Trees(t.Context(), sides[0], sides[1], opt, func(c *diff.Change) error {
		line := c.Kind.String()
		if c.Stored {
			line = "stored"
		}
		for _, p := range []*model.Place{c.A, c.B} {
			if p != nil {
				line += " " + p.Path()
			}
		}
		lines = append(lines, line)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return lines
}

// Hashes compares each file of at most 64 KiB with itself and with mutants that keep the bytes before first.
// Comparisons by model.Hashes and node by node must give the same changes.
func Hashes(t *testing.T, f *model.Format, view string, first int, files []File) {
	const largest = 64 << 10
	tries := 10
	if testing.Short() { // short tests only look for races
		tries = 2
	}
	compared, differ := 0, 0
	for _, file := range files {
		if len(file.Data) > largest {
			continue
		}
		a := Open(t, f, file.Name, model.BytesReader(file.Data)).View(view)
		random := rand.New(rand.NewPCG(7, uint64(len(file.Data))))
		for try := range tries {
			data := bytes.Clone(file.Data)
			if try > 0 && len(data) > first {
				data[first+random.IntN(len(data)-first)] ^= 1 << random.IntN(8)
			}
			doc, err := f.Open(t.Context(), Request(Formats{f}, model.NewFileSource(file.Name, model.BytesReader(data)), file.Name))
			if err != nil {
				continue
			}
			b := doc.View(view)
			opt := diff.Options{Stored: try%2 == 1}
			got, want := Changes(t, a, b, opt), Changes(t, Plain(a), Plain(b), opt)
			if !slices.Equal(got, want) {
				t.Errorf("%s, try %d: by hashes %q, by nodes %q", file.Name, try, got, want)
			}
			compared++
			if len(want) > 0 {
				differ++
			}
		}
	}
	t.Logf("%d files compared, %d differ", compared, differ)
	if differ < compared/8 {
		t.Errorf("only %d of %d changed files differ", differ, compared)
	}
}
