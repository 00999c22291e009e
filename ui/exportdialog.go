package ui

import (
	"context"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"cutaway/model"
	"cutaway/model/export"
	"cutaway/ui/kit"
	"cutaway/ui/phrase"
	"cutaway/ui/shell"
	"cutaway/ui/sysdialog"
	"cutaway/ui/task"
	"cutaway/ui/treeview"
)

// exportDialog asks in which form nodes are written, and where to; it shows the beginning and the size first.
type exportDialog struct {
	s       *session
	places  []*model.Place
	refused map[*export.Form]string // why a form does not suit
	form    *export.Form
	depth   int // levels below each node; negative: all
	ctx     context.Context
	stop    context.CancelFunc // with the dialog

	modal     *shell.Modal
	forms     *treeview.Tree
	shown     *treeview.Slice[string] // lines of the preview
	preview   *treeview.Tree
	whole     *widget.Check
	elements  *widget.Check
	check     *widget.Check // a report of everything, not only of what is known
	levels    *kit.Entry
	below     fyne.CanvasObject // the entry for levels, with its words
	size      *widget.Label
	path      *kit.Entry
	browse    *widget.Button
	proposed  string // path that the user did not choose
	told      *widget.Label
	progress  *widget.ProgressBar // where it is known how much there is
	total     int64               // bytes; 0 while not known
	cancel    *widget.Button
	copy      *widget.Button
	save      *widget.Button
	looking   task.Latest        // the preview and the counting
	writing   context.CancelFunc // nil: nothing is written
	replacing string             // the file that the user has agreed to replace
}

// Sizes of the dialog, and how far it stays from the window's edges.
const (
	exportWidth, exportHeight         = 880, 560
	exportLeastWidth, exportLeast     = 420, 260
	exportMargin, exportTitlesButtons = 70, 130
	formsWidth                        = 170
)

func newExportDialog(s *session, places []*model.Place, refused map[*export.Form]string, form *export.Form) *exportDialog {
	d := &exportDialog{s: s, places: places, refused: refused, depth: -1}
	d.ctx, d.stop = context.WithCancel(s.ctx)
	d.form = d.firstForm(form)
	d.makeForms()
	d.makePreview()
	options := d.makeOptions()
	d.size = widget.NewLabel("")
	d.size.Truncation = fyne.TextTruncateEllipsis
	d.told = widget.NewLabel("")
	d.told.Wrapping = fyne.TextWrapWord
	d.progress = widget.NewProgressBar()
	d.progress.Hide()
	d.path = kit.NewEntry(d.escape)
	d.path.OnChanged = func(string) { d.aimed() }
	d.path.OnSubmitted = func(string) { d.start() }
	d.browse = widget.NewButton("Browse…", d.askWhere)
	what := widget.NewLabel(s.exportedText(places))
	what.TextStyle.Monospace = len(places) > 0
	what.Truncation = fyne.TextTruncateEllipsis

	to := container.NewBorder(nil, nil, widget.NewLabel("Save as"), d.browse, d.path)
	bottom := container.NewVBox(options, d.size, to, d.told, d.progress)
	left := kit.FixedWidth(formsWidth, d.forms)
	room := s.Win.Canvas().Size()
	box := container.NewGridWrap(fyne.NewSize(max(min(exportWidth, room.Width-exportMargin), exportLeastWidth),
		max(min(exportHeight, room.Height-exportTitlesButtons), exportLeast)),
		container.NewBorder(what, bottom, nil, nil, container.New(layout.NewCustomPaddedLayout(0, 4, 6, 0),
			container.NewBorder(nil, nil, container.NewBorder(nil, nil, nil, widget.NewSeparator(), left), nil, d.preview))))
	title := "Export"
	switch n := len(places); {
	case n == 0:
		title = "Save report"
	case n > 1:
		title = "Export " + model.GroupedCount(int64(n), "node")
	}
	keep := func(act func()) func() bool { return func() bool { act(); return false } }
	d.modal = s.ShowModal(title, nil, box, 0, shell.Button{Text: "Cancel", Act: keep(d.escape)}, shell.Button{Text: "Copy", Act: keep(d.copyAll)},
		shell.Button{Text: "Export", Main: true, Act: keep(d.start)})
	d.modal.Escape = d.escape
	d.cancel, d.copy, d.save = d.modal.Buttons[0], d.modal.Buttons[1], d.modal.Buttons[2]
	d.choose(d.form)
	d.forms.SelectIndex(int64(d.index()), true)
	s.Focus(d.forms)
	d.tellPlaces()
	return d
}

// firstForm is the wanted form if it suits, else the first that does.
func (d *exportDialog) firstForm(want *export.Form) *export.Form {
	if want != nil && d.refused[want] == "" {
		return want
	}
	for _, f := range export.Forms {
		if d.refused[f] == "" {
			return f
		}
	}
	return export.Forms[0]
}

func (d *exportDialog) index() int {
	for i, f := range export.Forms {
		if f == d.form {
			return i
		}
	}
	return 0
}

func (d *exportDialog) makeForms() {
	data := treeview.SliceOf(func(f *export.Form) treeview.Row {
		return treeview.Row{Cells: []string{f.Title}, Dim: d.refused[f] != ""}
	})
	data.Set(export.Forms)
	d.forms = d.s.NewList(d.ctx, "", data, []treeview.Column{{Title: "Form", Width: 120, Stretch: 1}})
	d.forms.OnEscape = d.escape
	d.forms.OnSelected = func(it treeview.Item) {
		if f, ok := data.At(it); ok {
			d.choose(f)
		}
	}
	d.forms.OnChosen = func(treeview.Item) { d.s.Focus(d.path) }
}

func (d *exportDialog) makePreview() {
	d.shown = treeview.SliceOf(func(line string) treeview.Row { return treeview.Row{Cells: []string{line}} })
	d.preview = d.s.NewList(d.ctx, "", d.shown, []treeview.Column{{Title: "Preview", Width: 200, Mono: true}})
	d.preview.OnEscape = d.escape
}

func (d *exportDialog) makeOptions() fyne.CanvasObject {
	again := func(bool) { d.look() }
	d.whole = widget.NewCheck("Long arrays whole", again)
	d.elements = widget.NewCheck("Array elements as nodes", again)
	d.check = widget.NewCheck("Decode and check the whole file", again)
	d.check.Checked = true
	d.levels = kit.NewEntry(d.escape)
	d.levels.SetPlaceHolder("all")
	d.levels.OnChanged = func(text string) {
		n, err := strconv.Atoi(strings.TrimSpace(text))
		if err != nil || n < 0 {
			n = -1
		}
		if n != d.depth {
			d.depth = n
			d.look()
		}
	}
	d.below = container.NewHBox(widget.NewLabel("Levels below"), kit.FixedWidth(64, d.levels))
	return container.NewHBox(d.whole, d.elements, d.below, d.check)
}

// choose takes a form: its options are shown, the path gets its ending, and the preview is made anew.
func (d *exportDialog) choose(f *export.Form) {
	d.tell("", widget.MediumImportance)
	if ext := filepath.Ext(d.path.Text); d.path.Text == d.proposed {
		d.proposed = d.s.exportPath(f, d.places)
		d.path.SetText(d.proposed)
	} else if ext == d.form.Extension {
		d.path.SetText(strings.TrimSuffix(d.path.Text, ext) + f.Extension)
	}
	d.form = f
	kit.SetVisible(d.whole, f.Shortens)
	kit.SetVisible(d.elements, f.Nests)
	kit.SetVisible(d.below, f.Nests)
	kit.SetVisible(d.check, f.Document)
	d.aimed()
	d.look()
}

// aimed follows a change of the path: a file that would be replaced is told of.
func (d *exportDialog) aimed() {
	info, err := os.Stat(d.path.Text)
	switch {
	case export.Reads(d.s.target().File, d.s.Doc, d.path.Text):
		d.save.SetText("Replace")
		d.tell(filepath.Base(d.path.Text)+" is open here, and is never changed: give another name.", widget.WarningImportance)
	case err == nil && info.Mode().IsRegular() && d.path.Text != d.replacing:
		d.save.SetText("Replace")
		d.tell(filepath.Base(d.path.Text)+" is there already and will be replaced.", widget.WarningImportance)
	default:
		if d.save.Text != "Export" {
			d.tell("", widget.MediumImportance)
		}
		d.save.SetText("Export")
	}
	d.allow()
}

// allow enables what can be done now.
func (d *exportDialog) allow() {
	able := map[fyne.Disableable]bool{d.save: d.refused[d.form] == "" && d.path.Text != "", d.copy: d.refused[d.form] == "" && !d.form.Binary && !d.form.Document,
		d.path: true, d.browse: true, d.whole: true, d.elements: true, d.levels: true, d.check: true}
	for o, yes := range able {
		if yes && d.writing == nil {
			o.Enable()
		} else {
			o.Disable()
		}
	}
}

// tell says what is to be known about the export.
func (d *exportDialog) tell(text string, importance widget.Importance) {
	d.told.Importance = importance
	d.told.SetText(text)
}

// askWhere asks for the file with the system's dialog, or for the folder within the window where there is none.
func (d *exportDialog) askWhere() {
	dir, name := filepath.Split(d.path.Text)
	go func() {
		path, err := sysdialog.SaveFile("Export", dir, name)
		d.s.Post(func() {
			switch {
			case d.ctx.Err() != nil:
			case err != nil:
				d.s.w.askForFile("Folder to save in", nil, true, func(dir string) { d.path.SetText(filepath.Join(dir, name)) })
			case path != "":
				if filepath.Ext(path) == "" {
					path += d.form.Extension
				} else {
					d.replacing = path // the system's dialog has asked
				}
				d.path.SetText(path)
			}
		})
	}()
}

// escape ends the writing, or the dialog.
func (d *exportDialog) escape() {
	if d.writing != nil {
		d.writing()
		return
	}
	d.hide()
}

func (d *exportDialog) hide() {
	d.stop()
	d.modal.Hide()
	d.s.FocusTree()
}

// tellPlaces tells an end-to-end test where the entry and the button are, once they are on the screen.
func (d *exportDialog) tellPlaces() {
	d.s.LogLater(2*task.ShownAfter, func() {
		if d.ctx.Err() != nil {
			return
		}
		at := func(o fyne.CanvasObject) (x, y float32) {
			p := fyne.CurrentApp().Driver().AbsolutePositionForObject(o)
			return p.X + o.Size().Width/2, p.Y + o.Size().Height/2
		}
		ex, ey := at(d.path)
		bx, by := at(d.save)
		fx, fy := at(d.forms)
		d.s.Log.Write("export-dialog", d.form.Name, len(d.places), ex, ey, bx, by, fx, fy)
	})
}

// showDone tells of a file that was written, above the panes.
func (s *session) showDone(path string, n int64) {
	done := widget.NewIcon(theme.NewSuccessThemedResource(theme.ConfirmIcon()))
	s.setNotice(done, widget.NewLabel(phrase.Bytes(n)+" written to "+phrase.Short(path, 100)), layout.NewSpacer(),
		widget.NewButton("Copy path", func() { s.App.Clipboard().SetContent(path) }))
}
