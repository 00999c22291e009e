package ksydiff

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/text/encoding/charmap"

	"cutaway/cli"
)

const gallery = "../../../shared/corpus/kaitai/gallery"

var (
	prepared = flag.String("prepared", "../../build/ksydiff", "the folder that make ksydiff prepares: files/, node_modules/")
	page     = flag.String("page", "", "the page whose table is written anew")
	only     = flag.String("only", "", "compares only what has this in its name")
)

// line is what the reference reads of a field.
type line struct {
	Path       string
	Start, End *int64
	Value      json.RawMessage
	SHA256     string
	Count      *int64
	Record     bool
	Same       bool
	Stream     bool
	Error      string
	Failed     string
}

// field is what the product reads.
type field struct {
	Path     string
	Type     string
	Value    json.RawMessage
	Number   *json.Number
	Children int64
	Spans    []struct {
		Source         string
		Offset, Length int64
		Mask           json.RawMessage
	}
	Problems []struct{ Message string }
	Refs     []struct{ Kind, Path string }
}

// row is the comparison of all files of a format.
type row struct {
	format                     string
	files, fields, differences int
}

func TestAgainstReference(t *testing.T) {
	files := inputs(t)
	out := t.TempDir()
	reference(t, files, out)
	rows := map[string]*row{}
	for _, file := range files {
		format := filepath.ToSlash(filepath.Dir(file))
		r := rows[format]
		if r == nil {
			r = &row{format: format}
			rows[format] = r
		}
		t.Run(file, func(t *testing.T) { compare(t, r, file, filepath.Join(out, flat(file))) })
	}
	writePage(t, rows)
}

// inputs are the files that make ksydiff collected, below its folder.
func inputs(t *testing.T) []string {
	root := filepath.Join(*prepared, "files")
	var out []string
	err := filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() && strings.Contains(name, *only) {
			name, err = filepath.Rel(root, name)
			out = append(out, name)
		}
		return err
	})
	if _, missing := os.Stat(filepath.Join(*prepared, "node_modules")); err != nil || missing != nil {
		t.Skip("make ksydiff has not prepared the comparison with Kaitai Struct's reference")
	}
	return out
}

func flat(file string) string { return strings.ReplaceAll(filepath.ToSlash(file), "/", "~") }

func description(format string) string {
	return filepath.Join(gallery, filepath.FromSlash(format)+".ksy")
}

// reference lets the reference read the files; out gets what it reads.
func reference(t *testing.T, files []string, out string) {
	var list strings.Builder
	for _, file := range files {
		names := []string{description(filepath.Dir(file)), filepath.Join(*prepared, "files", file)}
		for i := range names {
			var err error
			if names[i], err = filepath.Abs(names[i]); err != nil {
				t.Fatal(err)
			}
		}
		fmt.Fprintf(&list, "%s\t%s\t%s\n", names[0], names[1], flat(file))
	}
	shelf, err := filepath.Abs(gallery)
	if err != nil {
		t.Fatal(err)
	}
	script, err := os.ReadFile("reference.js")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(*prepared, "reference.js"), script, 0o600); err != nil { // beside its node_modules
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), "node", "--max-old-space-size=4096", "reference.js", shelf, out)
	cmd.Dir, cmd.Stdin, cmd.Stderr = *prepared, strings.NewReader(list.String()), os.Stderr
	if err := cmd.Run(); err != nil {
		t.Fatal(err)
	}
}

// camel is the reference's spelling of the names in a path.
func camel(path string) string {
	segments := strings.Split(path, "/")
	for i, segment := range segments {
		parts := strings.Split(segment, "_")
		for k := 1; k < len(parts); k++ {
			if parts[k] != "" {
				parts[k] = strings.ToUpper(parts[k][:1]) + parts[k][1:]
			}
		}
		segments[i] = strings.Join(parts, "")
	}
	return strings.Join(segments, "/")
}

// maxFields is how many fields of a file are compared; the directory of an ISO image has itself in it, without end.
const maxFields = 300_000

// product is what the command line prints of a file, by path.
func product(ctx context.Context, file, ksy string) (map[string]*field, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	r, w := io.Pipe()
	defer r.Close()
	go func() {
		cli.Main(ctx, "test", []string{"tree", "--schema", ksy, "--formats", gallery, "--view", "fields", "--json", "--elements", "--whole", file}, w, io.Discard)
		_ = w.Close() // a pipe's does not fail
	}()
	out := map[string]*field{}
	in := json.NewDecoder(r)
	for len(out) < maxFields {
		f := new(field)
		if err := in.Decode(f); err == io.EOF {
			return out, nil
		} else if err != nil {
			return nil, err
		}
		out[camel(f.Path)] = f
	}
	return out, nil
}

// compare holds each field that the reference reads against the product's.
func compare(t *testing.T, r *row, file, read string) {
	ours, err := product(t.Context(), filepath.Join(*prepared, "files", file), description(filepath.Dir(file)))
	if err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(read)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	const shown = 8
	differ := func(path, format string, args ...any) {
		if r.differences++; r.differences <= shown {
			t.Errorf("%s: %s", path, fmt.Sprintf(format, args...))
		}
	}
	r.files++
	failed, broken := "", map[string]bool{}
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<26)
	for lines.Scan() {
		var want line
		if err := json.Unmarshal(lines.Bytes(), &want); err != nil {
			t.Fatal(err)
		}
		if want.Failed != "" {
			failed = want.Failed
			break
		}
		r.fields++
		got := ours[want.Path]
		if got == nil {
			differ(want.Path, "is missing; the reference reads %s", lines.Bytes())
			continue
		}
		delete(ours, want.Path)
		if want.Error != "" {
			broken[want.Path] = len(got.Problems) > 0
			continue
		}
		if why := want.differs(got); why != "" {
			differ(want.Path, "%s", why)
		}
	}
	if lines.Err() != nil {
		t.Fatal(lines.Err())
	}
	delete(ours, "fields")
	if failed != "" {
		t.Logf("the reference fails: %s", failed)
		return
	}
	for path, f := range ours {
		if at := around(broken, path); at != "" {
			broken[at] = broken[at] || len(f.Problems) > 0
		} else if string(f.Value) != "null" || f.Children != 0 { // a null one is not there for the reference
			differ(path, "is too much: %s", f.Value)
		}
	}
	for path, found := range broken {
		if !found {
			differ(path, "has no problem, where the reference fails")
		}
	}
}

// around is the one of some paths that is at a path or above it; "": none.
func around(some map[string]bool, path string) string {
	for path != "" {
		if _, ok := some[path]; ok {
			break
		}
		path = path[:max(strings.LastIndexByte(path, '/'), 0)]
	}
	return path
}

// differs says in what a field is not what the reference reads; "": in nothing.
func (want *line) differs(got *field) string {
	if len(got.Problems) > 0 {
		return "has a problem: " + got.Problems[0].Message
	}
	// What has no bytes and no position of its own is wherever the reference came to last.
	nowhere := want.Start != nil && *want.Start == *want.End && len(got.Spans) > 0 && got.Spans[0].Length == 0
	if want.Start != nil && !nowhere && (len(got.Spans) == 0 || got.Spans[0].Mask == nil) {
		if len(got.Spans) == 0 || got.Spans[0].Offset != *want.Start || got.Spans[0].Offset+got.Spans[0].Length != *want.End {
			return fmt.Sprintf("is at %+v, not at %d to %d", got.Spans, *want.Start, *want.End)
		}
	}
	switch {
	case want.Stream:
		return ""
	case want.Count != nil:
		if *want.Count != got.Children {
			return fmt.Sprintf("has %d elements, not %d", got.Children, *want.Count)
		}
		return ""
	case want.Record:
		if want.Same && got.Children > 0 && len(got.Refs) == 0 {
			return "is shown again"
		}
		return ""
	}
	return want.differsInValue(got)
}

func (want *line) differsInValue(got *field) string {
	value := got.Value
	if got.Number != nil {
		value = json.RawMessage(*got.Number)
	}
	var raw struct{ Base64 *string }
	isRaw := json.Unmarshal(value, &raw) == nil && raw.Base64 != nil
	if want.SHA256 != "" {
		b := []byte{}
		if isRaw {
			var err error
			if b, err = base64.StdEncoding.DecodeString(*raw.Base64); err != nil {
				return err.Error()
			}
		}
		if sum := sha256.Sum256(b); hex.EncodeToString(sum[:]) != want.SHA256 {
			return fmt.Sprintf("has other bytes: %.40x", b)
		}
		return ""
	}
	if bytes.Equal(value, want.Value) || equalNumbers(value, want.Value, got.Type) || equalTexts(value, raw.Base64, want.Value) {
		return ""
	}
	return fmt.Sprintf("is %.200s, not %.200s", value, want.Value)
}

// equalNumbers compares numbers as the reference has them: in double precision, in which integers beyond 2^53 lose digits.
func equalNumbers(a, b json.RawMessage, typ string) bool {
	x, errA := strconv.ParseFloat(strings.Trim(string(a), `"`), 64)
	y, errB := strconv.ParseFloat(strings.Trim(string(b), `"`), 64)
	if errA != nil || errB != nil {
		return false
	}
	single := strings.HasPrefix(typ, "f4") && float32(x) == float32(y)
	shifted := y < 0 && x-y == 1<<32 // JavaScript shifts numbers of 32 bits
	return x == y || single || shifted || math.IsNaN(x) && math.IsNaN(y) || math.Abs(y) > 1<<53 && math.Abs(x-y) <= math.Abs(y)*1e-15
}

// equalTexts compares texts. Bytes that are no UTF-8 or ASCII are bytes to us, and other characters to the reference.
func equalTexts(a json.RawMessage, raw *string, b json.RawMessage) bool {
	var x, y string
	if json.Unmarshal(b, &y) != nil {
		return false
	}
	if raw == nil {
		return json.Unmarshal(a, &x) == nil && x == y
	}
	in, err := base64.StdEncoding.DecodeString(*raw)
	if err != nil {
		return false
	}
	western, err := charmap.ISO8859_1.NewDecoder().Bytes(in) // what Node takes ASCII for
	for strings.Contains(y, "\uFFFD\uFFFD") {
		y = strings.ReplaceAll(y, "\uFFFD\uFFFD", "\uFFFD")
	}
	return err == nil && string(western) == y || strings.ToValidUTF8(string(in), "\uFFFD") == y
}

// writePage writes the table of what was compared.
func writePage(t *testing.T, rows map[string]*row) {
	var sorted []*row
	for _, r := range rows {
		sorted = append(sorted, r)
	}
	slices.SortFunc(sorted, func(a, b *row) int { return cmp.Compare(a.format, b.format) })
	var total row
	var table strings.Builder
	table.WriteString("| description | files | fields compared | differences |\n| --- | ---: | ---: | ---: |\n")
	for _, r := range sorted {
		fmt.Fprintf(&table, "| %s | %d | %d | %d |\n", r.format, r.files, r.fields, r.differences)
		total.files, total.fields, total.differences = total.files+r.files, total.fields+r.fields, total.differences+r.differences
	}
	fmt.Fprintf(&table, "| **%d descriptions** | %d | %d | %d |\n", len(sorted), total.files, total.fields, total.differences)
	t.Logf("%d descriptions, %d files, %d fields, %d differences", len(sorted), total.files, total.fields, total.differences)
	if *page == "" {
		return
	}
	text, err := os.ReadFile(*page)
	if err != nil {
		t.Fatal(err)
	}
	const begin, end = "<!-- make ksydiff writes what follows -->\n", "<!-- to here -->"
	before, rest, ok := strings.Cut(string(text), begin)
	_, after, closed := strings.Cut(rest, end)
	if !ok || !closed {
		t.Fatalf("%s has no place for the table", *page)
	}
	if err := os.WriteFile(*page, []byte(before+begin+table.String()+end+after), 0o600); err != nil {
		t.Fatal(err)
	}
}
