package ui

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"cutaway/model"
	"cutaway/source"
	"cutaway/ui/kit"
	"cutaway/ui/phrase"
	"cutaway/ui/task"
	"cutaway/ui/treeview"
)

// sumsPane shows checksums of the bytes that are selected in the hex pane, else of those of the selected node.
type sumsPane struct {
	s      *session
	object fyne.CanvasObject

	of     *widget.Label
	start  *widget.Button
	cancel *widget.Button
	list   *treeview.Tree
	data   *treeview.Slice[source.Checksum]

	spans   []model.Span // what the sums are of
	from    string       // in words: who selected them
	latest  task.Latest
	running bool
	runs    int // counts the computations, so that the end of an old one is not taken for that of the last
}

// sumsAtOnce is the most bytes whose checksums are computed without being asked for.
const sumsAtOnce = 16 << 20

// sumsAfter is how long bytes are selected before that.
const sumsAfter = 150 * time.Millisecond

func newSumsPane(s *session) *sumsPane {
	p := &sumsPane{s: s, of: widget.NewLabel("")}
	p.of.Truncation, p.of.Importance = fyne.TextTruncateEllipsis, widget.LowImportance
	p.start = widget.NewButton("", p.compute)
	p.cancel = widget.NewButtonWithIcon("Cancel", theme.CancelIcon(), p.latest.Stop)
	p.data = treeview.SliceOf(func(c source.Checksum) treeview.Row {
		return treeview.Row{Cells: []string{c.Name, c.Value}}
	})
	p.list = s.w.NewList(s.shown, "checksums", p.data, []treeview.Column{
		{Title: "Checksum", Width: 84, Quiet: true}, {Title: "Value", Width: 120, Stretch: 1, Mono: true}})
	p.list.OnCopy = func(it treeview.Item) {
		if c, ok := p.data.At(it); ok {
			s.w.App.Clipboard().SetContent(c.Value)
		}
	}
	buttons := container.NewHBox(p.start, p.cancel)
	bar := container.New(layout.NewCustomPaddedLayout(2, 2, 6, 4), container.NewBorder(nil, nil, nil, buttons, kit.Dense(p.of)))
	p.object = container.NewBorder(bar, nil, nil, nil, p.list)
	p.reset()
	return p
}

// subject is the bytes to sum up, and who selected them.
func (s *session) subject() (spans []model.Span, from string) {
	t := s.hex.shown
	if off, n := t.view.Selection(); n > 0 {
		return []model.Span{t.src.Span(off, n)}, "selected"
	}
	if s.current == nil {
		return nil, ""
	}
	for _, span := range s.current.Node.Spans {
		if span.Mask = 0; span.Source != nil && span.Len > 0 {
			spans = append(spans, span)
		}
	}
	return spans, "of " + placeName(s.current)
}

// follow takes the bytes that are selected now.
func (p *sumsPane) follow() {
	spans, from := p.s.subject()
	if slices.Equal(spans, p.spans) && from == p.from {
		return
	}
	p.latest.Stop()
	p.spans, p.from, p.running = spans, from, false
	p.reset()
	if n := p.size(); n == 0 || n > sumsAtOnce {
		return
	}
	p.s.work.After(p.latest.Next(p.s.shown), sumsAfter, p.compute) // who goes through rows wants none of this
}

// size is how many bytes there are.
func (p *sumsPane) size() int64 {
	var n int64
	for _, s := range p.spans {
		n += s.Len
	}
	return n
}

// reset shows that nothing is computed yet.
func (p *sumsPane) reset() {
	sums := make([]source.Checksum, 0, 8)
	for _, name := range source.ChecksumNames() {
		sums = append(sums, source.Checksum{Name: name})
	}
	p.show(sums)
	text := "No bytes are selected."
	if n := p.size(); n > 0 {
		text = phrase.Bytes(n) + " " + p.from
	}
	p.say(text)
}

// show fills the list. The selected row stays.
func (p *sumsPane) show(sums []source.Checksum) {
	first := len(p.data.All()) == 0
	p.data.Set(sums)
	if first {
		p.list.Recount()
	} else {
		p.list.Invalidate()
	}
}

// say writes the line above the list and shows the buttons that make sense.
func (p *sumsPane) say(text string) {
	if text != p.of.Text {
		p.of.SetText(text)
	}
	n := p.size()
	p.start.SetText("Compute over " + phrase.Roughly(n))
	kit.SetVisible(p.start, !p.running && n > sumsAtOnce && p.data.All()[0].Value == "")
	kit.SetVisible(p.cancel, p.running)
}

// compute computes the checksums in the background.
func (p *sumsPane) compute() {
	within := p.latest.Next(p.s.shown)
	p.running = true
	p.runs++
	run, spans, total, what := p.runs, p.spans, p.size(), phrase.Bytes(p.size())+" "+p.from
	told := time.Now()
	p.s.work.Always(within, "computing checksums", func(ctx context.Context, progress model.Progress) func() {
		sums, err := source.Checksums(ctx, spans, func(done, of int64, unit string) {
			progress(done, of, unit)
			if time.Since(told) > task.ShownAfter {
				told = time.Now()
				p.s.work.Show(ctx, func() {
					if p.running {
						p.say(fmt.Sprintf("%d %% of %s", done*100/max(total, 1), what))
					}
				})
			}
		})
		return func() {
			if run != p.runs || !slices.Equal(spans, p.spans) || p.s.shown.Err() != nil {
				return // others are asked for
			}
			p.running = false
			switch {
			case errors.Is(err, context.Canceled):
				p.reset()
			case err != nil:
				p.say("not computed: " + err.Error())
			default:
				p.show(sums)
				p.say(what)
				p.s.w.Log.Write("checksums", spans[0].Source.Name(), spans[0].Off, total, sums[0].Value)
			}
		}
	})
}
