package decodertest

import (
	"testing"

	"cutaway/model"
	"cutaway/source"
)

// Limits bound the cost of opening a file and showing rows.
type Limits struct {
	Path  string // the node whose rows are shown, or "" for the root of the first view
	Rows  int64  // number of rows, or 0 for 50
	Bytes int64  // read in total
	Nodes int64  // number of nodes made, or 0 for 1,000
}

// Lazy opens a large file, shows rows from the beginning and the middle of a node, and checks the bytes read and nodes
// made. It counts nodes of the whole process, so no test may run in parallel.
func Lazy(t testing.TB, f *model.Format, name string, r model.Reader, limits Limits, beside ...*model.Format) {
	t.Helper()
	if limits.Rows == 0 {
		limits.Rows = 50
	}
	if limits.Nodes == 0 {
		limits.Nodes = 1000
	}
	counter := source.NewCounter(r)
	before := model.NodesMade()
	doc := Open(t, f, name, counter, beside...)
	if limits.Path == "" {
		limits.Path = doc.Views[0].Name
	}
	p, err := doc.Lookup(t.Context(), limits.Path)
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Resolve(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	n, _ := p.Len(t.Context())
	if n == 0 {
		t.Errorf("%s has no rows to show", limits.Path)
	}
	for _, first := range []int64{0, max(n/2, limits.Rows)} {
		for i := first; i < min(first+limits.Rows, n); i++ {
			row := p.Child(t.Context(), i)
			row.Path()
			model.Show(t.Context(), row.Node.Value, 80)
		}
	}
	made := model.NodesMade() - before
	t.Logf("%s: %d bytes in %d reads of %d pages, %d nodes, for %d of %d rows of a file of %d bytes",
		name, counter.Bytes(), counter.Calls(), counter.Pages(), made, 2*limits.Rows, n, r.Size())
	if counter.Bytes() > limits.Bytes {
		t.Errorf("read %d bytes, may read %d", counter.Bytes(), limits.Bytes)
	}
	if made > limits.Nodes {
		t.Errorf("made %d nodes, may make %d", made, limits.Nodes)
	}
}
