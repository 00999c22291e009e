package udm

import (
	"context"
	"testing"

	"cutaway/decoders/decodertest"
	"cutaway/model"
	"cutaway/model/search"
)

// TestPropertyPaths: a property is found by the path that the engine has for it, by search and after a #.
func TestPropertyPaths(t *testing.T) {
	const text = `$string assetType "PFMP"
$uint32 assetVersion 1
"assetData" {
	"flags" {
		$bool loop 1
		"sub.part" { $int32 n 3 }
	}
	"flags.loop" { $int32 odd 7 }
	$array list [string][ "a" "b" ]
}
`
	doc := decodertest.Open(t, Format, "made.udm", model.BytesReader([]byte(text)))
	for name, want := range map[string]string{
		"flags.sub.part.n": "asset/assetData/flags/sub.part/n", "flags/sub.part.n": "asset/assetData/flags/sub.part/n", "assetData.flags": "asset/assetData/flags",
		"flags.loop": "asset/assetData/flags.loop", "flags.loop.odd": "asset/assetData/flags.loop/odd", "assetVersion": "asset/assetVersion", "list[1]": "asset/assetData/list/[1]",
		"/flags/loop": "asset/assetData/flags/loop", "flags.nothing": "", "": "",
	} {
		path := ""
		if p, err := doc.Lookup(t.Context(), name); err == nil {
			path = p.Path()
		}
		if path != want {
			t.Errorf("%q is %q, want %q", name, path, want)
		}
	}
	for words, want := range map[string]int{"flags.loop": 2, "sub.part": 1, "part.n": 1, "flags.sub": 1, "loop.flags": 0, `"flags.loop"`: 1} {
		q, err := search.ParseQuery(words)
		if err != nil {
			t.Fatal(err)
		}
		hits := 0
		_, err = search.Tree(t.Context(), doc.Views[0].Place(t.Context()), q, search.TreeOptions{}, func(_ context.Context, _ search.Hit) error {
			hits++
			return nil
		})
		if err != nil || hits != want {
			t.Errorf("%s: %d hits, want %d, %v", words, hits, want, err)
		}
	}
}
