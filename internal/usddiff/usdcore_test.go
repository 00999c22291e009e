package usddiff

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"sort"
	"strconv"
	"strings"
	"testing"
)

// cache keeps generated scenes and what usd-core said of files.
const cache = "../../build/usddiff"

const (
	readScript  = "read_usd.py"
	sceneScript = "gen_scenes.py"
	makeScript  = "../../testdata/usdc/make.py" // used by both
)

// python returns an interpreter that has usd-core, or skips the test.
func python(t *testing.T) string {
	if Python() == "" {
		t.Skip(NoPython)
	}
	return Python()
}

// digest names the contents of files.
func digest(t *testing.T, files ...string) string {
	h := sha256.New()
	for _, name := range files {
		name, _, _ = strings.Cut(name, "[") // the package that holds it
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		h.Write(b)
	}
	return hex.EncodeToString(h.Sum(nil))[:16]
}

// scenes generates count scenes, or finds those of an earlier run.
func scenes(t *testing.T, interpreter string, count int) []string {
	folder := filepath.Join(cache, "scenes-"+strconv.Itoa(count)+"-"+digest(t, sceneScript, makeScript))
	if _, err := os.Stat(folder); err != nil {
		making := folder + ".part"
		if err := os.MkdirAll(making, 0o755); err != nil {
			t.Fatal(err)
		}
		if out, err := exec.Command(interpreter, sceneScript, making, strconv.Itoa(count)).CombinedOutput(); err != nil {
			t.Fatalf("%s: %v\n%s", sceneScript, err, out[max(0, len(out)-2000):])
		}
		if err := os.Rename(making, folder); err != nil {
			t.Fatal(err)
		}
	}
	files, err := filepath.Glob(filepath.Join(folder, "*.usdc"))
	if err != nil || len(files) != count {
		t.Fatalf("%s has %d scenes, want %d (%v)", folder, len(files), count, err)
	}
	sort.Strings(files)
	return files
}

// A layer is what usd-core says of a file.
type layer struct {
	Specs   map[string]spec
	Refused string // why usd-core does not read it
}

// usdCore reads files with usd-core, or takes what it said of the same files in an earlier run.
func usdCore(t *testing.T, interpreter string, files []string) map[string]*layer {
	inputs := append([]string{readScript, makeScript}, files...)
	said := filepath.Join(cache, "said-"+digest(t, inputs...)+".ndjson")
	out, err := os.ReadFile(said)
	if err != nil {
		out = say(t, interpreter, files)
		if err := os.MkdirAll(cache, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(said, out, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return layersOf(t, out)
}

// usdCoreNow reads files with usd-core.
func usdCoreNow(t *testing.T, interpreter string, files []string) map[string]*layer {
	return layersOf(t, say(t, interpreter, files))
}

// say is what usd-core says of files.
func say(t *testing.T, interpreter string, files []string) []byte {
	cmd := exec.Command(interpreter, append([]string{readScript}, files...)...)
	var complaints bytes.Buffer
	cmd.Stderr = &complaints
	out, err := cmd.Output()
	if err != nil {
		text := complaints.String()
		t.Fatalf("%s: %v\n%s", readScript, err, text[max(0, len(text)-2000):])
	}
	return out
}

// layersOf takes apart what usd-core said.
func layersOf(t *testing.T, out []byte) map[string]*layer {
	layers := make(map[string]*layer)
	lines := bufio.NewScanner(bytes.NewReader(out))
	lines.Buffer(nil, 1<<30)
	for lines.Scan() {
		var r struct {
			File, Error, Path, Spec string
			Fields                  map[string]map[string]any
		}
		d := json.NewDecoder(bytes.NewReader(lines.Bytes()))
		d.UseNumber()
		if err := d.Decode(&r); err != nil {
			t.Fatal(err)
		}
		l := layers[r.File]
		if l == nil {
			l = &layer{Specs: map[string]spec{}}
			layers[r.File] = l
		}
		if r.Error != "" {
			l.Refused = r.Error
			continue
		}
		fields := map[string]field{}
		for name, f := range r.Fields {
			value, reached := f["value"]
			fields[name] = field{f["type"].(string), value, reached}
		}
		l.Specs[r.Path] = spec{r.Spec, fields}
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	return layers
}
