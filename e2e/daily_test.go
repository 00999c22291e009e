//go:build e2e

package e2e

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// A day is what a user does with a file of a format every day.
type day struct {
	format string
	file   string
	value  string // searched for in the tree that is shown first
	found  string // the path of the first hit
	inside string // bytes that are in a decompressed source only; "": the format compresses nothing
	within string // the source that they are in
	from   string // a node with a reference
	to     string // where the reference leads
	number string // a node whose first two bytes the inspector reads
	little string
	big    string
	broken string    // a damaged file
	flawed string    // the node with its first problem
	large  string    // a file to export from
	parts  [3]string // neighbours in it
	table  bool      // they can be written as CSV
}

var days = []day{
	{
		format: "usdc", file: "../assets/sample.usdc", value: "=96", found: "scene/endTimeCode",
		inside: "timeCodesPerSecond", within: "layout/TOKENS/text@inflated",
		from: "layout/bootstrap/tocOffset", to: "layout/toc",
		number: "layout/toc/count", little: "6   0x6", big: "1536   0x600",
		broken: "../testdata/usdc/x-spec-set-oob.usdc", flawed: "layout/SPECS/fieldSetIndexes",
		large: "../assets/sample.usdc", table: true,
		parts: [3]string{"scene/Prototypes/Leg/.extent", "scene/Prototypes/Leg/.faceVertexCounts", "scene/Prototypes/Leg/.faceVertexIndices"},
	},
	{
		format: "usdz", file: "../testdata/usdc/made-sample.usdz", value: "=96", found: "scene/endTimeCode",
		inside: "timeCodesPerSecond", within: "layout/sample.usdc/data@member/TOKENS/text@inflated",
		from: "layout/central directory/[0]", to: "layout/sample.usdc",
		number: "layout/end record/entries", little: "1   0x1", big: "256   0x100",
		broken: "../testdata/usdc/x-wrong-crc.usdz", flawed: "layout/root.usdc/data",
		large: "../testdata/usdc/made-sample.usdz", table: true,
		parts: [3]string{"scene/Prototypes/Leg/.extent", "scene/Prototypes/Leg/.faceVertexCounts", "scene/Prototypes/Leg/.faceVertexIndices"},
	},
	{
		format: "vrs", file: "../testdata/vrs/index-in-front.vrs", value: "number =2", found: "streams/999-1/data/[2]/data_layout/number",
		inside: "f0 3f 64 01 00 00 03 e7", within: "layout/index/entries@inflated",
		from: "streams/999-1/data/[3]", to: "layout/records/[4]",
		number: "streams/999-1/data/[2]/data_layout/number", little: "2   0x2", big: "512   0x200",
		broken: "../testdata/vrs/damaged-field-entry-outside.vrs", flawed: "layout/records/[0]/payload/data_layout/index/vector%2FBool",
		large: "../testdata/vrs/pixels.vrs", table: true,
		parts: [3]string{"streams/999-1", "streams/999-2", "streams/999-3"},
	},
	{
		format: "udm", file: "../testdata/udm/many.udm_b", value: "=201", found: "asset/assetData/element/key201",
		inside: "00 00 01 69 06 03 02 09", within: "layout/root/values/assetData/values/elements/data@inflated",
		from: "layout/root/keys/[1]", to: "layout/root/values/assetVersion",
		number: "layout/header/version", little: "2   0x2", big: "512   0x200",
		broken: "../testdata/udm/x-array-beyond.udm_b", flawed: "layout/root/values/assetData/values/damaged/values/x/size",
		large: "../testdata/udm/twin.udm_b", table: true,
		parts: [3]string{"asset/assetData/numbers", "asset/assetData/vectors", "asset/assetData/nils"},
	},
	{
		format: "odin", file: "../testdata/odin/gzip-in-hex.asset", value: "name:_start",
		found:  "udon/serializedProgramCompressedBytes/program/entry points/_start",
		inside: "1f 8b 08", within: "layout/[1]/serializedProgramCompressedBytes/value@decoded",
		from: "udon/serializedProgramCompressedBytes/program/code/0x0008", to: "udon/serializedProgramCompressedBytes/program/code/0x0020",
		number: "udon/serializedProgramCompressedBytes/program/code/0x0000", little: "0   0x0", big: "0   0x0",
		broken: "../testdata/odin/damaged-type-tag.odin", flawed: "layout/broken entry/type/tag",
		large: "../testdata/odin/gzip-in-hex.asset", table: true,
		parts: [3]string{"udon/serializedProgramCompressedBytes/program/entry points", "udon/serializedProgramCompressedBytes/program/symbols",
			"udon/serializedProgramCompressedBytes/program/heap"},
	},
	{
		format: "omnilive", file: "../testdata/omnilive/world.oodf", value: "=11", found: "layer/World/.size/sectionId",
		from: "layer/World/.size/default", to: "layout/FlatBuffer/0xec",
		number: "layout/FlatBuffer/root offset", little: "28   0x1c", big: "7168   0x1c00",
		broken: "../testdata/omnilive/x-list-op-bit-7.oodf", flawed: "layout/FlatBuffer/0x5c/value",
		large: "../testdata/omnilive/world.oodf", table: true,
		parts: [3]string{"layout/FlatBuffer/0x2c", "layout/FlatBuffer/0x3c", "layout/FlatBuffer/0x44"},
	},
	{
		format: "flatbuffer", file: "../testdata/flatbuffer/stall.mrkt", value: "=3.25", found: "fields/box/weight",
		from: "layout/root offset", to: "layout/0x3c",
		number: "layout/root offset", little: "60   0x3c", big: "15360   0x3c00",
		large: "../testdata/flatbuffer/stall.mrkt",
		parts: [3]string{"layout/0x3c/discount", "layout/0x3c/box", "layout/0x3c/grid"},
	},
}

// looks are the themes and scales in which the days are spent: one each, or all with CUTAWAY_LOOKS=all.
var looks = []look{{"light", 1}, {"dark", 1}, {"light", 2}, {"dark", 2}}

// TestDailyWork searches, follows, inspects and goes to problems, with the keyboard, on a file of each format.
func TestDailyWork(t *testing.T) {
	for i, day := range days {
		t.Run(day.format, func(t *testing.T) {
			raw, err := os.ReadFile(day.file)
			if err != nil {
				t.Fatal(err)
			}
			if os.Getenv("CUTAWAY_LOOKS") != "all" {
				day.spend(t, looks[i%len(looks)], raw)
				return
			}
			for _, look := range looks {
				t.Run(look.String(), func(t *testing.T) { day.spend(t, look, raw) })
			}
		})
	}
}

// spend does all of it in one look, with a picture of each step.
func (day day) spend(t *testing.T, look look, raw []byte) {
	d := startLook(t, look, day.file)
	shot := func(step string) { d.picture(fmt.Sprintf("daily-%s-%s-%s", day.format, step, look)) }
	day.searchTree(d)
	shot("search")
	if day.inside != "" {
		day.searchSources(d, raw)
		shot("everywhere")
	}
	day.follow(d)
	shot("follow")
	day.inspect(d)
	shot("inspect")
	d = startLook(t, look, day.large) // a fresh window, in which no branch is open
	forms := []string{"json"}
	if day.table {
		forms = append(forms, "csv")
	}
	for _, form := range forms {
		day.export(d, form, shot)
	}
	if day.broken != "" {
		d = startLook(t, look, day.broken)
		day.problems(d)
		shot("problems")
	}
}

// searchTree searches the tree and lands on the bytes of what is found.
func (day day) searchTree(d *desktop) {
	d.t.Helper()
	d.find("ctrl+f", "search", day.value)
	d.key("Return")
	hit := d.waitFor("hit", func(e event) bool { return e.fields[0] == "0" })
	if hit.fields[1] != day.found {
		d.t.Errorf("searching %q finds %s first, not %s", day.value, hit.fields[1], day.found)
	}
	d.waitFor("cell", func(e event) bool { return e.fields[0] == hit.fields[2] && e.fields[1] == hit.fields[3] })
}

// searchSources finds bytes that the file itself does not have.
func (day day) searchSources(d *desktop, raw []byte) {
	d.t.Helper()
	if bytes.Contains(raw, day.pattern()) {
		d.t.Fatalf("%q stands in the file itself", day.inside)
	}
	d.key("ctrl+f")
	d.waitFor("field", func(e event) bool { return e.fields[0] == "search" })
	d.do("type", "--delay", "8", day.inside)
	d.click(d.seeStill("Search the bytes of everything*").middle()) // rows come in above it
	hit := d.waitFor("hit", func(e event) bool { return e.fields[1] == "" })
	if hit.fields[2] != day.within {
		d.t.Errorf("%q is found in %s, not in %s", day.inside, hit.fields[2], day.within)
	}
	d.waitFor("cell", func(e event) bool { return e.fields[0] == hit.fields[2] && e.fields[1] == hit.fields[3] })
}

// pattern is the bytes of inside: hex, or text.
func (day day) pattern() []byte {
	var all []byte
	for _, pair := range strings.Fields(day.inside) {
		b, err := strconv.ParseUint(pair, 16, 8)
		if err != nil {
			return []byte(day.inside)
		}
		all = append(all, byte(b))
	}
	return all
}

// follow follows a reference and comes back.
func (day day) follow(d *desktop) {
	d.t.Helper()
	d.goTo(day.from)
	d.key("ctrl+Return")
	if at := d.wait("followed"); at.fields[1] != day.to {
		d.t.Errorf("the reference of %s leads to %s, not to %s", day.from, at.fields[1], day.to)
	}
	d.waitFor("selected", func(e event) bool { return e.fields[0] == day.to })
	d.key("alt+Left")
	d.waitFor("selected", func(e event) bool { return e.fields[0] == day.from })
}

// inspect reads a number in both byte orders.
func (day day) inspect(d *desktop) {
	d.t.Helper()
	at := d.goTo(day.number)
	d.key("ctrl+i")
	got := d.waitFor("inspect", func(e event) bool { return e.fields[0] == at.fields[1] && e.fields[1] == at.fields[2] })
	if got.fields[2] != day.little || got.fields[3] != day.big {
		d.t.Errorf("%s reads %q and %q, want %q and %q", day.number, got.fields[2], got.fields[3], day.little, day.big)
	}
}

// export selects three nodes and exports them; the command line writes the same.
func (day day) export(d *desktop, form string, shot func(step string)) {
	d.t.Helper()
	d.goTo(day.parts[0])
	d.key("shift+Down", "shift+Down")
	d.waitFor("picked", func(e event) bool { return e.fields[0] == "3" })
	d.key("ctrl+shift+e")
	dialog := d.waitAll("export-dialog", "preview")[0]
	if form == "csv" {
		d.click(dialog.number(6), dialog.number(7))
		d.key("Home", "Down", "Down")
		d.waitFor("preview", func(e event) bool { return e.fields[0] == form })
	}
	shot("export-" + form)
	path := filepath.Join(d.t.TempDir(), "out."+form)
	d.click(dialog.number(2), dialog.number(3))
	d.key("ctrl+a")
	d.do("type", "--delay", "8", path)
	d.click(dialog.number(4), dialog.number(5))
	d.wait("exported")
	got, err := os.ReadFile(path)
	if err != nil {
		d.t.Fatal(err)
	}
	args := append([]string{"export", day.large, "--as", form}, day.parts[:]...)
	if want := d.output(d.path(program), args...); strings.TrimSpace(string(got)) != want || want == "" {
		d.t.Errorf("the window writes\n%s\nthe command line\n%s", got, want)
	}
	d.key("Escape")
}

// problems checks a damaged file and goes to its first problem.
func (day day) problems(d *desktop) {
	d.t.Helper()
	d.key("ctrl+k")
	if done := d.waitFor("done", func(e event) bool { return e.fields[0] == "check" }); done.offset(1) == 0 {
		d.t.Fatalf("no problem in %s", filepath.Base(day.broken))
	}
	d.goTo("layout") // so that the list has rested, and going to the problem changes something
	d.key("ctrl+k")
	first := d.waitFor("problems", func(e event) bool { return len(e.fields) == 6 && e.fields[1] != "0" })
	d.click(first.number(2)+200, first.number(3)+first.number(5)/2)
	if at := d.wait("selected"); at.fields[0] != day.flawed {
		d.t.Errorf("the first problem of %s leads to %s, not to %s", filepath.Base(day.broken), at.fields[0], day.flawed)
	}
}
