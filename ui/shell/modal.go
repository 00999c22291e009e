package shell

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/layout"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"cutaway/ui/kit"
)

// Modal shows content over the window, with a title and buttons at its bottom right. Buttons close it unless their
// action returns false. Enter presses the main one, Escape closes it.
type Modal struct {
	pop     *widget.PopUp
	close   func()
	Buttons []*kit.TextButton
	// Escape replaces Hide for the key Escape. It may be nil.
	Escape func()
}

// Button is one at the bottom of a modal.
type Button struct {
	Text string
	Main bool
	Act  func() bool // acts and reports whether to close; nil just closes
}

// ShowModal shows a modal, its content at least width wide. What the window has no room for is scrolled.
func (w *Shell) ShowModal(title string, icon fyne.Resource, content fyne.CanvasObject, width float32, buttons ...Button) *Modal {
	m := &Modal{}
	head := widget.NewLabelWithStyle(title, fyne.TextAlignLeading, fyne.TextStyle{Bold: true})
	head.SizeName = theme.SizeNameSubHeadingText
	top := container.NewHBox(head)
	if icon != nil {
		top = container.NewHBox(widget.NewIcon(icon), head)
	}
	row := container.NewHBox(layout.NewSpacer())
	for _, b := range buttons {
		button := kit.NewTextButton(b.Text, func() {
			if b.Act == nil || b.Act() {
				m.Hide()
			}
		})
		if b.Main {
			button.Importance = widget.HighImportance
		}
		m.Buttons = append(m.Buttons, button)
		row.Add(button)
	}
	box := kit.Border(top, kit.Padded(8, 0, 0, 0, row), nil, nil, w.fitting(width, content))
	m.pop = widget.NewModalPopUp(kit.WithTips(container.NewStack(kit.NewFrame(), kit.Padded(10, 10, 14, 14, box))), w.Win.Canvas())
	typed, noAlt := w.Win.Canvas().OnTypedKey(), kit.NoAlt(w.Win.Canvas())
	m.close = func() {
		w.Win.Canvas().SetOnTypedKey(typed)
		noAlt()
		kit.CloseMenu(w.Win.Canvas()) // it may be open under the dialog yet
	}
	var main *kit.TextButton // which Enter presses
	w.Win.Canvas().SetOnTypedKey(func(e *fyne.KeyEvent) {
		switch {
		case e.Name == fyne.KeyReturn || e.Name == fyne.KeyEnter:
			if main != nil && !main.Disabled() {
				main.OnTapped()
			}
		case e.Name != fyne.KeyEscape:
		case m.Escape != nil:
			m.Escape()
		default:
			m.Hide()
		}
	})
	releaseShift(w.Win.Canvas().Focused())
	m.pop.Show()
	for i, b := range m.Buttons {
		if buttons[i].Main {
			main = b
			w.Focus(b) // unless the caller has the keyboard elsewhere
		}
	}
	return m
}

// releaseShift releases Shift for the widget that had the keyboard. It gets no events over the modal, and would select with
// each arrow afterwards.
func releaseShift(focused fyne.Focusable) {
	if k, ok := focused.(desktop.Keyable); ok {
		k.KeyUp(&fyne.KeyEvent{Name: desktop.KeyShiftLeft})
		k.KeyUp(&fyne.KeyEvent{Name: desktop.KeyShiftRight})
	}
}

// Hide removes the modal.
func (m *Modal) Hide() {
	m.close()
	m.pop.Hide()
}

// room returns the most room for the content of a modal: the window without the modal's margins, title and buttons.
func (w *Shell) room() fyne.Size {
	size := w.Win.Canvas().Size()
	return fyne.NewSize(max(size.Width-48, 0), max(size.Height-8*theme.TextSize()-40, 0))
}

// Sized gives content that scrolls by itself a size, or less where the window has too little room.
func (w *Shell) Sized(width, height float32, o fyne.CanvasObject) *fyne.Container {
	return kit.Filled(func() fyne.Size { return fyne.NewSize(width, height).Min(w.room()) }, o)
}

// fitting scrolls content. It is as large as the content, and at least so wide, while the window has room.
func (w *Shell) fitting(width float32, content fyne.CanvasObject) *fyne.Container {
	return kit.Filled(func() fyne.Size {
		room := w.room()
		width := min(max(width, content.MinSize().Width), room.Width)
		content.Resize(fyne.NewSize(width, content.Size().Height)) // wrapped text gets its height from its width
		return fyne.NewSize(width, min(content.MinSize().Height, room.Height))
	}, container.NewScroll(content))
}
