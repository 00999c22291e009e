// Package export asks how nodes are to be written, shows the beginning, and writes them to a file or the clipboard.
package export

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"cutaway/decoders"
	"cutaway/model"
	"cutaway/model/export"
	"cutaway/ui/phrase"
	"cutaway/ui/shell"
)

// CopiedForm is the most bytes that are copied in a form.
const CopiedForm = 1 << 20

// Copies copies places, so that exporting does not change those of the panes.
func Copies(places []*model.Place) []*model.Place {
	var list []*model.Place
	for _, p := range places {
		list = append(list, p.Copy())
	}
	return list
}

// Copied returns the text of a form with words for the user, or an error if it is too long to be copied.
func Copied(ctx context.Context, f *export.Form, r *export.Request) (text, told string, err error) {
	r.Omitted = &model.Omissions{}
	b, whole, err := f.Preview(ctx, r, CopiedForm)
	if err == nil && !whole {
		err = errors.New("this is more than 1 MB, which is too much to copy: export it to a file")
	}
	told = phrase.Bytes(int64(len(b))) + " copied as " + f.Title
	if _, lost := r.Omitted.Lost(); lost > 0 {
		told += "; " + LostText(lost) + ", which an export lists"
	}
	return string(b), told, err
}

// Host lists the functions of its tab that an export may call.
type Host struct {
	File      func() string // of the document, or "" if it is of none
	Title     func() string // of the tab
	Folder    func() string // where files are asked for
	FocusTree func()
	Exported  func(Result) // shows that a file was written
}

// A Result describes a file that was written, and its losses.
type Result struct {
	Path    string
	Size    int64
	Lost    int64  // values
	Reduced string // the reduced values with reasons, or ""
	Show    func() // shows what is lost
}

// A Last holds the choices of the last export.
type Last struct {
	Form  *export.Form // or nil before the first
	Media *export.Form // of pictures and sounds, or nil before the first
	Dir   string       // or "" before the first
}

// form returns the form to begin with: of pictures and sounds one of theirs.
func (l *Last) form(suits Suitable) *export.Form {
	switch {
	case suits.Media == nil:
		return l.Form
	case l.Media != nil && suits.Refused[l.Media] == "":
		return l.Media
	}
	return suits.Media
}

// setForm stores the form of an export, of pictures and sounds by itself.
func (l *Last) setForm(f *export.Form, media bool) {
	if media {
		l.Media = f
	} else {
		l.Form = f
	}
}

// Exporter exports nodes of a document.
type Exporter struct {
	shell.Opened
	host Host
	last *Last
	// Notes returns the user's notes for a report, or is nil.
	Notes func() []export.Note
	// Rows are the rows that the dialog proposes.
	Rows export.Rows
}

// New makes the exporter of a document; last is kept up to date.
func New(opened shell.Opened, host Host, last *Last) *Exporter {
	return &Exporter{Opened: opened, host: host, last: last}
}

// Ask finds the suitable forms and shows the dialog. It begins with form, if that suits, or with the last form if form is nil.
func (x *Exporter) Ask(places []*model.Place, form *export.Form) {
	x.Tasks.Try(x.Ctx, "looking at what can be exported", func(ctx context.Context, _ model.Progress) (func(), error) {
		own := Copies(places)
		suits := Suits(ctx, own)
		return func() { NewDialog(x, places, suits, form) }, ctx.Err()
	})
}

// Suitable says of each form why it does not suit the nodes, whether it makes several files, and whether it can be limited to times.
type Suitable struct {
	Refused map[*export.Form]string
	Many    map[*export.Form]bool
	Timed   map[*export.Form]bool
	Media   *export.Form // the first form of pictures and sounds, or nil unless the nodes are known to be such
}

// Forms are those that nodes can be exported in.
var Forms = export.FormsOf(decoders.All())

// Suits asks all forms.
func Suits(ctx context.Context, places []*model.Place) Suitable {
	s := Suitable{Refused: make(map[*export.Form]string), Many: make(map[*export.Form]bool), Timed: make(map[*export.Form]bool)}
	pending := slices.ContainsFunc(places, func(p *model.Place) bool { return p.Node.IsPending() })
	for _, f := range Forms {
		if s.Refused[f] = f.Refuse(ctx, places); s.Refused[f] == "" {
			s.Many[f], s.Timed[f] = f.Many(ctx, places), f.Timed(ctx, places)
			if f.Media && !pending && s.Media == nil {
				s.Media = f
			}
		}
	}
	return s
}

// CopyAs copies nodes in a form, if that is not too much.
func (x *Exporter) CopyAs(places []*model.Place, f *export.Form) {
	x.Tasks.Try(x.Ctx, "copying as "+f.Title, func(ctx context.Context, progress model.Progress) (func(), error) {
		own := Copies(places)
		if why := f.Refuse(ctx, own); why != "" {
			return nil, errors.New(why)
		}
		text, told, err := Copied(ctx, f, &export.Request{Doc: x.Doc, Places: own, Depth: -1, Bare: true, Progress: progress})
		return func() {
			x.App.Clipboard().SetContent(text)
			x.Notify(told)
			x.Log.Write("copied", f.Name, len(text))
		}, err
	})
}

// proposal returns the proposed path of an export.
func (x *Exporter) proposal(f *export.Form, places []*model.Place) string {
	dir := x.last.Dir
	if dir == "" {
		dir = x.host.Folder()
	}
	return filepath.Join(dir, f.FileName(x.Doc, places))
}

// subject names the nodes that are exported.
func (x *Exporter) subject(places []*model.Place) string {
	const shown = 3
	if len(places) == 0 {
		return "The whole of " + x.host.Title()
	}
	var paths []string
	for _, p := range places[:min(len(places), shown)] {
		paths = append(paths, phrase.Short(export.PathText(p.Path()), 90))
	}
	text := strings.Join(paths, "\n")
	if more := len(places) - shown; more > 0 {
		text += fmt.Sprintf("\nand %s more", model.Grouped(int64(more)))
	}
	return text
}

// lossWidth is the width of the list of lost values.
const lossWidth = 640

// result shows that a file was written, above the panes. Losses are shown in a dialog, since the user asked for a whole file.
func (x *Exporter) result(path string, n int64, o *model.Omissions) {
	reduced := export.ReducedLines(o, wholeHint)
	r := Result{Path: path, Size: n, Reduced: strings.Join(reduced, "; ")}
	_, r.Lost = o.Lost()
	r.Show = func() { x.showLost(&r, o, reduced) }
	x.host.Exported(r)
	if r.Lost > 0 {
		r.Show()
		x.Log.Write("lossy", path, r.Lost)
	}
}

// showLost lists the losses of a file.
func (x *Exporter) showLost(r *Result, o *model.Omissions, reduced []string) {
	box := container.NewVBox(wrapped(phrase.Bytes(r.Size)+" written to "+r.Path+". "+LostText(r.Lost)+":"), list(export.LostLines(o)))
	if len(reduced) > 0 {
		box.Add(wrapped("Reduced, as the form or its options have it:"))
		box.Add(list(reduced))
	}
	x.ShowModal("Not everything was exported", theme.NewWarningThemedResource(theme.WarningIcon()), box, lossWidth,
		shell.Button{Text: "Copy", Act: func() bool {
			x.App.Clipboard().SetContent(accountText(o))
			return false
		}}, shell.Button{Text: "Close", Main: true})
}

// LostText says that n values are lost.
func LostText(n int64) string {
	if n == 1 {
		return "1 value is lost"
	}
	return model.Grouped(n) + " values are lost"
}

// wholeHint names the option that leaves nothing out.
func wholeHint(o model.Omission) string {
	if export.IsShortened(o) {
		return " (“Long arrays whole” writes all)"
	}
	return ""
}

func wrapped(text string) *widget.Label {
	label := widget.NewLabel(text)
	label.Wrapping = fyne.TextWrapWord
	return label
}

// list shows lines, each with a mark before it.
func list(lines []string) fyne.CanvasObject {
	return wrapped("·  " + strings.Join(lines, "\n·  "))
}

// accountText lists all lost and reduced values, a line each.
func accountText(o *model.Omissions) string {
	var b strings.Builder
	lost, n := o.Lost()
	for _, one := range lost {
		fmt.Fprintf(&b, "lost: %s\n", export.OmissionText(one))
	}
	if more := n - int64(len(lost)); more > 0 {
		fmt.Fprintf(&b, "lost: and %s more\n", model.Grouped(more))
	}
	for _, line := range export.ReducedLines(o, nil) {
		fmt.Fprintf(&b, "reduced: %s\n", line)
	}
	return b.String()
}
