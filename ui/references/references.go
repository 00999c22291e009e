// Package references lists the references from a node and to a node.
package references

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"cutaway/model"
	"cutaway/ui/kit"
	"cutaway/ui/phrase"
	"cutaway/ui/shell"
	"cutaway/ui/treeview"
)

// Limits on the listed references to a node.
const (
	ShownRefs = 1000
	shownFar  = 50 // in a file of a server, where each may need a request
)

// most returns the limit on references that are listed, and on those whose offsets are found.
func (r *Pane) most() int {
	if r.Doc.Far() {
		return shownFar
	}
	return ShownRefs
}

// A refRow is a row of the list.
type refRow struct {
	Direction string // goesTo, CameBy or alsoHere, or "" for a message
	kind      string
	Ref       model.Ref
	at        model.Span // the first bytes of the node at Ref.Path, once they are known
}

// The directions of references.
const (
	goesTo   = "goes to"
	CameBy   = "referenced by"
	alsoHere = "also here"
)

// cells returns the texts of the row.
func (r refRow) cells() []string {
	at := ""
	switch {
	case r.Ref.Span.Source != nil:
		at = phrase.Offset(r.Ref.Span)
	case r.at.Source != nil:
		at = phrase.Offset(r.at)
	}
	return []string{r.Direction, r.kind, phrase.Target(r.Ref), r.Ref.Text, at}
}

// Host lists the functions of its document that the references may call.
type Host struct {
	Follow            func(r model.Ref)                 // selects the target of a reference
	Selection         func() context.Context            // returns a context that ends when another node is selected
	ReferencesInFront func() bool                       // reports whether the list is in front
	ShowTitles        func()                            // updates the titles of the tabs
	ShowTab           func()                            // updates the tab in front, and the titles
	Found             func(in []model.Ref, total int64) // reports references to the node
}

// A Pane lists the references from the selected node, those to the node, and other nodes at the clicked byte.
type Pane struct {
	shell.Opened
	host Host
	List *treeview.Tree
	Data *treeview.Slice[refRow] // the rows that match the filter

	Head   *widget.Label
	bar    *kit.Bar
	Filter *kit.Entry
	page   fyne.CanvasObject

	Path      string // of the node
	all       []refRow
	Count     int64 // of references, listed or not
	total     int64 // of references to the node
	others    int64 // nodes of the view with the byte that was clicked
	Busy      bool
	Postponed func() // searches for references to the node, or nil if nothing is postponed
	located   bool   // the search for offsets has begun
}

// listName is the name by which the widths of the columns are kept.
const listName = "references"

// columns are those of the list. Few references have a text.
var columns = []treeview.Column{
	{Title: "Direction", Width: 90, Least: 76, Quiet: true}, {Title: "Link", Width: 70, Least: 44, Quiet: true}, {Title: "Node", Width: 160, Least: 150, Stretch: 2},
	textColumn: {Title: "Text", Width: 90, Least: 16, Stretch: 1}, {Title: "Offset", Width: 90, Least: 60, Mono: true, Stretch: 1}}

const textColumn = 3

// New makes the pane of a document. Set fills it.
func New(opened shell.Opened, host Host) *Pane {
	r := &Pane{Opened: opened, host: host, Head: kit.QuietLabel("")}
	r.Data = treeview.SliceOf(func(r refRow) treeview.Row { return treeview.Row{Cells: r.cells()} })
	r.List = r.NewList(r.Ctx, listName, r.Data, columns)
	r.List.OnChosen = r.Data.With(func(row refRow) {
		if row.Direction != "" {
			host.Follow(row.Ref)
		}
	})
	r.List.OnFollow = func(it treeview.Item, _ fyne.Position) { r.List.OnChosen(it) }
	r.Filter = r.NewFilter(r.List, r.apply)
	hint := kit.QuietLabel("Double click or Enter goes there.")
	hint.SizeName = theme.SizeNameCaptionText
	r.bar = kit.NewBar(r.Head, r.Filter, r.Head, r.Filter)
	r.page = container.New(kit.Tight{Yields: true}, r.bar.Box, r.List, hint)
	return r
}

// Object returns the pane's object, which is then shown. It begins the search for references to a root, and to nodes in
// a file of a server, which Set postpones.
func (r *Pane) Object() fyne.CanvasObject {
	if look := r.Postponed; look != nil {
		r.Postponed = nil
		look()
	}
	r.locate()
	if len(r.all) == 0 && !r.Busy {
		return kit.Message("Nothing refers to this node, and it refers to nothing.")
	}
	return r.page
}

// Title returns the title of the tab.
func (r *Pane) Title() string {
	text := "References"
	if _, known := r.Referrers(r.Path); r.Count > 0 || known && r.Path != "" && len(r.all) == 0 {
		text += " " + model.Grouped(r.Count)
	}
	if r.Busy {
		text += " …"
	}
	return text
}

// Set lists the references of a node: those from the node at once, those to the node when they are found.
func (r *Pane) Set(p *model.Place, out []model.Ref, others Owners) {
	var rows []refRow
	for _, path := range others.Paths {
		rows = append(rows, refRow{Direction: alsoHere, kind: "same byte", Ref: model.Ref{Path: path}})
	}
	for _, ref := range out {
		rows = append(rows, refRow{Direction: goesTo, kind: ref.Kind, Ref: ref})
	}
	r.Busy, r.Postponed, r.others = false, nil, others.Total
	if r.Doc.ReferencedBy != nil {
		look := func() { r.lookBack(p, rows) }
		if (p.Parent == nil || r.Doc.Far()) && !r.host.ReferencesInFront() {
			r.Postponed = look // opening a file selects its root and should read little, and a file of a server is slow
		} else {
			look()
		}
	}
	r.Filter.SetText("")
	r.Path = p.Path()
	r.show(rows, 0)
}

// Wait shows that the references of a node are not known yet.
func (r *Pane) Wait(p *model.Place) {
	r.Busy, r.Postponed, r.others, r.Path = true, nil, 0, p.Path()
	r.Filter.SetText("")
	r.show(nil, 0)
}

// lookBack searches for the references to a node, and lists them after rows.
func (r *Pane) lookBack(p *model.Place, rows []refRow) {
	r.Busy = true
	about := r.host.Selection()
	r.Tasks.After(about, refsAfter, func() { // not for each row that is passed on the way to another
		r.Tasks.Go(about, "looking for references", func(ctx context.Context, progress model.Progress) func() {
			in, total, err := r.Doc.ReferencedBy(ctx, p, r.most(), progress)
			return func() {
				r.Busy = false
				for _, ref := range in {
					rows = append(rows, refRow{Direction: CameBy, kind: ref.Kind, Ref: ref})
				}
				if err != nil {
					rows = append(rows, refRow{Ref: model.Ref{Text: "not all were found: " + err.Error()}})
				}
				r.show(rows, total)
				r.host.Found(in, total)
				r.Log.Write("done", "references")
			}
		})
	})
}

// refsAfter is the time that a node must stay selected before the search for references begins.
const refsAfter = 120 * time.Millisecond

// show lists rows. total is the number of references to the node, which may be more than rows has.
func (r *Pane) show(rows []refRow, total int64) {
	r.all, r.total, r.located = rows, total, false
	var hidden []int
	if !slices.ContainsFunc(rows, func(row refRow) bool { return row.Ref.Text != "" }) {
		hidden = []int{textColumn}
	}
	r.ShowColumns(listName, r.List, columns, hidden...)
	r.Count = total + r.others
	for _, row := range rows {
		if row.Direction == goesTo {
			r.Count++
		}
	}
	r.Head.SetText(r.summary())
	r.bar.Fit()
	r.apply(r.Filter.Text)
	if r.host.ReferencesInFront() {
		r.host.ShowTab()
	} else {
		r.host.ShowTitles()
	}
}

// locate finds the offsets of references that only have a path. It runs once the list is shown.
func (r *Pane) locate() {
	if r.located {
		return
	}
	r.located = true
	rows, about := r.all, r.host.Selection()
	r.Tasks.Go(about, "", func(ctx context.Context, _ model.Progress) func() {
		found := slices.Clone(rows)
		for i := range min(len(found), r.most()) {
			ref := &found[i].Ref
			if ref.Span.Source != nil || ref.Path == "" || ref.File != "" {
				continue
			}
			if p, err := r.Doc.Lookup(ctx, ref.Path); err == nil && len(p.Node.Spans) > 0 {
				found[i].at = p.Node.Spans[0]
			}
			if ctx.Err() != nil {
				return nil
			}
		}
		return func() {
			if len(r.all) == len(rows) && len(rows) > 0 && &r.all[0] == &rows[0] { // the list is still the same
				r.all = found
				r.apply(r.Filter.Text)
			}
		}
	})
}

// Referrers returns the number of references to the node at a path, if that is known.
func (r *Pane) Referrers(path string) (n int64, known bool) {
	return r.total, r.Path == path && !r.Busy && r.Postponed == nil
}

// apply lists the rows that contain text.
func (r *Pane) apply(text string) {
	rows := r.all
	if text != "" {
		rows = slices.DeleteFunc(slices.Clone(rows), func(row refRow) bool { return !phrase.Holds(text, row.cells()...) })
	}
	r.Data.Set(rows)
	r.List.Recount()
}

// summary counts the references by direction and kind: "Goes to 1 (value)  ·  referenced by 7 (field × 4, spec × 3)".
func (r *Pane) summary() string {
	var parts []string
	for _, way := range []string{alsoHere, goesTo, CameBy} {
		var kinds []string
		counts := make(map[string]int64)
		listed := int64(0)
		for _, row := range r.all {
			if row.Direction != way {
				continue
			}
			if counts[row.kind] == 0 {
				kinds = append(kinds, row.kind)
			}
			counts[row.kind]++
			listed++
		}
		n := listed
		switch way {
		case CameBy:
			n = max(n, r.total)
		case alsoHere:
			n = r.others
		}
		if n == 0 {
			continue
		}
		if len(kinds) > 1 {
			for i, k := range kinds {
				kinds[i] = k + " × " + model.Grouped(counts[k])
			}
		}
		text := way + " " + model.Grouped(n)
		if way != alsoHere {
			text += " (" + strings.Join(kinds, ", ") + ")"
		}
		if n > listed {
			text += fmt.Sprintf(", the first %s listed", model.Grouped(listed))
		}
		parts = append(parts, text)
	}
	switch {
	case r.Busy && len(parts) == 0:
		parts = append(parts, "looking for references…")
	case r.Busy:
		parts = append(parts, "looking for more…")
	}
	return phrase.Capital(strings.Join(parts, "  ·  "))
}

// Owners are the other nodes of the view with the byte that was clicked.
type Owners struct {
	Paths []string // of the first
	Total int64    // of all
}
