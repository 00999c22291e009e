package export

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"math"
	"strconv"
	"strings"
	"testing"

	"cutaway/model"
	"cutaway/model/export/quote"
)

var ctx = context.Background()

// numbers is an array of 0, 1, 2, … that fails at the element bad, or nowhere when bad is negative.
func numbers(count, bad int64) *model.Elements {
	return &model.Elements{Type: "int", Count: count, Make: func(_ context.Context, i int64) (model.Value, error) {
		if i == bad {
			return nil, model.Problemf(model.Malformed, "test.bad", model.Span{}, "element %d is bad", i)
		}
		return model.Int(i), nil
	}}
}

func bytesSource(b []byte) *model.Source {
	return model.NewFileSource("test.bin", model.BytesReader(b))
}

// first64 are the numbers from 0 to 63.
var first64 = func() string {
	var parts []string
	for i := range 64 {
		parts = append(parts, strconv.Itoa(i))
	}
	return strings.Join(parts, ",")
}()

func TestValues(t *testing.T) {
	data := make([]byte, 100)
	for i := range data {
		data[i] = byte(i)
	}
	src := bytesSource(data)
	blob := func(off, n int64) model.Value { return model.Blob{Span: src.Span(off, n)} }
	long := make(model.Seq, 65)
	for i := range long {
		long[i] = model.Int(i)
	}
	tests := []struct {
		name  string
		value model.Value
		want  string
	}{
		{"nothing", nil, `null`},
		{"none", model.None{}, `null`},
		{"true", model.Bool(true), `true`},
		{"false", model.Bool(false), `false`},
		{"int", model.Int(-42), `-42`},
		{"2^53", model.Int(1 << 53), `9007199254740992`},
		{"-2^53", model.Int(-1 << 53), `-9007199254740992`},
		{"beyond 2^53", model.Int(1<<53 + 1), `"9007199254740993"`},
		{"beyond -2^53", model.Int(-1<<53 - 1), `"-9007199254740993"`},
		{"least int", model.Int(math.MinInt64), `"-9223372036854775808"`},
		{"uint 2^53", model.Uint(1 << 53), `9007199254740992`},
		{"greatest uint", model.Uint(math.MaxUint64), `"18446744073709551615"`},
		{"float64", model.Float64(0.1), `0.1`},
		{"float64 whole", model.Float64(3), `3`},
		{"float64 small", model.Float64(1e-9), `1e-09`},
		{"float64 large", model.Float64(1e300), `1e+300`},
		{"float64 beyond 2^53 is no integer", model.Float64(1 << 53), `9.007199254740992e+15`},
		{"negative zero", model.Float64(math.Copysign(0, -1)), `-0.0`},
		{"NaN", model.Float64(math.NaN()), `"NaN"`},
		{"infinity", model.Float64(math.Inf(1)), `"Infinity"`},
		{"-infinity", model.Float32(math.Inf(-1)), `"-Infinity"`},
		{"float32 is short", model.Float32(0.1), `0.1`},
		{"float32 third", model.Float32(1.0 / 3), `0.33333334`},
		{"half", model.Half(0x3c00), `1`},
		{"half NaN", model.Half(0x7e00), `"NaN"`},
		{"text", model.Text("grün"), `"grün"`},
		{"text escaped", model.Text("a\"b\\c\n\t\r\x01\x7f"), `"a\"b\\c\n\t\r\u0001\u007f"`},
		{"text that YAML wants escaped", model.Text("\u0085\u2028\ufeff\U0001F600"), `"\u0085\u2028\ufeff` + "\U0001F600\""},
		{"text not UTF-8", model.Text("\xff\x00"), `{"base64":"/wA="}`},
		{"text like HTML", model.Text("<a&b>"), `"<a&b>"`},
		{"symbol", model.Symbol{Number: 3, Name: "SpecifierDef"}, `"SpecifierDef"`},
		{"symbol without a name", model.Symbol{Number: 99}, `99`},
		{"symbol beyond 2^53", model.Symbol{Number: math.MinInt64}, `"-9223372036854775808"`},
		{"tuple", model.Tuple{model.Float32(1.5), model.Int(2)}, `[1.5,2]`},
		{"matrix", model.Tuple{model.Tuple{model.Int(1), model.Int(0)}, model.Tuple{model.Int(0), model.Int(1)}}, `[[1,0],[0,1]]`},
		{"empty tuple", model.Tuple{}, `[]`},
		{"seq", model.Seq{model.Text("a"), nil}, `["a",null]`},
		{"seq of 64", long[:64], `[` + first64 + `]`},
		{"seq of 65", long, `{"count":65,"first":[` + first64 + `]}`},
		{"object", model.Object{{Key: "a\"b", Value: model.Int(1)}, {Key: "c", Value: model.Object{}}}, `{"a\"b":1,"c":{}}`},
		{"empty array", numbers(0, -1), `[]`},
		{"array of 64", numbers(64, -1), `[` + first64 + `]`},
		{"array of 65", numbers(65, -1), `{"count":65,"first":[` + first64 + `]}`},
		{"array in an array", &model.Elements{Count: 2, Make: func(_ context.Context, i int64) (model.Value, error) { return numbers(i+1, -1), nil }}, `[[0],[0,1]]`},
		{"empty blob", blob(0, 0), `{"base64":""}`},
		{"blob", blob(1, 3), `{"base64":"AQID"}`},
		{"blob of 65", blob(0, 65), `{"count":65,"first":[` + first64 + `]}`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, err := AppendValue(ctx, nil, test.value)
			if err != nil {
				t.Fatal(err)
			}
			if string(got) != test.want {
				t.Errorf("got  %s\nwant %s", got, test.want)
			}
			if !json.Valid(got) {
				t.Errorf("not JSON: %s", got)
			}
		})
	}
}

func TestUnreadableValues(t *testing.T) {
	src := bytesSource([]byte{7, 8})
	tests := []struct {
		name  string
		value model.Value
		want  string
	}{
		{"a bad element", numbers(10, 3), `{"count":10,"first":[0,1,2]}`},
		{"a blob past the end", model.Blob{Span: src.Span(1, 4)}, `{"count":4,"first":[8]}`},
	}
	for _, test := range tests {
		got, err := AppendValue(ctx, nil, test.value)
		if err == nil {
			t.Errorf("%s: no error", test.name)
		}
		if string(got) != test.want {
			t.Errorf("%s: got %s, want %s", test.name, got, test.want)
		}
	}
}

// An array whose reading gives nothing and no error must not hang the writer.
func TestArrayThatEndsEarly(t *testing.T) {
	got, err := AppendValue(ctx, nil, stuck{})
	var p model.Problem
	if !errors.As(err, &p) || p.Kind != model.Truncated {
		t.Errorf("got error %v, want a truncation", err)
	}
	if want := `{"count":5,"first":[]}`; string(got) != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

type stuck struct{ model.ArrayBase }

func (stuck) Elem() string                                            { return "int" }
func (stuck) Len() int64                                              { return 5 }
func (stuck) Read(context.Context, int64, []model.Value) (int, error) { return 0, nil }

func TestNestingIsBounded(t *testing.T) {
	var v model.Value = model.Int(1)
	for range 10_000 {
		v = model.Tuple{v}
	}
	got, err := AppendValue(ctx, nil, v)
	if err != nil {
		t.Fatal(err)
	}
	if depth := bytes.Count(got, []byte("[")); depth > maxNesting+1 || !json.Valid(got) {
		t.Errorf("%d levels: %s", depth, got)
	}
}

// Every float reads back the same, at its own width.
func TestFloatsReadBack(t *testing.T) {
	for i := range 200_000 {
		bits := uint32(i) * 21_473
		f := math.Float32frombits(bits)
		if f != f || math.IsInf(float64(f), 0) {
			continue
		}
		text := quote.Float(nil, float64(f), 32)
		back, err := strconv.ParseFloat(string(text), 32)
		if err != nil || math.Float32bits(float32(back)) != bits || !json.Valid(text) {
			t.Fatalf("%#x: wrote %s", bits, text)
		}
	}
}

func FuzzString(f *testing.F) {
	for _, s := range []string{"", "a\x00b", "\xff", "\u2028\\\"", "é\xc3"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		var got string
		if err := json.Unmarshal(quote.String(nil, s), &got); err != nil {
			t.Fatal(err)
		}
		if want := strings.ToValidUTF8(s, "\ufffd"); strings.ReplaceAll(got, "\ufffd", "") != strings.ReplaceAll(want, "\ufffd", "") {
			t.Errorf("%q came back as %q", s, got)
		}
		var path string
		if err := json.Unmarshal(appendPath(nil, model.EscapeSegment(s)), &path); err != nil {
			t.Fatal(err)
		}
		if back := model.UnescapeSegment(path); back != s {
			t.Errorf("the segment %q came back as %q", s, back)
		}
	})
}
