package export

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"cutaway/model"
	"cutaway/model/export"
	"cutaway/ui/disk"
	"cutaway/ui/files"
	"cutaway/ui/kit"
	"cutaway/ui/shell"
	"cutaway/ui/task"
	"cutaway/ui/treeview"
)

// A Dialog asks for the form and the path of an export. It shows a preview and the size.
type Dialog struct {
	*Exporter
	places  []*model.Place
	refused map[*export.Form]string // why a form does not suit
	many    map[*export.Form]bool   // forms of several files in a folder
	timed   map[*export.Form]bool   // forms that can be limited to times
	media   bool                    // the nodes are pictures or sounds
	forms   []*export.Form          // the listed ones
	Form    *export.Form
	verb    string // the text of the main button
	depth   int    // levels below each node, or a negative number for all
	Until   context.Context
	stop    context.CancelFunc // with the dialog

	modal     *shell.Modal
	Forms     *treeview.Tree
	Shown     *treeview.Slice[string] // lines of the preview
	preview   *treeview.Tree
	Whole     *kit.Check
	Elements  *kit.Check
	Check     *kit.Check // a report checks the whole file first
	Levels    *kit.Entry
	below     fyne.CanvasObject // the entry for levels, with its words
	From, To  *kit.Entry        // times
	times     fyne.CanvasObject // their entries, with their words
	Some      *kit.Entry        // the rows that are wanted
	rows      fyne.CanvasObject // the entry, with its words
	Size      *widget.Label
	Path      *kit.Entry
	browse    *kit.TextButton
	Proposed  string // the path that the program proposed last
	Told      *widget.Label
	progress  *widget.ProgressBar // if total is known
	total     int64               // bytes, or 0 if unknown
	cancel    *kit.TextButton
	Copy      *kit.TextButton
	Save      *kit.TextButton
	looking   task.Latest        // the preview and the counting
	Writing   context.CancelFunc // ends the writing, or nil if nothing is written
	replacing string             // the file that the user lets the export replace
}

// Measures of the dialog, unless the window is too small.
const (
	exportWidth, exportHeight = 880, 560
	formsPads                 = 34 // beside the names of the forms, for a cell and a scroll bar
)

// replaceWord is the text of the button if the file exists.
const replaceWord = "Replace"

// NewDialog shows the dialog for some places.
func NewDialog(x *Exporter, places []*model.Place, suits Suitable, form *export.Form) *Dialog {
	d := &Dialog{Exporter: x, places: places, refused: suits.Refused, many: suits.Many, timed: suits.Timed, media: suits.Media != nil, depth: -1}
	d.Until, d.stop = context.WithCancel(x.Ctx)
	if form == nil {
		form = x.last.form(suits)
	}
	d.Form = d.firstForm(form)
	title := "Export"
	d.verb, d.forms = title, Forms // those that do not suit say why
	switch n := len(places); {
	case n == 0:
		title, d.verb = "Save report", "Save"
		d.forms = slices.DeleteFunc(slices.Clone(Forms), func(f *export.Form) bool { return d.refused[f] != "" })
	case n > 1:
		title = "Export " + model.GroupedCount(int64(n), "node")
	}
	formsWidth := d.makeForms()
	d.makePreview()
	options := d.makeOptions()
	d.Size = widget.NewLabel("")
	d.Size.Truncation = fyne.TextTruncateEllipsis
	d.Told = widget.NewLabel("")
	d.Told.Wrapping = fyne.TextWrapWord
	d.progress = widget.NewProgressBar()
	d.progress.Hide()
	d.Path, d.browse = files.NewPath(x.Shell, d.verb, d.Escape, func() string { return d.Form.Extension }, func(path string) { d.replacing = path })
	d.Path.OnChanged = func(string) { d.aimed() }
	what := widget.NewLabel(x.subject(places))
	what.TextStyle.Monospace = len(places) > 0
	what.Truncation = fyne.TextTruncateEllipsis

	to := kit.Border(nil, nil, widget.NewLabel("Save as"), d.browse, d.Path)
	bottom := container.NewVBox(options, d.Size, to, d.Told, d.progress)
	left := kit.FixedWidth(formsWidth, d.Forms)
	box := x.Sized(exportWidth, exportHeight,
		kit.Border(what, bottom, nil, nil, kit.Padded(0, 4, 6, 0,
			kit.Border(nil, nil, kit.Border(nil, nil, nil, widget.NewSeparator(), left), nil, d.preview))))
	keep := func(act func()) func() bool { return func() bool { act(); return false } }
	d.modal = x.ShowModal(title, nil, box, 0, shell.Button{Text: "Cancel", Act: keep(d.Escape)}, shell.Button{Text: "Copy", Act: keep(d.copyAll)},
		shell.Button{Text: d.verb, Main: true, Act: keep(d.Start)})
	d.modal.Escape = d.Escape
	d.cancel, d.Copy, d.Save = d.modal.Buttons[0], d.modal.Buttons[1], d.modal.Buttons[2]
	d.Choose(d.Form)
	d.Forms.SelectIndex(int64(slices.Index(d.forms, d.Form)), true)
	x.Focus(d.Forms)
	d.logPlaces()
	return d
}

// firstForm returns the wanted form if it suits, or else the first form that does.
func (d *Dialog) firstForm(want *export.Form) *export.Form {
	if want != nil && d.refused[want] == "" {
		return want
	}
	for _, f := range Forms {
		if d.refused[f] == "" {
			return f
		}
	}
	return Forms[0]
}

// makeForms makes the list of forms and returns its width.
func (d *Dialog) makeForms() (width float32) {
	data := treeview.SliceOf(func(f *export.Form) treeview.Row {
		return treeview.Row{Cells: []string{f.Title}, Dim: d.refused[f] != ""}
	})
	data.Set(d.forms)
	for _, f := range d.forms {
		width = max(width, fyne.MeasureText(f.Title, theme.TextSize(), fyne.TextStyle{}).Width)
	}
	d.Forms = d.NewList(d.Until, "", data, []treeview.Column{{Title: "Form", Width: 120, Stretch: 1}})
	d.Forms.OnEscape = d.Escape
	d.Forms.OnSelected = func(it treeview.Item) {
		if f, ok := data.At(it); ok {
			d.Choose(f)
		}
	}
	d.Forms.OnChosen = func(treeview.Item) {
		if d.Save.Text == replaceWord {
			d.Focus(d.Path) // another Enter agrees
			return
		}
		d.Start()
	}
	return width + formsPads
}

func (d *Dialog) makePreview() {
	d.Shown = treeview.SliceOf(func(line string) treeview.Row { return treeview.Row{Cells: []string{line}} })
	d.preview = d.NewList(d.Until, "", d.Shown, []treeview.Column{{Title: "Preview", Width: 200, Mono: true}})
	d.preview.OnEscape = d.Escape
}

func (d *Dialog) makeOptions() fyne.CanvasObject {
	again := func(bool) { d.look() }
	d.Whole = kit.NewCheck("Long arrays whole", again)
	d.Elements = kit.NewCheck("Array elements as nodes", again)
	d.Check = kit.NewCheck("Decode and check the whole file", again)
	d.Check.Checked = true
	d.Levels = kit.NewEntry(d.Escape)
	d.Levels.SetPlaceHolder("all")
	d.Levels.OnChanged = func(text string) {
		n, err := strconv.Atoi(strings.TrimSpace(text))
		if err != nil || n < 0 {
			n = -1
		}
		if n != d.depth {
			d.depth = n
			d.look()
		}
	}
	d.below = container.NewHBox(widget.NewLabel("Levels below"), kit.FixedWidth(64, d.Levels))
	d.From, d.To = kit.NewEntry(d.Escape), kit.NewEntry(d.Escape)
	d.From.SetPlaceHolder("+0")
	d.To.SetPlaceHolder("the end")
	for _, e := range []*kit.Entry{d.From, d.To} {
		e.OnChanged = func(string) { d.look() }
	}
	d.times = container.NewHBox(widget.NewLabel("From second"), kit.FixedWidth(110, d.From), widget.NewLabel("to"), kit.FixedWidth(110, d.To),
		widget.NewLabel("(+ from the beginning)"))
	d.Some = kit.NewEntry(d.Escape)
	d.Some.SetText(d.Rows.String())
	d.Some.SetPlaceHolder("all, or 0:10, 50")
	d.Some.OnChanged = func(string) { d.look() }
	d.rows = container.NewHBox(widget.NewLabel("Rows"), kit.FixedWidth(180, d.Some))
	return container.NewHBox(d.Whole, d.Elements, d.below, d.rows, d.times, d.Check)
}

// Choose changes the form. Options, ending of the path and preview follow.
func (d *Dialog) Choose(f *export.Form) {
	d.say("", widget.MediumImportance)
	if ext := filepath.Ext(d.Path.Text); d.Path.Text == d.Proposed {
		d.Proposed = d.proposal(f, d.places)
		if d.many[f] {
			d.Proposed = strings.TrimSuffix(d.Proposed, f.Extension)
		}
		d.Path.SetText(d.Proposed)
	} else if ext == d.Form.Extension {
		d.Path.SetText(strings.TrimSuffix(d.Path.Text, ext) + f.Extension)
	}
	d.Form = f
	kit.SetVisible(d.Whole, f.Shortens)
	kit.SetVisible(d.Elements, f.Nests)
	kit.SetVisible(d.below, f.Nests)
	kit.SetVisible(d.times, d.timed[f])
	kit.SetVisible(d.rows, f.Rows)
	kit.SetVisible(d.Check, f.Document)
	d.aimed()
	d.look()
}

// aimed follows a change of the path, and warns of a file that would be replaced.
func (d *Dialog) aimed() {
	type there struct{ open, regular bool }
	path, file := d.Path.Text, d.host.File()
	disk.Ask(d.Post, func() there {
		info, err := os.Stat(path)
		return there{open: export.Reads(file, d.Doc, path), regular: err == nil && info.Mode().IsRegular()}
	}, func(is there) {
		if path == d.Path.Text && d.Until.Err() == nil {
			d.found(is.open, is.regular)
		}
	})
}

// found warns if the path is of a file that is open here or would be replaced.
func (d *Dialog) found(open, regular bool) {
	switch {
	case open:
		d.Save.SetText(replaceWord)
		d.say(filepath.Base(d.Path.Text)+" is open here, and is never changed: give another name.", widget.WarningImportance)
	case regular && d.Path.Text != d.replacing:
		d.Save.SetText(replaceWord)
		d.say(filepath.Base(d.Path.Text)+" is there already and will be replaced.", widget.WarningImportance)
	default:
		if d.Save.Text != d.verb {
			d.say("", widget.MediumImportance)
		}
		d.Save.SetText(d.verb)
	}
	d.allow()
}

// allow enables the possible controls.
func (d *Dialog) allow() {
	able := map[fyne.Disableable]bool{d.Save: d.refused[d.Form] == "" && d.Path.Text != "", d.Copy: d.refused[d.Form] == "" && !d.Form.Binary && !d.Form.Document,
		d.Path: true, d.browse: true, d.Whole: true, d.Elements: true, d.Levels: true, d.From: true, d.To: true, d.Some: true, d.Check: true}
	for o, yes := range able {
		if yes && d.Writing == nil {
			o.Enable()
		} else {
			o.Disable()
		}
	}
}

// say shows a message below the path.
func (d *Dialog) say(text string, importance widget.Importance) {
	d.Told.Importance = importance
	d.Told.SetText(text)
}

// Escape ends the writing, or the dialog.
func (d *Dialog) Escape() {
	if d.Writing != nil {
		d.Writing()
		return
	}
	d.hide()
}

func (d *Dialog) hide() {
	d.stop()
	d.modal.Hide()
	d.host.FocusTree()
}

// logPlaces logs the places of the controls for end-to-end tests, once they are on the screen.
func (d *Dialog) logPlaces() {
	d.LogLater(2*task.ShownAfter, func() {
		if d.Until.Err() != nil {
			return
		}
		at := func(o fyne.CanvasObject) (x, y float32) {
			p := fyne.CurrentApp().Driver().AbsolutePositionForObject(o)
			return p.X + o.Size().Width/2, p.Y + o.Size().Height/2
		}
		ex, ey := at(d.Path)
		bx, by := at(d.Save)
		fx, fy := at(d.Forms)
		d.Log.Write("export-dialog", d.Form.Name, len(d.places), ex, ey, bx, by, fx, fy)
	})
}
