package shell

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"cutaway/ui/kit"
)

// Modal shows content over the window, with a title and buttons at its bottom right. Buttons close it unless their
// action returns false. Escape closes it.
type Modal struct {
	pop     *widget.PopUp
	close   func()
	Buttons []*widget.Button
	// escape is what the key Escape does; nil: hide.
	Escape func()
}

// Button is one at the bottom of a modal.
type Button struct {
	Text string
	Main bool
	Act  func() bool // whether to close; nil: just close
}

// ShowModal shows a modal, at least width wide.
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
		button := widget.NewButton(b.Text, func() {
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
	box := container.NewBorder(top, container.New(layout.NewCustomPaddedLayout(8, 0, 0, 0), row), nil, nil, content)
	m.pop = widget.NewModalPopUp(kit.WithTips(container.New(layout.NewCustomPaddedLayout(10, 10, 14, 14), kit.AtLeast(width, box))), w.Win.Canvas())
	typed := w.Win.Canvas().OnTypedKey()
	m.close = func() { w.Win.Canvas().SetOnTypedKey(typed) }
	w.Win.Canvas().SetOnTypedKey(func(e *fyne.KeyEvent) {
		switch {
		case e.Name != fyne.KeyEscape:
		case m.Escape != nil:
			m.Escape()
		default:
			m.Hide()
		}
	})
	m.pop.Show()
	return m
}

// Hide takes the modal off the window.
func (m *Modal) Hide() {
	m.close()
	m.pop.Hide()
}
