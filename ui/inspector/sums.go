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

// sumsPane shows checksums of the bytes that are selected in the hex pane, else of those of the selected node.
type sumsPane struct {
	shell.Opened
	object fyne.CanvasObject

	Of     *widget.Label
	Start  *widget.Button
	Cancel *widget.Button
	Find   *widget.Button // finds out of what the bytes are a checksum
	host   Host
	List   *treeview.Tree
	Data   *treeview.Slice[SumRow]

	spans   []model.Span // what the sums are of
	from    string       // in words: who selected them
	latest  task.Latest
	Running bool
	runs    int // counts the computations, so that the end of an old one is not taken for that of the last
}

// SumRow is a checksum of the bytes, or what they are a checksum of.
type SumRow struct {
	source.Checksum
	spans []model.Span // the bytes that they are a checksum of
}

// sumsAtOnce is the most bytes whose checksums are computed without being asked for.
const sumsAtOnce = 16 << 20

// sumsAfter is how long bytes are selected before that.
const sumsAfter = 150 * time.Millisecond

func newSumsPane(s shell.Opened, host Host) *sumsPane {
	p := &sumsPane{Opened: s, host: host, Of: widget.NewLabel("")}
	p.Of.Truncation, p.Of.Importance = fyne.TextTruncateEllipsis, widget.LowImportance
	p.Start = widget.NewButton("", p.compute)
	p.Cancel = widget.NewButtonWithIcon("Cancel", theme.CancelIcon(), p.latest.Stop)
	p.Find = widget.NewButton("Find what this is a checksum of", p.find)
	p.Data = treeview.SliceOf(func(r SumRow) treeview.Row { return treeview.Row{Cells: []string{r.Name, r.Value}} })
	p.List = s.NewList(s.Ctx, "checksums", p.Data, []treeview.Column{
		{Title: "Checksum", Width: 84, Stretch: 1, Quiet: true}, {Title: "Value", Width: 120, Stretch: 2, Mono: true}})
	p.List.OnCopy = func(it treeview.Item) {
		if c, ok := p.Data.At(it); ok {
			s.App.Clipboard().SetContent(c.Value)
		}
	}
	p.List.OnSelected = func(it treeview.Item) {
		if r, ok := p.Data.At(it); ok {
			p.host.Light(r.spans)
		}
	}
	p.List.OnChosen = func(it treeview.Item) {
		if r, ok := p.Data.At(it); ok && len(r.spans) > 0 {
			p.host.ShowSpan(r.spans[0])
		}
	}
	buttons := container.NewHBox(p.Start, p.Cancel)
	bar := kit.Padded(2, 2, 6, 4, kit.Border(nil, nil, nil, buttons, kit.Dense(p.Of)))
	p.object = kit.Border(bar, p.Find, nil, nil, p.List)
	p.reset()
	return p
}

// follow takes the bytes that are selected now.
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
	p.Tasks.After(p.latest.Next(p.Ctx), sumsAfter, p.compute) // who goes through rows wants none of this
}

// Size is how many bytes there are.
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

// what says which bytes the checksums are of.
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

// say writes the line above the list and shows the buttons that make sense.
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

// failed returns what shows that a run met a fault of the program.
func (p *sumsPane) failed(run int) func(error) {
	return func(err error) {
		if run == p.runs && p.Ctx.Err() == nil {
			p.Running = false
			p.say(err.Error())
		}
	}
}

// compute computes the checksums in the background.
func (p *sumsPane) compute() {
	within := p.latest.Next(p.Ctx)
	p.Running = true
	p.runs++
	run, spans, total, what := p.runs, p.spans, p.Size(), p.what()
	told := time.Now()
	p.Tasks.Always(within, "computing checksums", func(ctx context.Context, progress model.Progress) func() {
		sums, err := source.Checksums(ctx, spans, func(done, of int64, unit string) {
			progress(done, of, unit)
			if time.Since(told) > task.ShownAfter {
				told = time.Now()
				p.Tasks.Show(ctx, func() {
					if p.Running {
						p.say(fmt.Sprintf("%d %% of %s", done*100/max(total, 1), what))
					}
				})
			}
		})
		return func() {
			if run != p.runs || !slices.Equal(spans, p.spans) || p.Ctx.Err() != nil {
				return // others are asked for
			}
			p.Running = false
			switch {
			case errors.Is(err, context.Canceled):
				p.reset()
			case err != nil:
				p.say("not computed: " + err.Error())
			default:
				rows := make([]SumRow, len(sums))
				for i, sum := range sums {
					rows[i].Checksum = sum
				}
				p.show(rows)
				p.say(what)
				p.Log.Write("checksums", spans[0].Source.Name(), spans[0].Off, total, sums[0].Value)
			}
		}
	}, p.failed(run))
}
