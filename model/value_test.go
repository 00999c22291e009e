package model

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"
)

// TestHalf compares all 65,536 halves with their definition.
func TestHalf(t *testing.T) {
	for bits := range 1 << 16 {
		sign, exp, frac := bits>>15, bits>>10&0x1f, bits&0x3ff
		var want float64
		switch {
		case exp == 0x1f && frac != 0:
			want = math.NaN()
		case exp == 0x1f:
			want = math.Inf(1)
		case exp == 0:
			want = math.Ldexp(float64(frac), -24)
		default:
			want = math.Ldexp(float64(0x400|frac), exp-25)
		}
		if sign == 1 {
			want = math.Copysign(want, -1)
		}
		got := Half(bits).Float()
		if math.IsNaN(want) {
			if got == got {
				t.Errorf("%#04x is %v, want NaN", bits, got)
			}
			continue
		}
		if float64(got) != want || math.Signbit(float64(got)) != math.Signbit(want) {
			t.Errorf("%#04x is %v, want %v", bits, got, want)
		}
	}
}

func TestShow(t *testing.T) {
	src := NewFileSource("x", BytesReader("\x00\x01\xfe\xff45678"))
	numbers := &Elements{Type: "int", Count: 1000, Make: func(_ context.Context, i int64) (Value, error) { return Int(i), nil }}
	broken := &Elements{Type: "int", Count: 9, Make: func(_ context.Context, i int64) (Value, error) {
		if i == 3 {
			return nil, errors.New("cut")
		}
		return Int(i), nil
	}}
	for _, k := range []struct {
		value Value
		limit int
		want  string
	}{
		{nil, 9, ""}, {Bool(true), 9, "true"}, {Int(-5), 9, "-5"}, {Uint(math.MaxUint64), 99, "18446744073709551615"},
		{Float32(0.1), 99, "0.1"}, {Float64(0.1), 99, "0.1"}, {Float64(float32(0.1)), 99, "0.10000000149011612"},
		{Half(0x3555), 99, "0.3333"}, {Half(0x7bff), 99, "65500"}, {Half(1), 99, "6e-08"}, {Half(0xae66), 99, "-0.1"}, {Float64(math.NaN()), 9, "NaN"}, {Float32(math.Inf(-1)), 9, "-Infinity"},
		{Float64(math.Copysign(0, -1)), 9, "-0"}, {Float64(1e16), 99, "1e+16"}, {Float64(123456), 9, "123456"},
		{Text("plain"), 99, "plain"}, {Text("a\nb\x00\xff\""), 99, `a\nb\x00\xff"`}, {Text("abcdef"), 3, "abc…"},
		{Text("a\u202eb\u009b\u2028"), 99, `a\u202eb\u009b\u2028`}, {Text("日本\u3000語 👩\u200d🚀"), 99, "日本\u3000語 👩\u200d🚀"},
		{Symbol{3, "p\x1b[2J", true}, 99, `p\x1b[2J (3)`}, {Symbol{Number: 3, Name: "p\n"}, 99, `p\n`}, {Object{{"k\n\u2066", Int(1)}}, 99, `{k\n\u2066: 1}`},
		{Text("äöü"), 3, "ä…"}, {Text("ok"), 2, "ok"},
		{Tuple{Float32(1), Float32(2.5)}, 99, "(1, 2.5)"}, {Seq{Text("a b"), Int(1)}, 99, `["a b", 1]`},
		{Tuple{Tuple{Int(1)}, Tuple{Int(2)}}, 99, "((1), (2))"}, {Seq{}, 9, "[]"},
		{Object{{"k", Int(1)}, {"s", Text("v")}}, 99, `{k: 1, s: "v"}`}, {Object{}, 9, "{}"},
		{Symbol{Number: 3, Name: "point"}, 99, "point"}, {Symbol{Number: 99, Numbered: true}, 99, "99"}, {Symbol{3, "point", true}, 99, "point (3)"}, {None{}, 9, "None"},
		{Blob{src.Span(0, 4)}, 99, "00 01 fe ff"}, {Blob{src.Span(0, 9)}, 6, "00 01 fe …"}, {Blob{src.Span(4, 0)}, 9, ""},
		{numbers, 12, "[0, 1, 2, 3, …]"}, {&Elements{}, 9, "[]"}, {broken, 99, "[0, 1, 2…]"},
	} {
		if got := Show(t.Context(), k.value, k.limit); got != k.want {
			t.Errorf("%#v in %d: %q, want %q", k.value, k.limit, got, k.want)
		}
	}
}

// TestShowIsShort: what is shown is about as long as the limit allows, valid UTF-8 and one line.
func TestShowIsShort(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 5))
	for range 5000 {
		b := make([]byte, rng.IntN(60))
		for i := range b {
			b[i] = byte(rng.IntN(256))
		}
		limit := rng.IntN(40)
		for _, v := range []Value{Text(b), Tuple{Text(b), Text(b), Text(b)}} {
			s := Show(t.Context(), v, limit)
			if !utf8.ValidString(s) || strings.ContainsAny(s, "\n\r\x00") {
				t.Fatalf("%q is shown as %q", b, s)
			}
			// A byte may take four in an escape, and the last element may begin below the limit.
			if len(s) > 4*limit+40 {
				t.Fatalf("%q in %d is shown as %q, %d bytes", b, limit, s, len(s))
			}
		}
	}
}

func TestFormatFloatReadsBack(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 6))
	for range 50_000 {
		f := math.Float64frombits(rng.Uint64())
		if back, err := strconv.ParseFloat(FormatFloat(f, 64), 64); err != nil || back != f && !math.IsNaN(f) {
			t.Fatalf("%x reads back as %x from %s", f, back, FormatFloat(f, 64))
		}
		g := math.Float32frombits(rng.Uint32())
		if back, err := strconv.ParseFloat(FormatFloat(float64(g), 32), 32); err != nil || float32(back) != g && g == g {
			t.Fatalf("%x reads back as %x from %s", g, back, FormatFloat(float64(g), 32))
		}
	}
}

func TestElements(t *testing.T) {
	e := &Elements{Type: "int", Count: 5000, Make: func(_ context.Context, i int64) (Value, error) { return Int(i), nil }}
	dst := make([]Value, 3000)
	if n, err := e.Read(t.Context(), 3000, dst); n != 2000 || err != nil || dst[1999] != Int(4999) {
		t.Errorf("read %d, %v", n, err)
	}
	if n, err := e.Read(t.Context(), 5000, dst); n != 0 || err != nil {
		t.Errorf("after the end: %d, %v", n, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if n, err := e.Read(ctx, 0, dst); !errors.Is(err, context.Canceled) || n > 1024 {
		t.Errorf("cancelled: %d, %v", n, err)
	}
}

// TestShortestHalf: of every half the shortest decimal is nearer to it than to its neighbours.
func TestShortestHalf(t *testing.T) {
	for bits := range Half(0x7c00) {
		x, f := bits.Shortest(), float64(bits.Float())
		if minus := (bits | 0x8000).Shortest(); minus != -x || !math.Signbit(minus) {
			t.Fatalf("%#04x is %g, with a minus %g", bits, x, minus)
		}
		off := math.Abs(x - f)
		if bits > 0 && off >= math.Abs(x-float64((bits-1).Float())) || bits < 0x7bff && off >= math.Abs(x-float64((bits+1).Float())) {
			t.Fatalf("%#04x is %g, but %g is nearer to another", bits, f, x)
		}
	}
	if !math.IsNaN(Half(0x7e00).Shortest()) || !math.IsInf(Half(0xfc00).Shortest(), -1) {
		t.Error("NaN or infinity is lost")
	}
}

// UintOf reads any number of bytes up to 8 in either order.
func TestUintOf(t *testing.T) {
	b := []byte{1, 2, 3, 4, 5, 6, 7, 0xff}
	for n, want := range []uint64{0, 1, 0x201, 0x30201, 0x4030201, 0x504030201, 0x60504030201, 0x7060504030201, 0xff07060504030201} {
		if got := UintOf(b[:n], false); got != want {
			t.Errorf("%d bytes little-endian are %#x, want %#x", n, got, want)
		}
	}
	if got := UintOf(b[5:], true); got != 0x607ff {
		t.Errorf("3 bytes big-endian are %#x", got)
	}
}
