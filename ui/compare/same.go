package compare

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"cutaway/model"
	"cutaway/model/diff"
	"cutaway/ui/kit"
	"cutaway/ui/phrase"
)

// A writing describes how two equal sides are written.
type writing struct {
	bytes  [2]int64 // their numbers, or -1 for a node without bytes
	format [2]string
	parts  int64 // the number of places where the bytes differ
	first  int64 // the offset of the first of these places
	stored int64 // the number of values that are stored in two ways
	more   bool  // counting ended early
}

// mostWays is the largest number of places that are counted.
const mostWays = 10_000

// enough ends a comparison that has counted n places, if these are enough.
func (w *writing) enough(n int64) error {
	if n < mostWays {
		return nil
	}
	w.more = true
	return errEnough
}

// readWriting finds out how two equal sides are written.
func readWriting(ctx context.Context, docs [2]*model.Document, parts [2]Part, h how, progress model.Progress) (*writing, error) {
	sides, err := sidesOf(ctx, docs, parts, h.way)
	if err != nil {
		return nil, err
	}
	w := &writing{format: [2]string{docs[0].Title, docs[1].Title}}
	at, err := bytesOf(docs, parts, sides)
	for i := range at {
		w.bytes[i] = at[i].Len
		if at[i].Source == nil {
			w.bytes[i] = -1
		}
	}
	if err == nil {
		err = diff.Bytes(ctx, at[0], at[1], progress, func(r diff.Range) error {
			if w.parts++; w.parts == 1 {
				w.first = r.OffA
			}
			return w.enough(w.parts)
		})
		if err != nil && !errors.Is(err, errEnough) {
			return nil, err
		}
	}
	if h.way == asBytes || w.parts == 0 && err == nil {
		return w, nil
	}
	err = diff.Trees(ctx, sides[0], sides[1], diff.Options{Stored: true, Tolerance: h.tolerance, Progress: progress}, func(*diff.Change) error {
		w.stored++
		return w.enough(w.stored)
	})
	if err != nil && !errors.Is(err, errEnough) {
		return nil, err
	}
	return w, nil
}

// text returns the description.
func (w *writing) text() string {
	if w.bytes[0] >= 0 && w.bytes[1] >= 0 && w.parts == 0 {
		return "They have the same " + model.GroupedCount(w.bytes[0], "byte") + ", too."
	}
	text := ""
	if w.parts > 0 {
		text = fmt.Sprintf("They are written in two ways: %s before, %s after. Their bytes differ at %s, the first at %s.\n", model.GroupedCount(w.bytes[0], "byte"),
			model.GroupedCount(w.bytes[1], "byte"), w.count(w.parts, "place"), phrase.Hex(w.first))
	}
	if w.format[0] != w.format[1] {
		text += w.format[0] + " before, " + w.format[1] + " after.\n"
	}
	if w.stored == 0 {
		return text + "Each value is stored in the same way, at another place or beside others."
	}
	return text + w.count(w.stored, "value") + " stored in another way."
}

func (w *writing) count(n int64, what string) string {
	text := model.GroupedCount(n, what)
	if w.more {
		text += " or more"
	}
	return text
}

// showSame says on the page that both sides are equal, and how they are written.
func (p *Pane) showSame(within context.Context, h how, title string) {
	head := widget.NewLabelWithStyle(title, fyne.TextAlignCenter, fyne.TextStyle{Bold: true})
	head.SizeName = theme.SizeNameSubHeadingText
	text := widget.NewLabel("")
	text.Alignment, text.Wrapping = fyne.TextAlignCenter, fyne.TextWrapWord
	others := container.NewHBox()
	others.Hide()
	p.fill(kit.Centered(container.NewVBox(head, text, container.NewCenter(others))))
	p.status.SetText("Looking how both are written…")
	p.Tasks.Go(within, "looking how both are written", func(ctx context.Context, progress model.Progress) func() {
		is, err := readWriting(ctx, p.docs, p.parts, h, progress)
		return func() {
			p.status.SetText(title)
			if err != nil {
				return // it was stopped, or a file cannot be read, which the user knows
			}
			text.SetText(is.text())
			p.otherWays(others, is, h)
		}
	})
}

// otherWays offers the ways of comparing that show a difference.
func (p *Pane) otherWays(box *fyne.Container, is *writing, h how) {
	if is.stored > 0 && !h.stored {
		box.Add(kit.NewTextButton("Show how they are stored", func() { p.stored.SetChecked(true) }))
	}
	for i, way := range p.ways.Tabs {
		layout := p.docs[0].View(model.LayoutView)
		if is.parts > 0 && h.way != asBytes && h.way != layout.Title && (way.Title == asBytes || way.Title == layout.Title) {
			box.Add(kit.NewTextButton("Compare "+strings.ToLower(way.Title), func() { p.ways.Choose(i) }))
		}
	}
	kit.SetVisible(box, len(box.Objects) > 0)
}
