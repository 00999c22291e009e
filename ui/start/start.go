// Package start guides a new user through the first steps on the built-in sample, in a card below the panes. The card shows the next step
// once the user has done one.
package start

import (
	"fmt"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"cutaway/model"
	"cutaway/ui/document"
	"cutaway/ui/kit"
	"cutaway/ui/shell"
)

// A step says what to do, and knows when that is done.
type step struct {
	title, text string
	done        func(event document.Event, at *model.Place) bool
}

// isDoneBy returns a function that waits for an event.
func isDoneBy(want document.Event) func(document.Event, *model.Place) bool {
	return func(event document.Event, _ *model.Place) bool { return event == want }
}

// steps are the steps on the sample. The last one says that these were all.
var steps = []step{
	{"A value", "At the end of the tree, open the row of fields and click metersPerUnit, or go there with ↓ and →. Its bytes are lit below the picture, and the card at the right says what it is.",
		func(_ document.Event, at *model.Place) bool { return isValue(at) }},
	{"Its bytes", "The bytes of the selected row are lit. Click any byte, or press Enter on it: the tree goes to what it is.",
		isDoneBy(document.AskedByte)},
	{"Through compression", "metersPerUnit is stored compressed. Select it and see its compressed bytes in the file with Alt+↑, then go in again with Alt+↓.",
		func(event document.Event, at *model.Place) bool { return event == document.WentInto || at.Index < 0 }},
	{"A reference", "Ctrl+Enter lists what the selected row refers to: choose one, or click a link below LINKS in the card. The way back is Alt+←.",
		isDoneBy(document.Followed)},
	{"A problem", "Click the warning sign above the tree, or check the whole file with Ctrl+K. The sample has none; of a damaged file, each problem there leads to its bytes.",
		isDoneBy(document.SawProblems)},
	{"", "That was all. Ctrl+O opens a file of yours, Ctrl+Shift+P finds any action, Ctrl+/ lists the keys.", nil},
}

// isValue reports whether a node is a value, not a group of others.
func isValue(p *model.Place) bool {
	return p != nil && p.Node.Value != nil && (p.Node.Elements || p.Node.Children == nil)
}

// Guide shows the steps below other content. It belongs on the UI goroutine.
type Guide struct {
	shell  *shell.Shell
	Object *fyne.Container // the content, and the card below it
	Step   int             // the number of the shown step, or len(steps)
	beside bool            // the sample is in front
	card   fyne.CanvasObject
	Text   *widget.RichText
	Back   *widget.Button
	Skip   *widget.Button
	Close  *widget.Button
}

// New makes a guide below content, which does not show yet.
func New(s *shell.Shell, content fyne.CanvasObject) *Guide {
	g := &Guide{shell: s, Step: len(steps), Text: widget.NewRichText()}
	g.Text.Wrapping = fyne.TextWrapWord
	button := func(text string, to func() int) *widget.Button {
		b := widget.NewButton(text, func() { g.show(to()) })
		b.Importance = widget.LowImportance
		return b
	}
	g.Back = button("Back", func() int { return g.Step - 1 })
	g.Skip = button("Skip", func() int { return g.Step + 1 })
	g.Close = button("Close", func() int { return len(steps) })
	stripe := kit.NewBacked(theme.ColorNamePrimary, kit.FixedWidth(3, layout.NewSpacer()))
	buttons := kit.Padded(0, 0, 0, 6, container.NewVBox(container.NewHBox(g.Back, g.Skip, g.Close)))
	g.card = kit.NewBacked(theme.ColorNameHeaderBackground, kit.Border(widget.NewSeparator(), nil, stripe, buttons, g.Text))
	g.card.Hide()
	g.Object = container.New(beneath{}, content, g.card)
	return g
}

// Begin shows the first step, unless one is shown already.
func (g *Guide) Begin() {
	if g.Step >= len(steps)-1 {
		g.show(0)
	}
}

// Beside shows the steps while the sample is in front, and hides them otherwise.
func (g *Guide) Beside(yes bool) {
	g.beside = yes
	g.update()
}

// Did shows the next step if the user did what the shown one asks for. at is the selected node, or nil.
func (g *Guide) Did(event document.Event, at *model.Place) {
	if g.Step < len(steps) && at != nil && steps[g.Step].done != nil && steps[g.Step].done(event, at) {
		g.show(g.Step + 1)
	}
}

func (g *Guide) show(i int) {
	g.Step = i
	g.shell.Log.Write("start", (i+1)%(len(steps)+1))
	g.update()
}

// update brings the card up to date.
func (g *Guide) update() {
	if g.Step < len(steps) {
		now := steps[g.Step]
		title := "Start here  ·  "
		if now.done != nil {
			title = fmt.Sprintf("%d of %d  ·  %s  ·  ", g.Step+1, len(steps)-1, now.title)
		}
		g.Text.Segments = []widget.RichTextSegment{
			&widget.TextSegment{Text: title, Style: widget.RichTextStyle{Inline: true, TextStyle: fyne.TextStyle{Bold: true}}},
			&widget.TextSegment{Text: now.text, Style: widget.RichTextStyleInline},
		}
		g.Text.Refresh()
		kit.SetVisible(g.Back, g.Step > 0)
		kit.SetVisible(g.Skip, now.done != nil)
	}
	kit.SetVisible(g.card, g.beside && g.Step < len(steps))
	g.Object.Refresh()
}

// beneath puts a card below content. The height of the card follows from its wrapped text.
type beneath struct{}

func (beneath) Layout(o []fyne.CanvasObject, size fyne.Size) {
	high := float32(0)
	if card := o[1]; card.Visible() {
		card.Resize(fyne.NewSize(size.Width, card.Size().Height)) // wrapped text gets its height from its width
		high = card.MinSize().Height
		kit.Put(card, 0, size.Height-high, size.Width, high)
	}
	kit.Put(o[0], 0, 0, size.Width, max(size.Height-high, 0))
}

// MinSize returns that of the content, which gives way to the card.
func (beneath) MinSize(o []fyne.CanvasObject) fyne.Size { return o[0].MinSize() }
