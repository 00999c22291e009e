package values

import (
	"context"
	"sort"

	"cutaway/model"
)

// Words are what is known of elements that are no numbers.
type Words struct {
	Distinct int    // −1: more than MostDistinct
	None     int64  // elements without a value
	Longest  int    // bytes of the longest text
	LongestI int64  // which it is
	Most     []Said // the most frequent first
}

// Said is how often a value is there.
type Said struct {
	Value string
	Count int64
}

const (
	mostSaid  = 20   // of them in Words
	longWord  = 4096 // bytes of a text that are kept and told apart
	wordsRoom = 16 << 20
)

// words counts distinct texts.
type words struct {
	counts  map[string]int64
	room    int // bytes of those
	stopped bool
	n, none int64
	longest int
	at      int64
}

func newWords() *words { return &words{counts: make(map[string]int64), longest: -1} }

// add takes an element, and returns it as text.
func (w *words) add(ctx context.Context, v model.Value) string {
	i := w.n
	w.n++
	var text string
	switch v := v.(type) {
	case nil, model.None:
		w.none++
		return ""
	case model.Text:
		text = string(v)
	default:
		text = model.Show(ctx, v, longWord)
	}
	if len(text) > w.longest {
		w.longest, w.at = len(text), i
	}
	if w.stopped {
		return text
	}
	key := text[:min(len(text), longWord)]
	if _, met := w.counts[key]; !met {
		w.room += len(key)
	}
	w.counts[key]++
	if len(w.counts) > MostDistinct || w.room > wordsRoom {
		w.stopped, w.counts = true, nil
	}
	return text
}

func (w *words) facts() *Words {
	f := &Words{Distinct: len(w.counts), None: w.none, Longest: max(w.longest, 0), LongestI: w.at}
	if w.stopped {
		f.Distinct = -1
	}
	for text, n := range w.counts {
		f.Most = append(f.Most, Said{text, n})
	}
	sort.Slice(f.Most, func(i, j int) bool {
		if f.Most[i].Count != f.Most[j].Count {
			return f.Most[i].Count > f.Most[j].Count
		}
		return f.Most[i].Value < f.Most[j].Value
	})
	f.Most = f.Most[:min(len(f.Most), mostSaid)]
	return f
}
