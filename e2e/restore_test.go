//go:build e2e

package e2e

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"
)

// kept is what of the settings tells where the user is.
type kept struct {
	Tabs   []map[string]any `json:"tabs"`
	Tab    int              `json:"tab"`
	Closed []map[string]any `json:"closed"`
}

// keeps waits until the settings have been written since some time, and are right.
func (d *desktop) keeps(since time.Time, right func(k kept) bool) {
	d.t.Helper()
	path := filepath.Join(filepath.Dir(d.log), "cutaway", "window.json")
	var text []byte
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); time.Sleep(50 * time.Millisecond) {
		info, err := os.Stat(path)
		if err != nil || !info.ModTime().After(since) {
			continue
		}
		text, err = os.ReadFile(path)
		must(d.t, err)
		var k kept
		must(d.t, json.Unmarshal(text, &k)) // it is whole at all times
		if right(k) {
			return
		}
	}
	d.t.Fatalf("never remembered; the settings are\n%s", text)
}

// TestComeBack kills the program and starts it again: the tabs are there, where the user was, and the file that is given then is
// in front. A tab that the middle button closes leaves the keyboard to the next one, and comes back to its place.
func TestComeBack(t *testing.T) {
	d := newDesktop(t, look{"light", 1})
	first := d.open(program, "· Cutaway$", "../testdata/usdc/made-0.0.1.usdc", "../assets/sample.usdc")
	d.wait("opened")
	d.goTo("layout/FIELDS/reps@inflated")
	d.key("ctrl+d")
	d.goTo("layout/TOKENS")
	d.key("ctrl+g")
	d.do("type", "--delay", "8", "0x20")
	d.key("Return")
	d.waitFor("hex-tap", func(e event) bool { return e.fields[1] == "32" })
	d.key("shift+Right", "shift+Right", "alt+shift+p")
	there := func(k kept) bool {
		front := k.Tabs[k.Tab]
		stand, _ := front["stand"].(map[string]any)
		bytes, _ := stand["bytes"].([]any)
		return len(k.Tabs) == 2 && front["path"] == "layout/bootstrap/reserved" && stand["list"] == "Problems" &&
			len(bytes) == 2 && bytes[0].(map[string]any)["len"] == 3.0 && bytes[1].(map[string]any)["pinned"] == true
	}
	d.keeps(time.Time{}, there)
	d.picture("e2e-killed")
	killed := time.Now()
	end(first)
	d.window = ""
	second := d.open(program, "· Cutaway$")
	d.wait("resumed")
	d.keeps(killed, there)
	d.picture("e2e-come-back")

	d.key("ctrl+1")
	d.wait("opened")
	d.wait("selected")
	d.do("mousemove", strconv.Itoa(d.x+40), strconv.Itoa(d.y+75), "sleep", "0.2", "click", "2")
	d.keeps(killed, func(k kept) bool { return len(k.Tabs) == 1 && len(k.Closed) == 1 })
	d.key("Up")
	d.wait("selected") // by the tree, which has the keyboard
	d.key("ctrl+shift+t")
	d.wait("opened")
	d.keeps(killed, func(k kept) bool { return len(k.Tabs) == 2 && k.Tab == 0 && len(k.Closed) == 0 })
	end(second)
	d.window = ""
	d.open(program, "· Cutaway$", "../testdata/omnilive/world.oodf")
	d.keeps(killed, func(k kept) bool { return len(k.Tabs) == 3 && k.Tab == 2 })
}
