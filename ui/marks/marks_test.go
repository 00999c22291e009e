package marks

import (
	"bytes"
	"context"
	"image/color"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"cutaway/model"
	"cutaway/model/marks"
	"cutaway/ui/eventlog"
	"cutaway/ui/kit"
	"cutaway/ui/look"
	"cutaway/ui/settings"
	"cutaway/ui/shell"
	"cutaway/ui/task"
	"cutaway/ui/treeview"
	"cutaway/ui/uitest"
)

// host is a document's pane as the marks see it.
type host struct {
	current *model.Place
	bytes   model.Span
	went    string
	kept    chan struct{}
}

// file is the document's.
const file = "/files/fake.bin"

// pane is the marks of a made-up document, with those that are kept already.
func pane(t *testing.T, list ...marks.Mark) (*Pane, *host, func()) {
	t.Helper()
	t.Setenv("XDG_STATE_HOME", t.TempDir())
	doc := uitest.New()
	store, err := marks.Open()
	if err != nil {
		t.Fatal(err)
	}
	identity, err := marks.Identity(t.Context(), doc.Document)
	if err != nil {
		t.Fatal(err)
	}
	h := &host{kept: make(chan struct{}, 1)}
	if len(list) > 0 {
		if err := store.Add(identity, file, list...); err != nil {
			t.Fatal(err)
		}
	}
	posted := make(chan func(), 64)
	post := func(f func()) { posted <- f }
	sh := &shell.Shell{App: test.NewTempApp(t), Win: test.NewTempWindow(t, nil), Post: post, Log: &eventlog.Log{}, Notify: func(string) {},
		Store: settings.Load(filepath.Join(t.TempDir(), "window.json"))}
	ctx, cancel := context.WithCancel(t.Context())
	t.Cleanup(cancel)
	p := New(shell.Opened{Shell: sh, Doc: doc.Document, Tasks: task.NewGroup(post, func() {}, func(what string, err error) { t.Error(what, err) }), Ctx: ctx}, Host{File: func() string { return file }, Current: func() *model.Place { return h.current }, Chosen: func() (model.Span, bool) { return h.bytes, h.bytes.Len > 0 },
		GoToNode: func(path string) { h.went = path }, GoToBytes: func(source string, _, _ int64) { h.went = source }, MarksKept: func() { h.kept <- struct{}{} },
		ShowMarks: func() {}, ShowTab: func() {}, NewDescription: func() {}})
	loaded := func() {
		t.Helper()
		for end := time.After(time.Minute); ; {
			select {
			case f := <-posted:
				f()
			case <-h.kept:
				return
			case <-end:
				t.Fatal("the marks do not come")
			}
		}
	}
	loaded()
	return p, h, loaded
}

// TestGone: of a mark whose node or bytes are not there it is said so.
func TestGone(t *testing.T) {
	p, h, _ := pane(t, marks.Mark{Path: "scene/Nothing", Text: "a node"}, marks.Mark{Source: "file", Offset: 1 << 40, Length: 2, Type: "u16"}, marks.Mark{Text: "the file"})
	told := ""
	p.Notify = func(text string) { told = text }
	if p.goTo(int64(1)); h.went != "" || told != "a node: not in the file any more" {
		t.Errorf("it goes to %q and tells %q", h.went, told)
	}
	for _, r := range p.all {
		row, whole := p.data.Show(r), r.Text == "the file"
		if gone := row.Cells[3] == "not in the file any more" && row.Mark == treeview.Warning; gone == whole {
			t.Errorf("the row is %+v", row)
		}
	}
	if list := p.Notes(); len(list) != 3 || list[0].Gone != "" || list[1].Gone == "" || list[2].Gone == "" {
		t.Errorf("the report has %+v", list)
	}
}

func TestPane(t *testing.T) {
	p, h, loaded := pane(t, marks.Mark{Path: "scene/World", Text: "a world", Colour: "red"}, marks.Mark{Source: "file", Offset: 0, Length: 4, Type: "text"})
	if p.Title() != "Marks 2" || p.ColorOf("scene/World") == nil || p.ColorOf("scene/Lamp") != nil {
		t.Errorf("%q", p.Title())
	}
	if row := p.data.Show(p.all[1]); row.Cells[3] != "FAKE" || row.Swatches[0] == nil {
		t.Errorf("the bytes' row is %+v", row)
	}
	var spans []model.Span
	p.EachIn(p.Doc.Source(), func(at model.Span, c color.Color) {
		if spans = append(spans, at); c != look.MarkColor("yellow") {
			t.Errorf("%v is %v", at, c)
		}
	})
	if len(spans) != 1 || spans[0].Len != 4 {
		t.Errorf("marked bytes %v", spans)
	}
	for _, b := range p.ofOne {
		if !b.Disabled() {
			t.Errorf("without a selected mark: %s", b.Tip)
		}
	}
	p.list.SelectIndex(0, false)
	for _, b := range p.ofOne {
		if b.Disabled() {
			t.Errorf("not with a selected mark: %s", b.Tip)
		}
	}
	p.goTo(int64(0))
	if h.went != "scene/World" {
		t.Errorf("went to %q", h.went)
	}
	p.goTo(int64(1))
	if h.went != "file" {
		t.Errorf("went to %q", h.went)
	}
	p.list.SelectIndex(1, true)
	p.change("colouring", func(s *marks.Store, identity, file string) error {
		m := p.all[1].Mark
		m.Colour = "green"
		return s.Add(identity, file, m)
	})
	loaded()
	if p.list.Selection.Item() != treeview.Item(int64(1)) || p.all[1].Colour != "green" {
		t.Errorf("after a change of the second mark %v of %+v is selected", p.list.Selection.Item(), p.all)
	}
	p.filter.SetText("WORLD")
	if n := len(p.data.All()); n != 1 {
		t.Errorf("%d marks fit the filter", n)
	}
	p.filter.SetText("")
	p.change("removing", func(s *marks.Store, identity, file string) error { return s.Remove(identity, file, p.all[0].ID) })
	loaded()
	if p.Title() != "Marks 1" || p.ColorOf("scene/World") != nil {
		t.Errorf("after it was removed: %q", p.Title())
	}
}

func TestAdd(t *testing.T) {
	p, h, loaded := pane(t)
	if p.Title() != "Marks" {
		t.Errorf("%q", p.Title())
	}
	p.Step(1) // does nothing
	h.bytes = p.Doc.Source().Span(4, 2)
	p.Add() // asks
	var places []string
	for _, m := range p.places("yellow", h.bytes) {
		places = append(places, placeOf(&m))
	}
	if want := []string{"file  0x4, 2 bytes", "the file"}; !slices.Equal(places, want) {
		t.Errorf("the mark can be on %q, want %q", places, want)
	}
	p.change("adding", func(s *marks.Store, identity, file string) error {
		return s.Add(identity, file, marks.Mark{Source: "file", Offset: 4, Length: 2, Colour: "blue"})
	})
	loaded()
	if len(p.all) != 1 || p.all[0].Title() != "0x4" {
		t.Errorf("%+v", p.all)
	}
}

// TestEnterKeeps: Enter after the type of a new mark keeps it, and says what is wrong with a type that there is not.
func TestEnterKeeps(t *testing.T) {
	p, h, loaded := pane(t)
	h.bytes = p.Doc.Source().Span(0, 4)
	p.Add()
	typ, _ := fieldIn[*kit.SelectEntry](p.Win.Canvas().Overlays().Top())
	typ.SetText("u7")
	typ.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
	if len(p.Win.Canvas().Overlays().List()) == 0 || len(p.all) != 0 {
		t.Fatal("a mark of an unknown type is kept")
	}
	typ.SetText("u64")
	typ.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
	if len(p.Win.Canvas().Overlays().List()) == 0 || len(p.all) != 0 {
		t.Fatal("a mark of 4 bytes is kept as a number of 8")
	}
	typ.SetText("u32le")
	typ.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
	loaded()
	if len(p.Win.Canvas().Overlays().List()) != 0 || len(p.all) != 1 || p.all[0].Type != "u32le" {
		t.Errorf("kept are %+v", p.all)
	}
}

// fieldIn is the last object of its type in a dialog.
func fieldIn[T fyne.CanvasObject](o fyne.CanvasObject) (last T, ok bool) {
	var parts []fyne.CanvasObject
	switch o := o.(type) {
	case T:
		return o, true
	case *fyne.Container:
		parts = o.Objects
	case fyne.Widget:
		parts = test.WidgetRenderer(o).Objects()
	}
	for _, part := range parts {
		if found, is := fieldIn[T](part); is {
			last, ok = found, true
		}
	}
	return last, ok
}

// TestExchange: what one document's marks are written as, another takes, with their values; a report has them.
func TestExchange(t *testing.T) {
	p, h, loaded := pane(t, marks.Mark{Path: "scene/World", Text: "a world", Colour: "red"}, marks.Mark{Source: "file", Offset: 0, Length: 4, Type: "text", Text: "magic"})
	file := filepath.Join(t.TempDir(), "marks.json")
	if err := p.write(t.Context(), file, p.data.All()); err != nil {
		t.Fatal(err)
	}
	if err := p.write(t.Context(), file, p.data.All()); err == nil {
		t.Error("the file was written twice")
	}
	notes := p.Notes()
	if len(notes) != 2 || notes[1].Text != "magic" || notes[1].Value != model.Text("FAKE") || notes[0].Where != "scene/World" {
		t.Errorf("notes of the report: %+v", notes)
	}
	asked := filepath.Join(t.TempDir(), "asked.json")
	p.Export()
	path, _ := fieldIn[*kit.Entry](p.Win.Canvas().Overlays().Top())
	path.SetText(asked)
	path.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
	p.Notify = func(string) { h.kept <- struct{}{} }
	loaded()
	if list, err := os.ReadFile(asked); err != nil || bytes.Count(list, []byte{'\n'}) != 2 || len(p.Win.Canvas().Overlays().List()) != 0 {
		t.Errorf("Enter in the dialog writes %q, %v", list, err)
	}
	other, _, imported := pane(t)
	other.importFrom(file)
	imported()
	if len(other.all) != 2 || other.all[1].value != p.all[1].value || other.all[0].Colour != "red" || !other.all[0].Made.Equal(p.all[0].Made) {
		t.Errorf("imported %+v", other.all)
	}
}
