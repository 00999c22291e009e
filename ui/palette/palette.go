// Package palette finds an action of the window by a few letters of its name, and does it.
package palette

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"unicode"

	"fyne.io/fyne/v2"

	"cutaway/ui/kit"
	"cutaway/ui/shell"
	"cutaway/ui/treeview"
)

// Action is what can be done.
type Action struct {
	Title string // with the menus that it is in
	Key   string // "" where it has none
	Do    func() // nil: it cannot be done now
	Why   string // it cannot
}

// Palette is the list on the screen, and the field above it.
type Palette struct {
	Entry *kit.Entry
	Data  *treeview.Slice[Action] // those that fit, the best first
	List  *treeview.Tree
	at    int64
}

// Measures in Fyne's units, and how many actions are remembered as used.
const (
	wide, high = 560, 380
	maxUsed    = 20
)

// Show lists actions, those used last first, until one is chosen.
func Show(s *shell.Shell, actions []Action) *Palette {
	p := &Palette{}
	ctx, end := context.WithCancel(context.Background())
	p.Data = treeview.SliceOf(rowOf)
	p.List = s.NewList(ctx, "", p.Data, []treeview.Column{{Title: "Action", Width: 200, Stretch: 1}, {Title: "Key", Width: 176, Quiet: true}})
	p.List.Led = true
	var m *shell.Modal
	hide := func() {
		end()
		m.Hide()
	}
	do := func(it treeview.Item) {
		a, ok := p.Data.At(it)
		if !ok || a.Do == nil {
			return
		}
		hide()
		s.Store.Used = slices.DeleteFunc(s.Store.Used, func(title string) bool { return title == a.Title })
		s.Store.Used = append([]string{a.Title}, s.Store.Used...)
		s.Store.Used = s.Store.Used[:min(len(s.Store.Used), maxUsed)]
		s.Save()
		s.Log.Write("action", a.Title)
		a.Do()
	}
	p.List.OnChosen = do
	p.List.OnSelected = func(it treeview.Item) { p.at = it.(int64) }
	p.Entry = kit.NewEntry(hide)
	p.Entry.SetPlaceHolder("What to do: a few letters of it")
	p.Entry.OnChanged = func(text string) { p.show(Ranked(actions, s.Store.Used, text)) }
	p.Entry.Key = func(name fyne.KeyName) bool {
		switch name {
		case fyne.KeyDown:
			p.move(1)
		case fyne.KeyUp:
			p.move(-1)
		case fyne.KeyReturn, fyne.KeyEnter:
			do(p.at)
		default:
			return false
		}
		return true
	}
	size := s.Sized(wide, high, kit.Border(p.Entry, nil, nil, nil, p.List))
	m = s.ShowModal("Find an action", nil, size, wide)
	m.Escape = hide
	p.show(Ranked(actions, s.Store.Used, ""))
	s.Focus(p.Entry)
	s.LogField("palette", p.Entry)
	return p
}

// rowOf is an action as a row.
func rowOf(a Action) treeview.Row {
	if a.Why != "" {
		a.Title += "  (" + a.Why + ")"
	}
	return treeview.Row{Cells: []string{a.Title, a.Key}, Dim: a.Do == nil}
}

// show lists actions, the first being selected, or says that there are none.
func (p *Palette) show(actions []Action) {
	if len(actions) == 0 {
		actions = []Action{{Title: "No action has these letters"}}
	}
	p.Data.Set(actions)
	p.List.Recount()
	p.at = 0
	p.List.SelectIndex(0, true)
}

// move selects the action n rows further.
func (p *Palette) move(n int64) {
	p.at = max(0, min(p.at+n, int64(len(p.Data.All()))-1))
	p.List.SelectIndex(p.at, true)
}

// Ranked are the actions whose words are or begin with those of text, the best first; where there are none, those that have the words
// somewhere, else those that have their letters in this order. Of equal ones, those that can be done come first, and those used last.
func Ranked(actions []Action, used []string, text string) []Action {
	type ranked struct {
		Action
		how       match
		fit, used int
	}
	want := words(text)
	var all []ranked
	best := scattered
	for _, a := range actions {
		how := matched(a.Title, want)
		fit, ok := fits(a.Title, strings.Join(want, ""))
		if how == scattered && !ok {
			continue
		}
		at := slices.Index(used, a.Title)
		if at < 0 {
			at = len(used)
		}
		best = max(best, how)
		all = append(all, ranked{a, how, fit, at})
	}
	all = slices.DeleteFunc(all, func(r ranked) bool { return r.how < min(best, beginning) })
	slices.SortStableFunc(all, func(a, b ranked) int {
		can := func(r ranked) int { return min(len(r.Why), 1) }
		return cmp.Or(cmp.Compare(b.how, a.how), cmp.Compare(can(a), can(b)), cmp.Compare(b.fit, a.fit), cmp.Compare(a.used, b.used),
			cmp.Compare(strings.Count(a.Title, "›"), strings.Count(b.Title, "›"))) // recent files come last
	})
	found := make([]Action, len(all))
	for i, r := range all {
		found[i] = r.Action
	}
	return found
}

// match is how the words that are wanted are in a title; that of several words is the least.
type match int

const (
	scattered match = iota // at most their letters are
	within                 // each is in a word, or over several
	beginning              // each begins a word
	whole                  // each is a word
)

// words are the words of a text, in small letters.
func words(text string) []string {
	return strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}

// matched is how the words that are wanted are in a title.
func matched(title string, want []string) match {
	has, how := words(title), whole
	for _, w := range want {
		switch {
		case slices.Contains(has, w):
		case slices.ContainsFunc(has, func(word string) bool { return strings.HasPrefix(word, w) }):
			how = min(how, beginning)
		case slices.ContainsFunc(has, func(word string) bool { return strings.Contains(word, w) }):
			how = min(how, within)
		default:
			return scattered
		}
	}
	return how
}

// fits reports whether title has the letters of text in this order, and how well: best at the beginnings of words, and in a
// row. The first letter may be any that is the same, so that "try" means Try rather than the t of Edit before it.
func fits(title, text string) (score int, ok bool) {
	want := []rune(text)
	runes := []rune(strings.ToLower(title))
	if len(want) == 0 {
		return 0, true
	}
	for i, r := range runes {
		if r == want[0] {
			if n, fit := fitsFrom(runes, i, want); fit {
				score, ok = max(score, n), true
			}
		}
	}
	return score, ok
}

// fitsFrom is fits with the first letter at start.
func fitsFrom(title []rune, start int, want []rune) (score int, ok bool) {
	k, row := 0, 0
	for i := start; i < len(title) && k < len(want); i++ {
		if title[i] != want[k] {
			row = 0
			continue
		}
		k++
		row++
		score += row
		if i == 0 || !unicode.IsLetter(title[i-1]) {
			score += 4
		}
	}
	return score, k == len(want)
}
