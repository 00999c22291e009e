// Package export asks how nodes are to be written, shows the beginning, and writes them to a file or the clipboard.
package export

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"cutaway/decoders"
	"cutaway/model"
	"cutaway/model/export"
	"cutaway/ui/phrase"
	"cutaway/ui/shell"
)

// CopiedForm is how much of a form is copied, in bytes.
const CopiedForm = 1 << 20

// Copies makes copies of places, so that work on them does not change those that are looked at.
func Copies(places []*model.Place) []*model.Place {
	var list []*model.Place
	for _, p := range places {
		list = append(list, p.Copy())
	}
	return list
}

// Copied is the text of a form, or the word that it is too much to be copied; and what is said of it.
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
	File         func() string // of the document, or "" if it is of none
	Title        func() string // of the tab
	Folder       func() string // where files are asked for
	AskForFolder func(title string, then func(dir string))
	FocusTree    func()
	Exported     func(Result) // shows that a file was written
}

// Result is a file that was written, and what it lacks.
type Result struct {
	Path    string
	Size    int64
	Lost    int64  // values
	Reduced string // what, and why; "": nothing
	Show    func() // shows what is lost
}

// Last is how nodes were exported last.
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

// keep keeps the form of an export of pictures and sounds, or of something else.
func (l *Last) keep(f *export.Form, media bool) {
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
	// Notes are the person's notes for a report; nil: there are none.
	Notes func() []export.Note
	// Rows are those that the dialog begins with.
	Rows export.Rows
}

// New makes the exporter of a document; last is kept up to date.
func New(opened shell.Opened, host Host, last *Last) *Exporter {
	return &Exporter{Opened: opened, host: host, last: last}
}

// Ask finds which forms suit the places, and shows the dialog; form is the one to begin with, if it
// suits, or nil for the last.
func (x *Exporter) Ask(places []*model.Place, form *export.Form) {
	x.Tasks.Try(x.Ctx, "looking at what can be exported", func(ctx context.Context, _ model.Progress) (func(), error) {
		own := Copies(places)
		suits := Suits(ctx, own)
		return func() { NewDialog(x, places, suits, form) }, ctx.Err()
	})
}

// Suitable says of forms why they do not suit what is to be written, whether they make several files of it, and whether
// times choose what of it is written.
type Suitable struct {
	Refused map[*export.Form]string
	Many    map[*export.Form]bool
	Timed   map[*export.Form]bool
	Media   *export.Form // the first form of pictures and sounds, or nil where they are none, or not known to be any
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

// proposal is where an export goes unless the user says otherwise.
func (x *Exporter) proposal(f *export.Form, places []*model.Place) string {
	dir := x.last.Dir
	if dir == "" {
		dir = x.host.Folder()
	}
	return filepath.Join(dir, f.FileName(x.Doc, places))
}

// subject says which nodes are exported.
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
