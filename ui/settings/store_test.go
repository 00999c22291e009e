package settings

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
)

// front is the file of the first tab that is remembered in a file.
func front(t *testing.T, path string) string {
	t.Helper()
	if tabs := Load(path).Tabs; len(tabs) > 0 {
		return tabs[0].Files[0]
	}
	return ""
}

// TestKeep: of two windows that run the first one's tabs are remembered, and the other's when it has ended; a change of what they
// have in common takes no tabs away.
func TestKeep(t *testing.T) {
	path := filepath.Join(t.TempDir(), "cutaway", "window.json")
	one, two := Load(path), Load(path)
	if first := one.Keep(); !first || two.Keep() || !one.Keep() {
		t.Fatal("the tabs are not the first window's")
	}
	one.Tabs, two.Tabs = []Tab{{Files: []string{"one"}}}, []Tab{{Files: []string{"two"}}}
	gathered := 0
	one.Gather = func() { gathered++ }
	if err := one.Save(); err != nil {
		t.Fatal(err)
	}
	one.writeUnsaved()
	if err := one.failure(); err != nil || gathered != 1 {
		t.Fatal(err, gathered)
	}
	if err := two.Opened("/b"); err != nil || two.Tabs[0].Files[0] != "two" {
		t.Fatal(err, two.Tabs)
	}
	if err := two.encode(); err != nil {
		t.Fatal(err)
	}
	two.writeUnsaved()
	if err := two.failure(); err != nil || front(t, path) != "one" || len(Load(path).Recent) != 1 {
		t.Errorf("%v, the tabs of %q are remembered", err, front(t, path))
	}
	if err := one.End(); err != nil {
		t.Fatal(err)
	}
	if err := two.End(); err != nil || front(t, path) != "two" {
		t.Errorf("%v, the tabs of %q are remembered", err, front(t, path))
	}
	if err := two.Save(); err != nil || !Load(path).Keep() {
		t.Errorf("%v, a window that has ended has the tabs", err)
	}
}

// TestSave: of several saves in the background the last holds, whoever reads meanwhile reads a whole file, and that a save has
// failed is told by the next.
func TestSave(t *testing.T) {
	path := filepath.Join(t.TempDir(), "window.json")
	s := Load(path)
	s.Tabs = []Tab{{Files: []string{"0"}}}
	if !s.Keep() {
		t.Fatal("the tabs are another window's")
	}
	if err := s.encode(); err != nil {
		t.Fatal(err)
	}
	s.writeUnsaved()
	var reading sync.WaitGroup
	over := make(chan struct{})
	reading.Go(func() {
		for {
			select {
			case <-over:
				return
			default:
				if front(t, path) == "" {
					t.Error("a file is not whole")
					return
				}
			}
		}
	})
	for i := range 50 {
		s.Tabs = []Tab{{Files: []string{strconv.Itoa(i)}}}
		if err := s.Save(); err != nil {
			t.Fatal(err)
		}
	}
	s.writeUnsaved()
	if err := s.failure(); err != nil || front(t, path) != "49" {
		t.Errorf("%v, tab %s is remembered", err, front(t, path))
	}
	close(over)
	reading.Wait()
	if files, _ := filepath.Glob(filepath.Join(filepath.Dir(path), "window-*")); len(files) != 0 {
		t.Errorf("left behind: %v", files)
	}

	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Join(path, "in the way"), 0o700); err != nil {
		t.Fatal(err)
	}
	for s.Save() == nil {
		runtime.Gosched()
	}
	if s.End() == nil {
		t.Error("that the last save has failed is not told")
	}
}

// TestOpenedAtOnce: a file that is asked for and does not answer holds no one up who opens a file; what other windows opened is
// taken over with the next change.
func TestOpenedAtOnce(t *testing.T) {
	path := filepath.Join(t.TempDir(), "window.json")
	one, two := Load(path), Load(path)
	if err := two.Opened("/b"); err != nil {
		t.Fatal(err)
	}
	two.writeUnsaved()
	one.mu.Lock() // as long as a write hangs
	if err := one.Opened("/a"); err != nil || len(one.Recent) != 1 {
		t.Fatal(err, one.Recent)
	}
	one.mu.Unlock()
	one.writeUnsaved()
	if err := one.Opened("/c"); err != nil || !slices.Equal(one.Recent, []string{"/c", "/a", "/b"}) {
		t.Error(err, one.Recent)
	}
	if err := one.End(); err != nil { // nothing writes any more
		t.Error(err)
	}
}

// TestAlone: what one window changes of what all have in common is not lost when others save meanwhile.
func TestAlone(t *testing.T) {
	path := filepath.Join(t.TempDir(), "window.json")
	var windows sync.WaitGroup
	for w := range 4 {
		windows.Go(func() {
			s := Load(path)
			for i := range 3 {
				if err := s.Opened(filepath.Join("/", strconv.Itoa(w), strconv.Itoa(i))); err != nil {
					t.Error(err)
				}
				if err := s.encode(); err != nil {
					t.Error(err)
				}
				s.writeUnsaved()
			}
		})
	}
	windows.Wait()
	if recent := Load(path).Recent; len(recent) != 12 {
		t.Errorf("%d of 12 files are remembered: %q", len(recent), recent)
	}
}

// TestDamage: a key of a wrong type costs that key, whatever is around it; the file is kept beside, and the user is told.
func TestDamage(t *testing.T) {
	for _, c := range []struct{ file, told string }{
		{`{"theme": "dark", "width": "wide", "recent": ["/a"], "tabs": [{"files": ["/a"], "at": true}, {"files": ["/b"]}]}`, "width has a string where float32 is wanted"},
		{`{"theme": "dark", "recent": ["/a"], "columns": 3, "tabs": [{"files": ["/a"]}, {"files": ["/b"]}], "row_width": 8.5}`, "columns has a number"},
	} {
		path := filepath.Join(t.TempDir(), "window.json")
		if err := os.WriteFile(path, []byte(c.file), 0o600); err != nil {
			t.Fatal(err)
		}
		s := Load(path)
		if s.Choice != "dark" || len(s.Recent) != 1 || len(s.Tabs) != 2 || s.Tabs[1].Files[0] != "/b" {
			t.Errorf("of %s only %+v is read", c.file, s)
		}
		if !strings.Contains(s.Damage, c.told) || !strings.Contains(s.Damage, "window.damaged.json") {
			t.Errorf("%s", s.Damage)
		}
		if err := s.End(); err != nil || Load(path).Damage != "" {
			t.Errorf("%v, saved anew: %s", err, Load(path).Damage)
		}
		if kept, err := os.ReadFile(filepath.Join(filepath.Dir(path), "window.damaged.json")); err != nil || string(kept) != c.file {
			t.Errorf("%v: kept %s", err, kept)
		}
	}
}

// goneSince020 are the keys of 0.2.0 for panes that there are no more. "Path" was the file's own.
var goneSince020 = []string{"Path", "tree_side", "pane_side", "pane_sides", "pane_hidden", "pane_right", "description", "text_side", "inspector_in_tab", "tree_sizes"}

// TestRelease020: of window.json as 0.2.0 wrote it with every key that it had, all are taken over but for those of panes that are gone.
func TestRelease020(t *testing.T) {
	old, err := os.ReadFile("testdata/window-0.2.0.json")
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "window.json")
	if err := os.WriteFile(path, old, 0o600); err != nil {
		t.Fatal(err)
	}
	s := Load(path)
	if s.Damage != "" || s.Path != path {
		t.Errorf("%q is kept in %s", s.Damage, s.Path)
	}
	if !s.Keep() { // its tabs
		t.Error("the tabs are another window's")
	}
	if err := s.End(); err != nil {
		t.Fatal(err)
	}
	saved, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var was, is map[string]any
	if err := errors.Join(json.Unmarshal(old, &was), json.Unmarshal(saved, &is)); err != nil {
		t.Fatal(err)
	}
	const keys = 40
	if len(was) != keys {
		t.Errorf("%d keys", len(was))
	}
	for key, value := range was {
		if gone := slices.Contains(goneSince020, key); gone && is[key] != nil || !gone && !reflect.DeepEqual(is[key], value) {
			t.Errorf("%s was %v and is %v", key, value, is[key])
		}
	}
}
