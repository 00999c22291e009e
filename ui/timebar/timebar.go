// Package timebar shows the times of a view: its tracks, how dense they are and where they have gaps, and goes from one
// moment to the next.
package timebar

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"cutaway/model"
	"cutaway/model/timeline"
	"cutaway/ui/kit"
	"cutaway/ui/phrase"
	"cutaway/ui/shell"
	"cutaway/ui/task"
)

// Host lists the functions of its document that the bar may call.
type Host struct {
	GoToNode   func(path string)   // selects a node; the keyboard stays where it is
	View       func() *model.View  // the tree that is shown
	Current    func() *model.Place // the selected node, or nil
	FocusTree  func()              // gives the keyboard to the tree
	TimesShown func()              // lays the panes out anew: the bar has another height
	Moved      func()              // another moment is selected
}

// Pane is the bar below the panes, hidden while the view that is shown has no times.
type Pane struct {
	shell.Opened
	host Host
	// Object is the bar on the screen.
	Object *fyne.Container

	view   *model.View                  // whose tracks these are
	known  map[string][]*timeline.Index // by view
	Tracks []*timeline.Index            // those with a time
	At     *timeline.Stop               // the selected moment, or nil
	on     *timeline.Index              // the track that was selected as a whole since, or nil
	timed  bool                         // something with times was selected
	board  *board
	line   *line // is shown instead of text while the tracks are folded
	all    *widget.Button
	text   *widget.Label
	field  *kit.Entry
	steps  [4]*kit.Button // previous and next of any track around those of this one
	fold   *kit.Button
	list   *findings
	next   task.Latest // the way to another moment
	follow task.Latest // looks for the moment of the selected node
	counts task.Latest // counts the moments that are in sight
}

// New makes the bar of a document; it reads the times of a view when the view is shown.
func New(opened shell.Opened, host Host) *Pane {
	p := &Pane{Opened: opened, host: host, text: widget.NewLabel(""), known: map[string][]*timeline.Index{}}
	p.board, p.line = newBoard(p), newLine(p)
	p.text.Truncation = fyne.TextTruncateEllipsis
	p.field = kit.NewEntry(host.FocusTree)
	p.field.SetPlaceHolder("Go to time")
	p.field.OnSubmitted = func(s string) {
		if t, err := strconv.ParseFloat(strings.TrimSpace(s), 64); err == nil {
			p.goBefore(t)
		} else {
			p.Notify(fmt.Sprintf("%q is not a time: a number is wanted", s))
		}
	}
	for i, step := range []struct {
		icon fyne.Resource
		tip  string
		any  bool
		back bool
	}{{theme.MediaSkipPreviousIcon(), "Previous of any track (Alt+Shift+PageUp)", true, true},
		{theme.NavigateBackIcon(), "Previous of this track (Alt+PageUp)", false, true},
		{theme.NavigateNextIcon(), "Next of this track (Alt+PageDown)", false, false},
		{theme.MediaSkipNextIcon(), "Next of any track (Alt+Shift+PageDown)", true, false}} {
		p.steps[i] = kit.IconButton(step.icon, step.tip, func() { p.Step(step.back, step.any) })
	}
	p.all = kit.QuietButton("Fit", nil, p.board.showAll)
	p.fold = kit.IconButton(theme.MenuDropDownIcon(), "Fold or unfold the tracks", p.Fold)
	p.list = newFindings(p)
	list := kit.IconButton(theme.ListIcon(), "Gaps and drift (Alt+Shift+G)", p.ShowList)
	buttons := container.NewHBox(p.steps[0], p.steps[1], p.steps[2], p.steps[3])
	right := container.NewHBox(kit.FixedWidth(110, p.field), p.all, list, p.fold)
	bar := kit.Padded(2, 2, 4, 4, kit.Border(nil, nil, buttons, right, container.NewStack(p.text, p.line)))
	p.Object = kit.Under(kit.NewBacked(theme.ColorNameHeaderBackground, bar), kit.Under(p.board, p.list.Object))
	p.Object.Hide()
	p.ShowFolded()
	return p
}

// Fold shows only the head of the bar, or the whole bar.
func (p *Pane) Fold() {
	p.Store.TimeFolded = p.Unfolded()
	p.timed = true
	p.Save()
	p.ShowFolded()
}

// Unfolded reports whether the bar shows its tracks: once something with times was selected, unless the user has folded it.
func (p *Pane) Unfolded() bool { return p.timed && !p.Store.TimeFolded }

// unfold shows the tracks, since something with times is selected.
func (p *Pane) unfold() {
	if !p.timed {
		p.timed = true
		p.ShowFolded()
	}
}

// FocusField gives the keyboard to the field for a time.
func (p *Pane) FocusField() {
	if len(p.Tracks) == 0 {
		p.Notify("this view has no times")
		return
	}
	p.Focus(p.field)
	p.field.TypedShortcut(&fyne.ShortcutSelectAll{})
	p.LogField("time", p.field)
}

// ShowList lists gaps, records out of order, jumps of counters and drift, or hides the list.
func (p *Pane) ShowList() {
	if len(p.Tracks) == 0 {
		p.Notify("this view has no times")
		return
	}
	kit.SetVisible(p.list.Object, !p.list.Object.Visible())
	p.list.show()
	p.ShowFolded()
	if p.list.Object.Visible() {
		p.Focus(p.list.list)
	} else {
		p.host.FocusTree()
	}
}

// Findings returns the content of the list.
func (p *Pane) Findings() []timeline.Finding { return p.list.known() }

// ShowFolded follows whether the tracks are folded.
func (p *Pane) ShowFolded() {
	const roomy = 1100 // in Fyne's units: in lower windows both take more than a third of the height
	kit.SetVisible(p.board, p.Unfolded() && !(p.list.Object.Visible() && p.Win.Canvas().Size().Height < roomy))
	p.fold.SetIcon(theme.MenuDropDownIcon())
	if !p.Unfolded() {
		p.fold.SetIcon(theme.MenuDropUpIcon())
	}
	p.host.TimesShown()
	p.board.read()
	p.describe(nil, math.NaN())
}

// ViewShown shows the times of the view that is shown.
func (p *Pane) ViewShown() {
	v := p.host.View()
	if v == p.view {
		return
	}
	p.view = v
	p.set(p.known[v.Name])
	if _, read := p.known[v.Name]; read || v.Timeline == nil {
		return
	}
	p.Tasks.Go(p.Ctx, "reading times", func(ctx context.Context, progress model.Progress) func() {
		tracks, err := v.Timeline(ctx, progress)
		if err != nil {
			return nil // a problem of the node
		}
		var with []*timeline.Index
		for i := range tracks {
			progress.Report(int64(i), int64(len(tracks)), "times")
			x, err := timeline.NewIndex(ctx, &tracks[i])
			switch {
			case ctx.Err() != nil:
				return nil
			case err == nil && x.Len() > 0:
				with = append(with, x)
			}
		}
		return func() {
			p.known[v.Name] = with
			p.Log.Write("times", v.Name, len(with))
			if p.view == v {
				p.set(with)
				p.Follow(p.host.Current())
			}
		}
	})
}

// set shows tracks; without any the bar is hidden.
func (p *Pane) set(tracks []*timeline.Index) {
	p.Tracks, p.At, p.on = tracks, nil, nil
	p.board.first = 0
	kit.SetVisible(p.Object, len(tracks) > 0)
	p.list.show()
	p.host.TimesShown()
	from, to := timeline.Core(p.Tracks) // the times of most moments
	p.line.show(from, to)
	p.board.showRange(from, to)
	p.describe(nil, math.NaN())
}

// Follow shows the moment of a node that was selected, where it is of one or inside of one.
func (p *Pane) Follow(at *model.Place) {
	if at == nil || len(p.Tracks) == 0 {
		return
	}
	path := at.Path()
	if on := p.trackOn(path, at.Parent == nil); on != nil {
		p.on = on
		p.unfold()
		p.board.rowTo(on)
		p.board.read()
		p.describe(nil, math.NaN())
		return
	}
	x, i, _ := timeline.TrackOf(p.Tracks, path)
	if x == nil {
		return
	}
	p.Tasks.Go(p.follow.Next(p.Ctx), "", func(ctx context.Context, _ model.Progress) func() {
		stop, err := x.Of(ctx, i)
		if err != nil || stop == nil {
			return nil
		}
		return func() { p.stopAt(stop) }
	})
}

// trackOn returns the track of a node, or else the one below it with the most moments, or nil for the root.
func (p *Pane) trackOn(path string, isRoot bool) (on *timeline.Index) {
	for _, x := range p.Tracks {
		switch {
		case x.Track.Path == path:
			return x
		case !isRoot && strings.HasPrefix(x.Track.Path, path+"/") && (on == nil || x.Len() > on.Len()):
			on = x
		}
	}
	return on
}

// Pass shows a moment that is played; the selected node stays.
func (p *Pane) Pass(s *timeline.Stop) {
	p.follow.Stop()
	p.show(s)
}

// show shows a moment.
func (p *Pane) show(s *timeline.Stop) {
	p.At, p.on = s, nil
	p.unfold()
	p.board.reveal(s)
	p.describe(nil, math.NaN())
	p.host.Moved()
}

// stopAt shows a moment as the selected one.
func (p *Pane) stopAt(s *timeline.Stop) {
	p.show(s)
	p.Log.Write("moment", s.Path(), s.Moment.Time)
}

// goTo selects the moment that find returns in the background. If it returns nil, none is shown.
func (p *Pane) goTo(none string, find func(ctx context.Context) (*timeline.Stop, error)) {
	within := p.insideMoment()
	p.Tasks.Try(p.next.Next(p.Ctx), "finding the time", func(ctx context.Context, _ model.Progress) (func(), error) {
		s, err := find(ctx)
		if err != nil {
			return nil, err
		}
		path := within(ctx, s)
		return func() {
			if s == nil {
				p.Notify(none)
				return
			}
			p.follow.Stop() // of a node that was selected before
			p.stopAt(s)
			p.host.GoToNode(path)
		}, nil
	})
}

// insideMoment returns a function that finds the path of a moment's node that corresponds to the selected one: the same field of
// another record of its stream, or else the record.
func (p *Pane) insideMoment() func(ctx context.Context, s *timeline.Stop) string {
	var x *timeline.Index
	rest := ""
	if at := p.host.Current(); at != nil {
		x, _, rest = timeline.TrackOf(p.Tracks, at.Path())
	}
	return func(ctx context.Context, s *timeline.Stop) string {
		switch {
		case s == nil:
			return ""
		case rest == "" || s.Track != x:
			return s.Path()
		}
		if _, err := p.Doc.Lookup(ctx, s.Path()+rest); err != nil {
			return s.Path()
		}
		return s.Path() + rest
	}
}

// GoToTime selects the moment nearest to a time, of a track, or where it is nil of the one that is selected, or of any.
func (p *Pane) GoToTime(of *timeline.Index, time float64) {
	among := p.Tracks
	switch {
	case of != nil:
		among = []*timeline.Index{of}
	case p.At != nil:
		among = []*timeline.Index{p.At.Track}
	}
	p.goTo("there are no times", func(ctx context.Context) (*timeline.Stop, error) { return timeline.Nearest(ctx, among, time) })
}

// goBefore selects the last moment up to a time: of the selected track, else of those with pictures, else of any. Tracks without
// a rate count only where no other has moments.
func (p *Pane) goBefore(time float64) {
	among, selected := timeline.Rated(p.Tracks), p.on
	if len(among) == 0 {
		among = p.Tracks
	}
	if selected == nil && p.At != nil {
		selected = p.At.Track
	}
	if slices.Contains(among, selected) {
		among = []*timeline.Index{selected}
	}
	p.goTo("there are no times", func(ctx context.Context) (*timeline.Stop, error) {
		return timeline.Before(ctx, p.withPictures(ctx, among), time)
	})
}

// withPictures returns the tracks of pictures, or all where there are none.
func (p *Pane) withPictures(ctx context.Context, tracks []*timeline.Index) (list []*timeline.Index) {
	if len(tracks) == 1 {
		return tracks
	}
	for _, x := range tracks {
		at, err := p.Doc.Lookup(ctx, x.Track.Path)
		if err != nil {
			continue
		}
		media := model.CardsOf[model.Media](ctx, &at.Node)
		if slices.ContainsFunc(media, func(m model.Media) bool { return m.Coding() != "pcm" && m.Coding() != "opus" }) {
			list = append(list, x)
		}
	}
	if len(list) == 0 {
		return tracks
	}
	return list
}

// Step selects the next moment, or the one before, of the track that is selected, or of any.
func (p *Pane) Step(back, ofAny bool) {
	if len(p.Tracks) == 0 {
		p.Notify("this view has no times")
		return
	}
	from, tracks := p.At, p.Tracks
	switch {
	case p.on != nil && back:
		p.GoToTime(p.on, p.on.Facts.Last)
		return
	case p.on != nil:
		p.GoToTime(p.on, p.on.Facts.First)
		return
	case from == nil: // the first of all
		first, _ := timeline.Range(tracks)
		p.GoToTime(nil, first)
		return
	}
	none := "this is the last"
	if back {
		none = "this is the first"
	}
	if !ofAny {
		tracks = []*timeline.Index{from.Track}
		none += " of " + from.Track.Track.Title()
	}
	p.goTo(none, func(ctx context.Context) (*timeline.Stop, error) { return timeline.Beside(ctx, tracks, from, back) })
}

// unit returns the unit of all times, or "".
func (p *Pane) unit() string {
	if len(p.Tracks) == 0 {
		return ""
	}
	return p.Tracks[0].Track.Unit
}

// describe shows words on the track and time under the pointer, or with a time of NaN on the selection.
func (p *Pane) describe(x *timeline.Index, time float64) {
	folded := !p.board.Visible() || p.isLow()
	for o, shown := range map[fyne.CanvasObject]bool{p.line: folded, p.text: !folded, p.all: !folded} {
		kit.SetVisible(o, shown)
	}
	if folded {
		p.line.read()
		return
	}
	const hint = "a click selects, the wheel zooms, a drag moves; a drag in the ruler selects"
	unit, seen := p.unit(), p.board.sightText()
	if seen != "" {
		seen = "   tracks " + seen
	}
	switch {
	case x != nil && time == time:
		p.text.SetText(p.board.timeText(time) + phrase.Unit(unit) + "   " + trackText(x))
	case time == time:
		p.text.SetText(p.board.timeText(time) + phrase.Unit(unit))
	case p.on != nil:
		p.text.SetText(trackText(p.on) + seen)
	case p.At != nil:
		s := p.At
		p.text.SetText(fmt.Sprintf("%s%s   %s   %s of %s", model.FormatTime(s.Moment.Time), phrase.Unit(unit), s.Track.Track.Title(),
			model.Grouped(s.Number+1), model.Grouped(s.Track.Len())) + seen)
	case seen != "":
		p.text.SetText(strings.TrimSpace(seen) + ", the wheel over their names scrolls   " + hint)
	default:
		p.text.SetText(model.GroupedCount(int64(len(p.Tracks)), "track") + "   " + hint)
	}
}

// trackText describes a track in a line: number and rate of moments, gaps, disorder.
func trackText(x *timeline.Index) string {
	f := x.Facts
	parts := []string{x.Track.Title(), model.GroupedCount(x.Len(), "moment")}
	switch {
	case !(f.Median > 0):
	case x.Track.Unit == "s" && f.Median < 1:
		parts = append(parts, strconv.FormatFloat(1/f.Median, 'g', 4, 64)+" a second")
	default:
		parts = append(parts, "every "+strconv.FormatFloat(f.Median, 'g', 4, 64)+phrase.Unit(x.Track.Unit))
	}
	if n := int64(len(f.Gaps)); n > 0 {
		parts = append(parts, model.GroupedCount(n, "gap"))
	}
	if n := int64(len(f.Unordered)); n > 0 {
		parts = append(parts, model.Grouped(n)+" out of order")
	}
	return strings.Join(parts, " · ")
}
