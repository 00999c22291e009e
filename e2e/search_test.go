//go:build e2e

package e2e

import "testing"

// find types into the field that a key has given the keyboard to.
func (d *desktop) find(key, field, text string) {
	d.t.Helper()
	d.key(key)
	d.waitFor("field", func(e event) bool { return e.fields[0] == field })
	d.do("type", "--delay", "8", text)
}

// TestSearch goes through the hits of a search with keys alone, wherever the keyboard is, and looks at their bytes.
func TestSearch(t *testing.T) {
	d := start(t, "light", sample)
	d.find("ctrl+f", "search", "name:specifier")
	d.key("Return")
	first := d.wait("hit")
	if selected := d.wait("selected"); selected.fields[0] != first.fields[1] {
		t.Errorf("hit %s selects %s", first.fields[1], selected.fields[0])
	}
	cell := d.wait("cell")
	lit(t, d, d.picture("e2e-search"), cell, first.offset(4))
	d.key("F3")
	next := d.wait("hit")
	if next.fields[0] != "1" || next.fields[1] == first.fields[1] {
		t.Errorf("F3 goes to hit %s, %s", next.fields[0], next.fields[1])
	}
	d.click(cell.number(2)+3, cell.number(3)+3) // the bytes get the keyboard
	d.wait("hex-tap")
	d.key("shift+F3")
	if again := d.wait("hit"); again.fields[1] != first.fields[1] {
		t.Errorf("Shift+F3 goes to %s, not back to %s", again.fields[1], first.fields[1])
	}
}

// TestFilter leaves what matches in the tree, goes to a row of it, and shows all again at that row.
func TestFilter(t *testing.T) {
	d := start(t, "dark", sample)
	d.find("ctrl+shift+f", "filter", "name:forearm")
	done := d.waitFor("filter", func(e event) bool { return e.fields[0] == "done" })
	if matches, rows := done.offset(2), done.offset(3); matches < 1 || rows <= matches {
		t.Fatalf("%d matches in %d rows", matches, rows)
	}
	d.key("Down", "End")
	selected := d.wait("selected")
	d.picture("e2e-filter")
	d.key("Escape")
	d.waitFor("filter", func(e event) bool { return e.fields[0] == "off" })
	d.key("Down", "Up")
	d.wait("selected")
	if again := d.wait("selected"); again.fields[0] != selected.fields[0] {
		t.Errorf("without the filter %s is selected, not %s", again.fields[0], selected.fields[0])
	}
}
