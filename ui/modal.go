package ui

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
)

// modal shows content over the window, with a title and buttons at its bottom right. Buttons close it unless their
// action returns false. Escape closes it.
type modal struct {
	pop     *widget.PopUp
	close   func()
	buttons []*widget.Button
	// escape is what the key Escape does; nil: hide.
	escape func()
}

type modalButton struct {
	text string
	main bool
	act  func() bool // whether to close; nil: just close
}

// showModal shows a modal, at least width wide.
func (w *shell) showModal(title string, icon fyne.Resource, content fyne.CanvasObject, width float32, buttons ...modalButton) *modal {
	m := &modal{}
	head := widget.NewLabelWithStyle(title, fyne.TextAlignLeading, fyne.TextStyle{Bold: true})
	head.SizeName = theme.SizeNameSubHeadingText
	top := container.NewHBox(head)
	if icon != nil {
		top = container.NewHBox(widget.NewIcon(icon), head)
	}
	row := container.NewHBox(layout.NewSpacer())
	for _, b := range buttons {
		button := widget.NewButton(b.text, func() {
			if b.act == nil || b.act() {
				m.hide()
			}
		})
		if b.main {
			button.Importance = widget.HighImportance
		}
		m.buttons = append(m.buttons, button)
		row.Add(button)
	}
	box := container.NewBorder(top, container.New(layout.NewCustomPaddedLayout(8, 0, 0, 0), row), nil, nil, content)
	m.pop = widget.NewModalPopUp(container.New(layout.NewCustomPaddedLayout(10, 10, 14, 14), container.New(atLeast{width}, box)), w.win.Canvas())
	typed := w.win.Canvas().OnTypedKey()
	m.close = func() { w.win.Canvas().SetOnTypedKey(typed) }
	w.win.Canvas().SetOnTypedKey(func(e *fyne.KeyEvent) {
		switch {
		case e.Name != fyne.KeyEscape:
		case m.escape != nil:
			m.escape()
		default:
			m.hide()
		}
	})
	m.pop.Show()
	return m
}

func (m *modal) hide() {
	m.close()
	m.pop.Hide()
}
