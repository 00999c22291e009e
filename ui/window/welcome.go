package window

import (
	"fmt"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"cutaway/assets"
	"cutaway/ui/kit"
	"cutaway/ui/opening"
	"cutaway/ui/phrase"
)

// helloRecent is the number of recent files that the welcome offers.
const helloRecent = 6

// A welcome says what the window does, and how to begin.
type welcome struct{ w *Window }

// Update shows the welcome over the card of the sample only.
func (h *welcome) Update() {
	w := h.w
	w.Guide.Beside(w.Active != nil && w.Active.Subject.IsSample())
	for _, t := range w.Pages.Tabs() {
		if t.Pane == nil || !t.Subject.IsSample() {
			continue
		}
		if wanted := !w.Shell.Store.NoHello; wanted != t.Pane.HasAbove() {
			var o fyne.CanvasObject
			if wanted {
				o = h.card()
			}
			t.Pane.ShowAbove(o)
		}
	}
}

// card says in three lines what the window does, and offers to begin.
func (h *welcome) card() fyne.CanvasObject {
	title := widget.NewLabelWithStyle("Welcome. This is a sample file.", fyne.TextAlignLeading, fyne.TextStyle{Bold: true})
	title.Truncation = fyne.TextTruncateEllipsis
	hide := kit.IconButton(theme.CancelIcon(), "Hide this", func() {
		h.w.Shell.Store.NoHello = true
		h.Update()
		h.w.Shell.Save()
	})
	box := container.NewVBox(kit.Border(nil, nil, nil, hide, title))
	for i, text := range []string{"Choose a row: its picture, bytes and story follow.", "Click a byte or a pixel: the tree follows.", "Ctrl+F finds names, values and bytes, Ctrl+Shift+P actions."} {
		line := widget.NewLabel(fmt.Sprintf("%d   %s", i+1, text))
		line.Wrapping = fyne.TextWrapWord
		box.Add(kit.Dense(line))
	}
	open := kit.NewTextButton("Open a file…", h.w.Opener.AskFile)
	open.Importance = widget.HighImportance
	box.Add(kit.Padded(4, 6, 6, 6, kit.Flow(nil, open, kit.NewTextButton("Show me around", h.w.StartHere))))
	return kit.Padded(6, 4, 6, 6, container.NewStack(kit.NewBacked(theme.ColorNameHeaderBackground, box), kit.NewFrame()))
}

// StartHere shows the first steps on the sample, from the first one if they are not under way.
func (w *Window) StartHere() {
	w.OpenSample()
	w.Guide.Begin()
}

// empty says in a window without a file what Cutaway is and how to begin.
func (h *welcome) empty() fyne.CanvasObject {
	w := h.w
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
	sample := widget.NewButtonWithIcon("Look at the sample", theme.VisibilityIcon(), w.OpenSample)
	sample.Importance, sample.Alignment = widget.LowImportance, widget.ButtonAlignLeading
	box.Add(sample)
	return box
}
