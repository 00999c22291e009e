package cli

import (
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"cutaway/decoders"
	"cutaway/model"
	sizes "cutaway/model/size"
)

// TestSizes: in every view of every file, what its nodes have and what none of them has are the file, to the byte.
func TestSizes(t *testing.T) {
	files, views := 0, 0
	for _, root := range []string{"../testdata", "../../shared/corpus"} {
		err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() {
				return err
			}
			d, err := decoders.OpenFile(t.Context(), path, decoders.OpenOptions{})
			if err != nil {
				return nil // no format fits
			}
			defer d.Close()
			files++
			for _, v := range d.Views {
				views++
				measure(t, path, d, v)
			}
			return nil
		})
		if err != nil && root == "../testdata" {
			t.Fatal(err)
		}
	}
	t.Logf("%d views of %d files", views, files)
	if files < 100 {
		t.Errorf("only %d files", files)
	}
}

// described are the samples of the descriptions in testdata/ksy.
var described = map[string]string{
	"png": "picture.png", "zip": "archive.zip", "zip_members": "members.zip", "gif": "picture.gif", "bmp": "picture.bmp", "midi": "song.mid", "pcap": "packets.pcap",
	"msgpack": "map.msgpack", "shp": "shapes.shp", "mo": "words.mo", "stl": "solid.stl", "wav": "tone.wav", "tar": "files.tar", "der": "tree.der",
}

// TestSizesByDescription is TestSizes of files that are read by a description: each of ours, and those of the Kaitai project.
func TestSizesByDescription(t *testing.T) {
	const ours, suite = "../testdata/ksy/", "../../shared/corpus/kaitai/"
	files := make(map[string]string) // by the description
	for name, file := range described {
		files[ours+name+".ksy"] = ours + file
	}
	if text, err := os.ReadFile(suite + "cases.json"); err == nil {
		var cases []struct{ ID, Data string }
		if err := json.Unmarshal(text, &cases); err != nil {
			t.Fatal(err)
		}
		for _, c := range cases {
			files[suite+"formats/"+c.ID+".ksy"] = suite + "src/" + c.Data
		}
	}
	views := 0
	for schema, file := range files {
		d, err := decoders.OpenFile(t.Context(), file, decoders.OpenOptions{Options: decoders.Options{Format: "ksy", Options: map[string]string{"schema": schema}}})
		if err != nil {
			if strings.HasPrefix(schema, ours) { // of the others some import what is elsewhere
				t.Errorf("%s by %s: %v", file, schema, err)
			}
			continue
		}
		for _, v := range d.Views {
			views++
			measure(t, schema, d, v)
		}
		if err := d.Close(); err != nil {
			t.Error(err)
		}
	}
	t.Logf("%d views of %d files", views, len(files))
}

func measure(t *testing.T, file string, d *model.Document, v *model.View) {
	t.Helper()
	var own int64
	tree, err := sizes.Measure(t.Context(), d, v, sizes.Options{Each: func(path string, n *sizes.Node) error {
		if n.Own < 0 || n.Stored < n.Own || n.Logical < 0 {
			t.Errorf("%s: %s: own %d, stored %d, logical %d", file, path, n.Own, n.Stored, n.Logical)
		}
		own += n.Own
		return nil
	}})
	if err != nil {
		t.Errorf("%s: %s: %v", file, v.Name, err)
		return
	}
	sum := tree.Root.Stored
	for _, p := range tree.Free {
		if sum += p.Size; p.Size <= 0 || p.Path == "" {
			t.Errorf("%s: %s: %d bytes without an owner in %q", file, v.Name, p.Size, p.Path)
		}
	}
	if sum != tree.Total || own != tree.Root.Stored {
		t.Errorf("%s: %s: %d of %d bytes; the nodes' own sum to %d, the root has %d", file, v.Name, sum, tree.Total, own, tree.Root.Stored)
	}
	if v.Name == model.LayoutView && len(tree.Free) > 0 {
		t.Errorf("%s: nobody has %v of the layout", file, tree.Free)
	}
	checkSums(t, file, tree.Root)
}

func checkSums(t *testing.T, file string, n *sizes.Node) {
	t.Helper()
	stored := n.Own + n.Small.Stored
	for _, c := range n.Children {
		stored += c.Stored
		checkSums(t, file, c)
	}
	if stored != n.Stored {
		t.Errorf("%s: %s: its parts sum to %d, it has %d", file, n.Path, stored, n.Stored)
	}
}
