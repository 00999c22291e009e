package preferences

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"cutaway/ui/kit"
	"cutaway/ui/phrase"
	"cutaway/ui/shell"
)

// A Dialog lists all settings below a field that narrows them down. Changes take effect at once.
type Dialog struct {
	*shell.Shell
	Find *kit.Entry
	rows []*row
	// heads are the titles of groups, by name.
	heads  map[string]fyne.CanvasObject
	none   fyne.CanvasObject // shown if no setting matches
	scroll *container.Scroll
	modal  *shell.Modal
	busy   bool // controls are being set by the program, not by the user
}

// Measures in Fyne's units.
const (
	wide, high   = 640, 460
	controlWidth = 216
	overHead     = 6  // above the title of a group
	besideBar    = 14 // for the scroll bar at the right
)

// Show opens the dialog with text in its field. more lists buttons besides Close.
func Show(sh *shell.Shell, all []Setting, text string, more ...shell.Button) *Dialog {
	d := &Dialog{Shell: sh, heads: make(map[string]fyne.CanvasObject)}
	list := container.NewVBox()
	for _, s := range all {
		if d.heads[s.Group] == nil {
			head := kit.Dense(widget.NewLabelWithStyle(s.Group, fyne.TextAlignLeading, fyne.TextStyle{Bold: true}))
			d.heads[s.Group] = kit.Padded(overHead, 0, 0, 0, head)
			list.Add(d.heads[s.Group])
		}
		r := d.newRow(s)
		d.rows = append(d.rows, r)
		list.Add(r.object)
	}
	d.none = kit.Message("No setting has these words.")
	list.Add(d.none)
	d.scroll = container.NewVScroll(kit.Padded(0, 0, theme.InnerPadding()/2, besideBar, list)) // aligned with the title and the field
	d.Find = kit.NewEntry(d.close)
	d.Find.SetPlaceHolder("Search settings: a few words, such as contrast, font, tabs")
	d.Find.OnChanged = d.narrow
	d.Find.Key = func(name fyne.KeyName) bool {
		if name != fyne.KeyDown && name != fyne.KeyReturn && name != fyne.KeyEnter {
			return false
		}
		d.focusFirst()
		return true
	}
	buttons := append(more, shell.Button{Text: "Close", Main: true, Act: d.keepTexts})
	d.modal = sh.ShowModal("Settings", nil, sh.Sized(wide, high, kit.Border(d.Find, nil, nil, nil, d.scroll)), 0, buttons...)
	d.modal.Escape = d.close
	d.Find.SetText(text)
	d.narrow(text)
	sh.Focus(d.Find)
	sh.LogField("settings", d.Find)
	return d
}

// close closes the dialog on Escape. It drops invalid text.
func (d *Dialog) close() {
	d.keepTexts()
	d.modal.Hide()
}

// narrow shows the settings that match text, and the titles of their groups.
func (d *Dialog) narrow(text string) {
	shown := make(map[string]bool)
	for _, r := range d.rows {
		fits := r.fits(text)
		shown[r.Group] = shown[r.Group] || fits
		kit.SetVisible(r.object, fits)
	}
	for group, head := range d.heads {
		kit.SetVisible(head, shown[group])
	}
	found := 0
	for _, yes := range shown {
		if yes {
			found++
		}
	}
	kit.SetVisible(d.none, found == 0)
	d.scroll.ScrollToTop()
	d.scroll.Content.Refresh()
	d.scroll.Refresh()
}

// focusFirst gives the keyboard to the first setting in sight.
func (d *Dialog) focusFirst() {
	for _, r := range d.rows {
		if r.object.Visible() {
			d.Focus(r.control)
			return
		}
	}
}

// reveal scrolls until o is in sight.
func (d *Dialog) reveal(o fyne.CanvasObject) {
	top, bottom := o.Position().Y, o.Position().Y+o.Size().Height
	room := d.scroll.Size().Height
	switch {
	case top < d.scroll.Offset.Y:
		d.scroll.Offset.Y = top
	case bottom > d.scroll.Offset.Y+room:
		d.scroll.Offset.Y = bottom - room
	default:
		return
	}
	d.scroll.Refresh()
}

// keepTexts stores all typed texts. It gives the keyboard to the first invalid one and returns false, or returns true.
func (d *Dialog) keepTexts() bool {
	for _, r := range d.rows {
		if r.keepText(); r.wrong.Text != "" && r.object.Visible() {
			d.Focus(r.control)
			return false
		}
	}
	return true
}

// follow updates all controls, since one setting may change another.
func (d *Dialog) follow() {
	if d.busy {
		return
	}
	d.busy = true
	defer func() { d.busy = false }()
	for _, r := range d.rows {
		r.show()
	}
}

// A row shows a setting: its title, its help and a control.
type row struct {
	Setting
	d       *Dialog
	object  fyne.CanvasObject
	control interface {
		fyne.CanvasObject
		fyne.Focusable
	}
	show  func() // sets the control to the current value
	wrong *widget.Label
}

func (d *Dialog) newRow(s Setting) *row {
	r := &row{Setting: s, d: d, wrong: widget.NewLabel("")}
	r.wrong.Importance, r.wrong.Wrapping = widget.DangerImportance, fyne.TextWrapWord
	r.wrong.Hide()
	title := widget.NewLabel(s.Title)
	title.Wrapping = fyne.TextWrapWord
	help := widget.NewLabel(s.Help)
	help.Importance, help.Wrapping, help.SizeName = widget.LowImportance, fyne.TextWrapWord, theme.SizeNameCaptionText
	switch {
	case s.Choices != nil:
		r.makeChoice()
	case s.Switch != nil:
		r.makeSwitch()
	default:
		r.makeText()
	}
	words := container.NewVBox(kit.Dense(title), kit.Dense(help))
	if s.Text != nil && s.Text.Lines {
		r.object = container.NewVBox(words, r.control, r.wrong)
	} else {
		r.object = kit.Border(nil, r.wrong, nil, kit.FixedWidth(controlWidth, container.NewVBox(r.control)), words)
	}
	r.show()
	return r
}

func (r *row) focused() { r.d.reveal(r.object) }

// changed logs the user's change of the setting and updates all controls.
func (r *row) changed(to any) {
	r.d.Log.Write("setting", r.Key, to)
	r.d.follow()
}

func (r *row) makeChoice() {
	c := kit.NewSelect(r.titles(), func(title string) {
		for _, one := range r.Choices {
			if one.Title == title && !r.d.busy && !one.Holds() {
				one.Choose()
				r.changed(title)
			}
		}
	})
	c.OnFocus = r.focused
	r.control = c
	r.show = func() {
		was := r.d.busy
		r.d.busy = true
		c.SetSelected(r.held())
		r.d.busy = was
	}
}

func (r *row) makeSwitch() {
	c := kit.NewCheck("", func(on bool) {
		if !r.d.busy && on != r.Switch.On() {
			r.Switch.Set(on)
			r.changed(on)
		}
	})
	c.OnFocus = r.focused
	r.control = c
	r.show = func() {
		was := r.d.busy
		r.d.busy = true
		c.SetChecked(r.Switch.On())
		r.d.busy = was
	}
}

func (r *row) makeText() {
	e := kit.NewEntry(r.d.close)
	e.OnFocus = func(gained bool) {
		if gained {
			r.focused()
		} else {
			r.keepText()
		}
	}
	e.SetPlaceHolder(r.Text.Hint)
	if r.Text.Lines {
		e.MultiLine, e.Wrapping = true, fyne.TextWrapOff
		e.SetMinRowsVisible(2)
	} else {
		e.OnSubmitted = func(string) { r.keepText() }
	}
	r.control = e
	e.SetText(r.Text.Get())
	r.show = func() {}
}

// keepText stores the typed text, or shows the error of an invalid one.
func (r *row) keepText() {
	e, ok := r.control.(*kit.Entry)
	if !ok || e.Text == r.Text.Get() && r.wrong.Text == "" {
		return
	}
	said := ""
	if err := r.Text.Set(e.Text); err != nil {
		said = phrase.Sentence(err)
	} else {
		r.changed(e.Text)
	}
	r.wrong.SetText(said)
	kit.SetVisible(r.wrong, said != "")
	r.object.Refresh()
}
