// Package palette finds an action of the window by words, and does it.
package palette

import (
	"context"

	"fyne.io/fyne/v2"

	"cutaway/ui/action"
	"cutaway/ui/kit"
	"cutaway/ui/shell"
	"cutaway/ui/treeview"
)

// Palette is the list on the screen, and the field above it.
type Palette struct {
	Entry *kit.Entry
	Data  *treeview.Slice[action.Hit] // those that fit, the best first
	List  *treeview.Tree
	at    int64
}

// Measures in Fyne's units.
const wide, high = 560, 380

// Show lists actions, those used last first, until one is chosen.
func Show(s *shell.Shell, actions []action.Hit) *Palette {
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
		if !ok || a.Why != "" {
			return
		}
		hide()
		s.Store.Used = a.Use(s.Store.Used)
		s.Save()
		s.Log.Write("action", a.Title)
		a.Do()
	}
	p.List.OnChosen = do
	p.List.OnSelected = func(it treeview.Item) { p.at = it.(int64) }
	p.Entry = kit.NewEntry(hide)
	p.Entry.SetPlaceHolder("Search actions: a few words, such as chart, bookmark, dark")
	p.Entry.OnChanged = func(text string) { p.show(action.Ranked(actions, s.Store.Used, text)) }
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
	p.show(action.Ranked(actions, s.Store.Used, ""))
	s.Focus(p.Entry)
	s.LogField("palette", p.Entry)
	return p
}

// rowOf is an action as a row.
func rowOf(a action.Hit) treeview.Row {
	if a.Why != "" && a.Do != nil {
		a.Title += "  (" + a.Why + ")"
	}
	return treeview.Row{Cells: []string{a.Title, a.Key}, Dim: a.Why != ""}
}

// show lists actions, the first being selected, or says that there are none.
func (p *Palette) show(actions []action.Hit) {
	if len(actions) == 0 {
		actions = []action.Hit{{Action: &action.Action{}, Title: "No action has these words", Why: "none"}}
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
