package cli

import (
	"bytes"
	"encoding/binary"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestInPackage: an offset in a package goes on into the member that it is in, a USD path names a node of the first layer,
// and info finds damage in a table of it.
func TestInPackage(t *testing.T) {
	for _, test := range []struct {
		args, want string
		status     int
	}{
		{"at ../testdata/usdc/made-sample.usdz 200", "StringIndex", 0},
		{"search ../testdata/usdc/several.usdz type:prim", "[shape.usdc]#scene/Root  prim", 0},
		{"search ../testdata/usdc/several.usdz Root", "searched 2 other members: shape.usdc, look.usda", 0},
		{"search ../testdata/usdc/several.usdz Root", "1 member without a tree, for --in bytes: image.png", 0},
		{"search --json ../testdata/usdc/several.usdz type:prim", `"member":"shape.usdc"`, 0},
		{"tree ../testdata/usdc/several.usdz[shape.usdc]#scene/Root --depth 0", "prim", 0},
		{"search ../testdata/usdc/several.usdz --in bytes IHDR", "layout/image.png/data", 0},
		{"export ../testdata/usdc/several.usdz[image.png] --as raw", "IHDR", 0},
		{"check ../testdata/usdc/x-unaligned.usdz", "1 warning", 0},
		{"tree ../testdata/usdc/made-sample.usdz#/Workshop --depth 0", "prim", 0},
		{"tree ../testdata/usdc/made-0.8.0.usdc#/World --depth 0", "prim", 0},
		{"tree ../testdata/usdc/made-0.8.0.usdc#/Nowhere", "there is no /Nowhere in it", 3},
		{"info ../testdata/usdc/x-path-index-oob.usdc", "1 error in headers and the structure of TOKENS, ", 1},
		{"info ../testdata/usdc/made-0.8.0.usdc", "none in headers and the structure of TOKENS, ", 0},
	} {
		var out bytes.Buffer
		status := Main(t.Context(), "test", strings.Fields(test.args), &out, &out)
		if status != test.status || !strings.Contains(out.String(), test.want) {
			t.Errorf("%s: status %d, want %d with %q:\n%s", test.args, status, test.status, test.want, out.String())
		}
	}
}

// TestInfoSeesDamagedHeaders: what every fifth byte, changed, of a crate's bootstrap, table of contents or section headers breaks, info
// tells as check does.
func TestInfoSeesDamagedHeaders(t *testing.T) {
	crate, err := os.ReadFile("../testdata/usdc/made-0.8.0.usdc")
	if err != nil {
		t.Fatal(err)
	}
	toc := int(binary.LittleEndian.Uint64(crate[16:]))
	headers := [][2]int{{16, 24}, {toc, len(crate)}}
	for at := toc + 8; at < len(crate); at += 32 {
		start := int(binary.LittleEndian.Uint64(crate[at+16:]))
		headers = append(headers, [2]int{start, start + 24})
	}
	broken, name := 0, filepath.Join(t.TempDir(), "changed.usdc")
	for _, h := range headers {
		for at := h[0]; at < h[1]; at += 5 {
			crate[at] ^= 0x81
			if err := os.WriteFile(name, crate, 0o600); err != nil {
				t.Fatal(err)
			}
			crate[at] ^= 0x81
			var info, check bytes.Buffer
			told := Main(t.Context(), "test", []string{"info", name}, &info, &info)
			want := Main(t.Context(), "test", []string{"check", name}, &check, &check)
			if told != want {
				t.Errorf("byte %#x: status %d, that of check is %d:\n%s\n%s", at, told, want, info.String(), check.String())
			}
			if want == 1 {
				broken++
			}
		}
	}
	if broken < 45 {
		t.Errorf("%d changes break something", broken)
	}
}

// TestCheckMembers: check and scan look at the members of a package that its first layer is not, and say in which a problem is.
func TestCheckMembers(t *testing.T) {
	pkg, err := os.ReadFile("../testdata/usdc/several.usdz")
	if err != nil {
		t.Fatal(err)
	}
	look := bytes.Index(pkg, []byte("#usda 1.0"))
	def := look + bytes.Index(pkg[look:], []byte("def "))
	copy(pkg[def:], "dxf ")
	name := filepath.Join(t.TempDir(), "broken.usdz")
	if err := os.WriteFile(name, pkg, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		args   []string
		status int
		want   string
	}{
		{[]string{"check", name}, 1, "[look.usda]#"},
		{[]string{"check", name}, 1, "4 errors"},
		{[]string{"check", "--json", name}, 1, `"member":"look.usda"`},
		{[]string{"scan", "--deep", name}, 1, "4 errors"},
		{[]string{"check", "../testdata/usdc/several.usdz"}, 0, "2 other members checked too"},
		{[]string{"check", "--json", "../testdata/usdc/nested.usdz"}, 0, `"members":2`},
	} {
		var out bytes.Buffer
		if status := Main(t.Context(), "test", test.args, &out, &out); status != test.status || !strings.Contains(out.String(), test.want) {
			t.Errorf("%v: status %d, want %d with %q:\n%s", test.args, status, test.status, test.want, out.String())
		}
	}
}

// TestFaultyPackages: the packages on which the program was wrong. What is told of a package's first layer, of its other members and
// of the files that they name.
func TestFaultyPackages(t *testing.T) {
	const folder = "../../shared/corpus/faults/usd/"
	if _, err := os.Stat(folder); err != nil {
		t.Skip("without " + folder)
	}
	for _, k := range []struct {
		file   string
		args   string
		status int
		has    []string
	}{
		{"01-roughness-undefined.usdz", "scan --deep", 1, []string{"1 error", "USD takes no such value"}},
		{"01-roughness-undefined.usdz", "export --as html", 1, []string{"[model.usda]#scene/S", "USD takes no such value"}},
		{"01-roughness-undefined.usdz", "check", 1, []string{"[model.usda]#scene/S/.inputs:roughness/default", "usda.value", "1 error"}},
		{"01-roughness-undefined.usdz", "check --json", 1, []string{`"source":"layout/model.usda/data@member"`, `"path":"scene/S/.inputs:roughness/default"`, `"sound":false`}},
		{"05-nested-root-texture-at-top.usdz", "check --assets --strict", 1, []string{"cap.png is not there", "1 warning"}},
		{"06-second-layer-missing-texture.usdz", "check --assets --strict", 1, []string{"nope.png is not there", "[m.usda]#scene/", "1 warning"}},
		{"15-names-without-utf8-flag.usdz", "check --strict --no-data", 0, []string{"sound, 1 note", "usdz.member.name-flag"}},
		{"16-macosx-member.usdz", "check --strict --no-data", 0, []string{"sound, 1 note", "usdz.member.apple-double"}},
		{"18-udim-tiles-in-package.usdz", "check --assets --strict --no-data", 0, []string{"\nsound\n"}},
		{"19-missing-in-inner-package.usdz", "check --assets --strict", 1, []string{"inner.usdz[b.png] is not there", "[a.usda]#", "2 warnings"}},
	} {
		var out bytes.Buffer
		status := Main(t.Context(), "test", append(strings.Fields(k.args), folder+k.file), &out, &out)
		for _, has := range k.has {
			if status != k.status || !strings.Contains(out.String(), has) {
				t.Errorf("%s of %s: status %d, want %d with %q:\n%s", k.args, k.file, status, k.status, has, out.String())
			}
		}
	}
}

// TestHeadlessPackage: a package whose first member is no layer has status 2, whatever is wrong with the others, which are checked.
func TestHeadlessPackage(t *testing.T) {
	pkg, err := os.ReadFile("../testdata/usdc/several.usdz")
	if err != nil {
		t.Fatal(err)
	}
	copy(pkg[bytes.Index(pkg, []byte("PXR-USDC")):], "PXR-USDX")
	name := filepath.Join(t.TempDir(), "headless.usdz")
	if err := os.WriteFile(name, pkg, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, args := range []string{"check", "check --json", "check --strict", "scan --deep", "info"} {
		var out bytes.Buffer
		status := Main(t.Context(), "test", append(strings.Fields(args), name), &out, &out)
		if status != StatusUnreadable || args != "info" && !strings.Contains(out.String(), "is named as a USD layer, and is none") {
			t.Errorf("%s: status %d: %s", args, status, out.String())
		}
	}
}
