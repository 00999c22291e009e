package ui

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"cutaway/assets"
	"cutaway/ui/kit"
	"cutaway/ui/phrase"
	"cutaway/ui/settings"
)

// helloRecent is how many recent files the welcome offers.
const helloRecent = 6

// updateHello shows the welcome beside the sample, and nowhere else.
func (w *Window) updateHello() {
	w.guide.Beside(w.active != nil && w.active.isSample())
	if w.active == nil || !w.active.isSample() || w.Store.NoHello {
		w.body.Objects = []fyne.CanvasObject{w.stack}
		w.body.Refresh()
		return
	}
	side := kit.NewBacked(theme.ColorNameHeaderBackground, kit.AtLeast(216, w.helloText(true)))
	w.body.Objects = []fyne.CanvasObject{container.New(sideBySide{}, side, w.stack)}
	w.body.Refresh()
}

// startHere shows the first steps on the sample, from the first one if they are not under way.
func (w *Window) startHere() {
	w.openSample()
	w.guide.Begin()
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
	open := widget.NewButtonWithIcon("Open a file…", theme.FolderOpenIcon(), w.chooseFile)
	open.Importance = widget.HighImportance
	drop := widget.NewLabel("or drop one on this window.")
	drop.Importance = widget.LowImportance
	box := container.NewVBox(container.NewHBox(icon, container.NewCenter(title)), words, open, drop)
	files := container.NewVBox()
	box.Add(files)
	w.recentFiles(func(recent []settings.RecentFile) {
		if len(recent) > 0 {
			files.Add(widget.NewLabelWithStyle("Recent", fyne.TextAlignLeading, fyne.TextStyle{Bold: true}))
		}
		for _, r := range recent[:min(len(recent), helloRecent)] {
			b := widget.NewButtonWithIcon(phrase.Short(r.Title(), 34), theme.FileIcon(), func() { w.open(targetOf(r)) })
			b.Importance, b.Alignment = widget.LowImportance, widget.ButtonAlignLeading
			files.Add(b)
		}
	})
	if !beside {
		sample := widget.NewButtonWithIcon("Look at the sample", theme.VisibilityIcon(), w.openSample)
		sample.Importance, sample.Alignment = widget.LowImportance, widget.ButtonAlignLeading
		box.Add(sample)
		return box
	}
	about := widget.NewLabel("Beside this is a built-in sample, a USD file. Select a node in the tree to see its bytes, or click a byte to see what it is.")
	about.Wrapping = fyne.TextWrapWord
	about.Importance = widget.LowImportance
	first := widget.NewButtonWithIcon("Start here  (?)", theme.HelpIcon(), w.startHere)
	first.Importance, first.Alignment = widget.LowImportance, widget.ButtonAlignLeading
	hide := widget.NewButton("Hide this", func() {
		w.Store.NoHello = true
		w.updateHello()
		w.Save()
	})
	hide.Importance = widget.LowImportance
	box.Add(widget.NewSeparator())
	box.Add(about)
	box.Add(first)
	box.Add(container.NewHBox(layout.NewSpacer(), hide))
	return container.New(layout.NewCustomPaddedLayout(16, 8, 12, 12), box)
}

// sideBySide puts the welcome at the left of the file, without a gap. Where there is little room, the file has all of it.
type sideBySide struct{}

// helloRoom is the least width at which the welcome stands beside the file.
const helloRoom = 900

// Layout implements fyne.Layout.
func (sideBySide) Layout(o []fyne.CanvasObject, size fyne.Size) {
	w := o[0].MinSize().Width
	kit.SetVisible(o[0], size.Width >= helloRoom)
	if !o[0].Visible() {
		w = 0
	}
	kit.Put(o[0], 0, 0, w, size.Height)
	kit.Put(o[1], w, 0, max(size.Width-w, 0), size.Height)
}

// MinSize implements fyne.Layout.
func (sideBySide) MinSize(o []fyne.CanvasObject) fyne.Size { return o[1].MinSize() }
