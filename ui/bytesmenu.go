package ui

import (
	"fmt"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"

	"cutaway/hexview"
	"cutaway/ui/preferences"
)

// bytesMenu is how bytes are shown, in all panes of bytes.
func (w *Window) bytesMenu() *fyne.Menu {
	menu := fyne.NewMenu("")
	for _, s := range w.bytesSettings() {
		menu.Items = append(menu.Items, w.settingItem(s))
	}
	last := len(menu.Items) - 1
	menu.Items[last-1].Shortcut = &desktop.CustomShortcut{KeyName: fyne.KeyH, Modifier: ctrl | fyne.KeyModifierShift}
	menu.Items[last].Shortcut = &desktop.CustomShortcut{KeyName: fyne.KeyBackslash, Modifier: ctrl}
	return menu
}

// bytesSettings is how bytes are shown; the last two are those with a key.
func (w *Window) bytesSettings() []preferences.Setting {
	const group = "Bytes"
	return []preferences.Setting{
		{Key: "row_width", Group: group, Title: "Bytes per row", Help: "How many bytes a row has.", Choices: w.modes(rowChoices())},
		{Key: "group", Group: group, Title: "Group", Help: "How many bytes are shown together.", Choices: w.modes(groupChoices())},
		{Key: "number", Group: group, Title: "Shown as", Help: "What a group of bytes is shown as.", Choices: w.modes([]choice{
			{"Bytes", func(m *hexview.Mode) { m.Number = hexview.Bytes }}, {"Hexadecimal numbers", as(hexview.Hex)},
			{"Unsigned numbers", as(hexview.Unsigned)}, {"Signed numbers", as(hexview.Signed)}, {"Floating point", as(hexview.Float)}})},
		{Key: "big_endian", Group: group, Title: "Byte order", Help: "The order of the bytes in a number.", Choices: w.modes([]choice{
			{"Little endian", func(m *hexview.Mode) { m.BigEndian = false }}, {"Big endian", func(m *hexview.Mode) { m.BigEndian = true }}})},
		{Key: "decimal_offsets", Group: group, Title: "Offsets", Help: "How the offsets of rows are written.", Choices: w.modes([]choice{
			{"Hexadecimal", func(m *hexview.Mode) { m.DecimalOffsets = false }}, {"Decimal", func(m *hexview.Mode) { m.DecimalOffsets = true }}})},
		{Key: "text_encoding", Group: group, Title: "Text", Help: "What the column of text shows bytes as.", Choices: w.modes(textChoices())},
		{Key: "no_entropy", Group: group, Title: "Entropy", Help: "A strip beside the bytes shows how random they are, and their kinds.",
			Switch: &preferences.Switch{On: func() bool { return !w.Store.HideProfile },
				Set: func(on bool) { w.setMode(func(m *hexview.Mode) { m.HideProfile = !on }) }}},
		{Key: "fold", Group: group, Title: "Fold equal and unexplained bytes", Help: "Of runs of equal bytes, and of what nothing explains, one row is shown.",
			Switch: &preferences.Switch{On: func() bool { return w.Store.Fold }, Set: func(on bool) { w.setMode(func(m *hexview.Mode) { m.Fold = on }) }}},
		{Key: "second_bytes", Group: group, Title: "Second place", Help: "Bytes are shown at two places, one below the other.",
			Switch: &preferences.Switch{On: func() bool { return w.Store.SecondBytes }, Set: w.showSecond}},
	}
}

// choice is one of several ways to show bytes.
type choice struct {
	label string
	set   func(m *hexview.Mode)
}

// modes are ways to show bytes of which one holds at a time.
func (w *Window) modes(all []choice) (choices []preferences.Choice) {
	for _, c := range all {
		holds := func() bool {
			next := w.Store.Mode
			c.set(&next)
			return next == w.Store.Mode
		}
		choices = append(choices, preferences.Choice{Title: c.label, Holds: holds, Choose: func() { w.setMode(c.set) }})
	}
	return choices
}

// showSecond shows bytes at a second place too, or no longer.
func (w *Window) showSecond(on bool) {
	w.Store.SecondBytes = on
	for _, s := range w.sessions {
		if s.Pane != nil {
			s.Pane.Hex.ShowSecond(on)
		}
	}
	w.Log.Write("second", on)
	w.updateMenu()
	w.Save()
}

func rowChoices() []choice {
	all := []choice{{"As many as fit", func(m *hexview.Mode) { m.RowWidth = 0 }}}
	for _, n := range []int{8, 12, 16, 24, 32, 64} {
		all = append(all, choice{fmt.Sprint(n), func(m *hexview.Mode) { m.RowWidth = n }})
	}
	return all
}

// groupChoices are the sizes of groups. No float has one byte.
func groupChoices() []choice {
	all := []choice{{"1 byte", func(m *hexview.Mode) {
		m.Group = 0
		if m.Number == hexview.Float {
			m.Number = hexview.Bytes
		}
	}}}
	for _, n := range []int{2, 4, 8} {
		all = append(all, choice{fmt.Sprintf("%d bytes", n), func(m *hexview.Mode) { m.Group = n }})
	}
	return all
}

// as shows numbers of a kind; of one byte there is no float, and a hexadecimal one looks as the byte does.
func as(n hexview.Number) func(m *hexview.Mode) {
	return func(m *hexview.Mode) {
		m.Number = n
		if m.Group == 0 && (n == hexview.Float || n == hexview.Hex) {
			m.Group = 4
		}
	}
}

func textChoices() []choice {
	var all []choice
	for _, e := range hexview.Encodings {
		all = append(all, choice{e.Title, func(m *hexview.Mode) { m.Encoding = e.Encoding }})
	}
	return all
}

// setMode changes how bytes are shown, everywhere and from now on.
func (w *Window) setMode(set func(m *hexview.Mode)) {
	set(&w.Store.Mode)
	for _, s := range w.sessions {
		if s.Pane == nil {
			continue
		}
		for _, t := range s.Pane.Hex.All() {
			t.View.SetMode(w.Store.Mode)
			t.Profile()
		}
		s.Pane.Hex.Fold()
	}
	w.Log.Write("bytes", w.Store.Group, string(w.Store.Number), w.Store.BigEndian, w.Store.DecimalOffsets, string(w.Store.Encoding))
	w.updateMenu()
	w.Save()
}
