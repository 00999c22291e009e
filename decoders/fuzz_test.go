package decoders

import (
	"os"
	"strings"
	"testing"

	"cutaway/model"
	"cutaway/source/far"
)

// FuzzTarget: whatever is written for a file, a node or an offset is read without a fault, and as itself once more; what is
// secret in an address is in no part of it.
func FuzzTarget(f *testing.F) {
	for _, seed := range []string{"a.usdc", "a.usdc#layout/TOKENS", "p.usdz[q.usdz[a]]:0x10", "https://u:hush@h/p.usdz?s=hush[a]#x", "http://[::1]/a[", "#", "https://h?hush"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, arg string) {
		exists := func(name string) bool { return strings.HasSuffix(name, ".usdc") }
		got := ParseTarget(arg, exists)
		defer far.Forget(got.File)
		if !far.IsAddress(arg) {
			return
		}
		if again := ParseTarget(got.String(), exists); again != got {
			t.Errorf("%q: %q is read as %+v, not %+v", arg, got.String(), again, got)
		}
		authority, _, _ := strings.Cut(strings.SplitN(got.File, "://", 2)[1], "/")
		if strings.Contains(authority, "@") {
			t.Errorf("%q: %q has a user", arg, got.File)
		}
	})
}

// FuzzPath: whatever is written for a path finds a node, whose own path finds it again, or is refused.
func FuzzPath(f *testing.F) {
	for _, seed := range []string{"scene/Workshop", "layout/TOKENS/text@inflated/[3]", "scene/%41", "scene/a~2", "layout/[9223372036854775807]", "//", "@", "scene/..", "layout@x"} {
		f.Add(seed)
	}
	sample, err := os.ReadFile("../assets/sample.usdc")
	if err != nil {
		f.Fatal(err)
	}
	src := model.NewFileSource("sample.usdc", model.BytesReader(sample))
	doc, err := Opener{}.Open(f.Context(), src, "sample.usdc")
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, path string) {
		p, err := doc.Lookup(t.Context(), path)
		if err != nil {
			return
		}
		again, err := doc.Lookup(t.Context(), p.Path())
		if err != nil || again.Path() != p.Path() {
			t.Errorf("%q finds %q, which is not found again: %v", path, p.Path(), err)
		}
	})
}
