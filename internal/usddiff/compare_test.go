package usddiff

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"cutaway/decoders"
	"cutaway/model"
	"cutaway/model/diff"
)

const editScript = "edit_scenes.py"

// edited makes pairs of scenes, or finds those of an earlier run. env is set for usd-core; both names the pairs.
func edited(t *testing.T, count int, env ...string) string {
	t.Helper()
	interpreter := python(t)
	name := "pairs-" + strconv.Itoa(count) + "-" + digest(t, editScript, sceneScript, makeScript)
	for _, e := range env {
		_, value, _ := strings.Cut(e, "=")
		name += "-" + value
	}
	folder := filepath.Join(cache, name)
	if _, err := os.Stat(folder); err == nil {
		return folder
	}
	making := folder + ".part"
	if err := os.MkdirAll(making, 0o755); err != nil {
		t.Fatal(err)
	}
	script := exec.Command(interpreter, editScript, making, strconv.Itoa(count))
	script.Env = append(os.Environ(), env...)
	if out, err := script.CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", editScript, err, out[max(0, len(out)-2000):])
	}
	if err := os.Rename(making, folder); err != nil {
		t.Fatal(err)
	}
	return folder
}

// compared is what a comparison of two crates reports: each change as its kind, the USD path of the spec, the field's
// way from there without what is in a list, and the path that it moved to.
func compared(t *testing.T, a, b string) [][4]string {
	t.Helper()
	sides := [2]diff.Side{}
	for i, name := range []string{a, b} {
		doc, err := decoders.OpenFile(t.Context(), name, decoders.OpenOptions{})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { doc.Close() })
		sides[i] = diff.SideOf(doc, doc.View("scene").Place(t.Context()))
	}
	var got [][4]string
	err := diff.Trees(t.Context(), sides[0], sides[1], diff.Options{}, func(c *diff.Change) error {
		line := [4]string{c.Kind.String()}
		if c.A != nil {
			line[1], line[2] = specAndField(t.Context(), sides[0].View, c.A)
		} else {
			line[1], line[2] = specAndField(t.Context(), sides[1].View, c.B)
		}
		if c.Kind == diff.Moved {
			line[3], _ = specAndField(t.Context(), sides[1].View, c.B)
		}
		got = append(got, line)
		return nil
	})
	if err != nil {
		t.Fatalf("%s: %v", a, err)
	}
	return got
}

// specAndField is the USD path of the spec that a node is in, and the name of the field.
func specAndField(ctx context.Context, view *model.View, p *model.Place) (spec, field string) {
	for ; !view.ContentOf(ctx, p).Where; p = p.Parent {
		field = p.Node.Name
	}
	return string(p.Node.Value.(model.Text)), field
}

// TestEditsAreFound holds comparisons against what usd-core changed: each edit is reported, and nothing else.
func TestEditsAreFound(t *testing.T) {
	folder := edited(t, 300)
	wrong := 0
	for k := range 300 {
		name := filepath.Join(folder, "pair-"+leftPad(k))
		var want [][4]string
		text, err := os.ReadFile(name + ".json")
		if err == nil {
			err = json.Unmarshal(text, &want)
		}
		if err != nil {
			t.Fatal(err)
		}
		got := compared(t, name+"-a.usdc", name+"-b.usdc")
		order := func(x, y [4]string) int { return slices.Compare(x[:], y[:]) }
		slices.SortFunc(got, order)
		slices.SortFunc(want, order)
		if !slices.Equal(got, want) {
			wrong++
			t.Errorf("%s: reported %q, edited were %q", name, got, want)
		}
	}
	t.Logf("%d of 300 pairs as edited", 300-wrong)
}

func leftPad(k int) string {
	s := strconv.Itoa(k)
	return strings.Repeat("0", 3-len(s)) + s
}

// TestVersionsAreTheSame compares the same scenes written in two versions of the format.
func TestVersionsAreTheSame(t *testing.T) {
	const count = 60
	old := edited(t, count, "USD_WRITE_NEW_USDC_FILES_AS_VERSION=0.7.0")
	now := edited(t, count, "USD_WRITE_NEW_USDC_FILES_AS_VERSION=0.10.0")
	versions := 0 // scenes of which there are two; some hold what only a later version can
	for k := range count {
		name := "pair-" + leftPad(k) + "-a.usdc"
		if versionOf(t, filepath.Join(old, name)) != versionOf(t, filepath.Join(now, name)) {
			versions++
		}
		if got := compared(t, filepath.Join(old, name), filepath.Join(now, name)); len(got) > 0 {
			t.Errorf("%s: %q", name, got)
		}
	}
	if versions < count/4 {
		t.Errorf("%d of %d scenes were written in two versions", versions, count)
	}
	t.Logf("%d of %d scenes were written in two versions", versions, count)
}

// versionOf is the bytes of a crate that say its version.
func versionOf(t *testing.T, file string) [3]byte {
	t.Helper()
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return [3]byte(b[8:])
}
