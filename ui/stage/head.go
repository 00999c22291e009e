package stage

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"cutaway/ui/kit"
)

// An Arrangement says what of a stage and the bytes below it is shown.
type Arrangement string

// The arrangements.
const (
	Both  Arrangement = ""
	Stage Arrangement = "stage"
	Bytes Arrangement = "bytes"
)

// Arrangements lists the arrangements in the order of their buttons, each with its title.
var Arrangements = []struct {
	Is    Arrangement
	Title string
}{{Both, "Both"}, {Stage, "Stage"}, {Bytes, "Bytes"}}

// Next returns the arrangement after one, around the end.
func (a Arrangement) Next() Arrangement {
	for i, other := range Arrangements {
		if other.Is == a {
			return Arrangements[(i+1)%len(Arrangements)].Is
		}
	}
	return Both
}

// makeHead makes the strip with its buttons at the right.
func (p *Pane) makeHead() {
	p.pin = kit.IconButton(pinIcon, "Keep this card whatever is selected (P)", func() { p.Pin(!p.Pinned) })
	p.several = kit.NewSelect(nil, func(title string) {
		if p.titles[p.kind] != title {
			p.titles[p.kind] = title
			p.arrange()
		}
	})
	p.words = kit.NewTabBar(func(i int) { p.host.Arrange(Arrangements[i].Is) })
	p.full = kit.IconButton(theme.ViewFullScreenIcon(), "The stage alone (F11); Escape comes back", func() { p.host.FullStage(!p.host.IsFull()) })
	cycle := kit.IconButton(theme.ListIcon(), "Both, stage or bytes (F9)", func() { p.host.Arrange(p.host.Arranged().Next()) })
	ground := kit.NewBacked(theme.ColorNameHeaderBackground, container.NewWithoutLayout())
	line := kit.NewBacked(theme.ColorNameSeparator, container.NewWithoutLayout())
	p.Head = &fyne.Container{Layout: &head{p.Strip, p.words, cycle}, Objects: []fyne.CanvasObject{ground, p.Strip, p.several, p.pin, p.words, cycle, p.full, line}}
}

// ShowArranged follows the arrangement.
func (p *Pane) ShowArranged() {
	tabs, now := make([]kit.Tab, len(Arrangements)), 0
	for i, a := range Arrangements {
		if tabs[i] = (kit.Tab{Title: a.Title}); a.Is == p.host.Arranged() {
			now = i
		}
	}
	p.words.Set(tabs, now)
	p.full.Importance = importance(p.host.IsFull())
	p.full.Refresh()
	p.Head.Refresh()
}

// showStrip brings the strip and its buttons up to date.
func (p *Pane) showStrip() {
	var tabs []kit.Tab
	at := 0
	for i, kind := range p.Kinds() {
		tab := kit.Tab{Title: kind}
		if name := p.names[kind]; name != "" {
			tab.Title = name
		}
		if !p.can(kind) {
			tab.Why = "Neither what is selected nor anything above it has this"
		}
		if kind == p.kind {
			at = i
		}
		tabs = append(tabs, tab)
	}
	p.Strip.Set(tabs, at)
	p.pin.Importance = importance(p.Pinned)
	p.pin.Refresh()
	var titles []string
	if p.fixedOf(p.kind) == nil {
		all := p.Deck.Titles()
		for _, k := range p.Deck.OfKind(p.kind) {
			titles = append(titles, all[k])
		}
	}
	if kit.SetVisible(p.several, len(titles) > 1); len(titles) > 1 {
		p.several.Options = titles
		p.several.Selected = p.Deck.Titles()[p.card()]
		p.several.Refresh()
	}
	p.ShowArranged()
}

func importance(on bool) widget.Importance {
	if on {
		return widget.HighImportance
	}
	return widget.LowImportance
}

// head lays out the strip and its buttons: words for the arrangements where there is room, else one button for the next.
type head struct {
	strip, words *kit.TabBar
	cycle        fyne.CanvasObject
}

const (
	buttonWide  = 28
	severalWide = 130
)

func (h *head) Layout(o []fyne.CanvasObject, size fyne.Size) {
	kit.Put(o[0], 0, 0, size.Width, size.Height)
	width := func(b *kit.TabBar) float32 { edges := b.Edges(); return edges[len(edges)-1] }
	right := size.Width
	put := func(o fyne.CanvasObject, wide float32) {
		right -= wide
		kit.Put(o, right, 0, wide, size.Height-1)
	}
	rest := float32(2 * buttonWide)
	if o[2].Visible() {
		rest += severalWide
	}
	roomy := width(h.strip)+width(h.words)+rest <= size.Width
	kit.SetVisible(h.words, roomy)
	kit.SetVisible(h.cycle, !roomy)
	put(o[6], buttonWide)
	if roomy {
		put(h.words, width(h.words))
	} else {
		put(h.cycle, buttonWide)
	}
	put(o[3], buttonWide)
	if o[2].Visible() {
		put(o[2], severalWide)
	}
	kit.Put(h.strip, 0, 0, max(right, 0), size.Height)
	kit.Put(o[7], 0, size.Height-1, size.Width, 1)
}

func (h *head) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.NewSize(160, h.strip.Height()) }
