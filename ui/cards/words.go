package cards

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
	"cutaway/model/export/quote"
	"cutaway/ui/kit"
	"cutaway/ui/treeview"
)

// Limits of a text card, in bytes.
const (
	shownWords  = 4 << 20  // shown: so much is kept in memory
	copiedWords = 64 << 20 // copied
	shownLine   = 400      // shown of a line: Fyne takes seconds to draw an array of a mesh in one
)

// beginning keeps the first written bytes and refuses the others.
type beginning struct {
	b     []byte
	limit int
}

var errBeginning = errors.New("the rest is not wanted")

func (w *beginning) Write(p []byte) (int, error) {
	n := min(len(p), w.limit-len(w.b))
	w.b = append(w.b, p[:n]...)
	if n < len(p) {
		return n, errBeginning
	}
	return n, nil
}

// linesOf splits text into lines without their ends.
func linesOf(text string) (lines []string) {
	for line := range strings.Lines(text) {
		lines = append(lines, strings.TrimRight(line, "\r\n"))
	}
	return lines
}

// shortLine cuts a long line, and says how much is left out.
func shortLine(line string) string {
	if len(line) <= shownLine {
		return line
	}
	return fmt.Sprintf("%s … (%s more)", strings.ToValidUTF8(line[:shownLine], ""), model.GroupedCount(int64(len(line)-shownLine), "byte"))
}

// linesColumns returns the columns of a list of lines, with room for the longest as it is shown.
func linesColumns(lines []string) []treeview.Column {
	most := 0
	for _, line := range lines {
		most = max(most, min(len(line), shownLine+20))
	}
	one := fyne.MeasureText("m", theme.TextSize(), fyne.TextStyle{Monospace: true}).Width
	const pads = 16
	wide := float32(most)*one + pads
	return []treeview.Column{numberColumn("Line", int64(len(lines))), {Title: "Text", Width: wide, Least: wide, Stretch: 1, Mono: true}}
}

// note is a label that appears when it has something to say.
type note struct{ *widget.Label }

func (n note) SetText(text string) {
	n.Label.SetText(text)
	n.Show()
}

// inksOf returns the colours of a line, of a text that has some.
func inksOf(words model.Words, line string) (inks []treeview.Ink) {
	if w, is := words.(model.TokenWords); is {
		for _, t := range w.Tokens(line) {
			inks = append(inks, treeview.Ink{From: t.From, To: t.To, Color: tokenColors[t.Kind]})
		}
	}
	return inks
}

// wordsCard makes the card of a text: a list of its lines, which draws those in sight.
func (d *Deck) wordsCard(ctx context.Context, words model.Words) (fyne.CanvasObject, *treeview.Tree) {
	said := note{widget.NewLabel("")}
	said.Hide()
	var lines []string
	list := d.NewList(ctx, "", treeview.ListOf(func() (int64, bool) { return int64(len(lines)), true }, func(i int64) treeview.Row {
		line := shortLine(lines[i])
		return treeview.Row{Cells: []string{model.Grouped(i + 1), line}, Inks: inksOf(words, line)}
	}), linesColumns(nil))
	list.Multi = true
	list.OnCopy = func(treeview.Item) {
		n, items := list.Selection.Count(), list.Selection.All(mostCopied)
		if items == nil {
			d.tellTooMany(n, "line")
			return
		}
		var text strings.Builder
		for _, it := range items(ctx) {
			text.WriteString(lines[it.(int64)] + "\n")
		}
		d.CopyText(text.String(), model.GroupedCount(n, "line"))
	}
	copyWhole := kit.IconButton(theme.ContentCopyIcon(), "Copy all of the text", func() { d.copyWords(ctx, words, said) })
	d.load(ctx, words, func(ctx context.Context, _ model.Progress) (func(), error) {
		shown := &beginning{limit: shownWords}
		err := words.WriteText(ctx, shown, nil)
		more := errors.Is(err, errBeginning)
		if more {
			err = nil
		}
		got := linesOf(quote.Pretty(strings.ToValidUTF8(string(shown.b), "")))
		return func() {
			lines = got
			list.SetColumns(linesColumns(got))
			list.Recount()
			if more {
				said.SetText("These are the first " + model.GroupedCount(int64(len(got)), "line") + ". The rest is for a copy or an export.")
			}
		}, err
	}, said)
	return kit.Border(nil, said, nil, container.NewVBox(copyWhole), list), list
}

// copyWords copies all of a text, unless that is too much.
func (d *Deck) copyWords(ctx context.Context, words model.Words, said note) {
	d.load(ctx, words, func(ctx context.Context, _ model.Progress) (func(), error) {
		whole := &beginning{limit: copiedWords}
		err := words.WriteText(ctx, whole, nil)
		if errors.Is(err, errBeginning) {
			err = fmt.Errorf("this is more than %d MB: export it", copiedWords>>20)
		}
		if err != nil {
			return func() { said.SetText("Not copied: " + err.Error()) }, nil
		}
		return func() { d.App.Clipboard().SetContent(string(whole.b)) }, nil
	}, said)
}
