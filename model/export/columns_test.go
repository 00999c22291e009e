package export

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"

	"cutaway/model"
)

// mixed is a table with columns of every type; rows of the last one have gaps.
type mixed struct{ model.CardBase }

func (mixed) Columns() []model.Column {
	return []model.Column{{Name: "time", Type: "double"}, {Name: "point"}, {Name: "count"}, {Name: "on"}, {Name: "name"}, {Name: "kind"}, {Name: "gap"}}
}

func (mixed) Rows() (int64, bool) { return 5000, true }

func (m mixed) Read(_ context.Context, first int64, dst [][]model.Cell) (int, error) {
	for i := range dst {
		n := first + int64(i)
		if n >= 5000 {
			return i, nil
		}
		cells := []model.Value{model.Float64(float64(n) / 2), model.Tuple{model.Float32(n), model.Float32(-n)}, model.Int(-n), model.Bool(n%2 == 1),
			model.Text(strings.Repeat("ü", int(n%3))), model.Symbol{Number: 1, Name: "one"}, model.Float32(n)}
		if n%4 == 0 {
			cells[6] = nil
		}
		for k, v := range cells {
			dst[i][k] = model.Cell{Value: v}
		}
	}
	return len(dst), nil
}

func mixedPlace() *model.Place {
	return placeOf(context.Background(), model.Node{Name: "t", Cards: func(context.Context) []model.Card { return []model.Card{mixed{}} }})
}

// written is what a form writes of a place.
func written(t *testing.T, form string, p *model.Place) []byte {
	t.Helper()
	var b bytes.Buffer
	if _, err := Common.ByName(form).Write(t.Context(), &b, &Request{Places: []*model.Place{p}}); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// TestTimesOfRows writes the rows of some seconds.
func TestTimesOfRows(t *testing.T) {
	for _, k := range []struct {
		times Times
		want  []float64 // first and last
	}{{Times{"10", "12"}, []float64{10, 12}}, {Times{"+2499", ""}, []float64{2499, 2499.5}}, {Times{"", "-2499"}, []float64{0, 0.5}}} {
		for _, form := range []string{"csv", "parquet", "npy"} {
			var b bytes.Buffer
			if _, err := Common.ByName(form).Write(t.Context(), &b, &Request{Places: []*model.Place{mixedPlace()}, Times: k.times}); err != nil {
				t.Fatal(err)
			}
			var got []float64
			switch rows := int(2*(k.want[1]-k.want[0])) + 1; form {
			case "csv":
				for line := range strings.Lines(b.String()) {
					time, _, _ := strings.Cut(line, ",")
					if f, err := strconv.ParseFloat(time, 64); err == nil {
						got = append(got, f)
					}
				}
			case "parquet":
				list := make([]parquet.Row, 10)
				n, _ := parquet.NewReader(bytes.NewReader(b.Bytes())).ReadRows(list)
				for _, row := range list[:n] {
					got = append(got, row[0].Double())
				}
			case "npy":
				size := int(binary.LittleEndian.Uint32(b.Bytes()[8:]))
				for at, row := b.Bytes()[12+size:], (b.Len()-12-size)/rows; len(at) > 0; at = at[row:] {
					got = append(got, math.Float64frombits(binary.LittleEndian.Uint64(at)))
				}
			}
			if len(got) != int(2*(k.want[1]-k.want[0]))+1 || got[0] != k.want[0] || got[len(got)-1] != k.want[1] {
				t.Errorf("%s of %v: times %v", form, k.times, got)
			}
		}
	}
	points := placeOf(t.Context(), model.Node{Name: "p", Value: &model.Elements{Count: 3, Make: func(context.Context, int64) (model.Value, error) { return model.Int(1), nil }}})
	for _, form := range []string{"csv", "parquet", "npy"} {
		if _, err := Common.ByName(form).Write(t.Context(), io.Discard, &Request{Places: []*model.Place{points}, Times: Times{From: "1"}}); err == nil {
			t.Errorf("%s: the times were passed over", form)
		}
	}
}

// TestParquet reads what was written.
func TestParquet(t *testing.T) {
	b := written(t, "parquet", mixedPlace())
	file, err := parquet.OpenFile(bytes.NewReader(b), int64(len(b)))
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, path := range file.Schema().Columns() {
		names = append(names, path[0])
	}
	if want := []string{"time", "point[0]", "point[1]", "count", "on", "name", "kind", "gap"}; !slices.Equal(names, want) {
		t.Errorf("%v, want %v", names, want)
	}
	r := parquet.NewReader(file)
	rows := make([]parquet.Row, 5000)
	n, err := r.ReadRows(rows)
	if n != 5000 || err != nil && !errors.Is(err, io.EOF) {
		t.Fatal(n, err)
	}
	for i, row := range rows {
		if row[0].Double() != float64(i)/2 || row[2].Float() != float32(-i) || row[3].Int64() != int64(-i) || row[4].Boolean() != (i%2 == 1) ||
			row[5].String() != strings.Repeat("ü", i%3) || row[6].String() != "one" || row[7].IsNull() != (i%4 == 0) {
			t.Fatalf("row %d: %v", i, row)
		}
	}
}

// TestNumPy holds the bytes of arrays and tables against the format, and lets numpy read them where it is there.
func TestNumPy(t *testing.T) {
	points := placeOf(t.Context(), model.Node{Name: "p", Value: &model.Elements{Type: "float3", Count: 3, Make: func(_ context.Context, i int64) (model.Value, error) {
		return model.Tuple{model.Float32(i), model.Float32(0.5), model.Float32(-i)}, nil
	}}})
	array, table := written(t, "npy", points), written(t, "npy", mixedPlace())
	for _, k := range []struct {
		b     []byte
		head  string
		bytes int
	}{
		{array, "{'descr': '<f4', 'fortran_order': False, 'shape': (3, 3), }", 3 * 3 * 4},
		{table, `{'descr': [("time", '<f8'), ("point[0]", '<f4'), ("point[1]", '<f4'), ("count", '<i8'), ("on", '|b1'), ("name", '<U2'), ("kind", '<U3'), ` +
			`("gap", '<f4')], 'fortran_order': False, 'shape': (5000,), }`, 5000 * (8 + 4 + 4 + 8 + 1 + 8 + 12 + 4)},
	} {
		size := binary.LittleEndian.Uint32(k.b[8:])
		if head := strings.TrimSpace(string(k.b[12 : 12+size])); head != k.head || string(k.b[:8]) != "\x93NUMPY\x02\x00" || (12+size)%64 != 0 || len(k.b)-12-int(size) != k.bytes {
			t.Errorf("%s and %d bytes", head, len(k.b)-12-int(size))
		}
	}
	if last := math.Float32frombits(binary.LittleEndian.Uint32(array[len(array)-4:])); last != -2 {
		t.Errorf("the last number is %v", last)
	}
	python := os.Getenv("CUTAWAY_VRS_PYTHON")
	if python == "" {
		python = "python3"
	}
	if exec.Command(python, "-c", "import numpy").Run() != nil {
		t.Skip("there is no numpy")
	}
	path := filepath.Join(t.TempDir(), "table.npy")
	if err := os.WriteFile(path, table, 0o600); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command(python, "-c", "import numpy, sys; a = numpy.load(sys.argv[1]); print(a[4999], a['gap'][4])", path).CombinedOutput()
	if got := strings.TrimSpace(string(out)); err != nil || !strings.Contains(got, "2499.5") || !strings.HasSuffix(got, "nan") {
		t.Errorf("numpy reads %s, %v", got, err)
	}
}

// late is a table whose first two columns begin at row 4500; from row 4600 on the second has another value.
type late struct {
	model.CardBase
	then model.Value
}

func (late) Columns() []model.Column {
	return []model.Column{{Name: "number"}, {Name: "other"}, {Name: "row"}}
}

func (late) Rows() (int64, bool) { return 5000, true }

func (l late) Read(_ context.Context, first int64, dst [][]model.Cell) (int, error) {
	n := min(int64(len(dst)), 5000-first)
	for i := range n {
		row := first + i
		cells := []model.Value{nil, nil, model.Int(row)}
		if row >= 4500 {
			cells[0], cells[1] = model.Float64(row), model.Text("long")
		}
		if row >= 4600 {
			cells[1] = l.then
		}
		for k, v := range cells {
			dst[i][k] = model.Cell{Value: v}
		}
	}
	return int(n), nil
}

// TestNumPyOfLateValues: columns whose first value is far down have its type, and what does not fit in is an error.
func TestNumPyOfLateValues(t *testing.T) {
	placed := func(then model.Value) *model.Place {
		return placeOf(t.Context(), model.Node{Name: "t", Cards: func(context.Context) []model.Card { return []model.Card{late{then: then}} }})
	}
	b := written(t, "npy", placed(model.Text("longer")))
	size := binary.LittleEndian.Uint32(b[8:])
	const head = `{'descr': [("number", '<f8'), ("other", '<U6'), ("row", '<i8')], 'fortran_order': False, 'shape': (5000,), }`
	if got := strings.TrimSpace(string(b[12 : 12+size])); got != head {
		t.Errorf("%s, not %s", got, head)
	}
	last := b[len(b)-(8+6*4+8):]
	if n := math.Float64frombits(binary.LittleEndian.Uint64(last)); n != 4999 || last[8] != 'l' || last[8+5*4] != 'r' {
		t.Errorf("the last row is %x", last)
	}
	if err := NumPy(t.Context(), io.Discard, &Request{}, placed(model.Int(1))); err == nil || !strings.Contains(err.Error(), "of another type") {
		t.Errorf("a number among texts: %v", err)
	}
	text := cellType{width: 1}
	if _, err := text.append(t.Context(), nil, []model.Value{model.Text("longer than at first")}, 0); err == nil {
		t.Error("a text that is longer when it is read again is no error")
	}
}
