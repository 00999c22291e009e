package decoders

import (
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"cutaway/decoders/usda"
)

// TestFindAsset: an asset path is looked for where usd-core 26.11 looks: beside its layer; where it is a search path, then beside the
// default layer of the package, and then outside of it.
func TestFindAsset(t *testing.T) {
	const layer, image = "#usda 1.0\ndef \"X\" {\n}\n", "picture"
	inner := zipOf(t, "parts/scene.usda", layer, "parts/near.png", image, "top.png", image, "other.usda", layer, "deep/third.usda", layer)
	file := filepath.Join(t.TempDir(), "outer.usdz")
	outer := zipOf(t, "inner.usdz", inner, "outside.png", image, "second.usdz", inner, "b/l.usda", layer, "b/y.png", image)
	writeFiles(t, filepath.Dir(file), map[string]string{"outer.usdz": outer, "beside.png": image, "inner.usdz": inner})
	const gone = "gone"
	for _, k := range []struct{ of, asset, inner string }{
		{"", "./near.png", "inner.usdz[parts/near.png]"},
		{"", "near.png", "inner.usdz[parts/near.png]"},
		{"", "top.png", gone},
		{"", "./top.png", gone},
		{"", "../top.png", "inner.usdz[top.png]"},
		{"", "parts/near.png", gone},
		{"", "../other.usda", "inner.usdz[other.usda]"},
		{"", "../../outside.png", gone},
		{"inner.usdz", "scene.usda", "inner.usdz[parts/scene.usda]"},
		{"inner.usdz[parts/scene.usda]", "near.png", "inner.usdz[parts/near.png]"},
		{"inner.usdz[other.usda]", "top.png", "inner.usdz[top.png]"},
		{"inner.usdz[other.usda]", "near.png", "inner.usdz[parts/near.png]"},
		{"inner.usdz[other.usda]", "./near.png", gone},
		{"inner.usdz[deep/third.usda]", "near.png", "inner.usdz[parts/near.png]"},
		{"inner.usdz[deep/third.usda]", "top.png", gone},
		{"second.usdz", "near.png", "second.usdz[parts/near.png]"},
		{"second.usdz[other.usda]", "parts/scene.usda", "second.usdz[parts/scene.usda]"},
		{"b/l.usda", "y.png", "b/y.png"},
		{"b/l.usda", "b/y.png", gone},
		{"b/l.usda", "near.png", "inner.usdz[parts/near.png]"},
		{"b/l.usda", "outside.png", gone},
		{"b/l.usda", "../second.usdz[top.png]", "second.usdz[top.png]"},
		{"b/l.usda", "../second.usdz[gone.png]", gone},
		{"b/l.usda", "../second.usdz[top.png[x]]", gone},
		{"", "beside.png", ""},
		{"", "./beside.png", gone},
		{"", "outside.png", gone},
		{"", "gone.png", gone},
	} {
		target := Target{File: file, Inner: k.of, Offset: -1}
		doc, err := OpenTarget(t.Context(), target, OpenOptions{})
		if err != nil {
			t.Fatal(err)
		}
		finder, err := NewAssetFinder(doc, target)
		if err != nil {
			t.Fatal(err)
		}
		found, err := finder.Find(t.Context(), k.asset)
		switch {
		case k.inner == gone:
			if !errors.Is(err, fs.ErrNotExist) {
				t.Errorf("%s in %q: %v, %v", k.asset, k.of, found, err)
			}
		case err != nil || len(found) != 1 || found[0].Inner != k.inner || k.inner == "" && filepath.Base(found[0].File) != k.asset:
			t.Errorf("%s in %q: %v, %v; want %q", k.asset, k.of, found, err, k.inner)
		case k.inner != "":
			there, err := OpenTarget(t.Context(), found[0], OpenOptions{})
			if err != nil {
				t.Errorf("%s: %v", found, err)
				break
			}
			there.Close()
		}
		doc.Close()
	}
}

// writeFiles writes files of a folder, by their names.
func writeFiles(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for name, content := range files {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o700), os.WriteFile(file, []byte(content), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
}

// TestCheckAssets: a file is missing, or there and holds nothing, or a renderer's affair; the same in a folder, a package and a package
// in a package.
func TestCheckAssets(t *testing.T) {
	const layer, image = "#usda 1.0\ndef \"X\" {\n}\n", "picture"
	inside := zipOf(t, "a.usda", layer, "b.png", image)
	const pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:1\nsize 485323\n"
	files := []string{"a.usda", layer, "good.png", image, "empty.png", "", "lfs.png", pointer, "lfs.usda", pointer, "page.png", "\n<!DOCTYPE html><title>Sign in</title>",
		"t.1001.png", image, "t.1100.png", image, "u.1101.png", image, "v.1002.png", image, "v.1003.png", "", "w.png", image, "Wood.mdl", image, "inside.usdz", inside, "empty.usda", ""}
	const missing, broken, search = ruleAssetMissing, ruleAssetBroken, ruleAssetSearch
	cases := []struct{ asset, rule, says string }{
		{"./good.png", "", ""}, {"good.png", "", ""}, {"nope.png", missing, "nope.png is not there"}, {"./nope.png", missing, ""},
		{"empty.png", broken, "it is empty"}, {"lfs.png", broken, "485,323 bytes were not fetched"}, {"page.png", broken, "HTML"}, {"empty.usda", broken, "it is empty"},
		{"lfs.usda", broken, "LFS"}, {"t.<UDIM>.png", "", ""}, {"./t.<UDIM>.png", "", ""}, {"u.<UDIM>.png", missing, "u.<UDIM>.png"},
		{"v.<UDIM>.png", broken, "v.1003.png is there, but it is empty"}, {"<UDIM>/t.png", missing, ""}, {"<any>.png", broken, ""}, {"w<any>.png", missing, ""},
		{"Wood.mdl", "", ""}, {"OmniPBR.mdl", search, "search path"}, {"./OmniPBR.mdl", missing, ""}, {"inside.usdz", "", ""}, {"inside.usdz[b.png]", "", ""},
		{"./inside.usdz:SDF_FORMAT_ARGS:a=b", "", ""}, {"inside.usdz[c.png]", missing, "inside.usdz[c.png]"}, {"./inside.usdz[./b.png]", missing, ""}, {"good.png[b.png]", missing, ""},
	}
	pkg := zipOf(t, files...)
	dir := t.TempDir()
	writeFiles(t, dir, map[string]string{"one.usdz": pkg, "two.usdz": zipOf(t, "in/one.usdz", pkg), "three.usdz": zipOf(t, "first.usda", layer, "one.usdz", pkg)})
	for i := 0; i < len(files); i += 2 {
		writeFiles(t, filepath.Join(dir, "folder"), map[string]string{files[i]: files[i+1]})
	}
	for _, of := range []Target{{File: "folder/a.usda"}, {File: "one.usdz"}, {File: "one.usdz", Inner: "a.usda"}, {File: "two.usdz"}, {File: "three.usdz", Inner: "one.usdz"}} {
		of.File, of.Offset = filepath.Join(dir, of.File), -1
		doc, err := OpenTarget(t.Context(), of, OpenOptions{})
		if err != nil {
			t.Fatal(err)
		}
		finder, err := NewAssetFinder(doc, of)
		if err != nil {
			t.Fatal(err)
		}
		for _, k := range cases {
			p, wrong, err := finder.Check(t.Context(), k.asset)
			if err != nil || wrong != (k.rule != "") || p.Rule != k.rule || !strings.Contains(p.Message, k.says) {
				t.Errorf("%s of %v: %v, %v; want %s, %q", k.asset, of, p, err, k.rule, k.says)
			}
		}
		for _, asset := range []string{"https://h/x.png", "`\"${X}.png\"`"} {
			if _, wrong, err := finder.Check(t.Context(), asset); wrong || err == nil {
				t.Errorf("%s of %v: %t, %v; want that it is not known", asset, of, wrong, err)
			}
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
		{"https://host/dir/scene.usdc", `\\evil.example\x.png`, "https://host/dir/%5C%5Cevil.example%5Cx.png"},
		{"https://host/dir/scene.usdc", "%2F%2Fevil.example/x.png", "https://host/dir/%252F%252Fevil.example/x.png"},
		{"https://host/dir/scene.usdc", "https:/evil.example/x.png", "https://host/dir/https:/evil.example/x.png"},
		{"https://host/dir/scene.usdc", "x.png?to=evil.example#y", "https://host/dir/x.png%3Fto=evil.example%23y"},
	} {
		finder := &AssetFinder{names: usda.Files, of: ParseTarget(k.file, func(string) bool { return false })}
		found, err := finder.Find(t.Context(), k.asset)
		if (err == nil) != (k.found != "") || err == nil && found[0].File != k.found {
			t.Errorf("%s beside %s: %v, %v", k.asset, k.file, found, err)
		}
	}
}

// TestAssetIsNoAddress: no asset path of a file here leads to a server, however it is written; the names that are found can be opened
// as files alone.
func TestAssetIsNoAddress(t *testing.T) {
	web := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { t.Errorf("asked for %s", r.URL) }))
	defer web.Close()
	host := strings.TrimPrefix(web.URL, "http://")
	t.Chdir(t.TempDir())
	for _, file := range []string{"scene.usda", filepath.Join(t.TempDir(), "scene.usda")} {
		finder := &AssetFinder{names: usda.Files, of: Target{File: file}}
		for _, asset := range []string{"http://%s/x.usda", "HTTP://%s/x.usda", "file://%s/x.usda", "./http://%s/x.usda", "http:/%s/x.usda", "http:///%s/x.usda",
			"x.usdz[http://%s/x.usda]", "http%%3A%%2F%%2F%s/x.usda", "//%s/x.usda", "http:%s", "http:\\\\%s\\x.usda", "<a>http://%s/<UDIM>", "\\\\%s\\x.usda"} {
			asset = fmt.Sprintf(asset, host)
			if found, err := finder.Find(t.Context(), asset); err == nil {
				t.Errorf("%s beside %s: found as %v", asset, file, found)
			}
		}
	}
}

// TestOffDisk: on Windows neither another server nor a device is asked for by a path that a file has.
func TestOffDisk(t *testing.T) {
	const disk, server, long = `C:\work\scene.usda`, `\\Nas\shows\scene.usda`, `\\?\UNC\nas\shows\scene.usda`
	for _, k := range []struct{ asset, layer, says string }{
		{"tex/a.png", disk, ""}, {`..\tex\a.png`, disk, ""}, {"C:/tex/a.png", disk, ""}, {`D:\tex\a.png`, server, ""}, {"/tex/a.png", disk, ""},
		{"tex/a:b.png", disk, ""}, {"console/auxiliary.png", disk, ""}, {"COM10/lpt.png", disk, ""}, {"a.con", disk, ""}, {"", disk, ""}, {"%5C%5Cevil/x", disk, ""},
		{"//evil/share/a.png", disk, "the server evil"}, {`\\evil\share\a.png`, disk, "the server evil"}, {`\/evil/share`, disk, "the server evil"},
		{`/\evil`, disk, "the server evil"}, {`\\evil@SSL@443\dav\a.png`, disk, "the server evil@SSL@443"}, {`\\`, disk, "the server"},
		{`\\?\UNC\evil\share\a.png`, disk, "the server evil"}, {"//?/unc/evil/share", disk, "the server evil"}, {`\\.\UNC\evil\share`, disk, "the server evil"},
		{`\??\UNC\evil\share`, disk, "the server evil"}, {"//evil/share/<UDIM>.png", disk, "the server evil"},
		{`\\?\C:\a.png`, disk, "devices"}, {`\\.\pipe\x`, disk, "devices"}, {"//./PhysicalDrive0", disk, "devices"}, {`\??\C:\x`, disk, "devices"},
		{`\\?\GLOBALROOT\Device\Mup\evil\share`, disk, "devices"},
		{"//nas/shows/a.png", server, ""}, {`\\NAS\films\a.png`, server, ""}, {`\\nas\shows\a.png`, long, ""}, {"tex/a.png", server, ""},
		{"//evil/shows/a.png", server, "the server evil"}, {"//nas.evil/shows/a.png", server, "the server nas.evil"}, {"///nas/shows", server, "the server"},
		{"C:a.png", disk, "drive C:"}, {"z:", disk, "drive z:"}, {"C:..\\a.png", disk, "drive C:"},
		{"CON", disk, "a device"}, {"tex/con.png", disk, "a device"}, {"nul/a.png", disk, "a device"}, {"Aux .usda", disk, "a device"}, {"COM1:x", disk, "a device"},
		{"lpt².txt", disk, "a device"}, {"C:/conin$", disk, "a device"},
	} {
		if got := offDisk(k.asset, k.layer); (got == "") != (k.says == "") || !strings.Contains(got, k.says) {
			t.Errorf("%s in %s: %q, not %q", k.asset, k.layer, got, k.says)
		}
	}
}

// TestFindPattern: of a path that a renderer completes only that part is a pattern.
func TestFindPattern(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "v[2]")
	err := os.MkdirAll(filepath.Join(dir, "tex"), 0o700)
	if err = errors.Join(err, os.WriteFile(filepath.Join(dir, "tex", "a.1001.png"), nil, 0o600)); err != nil {
		t.Fatal(err)
	}
	finder := &AssetFinder{names: usda.Files, of: Target{File: filepath.Join(dir, "scene.usda")}}
	for asset, there := range map[string]bool{"tex/a.<UDIM>.png": true, "<dir>/a.1001.png": true, "*/a.<UDIM>.png": false, "tex/?.<UDIM>.png": false, "tex/[a].<UDIM>.png": false} {
		found, err := finder.Find(t.Context(), asset)
		if there != (err == nil) || there && filepath.Base(found[0].File) != "a.1001.png" {
			t.Errorf("%s: %v, %v", asset, found, err)
		}
	}
}
