package tab

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"

	"fyne.io/fyne/v2/container"

	"cutaway/model"
	"cutaway/source/far"
	"cutaway/ui/disk"
	"cutaway/ui/document"
	"cutaway/ui/kit"
	"cutaway/ui/opening"
	"cutaway/ui/phrase"
	"cutaway/ui/settings"
)

// Load opens the tab's file in the background, unless that is under way, and goes to the target.
func (t *Tab) Load(aim opening.Target) {
	t.aim = aim
	if t.Loading {
		return
	}
	t.Loading = true
	t.setContent(container.NewCenter(kit.Message("Opening " + t.Title() + "…")))
	subject, patch, unseen := t.Subject, t.Editor.Patch(), t.was == nil && aim.Path == ""
	t.Tasks.Always(t.ctx, "opening "+t.Title(), func(ctx context.Context, progress model.Progress) func() {
		target := subject.Target()
		stamp := opening.StampOf(target.File, subject.With...)
		doc, err := subject.Open(ctx, target, patch, progress)
		var branches []*model.Place
		if err == nil && unseen {
			branches = document.FirstBranches(ctx, doc)
		}
		return func() {
			t.Loading = false
			t.target, t.stamp = target, stamp
			switch {
			case t.Ended():
				if doc != nil {
					_ = doc.Close() // it comes too late
				}
			case err != nil:
				t.fail(err)
			default:
				t.decoded = patch
				t.Show(doc)
				t.Pane.Trees.Unfold(branches)
				t.opened()
			}
		}
	}, func(err error) {
		t.Loading = false
		t.fail(err)
	})
}

// opened goes where the file was to be opened, and remembers it.
func (t *Tab) opened() {
	t.shell.Log.Write("opened", t.Subject.File, t.Pane.Doc.Format)
	if t.Subject.File != "" && opening.Remembers(t.Subject.Files()...) {
		t.shell.Remembered(t.shell.Store.Opened(t.Subject.File, t.Subject.With...))
		t.host.Remembered()
	}
	t.host.Changed()
	t.GoToTarget(t.aim)
	t.checkSmall()
	t.shell.Save()
}

// GoToTarget shows what is to be shown of the file; where nothing is, what was when it was left.
func (t *Tab) GoToTarget(aim opening.Target) {
	was := t.was
	t.was = nil
	switch {
	case was != nil && aim.Path == "" && !aim.HasOffset:
		t.Pane.Nav.ComeBack(positionOf(was))
	case aim.Path == model.DefaultName && t.Pane.Doc.Named == nil:
	case aim.Path != "":
		t.Pane.Nav.GoTo(aim.Path)
	case aim.HasOffset:
		if size := t.Pane.Doc.Source().Size(); aim.Offset >= size {
			t.shell.Tell("going to offset "+phrase.Hex(aim.Offset), fmt.Errorf("the file has only %s", phrase.Bytes(size)))
			return
		}
		t.Pane.Nav.GoToOffset(aim.Offset)
	}
}

// fail says why the file cannot be opened and what may help.
func (t *Tab) fail(err error) {
	t.shell.Log.Write("failed", t.Subject.File, strconv.Quote(err.Error()))
	again := func() { t.Load(t.aim) }
	t.setContent(opening.NewFailure(t.Title(), err, t.stamp == opening.Stamp{}, opening.Failure{Again: again, As: t.AskAs, Other: t.host.AskFile,
		Close: func() { t.host.Close(t) },
		Download: func() {
			t.Subject.Download = true
			again()
		}}))
	t.host.Changed()
}

// Reload opens the tab's file anew and goes back to the selected node.
func (t *Tab) Reload() {
	was, _ := t.State()
	t.openAgain(&was, opening.Target{})
}

// openAgain opens the tab's file anew, and shows it as it was or goes to a target.
func (t *Tab) openAgain(was *settings.Tab, aim opening.Target) {
	fresh := New(t.shell, t.host, t.Subject, t.Editor.Edits)
	fresh.trail.Query, fresh.trail.Filtered = t.Pane.Lists.Search.Want(), t.trail.Filtered
	fresh.was = was
	t.Subject.Buffer.Take()
	t.host.Replace(t, fresh)
	fresh.Load(aim)
}

// MaxBranches is the number of open branches of a tree that are remembered.
const MaxBranches = 100

// State returns the tab as it can be opened again; ok is false for bytes that are no file of their own.
func (t *Tab) State() (state settings.Tab, ok bool) {
	if t.was != nil {
		return *t.was, t.Subject.File != ""
	}
	files, err := opening.Absolute(t.Subject.Files())
	opts := t.Subject.Options
	state = settings.Tab{Files: files, Format: opts.Format, At: opts.At, Options: opts.Options}
	if t.Pane != nil && t.Pane.Current() != nil {
		at := t.Pane.Position(MaxBranches)
		state.Open = at.Branches
		// Where the user has gone nowhere, another reading begins with its own first tree.
		if at.Path != t.Pane.Doc.Views[0].Name {
			state.Path = at.Path
		}
		state.Stand, _ = json.Marshal(at) // it is of words and numbers
	}
	return state, t.Subject.File != "" && err == nil
}

// positionOf returns where the user was in a tab.
func positionOf(was *settings.Tab) document.Position {
	at := document.Position{Path: was.Path, Branches: was.Open}
	if json.Unmarshal(was.Stand, &at) != nil { // none, or one that another version has written
		at = document.Position{Path: was.Path, Branches: was.Open}
	}
	return at
}

// Look finds out in the background whether the tab's files have changed, unless it still does since the disk does not answer.
func (t *Tab) Look() {
	if t.Pane == nil {
		return
	}
	if t.Looking {
		t.lookForLoss()
		return
	}
	file, with, description := t.target.File, t.Subject.With, t.descriptionFiles()
	if !t.Subject.IsFile() || far.IsAddress(t.Subject.File) {
		file = ""
	}
	t.Looking = true
	disk.Ask(t.shell.Post, func() (now [2]opening.Stamp) {
		if file != "" {
			now[0] = opening.StampOf(file, with...)
		}
		if len(description) > 0 {
			now[1] = opening.StampOf(description[0], description[1:]...)
		}
		return now
	}, func(now [2]opening.Stamp) {
		t.Looking = false
		if t.Pane == nil || t.Ended() {
			return
		}
		if file != "" {
			t.lookForChange(now[0])
		}
		if len(description) > 0 {
			t.lookForDescription(description[0], now[1])
		}
		t.lookForLoss() // which says more than that there is a change
	})
}

// lookForChange offers to reload a file that has changed, now having another stamp.
func (t *Tab) lookForChange(now opening.Stamp) {
	if now == t.stamp {
		return
	}
	t.stamp = now
	text := "The file has changed since it was opened; what is shown may be wrong."
	if now == (opening.Stamp{}) {
		text = "The file is not there any more; what is shown may be incomplete."
	}
	t.offerReload(text)
}

// lookForLoss says that bytes of an opened file could not be read, once for each reason.
func (t *Tab) lookForLoss() {
	lost := model.FailedRead(t.Pane.Doc)
	if lost == nil || lost.Error() == t.lost {
		return
	}
	t.lost = lost.Error()
	t.shell.Log.Write("lost", t.lost)
	text := "Bytes of the file could not be read, and what is shown lacks them: " + t.lost
	if errors.As(lost, new(*far.ErrChanged)) {
		text = "The file has changed on its server since it was opened; nothing more is read of it."
	}
	t.offerReload(text)
	t.host.Changed()
}
