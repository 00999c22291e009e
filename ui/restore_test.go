package ui

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/test"

	"cutaway/assets"
	"cutaway/ui/document"
	"cutaway/ui/eventlog"
	"cutaway/ui/settings"
)

// next starts the program once more, as after a crash or an end, with what is in the file now.
func (b *bench) next(targets ...Target) *bench {
	b.Helper()
	again := &bench{T: b.T, queue: b.queue}
	again.w = newWindow(test.NewTempApp(b.T), settings.Load(b.w.Store.Path), &eventlog.Log{}, b.w.Post)
	again.w.Win.Resize(fyne.NewSize(1200, 800))
	b.Cleanup(func() { // before the first window ends
		close(again.w.closed)
		for _, s := range again.w.sessions {
			s.close()
		}
		_ = again.w.Store.End()
	})
	again.w.begin(targets)
	again.idle()
	return again
}

// killed waits until what is remembered was written, and lets go of what a process that is killed lets go of.
func (b *bench) killed() {
	b.Helper()
	time.Sleep(2 * time.Second)
	b.idle()
	path, text := b.w.Store.Path, b.stored()
	if err := b.w.Store.End(); err != nil {
		b.Fatal(err)
	}
	if err := os.WriteFile(path, text, 0o600); err != nil { // what the end has written besides
		b.Fatal(err)
	}
	b.w.Store.Path = path
}

// stored is the text of the settings.
func (b *bench) stored() []byte {
	b.Helper()
	text, err := os.ReadFile(b.w.Store.Path)
	if err != nil {
		b.Fatal(err)
	}
	return text
}

// titles are those of the tabs.
func (b *bench) titles() (titles []string) {
	for _, t := range b.w.tabs.Tabs {
		titles = append(titles, strings.TrimSuffix(t.Title, ".usdc"))
	}
	return titles
}

// hasTabs fails unless the window has these tabs, that one in front.
func (b *bench) hasTabs(front string, want ...string) {
	b.Helper()
	if got := b.titles(); !slices.Equal(got, want) || b.titles()[b.w.tabs.Selected] != front {
		b.Errorf("tabs %v, in front %s, want %v, %s", got, b.titles()[b.w.tabs.Selected], want, front)
	}
}

// TestTabsComeBack: after a crash the tabs come back, each at its node with its branches open; only the one in front is read.
// A file that is gone says so in its tab, which stays until it is closed. A given file is in front, in its own tab if it has one.
func TestTabsComeBack(t *testing.T) { synctest.Test(t, testTabsComeBack) }

func testTabsComeBack(t *testing.T) {
	b := newBench(t)
	files := b.samples(3)
	b.w.showTab(1)
	s := b.w.active
	s.Pane.Nav.GoTo("layout/TOKENS")
	b.at(s, "layout/TOKENS")
	tree := s.Pane.Trees.Front(s.Pane.Trees.View())
	tree.TypedKey(&fyne.KeyEvent{Name: fyne.KeyRight})
	b.idle()
	s.Pane.Nav.GoTo("layout/PATHS")
	b.at(s, "layout/PATHS")
	b.idle()
	rows, open := tree.Rows(), s.Pane.Trees.OpenBranches(100)
	for _, s := range b.w.sessions { // as if the program had been started in their folder
		s.file = filepath.Base(s.file)
	}
	t.Chdir(filepath.Dir(files[0]))
	b.killed()
	t.Chdir(t.TempDir())
	if err := os.Remove(files[0]); err != nil {
		t.Fatal(err)
	}

	again := b.next()
	again.hasTabs("sample 02", "sample 01", "sample 02", "sample 03")
	s = again.w.active
	if s.Pane.Current().Path() != "layout/PATHS" || s.Pane.Trees.Front(s.Pane.Trees.View()).Rows() != rows {
		t.Errorf("at %s, %d rows are open, want %d: %v, want %v", s.Pane.Current().Path(), s.Pane.Trees.Front(s.Pane.Trees.View()).Rows(), rows, s.Pane.Trees.OpenBranches(100), open)
	}
	gone, last := again.w.sessions[0], again.w.sessions[2]
	if gone.Pane != nil || gone.loading || last.Pane != nil || last.loading {
		t.Error("a tab that is not in front was read")
	}
	again.w.activate(gone)
	again.until("that it is gone", func() bool { return strings.Contains(words(gone.object), "sample 01.usdc is not there") })
	if said := words(gone.object); !strings.Contains(said, files[0]) || buttonWith(gone.object, "Open as") != nil {
		t.Errorf("it says %q", said)
	}
	again.killed()

	third := b.next(Target{File: files[2]})
	third.hasTabs("sample 03", "sample 01", "sample 02", "sample 03")
	third.w.activate(third.w.sessions[0])
	third.idle()
	if err := os.WriteFile(files[0], assets.Sample, 0o600); err != nil {
		t.Fatal(err)
	}
	gone = third.w.active
	buttonWith(gone.object, "Try again").OnTapped()
	third.until("the file that is there again", func() bool { return gone.Pane != nil })
	third.killed()
	other := write(t, "other.bin", []byte("some bytes"))
	fourth := b.next(Target{File: other})
	fourth.hasTabs("other.bin", "sample 01", "sample 02", "sample 03", "other.bin")
	if err := os.Remove(files[1]); err != nil {
		t.Fatal(err)
	}
	gone = fourth.w.sessions[1]
	fourth.w.activate(gone)
	fourth.until("that it is gone", func() bool { return buttonWith(gone.object, "Close") != nil })
	buttonWith(gone.object, "Close").OnTapped()
	fourth.hasTabs("sample 01", "sample 01", "sample 03", "other.bin")

	fifth := b.next(Target{File: files[2]}) // while the fourth runs
	fifth.hasTabs("sample 03", "sample 03")
	fifth.killed()
	fourth.killed()
	if sixth := b.next(); len(sixth.w.sessions) != 3 {
		t.Errorf("the tabs of another window are remembered: %v", sixth.titles())
	} else {
		sixth.w.Store.NoTabs = true
		sixth.killed()
	}
	if seventh := b.next(); len(seventh.w.sessions) != 1 || !seventh.w.active.isSample() {
		t.Errorf("tabs come back although that is off: %v", seventh.titles())
	}
}

// TestClosedTabs: a closed tab comes back to its place, also at the next start.
func TestClosedTabs(t *testing.T) { synctest.Test(t, testClosedTabs) }

func testClosedTabs(t *testing.T) {
	b := newBench(t)
	b.samples(4)
	b.w.showTab(1)
	b.w.active.Pane.Nav.GoTo("layout/PATHS")
	b.at(b.w.active, "layout/PATHS")
	b.w.close(b.w.active)
	b.w.close(b.w.sessions[0])
	b.hasTabs("sample 03", "sample 03", "sample 04")
	b.shortcut(fyne.KeyT, ctrl|fyne.KeyModifierShift)
	b.hasTabs("sample 01", "sample 01", "sample 03", "sample 04")
	b.killed()
	again := b.next()
	again.shortcut(fyne.KeyT, ctrl|fyne.KeyModifierShift)
	again.hasTabs("sample 02", "sample 01", "sample 02", "sample 03", "sample 04")
	again.idle()
	again.at(again.w.active, "layout/PATHS")
	if !again.menu("Restore closed tab").Disabled {
		t.Error("there is no more to restore")
	}
	again.idle()
}

// TestStandComesBack: so do the view, what is in sight of tree and bytes, the tabs of the hex pane with the bytes selected in
// them, the tab of the details in front, and the row of a card.
func TestStandComesBack(t *testing.T) { synctest.Test(t, testStandComesBack) }

func testStandComesBack(t *testing.T) {
	b := newBench(t)
	b.samples(2)
	b.w.showSecond(true)
	b.w.showTab(0)
	other := b.w.active
	other.Pane.Nav.GoTo("scene/Prototypes/Leg/.points/default")
	b.at(other, "scene/Prototypes/Leg/.points/default")
	b.idle()
	k := slices.Index(other.Pane.Details.Cards.Titles(), "Values")
	other.Pane.Details.Choose(document.FixedTabs + k)
	other.Pane.Details.Cards.SelectRow(k, 7)
	b.idle()
	card := other.Pane.Stand(maxBranches)
	b.w.showTab(1)
	s := b.w.active
	s.Pane.Nav.GoTo("layout/FIELDS/reps@inflated")
	b.at(s, "layout/FIELDS/reps@inflated")
	s.Pane.Hex.Pin(s.Pane.Hex.Shown)
	s.Pane.Nav.GoTo("layout/PATHS")
	b.at(s, "layout/PATHS")
	b.idle()
	s.Pane.Trees.Front(s.Pane.Trees.View()).TypedShortcut(&fyne.ShortcutSelectAll{})
	s.Pane.Hex.Choose(s.Pane.Hex.Tabs[1])
	b.w.Win.Canvas().Capture() // which lays the bytes out
	s.Pane.Hex.Tabs[1].View.ScrollTo(64)
	s.Pane.Hex.Tabs[1].View.Select(70, 9)
	s.Pane.Hex.Second.View.ScrollTo(128)
	s.Pane.Hex.Second.View.SetCursor(130)
	s.Pane.Trees.Front(s.Pane.Trees.View()).SetTop(3)
	s.Pane.Details.Choose(document.TabSizes)
	b.idle()
	want := s.Pane.Stand(maxBranches)
	if len(s.Pane.Hex.Bar.Tabs) != 2 {
		t.Errorf("%d tabs of bytes", len(s.Pane.Hex.Bar.Tabs))
	}
	b.killed()

	again := b.next()
	s = again.w.active
	again.idle()
	if got := s.Pane.Stand(maxBranches); !sameStand(got, want) {
		t.Errorf("it is at\n%s, want\n%s", told(got), told(want))
	}
	if n := s.Pane.Trees.Front(s.Pane.Trees.View()).SelectedCount(); n < 5 || len(want.Rows) != 1 {
		t.Errorf("%d rows are selected", n)
	}
	if len(s.Pane.Hex.Bar.Tabs) != 2 {
		t.Errorf("%d tabs of bytes came back", len(s.Pane.Hex.Bar.Tabs))
	}
	s.Pane.Hex.Choose(s.Pane.Hex.Tabs[0])
	again.killed()
	if third := b.next(); len(third.w.active.Pane.Hex.Bar.Tabs) != 2 || third.w.active.Pane.Hex.Shown != third.w.active.Pane.Hex.Tabs[0] {
		t.Errorf("%d tabs of bytes came back where the file was in front", len(third.w.active.Pane.Hex.Bar.Tabs))
	}
	again.w.showTab(0)
	other = again.w.active
	again.idle()
	if got := other.Pane.Stand(maxBranches); !sameStand(got, card) || card.Card == nil || card.Card.Row != 7 {
		t.Errorf("in a card it is at\n%s, want\n%s", told(got), told(card))
	}
	if len(want.Bytes) < 2 || !want.Bytes[1].Pinned || want.Bytes[1].Top == 0 || want.Bytes[1].Len != 9 || want.Row == 0 || want.Tab != "Sizes" || want.Second.Top == 0 {
		t.Errorf("too little is tested: %s", told(want))
	}
}

func sameStand(a, b document.Stand) bool { return told(a) == told(b) }

func told(at document.Stand) string {
	text, err := json.MarshalIndent(at, "", " ")
	return fmt.Sprintf("%s %q %v %v", at.Path, at.Branches, string(text), err)
}

// TestOldTabs: what older versions have remembered comes back, and what cannot be read does no harm.
func TestOldTabs(t *testing.T) { synctest.Test(t, testOldTabs) }

func testOldTabs(t *testing.T) {
	b := newBench(t)
	files := b.samples(1)
	b.killed()
	text := fmt.Sprintf(`{"tabs":[{"files":[%q],"path":"layout/PATHS","open":["layout/TOKENS"]},{"files":null},{"files":[%q],"path":"layout/TOKENS","stand":[5]}],"tab":9,"closed":[{}]}`, files[0], files[0])
	if err := os.WriteFile(b.w.Store.Path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	again := b.next()
	again.hasTabs("sample 01", "sample 01", "sample 01")
	again.at(again.w.active, "layout/TOKENS")
	again.w.showTab(0)
	s := again.w.active
	again.until("the old tab", func() bool {
		return s.Pane != nil && s.Pane.Current() != nil && s.Pane.Current().Path() == "layout/PATHS"
	})
	again.idle()
	if open := s.Pane.Trees.OpenBranches(9); !slices.Contains(open, "layout/TOKENS") {
		t.Errorf("open are %v", open)
	}
}

// TestManyTabs: a hundred tabs come back without one of them being read but that in front, and as they were.
func TestManyTabs(t *testing.T) { synctest.Test(t, testManyTabs) }

func testManyTabs(t *testing.T) {
	b := newBench(t)
	file := b.samples(1)[0]
	var tabs []settings.Tab
	for i := range 100 {
		tabs = append(tabs, settings.Tab{Files: []string{file}, Format: "usdc", Path: "layout/PATHS", Open: []string{"layout"}, Place: i})
	}
	b.killed()
	text, err := json.Marshal(map[string]any{"tabs": tabs, "tab": 40, "closed": tabs})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(b.w.Store.Path, text, 0o600); err != nil {
		t.Fatal(err)
	}
	again := b.next()
	again.at(again.w.active, "layout/PATHS")
	read := slices.DeleteFunc(slices.Clone(again.w.sessions), func(s *session) bool { return s.Pane == nil && !s.loading })
	if len(again.w.sessions) != 100 || len(read) != 1 || again.w.sessions[40] != again.w.active {
		t.Errorf("%d tabs, %d read", len(again.w.sessions), len(read))
	}
	again.w.close(again.w.active)
	again.killed()
	kept := settings.Load(b.w.Store.Path)
	if len(kept.Tabs) != 99 || len(kept.Closed) != maxClosed || kept.Closed[maxClosed-1].Place != 40 || kept.Tabs[98].Path != "layout/PATHS" {
		t.Errorf("kept are %d tabs and %d closed ones", len(kept.Tabs), len(kept.Closed))
	}
}

// TestCloseInTime: a tab that is closed before all of it is shown is remembered as it was.
func TestCloseInTime(t *testing.T) { synctest.Test(t, testCloseInTime) }

func testCloseInTime(t *testing.T) {
	b := newBench(t)
	s, doc := b.fake()
	s.Pane.Nav.ComeBack(document.Stand{Path: "layout/slow", Branches: []string{"layout/slow"}})
	if got := s.Pane.Stand(maxBranches); got.Path != "layout/slow" || len(got.Branches) != 1 {
		t.Errorf("it is at %s", told(got))
	}
	s.Pane.Nav.GoTo("layout/header")
	b.at(s, "layout/header")
	if got := s.Pane.Stand(maxBranches); got.Path != "layout/header" {
		t.Errorf("where the user has gone is not %s", told(got))
	}
	close(doc.Gate)
	b.idle()
}

// TestTabsKeepKeys: the document that comes to the front has the keyboard, also when a tab is closed by the middle button.
func TestTabsKeepKeys(t *testing.T) { synctest.Test(t, testTabsKeepKeys) }

func testTabsKeepKeys(t *testing.T) {
	b := newBench(t)
	b.samples(3)
	b.w.Win.Canvas().Unfocus()
	bar := b.w.tabs
	x := (bar.Edges()[2] + bar.Edges()[3]) / 2
	press := &desktop.MouseEvent{PointEvent: fyne.PointEvent{Position: fyne.NewPos(x, 10)}, Button: desktop.MouseButtonTertiary}
	bar.MouseDown(press)
	b.w.Win.Canvas().Unfocus() // as the driver does
	bar.MouseUp(press)
	b.hasTabs("sample 02", "sample 01", "sample 02")
	if s := b.w.active; b.w.Win.Canvas().Focused() != s.Pane.Trees.Front(s.Pane.Trees.View()) {
		t.Error("the tree has not the keyboard")
	}
}
