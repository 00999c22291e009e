package decoders

import (
	"os"
	"path/filepath"
	"testing"

	"cutaway/decoders/decodertest"
	"cutaway/model"
)

// listed are files of the formats in the list, in the repository.
func listed(t testing.TB) []string {
	t.Helper()
	var files []string
	for _, pattern := range []string{"usdc/made-*.usdc"} {
		found, err := filepath.Glob(filepath.Join("..", "testdata", pattern))
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, found...)
	}
	if len(files) == 0 {
		t.Fatal("no files")
	}
	return files
}

// openBare opens a file without the guard.
func openBare(t testing.TB, f *model.Format, path string) *model.Document {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	doc, err := f.Open(t.Context(), decodertest.Request(nil, model.NewFileSource(filepath.Base(path), model.BytesReader(data)), filepath.Base(path)))
	if err != nil {
		t.Fatal(err)
	}
	return doc
}

// TestGuardIsTransparent compares the tree of each file with and without the guard.
func TestGuardIsTransparent(t *testing.T) {
	tree := func(doc *model.Document, view string) []string {
		var all []string
		opt := model.WalkOptions{Resolve: true, Derived: true}
		err := model.Walk(t.Context(), doc.View(view).Place(t.Context()), opt, func(p *model.Place) error {
			all = append(all, p.Path()+" "+model.Show(t.Context(), p.Node.Value, 80)+" "+p.Node.Span().String())
			return nil
		})
		if err != nil {
			t.Error(err)
		}
		return all
	}
	for _, path := range listed(t) {
		guardedDoc, err := OpenFile(t.Context(), path, OpenOptions{})
		if err != nil {
			t.Fatal(err)
		}
		bare := openBare(t, ByName(guardedDoc.Format), path)
		for _, v := range bare.Views {
			want, got := tree(bare, v.Name), tree(guardedDoc, v.Name)
			if len(want) != len(got) || len(got) == 0 {
				t.Errorf("%s, %s: %d nodes behind the guard, %d without it", path, v.Name, len(got), len(want))
				continue
			}
			for i := range want {
				if want[i] != got[i] {
					t.Errorf("%s: behind the guard %q, without it %q", path, got[i], want[i])
				}
			}
		}
		if err := guardedDoc.Close(); err != nil {
			t.Error(err)
		}
	}
}

// BenchmarkCheck measures a check with and without the guard.
func BenchmarkCheck(b *testing.B) {
	path := listed(b)[0]
	data, err := os.ReadFile(path)
	if err != nil {
		b.Fatal(err)
	}
	check := func(b *testing.B, doc *model.Document) {
		if _, err := doc.CheckAll(b.Context(), nil); err != nil {
			b.Fatal(err)
		}
	}
	b.Run("guarded", func(b *testing.B) {
		for b.Loop() {
			doc, err := Opener{}.Open(b.Context(), model.NewFileSource(path, model.BytesReader(data)), path)
			if err != nil {
				b.Fatal(err)
			}
			check(b, doc)
		}
	})
	b.Run("bare", func(b *testing.B) {
		for b.Loop() {
			check(b, openBare(b, ByName("usdc"), path))
		}
	})
}
