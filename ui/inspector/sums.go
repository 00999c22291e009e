package inspector

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"cutaway/model"
	"cutaway/model/checksum"
	"cutaway/source"
	"cutaway/ui/kit"
	"cutaway/ui/phrase"
	"cutaway/ui/shell"
	"cutaway/ui/task"
	"cutaway/ui/treeview"
)

// A sumsPane shows checksums of the bytes that are selected in the hex pane or, without any, of the selected node's.
type sumsPane struct {
	shell.Opened
	object fyne.CanvasObject

	Of     *widget.Label
	Start  *widget.Button
	Cancel *widget.Button
	Find   *widget.Button // searches for ranges whose checksum the selected bytes are
	List   *treeview.Tree
	Data   *treeview.Slice[SumRow]

	spans   []model.Span // the bytes to sum up
	from    string       // words for their selection
	latest  task.Latest
	Running bool
	runs    int // the number of computations so far, by which the end of an old one is ignored
}

// A SumRow is a checksum of the selected bytes, or a match: a range whose checksum these bytes are.
type SumRow struct {
	source.Checksum
	spans []model.Span // of a match
}

// sumsAtOnce is the maximum number of bytes whose checksums are computed without a click.
const sumsAtOnce = 16 << 20

// sumsAfter is the time that bytes must stay selected before that.
const sumsAfter = 150 * time.Millisecond

func newSumsPane(s shell.Opened, host Host) *sumsPane {
	p := &sumsPane{Opened: s, Of: kit.QuietLabel("")}
	p.Of.Truncation = fyne.TextTruncateEllipsis
	p.Start = widget.NewButton("", p.compute)
	p.Cancel = widget.NewButtonWithIcon("Stop", theme.CancelIcon(), p.latest.Stop)
	p.Find = widget.NewButton("Find what this is a checksum of", p.find)
	p.Data = treeview.SliceOf(func(r SumRow) treeview.Row { return treeview.Row{Cells: []string{r.Name, r.Value}} })
	p.List = s.NewList(s.Ctx, "checksums", p.Data, []treeview.Column{
		{Title: "Checksum", Width: 84, Stretch: 1, Quiet: true}, {Title: "Value", Width: 120, Stretch: 2, Mono: true}})
	p.List.OnCopy = p.Data.With(func(c SumRow) { s.App.Clipboard().SetContent(c.Value) })
	p.List.OnSelected = p.Data.With(func(r SumRow) { host.Light(r.spans) })
	p.List.OnChosen = p.Data.With(func(r SumRow) {
		if len(r.spans) > 0 {
			host.ShowSpan(r.spans[0])
		}
	})
	buttons := container.NewHBox(p.Start, p.Cancel)
	bar := kit.Padded(2, 2, 6, 4, kit.Border(nil, nil, nil, buttons, kit.Dense(p.Of)))
	p.object = kit.Border(bar, p.Find, nil, nil, p.List)
	p.reset()
	return p
}

// follow sets the bytes to sum up.
func (p *sumsPane) follow(spans []model.Span, from string) {
	if slices.Equal(spans, p.spans) && from == p.from {
		return
	}
	p.latest.Stop()
	p.spans, p.from, p.Running = spans, from, false
	p.reset()
	if n := p.Size(); n == 0 || n > sumsAtOnce {
		return
	}
	p.Tasks.After(p.latest.Next(p.Ctx), sumsAfter, p.compute) // not for each row that is passed on the way to another
}

// Size returns the number of bytes to sum up.
func (p *sumsPane) Size() int64 {
	var n int64
	for _, s := range p.spans {
		n += s.Len
	}
	return n
}

// reset shows that nothing is computed yet.
func (p *sumsPane) reset() {
	var rows []SumRow
	for _, name := range source.ChecksumNames() {
		rows = append(rows, SumRow{Checksum: source.Checksum{Name: name}})
	}
	p.show(rows)
	text := "No bytes are selected."
	if n := p.Size(); n > 0 {
		text = p.what()
	}
	p.say(text)
}

// what describes the bytes to sum up.
func (p *sumsPane) what() string {
	text := phrase.Bytes(p.Size()) + " " + p.from
	if n := len(p.spans); n > 1 {
		text += fmt.Sprintf(", in %d places", n) // the node's row has the size of the first
	}
	return text
}

// show fills the list. The selected row stays.
func (p *sumsPane) show(rows []SumRow) {
	other := len(p.Data.All()) != len(rows)
	p.Data.Set(rows)
	if other {
		p.List.Recount()
	} else {
		p.List.Invalidate()
	}
}

// say sets the line above the list and shows the buttons that apply.
func (p *sumsPane) say(text string) {
	if text != p.Of.Text {
		p.Of.SetText(text)
	}
	n := p.Size()
	p.Start.SetText("Compute over " + phrase.Roughly(n))
	kit.SetVisible(p.Start, !p.Running && n > sumsAtOnce && p.Data.All()[0].Value == "")
	kit.SetVisible(p.Cancel, p.Running)
	kit.SetVisible(p.Find, !p.Running && len(p.spans) == 1 && n > 0 && n <= checksum.MaxSize)
}

// run works in the background and says how far it is. done is called with its end, unless other bytes are selected by then.
func (p *sumsPane) run(title, of string, work func(ctx context.Context, progress model.Progress) (done func(), err error)) {
	p.Running = true
	p.runs++
	run, shown := p.runs, time.Now()
	isLatest := func() bool { return run == p.runs && p.Running && p.Ctx.Err() == nil }
	p.Tasks.Always(p.latest.Next(p.Ctx), title, func(ctx context.Context, progress model.Progress) func() {
		done, err := work(ctx, func(part, whole int64, unit string) {
			progress(part, whole, unit)
			if time.Since(shown) > task.ShownAfter {
				shown = time.Now()
				p.Tasks.Show(ctx, func() {
					if isLatest() {
						p.say(fmt.Sprintf("%d %% of %s", part*100/max(whole, 1), of))
					}
				})
			}
		})
		return func() {
			if !isLatest() {
				return
			}
			p.Running = false
			if err != nil && !errors.Is(err, context.Canceled) {
				p.say("no result: " + err.Error())
				return
			}
			done()
		}
	}, func(err error) {
		if isLatest() {
			p.Running = false
			p.say(err.Error())
		}
	})
}

// compute computes the checksums in the background.
func (p *sumsPane) compute() {
	spans, total, what := p.spans, p.Size(), p.what()
	p.run("computing checksums", what, func(ctx context.Context, progress model.Progress) (func(), error) {
		sums, err := source.Checksums(ctx, spans, progress)
		return func() {
			if err != nil {
				p.reset()
				return
			}
			rows := make([]SumRow, len(sums))
			for i, sum := range sums {
				rows[i].Checksum = sum
			}
			p.show(rows)
			p.say(what)
			p.Log.Write("checksums", spans[0].Source.Name(), spans[0].Off, total, sums[0].Value)
		}, err
	})
}
