package values

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/cespare/xxhash/v2"

	"cutaway/model"
)

// numpyScript reads the arrays that a list names, and prints what numpy says of each component.
const numpyScript = `
import json, sys, numpy as np
np.seterr(all='ignore')
def num(x):
    x = x.item()
    return str(x) if not isinstance(x, bool) else str(int(x))
for a in json.load(open(sys.argv[1])):
    m = np.fromfile(a['file'], a['dtype']).reshape(-1, a['components'])
    by = []
    for k in range(a['components']):
        v = m[:, k]
        f = v[np.isfinite(v)]
        c = {'nan': int(np.isnan(v).sum()), 'inf': int(np.isinf(v).sum()), 'zero': int((v == 0).sum()),
             'neg': int(((v == 0) & np.signbit(v)).sum()) if v.dtype.kind == 'f' else 0, 'distinct': int(np.unique(v).size)}
        w = v.astype(np.float64) if v.dtype.kind != 'f' or v.dtype.itemsize < 8 else v
        d = v[1:] >= v[:-1], v[1:] <= v[:-1]
        c['up'], c['down'] = bool(d[0].all()), bool(d[1].all())
        if f.size:
            w = f.astype(np.float64)
            c['min'], c['max'] = num(f.min()), num(f.max())
            c['mean'], c['std'] = repr(float(w.mean())), repr(float(w.std()))
            h = a['histograms'][k]
            w = w - int(h['base']) if h['base'] == '0' else (v.astype(object) - int(h['base'])).astype(np.float64)
            edges = float(h['from']) + float(h['width']) * np.arange(h['n'] + 1)
            c['counts'] = [int(x) for x in np.histogram(w, edges)[0]]
        by.append(c)
    print(json.dumps(by))
`

type numpyArray struct {
	File       string      `json:"file"`
	Dtype      string      `json:"dtype"`
	Components int         `json:"components"`
	Histograms []numpyBins `json:"histograms"`

	kind  model.NumberKind
	facts *Facts
	data  []byte
}

type numpyBins struct {
	Base  string  `json:"base"`
	From  float64 `json:"from"`
	Width float64 `json:"width"`
	N     int     `json:"n"`
}

type numpySays struct {
	NaN, Inf, Zero, Neg int64
	Distinct            int
	Up, Down            bool
	Min, Max, Mean, Std string
	Counts              []int64
}

var dtypes = map[model.NumberKind]string{model.NumberBool: "?", model.NumberI8: "i1", model.NumberU8: "u1", model.NumberI16: "<i2",
	model.NumberU16: "<u2", model.NumberI32: "<i4", model.NumberU32: "<u4", model.NumberI64: "<i8", model.NumberU64: "<u8",
	model.NumberF16: "<f2", model.NumberF32: "<f4", model.NumberF64: "<f8"}

// TestNumpy: of 204 arrays of every kind of number, numpy says the same.
func TestNumpy(t *testing.T) {
	python, err := exec.LookPath("python3")
	if err == nil {
		err = exec.Command(python, "-c", "import numpy").Run()
	}
	if err != nil {
		t.Skip("numpy is missing: pip install numpy")
	}
	dir := t.TempDir()
	var arrays []*numpyArray
	r := rand.New(rand.NewPCG(13, 2))
	for kind := model.NumberBool; kind <= model.NumberF64; kind++ {
		for i := range 17 {
			a := &numpyArray{Dtype: dtypes[kind], kind: kind, Components: []int{1, 1, 3, 16}[i%4]}
			a.data = someNumbers(r, kind, a.Components, i)
			a.File = filepath.Join(dir, fmt.Sprintf("%d-%d.bin", kind, i))
			if err := os.WriteFile(a.File, a.data, 0o600); err != nil {
				t.Fatal(err)
			}
			a.facts = factsOf(t, kind, a.Components, a.data)
			for _, c := range a.facts.By {
				a.Histograms = append(a.Histograms, numpyBins{model.ShowHeld(Plus(c.Histogram.Base, 0), 40), c.Histogram.From, c.Histogram.Width, len(c.Histogram.Counts)})
			}
			arrays = append(arrays, a)
		}
	}
	list, script := filepath.Join(dir, "list.json"), filepath.Join(dir, "script.py")
	b, err := json.Marshal(arrays)
	if err == nil {
		err = os.WriteFile(list, b, 0o600)
	}
	if err == nil {
		err = os.WriteFile(script, []byte(numpyScript), 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(python, script, list)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	dec := json.NewDecoder(out)
	for _, a := range arrays {
		var says []numpySays
		if err := dec.Decode(&says); err != nil {
			t.Fatalf("%s: %v", a.File, err)
		}
		compareNumpy(t, a, says)
	}
	if err := cmd.Wait(); err != nil {
		t.Fatal(err)
	}
}

func factsOf(t *testing.T, kind model.NumberKind, components int, data []byte) *Facts {
	t.Helper()
	src := model.NewFileSource("a", model.BytesReader(data))
	c, err := ArrayColumn(t.Context(), &model.Elements{Count: int64(len(data)) / kind.Size() / int64(components),
		Pack: model.Packing{Number: kind, Components: components, At: src.Whole()}})
	if err != nil {
		t.Fatal(err)
	}
	f, err := Summarize(t.Context(), c, nil)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// someNumbers are elements of a distribution that i chooses.
func someNumbers(r *rand.Rand, kind model.NumberKind, components, i int) []byte {
	n := []int{1, 2, 7, 1000, 5000, 30000}[r.IntN(6)]
	data := make([]byte, int64(n*components)*kind.Size())
	level := r.NormFloat64() * 1e6
	for k := range n * components {
		at := data[int64(k)*kind.Size():][:kind.Size()]
		if kind < model.NumberF16 {
			v := r.Uint64()
			switch i % 5 {
			case 1:
				v = uint64(k / 3)
			case 2:
				v = uint64(1<<63) - uint64(k)
			case 3:
				v = uint64(r.IntN(5)) - 2
			}
			if kind == model.NumberBool {
				v &= 1
			}
			putNumber(at, model.Uint(v))
			continue
		}
		f := r.NormFloat64()
		switch i % 8 {
		case 1:
			f = level + f
		case 2:
			f = float64(k)
		case 3:
			f = math.Ldexp(f, r.IntN(120)-60)
		case 4:
			f = []float64{0, math.Copysign(0, -1), 1, math.NaN(), math.Inf(1), math.Inf(-1), -2.5}[r.IntN(7)]
		case 5:
			f = []float64{math.NaN(), math.Inf(-1)}[r.IntN(2)]
		case 6:
			f = 0.1
		case 7:
			if r.IntN(1000) == 0 {
				f = math.NaN()
			}
		}
		putNumber(at, floatValue(kind, f))
	}
	return data
}

func floatValue(kind model.NumberKind, f float64) model.Value {
	switch kind {
	case model.NumberF32:
		return model.Float32(f)
	case model.NumberF64:
		return model.Float64(f)
	}
	// The float32's upper bits: what is between two halves goes to the lower one.
	b := math.Float32bits(float32(f))
	exp := int(b>>23&0xff) - 112
	switch {
	case f != f:
		return model.Half(0x7e00)
	case exp >= 31:
		return model.Half(b>>16&0x8000 | 0x7c00)
	case exp <= 0:
		return model.Half(b >> 16 & 0x8000)
	}
	return model.Half(b>>16&0x8000 | uint32(exp)<<10 | b>>13&0x3ff)
}

func compareNumpy(t *testing.T, a *numpyArray, says []numpySays) {
	t.Helper()
	if got := xxhash.Sum64(a.data); got != a.facts.Hash {
		t.Errorf("%s: hash %x, want %x", a.File, a.facts.Hash, got)
	}
	for k, want := range says {
		c := a.facts.By[k]
		if c.NaN != want.NaN || c.Inf != want.Inf || c.Zero != want.Zero || c.NegativeZero != want.Neg {
			t.Errorf("%s %s[%d]: NaN, inf, 0, −0: %d %d %d %d, numpy %d %d %d %d", a.File, a.Dtype, k,
				c.NaN, c.Inf, c.Zero, c.NegativeZero, want.NaN, want.Inf, want.Zero, want.Neg)
		}
		if distinct := want.Distinct; distinct > MostDistinct && c.Distinct != -1 || distinct <= MostDistinct && c.Distinct != distinct {
			t.Errorf("%s %s[%d]: %d distinct, numpy %d", a.File, a.Dtype, k, c.Distinct, distinct)
		}
		if up, down := c.Sorted == "ascending" || c.Sorted == "constant", c.Sorted == "descending" || c.Sorted == "constant"; c.Finite == a.facts.Count && (up != want.Up || down != want.Down) {
			t.Errorf("%s %s[%d]: %q, numpy %t %t", a.File, a.Dtype, k, c.Sorted, want.Up, want.Down)
		}
		if c.Finite == 0 {
			if want.Min != "" || c.Min != nil {
				t.Errorf("%s %s[%d]: min %v, numpy %s", a.File, a.Dtype, k, c.Min, want.Min)
			}
			continue
		}
		sameNumber(t, a, "min", c.Min, want.Min)
		sameNumber(t, a, "max", c.Max, want.Max)
		mean, _ := strconv.ParseFloat(want.Mean, 64)
		std, _ := strconv.ParseFloat(want.Std, 64)
		size := math.Abs(mean) + std
		if math.Abs(meanOf(&c)-mean) > 1e-9*size || math.Abs(c.Std-std) > 1e-7*size {
			t.Errorf("%s %s[%d]: mean and std %v %g, numpy %s %s", a.File, a.Dtype, k, c.Mean, c.Std, want.Mean, want.Std)
		}
		if fmt.Sprint(c.Histogram.Counts) != fmt.Sprint(want.Counts) {
			t.Errorf("%s %s[%d]: histogram %v, numpy %v", a.File, a.Dtype, k, c.Histogram, want.Counts)
		}
	}
}

func sameNumber(t *testing.T, a *numpyArray, what string, got model.Value, want string) {
	t.Helper()
	text := model.ShowHeld(got, 40)
	if b, ok := got.(model.Bool); ok {
		text = map[model.Bool]string{false: "0", true: "1"}[b]
	}
	if text == want {
		return
	}
	x, err := strconv.ParseFloat(text, 64)
	y, err2 := strconv.ParseFloat(want, 64)
	if err != nil || err2 != nil || float32(x) != float32(y) || a.kind == model.NumberF64 && x != y || a.kind < model.NumberF16 {
		t.Errorf("%s %s: %s is %s, numpy %s", a.File, a.Dtype, what, text, want)
	}
}
