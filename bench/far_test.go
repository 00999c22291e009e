package bench

import (
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"testing"

	"cutaway/decoders/usdc"
	"cutaway/decoders/vrs"
	"cutaway/internal/crategen"
	"cutaway/internal/vrsgen"
	"cutaway/model"
	"cutaway/source/far"
)

// TestFarBytes opens large files of a server and counts what comes over the line: of a crate of 1 GB up to its first tree
// at most 0.5 %, of a recording up to its streams by the index at most 1 %.
func TestFarBytes(t *testing.T) {
	for _, k := range []struct {
		format      *model.Format
		file, shows string
		most        float64 // share of the file
	}{
		{usdc.Format, input(t, crategen.Sparse, 1<<30), "scene", 0.005},
		{vrs.Format, recordingInput(t, vrsgen.Bulk{Records: 1_250_000, Index: true}), "streams", 0.01},
	} {
		web := httptest.NewServer(http.FileServer(http.Dir(folder)))
		f, err := far.Open(t.Context(), web.URL+"/"+filepath.Base(k.file), far.Options{})
		if err != nil {
			t.Fatal(err)
		}
		doc, err := k.format.Open(t.Context(), &model.OpenRequest{Source: model.NewFileSource("far", f), Name: "far", Files: model.NoFiles{}})
		if err != nil {
			t.Fatal(err)
		}
		root, err := doc.Lookup(t.Context(), k.shows)
		if err == nil {
			err = root.Resolve(t.Context(), nil)
		}
		if err != nil {
			t.Fatal(err)
		}
		n, _ := root.Len(t.Context())
		for i := range min(n, 50) {
			_ = model.Show(t.Context(), root.Child(t.Context(), i).Node.Value, 100)
		}
		share := float64(f.Fetched()) / float64(f.Size())
		t.Logf("%s: %d of %d bytes, %.4f %%", filepath.Base(k.file), f.Fetched(), f.Size(), 100*share)
		if n == 0 || share > k.most {
			t.Errorf("%s: %d rows by %.3f %% of the file, more than %.1f %%", filepath.Base(k.file), n, 100*share, 100*k.most)
		}
		doc.Close()
		f.Close()
		web.Close()
	}
}
