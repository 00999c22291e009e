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
	"cutaway/ui/opening"
	"cutaway/ui/phrase"
)

// asked lists what the document of the tab may call.
func (t *Tab) asked() document.Host {
	return document.Host{LastExport: t.host.Exported,
		Export: exporting.Host{File: func() string { return t.target.File }, Title: t.Title, Folder: t.Folder, Exported: t.exported,
			FocusTree: func() { t.Pane.Trees.FocusTree() }},
		InFront:    func() bool { return t.host.InFront(t) },
		TypesPlace: t.host.TypesPlace,
		ShowPlace: func(text, path string) {
			t.host.ShowPlace(text, path)
			t.shell.Save()
		},
		Moved: t.host.Moved,
		Did: func(deed document.Event, at *model.Place) {
			if t.Subject.IsSample() {
				t.host.Did(deed, at)
			}
		},
		ProblemsFound:  t.host.Changed,
		OpenPart:       t.OpenPart,
		Target:         func() decoders.Target { return t.target },
		OpenFile:       func(file, path string) { t.host.Open(opening.Target{File: file, Path: path}) },
		OpenAsset:      t.openAsset,
		DecodeSpan:     func(at model.Span) { t.host.AskPart(at, t) },
		Outer:          func(span model.Span) model.Span { return t.Subject.Buffer.Outer(span) },
		ShowOuter:      t.showOuter,
		NewDescription: t.NewDescription,
		FlipOrder:      t.host.FlipOrder}
}

// exported reports a file that was written, above the panes.
func (t *Tab) exported(r exporting.Result) {
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

// openAsset opens the file that an asset path names, beside the document or in its package, in a tab of its own. name is a place in
// that file in the format's words, or "" for its beginning.
func (t *Tab) openAsset(path, name string) {
	target, places := t.target, t.shell.Store.Assets
	t.Tasks.Try(t.Pane.Ctx, "opening "+path, func(ctx context.Context, _ model.Progress) (func(), error) {
		finder, err := decoders.NewAssetFinder(t.Pane.Doc, target)
		var found []decoders.Target
		if err == nil {
			finder.Also(decoders.ParseAssetPlaces(places))
			found, err = finder.Find(ctx, path)
		}
		if err != nil {
			return func() { t.shell.Notify(err.Error()) }, nil // at the place where it is named
		}
		return func() { t.host.Open(opening.Target{File: found[0].String(), Path: name}) }, nil
	})
}

// OpenPart opens bytes of the document in a tab of their own.
func (t *Tab) OpenPart(title string, at model.Span) {
	t.host.Subject(opening.Subject{Buffer: opening.NewBuffer(title, at, t)})
}

// showOuter shows bytes in the tab that the tab's bytes are from.
func (t *Tab) showOuter(at model.Span) {
	outer := t.Subject.Buffer.Of
	if of, open := outer.(*Tab); open && of.Pane != nil && t.host.Front(of) {
		of.Pane.ShowSpan(at)
		return
	}
	t.shell.TellWords("That tab is closed", theme.InfoIcon(), "The bytes are from "+outer.Title()+", whose tab was closed.")
}
