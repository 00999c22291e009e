package ui

import (
	"context"
	"maps"
	"os"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"cutaway/decoders"
	"cutaway/model"
	"cutaway/source"
	"cutaway/ui/document"
	exporting "cutaway/ui/export"
	"cutaway/ui/files"
	"cutaway/ui/options"
	"cutaway/ui/phrase"
	"cutaway/ui/settings"
	"cutaway/ui/shell"
	"cutaway/ui/task"
	"cutaway/ui/trying"
)

// session is one file tab: a document and its panes, or the way to it.
type session struct {
	lost string // why bytes could not be read, which was said last
	*shell.Shell
	Pane        *document.Pane // nil until it is open
	w           *Window
	object      *fyne.Container
	file        string   // as it was named; "" for the sample and given bytes
	with        []string // other files of the document; nil: it is one
	buffer      *buffer  // bytes that are no file; nil for a file and the sample
	opts        decoders.Options
	download    bool            // get the whole of a file whose server gives no ranges
	target      decoders.Target // the file, or the member of a package; what the name stands for is known once it is loaded
	looking     bool            // whether the files have changed is being found out
	stamp       fileStamp
	describedBy fileStamp     // of the description; none until it is looked at
	was         *settings.Tab // how it was left; nil once it is open
	aim         Target        // what to show once it is open
	loading     bool
	lease       *lease // keeps the document open

	tasks *task.Group
	ctx   context.Context
	stop  context.CancelFunc
	panes task.Latest // the document's: options make another one
	trail *document.Trail

	options *options.Bar // nil: the document has none
	setting task.Latest  // a change of options, or of bytes that are tried

	edits   *trying.Edits
	decoded *source.Patch // what is shown is decoded with
}

// fileStamp reports whether a file has changed.
type fileStamp struct {
	size int64
	at   time.Time
}

// stampOf is the stamp of a file, or of all files of a document; none where one is missing. It asks the file system.
func stampOf(path string, with ...string) fileStamp {
	all := fileStamp{}
	for _, p := range append([]string{path}, with...) {
		info, err := os.Stat(p)
		if err != nil {
			return fileStamp{}
		}
		all.size += info.Size()
		if info.ModTime().After(all.at) {
			all.at = info.ModTime()
		}
	}
	return all
}

func newSession(w *Window, file string) *session {
	s := &session{Shell: w.Shell, w: w, file: file, target: decoders.Target{File: file, Offset: -1}, object: container.NewStack(), trail: document.NewTrail(), edits: &trying.Edits{}}
	s.ctx, s.stop = context.WithCancel(context.Background())
	s.tasks = task.NewGroup(w.Post, w.showWork, w.Tell)
	return s
}

// Title is the text of the file's tab.
func (s *session) Title() string {
	switch {
	case s.buffer != nil:
		return s.buffer.title
	case s.file == "":
		return "Sample"
	}
	return settings.RecentFile(append([]string{s.file}, s.with...)).Title()
}

// close ends everything that runs for the session and closes the document.
func (s *session) close() {
	s.stop()
	if s.lease != nil {
		s.lease.drop()
	}
	if s.buffer != nil && s.buffer.lease != nil {
		s.buffer.lease.drop()
	}
}

// showDocument shows an opened document in place of the one before, which options have made another.
func (s *session) showDocument(doc *model.Document) {
	s.makePane(doc)
	s.setContent(s.Pane.Object)
	s.Pane.Start()
}

// makePane makes the panes of a document, which are not shown yet.
func (s *session) makePane(doc *model.Document) {
	if s.lease == nil {
		s.lease = (&lease{}).take()
	}
	s.lease.doc = doc // closing it closes those that it was made from by options
	if s.Pane != nil {
		s.trail.Query = s.Pane.Details.Search.Want()
	}
	var why fyne.CanvasObject
	if doc.Refused != nil {
		why = newRefusedCard(s, doc.Source(), doc.Refused)
	}
	s.options = options.New(s.Shell, s, doc)
	opened := shell.Opened{Shell: s.Shell, Doc: doc, Tasks: s.tasks, Ctx: s.panes.Next(s.ctx)}
	s.Pane = document.New(opened, s, s.trail, s.options.Object(), why)
	s.Pane.Details.Kept.OnChanged = s.w.enableItems
	s.Pane.Hex.OnSecondClosed = func() { s.w.showSecond(false) }
}

// keepDividers remembers where the dividers are.
func (s *session) keepDividers() {
	if s.Pane != nil {
		s.Pane.KeepDividers()
	}
}

func (s *session) setContent(o fyne.CanvasObject) {
	s.object.Objects = []fyne.CanvasObject{o}
	s.object.Refresh()
}

// InFront reports whether the tab is.
func (s *session) InFront() bool { return s.w.active == s }

// TypesPlace reports whether the user types where to go.
func (s *session) TypesPlace() bool { return s.w.location.Focused }

// ShowPlace shows a place in the status bar and its path in the location bar.
func (s *session) ShowPlace(text, path string) {
	s.w.showWhere(text)
	if path != "" && !s.TypesPlace() {
		s.w.location.SetText(path)
	}
	s.Save()
}

// Moved follows the selection of another node.
func (s *session) Moved() { s.w.updateControls() }

// FlipInspector implements document.Host.
func (s *session) FlipInspector() { s.w.flipInspector() }

// Did tells the first steps what the user did in the sample.
func (s *session) Did(deed document.Deed, at *model.Place) {
	if s.isSample() {
		s.w.guide.Did(deed, at)
	}
}

// ProblemsFound shows how sound the document is.
func (s *session) ProblemsFound() {
	s.w.showWhat()
	s.w.updateTabs()
}

// checkSmall checks a small file in the background. What is far away is not fetched for that.
func (s *session) checkSmall() {
	if !s.Pane.Doc.Far() {
		s.Pane.Details.Problems.CheckSmall()
	}
}

// LastExport is how nodes were exported last.
func (s *session) LastExport() *exporting.Last { return &s.w.exported }

// File is the file of the document; "": there is none.
func (s *session) File() string { return s.target.File }

// Folder is where files are asked for.
func (s *session) Folder() string { return s.w.lastFolder() }

// AskForFolder asks for a folder within the window.
func (s *session) AskForFolder(title string, then func(dir string)) {
	files.ChooseHere(s.Shell, title, s.w.lastFolder(), nil, true, then)
}

// Exported tells of a file that was written, above the panes.
func (s *session) Exported(r exporting.Result) {
	text := phrase.Bytes(r.Size) + " written to " + phrase.Short(r.Path, 100)
	icon := fyne.Resource(theme.NewSuccessThemedResource(theme.ConfirmIcon()))
	buttons := []fyne.CanvasObject{widget.NewButton("Copy path", func() { s.App.Clipboard().SetContent(r.Path) })}
	if r.Lost > 0 {
		text += ". " + exporting.LostText(r.Lost)
		icon = theme.NewWarningThemedResource(theme.WarningIcon())
		buttons = append([]fyne.CanvasObject{widget.NewButton("What is lost…", r.Show)}, buttons...)
	}
	if r.Reduced != "" {
		text += "\nReduced: " + r.Reduced
	}
	s.Pane.SetNotice(icon, widget.NewLabel(text), buttons...)
}

// SetOptions changes options of the document in the background and shows it as it is then, at the same node. A newer
// change ends an older one that is under way.
func (s *session) SetOptions(chosen map[string]string) {
	if len(chosen) == 0 {
		return
	}
	doc := s.Pane.Doc
	s.tasks.Try(s.setting.Next(s.ctx), "applying options", func(ctx context.Context, _ model.Progress) (func(), error) {
		fresh := doc
		for name, value := range chosen {
			next, err := fresh.SetOption(ctx, name, value)
			if err != nil {
				return nil, err
			}
			fresh = next
		}
		return func() { s.changeTo(fresh, chosen) }, nil
	})
}

// changeTo shows the document that changed options made, as the one before it was shown.
func (s *session) changeTo(fresh *model.Document, chosen map[string]string) {
	options := maps.Clone(s.opts.Options)
	if options == nil {
		options = make(map[string]string)
	}
	maps.Copy(options, chosen)
	s.opts.Options = options // a reload keeps them
	path, view, tab := "", s.Pane.Trees.View().Name, s.Pane.Details.Front
	if s.Pane.Current() != nil {
		path = s.Pane.Current().Path()
	}
	focused := s.options.Focused()
	s.keepDividers()
	s.showDocument(fresh)
	s.w.updateControls()
	s.w.updateTabs()
	s.w.showWhat()
	if v := fresh.View(view); v != nil && v != s.Pane.Trees.View() {
		s.Pane.ShowView(v, true)
	}
	if tab < document.FixedTabs {
		s.Pane.Details.Keep(tab)
	}
	s.options.FocusOption(focused)
	if path != "" {
		s.Pane.Nav.GoToAgain(path)
	}
	s.checkSmall()
	if s.decoded != s.edits.Patch() {
		s.decodeTried() // the options were of the bytes before
	}
}

// FocusTree gives the keyboard to the tree.
func (s *session) FocusTree() { s.Pane.Trees.FocusTree() }
