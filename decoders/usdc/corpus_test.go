package usdc

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"cutaway/model"
)

const corpus = "../../../shared/corpus/usdc"

// openFile opens a file of the corpus as a crate, whatever its magic.
func openFile(t testing.TB, name string) *model.Document {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(corpus, name))
	if os.IsNotExist(err) {
		t.Skipf("the corpus is not here: %v", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	return openBytes(t, name, b)
}

func openBytes(t testing.TB, name string, b []byte) *model.Document {
	t.Helper()
	src := model.NewFileSource(name, model.BytesReader(b))
	d, err := Format.Open(context.Background(), &model.OpenRequest{Source: src, Name: name, Forced: true, Files: model.NoFiles{}})
	if err != nil {
		t.Fatal(err)
	}
	return d
}
