package usddiff

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"cutaway/decoders"
	"cutaway/decoders/usda"
	"cutaway/model"
	"cutaway/model/export"
)

const parse = `
import sys
from pxr import Sdf, Tf
for text in sys.argv[1:]:
    try:
        Sdf.Layer.CreateAnonymous(".usda").ImportFromString(open(text, errors="surrogateescape").read())
    except Tf.ErrorException as error:
        print(text, str(error)[-500:].replace("\n", " "), sep="\t")
`

// TestTextOfDamage writes damaged crates as text, and crates of which a few bytes were changed: whatever is lost, usd-core
// must be able to read what is written.
func TestTextOfDamage(t *testing.T) {
	interpreter := python(t)
	folder := t.TempDir()
	var texts []string
	lost := 0
	write := func(name string, data []byte) {
		text, err := damagedText(t, name, data)
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if strings.Contains(text, "# not written: ") || strings.Contains(text, "# not read: ") || strings.Contains(text, "# damaged: ") {
			lost++
		}
		file := filepath.Join(folder, strconv.Itoa(len(texts))+"-"+name+".usda")
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		texts = append(texts, file)
	}
	files := fixtures(t, "*.usdc")
	for _, f := range files {
		write(filepath.Base(f), readFile(t, f))
	}
	count := 300
	if testing.Short() {
		count = 50
	}
	random := rand.New(rand.NewPCG(4, 11))
	for n := 0; n < count; {
		f := files[random.IntN(len(files))]
		b := readFile(t, f)
		if strings.HasPrefix(filepath.Base(f), "x-") || len(b) <= 88 {
			continue
		}
		for range 1 + random.IntN(3) {
			b[88+random.IntN(len(b)-88)] = byte(random.IntN(256))
		}
		write("changed-"+filepath.Base(f), b)
		n++
	}
	refused := run(t, interpreter, parse, texts)
	for line := range strings.Lines(refused) {
		file, _, _ := strings.Cut(line, "\t")
		text := strings.Split(string(readFile(t, file)), "\n")
		at := regexp.MustCompile(`:(\d+):\d+: `).FindStringSubmatch(line)
		if n, err := strconv.Atoi(append(at, "", "0")[1]); err == nil && n > 0 && n <= len(text) {
			line += text[n-1]
		}
		t.Errorf("usd-core cannot read the text: %s", line)
	}
	t.Logf("%d texts, %d say what is lost", len(texts), lost)
}

// damagedText is what can be read of a crate, as text.
func damagedText(t *testing.T, name string, data []byte) (string, error) {
	doc, err := decoders.Opener{}.OpenWith(t.Context(), model.NewFileSource(name, model.BytesReader(data)), name,
		decoders.Options{Format: "usdc"})
	if err != nil {
		t.Fatal(err)
	}
	defer doc.Close()
	var b bytes.Buffer
	limited := &limitedBuffer{Buffer: &b}
	err = export.Words(t.Context(), limited, nil, doc.View("scene").Place(t.Context()), usda.CardTitle)
	if errors.Is(err, errTooLong) {
		return "#usda 1.0\n", nil
	}
	return b.String(), err
}

var errTooLong = errors.New("the text is too long for a test")

type limitedBuffer struct{ *bytes.Buffer }

func (l *limitedBuffer) Write(p []byte) (int, error) {
	if l.Len()+len(p) > 64<<20 {
		return 0, errTooLong
	}
	return l.Buffer.Write(p)
}
