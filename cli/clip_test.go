package cli

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestClip: a clip has what each form by itself writes of the same streams within the same times, which count from the first of all streams.
func TestClip(t *testing.T) {
	for _, c := range []struct {
		file, from, to string
		places         []string
		want           map[string][]string // what writes the same, by name
	}{
		{"pixels.vrs", "+0", "+2", []string{"streams/999-1", "streams/999-2"}, map[string][]string{
			"999-1 and 1 more.vrs": {"streams/999-1", "streams/999-2", "--as=vrs", "--from=+0", "--to=+2"},
			filepath.Join("Unit Test 1 data", "999-1-0-1.000000.png"): {"streams/999-1/data", "--as=png"},
			filepath.Join("Unit Test 2 data", "999-2-0-1.000000.png"): {"streams/999-2/data", "--as=png"},
		}},
		{"index-in-front.vrs", "+2", "-1", []string{"streams"}, map[string][]string{
			"index-in-front.vrs": {"streams", "--as=vrs", "--from=+2", "--to=-1"},
			"Unit Test data.csv": {"streams/999-1/data", "--as=csv", "--from=+2", "--to=-1"},
		}},
	} {
		dir := filepath.Join(t.TempDir(), "clip")
		run := func(out string, args ...string) {
			t.Helper()
			args = append([]string{"export", "../testdata/vrs/" + c.file, "-o", out}, args...)
			if r := execute(t.Context(), decoderLibrary{}, args...); r.status != StatusSound {
				t.Fatalf("%v: status %d, %s", args, r.status, r.err)
			}
		}
		run(dir, append(slices.Clone(c.places), "--as=clip", "--from="+c.from, "--to="+c.to)...)
		var names []string
		err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			name, err := filepath.Rel(dir, path)
			names = append(names, name)
			alone := filepath.Join(t.TempDir(), "alone")
			if filepath.Ext(name) == ".png" { // the item of a stream is in a folder
				run(alone+string(filepath.Separator), c.want[name]...)
				alone = filepath.Join(alone, filepath.Base(name))
			} else {
				run(alone, c.want[name]...)
			}
			got, err1 := os.ReadFile(path)
			want, err2 := os.ReadFile(alone)
			if err1 != nil || err2 != nil || string(got) != string(want) {
				t.Errorf("%s of %s: %d bytes, alone %d, %v %v", name, c.file, len(got), len(want), err1, err2)
			}
			return err
		})
		if want := slices.Sorted(maps.Keys(c.want)); err != nil || !slices.Equal(names, want) {
			t.Errorf("%s: %q, want %q: %v", c.file, names, want, err)
		}
	}
	r := execute(t.Context(), decoderLibrary{}, "export", "../testdata/vrs/pixels.vrs", "streams/999-1", "--as=clip")
	if r.status == StatusSound || !strings.Contains(r.err, "give a folder") {
		t.Errorf("without a folder: status %d, %s", r.status, r.err)
	}
}
