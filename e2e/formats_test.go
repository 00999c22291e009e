//go:build e2e

package e2e

import (
	"path/filepath"
	"strings"
	"testing"
)

// TestFormats clicks a node of a file of each format, looks at its bytes, and clicks them to find the node again.
func TestFormats(t *testing.T) {
	for _, c := range []struct{ file, path string }{
		{"usdc/made-0.0.1.usdc", "layout/bootstrap/tocOffset"},
		{"usdc/single.usdz", "layout/end record/directory size"},
		{"vrs/index-in-front.vrs", "streams/999-1/data/[0]/data_layout/number"},
		{"vrs/index-in-front.vrs", "streams/999-1/data/[1]/data_layout/number"},
		{"udm/twin.udm_b", "asset/assetData/uint16"},
		{"odin/base64-windows-lines.asset", "entries/SerializedBytesString/[0]/end entry"},
		{"omnilive/world.oodf", "commands/[1]/parentId"},
		{"flatbuffer/stall.mrkt", "layout/0x3c/colour"},
	} {
		t.Run(strings.ReplaceAll(filepath.Base(c.file)+" "+c.path, "/", " "), func(t *testing.T) {
			d := start(t, "light", "../testdata/"+c.file)
			d.goTo(c.path)
			row := d.wait("row")
			d.goTo(filepath.Dir(c.path))
			d.click(row.number(0)+90, row.number(1)+row.number(3)/2)
			selected := d.wait("selected")
			if selected.fields[0] != c.path {
				t.Fatalf("a click on the row of %s selects %s", c.path, selected.fields[0])
			}
			cell := d.wait("cell")
			lit(t, d, d.picture("e2e-"+filepath.Ext(c.file)[1:]), cell, selected.offset(3))
			d.click(cell.number(2)+cell.number(4)/2, cell.number(3)+cell.number(5)/2)
			if tap := d.wait("hex-tap"); tap.fields[0] != cell.fields[0] || tap.offset(1) != cell.offset(1) {
				t.Errorf("a click on byte %s of %s is seen at %s of %s", cell.fields[1], cell.fields[0], tap.fields[1], tap.fields[0])
			}
			if again := d.wait("selected"); again.fields[0] != c.path {
				t.Errorf("a click on the bytes of %s selects %s", c.path, again.fields[0])
			}
		})
	}
}

// TestTogether opens two live layers as one document, and goes from the bytes of one to those of the other.
func TestTogether(t *testing.T) {
	d := start(t, "dark", "../testdata/omnilive/world.oodf", "--with", "../testdata/omnilive/world-b.oodf")
	if selected := d.goTo("commands/world.oodf/[1]"); selected.fields[1] != "world.oodf" {
		t.Errorf("the command's bytes are in %s", selected.fields[1])
	}
	if selected := d.goTo("layout/world-b.oodf/FlatBuffer/identifier"); selected.fields[1] != "world-b.oodf" {
		t.Errorf("the other's bytes are in %s", selected.fields[1])
	}
}
