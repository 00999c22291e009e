package window_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"

	"cutaway/ui/opening"
	"cutaway/ui/tab"
	"cutaway/ui/window"
	"cutaway/ui/window/windowtest"

	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/test"

	"cutaway/assets"
	"cutaway/ui/document"
	"cutaway/ui/eventlog"
	"cutaway/ui/settings"
)

// next starts the program once more, as after a crash or an end, with what is in the file now.
func next(b *windowtest.Bench, targets ...opening.Target) *windowtest.Bench {
	b.Helper()
	again := &windowtest.Bench{T: b.T, Queue: b.Queue}
	again.W = window.New(test.NewTempApp(b.T), settings.Load(b.W.Shell.Store.Path), &eventlog.Log{}, b.W.Shell.Post)
	again.W.Shell.Win.Resize(fyne.NewSize(1200, 800))
	b.Cleanup(func() { // before the first window ends
		close(again.W.Closed)
		for _, s := range again.W.Pages.Tabs() {
			s.End()
		}
		_ = again.W.Shell.Store.End()
	})
	again.W.Begin(targets)
	again.Idle()
	return again
}

// killed waits until what is remembered was written, and lets go of what a process that is killed lets go of.
func killed(b *windowtest.Bench) {
	b.Helper()
	time.Sleep(2 * time.Second)
	b.Idle()
	path, text := b.W.Shell.Store.Path, stored(b)
	if err := b.W.Shell.Store.End(); err != nil {
		b.Fatal(err)
	}
	if err := os.WriteFile(path, text, 0o600); err != nil { // what the end has written besides
		b.Fatal(err)
	}
	b.W.Shell.Store.Path = path
}

// stored is the text of the settings.
func stored(b *windowtest.Bench) []byte {
	b.Helper()
	text, err := os.ReadFile(b.W.Shell.Store.Path)
	if err != nil {
		b.Fatal(err)
	}
	return text
}

// titles are those of the tabs.
func titles(b *windowtest.Bench) (titles []string) {
	for _, t := range b.W.Pages.Bar.Tabs {
		titles = append(titles, strings.TrimSuffix(t.Title, ".usdc"))
	}
	return titles
}

// hasTabs fails unless the window has these tabs, that one in front.
func hasTabs(b *windowtest.Bench, front string, want ...string) {
	b.Helper()
	if got := titles(b); !slices.Equal(got, want) || titles(b)[b.W.Pages.Bar.Selected] != front {
		b.Errorf("tabs %v, in front %s, want %v, %s", got, titles(b)[b.W.Pages.Bar.Selected], want, front)
	}
}

// TestTabsComeBack: after a crash the tabs come back, each at its node with its branches open; only the one in front is read.
// A file that is gone says so in its tab, which stays until it is closed. A given file is in front, in its own tab if it has one.
func TestTabsComeBack(t *testing.T) {
	windowtest.Run(t, func(t *testing.T, b *windowtest.Bench) {
		files := samples(b, 3)
		b.W.Pages.ShowAt(1)
		s := b.W.Active
		s.Pane.Nav.GoTo("layout/TOKENS")
		b.At(s, "layout/TOKENS")
		tree := s.Pane.Trees.Front(s.Pane.Trees.View())
		tree.TypedKey(&fyne.KeyEvent{Name: fyne.KeyRight})
		b.Idle()
		s.Pane.Nav.GoTo("layout/PATHS")
		b.At(s, "layout/PATHS")
		b.Idle()
		rows, open := tree.Rows(), s.Pane.Trees.OpenBranches(100)
		for _, s := range b.W.Pages.Tabs() { // as if the program had been started in their folder
			s.Subject.File = filepath.Base(s.Subject.File)
		}
		t.Chdir(filepath.Dir(files[0]))
		killed(b)
		t.Chdir(t.TempDir())
		if err := os.Remove(files[0]); err != nil {
			t.Fatal(err)
		}

		again := next(b)
		hasTabs(again, "sample 02", "sample 01", "sample 02", "sample 03")
		s = again.W.Active
		if s.Pane.Current().Path() != "layout/PATHS" || s.Pane.Trees.Front(s.Pane.Trees.View()).Rows() != rows {
			t.Errorf("at %s, %d rows are open, want %d: %v, want %v", s.Pane.Current().Path(), s.Pane.Trees.Front(s.Pane.Trees.View()).Rows(), rows, s.Pane.Trees.OpenBranches(100), open)
		}
		gone, last := again.W.Pages.Tabs()[0], again.W.Pages.Tabs()[2]
		if gone.Pane != nil || gone.Loading || last.Pane != nil || last.Loading {
			t.Error("a tab that is not in front was read")
		}
		again.W.Pages.Show(gone)
		again.Until("that it is gone", func() bool { return strings.Contains(windowtest.Words(gone.Object), "sample 01.usdc is not there") })
		if said := windowtest.Words(gone.Object); !strings.Contains(said, files[0]) || windowtest.ButtonWith(gone.Object, "Open as") != nil {
			t.Errorf("it says %q", said)
		}
		killed(again)

		third := next(b, opening.Target{File: files[2]})
		hasTabs(third, "sample 03", "sample 01", "sample 02", "sample 03")
		third.W.Pages.Show(third.W.Pages.Tabs()[0])
		third.Idle()
		if err := os.WriteFile(files[0], assets.Sample, 0o600); err != nil {
			t.Fatal(err)
		}
		gone = third.W.Active
		windowtest.ButtonWith(gone.Object, "Try again").OnTapped()
		third.Until("the file that is there again", func() bool { return gone.Pane != nil })
		killed(third)
		other := windowtest.WriteFile(t, "other.bin", []byte("some bytes"))
		fourth := next(b, opening.Target{File: other})
		hasTabs(fourth, "other.bin", "sample 01", "sample 02", "sample 03", "other.bin")
		if err := os.Remove(files[1]); err != nil {
			t.Fatal(err)
		}
		gone = fourth.W.Pages.Tabs()[1]
		fourth.W.Pages.Show(gone)
		fourth.Until("that it is gone", func() bool { return windowtest.ButtonWith(gone.Object, "Close") != nil })
		windowtest.ButtonWith(gone.Object, "Close").OnTapped()
		hasTabs(fourth, "sample 01", "sample 01", "sample 03", "other.bin")

		fifth := next(b, opening.Target{File: files[2]}) // while the fourth runs
		hasTabs(fifth, "sample 03", "sample 03")
		killed(fifth)
		killed(fourth)
		if sixth := next(b); len(sixth.W.Pages.Tabs()) != 3 {
			t.Errorf("the tabs of another window are remembered: %v", titles(sixth))
		} else {
			sixth.W.Shell.Store.NoTabs = true
			killed(sixth)
		}
		if seventh := next(b); len(seventh.W.Pages.Tabs()) != 1 || !seventh.W.Active.Subject.IsSample() {
			t.Errorf("tabs come back although that is off: %v", titles(seventh))
		}
	})
}

// TestClosedTabs: a closed tab comes back to its place, also at the next start.
func TestClosedTabs(t *testing.T) {
	windowtest.Run(t, func(t *testing.T, b *windowtest.Bench) {
		samples(b, 4)
		b.W.Pages.ShowAt(1)
		b.W.Active.Pane.Nav.GoTo("layout/PATHS")
		b.At(b.W.Active, "layout/PATHS")
		b.W.Pages.Close(b.W.Active)
		b.W.Pages.Close(b.W.Pages.Tabs()[0])
		hasTabs(b, "sample 03", "sample 03", "sample 04")
		b.Shortcut(fyne.KeyT, fyne.KeyModifierShortcutDefault|fyne.KeyModifierShift)
		hasTabs(b, "sample 01", "sample 01", "sample 03", "sample 04")
		killed(b)
		again := next(b)
		again.Shortcut(fyne.KeyT, fyne.KeyModifierShortcutDefault|fyne.KeyModifierShift)
		hasTabs(again, "sample 02", "sample 01", "sample 02", "sample 03", "sample 04")
		again.Idle()
		again.At(again.W.Active, "layout/PATHS")
		if !again.Menu("Reopen closed tab").Disabled {
			t.Error("there is no more to restore")
		}
		again.Idle()
	})
}

// TestStandComesBack: so do the view, what is in sight of tree and bytes, the tabs of the hex pane with the bytes selected in
// them, the list below the tree, the kind of card and the row of a card.
func TestStandComesBack(t *testing.T) {
	windowtest.Run(t, func(t *testing.T, b *windowtest.Bench) {
		samples(b, 2)
		b.W.Setting("second_bytes").Switch.Set(true)
		b.W.Pages.ShowAt(0)
		other := b.W.Active
		other.Pane.Nav.GoTo("scene/Prototypes/Leg/.points/default")
		b.At(other, "scene/Prototypes/Leg/.points/default")
		b.Idle()
		b.Stage(other, "Values")
		other.Pane.Stage.SelectRow(7)
		b.Idle()
		card := other.Pane.Position(tab.MaxBranches)
		b.W.Pages.ShowAt(1)
		s := b.W.Active
		s.Pane.Nav.GoTo("layout/FIELDS/reps@inflated")
		b.At(s, "layout/FIELDS/reps@inflated")
		s.Pane.Hex.Pin(s.Pane.Hex.Shown)
		s.Pane.Nav.GoTo("layout/PATHS")
		b.At(s, "layout/PATHS")
		b.Idle()
		s.Pane.Trees.Front(s.Pane.Trees.View()).TypedShortcut(&fyne.ShortcutSelectAll{})
		s.Pane.Hex.Choose(s.Pane.Hex.Tabs[1])
		b.W.Shell.Win.Canvas().Capture() // which lays the bytes out
		s.Pane.Hex.Tabs[1].View.ScrollTo(64)
		s.Pane.Hex.Tabs[1].View.Select(70, 9)
		s.Pane.Hex.Second.View.ScrollTo(128)
		s.Pane.Hex.Second.View.SetCursor(130)
		s.Pane.Trees.Front(s.Pane.Trees.View()).SetTop(3)
		s.Pane.Stage.Choose(document.Sizes)
		b.Idle()
		want := s.Pane.Position(tab.MaxBranches)
		if len(s.Pane.Hex.Bar.Tabs) != 2 {
			t.Errorf("%d tabs of bytes", len(s.Pane.Hex.Bar.Tabs))
		}
		killed(b)

		again := next(b)
		s = again.W.Active
		again.Idle()
		if got := s.Pane.Position(tab.MaxBranches); !samePosition(got, want) {
			t.Errorf("it is at\n%s, want\n%s", told(got), told(want))
		}
		if n := s.Pane.Trees.Front(s.Pane.Trees.View()).SelectedCount(); n < 5 || len(want.Rows) != 1 {
			t.Errorf("%d rows are selected", n)
		}
		if len(s.Pane.Hex.Bar.Tabs) != 2 {
			t.Errorf("%d tabs of bytes came back", len(s.Pane.Hex.Bar.Tabs))
		}
		s.Pane.Hex.Choose(s.Pane.Hex.Tabs[0])
		killed(again)
		if third := next(b); len(third.W.Active.Pane.Hex.Bar.Tabs) != 2 || third.W.Active.Pane.Hex.Shown != third.W.Active.Pane.Hex.Tabs[0] {
			t.Errorf("%d tabs of bytes came back where the file was in front", len(third.W.Active.Pane.Hex.Bar.Tabs))
		}
		again.W.Pages.ShowAt(0)
		other = again.W.Active
		again.Idle()
		if got := other.Pane.Position(tab.MaxBranches); !samePosition(got, card) || card.Card == nil || card.Card.Row != 7 {
			t.Errorf("in a card it is at\n%s, want\n%s", told(got), told(card))
		}
		if len(want.Bytes) < 2 || !want.Bytes[1].Pinned || want.Bytes[1].Top == 0 || want.Bytes[1].Len != 9 || want.Stage != "Sizes" || want.Second.Top == 0 {
			t.Errorf("too little is tested: %s", told(want))
		}
	})
}

func samePosition(a, b document.Position) bool { return told(a) == told(b) }

func told(at document.Position) string {
	text, err := json.MarshalIndent(at, "", " ")
	return fmt.Sprintf("%s %q %v %v", at.Path, at.Branches, string(text), err)
}

// TestOldTabs: what older versions have remembered comes back, and what cannot be read does no harm.
func TestOldTabs(t *testing.T) {
	windowtest.Run(t, func(t *testing.T, b *windowtest.Bench) {
		files := samples(b, 1)
		killed(b)
		text := fmt.Sprintf(`{"tabs":[{"files":[%q],"path":"layout/PATHS","open":["layout/TOKENS"]},{"files":null},{"files":[%q],"path":"layout/TOKENS","stand":[5]}],"tab":9,"closed":[{}]}`, files[0], files[0])
		if err := os.WriteFile(b.W.Shell.Store.Path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		again := next(b)
		hasTabs(again, "sample 01", "sample 01", "sample 01")
		again.At(again.W.Active, "layout/TOKENS")
		again.W.Pages.ShowAt(0)
		s := again.W.Active
		again.Until("the old tab", func() bool {
			return s.Pane != nil && s.Pane.Current() != nil && s.Pane.Current().Path() == "layout/PATHS"
		})
		again.Idle()
		if open := s.Pane.Trees.OpenBranches(9); !slices.Contains(open, "layout/TOKENS") {
			t.Errorf("open are %v", open)
		}
	})
}

// TestManyTabs: a hundred tabs come back without one of them being read but that in front, and as they were.
func TestManyTabs(t *testing.T) {
	windowtest.Run(t, func(t *testing.T, b *windowtest.Bench) {
		file := samples(b, 1)[0]
		var tabs []settings.Tab
		for i := range 100 {
			tabs = append(tabs, settings.Tab{Files: []string{file}, Format: "usdc", Path: "layout/PATHS", Open: []string{"layout"}, Place: i})
		}
		killed(b)
		text, err := json.Marshal(map[string]any{"tabs": tabs, "tab": 40, "closed": tabs})
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(b.W.Shell.Store.Path, text, 0o600); err != nil {
			t.Fatal(err)
		}
		again := next(b)
		again.At(again.W.Active, "layout/PATHS")
		read := slices.DeleteFunc(slices.Clone(again.W.Pages.Tabs()), func(s *tab.Tab) bool { return s.Pane == nil && !s.Loading })
		if len(again.W.Pages.Tabs()) != 100 || len(read) != 1 || again.W.Pages.Tabs()[40] != again.W.Active {
			t.Errorf("%d tabs, %d read", len(again.W.Pages.Tabs()), len(read))
		}
		again.W.Pages.Close(again.W.Active)
		killed(again)
		kept := settings.Load(b.W.Shell.Store.Path)
		if len(kept.Tabs) != 99 || len(kept.Closed) != window.MaxClosed || kept.Closed[window.MaxClosed-1].Place != 40 || kept.Tabs[98].Path != "layout/PATHS" {
			t.Errorf("kept are %d tabs and %d closed ones", len(kept.Tabs), len(kept.Closed))
		}
	})
}

// TestCloseInTime: a tab that is closed before all of it is shown is remembered as it was.
func TestCloseInTime(t *testing.T) {
	windowtest.Run(t, func(t *testing.T, b *windowtest.Bench) {
		s, doc := b.Fake()
		s.Pane.Nav.ComeBack(document.Position{Path: "layout/slow", Branches: []string{"layout/slow"}})
		if got := s.Pane.Position(tab.MaxBranches); got.Path != "layout/slow" || len(got.Branches) != 1 {
			t.Errorf("it is at %s", told(got))
		}
		s.Pane.Nav.GoTo("layout/header")
		b.At(s, "layout/header")
		if got := s.Pane.Position(tab.MaxBranches); got.Path != "layout/header" {
			t.Errorf("where the user has gone is not %s", told(got))
		}
		close(doc.Gate)
		b.Idle()
	})
}

// TestTabsKeepKeys: the document that comes to the front has the keyboard, also when a tab is closed by the middle button.
func TestTabsKeepKeys(t *testing.T) {
	windowtest.Run(t, func(t *testing.T, b *windowtest.Bench) {
		samples(b, 3)
		b.W.Shell.Win.Canvas().Unfocus()
		bar := b.W.Pages.Bar
		x := (bar.Edges()[2] + bar.Edges()[3]) / 2
		press := &desktop.MouseEvent{PointEvent: fyne.PointEvent{Position: fyne.NewPos(x, 10)}, Button: desktop.MouseButtonTertiary}
		bar.MouseDown(press)
		b.W.Shell.Win.Canvas().Unfocus() // as the driver does
		bar.MouseUp(press)
		hasTabs(b, "sample 02", "sample 01", "sample 02")
		if s := b.W.Active; b.W.Shell.Win.Canvas().Focused() != s.Pane.Trees.Front(s.Pane.Trees.View()) {
			t.Error("the tree has not the keyboard")
		}
	})
}
