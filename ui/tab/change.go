package tab

import (
	"context"
	"errors"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/widget"

	"cutaway/decoders"
	"cutaway/hexview"
	"cutaway/model"
	"cutaway/source"
	"cutaway/ui/document"
	"cutaway/ui/opening"
	"cutaway/ui/phrase"
	"cutaway/ui/trying"
)

// SetOptions changes options of the document in the background and shows it as it is then, at the same node. A newer change ends an
// older one that is under way.
func (t *Tab) SetOptions(chosen map[string]string) {
	if len(chosen) == 0 {
		return
	}
	doc, left := t.Pane.Doc, t.Pane.Position(document.KeptBranches)
	t.Tasks.Try(t.setting.Next(t.ctx), "applying options", func(ctx context.Context, _ model.Progress) (func(), error) {
		fresh := doc
		for name, value := range chosen {
			next, err := fresh.SetOption(ctx, name, value)
			if err != nil {
				return nil, err
			}
			fresh = next
		}
		found := left.Find(ctx, fresh)
		return func() {
			t.Subject.Choose(chosen) // a reload keeps them
			t.change(fresh, left, found)
			if !t.Decoded() {
				t.decodeTried() // the options were of the bytes before
			}
		}, nil
	})
}

// editing lists the functions that the editor of bytes may call.
func (t *Tab) editing() trying.Host {
	return trying.Host{Title: t.Title, Folder: t.Folder, Begins: t.begins, Show: t.showTried,
		File: func() string {
			if t.Subject.IsFile() {
				return t.target.File
			}
			return ""
		},
		Doc:   func() *model.Document { return t.Pane.Doc },
		Shown: func() (*model.Source, *hexview.View) { return t.Pane.Hex.Shown.Src, t.Pane.Hex.Shown.View },
		Bytes: func(ctx context.Context) (decoders.Bytes, error) { return t.Subject.Bytes(ctx, t.target) },
		Opens: t.opens,
		Tell: func(icon fyne.Resource, text *widget.Label, buttons ...fyne.CanvasObject) {
			t.Pane.SetNotice(icon, text, buttons...)
		},
		Decode: func() {
			t.showTried()
			t.decodeTried()
		},
		Open: func(file string) { t.host.Open(opening.Target{File: file}) }}
}

// begins returns the offset of the document in the file, or why its bytes cannot be tried.
func (t *Tab) begins() (int64, error) {
	at := t.Subject.Options.At
	switch {
	case len(t.lease.Doc.Sources) > 1:
		return 0, errors.New("this document is made of several files: open one of them alone to try bytes in it")
	case at > 0 && t.target.Inner != "":
		return 0, errors.New("this is decoded from inside a member of a package: open the member from its beginning to try bytes in it")
	}
	return at, nil
}

// opens returns what decodes other bytes as the document is decoded now.
func (t *Tab) opens() func(context.Context, *source.Patch) (*model.Document, error) {
	subject, target := t.Subject, t.target
	subject.Options = subject.Same(t.Pane.Doc)
	return func(ctx context.Context, patch *source.Patch) (*model.Document, error) {
		return subject.Open(ctx, target, patch, nil)
	}
}

// showTried shows the bytes that are tried, but not yet their decoding.
func (t *Tab) showTried() {
	t.Pane.ShowTried()
	t.Pane.CursorMoved()
	t.host.Changed()
	t.host.Moved()
}

// decodeTried decodes the file with the bytes that are tried, and shows it where the user is. A newer change ends it.
func (t *Tab) decodeTried() {
	within := t.setting.Next(t.ctx)
	subject, target, patch, left, before := t.Subject, t.target, t.Editor.Patch(), t.Pane.Position(document.KeptBranches), t.Pane
	subject.Options = subject.Same(t.Pane.Doc)
	t.Tasks.Always(within, "decoding the bytes tried", func(ctx context.Context, progress model.Progress) func() {
		doc, err := subject.Open(ctx, target, patch, progress)
		var found document.Found
		if err == nil {
			found = left.Find(ctx, doc)
		}
		return func() {
			switch {
			case within.Err() != nil || t.Pane != before:
				if doc != nil {
					_ = doc.Close() // it comes too late
				}
			case err != nil:
				t.warn("With these bytes the file cannot be decoded, so it is still shown as before. " + phrase.Sentence(err))
			default:
				held := t.lease
				t.decoded, t.lease = patch, nil // the other document is closed once no tab shows its parts
				t.change(doc, left, found)
				held.Drop()
				t.shell.Log.Write("tried", t.Editor.Len(), t.Pane.Position(0).Path)
			}
		}
	}, nil)
}

// change shows another reading of the file at the position of the user. found is the position left in that reading.
func (t *Tab) change(doc *model.Document, left document.Position, found document.Found) {
	before, focused, option := t.Pane, t.shell.Win.Canvas().Focused(), t.Options.Focused()
	now := before.Position(document.KeptBranches)
	t.KeepDividers()
	t.makePane(doc)
	t.Pane.Resume(now, found)
	t.Pane.TypeLike(before)
	t.setContent(t.Pane.Object)
	t.Pane.FocusLike(before, focused)
	t.Options.FocusOption(option)
	if now.Path != left.Path { // the user is elsewhere by now
		t.Pane.Nav.GoToAgain(now.Path)
	}
	t.host.Moved()
	t.host.Changed()
	t.checkSmall()
}
