package ui

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
	"cutaway/ui/treeview"
)

// shownRefs is how many references to a node are listed.
const shownRefs = 1000

// refRow is one line of the references.
type refRow struct {
	way  string // goesTo, cameBy, alsoHere; "" for a message
	kind string
	ref  model.Ref
}

// The directions of references.
const (
	goesTo   = "goes to"
	cameBy   = "referenced by"
	alsoHere = "also here"
)

// cells is what the row shows.
func (r refRow) cells() []string {
	at := ""
	if r.ref.Span.Source != nil {
		at = phrase.Hex(r.ref.Span.Off)
	}
	return []string{r.way, r.kind, phrase.Target(r.ref), r.ref.Text, at}
}

// refsPane lists what a node refers to and what refers to it.
type refsPane struct {
	d    *detailsPane
	list *treeview.Tree
	data *treeview.Slice[refRow] // those that the filter lets through

	head   *widget.Label
	filter *kit.Entry
	page   fyne.CanvasObject

	path   string // of the node
	all    []refRow
	count  int64 // with those that are not listed
	total  int64 // that come to the node
	others int64 // nodes of the view with the byte that was clicked
	busy   bool
	later  func() // looks for what comes to the node; nil: it is being done, or was
}

func newRefsPane(d *detailsPane) *refsPane {
	r := &refsPane{d: d, head: widget.NewLabel("")}
	r.data = treeview.SliceOf(func(r refRow) treeview.Row { return treeview.Row{Cells: r.cells()} })
	r.list = d.s.NewList(d.s.Ctx, "references", r.data, []treeview.Column{
		{Title: "Direction", Width: 110, Quiet: true}, {Title: "Link", Width: 90, Quiet: true}, {Title: "Node", Width: 160, Stretch: 2},
		{Title: "Text", Width: 120, Stretch: 1}, {Title: "Offset", Width: 90, Mono: true, Right: true}})
	r.list.OnChosen = func(it treeview.Item) {
		if row, ok := r.data.At(it); ok && row.way != "" {
			d.s.Follow(row.ref)
		}
	}
	r.list.OnFollow = func(it treeview.Item, _ fyne.Position) { r.list.OnChosen(it) }
	r.head.Importance, r.head.Truncation = widget.LowImportance, fyne.TextTruncateEllipsis
	r.filter = d.s.NewFilter(r.list, r.apply)
	hint := widget.NewLabel("Double click or Enter goes there.")
	hint.Importance, hint.SizeName = widget.LowImportance, theme.SizeNameCaptionText
	r.page = container.NewBorder(kit.FilterBar(r.head, r.filter), hint, nil, nil, r.list)
	return r
}

// panel is the tab of the references.
func (r *refsPane) panel() panel {
	return panel{r.title, func() fyne.CanvasObject {
		if later := r.later; later != nil {
			r.later = nil
			later()
		}
		if len(r.all) == 0 && !r.busy {
			return kit.Message("Nothing refers to this node, and it refers to nothing.")
		}
		return r.page
	}}
}

func (r *refsPane) title() string {
	text := "References"
	if r.count > 0 {
		text += " " + model.Grouped(r.count)
	}
	if r.busy {
		text += " …"
	}
	return text
}

// set lists the references of a node: those it has at once, those that come to it when they are found.
func (r *refsPane) set(p *model.Place, out []model.Ref, others owners) {
	d := r.d
	var rows []refRow
	for _, path := range others.paths {
		rows = append(rows, refRow{alsoHere, "same byte", model.Ref{Path: path}})
	}
	for _, ref := range out {
		rows = append(rows, refRow{goesTo, ref.Kind, ref})
	}
	r.busy, r.later, r.others = false, nil, others.total
	if d.s.Doc.ReferencedBy != nil {
		look := func() { r.lookBack(p, rows) }
		if p.Parent == nil && d.shown != tabReferences {
			r.later = look // a root is selected when a file is opened, which reads no more than it must
		} else {
			look()
		}
	}
	r.filter.SetText("")
	r.path = p.Path()
	r.show(rows, 0)
}

// lookBack looks for the references that come to a node, and lists them behind rows.
func (r *refsPane) lookBack(p *model.Place, rows []refRow) {
	d := r.d
	r.busy = true
	about := d.s.about
	d.s.Tasks.After(about, refsAfter, func() { // who goes through rows wants none of this
		d.s.Tasks.Go(about, "looking for references", func(ctx context.Context, progress model.Progress) func() {
			in, total, err := d.s.Doc.ReferencedBy(ctx, p, shownRefs, progress)
			return func() {
				r.busy = false
				for _, ref := range in {
					rows = append(rows, refRow{cameBy, ref.Kind, ref})
				}
				if err != nil {
					rows = append(rows, refRow{"", "", model.Ref{Text: "not all were found: " + err.Error()}})
				}
				r.show(rows, total)
				d.s.Log.Write("done", "references")
			}
		})
	})
}

// refsAfter is how long a node is selected before references to it are looked for.
const refsAfter = 120 * time.Millisecond

// show lists rows; total is how many references come to the node, of which rows may hold the first only.
func (r *refsPane) show(rows []refRow, total int64) {
	r.all, r.total = rows, total
	r.count = total + r.others
	for _, row := range rows {
		if row.way == goesTo {
			r.count++
		}
	}
	r.head.SetText(r.summary())
	r.apply(r.filter.Text)
	if d := r.d; d.shown == tabReferences {
		d.again()
	} else {
		d.showTabs()
	}
}

// apply lists the rows that hold what is typed.
func (r *refsPane) apply(text string) {
	rows := r.all
	if text != "" {
		rows = slices.DeleteFunc(slices.Clone(rows), func(row refRow) bool { return !phrase.Holds(text, row.cells()...) })
	}
	r.data.Set(rows)
	r.list.Recount()
}

// summary counts the references by direction and kind: "Goes to 1 (value)  ·  referenced by 7 (field × 4, spec × 3)".
func (r *refsPane) summary() string {
	var parts []string
	for _, way := range []string{alsoHere, goesTo, cameBy} {
		var kinds []string
		counts := make(map[string]int64)
		listed := int64(0)
		for _, row := range r.all {
			if row.way != way {
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
		case cameBy:
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
	if r.busy {
		parts = append(parts, "looking for more…")
	}
	return phrase.Capital(strings.Join(parts, "  ·  "))
}
