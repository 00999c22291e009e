package tab

import (
	"context"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"cutaway/decoders"
	"cutaway/model"
	"cutaway/ui/document"
	exporting "cutaway/ui/export"
	"cutaway/ui/files"
	"cutaway/ui/opening"
	"cutaway/ui/phrase"
)

// A paneHost is a tab as its document asks it.
type paneHost Tab

var _ document.Host = (*paneHost)(nil)

// Title returns the text of the tab.
func (t *paneHost) Title() string { return t.Subject.Title() }

// NewDescription begins a description of the file.
func (t *paneHost) NewDescription() { (*Tab)(t).NewDescription() }

// InFront reports whether the tab is.
func (t *paneHost) InFront() bool { return t.host.InFront((*Tab)(t)) }

// TypesPlace reports whether the user types where to go.
func (t *paneHost) TypesPlace() bool { return t.host.TypesPlace() }

// ShowPlace shows a place in the status bar and its path in the location bar.
func (t *paneHost) ShowPlace(text, path string) {
	t.host.ShowPlace(text, path)
	t.shell.Save()
}

// Moved follows the selection of another node.
func (t *paneHost) Moved() { t.host.Moved() }

// FlipOrder has numbers read in the other byte order.
func (t *paneHost) FlipOrder() { t.host.FlipOrder() }

// Did reports to the first steps what the user did in the sample.
func (t *paneHost) Did(deed document.Deed, at *model.Place) {
	if t.Subject.IsSample() {
		t.host.Did(deed, at)
	}
}

// ProblemsFound shows how sound the document is.
func (t *paneHost) ProblemsFound() { t.host.Changed() }

// LastExport returns how nodes were exported last.
func (t *paneHost) LastExport() *exporting.Last { return t.host.Exported }

// File returns the file of the document, or "".
func (t *paneHost) File() string { return t.target.File }

// Folder returns where files are asked for.
func (t *paneHost) Folder() string { return t.host.Begin() }

// FocusTree gives the keyboard to the tree.
func (t *paneHost) FocusTree() { t.Pane.Trees.FocusTree() }

// AskForFolder asks for a folder within the window.
func (t *paneHost) AskForFolder(title string, then func(dir string)) {
	files.ChooseHere(t.shell, title, t.host.Begin(), nil, true, then)
}

// Exported reports a file that was written, above the panes.
func (t *paneHost) Exported(r exporting.Result) {
	text := phrase.Bytes(r.Size) + " written to " + phrase.Short(r.Path, 100)
	icon := fyne.Resource(theme.NewSuccessThemedResource(theme.ConfirmIcon()))
	buttons := []fyne.CanvasObject{widget.NewButton("Copy path", func() { t.shell.App.Clipboard().SetContent(r.Path) })}
	if r.Lost > 0 {
		text += ". " + exporting.LostText(r.Lost)
		icon = theme.NewWarningThemedResource(theme.WarningIcon())
		buttons = append([]fyne.CanvasObject{widget.NewButton("What is lost…", r.Show)}, buttons...)
	}
	if r.Reduced != "" {
		text += "\nReduced: " + r.Reduced
	}
	t.Pane.SetNotice(icon, widget.NewLabel(text), buttons...)
}

// OpenMember opens the member of the file that inner names in a tab of its own, at a node.
func (t *paneHost) OpenMember(inner, path string) {
	t.host.Open(opening.Target{File: decoders.Target{File: t.target.File, Inner: inner, Offset: -1}.String(), Path: path})
}

// OpenAsset opens the file that an asset path names, beside the document or in its package, in a tab of its own. name is a place in
// that file in the format's words, or "" for its beginning.
func (t *paneHost) OpenAsset(path, name string) {
	target := t.target
	t.Tasks.Try(t.Pane.Ctx, "opening "+path, func(ctx context.Context, _ model.Progress) (func(), error) {
		finder, err := decoders.NewAssetFinder(t.Pane.Doc, target)
		var found []decoders.Target
		if err == nil {
			found, err = finder.Find(ctx, path)
		}
		if err != nil {
			return func() { t.shell.Notify(err.Error()) }, nil // at the place where it is named
		}
		return func() { t.host.Open(opening.Target{File: found[0].String(), Path: name}) }, nil
	})
}

// OpenPart opens bytes of the document in a tab of their own.
func (t *paneHost) OpenPart(title string, at model.Span) { (*Tab)(t).OpenPart(title, at) }

// OpenPart opens bytes of the document in a tab of their own.
func (t *Tab) OpenPart(title string, at model.Span) {
	t.host.Subject(opening.Subject{Buffer: opening.NewBuffer(title, at, t)})
}

// DecodeSpan asks how bytes are to be decoded and opens them in a tab of their own.
func (t *paneHost) DecodeSpan(at model.Span) { t.host.AskPart(at, (*Tab)(t)) }

// Outer returns where bytes of a part are in the other tab's document.
func (t *paneHost) Outer(span model.Span) model.Span { return t.Subject.Buffer.Outer(span) }

// ShowOuter shows bytes in the tab that the tab's bytes are from.
func (t *paneHost) ShowOuter(at model.Span) {
	outer := t.Subject.Buffer.Of
	if of, open := outer.(*Tab); open && of.Pane != nil && t.host.Front(of) {
		of.Pane.ShowSpan(at)
		return
	}
	t.shell.TellWords("That tab is closed", theme.InfoIcon(), "The bytes are from "+outer.Title()+", whose tab was closed.")
}
