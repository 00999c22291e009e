package compare

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"

	"cutaway/decoders"
	"cutaway/hexview"
	"cutaway/model"
	"cutaway/model/diff"
	"cutaway/ui/kit"
	"cutaway/ui/phrase"
	"cutaway/ui/shell"
	"cutaway/ui/treeview"
)

// mostPanes is the number of files whose bytes are shown. The list compares all.
const mostPanes = 4

// Several compares the bytes of several files of one kind in a tab. All its methods belong on the UI goroutine.
type Several struct {
	*shell.Page
	names  []string
	docs   []*model.Document
	status *widget.Label
	same   *kit.Check // lists constant bytes too
	all    []*diff.Field
	data   *treeview.Slice[*diff.Field]
	list   *treeview.Tree
	panes  []*hexview.View
	moving bool // the bytes are scrolled by the program
}

// NewSeveral compares files of any format on a page.
func NewSeveral(page *shell.Page, names []string) *Several {
	p := &Several{Page: page, names: names, status: widget.NewLabel("Reading all…")}
	p.Name = model.GroupedCount(int64(len(names)), "file") + " side by side"
	p.status.Truncation = fyne.TextTruncateEllipsis
	p.same = kit.NewCheck("Constant bytes", func(bool) { p.sift() })
	p.same.Checked = true
	p.makeList()
	previous, next := stepButtons(p.Step)
	split := container.NewVSplit(p.list, p.makePanes())
	split.Offset = 0.5
	p.Object.Add(kit.Under(kit.Border(nil, nil, container.NewHBox(previous, next, p.same), nil, p.status), split))
	p.begin()
	return p
}

// End ends the comparison and closes the documents.
func (p *Several) End() {
	p.Page.End()
	p.close()
}

// close closes the documents, which were only read.
func (p *Several) close() {
	for _, d := range p.docs {
		_ = d.Close()
	}
	p.docs = nil
}

func (p *Several) makeList() {
	p.data = treeview.SliceOf(func(f *diff.Field) treeview.Row {
		return treeview.Row{Cells: []string{phrase.Hex(f.Off), model.Grouped(f.Len), f.Type, f.What(), p.shown(f)}, Dim: f.Sort == diff.Constant}
	})
	p.list = p.NewList(p.Ctx, "together", p.data, []treeview.Column{{Title: "Offset", Width: 100, Mono: true}, {Title: "Bytes", Width: 80, Mono: true, Right: true},
		{Title: "Type", Width: 70}, {Title: "What", Width: 280, Stretch: 1}, {Title: "Values", Width: 320, Mono: true, Stretch: 2}})
	p.list.OnSelected = func(it treeview.Item) {
		if f, ok := p.data.At(it); ok {
			p.show(f)
		}
	}
}

// makePanes makes panes for the bytes of the first files.
func (p *Several) makePanes() fyne.CanvasObject {
	var columns []fyne.CanvasObject
	for i, name := range p.names[:min(len(p.names), mostPanes)] {
		hex := hexview.New()
		hex.SetPost(p.Post)
		hex.SetMode(p.Store.Unfolded())
		hex.OnScroll = func(off, _ int64) { p.follow(i, off) }
		p.panes = append(p.panes, hex)
		title := widget.NewLabelWithStyle(filepath.Base(name), fyne.TextAlignLeading, fyne.TextStyle{Bold: true})
		title.Truncation = fyne.TextTruncateEllipsis
		columns = append(columns, kit.Under(title, hex))
	}
	return container.NewGridWithColumns(len(columns), columns...)
}

// follow scrolls the other panes along.
func (p *Several) follow(from int, off int64) {
	if p.moving {
		return
	}
	p.moving = true
	defer func() { p.moving = false }()
	for i, hex := range p.panes {
		if i != from {
			hex.ScrollTo(off)
		}
	}
}

// begin opens and compares the files.
func (p *Several) begin() {
	names := p.names
	p.Tasks.Always(p.Ctx, "holding side by side", func(ctx context.Context, progress model.Progress) func() {
		docs, fields, err := hold(ctx, names, progress)
		return func() {
			p.docs = docs
			if p.Ctx.Err() != nil { // the tab was closed meanwhile
				p.close()
				return
			}
			if len(docs) < len(names) {
				p.status.SetText(phrase.Sentence(err))
				return
			}
			p.found(fields, err)
		}
	}, func(err error) { p.status.SetText(phrase.Sentence(err)) })
}

// hold opens files as bytes and compares them. It also returns what it found before an error.
func hold(ctx context.Context, names []string, progress model.Progress) (docs []*model.Document, fields []*diff.Field, err error) {
	var opt decoders.OpenOptions
	opt.Format = decoders.PlainBytes
	var spans []model.Span
	for _, name := range names {
		d, err := decoders.OpenFile(ctx, name, opt)
		if err != nil {
			return docs, nil, err
		}
		docs = append(docs, d)
		spans = append(spans, d.Source().Whole())
	}
	err = diff.Together(ctx, spans, progress, func(f *diff.Field) error {
		if fields = append(fields, f); len(fields) == mostChanges {
			return errEnough
		}
		return nil
	})
	return docs, fields, err
}

// found shows the fields. err says why they may not be all.
func (p *Several) found(fields []*diff.Field, err error) {
	p.all = fields
	for i, hex := range p.panes {
		hex.SetSource(p.docs[i].Source())
	}
	var constant int64
	known := 0
	for _, f := range fields {
		switch f.Sort {
		case diff.Constant:
			constant += f.Len
		case diff.Varies:
		default:
			known++
		}
	}
	text := fmt.Sprintf("%s the same in all; %s", model.GroupedCount(constant, "byte"), model.GroupedCount(int64(known), "number"))
	switch {
	case errors.Is(err, errEnough):
		text += "; there are more"
	case err != nil:
		text += " so far; stopped"
	}
	if name, longer := p.shortest(); longer {
		text += "; up to the end of " + name + ", the shortest"
	}
	if more := len(p.names) - len(p.panes); more > 0 {
		text += fmt.Sprintf("; below the bytes of the first %d", len(p.panes))
	}
	p.status.SetText(text)
	p.Log.Write("together", len(fields), known)
	p.sift()
	p.TakeKeys()
}

// shortest returns the name of the shortest file, and whether another is longer.
func (p *Several) shortest() (name string, longer bool) {
	least, most := 0, 0
	for i, d := range p.docs {
		if size := d.Source().Size(); size < p.docs[least].Source().Size() {
			least = i
		} else if size > p.docs[most].Source().Size() {
			most = i
		}
	}
	return filepath.Base(p.names[least]), p.docs[most].Source().Size() > p.docs[least].Source().Size()
}

// sift lists the fields, with constant bytes or without.
func (p *Several) sift() {
	fields := p.all
	if !p.same.Checked {
		fields = slices.DeleteFunc(slices.Clone(fields), func(f *diff.Field) bool { return f.Sort == diff.Constant })
	}
	p.data.Set(fields)
	p.list.Recount()
	p.list.Invalidate()
}

// shown returns the numbers of all files at a field, or the bytes of the first file.
func (p *Several) shown(f *diff.Field) string {
	const few, fewBytes = 12, 32
	if f.Values == nil {
		return model.Show(p.Ctx, model.Blob{Span: p.docs[0].Source().Span(f.Off, f.Len)}, fewBytes)
	}
	var list []string
	for _, n := range f.Values[:min(len(f.Values), few)] {
		list = append(list, strconv.FormatUint(n, 10))
	}
	return strings.Join(list, ", ")
}

// show shows the bytes of a field in all panes.
func (p *Several) show(f *diff.Field) {
	p.moving = true
	defer func() { p.moving = false }()
	for _, hex := range p.panes {
		hex.SetRanges(hexview.Ranges{Selected: []hexview.Range{{Off: f.Off, Len: f.Len}}})
		hex.SetCursor(f.Off)
		hex.Reveal(f.Off, 1)
	}
}

// Step goes to the next field that varies, or with -1 to the one before, around the ends.
func (p *Several) Step(by int) {
	fields := p.data.All()
	n := int64(len(fields))
	at, selected := p.list.Selected().(int64)
	if !selected && by > 0 {
		at = -1
	}
	for range n {
		if at = (at + int64(by) + n) % n; fields[at].Sort != diff.Constant {
			p.list.SelectIndex(at, false)
			p.show(fields[at])
			return
		}
	}
}
