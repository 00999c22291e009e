package timebar

import (
	"context"
	"slices"
	"sync/atomic"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"

	"cutaway/model"
	"cutaway/model/timeline"
	"cutaway/ui/kit"
	"cutaway/ui/phrase"
	"cutaway/ui/task"
	"cutaway/ui/treeview"
)

// findings lists the oddities of the tracks of a view: gaps, order, jumps of counters, drift.
type findings struct {
	p      *Pane
	of     *model.View // that has these, or nil
	ctx    context.Context
	end    context.CancelFunc
	found  atomic.Pointer[[]timeline.Finding]
	list   *treeview.Tree
	text   *widget.Label
	pair   [2]*kit.Select // whose drift is measured
	times  []*model.Track // that can be chosen there
	latest task.Latest
	Object *fyne.Container
}

// Heights of the list in Fyne's units at most: some eight rows, and in a low window as few as show that it is one.
const listHeight, lowListHeight = 200, 90

// room returns the height of the rows of the list, as far as there is room.
func (f *findings) room() fyne.Size {
	if f.list == nil {
		return fyne.Size{}
	}
	most := float32(listHeight)
	if f.p.isLow() {
		most = lowListHeight
	}
	const leastRows = 3                               // that the least height of a list has room for, its titles among them
	rows := max(leastRows, float32(len(f.known())+2)) // the titles, and one to spare
	return fyne.NewSize(0, min(f.list.MinSize().Height/leastRows*rows, most))
}

func newFindings(p *Pane) *findings {
	f := &findings{p: p, text: kit.QuietLabel("")}
	f.text.Truncation = fyne.TextTruncateEllipsis
	for i := range f.pair {
		f.pair[i] = kit.NewSelect(nil, func(string) { f.drift() })
		f.pair[i].PlaceHolder = [...]string{"Drift of…", "Against…"}[i]
	}
	pair := container.NewHBox(kit.FixedWidth(200, f.pair[0]), kit.FixedWidth(200, f.pair[1]))
	head := kit.Padded(0, 0, 4, 5, kit.Border(nil, nil, nil, pair, f.text))
	f.Object = kit.Under(head, kit.Filled(f.room))
	f.Object.Hide()
	return f
}

// known returns the findings so far.
func (f *findings) known() []timeline.Finding {
	if list := f.found.Load(); list != nil {
		return *list
	}
	return nil
}

// show fills the list with the findings of the shown view.
func (f *findings) show() {
	if !f.Object.Visible() || f.of == f.p.view {
		return
	}
	if f.end != nil {
		f.end()
	}
	f.of = f.p.view
	f.ctx, f.end = context.WithCancel(f.p.Ctx)
	f.times = nil
	var list []timeline.Finding
	for _, x := range f.p.Tracks {
		list = append(list, x.Facts.Findings()...)
		f.times = append(f.times, x.Track)
	}
	f.found.Store(&list)
	f.list = f.p.NewList(f.ctx, "times", treeview.ListOf(
		func() (int64, bool) { return int64(len(f.known())), true },
		func(i int64) treeview.Row {
			each := f.known()[i]
			return treeview.Row{Cells: []string{each.What, each.Of, each.Text}}
		}),
		[]treeview.Column{{Title: "What", Width: 100}, {Title: "Track", Width: 220}, {Title: "How", Width: 300, Stretch: 1, Mono: true}})
	f.list.OnSelected = func(it treeview.Item) { f.p.host.GoToNode(f.known()[it.(int64)].Path) }
	f.list.OnChosen = func(it treeview.Item) {
		f.p.host.GoToNode(f.known()[it.(int64)].Path)
		f.p.host.FocusTree()
	}
	box := f.Object.Objects[1].(*fyne.Container)
	box.Objects = []fyne.CanvasObject{f.list}
	box.Refresh()
	f.choices()
	f.count("; looking for jumps of counters and drift…")
	f.look()
}

// look finds jumps of counters, fields that are times, and drift, which takes reading.
func (f *findings) look() {
	tracks, doc := slices.Clone(f.times), f.p.Doc
	f.p.Tasks.Go(f.ctx, "looking at times", func(ctx context.Context, progress model.Progress) func() {
		more, fields := f.readOn(ctx, doc, tracks, progress)
		if ctx.Err() != nil {
			return nil
		}
		return func() {
			list := append(slices.Clone(f.known()), more...)
			f.found.Store(&list)
			f.times = append(f.times, fields...)
			f.list.Grow()
			f.choices()
			f.count("")
			f.p.host.TimesShown()
		}
	})
}

// readOn returns the jumps and drifts of tracks, and their fields that are times.
func (f *findings) readOn(ctx context.Context, doc *model.Document, tracks []*model.Track, progress model.Progress) (more []timeline.Finding, fields []*model.Track) {
	for i, t := range tracks {
		progress.Report(int64(i), int64(len(tracks)), "counters")
		at, err := doc.Lookup(ctx, t.Path)
		if err != nil {
			continue
		}
		jumps, err := timeline.Counters(ctx, at)
		if err == nil {
			more = append(more, (&timeline.Facts{Track: t, Jumps: jumps}).Findings()...)
		}
		own, err := timeline.Fields(ctx, t, at)
		for k := range own {
			if err == nil {
				fields = append(fields, &own[k])
			}
		}
	}
	drifts, _ := timeline.Drifts(ctx, tracks, doc.Lookup, progress) // of those that can be read
	for _, d := range drifts {
		more = append(more, d.Finding())
	}
	return more, fields
}

// count shows the numbers of findings, and more.
func (f *findings) count(more string) {
	counts := map[string]int64{}
	for _, each := range f.known() {
		counts[each.What]++
	}
	text := model.GroupedCount(counts["gap"], "gap") + ", " + model.Grouped(counts["out of order"]) + " out of order, " +
		model.GroupedCount(counts["jump"], "jump") + ", " + model.GroupedCount(counts["drift"], "drift")
	f.text.SetText(phrase.Capital(text) + more)
}

// choices offers the tracks and fields whose drift can be measured.
func (f *findings) choices() {
	var names []string
	for _, t := range f.times {
		names = append(names, t.Name)
	}
	for _, s := range f.pair {
		s.Options = names
		s.Refresh()
	}
}

// drift measures the drift of the two chosen times.
func (f *findings) drift() {
	i, k := f.pair[0].SelectedIndex(), f.pair[1].SelectedIndex()
	if i < 0 || k < 0 || i >= len(f.times) || k >= len(f.times) {
		return
	}
	a, b := f.times[k], f.times[i]
	f.p.Tasks.Go(f.latest.Next(f.ctx), "measuring drift", func(ctx context.Context, _ model.Progress) func() {
		d, err := timeline.Between(ctx, a, b)
		text := ""
		if err != nil {
			text = phrase.Sentence(err)
		} else {
			found := d.Finding()
			text = found.Of + " " + found.Text
		}
		return func() { f.text.SetText(text) }
	})
}
