package closure

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"hash/crc32"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"cutaway/decoders"
)

// write writes files of a folder, by their names.
func write(t *testing.T, files map[string]string) (dir string) {
	t.Helper()
	dir = t.TempDir()
	for name, content := range files {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o700), os.WriteFile(file, []byte(content), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// closureOf lists the files that a file in dir needs: "depth arc name state rule", names relative to dir.
func closureOf(t *testing.T, dir, name string, opt Options) (lines []string, files []*File) {
	t.Helper()
	err := Find(t.Context(), decoders.Target{File: filepath.Join(dir, name), Offset: -1}, opt, func(f *File) error {
		rule := ""
		if f.Problem != nil {
			rule = fmt.Sprintf(" %s %s", f.Problem.Kind.Severity(), f.Problem.Rule)
		}
		shown := strings.ReplaceAll(strings.TrimPrefix(f.Name(), dir+string(filepath.Separator)), `\`, "/")
		lines, files = append(lines, strings.TrimSpace(fmt.Sprintf("%d %s %s %s%s", f.Depth, f.Arc, shown, f.State, rule))), append(files, f)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return lines, files
}

func compare(t *testing.T, got []string, want ...string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func zipOf(t *testing.T, files ...string) string {
	t.Helper()
	const align, header = 64, 30
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for i := 0; i < len(files); i += 2 {
		name, data := files[i], []byte(files[i+1])
		err := w.Flush()
		extra := (2*align - 4 - (b.Len()+header+len(name))%align) % align
		size := uint64(len(data))
		m, made := w.CreateRaw(&zip.FileHeader{Name: name, CRC32: crc32.ChecksumIEEE(data), CompressedSize64: size, UncompressedSize64: size,
			Extra: append([]byte{0x86, 0x19, byte(extra), 0}, make([]byte, extra)...)})
		if err = errors.Join(err, made); err == nil {
			_, err = m.Write(data)
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

const (
	plain   = "#usda 1.0\n"
	pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:1\nsize 485323\n"
)

// TestBrokenScene: each file once, with what is missing, broken or leads to itself, and the chain and bytes that name it.
func TestBrokenScene(t *testing.T) {
	robot := plain + "(\n    subLayers = [@./links.usda@, @look.usda@]\n)\n" +
		"def \"Robot\" (\n    references = [@./arm.usda@</Arm>, @./gone.usda@]\n    payload = @./hand.usda@\n)\n{\n" +
		"    asset[] maps = [@./a.png@, @./lost.png@, @./a.png@]\n    asset tiles = @./t.<UDIM>.png@\n}\n"
	dir := write(t, map[string]string{
		"robot.usda": robot,
		"links.usda": plain + "(\n    subLayers = [@./joints.usda@]\n)\n",
		// Of each kind one: a sublayer of itself, an empty layer, a pointer, a page, a layer that does not parse.
		"joints.usda": plain + "(\n    subLayers = [@./links.usda@]\n)\ndef \"J\" (\n    references = @./robot.usda@\n)\n{\n}\n",
		"look.usda":   "",
		"arm.usda":    pointer,
		"hand.usda":   plain + "def \"H\" (\n    references = [@./bad.usda@, @./page.usdz@, @mesh.obj@]\n)\n{\n    asset s = @OmniPBR.mdl@\n    asset t = @https://example.org/x.png@\n}\n",
		"bad.usda":    plain + "def \"B\"\n{\n    float x = \"text\"\n}\n",
		"page.usdz":   "<!DOCTYPE html><title>Sign in</title>",
		"mesh.obj":    "v 0 0 0\n", "a.png": "picture", "t.1001.png": "picture", "t.1002.png": "",
	})
	got, files := closureOf(t, dir, "robot.usda", Options{})
	compare(t, got,
		"0  robot.usda found",
		"1 sublayer links.usda found",
		"2 sublayer joints.usda found",
		"3 sublayer links.usda cycle error assets.cycle",
		"3 reference robot.usda cycle note assets.cycle",
		"1 sublayer look.usda broken error assets.broken",
		"1 reference arm.usda broken error assets.broken",
		"1 reference ./gone.usda missing error assets.missing",
		"1 payload hand.usda found",
		"2 reference bad.usda broken error usda.value",
		"2 reference page.usdz broken error assets.broken",
		"2 reference mesh.obj found note assets.unknown",
		"2 asset OmniPBR.mdl missing note assets.search-path",
		"2 asset https://example.org/x.png unknown note assets.unknown",
		"1 asset a.png found",
		"1 asset ./lost.png missing warning assets.missing",
		"1 asset t.1001.png found",
		"1 asset t.1002.png broken warning assets.broken")
	for _, f := range files[1:] {
		i := strings.Index(robot, "@"+f.Asset+"@")
		if f.By == files[0] && (f.At.Off != int64(i) && f.At.Off != int64(i+1)) {
			t.Errorf("%s is named at %#x, want %#x", f.Asset, f.At.Off, i)
		}
	}
	var chain []string
	for _, f := range files[9].Chain() {
		chain = append(chain, f.Asset+" "+f.At.Path)
	}
	compare(t, chain, " ", "./hand.usda scene/Robot/payload/assetPath", "./bad.usda scene/H/references/explicit/[0]/assetPath")
	if n := len(files[0].Releases); n == 0 || files[9].Problem.Path == "" {
		t.Errorf("%d releases; %v", n, files[9].Problem)
	}
}

// TestPlaces: names are looked for beside the layer, then in search paths, in a folder for an address, in packages, and as
// the variables of the files around them say.
func TestPlaces(t *testing.T) {
	inner := zipOf(t, "root.usda", plain+"def \"R\" (\n    references = @parts/p.usda@\n)\n{\n}\n", "parts/p.usda", plain+"def \"P\"\n{\n    asset a = @../x.png@\n    asset b = @./gone.png@\n}\n", "x.png", "picture")
	dir := write(t, map[string]string{
		"scene/main.usda": plain + "(\n    expressionVariables = {\n        string WHO = \"one\"\n    }\n    subLayers = [@omniverse://host/lib/l.usda@, @`\"./${WHO}.usda\"`@]\n)\n" +
			"def \"A\" (\n    references = [@shared.usda@, @./shared.usda@, @pack.usdz@, @pack.usdz[parts/p.usda]@, @./two.usda@, @`if(true, \"a\", \"b\")`@]\n" +
			"    clips = {\n        dictionary default = {\n            string templateAssetPath = \"./clip.##.usda\"\n        }\n    }\n)\n{\n}\n",
		"scene/one.usda":     plain + "def \"X\" (\n    references = @`\"./${WHO}.png.usda\"`@\n)\n{\n}\n",
		"scene/two.usda":     plain + "(\n    expressionVariables = {\n        string WHO = \"two\"\n        string OWN = \"three\"\n    }\n)\ndef \"X\" (\n    references = [@`\"${OWN}.usda\"`@, @`\"./${WHO}.usda\"`@]\n)\n{\n}\n",
		"scene/three.usda":   plain,
		"scene/pack.usdz":    inner,
		"scene/clip.01.usda": plain, "scene/clip.2.usda": plain, "scene/clip.x.usda": plain,
		"search/shared.usda": plain, "mapped/lib/l.usda": plain,
	})
	places := decoders.AssetPlaces{Maps: []decoders.AssetMap{{Prefix: "omniverse://host/", Folder: filepath.Join(dir, "mapped")}}, Search: []string{filepath.Join(dir, "none"), filepath.Join(dir, "search")}}
	got, _ := closureOf(t, dir, "scene/main.usda", Options{Places: places})
	compare(t, got,
		"0  scene/main.usda found",
		"1 sublayer mapped/lib/l.usda found",
		"1 sublayer scene/one.usda found",
		"2 reference ./one.png.usda missing error assets.missing",
		"1 reference search/shared.usda found",
		"1 reference ./shared.usda missing error assets.missing",
		"1 reference scene/pack.usdz found",
		"2 reference scene/pack.usdz[parts/p.usda] found",
		"3 asset scene/pack.usdz[x.png] found",
		"3 asset ./gone.png missing warning assets.missing",
		"1 reference scene/two.usda found",
		"2 reference scene/three.usda found",
		"1 reference `if(true, \"a\", \"b\")` unknown note assets.unknown",
		"1 clip scene/clip.01.usda found",
		"1 clip scene/clip.2.usda found")
	got, _ = closureOf(t, dir, "scene/one.usda", Options{})
	compare(t, got, "0  scene/one.usda found", "1 reference `\"./${WHO}.png.usda\"` unknown note assets.unknown")
}

// TestAddresses: addresses are looked for only if asked.
func TestAddresses(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/far.usda" {
			http.NotFound(w, r)
			return
		}
		http.ServeContent(w, r, "far.usda", time.Time{}, strings.NewReader(plain+"def \"X\" (\n    references = @./gone.usda@\n)\n{\n}\n"))
	}))
	defer server.Close()
	dir := write(t, map[string]string{"a.usda": plain + "def \"A\" (\n    references = @" + server.URL + "/far.usda@\n)\n{\n}\n"})
	got, _ := closureOf(t, dir, "a.usda", Options{})
	compare(t, got, "0  a.usda found", "1 reference "+server.URL+"/far.usda unknown note assets.unknown")
	got, _ = closureOf(t, dir, "a.usda", Options{Places: decoders.AssetPlaces{Addresses: true}})
	compare(t, got, "0  a.usda found", "1 reference "+server.URL+"/far.usda found", "2 reference "+server.URL+"/gone.usda missing error assets.missing")
}
