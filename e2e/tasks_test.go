//go:build e2e

package e2e

import (
	"bytes"
	"encoding/binary"
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"cutaway/internal/crategen"
	"cutaway/internal/vrsgen"
)

var update = flag.Bool("update", false, "write docs/tasks.md anew")

const tasksPage = "../docs/tasks.md"

// A hand does what a user does and counts it. An action is a click, a double click, a drag, a turn of the wheel, a key with
// those that are held, or a word that is typed.
type hand struct {
	*desktop
	actions int
}

// press presses a key, such as ctrl+f.
func (h *hand) press(key string) {
	h.t.Helper()
	h.actions++
	h.key(key)
}

// word types a word.
func (h *hand) word(text string) {
	h.t.Helper()
	h.actions++
	h.do("type", "--delay", "8", text)
}

// tap clicks where a text is on the screen.
func (h *hand) tap(text string) {
	h.t.Helper()
	at := h.seeText(text)
	h.tapAt(at.middle())
}

// tapLast clicks where a text is on the screen for the last time.
func (h *hand) tapLast(text string) {
	h.t.Helper()
	at := h.seeText(text)
	for _, s := range h.screenTexts() {
		if s.text == text {
			at = s
		}
	}
	h.tapAt(at.middle())
}

// tapAt clicks at a place of the canvas.
func (h *hand) tapAt(x, y float64) {
	h.t.Helper()
	h.actions++
	h.click(x, y)
}

// tapTwice double-clicks where a text is on the screen.
func (h *hand) tapTwice(text string) {
	h.t.Helper()
	h.actions++
	x, y := h.seeStill(text).middle()
	h.do("mousemove", strconv.Itoa(h.x+h.scale*int(x)), strconv.Itoa(h.y+h.scale*int(y)), "sleep", "0.1", "click", "--repeat", "2", "--delay", "60", "1")
}

// menuAt clicks with the other button where a text is.
func (h *hand) menuAt(text string) {
	h.t.Helper()
	h.actions++
	h.clickWith("3", h.seeText(text))
}

// drag moves from one text to another with the button down.
func (h *hand) drag(from, to string) {
	h.t.Helper()
	h.actions++
	a, b := h.seeText(from), h.seeText(to)
	x, y := b.middle()
	ax, ay := a.middle()
	h.do("mousemove", strconv.Itoa(h.x+h.scale*int(ax)), strconv.Itoa(h.y+h.scale*int(ay)), "sleep", "0.1", "mousedown", "1", "sleep", "0.1",
		"mousemove", strconv.Itoa(h.x+h.scale*int(x)), strconv.Itoa(h.y+h.scale*int(y-4)), "sleep", "0.1",
		"mousemove", strconv.Itoa(h.x+h.scale*int(x)), strconv.Itoa(h.y+h.scale*int(y)), "sleep", "0.2", "mouseup", "1")
}

// tapWith clicks where a text is with a key held.
func (h *hand) tapWith(key, text string) {
	h.t.Helper()
	h.actions++
	at := h.seeText(text)
	h.do("keydown", key)
	h.clickWith("1", at)
	h.do("keyup", key)
}

func (h *hand) clickWith(button string, at shown) {
	h.t.Helper()
	x, y := at.middle()
	h.do("mousemove", strconv.Itoa(h.x+h.scale*int(x)), strconv.Itoa(h.y+h.scale*int(y)), "sleep", "0.1", "click", button)
}

// A shown is a text on the screen and where it is on the canvas.
type shown struct {
	x, y, w, h float64
	text       string
}

func (s shown) middle() (x, y float64) { return s.x + min(s.w, 60)/2, s.y + s.h/2 }

// screenTexts asks the window for the texts on its screen.
func (d *desktop) screenTexts() []shown {
	d.t.Helper()
	was := d.lines()
	if err := os.WriteFile(d.log+".look", nil, 0o600); err != nil {
		d.t.Fatal(err)
	}
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
		var texts []shown
		for _, line := range d.lines()[len(was):] {
			fields := strings.Split(line, "\t")
			switch fields[0] {
			case "text":
				e := event{fields[0], fields[1:]}
				texts = append(texts, shown{e.number(0), e.number(1), e.number(2), e.number(3), e.fields[4]})
			case "screen-end":
				return texts
			}
		}
	}
	d.t.Fatal("the window does not say what is on its screen")
	return nil
}

// lines are the whole lines of the log.
func (d *desktop) lines() []string {
	text, _ := os.ReadFile(d.log)
	lines := strings.Split(string(text), "\n")
	return lines[:len(lines)-1]
}

// seeText waits until a text is on the screen. A * in it stands for anything; of several the first is meant.
func (d *desktop) seeText(text string) shown {
	d.t.Helper()
	prefix, suffix, open := strings.Cut(text, "*")
	var all []shown
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); time.Sleep(50 * time.Millisecond) {
		all = d.screenTexts()
		for i := range all {
			if s := all[i]; s.text == text || open && strings.HasPrefix(s.text, prefix) && strings.HasSuffix(s.text, suffix) {
				return s
			}
		}
	}
	var list []string
	for _, s := range all {
		list = append(list, s.text)
	}
	d.t.Fatalf("no %q on the screen: %q", text, list)
	return shown{}
}

// seeStill waits until a text is where it was 100 ms before.
func (d *desktop) seeStill(text string) shown {
	d.t.Helper()
	for at := d.seeText(text); ; {
		time.Sleep(100 * time.Millisecond)
		was := at
		if at = d.seeText(text); at == was {
			return at
		}
	}
}

// seeLower waits until a text is below another of the same words and was there 100 ms before.
func (d *desktop) seeLower(text string) shown {
	d.t.Helper()
	first := d.seeText(text)
	was := first
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); time.Sleep(100 * time.Millisecond) {
		low := first
		for _, s := range d.screenTexts() {
			if s.text == text && s.y > low.y {
				low = s
			}
		}
		if low != first && low == was {
			return low
		}
		was = low
	}
	d.t.Fatalf("%q is only once on the screen", text)
	return shown{}
}

// selects waits until a node is selected.
func (d *desktop) selects(path string) event {
	d.t.Helper()
	return d.waitFor("selected", func(e event) bool { return e.fields[0] == path })
}

// A task is what a user wants of a file, by two ways to it.
type task struct {
	name  string
	goal  int // the most actions; 0: as few as the peers
	files func(t *testing.T) []string
	// before is what was done at another time, and does not count; nil: nothing was.
	before      func(h *hand)
	mouse, keys func(h *hand)
	peers       string // how many actions their manuals tell of; –: none does
}

func just(files ...string) func(*testing.T) []string {
	return func(*testing.T) []string { return files }
}

// TestTasks does each task with the mouse alone and with the keyboard alone, in the real window, and counts the actions. The
// table in docs/tasks.md has the same numbers. By itself it does every second one each way; CUTAWAY_TASKS=all does all, and
// with -update writes the table.
func TestTasks(t *testing.T) {
	all := os.Getenv("CUTAWAY_TASKS") == "all"
	page, err := os.ReadFile(tasksPage)
	if err != nil && !*update {
		t.Fatal(err)
	}
	d := newDesktop(t, look{"light", 1})
	var table strings.Builder
	for i, task := range tasks {
		var counts [2]int
		for way, do := range []func(*hand){task.mouse, task.keys} {
			if !all && way != i%2 {
				continue
			}
			name := []string{"mouse", "keys"}[way]
			t.Run(fmt.Sprintf("%d %s", i+1, name), func(t *testing.T) {
				h := &hand{desktop: d.again(t)}
				h.window = ""
				cmd := h.open(program, "· Cutaway$", task.files(t)...)
				defer end(cmd)
				h.waitFor("done", func(e event) bool { return e.fields[0] == "check" })
				h.seen = 0
				if task.before != nil {
					task.before(h)
					h.actions = 0
				}
				do(h)
				if counts[way] = h.actions; task.goal > 0 && h.actions > task.goal {
					t.Errorf("%s takes %d actions, %d are wanted", task.name, h.actions, task.goal)
				}
				h.picture(fmt.Sprintf("task-%02d-%s", i+1, name))
				if cell := strings.Split(rowOf(string(page), task.name), "|"); !*update && (len(cell) < 5 || strings.TrimSpace(cell[3+way]) != fmt.Sprint(h.actions)) {
					t.Errorf("%s takes %d actions, %s says %q", task.name, h.actions, tasksPage, cell)
				}
			})
		}
		goal := "–"
		if task.goal > 0 {
			goal = fmt.Sprint("≤ ", task.goal)
		}
		fmt.Fprintf(&table, "| %s | %s | %d | %d | %s |\n", task.name, goal, counts[0], counts[1], task.peers)
	}
	if *update && all && !t.Failed() {
		writeTable(t, string(page), table.String())
	}
}

// rowOf is the row of a task in the table.
func rowOf(page, name string) string {
	for _, line := range strings.Split(page, "\n") {
		if strings.HasPrefix(line, "| "+name+" |") {
			return line
		}
	}
	return ""
}

// writeTable puts the table in place of the page's.
func writeTable(t *testing.T, page, table string) {
	t.Helper()
	const head = "| --- | --- | --- | --- | --- |\n"
	before, after, ok := strings.Cut(page, head)
	if !ok {
		t.Fatalf("%s has no table", tasksPage)
	}
	for strings.HasPrefix(after, "|") {
		_, after, _ = strings.Cut(after, "\n")
	}
	if err := os.WriteFile(tasksPage, []byte(before+head+table+after), 0o644); err != nil {
		t.Fatal(err)
	}
}

// again is the same X server for another window, with a log and settings of its own.
func (d *desktop) again(t *testing.T) *desktop {
	home := t.TempDir()
	fresh := *d
	fresh.t, fresh.log, fresh.seen = t, filepath.Join(home, "log"), 0
	fresh.env = append(fresh.env[:len(fresh.env):len(fresh.env)], "HOME="+home, "XDG_CONFIG_HOME="+home, "XDG_STATE_HOME="+home, "CUTAWAY_LOG="+fresh.log)
	return &fresh
}

const damagedCrate = "../testdata/usdc/x-spec-set-oob.usdc"

// recording is a recording with an image each 10 ms.
func recording(t *testing.T) []string {
	path := filepath.Join(t.TempDir(), "camera.vrs")
	if err := vrsgen.BulkFile(path, vrsgen.Bulk{Records: 300, Index: true}); err != nil {
		t.Fatal(err)
	}
	return []string{path}
}

// inside is timeCodes as bytes, which the sample has only where it is decompressed.
const inside = "74 69 6d 65 43 6f 64 65 73"

// points is where the array of a mesh's points is.
const points = "scene/Prototypes/Leg/.points/default"

// tasks are those of issues 14, 13 and 35, in their order.
var tasks = []task{
	{
		name: "the values and bytes of a mesh's points", files: just(sample),
		mouse: func(h *hand) {
			h.tap("Sizes")
			h.largest()
			h.tap("*oints/default")
			h.waitFor("selected", func(e event) bool { return strings.HasSuffix(e.fields[0], "/.points/default") })
		},
		keys: func(h *hand) {
			h.press("ctrl+f")
			h.word("path:points/default")
			h.press("Return")
			h.lands(points)
		},
		peers: "ImHex 3: the filter of Pattern Data, its word, the row (`pattern_drawer.cpp`), with a pattern of one's own whose `format` shows the values (Attributes); 010 Editor 3: Ctrl+F, `points,n` (Using Find), a double click that opens the variable (Working with Template Results), with a template of one's own",
	},
	{
		name: "the section that a token is in, and the compressed bytes it came from", files: just(sample),
		mouse: func(h *hand) {
			h.tap("10 fields")
			h.tapWith("ctrl", "defaultPrim")
			h.token()
		},
		keys: func(h *hand) {
			h.word("def")
			h.selects("scene/defaultPrim")
			h.press("ctrl+Return")
			h.token()
		},
		peers: "Wireshark 3: a branch, the field, the tab of the frame (The “Packet Bytes” Pane), with a dissector that decompresses; ImHex 4: the tab Sections, View, the token's row, the row of the compressed bytes (Pattern Editor), with a pattern of one's own that decompresses (Sections, dec)",
	},
	{
		name: "the image at a time", goal: 4, files: recording,
		mouse: func(h *hand) {
			h.tap("Sideward Camera")
			h.selects("streams/204-1")
			at := h.seeLower("Sideward Camera")
			h.tapAt(at.x+at.w+350, at.y+at.h/2)
			h.waitFor("moment", func(e event) bool { return strings.HasPrefix(e.fields[0], "streams/204-1/data/") })
			h.seeText("200 × 200*")
		},
		keys: func(h *hand) {
			h.press("ctrl+shift+g")
			h.waitFor("field", func(e event) bool { return e.fields[0] == "time" })
			h.word("1.12")
			h.press("Return")
			h.waitFor("moment", func(e event) bool { return e.fields[0] == "streams/204-1/data/[12]" })
			h.selects("streams/204-1/data/[12]")
			h.seeText("200 × 200*")
		},
		peers: "ImHex 3: the filter of Pattern Data, `time == 1.12` (`pattern_drawer.cpp`), the visualizer's button in the column Value (Pattern Data), with a pattern of one's own; 010 Editor 3: Ctrl+F, `time=1.12,n` (Using Find), the tab Visualize (Using the Mini Map), of raw grey alone, with its Bytes Per Line and its colours set before and a template of one's own",
	},
	{
		name: "the first error of a damaged file", files: just(damagedCrate),
		mouse: func(h *hand) {
			h.wait("alarm")
			h.tap("Go there")
			h.selects("layout/SPECS/fieldSetIndexes")
		},
		keys: func(h *hand) {
			h.wait("alarm")
			h.press("alt+shift+p")
			h.seeText("Problem")
			h.press("Down")
			h.selects("layout/SPECS/fieldSetIndexes")
		},
		peers: "Wireshark 2: the expert level indicator in the status bar, the entry in the dialog (Expert Information)",
	},
	{
		name: "a word inside of compressed bytes", files: just(sample),
		mouse: func(h *hand) {
			h.tap("Names, values*")
			h.word(inside)
			h.tap("Search the bytes of everything*")
			h.waitFor("hit", func(e event) bool { return strings.HasSuffix(e.fields[2], "@inflated") })
		},
		keys: func(h *hand) {
			h.press("ctrl+f")
			h.waitFor("field", func(e event) bool { return e.fields[0] == "search" })
			h.word(inside)
			h.press("Return")
			h.waitFor("hit", func(e event) bool { return strings.HasSuffix(e.fields[2], "@inflated") })
		},
		peers: "010 Editor 4: Scripts, a script of one's own that decompresses to a file and opens it (Running Templates and Scripts, Interface Functions), Ctrl+F, the word (Using Find); ImHex 5: the other button on the section's tab, the entry that opens it (`view_pattern_data.cpp`), Ctrl+F, the word, Enter, with a pattern of one's own that decompresses (dec)",
	},
	{
		name: "three nodes written to a file", files: copied,
		mouse: func(h *hand) {
			h.drag("Prototypes", "_Machine")
			h.waitFor("picked", func(e event) bool { return e.fields[0] == "3" })
			h.menuAt("class") // of _Machine, whose name is in the path too
			h.tap("Export 3 nodes…*")
			h.export(func(dialog event) { h.tapAt(dialog.number(4), dialog.number(5)) })
		},
		keys: func(h *hand) {
			h.press("Down")
			h.selects("scene/Prototypes")
			h.press("shift+Down")
			h.press("shift+Down")
			h.waitFor("picked", func(e event) bool { return e.fields[0] == "3" })
			h.press("ctrl+shift+e")
			h.export(func(event) { h.press("Return") })
		},
		peers: "010 Editor 4: a drag over their bytes, which have to be side by side, File, Save Selection, Save (File Menu); Wireshark 7: File, Export Packet Dissections, a format, Range, the range, the file's name, Save (Exporting Data, The Packet Range Frame)",
	},
	{
		name: "a number in both byte orders", files: just(sample),
		mouse: func(h *hand) {
			tab := h.seeText("File")
			h.tapAt(tab.x+75, tab.y+52) // the first byte of the second row below it
			h.selects("layout/bootstrap/tocOffset")
			h.tap("Inspector*")
			h.waitFor("inspect", func(e event) bool { return e.fields[2] != e.fields[3] })
		},
		keys: func(h *hand) {
			h.press("ctrl+i")
			h.waitFor("inspect", func(e event) bool { return e.fields[2] != e.fields[3] })
		},
		peers: "010 Editor 2: the caret (Inspector), Ctrl+E for the other order; ImHex 2: a byte, the slider Endian (Data Inspector); Hex Fiend 3: a selection, a row's choice of the order, the other one (`DataInspectorRepresenter.m`); each 1 once it has been given rows for both",
	},
	{
		name: "the largest prim of a file", goal: 2, files: just(sample),
		mouse: func(h *hand) {
			h.tap("Sizes")
			h.largest()
			h.tapLast("Workshop")
			h.selects("scene/Workshop")
		},
		keys: func(h *hand) {
			h.press("alt+5")
			h.largest()
			h.press("Down")
			h.selects("scene/Workshop")
		},
		peers: "ImHex 2: the header Size, twice (`pattern_drawer.cpp`), with a pattern of one's own in which a prim's row is as large as its bytes in all sections",
	},
	{
		name: "a note on a node", files: copied,
		mouse: func(h *hand) {
			h.tap("Prototypes")
			h.selects("scene/Prototypes")
			h.tap("Mark…")
			h.seeText("Note*")
			h.word("look")
			h.tap("Save")
			h.seeText("1")
		},
		keys:  func(h *hand) { h.note() },
		peers: "010 Editor 4: the variable, Ctrl+B, the name, Add (Using Bookmarks); ImHex 5: select the bytes, the icon Bookmark, the entry in the list, the field Name, the name (Bookmarks, `view_bookmarks.cpp`)",
	},
	{
		name: "two files in turn", files: just(sample, "../testdata/udm/many.udm_b"),
		mouse: func(h *hand) {
			h.tap("sample.usdc")
			h.seeText("Prototypes")
			h.tap("many.udm_b")
			h.seeText("assetData")
		},
		keys: func(h *hand) {
			h.press("ctrl+Tab")
			h.seeText("Prototypes")
			h.press("ctrl+Tab")
			h.seeText("assetData")
		},
		peers: "010 Editor 2: the tab of each file (Using File Tabs)",
	},
	{
		name: "the bounds of a mesh's points", goal: 4, files: just(sample),
		mouse: func(h *hand) {
			h.tap("Sizes")
			h.largest()
			h.tap("*oints/default")
			h.waitFor("selected", func(e event) bool { return strings.HasSuffix(e.fields[0], "/.points/default") })
			h.seeText("VALUES")
			h.seeText("x")
		},
		keys: func(h *hand) {
			h.press("ctrl+f")
			h.waitFor("field", func(e event) bool { return e.fields[0] == "search" })
			h.word("path:points/default")
			h.press("Return")
			h.selects(points)
			h.seeText("VALUES")
			h.seeText("x")
		},
		peers: "none tells of facts of many values; a pattern or template could compute them, and print just this answer",
	},
	{
		name: "what changed between two versions", goal: 3, files: versions,
		mouse: func(h *hand) {
			h.menuAt("before.vrs")
			h.tap("Compare with after.vrs")
			h.change()
		},
		keys: func(h *hand) {
			h.press("ctrl+shift+p")
			h.word("compare tab before")
			h.press("Return")
			h.change()
		},
		peers: "Hex Fiend 2: File, Compare (`README.md`), of the two in front; 010 Editor 3: Tools, Compare Files…, Compare, where just the two are open (Comparing Files); ImHex 4: a choice in each of two lists (Diffing); all of bytes, not of values",
	},
	{
		name: "a note found again", goal: 2, files: copied,
		before: func(h *hand) {
			h.note()
			h.key("ctrl+w")
			h.key("ctrl+shift+t")
			h.wait("opened")
			h.seeText("1")
		},
		mouse: func(h *hand) {
			h.tap("1") // beside the flag
			h.tap("look")
			h.selects("scene/Prototypes")
		},
		keys: func(h *hand) {
			h.press("ctrl+shift+b")
			h.selects("scene/Prototypes")
		},
		peers: "010 Editor 1: F2 (Using Bookmarks); ImHex 3: View, Bookmarks, the icon Jump to Bookmark in the entry's header (Bookmarks, `view_bookmarks.cpp`)",
	},
	{
		name: "a prim by its name among 400,000 specs", files: large,
		mouse: func(h *hand) {
			h.tap("Names, values*")
			h.word("group_77")
			h.tap("scene/World/group_77")
			h.selects("scene/World/group_77")
		},
		keys: func(h *hand) {
			h.press("ctrl+f")
			h.waitFor("field", func(e event) bool { return e.fields[0] == "search" })
			h.word("group_77")
			h.press("Return")
			h.selects("scene/World/group_77")
		},
		peers: "usdview 3: Find Prims, the name, Enter (`appController.py`)",
	},
	{
		name: "an action by another word than its own", files: just(sample),
		mouse: func(h *hand) {
			h.tap("Names, values*")
			h.word("treemap")
			h.tap("View › Cards › Sizes")
			h.largest()
		},
		keys: func(h *hand) {
			h.press("ctrl+shift+p")
			h.waitFor("field", func(e event) bool { return e.fields[0] == "search" })
			h.word("treemap")
			h.press("Return")
			h.largest()
		},
		peers: "none knows other words; by its own ImHex 3: Ctrl+Shift+P, the word, Enter (Command Palette)",
	},
	{
		name: "where a jump of an Udon program leads", files: just("../testdata/odin/program.odin"),
		mouse: func(h *hand) {
			h.tapTwice("JUMP_IF_FALSE")
			h.selects("udon/program/code/0x0020")
		},
		keys: func(h *hand) {
			h.press("alt+3")
			h.press("shift+Tab")
			h.word("jump")
			h.press("Return")
			h.selects("udon/program/code/0x0008")
			h.press("ctrl+Return")
			h.selects("udon/program/code/0x0020")
		},
		peers: "none lists the code",
	},
	{
		name: "an Udon variable changed in a new file", files: udonProgram,
		mouse: func(h *hand) {
			h.tap("flag")
			h.selects("udon/program/code/0x0000")
			h.tap("More ▾")
			h.tap("Change value…")
			h.seeText("Value")
			h.word("false")
			h.tap("Save")
			h.wait("saved")
		},
		keys: func(h *hand) {
			h.press("alt+3")
			h.press("Down")
			h.press("Down")
			h.selects("udon/program/code/0x0000")
			h.press("ctrl+shift+p")
			h.waitFor("field", func(e event) bool { return e.fields[0] == "search" })
			h.word("change value")
			h.seeText("*Change value…")
			h.press("Return")
			h.seeText("Value")
			h.word("false")
			h.press("Return")
			h.wait("saved")
		},
		peers: "none writes such a file",
	},
}

// udonProgram is an Udon program in a folder that is written to.
func udonProgram(t *testing.T) []string {
	data, err := os.ReadFile("../testdata/odin/program.odin")
	if err != nil {
		t.Fatal(err)
	}
	return []string{written(t, "program.odin", data)}
}

// large is a crate of 400,000 specs.
func large(t *testing.T) []string {
	path := filepath.Join(t.TempDir(), "large.usdc")
	if err := crategen.BulkFile(path, crategen.Specs, 400_000); err != nil {
		t.Fatal(err)
	}
	return []string{path}
}

// copied is the sample in a folder that is written to.
func copied(t *testing.T) []string {
	data, err := os.ReadFile(sample)
	if err != nil {
		t.Fatal(err)
	}
	return []string{written(t, "copy.usdc", data)}
}

// written is a file of its own for a test.
func written(t *testing.T, name string, data []byte) string {
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// versions are two recordings, of which the second has another temperature once.
func versions(t *testing.T) []string {
	before, err := os.ReadFile(recording(t)[0])
	if err != nil {
		t.Fatal(err)
	}
	bits := func(v float64) []byte { return binary.LittleEndian.AppendUint64(nil, math.Float64bits(v)) }
	after := bytes.Replace(before, bits(20.5), bits(21.5), 1)
	if bytes.Equal(before, after) {
		t.Fatal("no temperature of 20.5 in the recording")
	}
	return []string{written(t, "before.vrs", before), written(t, "after.vrs", after)}
}

// change waits for the one change between the versions.
func (h *hand) change() {
	h.t.Helper()
	h.wait("compared")
	h.seeText("temperature*")
}

// note puts a note on the first node.
func (h *hand) note() {
	h.t.Helper()
	h.press("Down")
	h.selects("scene/Prototypes")
	h.press("ctrl+b")
	h.seeText("Note*")
	h.word("look")
	h.press("Return")
	h.seeText("1")
}

// lands waits until a node is selected and its bytes are in sight.
func (h *hand) lands(path string) {
	h.t.Helper()
	at := h.selects(path)
	h.waitFor("cell", func(e event) bool { return e.fields[0] == at.fields[1] && e.fields[1] == at.fields[2] })
}

// token waits until a token is selected, and where it came from is told.
func (h *hand) token() {
	h.t.Helper()
	h.waitFor("selected", func(e event) bool { return strings.HasPrefix(e.fields[0], "layout/TOKENS/text@inflated/") })
	if from := h.wait("from"); from.fields[0] != "file" {
		h.t.Errorf("the token came from %v", from.fields)
	}
}

// export waits for the dialog, has it done and looks for the file.
func (h *hand) export(do func(dialog event)) {
	h.t.Helper()
	dialog := h.waitAll("export-dialog", "preview")[0]
	do(dialog)
	done := h.wait("exported")
	h.t.Cleanup(func() { _ = os.Remove(done.fields[0]) })
	if info, err := os.Stat(done.fields[0]); err != nil || info.Size() == 0 {
		h.t.Errorf("%v: %v", done.fields, err)
	}
}

// largest waits until the sizes are known.
func (h *hand) largest() { h.t.Helper(); h.seeText("Own bytes") }
