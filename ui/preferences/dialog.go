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

// Dialog lists all settings below a field that narrows them down. What is changed holds at once.
type Dialog struct {
	*shell.Shell
	Find *kit.Entry
	rows []*row
	// heads are the titles of groups, by name.
	heads  map[string]fyne.CanvasObject
	none   fyne.CanvasObject // said where no setting fits
	scroll *container.Scroll
	modal  *shell.Modal
	busy   bool // controls follow what holds; that is no choice of the user
}

// Measures in Fyne's units.
const (
	wide, high   = 640, 460
	controlWidth = 216
	overHead     = 6  // room over the title of a group
	besideBar    = 14 // room for the scroll bar at the right
)

// Show lists the settings, at first those that text finds; more are buttons besides Close.
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
	d.scroll = container.NewVScroll(kit.Padded(0, 0, theme.InnerPadding()/2, besideBar, list)) // as far in as the title and the field
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

// close is what Escape does: what is typed and wrong is dropped.
func (d *Dialog) close() {
	d.keepTexts()
	d.modal.Hide()
}

// narrow shows the settings that fit, and the titles of their groups.
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

// reveal scrolls until a row is in sight.
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

// keepTexts takes what was typed; false: some of it is wrong, which then has the keyboard.
func (d *Dialog) keepTexts() bool {
	for _, r := range d.rows {
		if r.take(); r.wrong.Text != "" && r.object.Visible() {
			d.Focus(r.control)
			return false
		}
	}
	return true
}

// follow has all controls show what holds: one setting may change another.
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

// row is a setting on the screen: its title and help, and what changes it.
type row struct {
	Setting
	d       *Dialog
	object  fyne.CanvasObject
	control interface {
		fyne.CanvasObject
		fyne.Focusable
	}
	show  func() // what holds
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

// changed is called when the user has changed the setting.
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
			r.take()
		}
	}
	e.SetPlaceHolder(r.Text.Hint)
	if r.Text.Lines {
		e.MultiLine, e.Wrapping = true, fyne.TextWrapOff
		e.SetMinRowsVisible(2)
	} else {
		e.OnSubmitted = func(string) { r.take() }
	}
	r.control = e
	e.SetText(r.Text.Get())
	r.show = func() {}
}

// take takes what was typed, or says what is wrong with it.
func (r *row) take() {
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
