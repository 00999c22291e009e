package values

import (
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"cutaway/model"
)

// TestWideIntegers: of integers that 53 bits do not hold, what is told is what is computed in as many digits as it takes.
func TestWideIntegers(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 31))
	for name, of := range map[string]struct {
		kind model.NumberKind
		make func(i int) uint64
	}{
		"signed near 2^60":          {model.NumberI64, func(i int) uint64 { return 1<<60 + uint64(i%9) }},
		"near 2^60":                 {model.NumberU64, func(i int) uint64 { return 1<<60 + uint64(i%9) }},
		"near the end":              {model.NumberU64, func(i int) uint64 { return math.MaxUint64 - uint64(i%5) }},
		"near the least":            {model.NumberI64, func(i int) uint64 { return 1<<63 + uint64(i%5) }},
		"nanoseconds since 1970":    {model.NumberI64, func(i int) uint64 { return 1_700_000_000_000_000_000 + uint64(i)*33_333_333 }},
		"both ends":                 {model.NumberI64, func(i int) uint64 { return []uint64{1 << 63, math.MaxInt64, 0}[i%3] }},
		"both ends without a sign":  {model.NumberU64, func(i int) uint64 { return []uint64{0, math.MaxUint64, 1}[i%3] }},
		"anything":                  {model.NumberI64, func(int) uint64 { return r.Uint64() }},
		"one value":                 {model.NumberU64, func(int) uint64 { return 9007199254740993 }},
		"small ones":                {model.NumberI64, func(i int) uint64 { return uint64(i%7) - 3 }},
		"small, then 2^53 and more": {model.NumberI64, func(i int) uint64 { return uint64(i) << 50 }},
	} {
		t.Run(name, func(t *testing.T) {
			for _, n := range []int{1, 2, 3, 100, 5000} {
				data, list := make([]byte, 8*n), make([]*big.Int, n)
				for i := range n {
					v := of.make(i)
					binary.LittleEndian.PutUint64(data[8*i:], v)
					list[i] = new(big.Int).SetUint64(v)
					if of.kind == model.NumberI64 {
						list[i] = big.NewInt(int64(v))
					}
				}
				holdExactly(t, &factsOf(t, of.kind, 1, data).By[0], list)
			}
		})
	}
}

// holdExactly compares what is told of integers with what math/big computes.
func holdExactly(t *testing.T, c *Component, list []*big.Int) {
	t.Helper()
	n := big.NewInt(int64(len(list)))
	sum := new(big.Int)
	least, most, zeros := list[0], list[0], int64(0)
	for _, v := range list {
		sum.Add(sum, v)
		if v.Cmp(least) < 0 {
			least = v
		}
		if v.Cmp(most) > 0 {
			most = v
		}
		if v.Sign() == 0 {
			zeros++
		}
	}
	mean := new(big.Rat).SetFrac(sum, n)
	squares := new(big.Rat)
	for _, v := range list {
		d := new(big.Rat).Sub(new(big.Rat).SetInt(v), mean)
		squares.Add(squares, d.Mul(d, d))
	}
	variance, _ := squares.Mul(squares, new(big.Rat).SetFrac(big.NewInt(1), n)).Float64()
	if std := math.Sqrt(variance); math.Abs(c.Std-std) > 1e-9*std {
		t.Errorf("%d values: std %g, want %g", len(list), c.Std, std)
	}
	if shown(c.Min) != least.String() || shown(c.Max) != most.String() || c.Zero != zeros {
		t.Errorf("%d values: %s … %s, %d zeros; want %s … %s, %d", len(list), shown(c.Min), shown(c.Max), c.Zero, least, most, zeros)
	}
	told, ok := new(big.Rat).SetString(shown(c.Mean))
	if !ok {
		t.Fatalf("the mean is %v", c.Mean)
	}
	if off, _ := told.Sub(told, mean).Float64(); math.Abs(off) > 0.5 {
		t.Errorf("%d values: the mean %s is off by %g from %s", len(list), shown(c.Mean), off, mean.FloatString(3))
	}
	counts := make([]int64, len(c.Histogram.Counts))
	from, ok := new(big.Int).SetString(shown(Plus(c.Histogram.Base, 0)), 10)
	if !ok {
		t.Fatalf("the histogram has the base %v", c.Histogram.Base)
	}
	for _, v := range list {
		by, _ := new(big.Float).SetInt(new(big.Int).Sub(v, from)).Float64()
		if i := int((by - c.Histogram.From) / c.Histogram.Width); i < 0 || i >= len(counts) {
			t.Fatalf("%d values: %s is not in the histogram", len(list), v)
		} else {
			counts[i]++
		}
	}
	for i, n := range counts {
		if n != c.Histogram.Counts[i] {
			t.Errorf("%d values: %d in range %d, want %d", len(list), c.Histogram.Counts[i], i, n)
		}
	}
}

func shown(v model.Value) string { return model.ShowHeld(v, 40) }

// points is a series of numbers.
type points struct {
	model.CardBase
	list []model.Value
}

func (points) Unit() string            { return "" }
func (p points) Points() (int64, bool) { return int64(len(p.list)), true }
func (p points) Read(_ context.Context, first int64, dst []model.Point) (int, error) {
	n := min(len(dst), len(p.list)-int(first))
	for i := range n {
		dst[i] = model.Point{Time: float64(first) + float64(i)}
		dst[i].SetNumber(p.list[int(first)+i])
	}
	return n, nil
}

// TestSeriesOfIntegers: a series keeps the digits of its integers; of integers and others it is float64s.
func TestSeriesOfIntegers(t *testing.T) {
	whole := points{list: []model.Value{model.Uint(1<<60 + 1), model.Uint(1<<60 + 3)}}
	c, err := SeriesColumn(whole).Exact(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	f, err := Summarize(t.Context(), c, nil)
	if err != nil || f.Type != "uint64" || shown(f.By[0].Mean) != "1152921504606846978" || f.By[0].Std != 1 || shown(f.Last) != "1152921504606846979" {
		t.Errorf("%+v, %v", f, err)
	}
	if c, err = SeriesColumn(points{list: []model.Value{model.Int(1), model.Float64(2)}}).Exact(t.Context()); err != nil {
		t.Fatal(err)
	}
	if f, err := Summarize(t.Context(), c, nil); err != nil || f.Text != nil || f.By[0].Std != 0.5 {
		t.Errorf("%+v, %v", f, err)
	}
}

// TestWideBands: a plot tells apart integers that float64s do not.
func TestWideBands(t *testing.T) {
	c := listed(t, "int64", model.None{}, model.Int(1<<60), model.Int(1<<60+1), model.Int(1<<60-1))
	b, err := Bands(t.Context(), c, 0, -1, 10)
	if err != nil || b.Base[0] != model.Value(model.Int(1<<60)) || fmt.Sprint(b.Low[0]) != "[NaN 0 1 -1]" {
		t.Fatalf("%+v, %v", b, err)
	}
	if b.From(0, model.Int(1<<60-2)); fmt.Sprint(b.High[0]) != "[NaN 2 3 1]" {
		t.Errorf("from another base: %v", b.High[0])
	}
	if got := shown(Plus(model.Uint(math.MaxUint64), 1)) + " " + shown(Plus(model.Int(-5), 7.4)); got != "1.8446744073709552e+19 2" {
		t.Errorf("sums %s", got)
	}
}

// TestWidthOfValues: integers that are longer than the name of their type says keep their digits.
func TestWidthOfValues(t *testing.T) {
	for typ, list := range map[string][]model.Value{
		"u8le": {model.Uint(math.MaxUint64 - 3), model.Uint(math.MaxUint64 - 1)},
		"u8":   {model.Uint(1), model.Uint(math.MaxUint64)},
		"byte": {model.Int(300), model.Int(-1 << 60)},
	} {
		f, err := Summarize(t.Context(), listed(t, typ, list...), nil)
		if err != nil || f.Text != nil || f.First != list[0] || f.Last != list[1] || f.By[0].Distinct != 2 {
			t.Errorf("%s: %+v, %v", typ, f, err)
		}
	}
}
