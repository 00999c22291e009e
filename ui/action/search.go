package action

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
)

// A Hit is an action as a list shows it.
type Hit struct {
	*Action
	Title string // after those of its group and submenus
	Why   string // it cannot be done now; "" where it can
}

// name returns the name under which an action is remembered as used.
func (h *Hit) name() string { return cmp.Or(h.ID, h.Title) }

// Hits lists all actions of the table. Of several groups that have the same one the first lists it, and what asks for a choice is left
// out where a submenu has the choices.
func (t *Table) Hits() (all []Hit) {
	known, menus := make(map[string]bool), make(map[string]bool)
	t.Each(func(above string, a *Action) {
		path := strings.Split(above+a.Title, " › ")[1:]
		below := strings.Join(path, " › ")
		if choice, asks := strings.CutSuffix(a.Title, "…"); known[below] || asks && menus[choice] {
			return
		}
		known[below] = true
		for _, title := range path {
			menus[title] = true
		}
		all = append(all, Hit{a, above + a.Title, a.whyNot()})
	})
	return all
}

// Ranked returns the hits that have each word of text in their title or their other words, the best first: whole words, then
// beginnings of words, then parts; of equal ones the title's, those that can be done, those used last.
func Ranked(all []Hit, used []string, text string) (found []Hit) {
	type rank struct{ match, can, used, depth int }
	ranks := make(map[*Action]rank)
	want, best := words(text), none
	for _, h := range all {
		how := matched(h.Title, h.Words, want)
		if how == none {
			continue
		}
		r := rank{match: -how, can: min(len(h.Why), 1), used: slices.Index(used, h.name()), depth: strings.Count(h.Title, "›")}
		if r.used < 0 {
			r.used = len(used)
		}
		best = max(best, how)
		ranks[h.Action] = r
		found = append(found, h)
	}
	if best >= 2*beginning { // what is inside of words is chance then
		found = slices.DeleteFunc(found, func(h Hit) bool { return -ranks[h.Action].match < 2*beginning })
	}
	slices.SortStableFunc(found, func(a, b Hit) int {
		r, s := ranks[a.Action], ranks[b.Action]
		return cmp.Or(cmp.Compare(r.match, s.match), cmp.Compare(r.can, s.can), cmp.Compare(r.used, s.used), cmp.Compare(r.depth, s.depth))
	})
	return found
}

// How a word is in others. Each counts twice, the title's one more.
const (
	none      = iota
	within    // in a word
	beginning // at the beginning of one
	whole     // as one
)

// words returns the words of a text, in small letters.
func words(text string) []string {
	return strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}

// matched returns how well a title and other words match the words that are wanted: as well as the worst match.
func matched(title, more string, want []string) int {
	worst := 2*whole + 1
	in, among := words(title), words(more)
	for _, w := range want {
		how := max(2*matchedBy(in, w)+1, 2*matchedBy(among, w))
		if how == 1 {
			return none
		}
		worst = min(worst, how)
	}
	return worst
}

// matchedBy returns how well a word is in others.
func matchedBy(others []string, w string) (best int) {
	for _, o := range others {
		switch {
		case o == w:
			return whole
		case strings.HasPrefix(o, w):
			best = beginning
		case strings.Contains(o, w):
			best = max(best, within)
		}
	}
	return best
}

// Use returns the names of actions used last, an action that was done now being the first.
func (h *Hit) Use(used []string) []string {
	const most = 20
	used = slices.DeleteFunc(used, func(name string) bool { return name == h.name() })
	used = append([]string{h.name()}, used...)
	return used[:min(len(used), most)]
}
