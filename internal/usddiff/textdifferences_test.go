package usddiff

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"cutaway/decoders/usda"
	"cutaway/model"
	"cutaway/model/export"
)

const differenceScript = "text_differences.py"

// A difference is what usd-core reads of a layer, of our text of it and of the text that usd-core writes itself.
type difference struct {
	Path, Field, Layer, Text, Own string
}

// differences is what usd-core says of a layer and of our text of it.
type differences struct {
	File                             string
	Refused, TextRefused, OwnRefused string
	Fields                           int
	Differences                      []difference
}

// layers are all crates and text layers at hand, each content once: those of the tests and corpora, and scenes made at random. What
// is made to be damaged is left out.
func layers(t *testing.T, interpreter string) []string {
	t.Helper()
	files := append(inputs(t), scenes(t, interpreter, sceneCount(t))...)
	files = append(files, wheelTexts(t, interpreter)...)
	for _, folder := range []string{"../../testdata/usda", "../../../shared/corpus/aousd", "../../../shared/corpus/faults/usd"} {
		err := filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
			if err == nil && !d.IsDir() && slices.Contains([]string{".usd", ".usda", ".usdc"}, filepath.Ext(path)) && isLayer(t, path) &&
				!strings.HasPrefix(d.Name(), "duration-0.16") { // a version of crates that is not known yet
				files = append(files, path)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	seen, once := map[[32]byte]bool{}, files[:0]
	for _, file := range files {
		content := sha256.Sum256([]byte(file))
		if !strings.Contains(file, "[") {
			content = sha256.Sum256(readFile(t, file))
		}
		if !seen[content] {
			once = append(once, file)
		}
		seen[content] = true
	}
	return once
}

// isLayer reports whether a file begins as a layer does.
func isLayer(t *testing.T, file string) bool {
	b := readFile(t, file)
	return bytes.HasPrefix(b, []byte("#usda ")) || bytes.HasPrefix(b, []byte("PXR-USDC"))
}

// TestTextIsRead: what usd-core reads of a layer's text is what it reads of the layer. What neither our text nor its own has as the
// layer does is told.
func TestTextIsRead(t *testing.T) {
	interpreter := python(t)
	textIsRead(t, interpreter, layers(t, interpreter))
}

// TestTextOfOddCratesIsRead is TestTextIsRead for crates that usd-core itself would hardly write.
func TestTextOfOddCratesIsRead(t *testing.T) {
	interpreter := python(t)
	textIsRead(t, interpreter, oddCrates(t))
}

func textIsRead(t *testing.T, interpreter string, files []string) {
	t.Helper()
	folder := t.TempDir()
	lost := map[string][]model.Omission{}
	var args []string
	for i, file := range files {
		text := filepath.Join(folder, strconv.Itoa(i)+".usda")
		doc := openOnly(t, file, "")
		var b bytes.Buffer
		omitted := &model.Omissions{}
		if err := export.Words(t.Context(), &b, omitted, doc.View("scene").Place(t.Context()), usda.CardTitle); err != nil {
			t.Errorf("%s: %v", file, err)
		}
		doc.Close()
		if err := os.WriteFile(text, b.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
		first, _ := omitted.Lost()
		reduced, _ := omitted.Reduced()
		lost[file] = slices.Concat(first, reduced)
		args = append(args, file, text)
	}
	fields, read, same, told := 0, 0, 0, 0
	for _, d := range differencesOf(t, interpreter, args) {
		switch {
		case d.Refused != "":
			continue
		case d.TextRefused != "":
			t.Errorf("%s: usd-core refuses our text: %s", d.File, d.TextRefused)
			continue
		}
		read++
		fields += d.Fields
		for _, x := range d.Differences {
			switch {
			case x.Text == x.Own && x.Text != "": // a type that no text says, or what readers make of the names of variant sets
				same++
			case isTold(lost[d.File], &x) && (x.Layer != x.Own || d.OwnRefused != ""):
				told++
			default:
				t.Errorf("%s %s %s: the layer has %.200q, our text %.200q, usd-core's own %.200q", d.File, x.Path, x.Field, x.Layer, x.Text, x.Own)
			}
		}
	}
	t.Logf("%d of %d layers are read back, %d fields compared; %d differ as in usd-core's own text, %d as is told", read, len(args)/2, fields, same, told)
	if read == 0 {
		t.Error("nothing is compared")
	}
}

// isTold reports whether an omission is of the spec that differs or of one above it, or of one that a list of names lacks.
func isTold(omitted []model.Omission, x *difference) bool {
	names := slices.Contains([]string{"properties", "primChildren", "variantSetChildren", "variantChildren"}, x.Field)
	return slices.ContainsFunc(omitted, func(o model.Omission) bool {
		below, isBelow := strings.CutPrefix(x.Path, o.Path)
		if names && strings.HasPrefix(o.Path, strings.TrimSuffix(x.Path, "=}")) {
			return true
		}
		return isBelow && (below == "" || strings.HasSuffix(o.Path, "}") || strings.ContainsAny(below[:1], "/.{"))
	})
}

func differencesOf(t *testing.T, interpreter string, args []string) []differences {
	t.Helper()
	cmd := exec.Command(interpreter, append([]string{differenceScript}, args...)...)
	var complaints bytes.Buffer
	cmd.Stderr = &complaints
	out, err := cmd.Output()
	if err != nil {
		text := complaints.String()
		t.Fatalf("%s: %v\n%s", differenceScript, err, text[max(0, len(text)-2000):])
	}
	var all []differences
	lines := bufio.NewScanner(bytes.NewReader(out))
	lines.Buffer(nil, 1<<30)
	for lines.Scan() {
		var d differences
		if err := json.Unmarshal(lines.Bytes(), &d); err != nil {
			t.Fatal(err)
		}
		all = append(all, d)
	}
	if len(all) != len(args)/2 {
		t.Fatalf("%d of %d layers are compared", len(all), len(args)/2)
	}
	return all
}
