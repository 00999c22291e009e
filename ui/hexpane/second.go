package hexpane

import (
	"fyne.io/fyne/v2/container"

	"cutaway/ui/kit"
)

// All lists the tabs, and the second pane where it is shown.
func (p *Pane) All() []*Tab {
	if p.Second == nil {
		return p.Tabs
	}
	return append(p.Tabs[:len(p.Tabs):len(p.Tabs)], p.Second)
}

// ShowSecond shows the source of the tab once more below it, at a place of its own, or no longer. The pane that has the keyboard is
// the one that the rest of the window is about; what is selected elsewhere comes into sight in the upper one.
func (p *Pane) ShowSecond(on bool) {
	if on == (p.Second != nil) || p.front == nil {
		return
	}
	if !on {
		shown := p.Shown == p.Second
		p.Second = nil
		p.body.Objects = nil
		kit.Swap(p.body, p.box)
		if shown {
			p.activate(p.front)
		}
		return
	}
	p.Second = p.newTab(p.front.Src)
	p.Second.File = p.front.File
	off, _ := p.front.View.VisibleBytes()
	p.Second.View.ScrollTo(off)
	p.Second.View.SetCursor(p.front.View.Cursor())
	r := &p.Second.Ranges
	r.Selected, r.Parent, r.Mapped = p.front.Ranges.Selected, p.front.Ranges.Parent, p.front.Ranges.Mapped
	p.Second.View.SetRanges(*r)
	bar := kit.NewTabBar(func(int) {})
	bar.OnClose = func(int) {
		if p.OnSecondClosed != nil {
			p.OnSecondClosed()
		}
	}
	bar.Set([]kit.Tab{{Title: p.Second.Title() + ", another place", Close: true}}, 0)
	split := container.NewVSplit(p.box, kit.Under(bar, p.Second.View))
	kit.Swap(p.body, split)
	p.Fold()
}

// activate makes the rest of the window be about a tab that is on the screen already.
func (p *Pane) activate(t *Tab) {
	if p.Shown != t && (t == p.front || t == p.Second) {
		p.Shown = t
		p.host.CursorMoved()
	}
}

// SecondLike shows in the second pane what that of the pane before did, if both have one.
func (p *Pane) SecondLike(before *Pane) {
	if p.Second != nil && before.Second != nil && p.Second.Src.Name() == before.Second.Src.Name() {
		p.Second.View.SetState(before.Second.View.State())
	}
}
