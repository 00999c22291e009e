package window

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"cutaway/assets"
	"cutaway/ui/kit"
	"cutaway/ui/opening"
	"cutaway/ui/phrase"
)

// helloRecent is the number of recent files that the welcome offers.
const helloRecent = 6

// UpdateHello shows the welcome beside the sample only.
func (w *Window) UpdateHello() {
	w.Guide.Beside(w.Active != nil && w.Active.Subject.IsSample())
	if w.Active == nil || !w.Active.Subject.IsSample() || w.Shell.Store.NoHello {
		w.Body.Objects = []fyne.CanvasObject{w.Stack}
		w.Body.Refresh()
		return
	}
	side := kit.NewBacked(theme.ColorNameHeaderBackground, kit.AtLeast(216, w.helloText(true)))
	w.Body.Objects = []fyne.CanvasObject{container.New(sideBySide{}, side, w.Stack)}
	w.Body.Refresh()
}

// StartHere shows the first steps on the sample, from the first one if they are not under way.
func (w *Window) StartHere() {
	w.OpenSample()
	w.Guide.Begin()
}

// helloText is the welcome: what this is, and how to begin.
func (w *Window) helloText(beside bool) fyne.CanvasObject {
	icon := canvas.NewImageFromResource(fyne.NewStaticResource("icon.svg", assets.Icon))
	icon.FillMode = canvas.ImageFillContain
	icon.SetMinSize(fyne.NewSize(44, 44))
	title := widget.NewLabelWithStyle("Cutaway", fyne.TextAlignLeading, fyne.TextStyle{Bold: true})
	title.SizeName = theme.SizeNameHeadingText
	words := widget.NewLabel("Opens a binary file, says what it is, and shows what each byte means.")
	words.Wrapping = fyne.TextWrapWord
	open := widget.NewButtonWithIcon("Open a file…", theme.FolderOpenIcon(), w.Opener.AskFile)
	open.Importance = widget.HighImportance
	drop := widget.NewLabel("or drop one on this window.")
	drop.Importance = widget.LowImportance
	box := container.NewVBox(container.NewHBox(icon, container.NewCenter(title)), words, open, drop)
	files := container.NewVBox()
	box.Add(files)
	if len(w.recent) > 0 {
		files.Add(widget.NewLabelWithStyle("Recent", fyne.TextAlignLeading, fyne.TextStyle{Bold: true}))
	}
	for _, r := range w.recent[:min(len(w.recent), helloRecent)] {
		b := widget.NewButtonWithIcon(phrase.Short(r.Title(), 34), theme.FileIcon(), func() { w.Open(opening.TargetOf(r)) })
		b.Importance, b.Alignment = widget.LowImportance, widget.ButtonAlignLeading
		files.Add(b)
	}
	if !beside {
		sample := widget.NewButtonWithIcon("Look at the sample", theme.VisibilityIcon(), w.OpenSample)
		sample.Importance, sample.Alignment = widget.LowImportance, widget.ButtonAlignLeading
		box.Add(sample)
		return box
	}
	about := widget.NewLabel("Beside this is a built-in sample, a USD file. Select a node in the tree to see its bytes, or click a byte to see what it is.")
	about.Wrapping = fyne.TextWrapWord
	about.Importance = widget.LowImportance
	first := widget.NewButtonWithIcon("Start here  (?)", theme.HelpIcon(), w.StartHere)
	first.Importance, first.Alignment = widget.LowImportance, widget.ButtonAlignLeading
	hide := widget.NewButton("Hide this", func() {
		w.Shell.Store.NoHello = true
		w.UpdateHello()
		w.Shell.Save()
	})
	hide.Importance = widget.LowImportance
	box.Add(widget.NewSeparator())
	box.Add(about)
	box.Add(first)
	box.Add(container.NewHBox(layout.NewSpacer(), hide))
	return container.New(layout.NewCustomPaddedLayout(16, 8, 12, 12), box)
}

// sideBySide puts the welcome at the left of the file, without a gap. A narrow window shows the file only.
type sideBySide struct{}

// helloRoom is the least width at which the welcome stands beside the file.
const helloRoom = 900

func (sideBySide) Layout(o []fyne.CanvasObject, size fyne.Size) {
	w := o[0].MinSize().Width
	kit.SetVisible(o[0], size.Width >= helloRoom)
	if !o[0].Visible() {
		w = 0
	}
	kit.Put(o[0], 0, 0, w, size.Height)
	kit.Put(o[1], w, 0, max(size.Width-w, 0), size.Height)
}

func (sideBySide) MinSize(o []fyne.CanvasObject) fyne.Size { return o[1].MinSize() }
