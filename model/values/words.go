package values

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"cutaway/model"
)

// Words holds the facts of elements that are no numbers.
type Words struct {
	Distinct int    // −1 for more than MostDistinct
	Longest  int    // bytes of the longest text
	LongestI int64  // its number
	Said     []Said // the values, most frequent first
}

// A Said is a value with its frequency and the first element that has it.
type Said struct {
	Value        string
	Count, First int64
}

// MostSaid is the most values that the command line prints with their frequencies.
const MostSaid = 20

const (
	longWord  = 4096 // bytes of a text that are kept and compared
	wordsRoom = 16 << 20
)

// words counts distinct texts.
type words struct {
	said    map[string]*Said
	room    int // bytes of these
	stopped bool
	n       int64
	longest int
	at      int64
}

func newWords() *words { return &words{said: make(map[string]*Said), longest: -1} }

// add adds an element, and returns it as text.
func (w *words) add(ctx context.Context, v model.Value) string {
	i := w.n
	w.n++
	var text string
	switch v := v.(type) {
	case nil, model.None:
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
	one := w.said[key]
	if one == nil {
		w.room += len(key)
		one = &Said{key, 0, i}
		w.said[key] = one
	}
	if one.Count++; len(w.said) > MostDistinct || w.room > wordsRoom {
		w.stopped, w.said = true, nil
	}
	return text
}

func (w *words) facts() *Words {
	f := &Words{Distinct: len(w.said), Longest: max(w.longest, 0), LongestI: w.at}
	if w.stopped {
		f.Distinct = -1
	}
	for _, one := range w.said {
		f.Said = append(f.Said, *one)
	}
	slices.SortFunc(f.Said, func(a, b Said) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), strings.Compare(a.Value, b.Value))
	})
	return f
}
