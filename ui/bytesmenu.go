package ui

import (
	"fmt"

	"fyne.io/fyne/v2"

	"cutaway/hexview"
	"cutaway/ui/kit"
)

// bytesMenu is how bytes are shown, in all panes of bytes.
func (w *Window) bytesMenu() *fyne.Menu {
	return fyne.NewMenu("", w.choices("Bytes per row", rowChoices()), w.choices("Group", groupChoices()),
		w.choices("Shown as", []choice{
			{"Bytes", func(m *hexview.Mode) { m.Number = hexview.Bytes }}, {"Hexadecimal numbers", as(hexview.Hex)},
			{"Unsigned numbers", as(hexview.Unsigned)}, {"Signed numbers", as(hexview.Signed)}, {"Floating point", as(hexview.Float)}}),
		w.choices("Byte order", []choice{{"Little endian", func(m *hexview.Mode) { m.BigEndian = false }},
			{"Big endian", func(m *hexview.Mode) { m.BigEndian = true }}}),
		w.choices("Offsets", []choice{{"Hexadecimal", func(m *hexview.Mode) { m.DecimalOffsets = false }},
			{"Decimal", func(m *hexview.Mode) { m.DecimalOffsets = true }}}),
		w.choices("Text", textChoices()), w.toggle("Entropy", func(m *hexview.Mode) *bool { return &m.HideProfile }),
		w.foldItem(), w.secondItem())
}

// choice is one of several ways to show bytes.
type choice struct {
	label string
	set   func(m *hexview.Mode)
}

// choices is a menu of which one holds at a time.
func (w *Window) choices(label string, all []choice) *fyne.MenuItem {
	menu := fyne.NewMenu("")
	for _, c := range all {
		one := kit.MenuItem(c.label, "", 0, func() { w.setMode(c.set) })
		next := w.Store.Mode
		c.set(&next)
		one.Checked = next == w.Store.Mode
		menu.Items = append(menu.Items, one)
	}
	item := fyne.NewMenuItem(label, nil)
	item.ChildMenu = menu
	return item
}

// toggle is a menu's item that shows what a field of the mode hides.
func (w *Window) toggle(label string, hidden func(m *hexview.Mode) *bool) *fyne.MenuItem {
	item := kit.MenuItem(label, "", 0, func() { w.setMode(func(m *hexview.Mode) { *hidden(m) = !*hidden(m) }) })
	item.Checked = !*hidden(&w.Store.Mode)
	return item
}

// foldItem folds runs of equal bytes and what nothing explains, or no longer.
func (w *Window) foldItem() *fyne.MenuItem {
	item := kit.MenuItem("Fold equal and unexplained bytes", fyne.KeyH, ctrl|fyne.KeyModifierShift, func() { w.setMode(func(m *hexview.Mode) { m.Fold = !m.Fold }) })
	item.Checked = w.Store.Fold
	return item
}

// secondItem shows bytes at a second place too, or no longer.
func (w *Window) secondItem() *fyne.MenuItem {
	item := kit.MenuItem("Second place", fyne.KeyBackslash, ctrl, w.flipSecond)
	item.Checked = w.Store.SecondBytes
	return item
}

func (w *Window) flipSecond() {
	w.Store.SecondBytes = !w.Store.SecondBytes
	for _, s := range w.sessions {
		if s.Pane != nil {
			s.Hex.ShowSecond(w.Store.SecondBytes)
		}
	}
	w.Log.Write("second", w.Store.SecondBytes)
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
		for _, t := range s.Hex.All() {
			t.View.SetMode(w.Store.Mode)
			t.Profile()
		}
		s.Hex.Fold()
	}
	w.Log.Write("bytes", w.Store.Group, string(w.Store.Number), w.Store.BigEndian, w.Store.DecimalOffsets, string(w.Store.Encoding))
	w.updateMenu()
	w.Save()
}
