package scene_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"testing"

	"cutaway/decoders/decodertest"
	"cutaway/decoders/usdc"
	"cutaway/decoders/usdc/scene"
	"cutaway/internal/crategen"
	"cutaway/internal/handgen"
	"cutaway/model"
	"cutaway/model/size"
)

// TestMeasuresLikeNodes: sizes measured in bulk are those of the nodes.
func TestMeasuresLikeNodes(t *testing.T) {
	folder := t.TempDir()
	files := handgen.Files(t)
	for kind, n := range map[crategen.Kind]int64{crategen.Specs: 20_000, crategen.Children: 20_000, crategen.Deep: 1_000} {
		name := filepath.Join(folder, string(kind))
		if err := crategen.BulkFile(name, kind, n); err != nil {
			t.Fatal(err)
		}
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, decodertest.File{Name: string(kind), Data: data})
	}
	spared := int64(0)
	for i, f := range files {
		random := rand.New(rand.NewPCG(11, uint64(len(f.Data))))
		for try := range 2 {
			data := bytes.Clone(f.Data)
			if try > 0 && len(data) > handgen.FirstValue {
				data[handgen.FirstValue+random.IntN(len(data)-handgen.FirstValue)] ^= 1 << random.IntN(8)
			}
			if len(data) <= 16<<10 || i >= len(files)-3 {
				spared += measuredAlike(t, f.Name, data, []int64{60, 4000}[try])
			}
		}
	}
	if spared < 50_000 {
		t.Errorf("in bulk only %d nodes fewer were made", spared)
	}
}

// measuredAlike measures a scene in bulk and by its nodes, and returns how many nodes fewer were made in bulk.
func measuredAlike(t *testing.T, name string, data []byte, least int64) int64 {
	t.Helper()
	d, err := usdc.Format.Open(t.Context(), decodertest.Request(decodertest.Formats{usdc.Format}, model.NewFileSource(name, model.BytesReader(data)), name))
	if err != nil {
		return 0
	}
	v := d.View(scene.View)
	measure := func(v *model.View, opt size.Options) (*size.Tree, int64) {
		start := model.NodesMade()
		tree, err := size.Measure(t.Context(), d, v, opt)
		if err != nil {
			t.Fatal(err)
		}
		return tree, model.NodesMade() - start
	}
	got, fewer := measure(v, size.Options{Least: least})
	want, all := measure(decodertest.Plain(v), size.Options{Least: least})
	if got.Total != want.Total || !reflect.DeepEqual(got.Root, want.Root) || !reflect.DeepEqual(got.Free, want.Free) {
		t.Errorf("%s, told apart from %d bytes on: in bulk %+v, by nodes %+v", name, least, *got.Root, *want.Root)
	}
	var some, whole []string
	list := func(into *[]string, from int64) size.Options {
		return size.Options{Least: from, Each: func(path string, n *size.Node) error {
			if n.Stored >= least || path == scene.View {
				*into = append(*into, fmt.Sprint(path, n.Size, n.Count))
			}
			return nil
		}}
	}
	measure(v, list(&some, least))
	measure(decodertest.Plain(v), list(&whole, 0))
	if !slices.Equal(some, whole) {
		t.Errorf("%s: of at least %d bytes are told %q, of all nodes %q", name, least, some, whole)
	}
	return all - fewer
}
