package decoders

import (
	"bytes"
	"cmp"
	"context"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/parquet-go/parquet-go"

	"cutaway/model"
	"cutaway/model/export"
	"cutaway/model/search"
	"cutaway/model/values"
)

// schemas are the schemas of buffers, by the patterns of their names.
var schemas = map[string]string{
	"*.mrkt": "market.bfbs", "*.post": "post.bfbs", "*.list": "lists.bfbs", "shared.bin": "shared.bfbs", "unshared.bin": "shared.bfbs",
}

// TestSequences holds that every way to look at a sequence finds the same elements with the same content, whatever they are:
// the tree, JSON, CSV, NumPy, Parquet, values and search. Of each kind of sequence in a format it looks at a few.
func TestSequences(t *testing.T) {
	const ofKind = 2
	seen := make(map[string]int)
	for format, files := range sequenceFiles(t) {
		found := 0
		for _, file := range files {
			doc := openSequences(t, file)
			if doc == nil {
				continue
			}
			for _, v := range doc.Views {
				opt := model.WalkOptions{Resolve: true, Derived: true, Elements: true}
				err := model.Walk(t.Context(), v.Place(t.Context()), opt, func(p *model.Place) error {
					if len(p.Segments()) > 40 {
						return model.ErrSkip // damaged, and as deep as can be
					}
					if kind := kindOfSequence(t.Context(), doc, v, p); kind != "" && seen[kind] < ofKind {
						seen[kind]++
						found++
						if err := checkSequence(t.Context(), p); err != nil {
							t.Errorf("%s#%s: %v", file, p.Path(), err)
						}
					}
					return nil
				})
				if err != nil {
					t.Errorf("%s: %v", file, err)
				}
			}
		}
		if found == 0 && format != "flatbuffer" {
			t.Errorf("%s: no sequence", format)
		}
	}
	t.Logf("%d kinds of sequences", len(seen))
}

// sequenceFiles are the small files of testdata and of the corpora, by format.
func sequenceFiles(t *testing.T) map[string][]string {
	const small = 64 << 10
	byFormat := sampleFiles(t)
	for _, pattern := range []string{"faults/*/*", "omnilive/*", "odin/*", "udm/*", "usdc/*", "vrs/*"} {
		found, _ := filepath.Glob("../../shared/corpus/" + pattern)
		for _, path := range found {
			if info, err := os.Stat(path); err == nil && info.Size() < small {
				folder := filepath.Base(filepath.Dir(path))
				byFormat[folder] = append(byFormat[folder], path)
			}
		}
	}
	return byFormat
}

// openSequences opens a file, by its schema or description where it has one; nil: it is no document of ours.
func openSequences(t *testing.T, path string) *model.Document {
	opt := OpenOptions{}
	name := filepath.Base(path)
	for pattern, schema := range schemas {
		if is, _ := filepath.Match(pattern, name); is {
			opt.Options.Options = map[string]string{"schema": filepath.Join("../testdata/flatbuffer", schema)}
		}
	}
	if name == "array-of-type.dat" {
		opt.Options.Options = map[string]string{"schema": strings.TrimSuffix(path, ".dat") + ".ksy"}
	}
	if filepath.Base(filepath.Dir(path)) == "ksy" {
		UseDescriptions(filepath.Dir(path))
		t.Cleanup(func() { UseDescriptions() })
	}
	doc, err := OpenFile(t.Context(), path, opt)
	if err != nil {
		return nil
	}
	t.Cleanup(func() { _ = doc.Close() })
	return doc
}

// kindOfSequence tells sequences apart that may be treated differently; "": it is none.
func kindOfSequence(ctx context.Context, doc *model.Document, v *model.View, p *model.Place) string {
	n := &p.Node
	_, array := n.Value.(model.Array)
	if n.Value != nil && !array || !model.IsSequence(ctx, n) {
		return ""
	}
	count, _ := p.Len(ctx)
	first := ""
	if count > 0 {
		c := p.Child(ctx, 0)
		if c.Resolve(ctx, nil) != nil {
			return ""
		}
		first = fmt.Sprintf("%T %v %v", c.Node.Value, c.Node.Children != nil, c.Node.Elements)
	}
	typ := regexp.MustCompile(`\d+`).ReplaceAllString(n.Type, "")
	return fmt.Sprint(doc.Format, v.Name, typ, n.Elements, array, len(model.RowCards(ctx, n)) > 0, min(count, 1), count > 64, first)
}

// checkSequence looks at a sequence in all ways.
func checkSequence(ctx context.Context, p *model.Place) error {
	count, elements, err := wholeSequence(ctx, p)
	if err != nil {
		return err
	}
	if err := inTree(ctx, p, count, elements); err != nil {
		return fmt.Errorf("tree: %w", err)
	}
	if elements != nil {
		rows, err := csvRows(ctx, p)
		if err = sameRows(ctx, p, elements, rows, err); err != nil {
			return fmt.Errorf("CSV: %w", err)
		}
		if rows, err = parquetRows(ctx, p); err == nil || !refusesColumn(err) {
			if err = sameRows(ctx, p, elements, rows, err); err != nil {
				return fmt.Errorf("parquet: %w", err)
			}
		}
		if rows, err = numPyRows(ctx, p); err == nil || !refusesColumn(err) {
			if err = sameRows(ctx, p, elements, rows, err); err != nil {
				return fmt.Errorf("NumPy: %w", err)
			}
		}
	}
	columns, err := values.Of(ctx, p)
	if err != nil || len(columns) == 0 {
		return fmt.Errorf("values: %d columns, %w", len(columns), err)
	}
	for _, c := range columns {
		if n, _ := c.Len(); n != int64(count) {
			return fmt.Errorf("values: column %q has %d of %d elements", c.Name, n, count)
		}
	}
	if elements == nil {
		return nil // what cannot be read is not found
	}
	return inSearch(ctx, p, count)
}

// refusesColumn reports whether a form says by its name why it cannot hold a column.
func refusesColumn(err error) bool {
	return strings.Contains(err.Error(), "write the table as csv") || strings.Contains(err.Error(), "of another type") ||
		strings.Contains(err.Error(), "unlike those before it")
}

// wholeSequence is what JSON has of a sequence; nil where not all of it can be read, or it lies too deep.
func wholeSequence(ctx context.Context, p *model.Place) (count int, elements []any, err error) {
	var b bytes.Buffer
	lines := export.NewLines(ctx, &b, export.LineOptions{Whole: true, Keys: []string{"value", "problems"}})
	if err := lines.Write(p); err != nil {
		return 0, nil, err
	}
	if err := lines.Flush(); err != nil {
		return 0, nil, err
	}
	var node struct {
		Value    any
		Problems []any
	}
	d := json.NewDecoder(&b)
	d.UseNumber()
	if err := d.Decode(&node); err != nil {
		return 0, nil, err
	}
	list, ok := node.Value.([]any)
	if !ok {
		return 0, nil, fmt.Errorf("JSON: the value is %v", node.Value)
	}
	a := model.Sequence(ctx, p)
	if int64(len(list)) != a.Len() {
		if len(node.Problems) == 0 {
			return 0, nil, fmt.Errorf("JSON: %d of %d elements, and no problem", len(list), a.Len())
		}
		return int(a.Len()), nil, nil
	}
	if list == nil {
		list = []any{}
	}
	return len(list), list, nil
}

// inTree compares the nodes of the elements with what JSON has of them.
func inTree(ctx context.Context, p *model.Place, count int, elements []any) error {
	n, _ := p.Len(ctx)
	nodes := 0
	for i := range n {
		if c := p.Child(ctx, i); strings.HasPrefix(c.Node.Name, "[") {
			nodes++
		}
	}
	_, array := p.Node.Value.(model.Array)
	if nodes != count && (!array || p.Node.Elements && nodes > 0) {
		return fmt.Errorf("%d nodes of %d elements", nodes, count)
	}
	if nodes == 0 || array {
		return nil
	}
	for i, e := range elements[:min(len(elements), 100)] {
		if err := sameScalars(treeScalars(ctx, p.Child(ctx, int64(i)), nil), scalarsOf(e, nil)); err != nil {
			return fmt.Errorf("element %d: %w", i, err)
		}
	}
	return nil
}

// treeScalars are the scalars of a node and all below it, as JSON of each node has them.
func treeScalars(ctx context.Context, p *model.Place, list []string) []string {
	if p.Resolve(ctx, nil) != nil {
		return list
	}
	v := p.Node.Value
	if v != nil {
		b := new(bytes.Buffer)
		lines := export.NewLines(ctx, b, export.LineOptions{Whole: true, Keys: []string{"value"}})
		if lines.Write(p) != nil || lines.Flush() != nil {
			return list
		}
		list = append(list, jsonScalars(b.String())...)
	}
	switch v.(type) {
	case nil, model.Text, model.Int, model.Uint, model.Float64, model.Float32, model.Half, model.Bool, model.None:
	default:
		return list
	}
	if v != nil && p.Node.Elements {
		return list
	}
	n, _ := p.Len(ctx)
	for i := range n {
		if c := p.Child(ctx, i); c.Node.Role == model.Explained {
			list = treeScalars(ctx, c, list)
		}
	}
	return list
}

func jsonScalars(text string) []string {
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	var v any
	if d.Decode(&v) != nil {
		return []string{text}
	}
	return scalarsOf(v, nil)
}

// scalarsOf appends the scalars in a value of JSON, without nulls.
func scalarsOf(v any, list []string) []string {
	switch v := v.(type) {
	case []any:
		for _, e := range v {
			list = scalarsOf(e, list)
		}
	case map[string]any:
		for _, e := range v {
			list = scalarsOf(e, list)
		}
	case json.Number:
		list = append(list, v.String())
	case bool:
		list = append(list, strconv.FormatBool(v))
	case string:
		list = append(list, v)
	}
	return list
}

// sameScalars compares lists of scalars in any order. Numbers are the same where they are so as half-precision numbers.
func sameScalars(got, want []string) error {
	const half = 1.0 / (1 << 11)
	plain := func(list []string) (out []string) {
		for _, s := range list {
			if f, err := strconv.ParseFloat(s, 64); err == nil {
				s = strconv.FormatFloat(float64(float32(f)), 'g', 6, 64)
			}
			if s != "" {
				out = append(out, s)
			}
		}
		slices.Sort(out)
		return out
	}
	g, w := plain(got), plain(want)
	if !slices.Contains(w, "NaN") {
		g = slices.DeleteFunc(g, func(s string) bool { return s == "NaN" }) // what NumPy has for no value
	}
	if !slices.EqualFunc(g, w, func(a, b string) bool {
		x, err := strconv.ParseFloat(a, 64)
		y, err2 := strconv.ParseFloat(b, 64)
		return a == b || err == nil && err2 == nil && math.Abs(x-y) <= half*math.Abs(x)
	}) {
		return fmt.Errorf("%.300q, in JSON %.300q", g, w)
	}
	return nil
}

// sameRows compares rows with elements. Cards of a format's own may have other columns.
func sameRows(ctx context.Context, p *model.Place, elements []any, rows [][]string, err error) error {
	if err != nil {
		return err
	}
	_, array := p.Node.Value.(model.Array)
	switch card := len(model.RowCards(ctx, &p.Node)) > 0; {
	case card && array:
		return nil // the table is that of the field in all records
	case len(rows) != len(elements):
		return fmt.Errorf("%d rows of %d elements", len(rows), len(elements))
	case card:
		return nil
	}
	for i, row := range rows[:min(len(rows), 100)] {
		var got []string
		for _, cell := range row {
			switch {
			case strings.Contains(cell, "\uFFFD\uFFFD"): // what NumPy has for bytes that are not UTF-8
				got = append(got, scalarsOf(elements[i], nil)...)
			case !utf8.ValidString(cell):
				got = append(got, base64.StdEncoding.EncodeToString([]byte(cell)))
			case strings.HasPrefix(cell, "[") || strings.HasPrefix(cell, "{"):
				got = append(got, jsonScalars(cell)...)
			default:
				got = append(got, numbered.ReplaceAllString(cell, ""))
			}
		}
		var want []string
		for _, s := range scalarsOf(elements[i], nil) {
			if strings.HasPrefix(s, "[") || strings.HasPrefix(s, "{") {
				want = append(want, jsonScalars(s)...) // a text that looks like a list
			} else {
				want = append(want, numbered.ReplaceAllString(s, ""))
			}
		}
		if err := sameScalars(got, want); err != nil {
			return fmt.Errorf("row %d: %w", i, err)
		}
	}
	return nil
}

// numbered is the number that CSV has after the name of a symbol.
var numbered = regexp.MustCompile(` \(\d+\)$`)

// write writes a sequence in a form.
func write(ctx context.Context, form string, p *model.Place) ([]byte, error) {
	var b bytes.Buffer
	_, err := export.Common.ByName(form).Write(ctx, &b, &export.Request{Places: []*model.Place{p}})
	return b.Bytes(), err
}

func csvRows(ctx context.Context, p *model.Place) ([][]string, error) {
	b, err := write(ctx, "csv", p)
	if err != nil {
		return nil, err
	}
	// encoding/csv takes a line that is an empty cell for none.
	var rows [][]string
	var row []string
	for text := string(b); text != ""; {
		cell, quoted, end := "", strings.HasPrefix(text, `"`), strings.IndexAny(text, ",\n")
		if quoted {
			for end = 1; text[end] != '"' || text[end+1] == '"'; end++ {
				if text[end] == '"' {
					end++
				}
				cell += text[end : end+1]
			}
			end++
		} else {
			cell = text[:end]
		}
		if row = append(row, cell); text[end] == '\n' {
			rows, row = append(rows, row), nil
		}
		text = text[end+1:]
	}
	if len(rows) == 0 {
		return nil, errors.New("no header")
	}
	return rows[1:], nil
}

func parquetRows(ctx context.Context, p *model.Place) (rows [][]string, err error) {
	b, err := write(ctx, "parquet", p)
	if err != nil {
		return nil, err
	}
	file, err := parquet.OpenFile(bytes.NewReader(b), int64(len(b)))
	if err != nil {
		return nil, err
	}
	r := parquet.NewReader(file)
	list := make([]parquet.Row, 64)
	for {
		n, err := r.ReadRows(list)
		for _, row := range list[:n] {
			var cells []string
			for _, v := range row {
				switch {
				case v.IsNull():
				case v.Kind() == parquet.Int64 && v.Int64() < 0 && strings.Contains(file.Schema().Fields()[v.Column()].Type().String(), "false"):
					cells = append(cells, strconv.FormatUint(v.Uint64(), 10))
				default:
					cells = append(cells, v.String())
				}
			}
			rows = append(rows, cells)
		}
		if err != nil || n == 0 {
			return rows, nil
		}
	}
}

// numPyField is a field of an array of structures.
var numPyField = regexp.MustCompile(`'([<|])([biufU])(\d+)'(?:, \(([\d, ]+)\))?`)

// numPyRows reads a .npy file of numbers and texts.
func numPyRows(ctx context.Context, p *model.Place) (rows [][]string, err error) {
	b, err := write(ctx, "npy", p)
	if err != nil {
		return nil, err
	}
	const before = 12
	head := string(b[before : before+binary.LittleEndian.Uint32(b[8:])])
	b = b[before+len(head):]
	descr, shape, _ := strings.Cut(head, "'shape': (")
	dims := strings.Split(strings.Trim(strings.SplitN(shape, ")", 2)[0], ", "), ",")
	n, _ := strconv.Atoi(dims[0])
	each := 1
	if len(dims) > 1 {
		each, _ = strconv.Atoi(strings.TrimSpace(dims[1]))
	}
	fields := numPyField.FindAllStringSubmatch(descr, -1)
	for range n {
		var row []string
		for _, f := range fields {
			times := each
			for _, d := range strings.Split(f[4], ",") {
				if k, err := strconv.Atoi(strings.TrimSpace(d)); err == nil {
					times *= k
				}
			}
			size, _ := strconv.Atoi(f[3])
			for range times {
				var s string
				s, b = numPyCell(b, f[2], size)
				row = append(row, s)
			}
		}
		rows = append(rows, row)
	}
	if len(b) > 0 {
		return nil, fmt.Errorf("%d bytes are left", len(b))
	}
	return rows, nil
}

func numPyCell(b []byte, kind string, size int) (string, []byte) {
	if kind == "U" {
		var s strings.Builder
		for i := range size {
			if r := binary.LittleEndian.Uint32(b[4*i:]); r != 0 {
				s.WriteRune(rune(r))
			}
		}
		return s.String(), b[4*size:]
	}
	at := slices.Index([]string{"b1", "i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8", "f2", "f4", "f8"}, kind+strconv.Itoa(size))
	v := (model.NumberBool + model.NumberKind(at)).Value(b)
	if f, ok := model.FloatOf(v); ok && math.IsNaN(f) {
		return "NaN", b[size:]
	}
	return model.ShowHeld(v, 40), b[size:]
}

// inSearch searches for a value of the first, the middle and the last element.
func inSearch(ctx context.Context, p *model.Place, count int) error {
	for _, i := range []int{0, count / 2, count - 1} {
		if n, _ := p.Len(ctx); i < 0 || int64(i) >= n {
			continue
		}
		leaf := scalarBelow(ctx, p.Child(ctx, int64(i)))
		if leaf == nil {
			continue
		}
		for _, text := range queries(ctx, &leaf.Node) {
			q, err := search.ParseQuery(text)
			if err != nil || strings.HasPrefix(text, "name:") {
				continue
			}
			hit := false
			start := *p.Copy()
			_, err = search.Tree(ctx, &start, q, everywhere, func(_ context.Context, h search.Hit) error {
				hit = hit || h.Path == leaf.Path() || strings.HasPrefix(leaf.Path(), h.Path)
				return nil
			})
			if err != nil || !hit {
				return fmt.Errorf("search: %s does not find %s: %w", text, leaf.Path(), err)
			}
		}
	}
	return nil
}

// scalarBelow is the first node with a value that one can search for, of those at and below a place; nil: there is none.
func scalarBelow(ctx context.Context, p *model.Place) (leaf *model.Place) {
	_ = model.Walk(ctx, p, model.WalkOptions{Resolve: true, Elements: true}, func(p *model.Place) error {
		if leaf != nil {
			return model.ErrSkip
		}
		if len(queries(ctx, &p.Node)) > cmp.Compare(p.Node.Name, "") && p.Node.Role == model.Explained {
			leaf = p
		}
		return nil
	})
	return leaf
}
