// Package palette finds an action of the window by a few letters of its name, and does it.
package palette

import (
	"context"
	"slices"
	"sort"
	"strings"
	"unicode"

	"fyne.io/fyne/v2"

	"cutaway/ui/kit"
	"cutaway/ui/shell"
	"cutaway/ui/treeview"
)

// Action is what can be done now.
type Action struct {
	Title string // with the menus that it is in
	Key   string // "" where it has none
	Do    func()
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
	p.Data = treeview.SliceOf(func(a Action) treeview.Row { return treeview.Row{Cells: []string{a.Title, a.Key}, Dim: a.Do == nil} })
	p.List = s.NewList(ctx, "", p.Data, []treeview.Column{{Title: "Action", Width: 200, Stretch: 1}, {Title: "Key", Width: 176, Quiet: true}})
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

// Ranked are the actions that have the letters of text in this order, the best first; of equal ones, those used last.
func Ranked(actions []Action, used []string, text string) []Action {
	type ranked struct {
		Action
		fit, used int
	}
	var all []ranked
	for _, a := range actions {
		fit, ok := fits(a.Title, text)
		if !ok {
			continue
		}
		at := slices.Index(used, a.Title)
		if at < 0 {
			at = len(used)
		}
		all = append(all, ranked{a, fit, at})
	}
	sort.SliceStable(all, func(i, k int) bool {
		if all[i].fit != all[k].fit {
			return all[i].fit > all[k].fit
		}
		if all[i].used != all[k].used {
			return all[i].used < all[k].used
		}
		return strings.Count(all[i].Title, "›") < strings.Count(all[k].Title, "›") // recent files come last
	})
	best := make([]Action, len(all))
	for i, a := range all {
		best[i] = a.Action
	}
	return best
}

// fits reports whether title has the letters of text in this order, and how well: best at the beginnings of words, and in a
// row. The first letter may be any that is the same, so that "try" means Try rather than the t of Edit before it.
func fits(title, text string) (score int, ok bool) {
	want := []rune(strings.ToLower(strings.Join(strings.Fields(text), "")))
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
