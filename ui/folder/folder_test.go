package folder

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"cutaway/model"
	"cutaway/model/export"
	"cutaway/scan"
	"cutaway/ui/eventlog"
	"cutaway/ui/kit"
	"cutaway/ui/settings"
	"cutaway/ui/shell"
	"cutaway/ui/treeview"
)

// bench is a folder in a window of Fyne's driver for tests.
type bench struct {
	*Pane
	t      *testing.T
	posted chan func()
	opened []string
}

func newBench(t *testing.T) *bench {
	t.Helper()
	t.Setenv("XDG_STATE_HOME", t.TempDir())
	return &bench{t: t, posted: make(chan func(), 64)}
}

// show shows a folder and waits for the end of the look.
func (b *bench) show(dir string) {
	b.t.Helper()
	app := test.NewTempApp(b.t)
	sh := &shell.Shell{App: app, Win: test.NewTempWindow(b.t, nil), Post: func(f func()) { b.posted <- f }, Version: "1",
		Store: settings.Load(filepath.Join(b.t.TempDir(), "window.json")), Notify: func(string) {}, Log: &eventlog.Log{}}
	b.Pane = New(shell.NewPage(sh, func() {}, func(*shell.Page) bool { return true }), dir, func(file string) { b.opened = append(b.opened, filepath.Base(file)) }, nil)
	sh.Win.SetContent(b.Content())
	sh.Win.Resize(fyne.NewSize(1180, 760))
	b.t.Cleanup(func() {
		b.End()
		b.settle()
	})
	b.settle()
}

// settle does what is posted until no work is left.
func (b *bench) settle() {
	for idle := 0; idle < 20; {
		select {
		case f := <-b.posted:
			idle = 0
			f()
		default:
			time.Sleep(50 * time.Millisecond) // of the bubble: it passes when nothing else can go on
			idle++
		}
	}
}

func (b *bench) names() []string {
	var list []string
	for _, r := range b.data.All() {
		list = append(list, r.name)
	}
	return list
}

// copied copies files of ours to a folder.
func copied(t *testing.T, from map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, path := range from {
		data := []byte("no format knows this")
		if path != "" {
			var err error
			if data, err = os.ReadFile(filepath.Join("..", "..", path)); err != nil {
				t.Fatal(err)
			}
		}
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

var some = map[string]string{"a10.usdc": "testdata/usdc/made-0.8.0.usdc", "a9.usdc": "testdata/usdc/made-0.0.1.usdc", "sub/sample.usdc": "assets/sample.usdc",
	"cut.odin": "testdata/odin/damaged-array-negative.odin", "notes.txt": ""}

func TestTable(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t)
		dir := copied(t, some)
		b.show(dir)
		want := []string{"a9.usdc", "a10.usdc", "cut.odin", "sub/sample.usdc"}
		if got := b.names(); !slices.Equal(got, want) {
			t.Fatalf("listed %q, want %q", got, want)
		}
		if b.Tasks.Len() > 0 || !strings.HasPrefix(b.status.Text, "5 files · 1 with errors") || !strings.Contains(b.status.Text, "1 of no known format · 4 shown") {
			t.Errorf("status %q, %d tasks", b.status.Text, b.Tasks.Len())
		}
		cut := b.data.All()[2].show()
		if cut.Cells[byFormat] != "odin" || cut.Cells[byVerdict] != "damaged" || cut.Cells[byErrors] == "" || cut.Cells[byFirst] == "" || cut.Cells[byChange] != "" {
			t.Errorf("the damaged file is told as %q", cut.Cells)
		}
		sound := b.data.All()[3].show()
		if sound.Cells[byVerdict] != "no problems" || sound.Cells[byVersion] != "0.12.0" || sound.Cells[bySize] != "36,007" || !strings.Contains(sound.Cells[byFacts], "Specs 204") {
			t.Errorf("the sound file is told as %q", sound.Cells)
		}
		for _, c := range []struct {
			do   func()
			want []string
		}{
			{func() { b.which.SetSelected(failing) }, []string{"cut.odin"}},
			{func() { b.which.SetSelected(every) }, []string{"a9.usdc", "a10.usdc", "cut.odin", "notes.txt", "sub/sample.usdc"}},
			{func() { b.format.SetSelected("usdc 0.12.0") }, []string{"sub/sample.usdc"}},
			{func() { b.format.SetSelected("usdc") }, []string{"a9.usdc", "a10.usdc", "sub/sample.usdc"}},
			{func() { b.SortBy(bySize) }, []string{"sub/sample.usdc", "a9.usdc", "a10.usdc"}},
			{func() { b.SortBy(bySize) }, []string{"a10.usdc", "a9.usdc", "sub/sample.usdc"}},
			{func() { b.filter.SetText("NO USDC a") }, []string{"a10.usdc", "a9.usdc", "sub/sample.usdc"}},
			{func() { b.filter.SetText("a10 0.8") }, []string{"a10.usdc"}},
		} {
			if c.do(); true {
				b.settle()
			}
			if got := b.names(); !slices.Equal(got, c.want) {
				t.Errorf("listed %q, want %q", got, c.want)
			}
		}
		b.list.SelectIndex(0, false)
		b.settle()
		b.list.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
		if !slices.Equal(b.opened, []string{"a10.usdc"}) || !strings.HasPrefix(b.told.Text, "a10.usdc") {
			t.Errorf("opened %q, told %q", b.opened, b.told.Text)
		}
	})
}

// TestAgain: the next look says what has changed, is new or gone; the selected file stays selected.
func TestAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t)
		dir := copied(t, some)
		b.show(dir)
		b.list.SelectIndex(3, false)
		b.settle()
		if err := os.Remove(filepath.Join(dir, "a9.usdc")); err != nil {
			t.Fatal(err)
		}
		if err := os.Rename(filepath.Join(dir, "notes.txt"), filepath.Join(dir, "other.txt")); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, "a10.usdc"), []byte("PXR-USDC\x00\x08"), 0o600); err != nil {
			t.Fatal(err)
		}
		b.Look()
		b.settle()
		b.which.SetSelected(every)
		b.settle()
		got := map[string]string{}
		for _, r := range b.data.All() {
			got[r.name] = r.Change
		}
		want := map[string]string{"a9.usdc": scan.Gone, "a10.usdc": scan.Changed, "cut.odin": scan.Same, "sub/sample.usdc": scan.Same, "notes.txt": scan.Gone, "other.txt": scan.New}
		for name, change := range want {
			if got[name] != change {
				t.Errorf("%s is %s, want %s", name, got[name], change)
			}
		}
		if len(got) != len(want) || b.chosen.name != "sub/sample.usdc" || b.list.Selected() == nil {
			t.Errorf("%v, chosen %s", got, b.chosen.name)
		}
		b.which.SetSelected(altered)
		b.settle()
		if names := b.names(); !slices.Equal(names, []string{"a9.usdc", "a10.usdc", "notes.txt", "other.txt"}) {
			t.Errorf("changed are %q", names)
		}
		b.choose(b.data.All()[0])
		if len(b.opened) > 0 || !strings.Contains(b.told.Text, "not there") {
			t.Errorf("opened %q, told %q", b.opened, b.told.Text)
		}
		b.Look() // what is gone is told once
		b.settle()
		if names := b.names(); len(names) != 0 {
			t.Errorf("changed are %q", names)
		}
	})
}

// TestVerdict: a row says what the status bar of its file does, and the line below the table says it whole. Facts have the names that
// they have in the details.
func TestVerdict(t *testing.T) {
	facts := model.Object{{Key: "configurationRecords", Value: model.Int(1)}, {Key: "other", Value: model.Int(2)}}
	titles := map[string]string{"configurationRecords": "configuration records"}
	for _, c := range []struct {
		found      export.Tally
		cell, told string
	}{
		{export.Tally{}, "no problems", "a.vrs  ·  no problems  ·  "},
		{export.Tally{Notes: 1}, "no error, 1 note", "a.vrs  ·  no error, 1 note  ·  "},
		{export.Tally{Warnings: 2}, "no error", "a.vrs  ·  no error, 2 warnings  ·  "},
		{export.Tally{Warnings: 1, Limits: 1}, "no error as far as it was read: 1 limit met", "a.vrs  ·  no error as far as it was read: 1 limit met, 1 warning  ·  "},
		{export.Tally{Errors: 3, Warnings: 1}, "damaged", "a.vrs  ·  3 errors, 1 warning  ·  "},
	} {
		r := rowOf(t.Context(), &scan.File{Checked: true, Found: c.found, First: "it is cut", Facts: facts, Titles: titles}, "a.vrs")
		if got := r.show().Cells[byVerdict]; got != c.cell || r.line() != c.told+"It is cut  ·  Configuration records 1  ·  Other 2" {
			t.Errorf("%+v is %q, told as %q", c.found, got, r.line())
		}
	}
}

// TestExport: the rows that are shown are written, as scan writes them; a file that is there is not touched.
func TestExport(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t)
		b.show(copied(t, some))
		rows, out := b.data.All(), t.TempDir()
		ndjson, csv := filepath.Join(out, "a.ndjson"), filepath.Join(out, "a.csv")
		for file, as := range map[string]string{ndjson: asLines, csv: asCSV} {
			if err := write(t.Context(), file, as == asCSV, rows); err != nil {
				t.Fatal(err)
			}
			if err := write(t.Context(), file, as == asCSV, rows); err == nil {
				t.Errorf("%s is written over", file)
			}
		}
		f, err := os.Open(ndjson)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = f.Close() }()
		former, err := scan.Read(f)
		if err != nil || len(former) != len(rows) || former[rows[3].Name].Facts[0].Key != rows[3].Facts[0].Key {
			t.Errorf("%d lines, %v", len(former), err)
		}
		text, err := os.ReadFile(csv)
		lines := strings.Split(strings.TrimSpace(string(text)), "\n")
		if err != nil || len(lines) != len(rows)+1 || !strings.HasPrefix(lines[0], "file,format,version,size,sound,") || !strings.Contains(lines[0], ",tokens,") {
			t.Errorf("%s, %v", text, err)
		}
		for i, line := range lines[1:] {
			if strings.Count(line, ",") < strings.Count(lines[0], ",") || !strings.HasPrefix(line, rows[i].Name) {
				t.Errorf("line %s", line)
			}
		}
	})
}

// TestExportDialog: Escape leaves the dialog from its field, Return writes the file.
func TestExportDialog(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t)
		b.show(copied(t, some))
		file := filepath.Join(t.TempDir(), "a.ndjson")
		for _, key := range []fyne.KeyName{fyne.KeyEscape, fyne.KeyReturn} {
			b.Export()
			b.settle()
			field, ok := b.Win.Canvas().Focused().(*kit.Entry)
			if !ok {
				t.Fatalf("%T has the keyboard", b.Win.Canvas().Focused())
			}
			field.SetText(file)
			field.TypedKey(&fyne.KeyEvent{Name: key})
			b.settle()
			if b.Win.Canvas().Overlays().Top() != nil {
				t.Errorf("%s: the dialog stays", key)
			}
			if _, err := os.Stat(file); (err == nil) != (key == fyne.KeyReturn) {
				t.Errorf("%s: %v", key, err)
			}
		}
	})
}

// TestNoFolder says what is wrong.
func TestNoFolder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t)
		b.show(filepath.Join(t.TempDir(), "none"))
		if !strings.Contains(b.status.Text, "no such file") {
			t.Errorf("status %q", b.status.Text)
		}
		empty := newBench(t)
		empty.show(t.TempDir())
		if !strings.Contains(empty.status.Text, "no files") {
			t.Errorf("status %q", empty.status.Text)
		}
		linked := t.TempDir()
		if err := os.Symlink(linked, filepath.Join(linked, "round")); err == nil { // Windows may not let us
			links := newBench(t)
			links.show(linked)
			if got := links.status.Text; !strings.Contains(got, "no files") || !strings.Contains(got, "1 link to a folder was not followed") {
				t.Errorf("of a link: %q", got)
			}
		}
		empty.Export()
	})
}

// TestMissed: a file that should have opened is among the known formats with why; files that hold nothing of ours are counted.
func TestMissed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t)
		dir := copied(t, map[string]string{"good.usdc": "assets/sample.usdc", "odd.usdc": "", "a.prefab": "", "b.asset": "", ".git/c.usdc": "", "notes.txt": ""})
		pointer := "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 485323\n"
		if err := os.WriteFile(filepath.Join(dir, "pointer.usd"), []byte(pointer), 0o600); err != nil {
			t.Fatal(err)
		}
		b.show(dir)
		if got, want := b.names(), []string{"good.usdc", "odd.usdc", "pointer.usd"}; !slices.Equal(got, want) {
			t.Fatalf("listed %q, want %q", got, want)
		}
		if want := "6 files · 2 not read · 1 of no known format · 2 files without Odin data · 3 shown"; b.status.Text != want {
			t.Errorf("status %q, want %q", b.status.Text, want)
		}
		for i, want := range map[int]string{1: `text ("no format knows this"), no PXR-USDC at the start`, 2: "a Git LFS pointer; its 485,323 bytes were not fetched: git lfs pull"} {
			if row := b.data.All()[i].show(); row.Cells[byFirst] != want || row.Cells[byVerdict] != "not read" || row.Mark != treeview.Error {
				t.Errorf("told as %q, want %q", row.Cells, want)
			}
		}
	})
}
