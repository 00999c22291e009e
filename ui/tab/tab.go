// Package tab is a file in a tab of the window: from the way to its document to what follows when it changes.
package tab

import (
	"context"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"cutaway/decoders"
	"cutaway/model"
	"cutaway/source"
	"cutaway/ui/document"
	exporting "cutaway/ui/export"
	"cutaway/ui/opening"
	"cutaway/ui/options"
	"cutaway/ui/settings"
	"cutaway/ui/shell"
	"cutaway/ui/task"
	"cutaway/ui/trying"
)

// Host lists the functions of the window that a tab may call.
type Host struct {
	*opening.Opener
	Exported *exporting.Last // how nodes were exported last

	InFront      func(t *Tab) bool
	TypesPlace   func() bool             // reports whether the user types where to go
	ShowPlace    func(text, path string) // in the status bar and the location bar
	Moved        func()                  // another node is selected, or the way back to others is another one
	Changed      func()                  // titles, soundness and what the file is may be others
	Work         func()                  // other work runs
	Marked       func()                  // there are other marks
	FlipOrder    func()                  // of the bytes of numbers
	SecondClosed func()                  // the user closed the second place of the bytes
	Did          func(deed document.Event, at *model.Place)
	Settings     func(words string)
	Close        func(t *Tab)
	Replace      func(old, fresh *Tab)
	Front        func(t opening.Tab) bool // brings a tab to the front; false where it was closed
	Remembered   func()                   // there is another recent file
}

// A Tab is a document with its panes, or one that is being opened. It belongs on the UI goroutine.
type Tab struct {
	shell   *shell.Shell
	host    *Host
	Object  *fyne.Container
	Pane    *document.Pane // nil until it is open
	Subject opening.Subject
	Tasks   *task.Group
	Editor  *trying.Editor

	target      decoders.Target // the file, or the member of a package; what the name stands for is known once it is loaded
	Looking     bool            // whether the files have changed is being found out
	lost        string          // why bytes could not be read, which was said last
	stamp       opening.Stamp
	describedBy opening.Stamp  // of the description; none until it is looked at
	was         *settings.Tab  // how it was left; nil once it is open
	aim         opening.Target // what to show once it is open
	Loading     bool
	lease       *opening.Lease // keeps the document open

	ctx   context.Context
	stop  context.CancelFunc
	panes task.Latest // the document's: options make another one
	trail *document.Trail

	Options *options.Bar  // nil: the document has none
	setting task.Latest   // a change of options, or of bytes that are tried
	decoded *source.Patch // what is shown is decoded with
}

// New makes a tab of a subject, which is not read yet. edits has the bytes that were tried before.
func New(sh *shell.Shell, host *Host, subject opening.Subject, edits *trying.Edits) *Tab {
	t := &Tab{shell: sh, host: host, Subject: subject, target: decoders.Target{File: subject.File, Offset: -1}, Object: container.NewStack(), trail: document.NewTrail()}
	t.ctx, t.stop = context.WithCancel(context.Background())
	t.Tasks = task.NewGroup(sh.Post, host.Work, sh.Tell)
	t.Editor = trying.NewEditor(t.ctx, sh, t.Tasks, edits, t.editing())
	return t
}

// AsLeft makes a tab as it was left, which is not read yet. Where its file has gone meanwhile, it will say so.
func AsLeft(sh *shell.Shell, host *Host, was settings.Tab) *Tab {
	subject := opening.Subject{File: was.Files[0], With: was.Files[1:], Options: decoders.Options{Format: was.Format, At: was.At, Options: was.Options}}
	t := New(sh, host, subject, &trying.Edits{})
	t.was = &was
	return t
}

// Title returns the text of the tab.
func (t *Tab) Title() string { return t.Subject.Title() }

// Content returns what the tab shows.
func (t *Tab) Content() fyne.CanvasObject { return t.Object }

// Work returns what runs for the tab.
func (t *Tab) Work() *task.Group { return t.Tasks }

// TakeKeys gives the keyboard to the tree. A tab that was only remembered is read first.
func (t *Tab) TakeKeys() {
	if t.Pane != nil {
		t.Pane.CursorMoved()
		t.Pane.Trees.FocusTree()
	} else if t.was != nil && !t.Loading {
		t.Load(opening.Target{})
	}
}

// Folder returns where files are asked for.
func (t *Tab) Folder() string { return t.host.Begin() }

// Lease returns what keeps the document open.
func (t *Tab) Lease() *opening.Lease { return t.lease }

// Ended reports whether the tab is closed.
func (t *Tab) Ended() bool { return t.ctx.Err() != nil }

// End ends everything that runs for the tab and closes the document.
func (t *Tab) End() {
	t.stop()
	t.lease.Drop()
	t.Subject.Buffer.Drop()
}

// Show shows an opened document, which replaces the one before.
func (t *Tab) Show(doc *model.Document) {
	t.makePane(doc)
	t.setContent(t.Pane.Object)
	t.Pane.Start()
}

// makePane makes the panes of a document, which are not shown yet.
func (t *Tab) makePane(doc *model.Document) {
	if t.lease == nil {
		t.lease = (&opening.Lease{}).Take()
	}
	t.lease.Doc = doc // closing it closes those that it was made from by options
	if t.Pane != nil {
		t.trail.Query = t.Pane.Lists.Search.Want()
	}
	var why fyne.CanvasObject
	if doc.Refused != nil {
		why = opening.NewUnknown(shell.Opened{Shell: t.shell, Doc: doc, Tasks: t.Tasks, Ctx: t.ctx}, opening.Unknown{
			Ask: t.AskAs, As: func(format string) { t.openAs(decoders.Options{Format: format, At: t.Subject.Options.At}) },
			Descriptions: func() { t.host.Settings("descriptions") }, Describe: t.NewDescription,
			Show: func(at model.Span) { t.Pane.Nav.VisitSpan(at) }, Open: t.OpenPart})
	}
	t.Options = options.New(t.shell, t, doc)
	opened := shell.Opened{Shell: t.shell, Doc: doc, Tasks: t.Tasks, Ctx: t.panes.Next(t.ctx)}
	t.Pane = document.New(opened, t.asked(), t.Editor, t.trail, t.Options.Object(), why)
	t.Pane.Lists.Kept.OnChanged = t.host.Marked
	t.Pane.Hex.OnSecondClosed = t.host.SecondClosed
}

// KeepDividers remembers where the dividers are.
func (t *Tab) KeepDividers() {
	if t.Pane != nil {
		t.Pane.KeepDividers()
	}
}

func (t *Tab) setContent(o fyne.CanvasObject) {
	t.Object.Objects = []fyne.CanvasObject{o}
	t.Object.Refresh()
}

// openAs opens the subject once more, in another way.
func (t *Tab) openAs(opts decoders.Options) {
	s := t.Subject
	s.Options = opts
	t.host.Subject(s)
}

// AskAs asks for a format and opens the subject once more as that.
func (t *Tab) AskAs() { t.host.AskAs(t.Subject) }

// checkSmall checks a small file in the background. What is far away is not fetched for that.
func (t *Tab) checkSmall() {
	if !t.Pane.Doc.Far() {
		t.Pane.Lists.Problems.CheckSmall()
	}
}

// warn shows a warning above the panes, with buttons.
func (t *Tab) warn(text string, buttons ...fyne.CanvasObject) {
	label := widget.NewLabel(text)
	label.Importance, label.Wrapping = widget.WarningImportance, fyne.TextWrapWord
	t.Pane.SetNotice(theme.NewWarningThemedResource(theme.WarningIcon()), label, buttons...)
}

// offerReload shows a warning above the panes, with a button that reloads.
func (t *Tab) offerReload(text string) { t.warn(text, widget.NewButton("Reload", t.Reload)) }

// Decoded reports whether what is shown is decoded with all that is tried.
func (t *Tab) Decoded() bool { return t.decoded == t.Editor.Patch() }
