// Package named shows the files that a document names and those that these name, each once with its problem.
package named

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"sync"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"cutaway/closure"
	"cutaway/decoders"
	"cutaway/model"
	"cutaway/model/releases"
	"cutaway/source/far"
	"cutaway/ui/kit"
	"cutaway/ui/nodes"
	"cutaway/ui/phrase"
	"cutaway/ui/shell"
	"cutaway/ui/task"
	"cutaway/ui/treeview"
)

// Host lists what the card may ask of its document.
type Host struct {
	Target func() decoders.Target     // returns what the document was opened as
	GoTo   func(at model.LocatedSpan) // selects a node and bytes of another reading of the document
	Open   func(file, path string)    // opens a file in a tab, at a node
}

// Pane is the card.
type Pane struct {
	shell.Opened
	host   Host
	Data   *treeview.Forest[*closure.File]
	List   *treeview.Tree
	State  *widget.Label
	Filter *kit.Entry
	Wrong  *kit.Check // only files with errors and warnings are listed
	Help   *widget.Label
	Again  *kit.Button
	Stop   *kit.Button
	bar    *kit.Bar
	Body   *fyne.Container
	page   *fyne.Container

	next    task.Latest
	now     *search // or nil before the first
	listed  int     // files of the search that are listed, or do not fit the filter
	twigs   map[*closure.File]*treeview.Twig[*closure.File]
	Running bool
	failed  error
	by      string // which releases open all files
}

// A search holds the files that were found so far.
type search struct {
	mu    sync.Mutex
	files []*closure.File
	sum   closure.Sum
}

func (s *search) add(f *closure.File) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.files = append(s.files, f)
	s.sum.Add(f)
	return nil
}

// found returns the files, how many there are, and which releases open them.
func (s *search) found() (files []*closure.File, counted, by string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.files[:len(s.files):len(s.files)], s.sum.Counted(), s.sum.OpenedBy()
}

// The columns of the tree.
const (
	byName = iota
	byArc
	byState
	bySize
	byReleases
)

var columns = []treeview.Column{
	byName: {Title: "File", Width: 200, Least: 160, Stretch: 3}, byArc: {Title: "Named as", Width: 80, Quiet: true}, byState: {Title: "What it is", Width: 132, Least: 90, Stretch: 1},
	bySize: {Title: "Size", Width: 80, Least: 60, Mono: true, Right: true}, byReleases: {Title: "Opened by", Width: 116, Least: 16, Stretch: 1, Quiet: true}}

// generalHint is below the tree while no file is selected.
const generalHint = "A click shows the bytes that name a file; a double click or Enter opens it."

// New makes the card of a document; it looks for files when it is shown.
func New(opened shell.Opened, host Host) *Pane {
	p := &Pane{Opened: opened, host: host, State: kit.QuietLabel(""), Help: kit.QuietLabel(generalHint), Body: container.NewStack()}
	p.Data = treeview.ForestOf(func(f *closure.File) treeview.Row {
		if f == nil {
			return treeview.Row{}
		}
		return treeview.Row{Cells: cells(f), Icon: iconOf(f), Dim: f.State == closure.Unknown}
	})
	p.List = treeview.New(p.Ctx, p.Data, columns)
	p.Remember("files", p.List)
	p.List.Chooses = true
	with := func(do func(*closure.File)) func(treeview.Item) {
		return func(it treeview.Item) {
			if f := it.(*treeview.Twig[*closure.File]).One; f != nil {
				do(f)
			}
		}
	}
	p.List.OnSelected, p.List.OnChosen = with(p.choose), with(p.open)
	p.List.OnCopy = with(func(f *closure.File) { p.CopyText(f.Name(), "path") })
	p.Filter = p.NewFilter(p.List, func(string) { p.fill() })
	p.Wrong = kit.NewCheck("Only what is wrong", func(bool) { p.fill() })
	p.Again = kit.IconButton(theme.ViewRefreshIcon(), "Look again", p.Look)
	p.Stop = kit.IconButton(theme.CancelIcon(), "Stop looking", p.next.Stop)
	copyAll := kit.IconButton(theme.ContentCopyIcon(), "Copy the list", p.CopyAll)
	p.bar = kit.NewBar(p.State, p.Filter, p.State, p.Wrong, p.Filter, p.Again, p.Stop, copyAll)
	p.Help.SizeName, p.Help.Wrapping = theme.SizeNameCaptionText, fyne.TextWrapWord
	p.page = container.New(kit.Tight{Yields: true}, p.bar.Box, p.Body, kit.Padded(0, 0, 4, 4, kit.Dense(p.Help)))
	return p
}

// Has reports whether the document can name files.
func (p *Pane) Has() bool { return decoders.FilesOf(p.Doc) != nil && p.host.Target().File != "" }

// Object returns the card, which is then shown.
func (p *Pane) Object() fyne.CanvasObject {
	switch {
	case p.now != nil:
	case p.Doc.Far():
		offer := kit.NewTextButton("Look for the files that it names", p.Look)
		kit.Swap(p.Body, kit.Under(kit.Message("Nothing else was read of the server yet."), container.NewCenter(offer)))
	default:
		p.Look()
	}
	return p.page
}

// TakeKeys gives the keyboard to the tree.
func (p *Pane) TakeKeys() { p.Focus(p.List) }

// mostSeen is the most nodes of a document that are looked at for whether there is a name.
const mostSeen = 5000

var errEnough = errors.New("enough was seen")

// NamesSome reports whether one of the document's first nodes names a file.
func (p *Pane) NamesSome(ctx context.Context) (some bool) {
	left, names := mostSeen, decoders.FilesOf(p.Doc)
	_ = model.Walk(ctx, p.Doc.Views[0].Place(ctx), model.WalkOptions{Fleeting: true, Lean: true}, func(at *model.Place) error {
		left--
		if some = len(names.Of(ctx, &at.Node)) > 0; some || left == 0 {
			return errEnough
		}
		return nil
	})
	return some
}

// Look looks for the files anew.
func (p *Pane) Look() {
	within := p.next.Next(p.Ctx)
	s := &search{}
	p.now, p.Running, p.failed, p.by = s, true, nil, ""
	p.fill()
	target, places := p.host.Target(), p.Store.Assets
	over, end := context.WithCancel(within)
	go p.Tasks.Every(over.Done(), func() func() { return p.grow })
	ended := func(err error) {
		if p.now == s && p.Ctx.Err() == nil {
			p.Running, p.failed = false, err
			p.grow()
			files, counted, _ := s.found()
			p.Log.Write("files", len(files), counted)
		}
	}
	p.Tasks.Always(within, "looking for files", func(ctx context.Context, progress model.Progress) func() {
		defer end()
		err := closure.Find(ctx, target, closure.Options{Places: decoders.ParseAssetPlaces(places), Progress: progress}, s.add)
		return func() { ended(err) }
	}, ended)
}

// fill lists the files of the search that fit the filter.
func (p *Pane) fill() {
	p.listed, p.twigs = 0, make(map[*closure.File]*treeview.Twig[*closure.File])
	p.grow()
}

// grow lists the files that were found since.
func (p *Pane) grow() {
	if p.now == nil {
		return
	}
	files, counted, by := p.now.found()
	begins := len(p.twigs) == 0
	for _, f := range files[p.listed:] {
		if p.fits(f) {
			p.twig(f)
		}
	}
	p.listed = len(files)
	if begins && len(p.twigs) > 0 {
		p.List.Restart()
		p.List.OpenRoot()
	}
	if len(p.twigs) > 0 {
		p.List.Grow()
		p.List.Invalidate() // a row may be a branch now
	}
	p.showState(len(files), counted)
	if p.by != by {
		p.by = by
		p.say("")
	}
}

// mostOpen is the number of files whose branches begin open.
const mostOpen = 300

// twig returns the row of a file, which it adds below that of the file that names it.
func (p *Pane) twig(f *closure.File) *treeview.Twig[*closure.File] {
	t := p.twigs[f]
	if t != nil {
		return t
	}
	t = &treeview.Twig[*closure.File]{One: f, Open: len(p.twigs) < mostOpen}
	if f.Problem != nil {
		t.Mark = nodes.MarkOf(f.Problem.Kind.Severity())
	}
	p.twigs[f] = t
	if f.By == nil {
		p.Data.Set(t)
	} else {
		p.Data.Add(p.twig(f.By), t)
	}
	return t
}

// fits reports whether a file is listed.
func (p *Pane) fits(f *closure.File) bool {
	if p.Wrong.Checked && (f.Problem == nil || f.Problem.Kind.Severity() == model.Note) {
		return false
	}
	return p.Filter.Text == "" || phrase.Holds(p.Filter.Text, cells(f)...)
}

// showState says what is known of the files, and shows the tree or why there is none.
func (p *Pane) showState(n int, text string) {
	none := ""
	switch {
	case p.Running:
		text = "looking… " + text + " so far"
	case errors.Is(p.failed, context.Canceled):
		text = "stopped after " + text
	case p.failed != nil:
		text, none = "", "The files cannot be looked for: "+p.failed.Error()
	case n == 1:
		none = "This " + decoders.FilesOf(p.Doc).Holder + " names no other file."
	}
	if none == "" && len(p.twigs) == 0 {
		if none = "No file fits the filter."; n == 0 {
			none = "looking…"
		}
	}
	p.State.SetText(text)
	kit.SetVisible(p.Again, !p.Running)
	kit.SetVisible(p.Stop, p.Running)
	p.bar.Fit()
	if o := fyne.CanvasObject(p.List); none == "" {
		kit.Swap(p.Body, o)
	} else {
		kit.Swap(p.Body, kit.Message(none))
	}
}

// cells returns the texts of a file's row, by column.
func cells(f *closure.File) []string {
	size := ""
	if f.Size >= 0 {
		size = model.Grouped(f.Size)
	}
	by := releases.OpenedBy(f.Releases)
	if by != "" {
		by = strings.TrimPrefix(by, f.Releases[0].Program+" ") // which the line above says
	}
	return []string{byName: nameOf(f), byArc: f.Arc, byState: f.About(), bySize: size, byReleases: by}
}

// nameOf returns the name of a file from the folder of the first one, or of a member of that in its brackets.
func nameOf(f *closure.File) string {
	t, first, in := f.Target, f.Chain()[0].Target.File, ""
	if t.Inner != "" {
		in = "[" + t.Inner + "]"
	}
	switch {
	case t.File == "":
		return f.Asset
	case f.By != nil && in != "" && t.File == first:
		return in
	}
	name, err := filepath.Rel(filepath.Dir(first), t.File)
	if err != nil || far.IsAddress(t.File) {
		name = t.File
	}
	return name + in
}

// iconOf returns the icon of a file: of a layer, of another one, or of one that is not read.
func iconOf(f *closure.File) fyne.Resource {
	switch {
	case f.State == closure.Missing, f.State == closure.Unknown:
		return nodes.Icons[model.DetailKind]
	case f.State == closure.Cycle:
		return nodes.Icons[model.LinkKind]
	case f.Title != "" || f.By == nil:
		return nodes.Icons[model.GroupKind]
	}
	return nodes.Icons[model.ValueKind]
}

// choose shows the bytes by which the document leads to a file, and says what is wrong with that.
func (p *Pane) choose(f *closure.File) {
	chain := f.Chain()[1:]
	if len(chain) == 0 {
		p.say("")
		return
	}
	var links []string
	for _, link := range chain {
		links = append(links, fmt.Sprintf("%s names %s at %s", nameOf(link.By), link.Asset, phrase.Hex(link.At.Off)))
	}
	text := strings.Join(links, ", ") + "."
	if f.Problem != nil {
		text = phrase.Capital(f.Problem.Error()) + ".  " + text
	}
	p.say(text)
	p.host.GoTo(chain[0].At)
}

// say writes what is said of a file, or "" of all, below the tree.
func (p *Pane) say(text string) {
	if text == "" {
		if text = generalHint; p.by != "" {
			text = phrase.Capital(p.by) + ".  " + generalHint
		}
	}
	p.Help.SetText(text)
	p.page.Layout.Layout(p.page.Objects, p.page.Size()) // the text may take more lines or fewer
}

// open opens a file in a tab, or where there is none the one that names it, at the name.
func (p *Pane) open(f *closure.File) {
	switch {
	case f.By == nil:
	case f.Target.File != "":
		p.host.Open(f.Target.String(), "")
	case far.IsAddress(f.Asset):
		p.host.Open(f.Asset, "")
	case f.By.By == nil:
		p.host.GoTo(f.At)
	default:
		p.host.Open(f.By.Target.String(), f.At.Path)
	}
}

// CopyAll copies the files that are listed, a line each.
func (p *Pane) CopyAll() {
	if p.now == nil {
		return
	}
	text, n := strings.Join([]string{"file", "named as", "state", "size", "opened by", "problem"}, "\t")+"\n", int64(0)
	files, _, _ := p.now.found()
	for _, f := range files {
		if !p.fits(f) {
			continue
		}
		row, problem := cells(f), ""
		if f.Problem != nil {
			problem = f.Problem.Error()
		}
		n++
		text += strings.Join(append(row, problem), "\t") + "\n"
	}
	p.CopyText(text, model.GroupedCount(n, "file"))
}
