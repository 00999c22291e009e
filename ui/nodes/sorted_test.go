package nodes

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"

	"cutaway/model"
)

// ending is a context that ends when it was asked so many times whether it has.
type ending struct {
	context.Context
	left int
}

func (e *ending) Err() error {
	if e.left--; e.left < 0 {
		return context.Canceled
	}
	return nil
}

// TestSorting: numbers come before texts, equal rows stay in their order, and a sorting whose context ends gives up.
func TestSorting(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	k := keys{rows: make([]keyed, 0, 100_000)}
	numbers, texts := make([]float64, cap(k.rows)), make([]string, cap(k.rows))
	for i := range numbers {
		numbers[i] = float64(random.IntN(500) - 250)
		if i%3 == 0 {
			numbers[i], texts[i] = math.NaN(), fmt.Sprint("a name, ", random.IntN(500), strings.Repeat("x", i%2*9), random.IntN(9))
		}
		k.add(numbers[i], texts[i])
	}
	again := k
	again.rows = slices.Clone(k.rows)
	for _, down := range []bool{false, true} {
		if !k.sort(t.Context(), down) {
			t.Fatal("it ended early")
		}
		for i, b := range k.rows[1:] {
			a := k.rows[i]
			by := cmp.Or(cmp.Compare(numbers[a.child], numbers[b.child]), strings.Compare(texts[a.child], texts[b.child]))
			if a.text != b.text {
				by = map[bool]int{false: -1, true: 1}[a.text]
			} else if down {
				by = -by
			}
			if cmp.Or(by, cmp.Compare(a.child, b.child)) > 0 {
				t.Fatalf("down %v: %v %q before %v %q", down, a, texts[a.child], b, texts[b.child])
			}
		}
	}
	asked := &ending{t.Context(), 5}
	if again.sort(asked, false) || asked.left < -2 {
		t.Errorf("it went on after it was ended: asked %d times more", -asked.left)
	}
}

// BenchmarkSortSiblings sorts ten million siblings by a number and by their names, as a click on a header does.
func BenchmarkSortSiblings(b *testing.B) {
	const siblings = 10_000_000
	root := model.Node{Name: "root", Children: &model.Rows{Count: siblings, Make: func(_ context.Context, i int64) model.Node {
		scattered := uint64(i) * 0x9e3779b97f4a7c15 >> 40
		return model.Node{Name: fmt.Sprintf("child_%d", scattered), Value: model.Uint(scattered)}
	}}}
	place := (&model.View{Name: "view", Root: func(context.Context) model.Node { return root }}).Place(b.Context())
	for column, name := range []string{"name", "value"} {
		b.Run(name, func(b *testing.B) {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			for b.Loop() {
				if o := new(Data).order(b.Context(), below{list: place}, column, false, nil); len(o.rows) != siblings {
					b.Fatal("not all were sorted")
				}
			}
			runtime.ReadMemStats(&after)
			b.ReportMetric(float64(after.TotalAlloc-before.TotalAlloc)/1e6/float64(b.N), "MB-made")
		})
	}
}
