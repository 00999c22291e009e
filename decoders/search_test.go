package decoders

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"cutaway/decoders/decodertest"
	"cutaway/model"
	"cutaway/model/search"
)

// sampleFiles are the small files of testdata, by format, sound and damaged.
func sampleFiles(t *testing.T) map[string][]string {
	const small = 8 << 10
	byFormat := make(map[string][]string)
	paths, err := filepath.Glob("../testdata/*/*")
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range paths {
		if strings.Contains(p, "4294967295") {
			continue // so many elements, of no bytes, take a minute to look at
		}
		if info, err := os.Stat(p); err == nil && !info.IsDir() && info.Size() < small {
			byFormat[filepath.Base(filepath.Dir(p))] = append(byFormat[filepath.Base(filepath.Dir(p))], p)
		}
	}
	return byFormat
}

// openSample opens a file, so that a panic of its format is one; nil where no format fits.
func openSample(t *testing.T, path string) (*model.Document, []byte) {
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if filepath.Base(filepath.Dir(path)) == "ksy" {
		UseDescriptions(filepath.Dir(path))
		t.Cleanup(func() { UseDescriptions() })
	}
	src := model.NewFileSource(filepath.Base(path), model.BytesReader(data))
	doc, err := decodertest.Formats(All()).Open(t.Context(), src, filepath.Base(path))
	if err != nil {
		return nil, nil
	}
	t.Cleanup(func() { _ = doc.Close() })
	return doc, data
}

var everywhere = search.TreeOptions{Resolve: true, Derived: true, Elements: true}

// finds searches a view, and reports whether the node at path is hit. It fails where the hits are not in the tree's order.
func finds(t *testing.T, doc *model.Document, view, text, path string) bool {
	t.Helper()
	q, err := search.ParseQuery(text)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	found := false
	_, err = search.Tree(t.Context(), doc.View(view).Place(t.Context()), q, everywhere, func(_ context.Context, h search.Hit) error {
		found = found || h.Path == path
		return nil
	})
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return found
}

// queries are what a node must be found by.
func queries(ctx context.Context, n *model.Node) []string {
	var list []string
	plain := func(s string) bool { return s != "" && !strings.ContainsAny(s, "\"\n") && len(s) < 100 }
	if plain(n.Name) {
		list = append(list, `name:"`+n.Name+`"`)
	}
	switch v := n.Value.(type) {
	case model.Text:
		if plain(string(v)) && !strings.HasPrefix(string(v), "/") { // of a path its last part is enough
			list = append(list, `value:"`+string(v)+`"`)
		}
	case model.Int, model.Uint, model.Float32:
		list = append(list, "value:="+model.Show(ctx, v, 100))
	case model.Float64:
		list = append(list, "value:="+model.Show(ctx, v, 100))
		if !math.IsNaN(float64(v)) {
			list = append(list, fmt.Sprintf("value:%g..%g", math.Nextafter(float64(v), -math.MaxFloat64), math.Nextafter(float64(v), math.MaxFloat64)))
		}
	}
	return list
}

// Every format's nodes are found by name and by value, in every view.
func TestNodesAreFound(t *testing.T) {
	for format, files := range sampleFiles(t) {
		asked := 0
		for _, file := range files {
			doc, _ := openSample(t, file)
			if doc == nil || strings.HasPrefix(filepath.Base(file), "x-") || strings.HasPrefix(filepath.Base(file), "damaged-") {
				continue
			}
			for _, v := range doc.Views {
				const every, most = 7, 8
				visited, of := 0, 0
				err := model.Walk(t.Context(), v.Place(t.Context()), model.WalkOptions{Resolve: true, Derived: true}, func(p *model.Place) error {
					if visited++; visited%every != 1 || of == most {
						return nil
					}
					of++
					for _, text := range queries(t.Context(), &p.Node) {
						asked++
						if !finds(t, doc, v.Name, text, p.Path()) {
							t.Errorf("%s: %s does not find %s", file, text, p.Path())
						}
					}
					return nil
				})
				if err != nil {
					t.Fatal(err)
				}
			}
		}
		if asked < 10 {
			t.Errorf("%s: only %d searches", format, asked)
		}
	}
}

// onlyHere is some bytes of a derived source that the file does not hold.
func onlyHere(ctx context.Context, src *model.Source, file []byte) (text []byte, off int64) {
	const length = 8
	data, _ := src.Bytes(ctx, 0, min(src.Size(), 4096))
	for i := 0; i+length <= len(data); i++ {
		if !bytes.Contains(file, data[i:i+length]) {
			return data[i : i+length], int64(i)
		}
	}
	return nil, 0
}

// What is only in a decompressed or decoded part is found there.
func TestBytesAreFoundInDerivedSources(t *testing.T) {
	const perFile = 3
	for format, files := range sampleFiles(t) {
		asked := 0
		for _, file := range files {
			doc, data := openSample(t, file)
			if doc == nil {
				continue
			}
			of := 0
			err := model.Walk(t.Context(), doc.View(model.LayoutView).Place(t.Context()), model.WalkOptions{Resolve: true, Derived: true}, func(p *model.Place) error {
				if p.Index >= 0 || of == perFile {
					return nil
				}
				text, off := onlyHere(t.Context(), p.Of, data)
				if text == nil {
					return nil
				}
				of++
				asked++
				pattern, err := search.ParsePattern(fmt.Sprintf("%x", text), search.Hex, search.PatternOptions{})
				if err != nil {
					return err
				}
				found := 0
				err = search.EverySource(t.Context(), doc, pattern, nil, func(_ context.Context, src *model.Source, at, _ int64) error {
					if src.Name() == p.Of.Name() && at == off {
						found++
					}
					return nil
				})
				var unread *search.Unread
				if err != nil && !errors.As(err, &unread) {
					return err
				}
				if found != 1 {
					t.Errorf("%s: % x is found %d times at %d of %s", file, text, found, off, p.Of.Name())
				}
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
		}
		if asked == 0 && format != "flatbuffer" && format != "omnilive" && format != "usda" && format != "ksy" {
			t.Errorf("%s: nothing derived was searched", format)
		}
	}
}

// Damaged files, too, are searched to the end.
func TestDamagedFilesAreSearched(t *testing.T) {
	q, err := search.ParseQuery("a >1")
	if err != nil {
		t.Fatal(err)
	}
	for _, files := range sampleFiles(t) {
		for _, file := range files {
			doc, _ := openSample(t, file)
			if doc == nil || !strings.HasPrefix(filepath.Base(file), "x-") && !strings.HasPrefix(filepath.Base(file), "damaged-") {
				continue
			}
			for _, v := range doc.Views {
				visited, err := search.Tree(t.Context(), v.Place(t.Context()), q, everywhere, func(context.Context, search.Hit) error { return nil })
				if err != nil || visited == 0 {
					t.Errorf("%s: %d nodes of %s, %v", file, visited, v.Name, err)
				}
			}
		}
	}
}

// A search of all bytes tells which parts could not be decoded whole.
func TestSearchTellsOfDamage(t *testing.T) {
	p, err := search.ParsePattern("anything", search.Auto, search.PatternOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for file, path := range map[string]string{
		"vrs/damaged-compressed-bytes.vrs": "layout/records/[4]/payload@inflated",
		"usdc/x-tokens-lz4-offset0.usdc":   "layout/TOKENS/text",
		"odin/damaged-base64.asset":        "layout/[1]/SerializedBytesString/value",
		"vrs/index-in-front.vrs":           "",
	} {
		doc, _ := openSample(t, filepath.Join("../testdata", file))
		err := search.EverySource(t.Context(), doc, p, nil, func(context.Context, *model.Source, int64, int64) error { return nil })
		var unread *search.Unread
		switch {
		case path == "" && err != nil:
			t.Errorf("%s: %v", file, err)
		case path != "" && (!errors.As(err, &unread) || unread.Damaged != 1 || unread.Path != path):
			t.Errorf("%s: %v, want 1 damaged part at %s", file, err, path)
		}
	}
}

// A search that is cancelled has given what it found.
func TestCancelledSearchKeepsHits(t *testing.T) {
	doc, _ := openSample(t, "../testdata/usdc/value-types.usdc")
	q, err := search.ParseQuery("a")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	hits := 0
	_, err = search.Tree(ctx, doc.View("scene").Place(t.Context()), q, everywhere, func(context.Context, search.Hit) error {
		if hits++; hits == 5 {
			cancel()
		}
		return nil
	})
	if !errors.Is(err, context.Canceled) || hits < 5 {
		t.Errorf("%d hits, %v", hits, err)
	}
}
