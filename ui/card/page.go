package card

import (
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"cutaway/ui/kit"
	"cutaway/ui/look"
)

// A slot is a kind of room for an object of a page.
type slot int

const (
	full    slot = iota // as wide as the page
	rule                // a line between two parts
	ground              // behind the part that begins
	heading             // of a part
	spaced              // as wide as the page, with room around
	named               // the label of the next object
	told                // the object that has a label
)

// page lays out rows below each other, labels of one width beside what they label. It is filled again and again: what has the key
// of an object that it has already stays that object.
type page struct {
	places  []slot
	keys    []string
	objects []fyne.CanvasObject
	made    map[string][]fyne.CanvasObject // what was on the page, by key
	before  []string                       // the keys then
}

// The room around and between rows, and the least and greatest width of the labels beside.
const (
	margin, partGap, rowGap, ruleHigh = 16, 10, 4, 1
	leastLabels, labelGap, labelPart  = 56, 10, 0.5
	foldIcon                          = 20
	iconGap                           = 8
)

// forget makes all objects anew when the page is filled next.
func (p *page) forget() { p.keys, p.objects = nil, nil }

// begin starts to fill the page.
func (p *page) begin() {
	p.made, p.before = make(map[string][]fyne.CanvasObject), p.keys
	for i, key := range p.keys {
		p.made[key] = append(p.made[key], p.objects[i])
	}
	p.places, p.keys, p.objects = nil, nil, nil
}

// add puts an object below the others: one with the key that is on the page already, or a new one.
func (p *page) add(at slot, key string, create func() fyne.CanvasObject) {
	var o fyne.CanvasObject
	if same := p.made[key]; len(same) > 0 {
		o, p.made[key] = same[0], same[1:]
	} else {
		o = create()
	}
	p.places, p.keys, p.objects = append(p.places, at), append(p.keys, key), append(p.objects, o)
}

// end shows what was added.
func (p *page) end(box *fyne.Container) {
	if p.made = nil; slices.Equal(p.keys, p.before) && len(box.Objects) == len(p.objects) {
		return
	}
	box.Objects = p.objects
	box.Refresh()
}

// labels is the width of the labels of the part that begins at an object: that of the widest, up to a limit.
func (p *page) labels(o []fyne.CanvasObject, most float32) float32 {
	width := float32(leastLabels)
	for i, at := range p.places[len(p.places)-len(o):] {
		switch at {
		case rule:
			return width
		case named:
			width = max(width, min(o[i].MinSize().Width, most))
		}
	}
	return width
}

// Layout puts the objects below each other.
func (p *page) Layout(o []fyne.CanvasObject, size fyne.Size) {
	y, wide := float32(margin), max(size.Width-2*margin, 0)
	labels, behind, top := p.labels(o, labelPart*wide), fyne.CanvasObject(nil), float32(0)
	endGround := func() {
		if behind != nil {
			kit.Put(behind, 0, top, size.Width, y+partGap-rowGap-top)
		}
		behind = nil
	}
	put := func(i int, x, width float32) float32 {
		o[i].Resize(fyne.NewSize(width, o[i].MinSize().Height)) // wrapped text gets its height from its width
		high := o[i].MinSize().Height
		kit.Put(o[i], x, y, width, high)
		return high
	}
	for i := 0; i < len(o); i++ {
		switch p.places[i] {
		case ground:
			behind, top = o[i], y-partGap
		case rule:
			endGround()
			kit.Put(o[i], 0, y+partGap-rowGap, size.Width, ruleHigh)
			y += 2*partGap - rowGap + ruleHigh
			labels = p.labels(o[i+1:], labelPart*wide)
		case heading:
			y += put(i, margin, wide) + 2*rowGap
		case spaced:
			y += rowGap
			y += put(i, margin, wide) + rowGap
		case named:
			high := put(i, margin, min(o[i].MinSize().Width, labels))
			i++
			y += max(high, put(i, margin+labels+labelGap, max(wide-labels-labelGap, 0))) + rowGap
		default:
			y += put(i, margin, wide) + rowGap
		}
	}
	endGround()
}

// MinSize returns the height that the objects had in the last layout.
func (p *page) MinSize(o []fyne.CanvasObject) fyne.Size {
	bottom := float32(margin)
	for i, c := range o {
		if p.places[i] == ground {
			continue
		}
		if p.places[i] == rule {
			bottom = max(bottom, c.Position().Y+ruleHigh)
		} else {
			bottom = max(bottom, c.Position().Y+c.MinSize().Height)
		}
	}
	return fyne.NewSize(2*margin+leastLabels+labelGap+80, bottom+margin)
}

// heading11 is a title in small capitals.
func heading11(title string) *kit.Line {
	return kit.NewLine(strings.ToUpper(title), fyne.TextStyle{Bold: true}, theme.ColorNamePlaceHolder, look.Heading)
}

// withIcon puts an icon before an object, so far below its top.
func withIcon(icon fyne.Resource, top float32, o fyne.CanvasObject) fyne.CanvasObject {
	return kit.Border(nil, nil, container.NewVBox(kit.Padded(top, 0, 0, iconGap, widget.NewIcon(icon))), nil, o)
}

// over lays out a button over all of its row, and a little around it.
type over struct{}

func (over) Layout(o []fyne.CanvasObject, size fyne.Size) {
	kit.Put(o[0], -iconGap, -rowGap, size.Width+2*iconGap, size.Height+2*rowGap)
}

func (over) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.NewSize(0, 0) }
