package trying

import (
	"context"
	"io"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/widget"

	"cutaway/model"
	"cutaway/ui/files"
	"cutaway/ui/kit"
	"cutaway/ui/phrase"
)

// CanChange reports whether another value of a node can be asked for.
func (e *Editor) CanChange(p *model.Place) bool { return CanType(&p.Node) || e.isWritten(p) }

// isWritten reports whether the format may write a new file with another value of a node, which need not be as long.
func (e *Editor) isWritten(p *model.Place) bool {
	return e.host.Doc().Change != nil && p.Node.Value != nil && p.Segments()[0].Path() != model.LayoutView
}

// askForFile asks for another value of a node, and for the name of a new file that has it.
func (e *Editor) askForFile(p *model.Place) {
	doc := e.host.Doc()
	name := doc.View(p.Segments()[0].Path()).LabelOf(e.ctx, p)
	e.tasks.Go(e.ctx, "looking at what a change means", func(ctx context.Context, _ model.Progress) func() {
		change, err := doc.Change(ctx, p)
		return func() {
			if err != nil {
				e.Warn("The value of " + name + " cannot be changed. " + phrase.Sentence(err))
				return
			}
			e.askForNew(name, change)
		}
	})
}

// askForNew shows the dialog of askForFile.
func (e *Editor) askForNew(name string, change *model.Change) {
	value := kit.NewEntry(nil)
	value.MultiLine = strings.Contains(change.Text, "\n")
	value.SetText(change.Text)
	files.Writing{Title: "Change value of " + name, Verb: "Save", Path: e.nameFor("-changed"), More: kit.Border(nil, nil, widget.NewLabel("Value"), nil, value),
		Text: strings.Join(append(change.Notes, "The file that is open stays as it is."), " "),
		Write: e.toFile(func(ctx context.Context, w io.Writer, _ model.Progress) error {
			b, err := change.Make(ctx, value.Text)
			if err == nil {
				_, err = w.Write(b)
			}
			return err
		}),
		Then: e.wrote}.Ask(e.ctx, e.shell, e.tasks)
	e.shell.Focus(value)
	value.TypedShortcut(&fyne.ShortcutSelectAll{})
}
