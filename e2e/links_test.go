//go:build e2e

package e2e

import (
	"fmt"
	"image"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"cutaway/internal/crategen"
)

const sample = "../assets/sample.usdc"

// sparseCrate is a crate of 5 GB, nearly all of it a hole.
func sparseCrate(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "sparse.usdc")
	if err := crategen.BulkFile(path, crategen.Sparse, 5<<30); err != nil {
		t.Fatal(err)
	}
	return path
}

// lit checks that the cells of length bytes from the cell event's byte on, all in one group of 8 bytes, have the
// colour of the selection, and that no other byte cell has.
func lit(t *testing.T, d *desktop, m image.Image, cell event, length int64) {
	t.Helper()
	off := cell.offset(1)
	x, y, w, h := cell.number(2), cell.number(3), cell.number(4), cell.number(5)
	textX, textW, perRow := cell.number(6), cell.number(7), cell.offset(8)
	var fill uint32
	if _, err := fmt.Sscanf(cell.fields[9], "%x", &fill); err != nil {
		t.Fatal(err)
	}
	if off%8+length > 8 {
		t.Fatalf("bytes %d+%d cross a group", off, length)
	}
	cells := func(x, w float64) image.Rectangle { // a pixel more each way, for rounding
		return image.Rect(d.x+int(x)-1, d.y+int(y)-1, d.x+int(x+w*float64(length))+2, d.y+int(y+h)+2)
	}
	inHex, inText := cells(x, w), cells(textX, textW)
	column := off % perRow
	left := d.x + int(x-(w+8)*float64(column)) - 8
	right := d.x + int(textX+textW*float64(perRow-column)) + 4
	var hits, text, elsewhere int
	var where image.Point
	bounds := m.Bounds()
	for py := bounds.Min.Y; py < bounds.Max.Y; py++ {
		for px := max(left, bounds.Min.X); px < min(right, bounds.Max.X); px++ {
			r, g, b, _ := m.At(px, py).RGBA()
			if r>>8<<16|g>>8<<8|b>>8 != fill {
				continue
			}
			switch at := image.Pt(px, py); {
			case at.In(inHex):
				hits++
			case at.In(inText):
				text++
			case py > d.y+100 && py < d.y+int(0.66*height):
				elsewhere++
				where = at
			}
		}
	}
	if area := int(w * h * float64(length)); hits < area*4/10 || hits > area*11/10 {
		t.Errorf("byte %#x+%d: %d of %d pixels of its cells have the selection's colour", off, length, hits, area)
	}
	if area := int(textW * h * float64(length)); text < area*3/10 {
		t.Errorf("byte %#x+%d: %d of %d pixels of its text have the selection's colour", off, length, text, area)
	}
	if elsewhere > 0 {
		t.Errorf("byte %#x+%d: %d pixels elsewhere have the selection's colour, such as %v; its cells are %v and %v", off, length, elsewhere, where, inHex, inText)
	}
}

// TestNodeToBytes clicks three nodes far apart, one beyond 2 GB, and looks at their bytes.
func TestNodeToBytes(t *testing.T) {
	d := start(t, "dark", sparseCrate(t))
	var last int64
	for i, path := range []string{"layout/bootstrap/magic", "layout/bootstrap/tocOffset", "layout/toc/count"} {
		d.goTo(path)
		row := d.wait("row")
		d.goTo(filepath.Dir(path)) // so that the click has something to change
		d.click(row.number(0)+60, row.number(1)+row.number(3)/2)
		selected := d.wait("selected")
		if selected.fields[0] != path {
			t.Errorf("a click on the row of %s selects %s", path, selected.fields[0])
		}
		cell := d.wait("cell")
		if cell.fields[0] != "file" || cell.offset(1) != selected.offset(2) {
			t.Errorf("%s is at %s, the cell is of %s", path, selected.fields[2], cell.fields[1])
		}
		lit(t, d, d.picture(fmt.Sprintf("e2e-node-%d", i+1)), cell, selected.offset(3))
		last = selected.offset(2)
	}
	if last < 2<<30 {
		t.Errorf("the last node is at %#x, not beyond 2 GB", last)
	}
}

// TestByteToNode clicks bytes and finds their nodes.
func TestByteToNode(t *testing.T) {
	d := start(t, "light", sample)
	d.goTo("layout/bootstrap/magic")
	cell := d.wait("cell")
	x, y, w, h := cell.number(2), cell.number(3), cell.number(4), cell.number(5)
	for _, c := range []struct {
		off  int64
		path string
	}{{33, "layout/bootstrap/reserved"}, {3, "layout/bootstrap/magic"}, {17, "layout/bootstrap/tocOffset"}} {
		perRow := cell.offset(8)
		if c.off%perRow >= 8 {
			t.Fatalf("byte %d is not in the first group of a row of %d", c.off, perRow)
		}
		d.click(x+w*(float64(c.off%perRow)+0.5), y+h*(float64(c.off/perRow)+0.5))
		if tap := d.wait("hex-tap"); tap.offset(1) != c.off {
			t.Errorf("a click on byte %d is seen at %d", c.off, tap.offset(1))
		}
		if selected := d.wait("selected"); selected.fields[0] != c.path {
			t.Errorf("a click on byte %d selects %s, not %s", c.off, selected.fields[0], c.path)
		}
	}
	d.picture("e2e-byte-light")
}

// TestTokenToSequence traces a decompressed byte to the LZ4 sequence in the file that it came from.
func TestTokenToSequence(t *testing.T) {
	d := start(t, "dark", sample)
	d.goTo("layout/TOKENS/text@inflated/[3]")
	from := d.wait("from")
	if from.fields[0] != "file" {
		t.Errorf("the token came from %s", from.fields[0])
	}
	cell := d.wait("cell")
	if !strings.HasSuffix(cell.fields[0], "@inflated") {
		t.Fatalf("the token's bytes are in %s", cell.fields[0])
	}
	// The byte itself, by a click, then up to the bytes that it was made from, and what these are.
	d.click(cell.number(2)+cell.number(4)/2, cell.number(3)+cell.number(5)/2)
	d.wait("hex-tap")
	d.picture("e2e-token")
	d.key("alt+Up")
	d.key("ctrl+g")
	d.do("type", from.fields[1])
	d.key("Return")
	selected := d.waitFor("selected", func(e event) bool { return e.fields[1] == "file" })
	offset, _ := strconv.ParseInt(from.fields[1], 10, 64)
	if !strings.HasPrefix(selected.fields[0], "layout/TOKENS/text/") || offset < selected.offset(2) || offset >= selected.offset(2)+selected.offset(3) {
		t.Errorf("byte %d of the file is %s", offset, selected.fields[0])
	}
	d.picture("e2e-sequence")
}
