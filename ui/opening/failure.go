package opening

import (
	"context"
	"errors"
	"fmt"
	"io/fs"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"cutaway/source/far"
	"cutaway/ui/kit"
)

// Failure lists the functions that a page on a file that cannot be opened may call.
type Failure struct {
	Again    func()
	Download func() // opens the whole file again
	As       func() // asks as what
	Other    func() // asks for another file
	Close    func()
}

// NewFailure makes a page that says why a file of a title cannot be opened and what may help. missing says that the file itself is not
// there, and not another one that it needs.
func NewFailure(title string, err error, missing bool, do Failure) fyne.CanvasObject {
	image, said := fyne.Resource(theme.NewErrorThemedResource(theme.ErrorIcon())), " cannot be opened"
	cancelled := errors.Is(err, context.Canceled)
	absent := errors.Is(err, fs.ErrNotExist) && missing
	switch {
	case cancelled:
		image, said = theme.CancelIcon(), " was not opened"
	case absent:
		said = " is not there"
	}
	head := widget.NewLabelWithStyle(title+said, fyne.TextAlignLeading, fyne.TextStyle{Bold: true})
	head.SizeName = theme.SizeNameSubHeadingText
	words := kit.NewSelectable(reasonOf(err))
	words.Wrapping = fyne.TextWrapWord
	hint := widget.NewLabel(hintFor(err))
	hint.Wrapping, hint.Importance = fyne.TextWrapWord, widget.LowImportance
	retry := widget.NewButtonWithIcon("Try again", theme.ViewRefreshIcon(), do.Again)
	if whole := (*far.ErrNoRanges)(nil); errors.As(err, &whole) { // its server gives it as a whole only
		retry = widget.NewButtonWithIcon(fmt.Sprintf("Download (%s)", whole.SizeText()), theme.DownloadIcon(), do.Download)
	}
	buttons := container.NewHBox(retry)
	if !absent { // as whatever
		buttons.Add(widget.NewButtonWithIcon("Open as…", theme.SettingsIcon(), do.As))
	}
	buttons.Add(widget.NewButtonWithIcon("Open another file…", theme.FolderOpenIcon(), do.Other))
	buttons.Add(widget.NewButtonWithIcon("Close", theme.CancelIcon(), do.Close))
	box := container.NewVBox(container.NewHBox(widget.NewIcon(image), head), words, hint, buttons)
	if cancelled { // the hint says it
		box.Remove(words)
	}
	return container.NewCenter(kit.AtLeast(560, box))
}

// reasonOf returns why a file does not open. Where the window asks whether to download it, no flag of the command line is named.
func reasonOf(err error) string {
	var whole *far.ErrNoRanges
	if errors.As(err, &whole) {
		return whole.Reason()
	}
	return err.Error()
}

// hintFor returns what to try.
func hintFor(err error) string {
	switch {
	case errors.As(err, new(*far.ErrNoRanges)):
		return "Downloaded, it is in a temporary file, which is gone when the tab is closed."
	case errors.As(err, new(*far.Error)):
		return "Check the address, and whether a browser opens it from here."
	case errors.Is(err, fs.ErrNotExist):
		return "It may have been moved or renamed. Check the name, or open it where it is now."
	case errors.Is(err, fs.ErrPermission):
		return "You have no right to read it. Change its permissions or copy it to a place that is yours."
	case errors.Is(err, context.Canceled):
		return "The opening was cancelled."
	}
	return "If you know what the file is, open it as that format, or as plain bytes."
}
