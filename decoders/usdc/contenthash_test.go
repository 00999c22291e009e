package usdc

import (
	"bytes"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"cutaway/decoders/decodertest"
	"cutaway/internal/crategen"
	"cutaway/model"
	"cutaway/model/diff"
)

// changesOf are the changes between two scenes, a line each.
func changesOf(t *testing.T, a, b *model.View, opt diff.Options) (lines []string) {
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

// TestHashesTellWhatNodesTell compares each crate with itself and with changed ones, by hashes and node by node.
func TestHashesTellWhatNodesTell(t *testing.T) {
	const largest = 64 << 10
	tries := 10
	if testing.Short() { // looks for races alone
		tries = 2
	}
	compared, differ := 0, 0
	for _, f := range crates(t) {
		if len(f.Data) > largest {
			continue
		}
		a := openBytes(t, f.Name, f.Data).View(sceneView)
		random := rand.New(rand.NewPCG(7, uint64(len(f.Data))))
		for try := range tries {
			data := bytes.Clone(f.Data)
			if try > 0 && len(data) > firstValue {
				data[firstValue+random.IntN(len(data)-firstValue)] ^= 1 << random.IntN(8)
			}
			doc, err := Format.Open(t.Context(), decodertest.Request(decodertest.Formats{Format}, model.NewFileSource(f.Name, model.BytesReader(data)), f.Name))
			if err != nil {
				continue
			}
			b := doc.View(sceneView)
			for _, opt := range []diff.Options{{}, {Stored: true}} {
				got, want := changesOf(t, a, b, opt), changesOf(t, decodertest.Plain(a), decodertest.Plain(b), opt)
				if !slices.Equal(got, want) {
					t.Errorf("%s, try %d, %+v: by hashes %q, by nodes %q", f.Name, try, opt, got, want)
				}
				compared++
				if len(want) > 0 {
					differ++
				}
			}
		}
	}
	t.Logf("%d crates compared, %d differ", compared, differ)
	if differ < compared/8 {
		t.Errorf("only %d of %d changed crates differ", differ, compared)
	}
}

// TestHashesSpareNodes: of two crates with one changed value only the nodes on the way to it are made.
func TestHashesSpareNodes(t *testing.T) {
	open := func(change func([]byte)) *model.View {
		file := filepath.Join(t.TempDir(), "specs.usdc")
		if err := crategen.BulkFile(file, crategen.Specs, 20_000); err != nil {
			t.Fatal(err)
		}
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		change(data)
		return openBytes(t, "specs.usdc", data).View(sceneView)
	}
	half := []byte{0, 0, 0, 0x3f, 0, 0, byte(typeDouble), 0x40} // 0.5 in a sample
	a := open(func([]byte) {})
	b := open(func(data []byte) { data[bytes.LastIndex(data, half)+3] = 0x40 })
	before := model.NodesMade()
	got := changesOf(t, a, b, diff.Options{})
	if made := model.NodesMade() - before; len(got) != 1 || made > 5_000 {
		t.Errorf("%d nodes were made for %q", made, got)
	}
}
