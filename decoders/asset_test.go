package decoders

import (
	"archive/zip"
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
)

// packed is a zip of stored members, in order: names and contents.
func packed(t *testing.T, members ...string) string {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for i := 0; i < len(members); i += 2 {
		m, err := w.CreateHeader(&zip.FileHeader{Name: members[i], Method: zip.Store})
		if err == nil {
			_, err = m.Write([]byte(members[i+1]))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestFindAsset: an asset path is looked for in the package that its layer is in, wherever that lies, and then beside the file.
func TestFindAsset(t *testing.T) {
	const layer, image = "#usda 1.0\ndef \"X\" {\n}\n", "picture"
	inner := packed(t, "parts/scene.usda", layer, "parts/near.png", image, "top.png", image, "other.usda", layer)
	file := filepath.Join(t.TempDir(), "outer.usdz")
	outer := packed(t, "inner.usdz", inner, "outside.png", image, "second.usdz", inner)
	if err := errors.Join(os.WriteFile(file, []byte(outer), 0o600), os.WriteFile(filepath.Join(filepath.Dir(file), "beside.png"), []byte(image), 0o600)); err != nil {
		t.Fatal(err)
	}
	for _, k := range []struct{ of, asset, inner string }{
		{"", "./near.png", "inner.usdz[parts/near.png]"},
		{"", "top.png", "inner.usdz[top.png]"},
		{"", "../other.usda", "inner.usdz[other.usda]"},
		{"inner.usdz", "scene.usda", "inner.usdz[parts/scene.usda]"},
		{"inner.usdz[parts/scene.usda]", "near.png", "inner.usdz[parts/near.png]"},
		{"inner.usdz[other.usda]", "top.png", "inner.usdz[top.png]"},
		{"second.usdz", "near.png", "second.usdz[parts/near.png]"},
		{"second.usdz[other.usda]", "parts/scene.usda", "second.usdz[parts/scene.usda]"},
		{"", "beside.png", ""},
		{"", "outside.png", "gone"},
		{"", "gone.png", "gone"},
	} {
		target := Target{File: file, Inner: k.of, Offset: -1}
		doc, err := OpenTarget(t.Context(), target, OpenOptions{})
		if err != nil {
			t.Fatal(err)
		}
		finder, err := NewAssetFinder(t.Context(), doc, target)
		if err != nil {
			t.Fatal(err)
		}
		found, err := finder.Find(k.asset)
		switch {
		case k.inner == "gone":
			if !errors.Is(err, fs.ErrNotExist) {
				t.Errorf("%s in %q: %v, %v", k.asset, k.of, found, err)
			}
			continue
		case err != nil || found.Inner != k.inner || k.inner == "" && filepath.Base(found.File) != k.asset:
			t.Errorf("%s in %q: %v, %v; want %q", k.asset, k.of, found, err, k.inner)
			continue
		}
		if k.inner != "" {
			there, err := OpenTarget(t.Context(), found, OpenOptions{})
			if err != nil {
				t.Errorf("%s: %v", found, err)
				continue
			}
			there.Close()
		}
		doc.Close()
	}
}

// TestFindFarAsset: beside a file of a server it is that of its path on the server; a signature is for one file alone.
func TestFindFarAsset(t *testing.T) {
	for _, k := range []struct{ file, asset, found string }{
		{"https://host/dir/scene.usdc", "./tex/a b.png", "https://host/dir/tex/a%20b.png"},
		{"https://host/dir/scene.usdc", "../up.usda", "https://host/up.usda"},
		{"https://host/dir/scene.usdc", "//evil.example/x.png", ""},
		{"https://host/dir/scene.usdc", "https://evil.example/x.png", ""},
		{"https://host/dir/scene.usdc?sig=1", "a.png", ""},
	} {
		finder := &AssetFinder{of: ParseTarget(k.file, func(string) bool { return false })}
		found, err := finder.Find(k.asset)
		if (err == nil) != (k.found != "") || err == nil && found.File != k.found {
			t.Errorf("%s beside %s: %v, %v", k.asset, k.file, found, err)
		}
	}
}
