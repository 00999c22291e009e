package compare

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/widget"

	"cutaway/decoders"
	"cutaway/hexview"
	"cutaway/model"
	"cutaway/model/diff"
	"cutaway/ui/cards"
	"cutaway/ui/eventlog"
	"cutaway/ui/kit"
	"cutaway/ui/look"
	"cutaway/ui/settings"
	"cutaway/ui/shell"
	"cutaway/ui/treeview"
	"cutaway/ui/uitest"
)

const folder = "../../testdata/usdc/"

// compared is what two parts have not in common in one of the ways that there are.
func compared(t *testing.T, a, b Part, way int) *merged {
	t.Helper()
	return comparedWith(t, a, b, way, nil)
}

// comparedWith is compared of files that are opened with settings.
func comparedWith(t *testing.T, a, b Part, way int, settings map[string]string) *merged {
	t.Helper()
	parts := [2]Part{a, b}
	docs, err := open(t.Context(), parts, decoders.OpenOptions{Options: decoders.Options{Options: settings}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { closeAll(docs) })
	m, more, err := compareIn(t.Context(), docs, parts, how{way: waysOf(docs, parts)[way]}, nil)
	if err != nil || more {
		t.Fatal(err, more)
	}
	return m
}

// TestNodes compares two nodes of a document, by what they hold and by their bytes.
func TestNodes(t *testing.T) {
	a, b := Part{folder + "arcs.usdc", "layout/toc/sections/[0]"}, Part{folder + "arcs.usdc", "layout/toc/sections/[1]"}
	m := compared(t, a, b, 0)
	names := map[string]bool{}
	for _, one := range m.order {
		names[one.name] = true
	}
	if !names["name"] || !names["start"] || len(m.order) != len(m.root.kids) {
		t.Errorf("changes %v of %d rows", names, len(m.root.kids))
	}
	if m = compared(t, a, b, 1); len(m.order) == 0 || m.order[0].piece[0].Len == 0 || !strings.Contains(m.Row(m.order[0]).Cells[1], "byte") {
		t.Errorf("bytes: %+v", m.order)
	}
}

// TestUnknown compares files that no format knows by their bytes, and finds what was inserted.
func TestUnknown(t *testing.T) {
	dir := t.TempDir()
	text := strings.Repeat("what no format knows, 0123456789 ", 20)
	for name, content := range map[string]string{"a": text, "b": text[:99] + "inserted" + text[99:]} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	m := compared(t, Part{File: filepath.Join(dir, "a")}, Part{File: filepath.Join(dir, "b")}, 0)
	if len(m.order) != 1 || m.order[0].kind() != diff.Added || m.order[0].piece[1].Off != 99 || m.order[0].piece[1].Len != 8 {
		t.Fatalf("%+v", m.order)
	}
	both := readPiece(t.Context(), m.order[0].piece)
	if both[0].value != "–" || len(both[1].marks) == 0 {
		t.Errorf("%+v", both)
	}
	inserted := side{at: both[1].at, marks: both[1].marks}
	if r := inserted.ranges(); r.Selected != nil || len(r.Matches(nil, 0, 200)) != 1 {
		t.Errorf("what was inserted is marked as selected: %+v", r)
	}
	inserted.marks = []hexview.Range{{Off: 100, Len: 2}}
	if r := inserted.ranges(); len(r.Selected) != 1 {
		t.Errorf("around what differs nothing is selected: %+v", r)
	}
}

func TestMerged(t *testing.T) {
	m := compared(t, Part{File: folder + "arcs.usdc"}, Part{File: folder + "variants.usdc"}, 0)
	var names []string
	for _, b := range m.order {
		names = append(names, b.change.Kind.Sign()+b.name)
		way := b.way()
		at := m.Root()
		for _, step := range way[1:] {
			if at = m.Child(at, step.Index); at != step.Item {
				t.Fatalf("the way to %s goes astray", b.name)
			}
		}
		if row := m.Row(way[len(way)-1].Item); b.shown() != b || row.Cells[2] != b.kind().Sign() || row.Cells[1] == "" || row.Swatches[2] == nil {
			t.Errorf("the row of %s is %+v", b.name, row)
		}
	}
	if !slices.Contains(names, "-B") || !slices.Contains(names, "+{look=big}") {
		t.Errorf("changes %q", names)
	}
	sum := int64(0)
	for _, n := range m.root.counts {
		sum += n
	}
	if sum != int64(len(m.order)) {
		t.Errorf("%d changes are counted, of %d", sum, len(m.order))
	}
	if steps := m.Unfolds(m.root, 0); len(steps) == 0 || steps[0].Item != treeview.Item(m.root.kids[steps[0].Index]) {
		t.Errorf("unfolds %v", steps)
	}
}

// TestSameNumbers: the window has the changes that the command line prints, in the same places.
func TestSameNumbers(t *testing.T) {
	const all = "../../testdata/"
	png := filepath.Join(t.TempDir(), "wider.png")
	wider, err := os.ReadFile(all + "ksy/picture.png")
	if err != nil {
		t.Fatal(err)
	}
	wider[19]++
	if err := os.WriteFile(png, wider, 0o600); err != nil {
		t.Fatal(err)
	}
	total := 0
	for _, pair := range [][]string{{folder + "arcs.usdc", folder + "variants.usdc"}, {folder + "value-types.usdc", folder + "arcs.usdc"},
		{folder + "several.usdz", folder + "made-sample.usdz"}, {all + "usda/values.usda", all + "usda/every-statement.usda"},
		{all + "vrs/pixels.vrs", all + "vrs/audio.vrs"},
		{all + "udm/twin.udm_b", all + "udm/ok-key-255.udm_b"}, {all + "omnilive/world.oodf", all + "omnilive/names.oodf"},
		{all + "odin/grid.odin", all + "odin/every-entry.odin"}, {all + "flatbuffer/stall.mrkt", all + "flatbuffer/empty.mrkt"},
		{all + "ksy/picture.png", png, all + "ksy/png.ksy"}} {
		var settings map[string]string
		flags := []string{"diff", pair[0], pair[1]}
		if len(pair) > 2 {
			settings = map[string]string{"schema": pair[2]}
			flags = append(flags, "--schema", pair[2])
		}
		m := comparedWith(t, Part{File: pair[0]}, Part{File: pair[1]}, 0, settings)
		before := total
		var got, want []string
		for _, one := range m.order {
			c := one.change
			p := c.A
			if p == nil {
				p = c.B
			}
			got = append(got, c.Kind.String()+" "+p.Path())
		}
		for _, l := range uitest.Printed[struct{ Change, Path string }](t, flags...) {
			want = append(want, l.Change+" "+l.Path)
		}
		if total += len(want); total == before {
			t.Errorf("%s have no differences", pair)
		}
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Errorf("%s: the window has %d changes, the command line %d:\n%q\n%q", pair, len(got), len(want), got, want)
		}
	}
	t.Logf("%d changes", total)
	if total < 50 {
		t.Errorf("only %d changes", total)
	}
}

// TestSameBytes: the window has the differences of bytes that the command line prints.
func TestSameBytes(t *testing.T) {
	a, b := folder+"arcs.usdc", folder+"variants.usdc"
	parts := [2]Part{{File: a}, {File: b}}
	docs, err := open(t.Context(), parts, decoders.OpenOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer closeAll(docs)
	m, _, err := compareIn(t.Context(), docs, parts, how{way: asBytes}, nil)
	if err != nil {
		t.Fatal(err)
	}
	var got []diff.Range
	for _, one := range m.order {
		x, y := one.piece[0], one.piece[1]
		got = append(got, diff.Range{OffA: x.Off, LenA: x.Len, OffB: y.Off, LenB: y.Len})
	}
	type line struct{ Offset, Length, OtherOffset, OtherLength int64 }
	var want []diff.Range
	for _, l := range uitest.Printed[line](t, "diff", "--bytes", a, b) {
		want = append(want, diff.Range{OffA: l.Offset, LenA: l.Length, OffB: l.OtherOffset, LenB: l.OtherLength})
	}
	if len(want) < 3 || !slices.Equal(got, want) {
		t.Errorf("the window has %v, the command line %v", got, want)
	}
}

// atWork is a shell for a window with Fyne's driver for tests, and what waits until it does no more.
func atWork(t *testing.T) (sh *shell.Shell, until func(done func() bool)) {
	t.Helper()
	app := test.NewTempApp(t)
	app.Settings().SetTheme(look.New(look.Dark))
	posted := make(chan func(), 64)
	sh = &shell.Shell{App: app, Win: test.NewTempWindow(t, nil), Post: func(f func()) { posted <- f }, Store: settings.Load(filepath.Join(t.TempDir(), "window.json")), Notify: func(string) {}, Log: &eventlog.Log{}}
	return sh, func(done func() bool) {
		for end := time.After(time.Minute); !done(); {
			select {
			case f := <-posted:
				f()
			case <-end:
				t.Fatal("the comparison does not end")
			}
		}
		go func() {
			for range posted { // what is read of the sides is not shown: the test is the thread of the window
			}
		}()
	}
}

// page is one in front.
func page(sh *shell.Shell) *shell.Page {
	return shell.NewPage(sh, func() {}, func(*shell.Page) bool { return true })
}

// window shows a comparison in the window and waits for its end.
func window(t *testing.T, a, b string) *Pane {
	t.Helper()
	sh, until := atWork(t)
	p := New(page(sh), Part{File: a}, Part{File: b}, decoders.OpenOptions{})
	t.Cleanup(p.End)
	sh.Win.SetContent(p.Content())
	until(func() bool { return !strings.HasSuffix(p.status.Text, "…") })
	return p
}

// TestSeveral holds three files side by side in the window: the list, the panes at a field, the way from one to the next.
func TestSeveral(t *testing.T) {
	var names []string
	for i, text := range []string{"first", "the second", "and the third"} {
		b := append([]byte("KIND"), byte(i+1), 0, byte(8+len(text)), 0)
		names = append(names, filepath.Join(t.TempDir(), text))
		if err := os.WriteFile(names[i], append(b, text...), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	sh, until := atWork(t)
	w := NewSeveral(page(sh), names)
	t.Cleanup(w.End)
	until(func() bool { return w.status.Text != "Reading all…" })
	if len(w.panes) != 3 || w.status.Text != "4 bytes the same in all; 2 numbers; up to the end of first, the shortest" {
		t.Errorf("%d panes, %q", len(w.panes), w.status.Text)
	}
	if row := w.data.Show(w.all[2]); row.Cells[0] != "0x6" || row.Cells[3] != "length of the file" || row.Cells[4] != "13, 18, 21" {
		t.Errorf("%q", row.Cells)
	}
	type line struct {
		Offset, Length int64
		What, Type     string
		Values         []uint64
	}
	lines := uitest.Printed[line](t, append([]string{"diff"}, names...)...)
	for i, f := range w.all {
		if l := lines[i]; len(lines) != len(w.all) || l.Offset != f.Off || l.Length != f.Len || l.What != f.Sort.String() || l.Type != f.Type || !slices.Equal(l.Values, f.Values) {
			t.Errorf("the window has %+v, the command line %+v", f, l)
		}
	}
	w.Step(1)
	if at := w.list.Selection.Item(); at != treeview.Item(int64(1)) || w.panes[2].Cursor() != 4 {
		t.Errorf("at %v, byte %d", at, w.panes[2].Cursor())
	}
	w.same.SetChecked(false)
	if n := len(w.data.All()); n != len(w.all)-1 {
		t.Errorf("%d of %d listed without those that are the same", n, len(w.all))
	}
}

// TestColumns: a wide window has the tree, both sides and the card beside each other, a narrower one the card below the tree, a small one no
// card; every part has room.
func TestColumns(t *testing.T) {
	w := window(t, folder+"arcs.usdc", folder+"variants.usdc")
	for _, c := range []struct {
		size      fyne.Size
		beside    bool
		seesCard  bool
		leastTree float32
	}{{fyne.NewSize(1360, 860), true, true, 400}, {fyne.NewSize(1024, 700), false, true, 150}, {fyne.NewSize(640, 480), false, false, 60}} {
		w.Win.Resize(c.size)
		card, middle := w.sides.card, w.sides.middle
		if beside := card.Position().X > middle.Position().X; card.Visible() != c.seesCard || c.seesCard && beside != c.beside {
			t.Errorf("%v: the card is seen %t, at %v, the sides are at %v", c.size, card.Visible(), card.Position(), middle.Position())
		}
		if w.body.Size().Height < c.leastTree || middle.Size().Height < 100 || middle.Size().Width < 300 {
			t.Errorf("%v: the tree is %v, the sides are %v", c.size, w.body.Size(), middle.Size())
		}
	}
}

// TestMovedPoint: a point of a mesh that has moved is one row, the attribute's; both meshes are drawn in one measure with the point marked,
// turning one turns the other, and the card says by how much it moved.
func TestMovedPoint(t *testing.T) {
	const mesh = "\n{\n    def Mesh \"M\"\n    {\n        int[] faceVertexCounts = [3]\n        int[] faceVertexIndices = [0, 1, 2]\n        point3f[] points = [(0, 0, 0), (1, 0, 0), (%s)]\n    }\n}"
	w := window(t, layer(t, fmt.Sprintf(mesh, "0, 1, 0")), layer(t, fmt.Sprintf(mesh, "0, 5, 0.5")))
	b := w.changes.order[0]
	if row := w.changes.Row(b.up); len(w.changes.order) != 1 || row.Cells[0] != ".points" || row.Branch || !strings.Contains(row.Cells[1], "1 of 3 elements") || row.Cells[2] != "~" {
		t.Errorf("%d changes, the row is %+v", len(w.changes.order), row)
	}
	if at := w.tree.Selection.Item(); at != treeview.Item(b.up) {
		t.Errorf("selected is %v", at)
	}
	now := readChange(t.Context(), b.change)
	if want := "[2]            x         y         z\nbefore         0         1         0\nafter          0         5       0.5\nmoved          0        +4      +0.5"; now.table != want {
		t.Errorf("the card has\n%s", now.table)
	}
	drawn := func(element int64) int64 {
		return cards.ReadTwins(t.Context(), [2]*model.Place{b.change.A, b.change.B}, element, nil).Point
	}
	if got := drawn(b.change.Elements.First); got != 2 {
		t.Errorf("point %d is marked", got)
	}
	if got := drawn(-1); got != -1 {
		t.Errorf("without an element point %d is marked", got)
	}
}

func TestWindow(t *testing.T) {
	w := window(t, folder+"arcs.usdc", folder+"variants.usdc")
	if w.at != 0 || w.status.Text != "7 added, 5 removed" {
		t.Errorf("at %d, %q", w.at, w.status.Text)
	}
	w.Step(1)
	if w.at != 1 || w.tree.Selection.Item() != treeview.Item(w.changes.order[1]) {
		t.Errorf("after a step at %d, %v", w.at, w.tree.Selection.Item())
	}
	w.Step(-1)
	w.Step(-1)
	if w.at != len(w.changes.order)-1 {
		t.Errorf("before the first comes %d", w.at)
	}
	now := readChange(t.Context(), w.changes.order[0].change)
	if both := now.side; now.sentence == "" || both[0].place == "" || both[1].value != "–" || len(both[0].marks) != 1 {
		t.Errorf("%+v", now)
	}
	was := w.changes.order[1]
	w.compare()
	w.tree.OnSelected(was) // which is still shown while it is compared anew
	if w.at != -1 {
		t.Errorf("a change of the comparison before is the one at %d", w.at)
	}
	w.ways.Choose(len(w.ways.Tabs) - 1)
	if w.way != asBytes || w.stored.Visible() || w.tolerance.Visible() || w.all.Visible() {
		t.Errorf("as %s there is what bytes have not", w.way)
	}
}

// said is every text and button in place of the panes.
func said(w *Pane) string {
	var text []string
	var collect func(o fyne.CanvasObject)
	collect = func(o fyne.CanvasObject) {
		switch o := o.(type) {
		case *fyne.Container:
			for _, part := range o.Objects {
				collect(part)
			}
		case *widget.Label:
			text = append(text, o.Text)
		case *kit.TextButton:
			text = append(text, "["+o.Text+"]")
		}
	}
	collect(w.page)
	return strings.Join(text, "\n")
}

// TestSameOtherwise: of files that hold the same, written in two ways, the window says in which; as stored it shows the values
// that the command line prints.
func TestSameOtherwise(t *testing.T) {
	for _, c := range []struct{ a, b, says string }{
		{"udm/twin.udm", "udm/twin.udm_b", "57 values stored in another way.\n[Show how they are stored]\n[Compare layout]\n[Compare bytes]"},
		{"vrs/index-none.vrs", "vrs/index-plain.vrs", "Each value is stored in the same way, at another place or beside others.\n[Compare layout]\n[Compare bytes]"},
	} {
		a, b := "../../testdata/"+c.a, "../../testdata/"+c.b
		w := window(t, a, b)
		if text := said(w); !strings.HasPrefix(text, "The same content\nThey are written in two ways: ") || !strings.HasSuffix(text, c.says) {
			t.Errorf("%s: %q", c.a, text)
		}
		m, _, err := compareIn(t.Context(), w.docs, w.parts, how{way: w.way, stored: true}, nil)
		if err != nil {
			t.Fatal(err)
		}
		want := uitest.Printed[struct{ Path string }](t, "diff", "--stored", a, b)
		for i, one := range m.order {
			if row := m.Row(one); i >= len(want) || one.change.A.Path() != want[i].Path || !strings.HasPrefix(row.Cells[1], "the same, stored in ") {
				t.Errorf("%s: %q, of %d", c.a, row.Cells, len(want))
			}
		}
		if len(m.order) != len(want) {
			t.Errorf("%s: %d, %d are printed", c.a, len(m.order), len(want))
		}
	}
}

// layer writes a text layer of a prim A, whose metadata and properties are given.
func layer(t *testing.T, body string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "layer.usda")
	if err := os.WriteFile(path, []byte("#usda 1.0\ndef \"A\""+body+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// eachHeld visits every row of the tree with what has not changed.
func eachHeld(t *testing.T, w *Pane, visit func(*held)) {
	t.Helper()
	var down func(it treeview.Item)
	down = func(it treeview.Item) {
		it, err := w.whole.Resolve(t.Context(), it, func(int64, int64) {})
		if err != nil {
			t.Fatal(err)
		}
		visit(it.(*held))
		n, _ := w.whole.Count(it)
		for i := range n {
			down(w.whole.Child(it, i))
		}
	}
	down(w.whole.Root())
}

// TestTolerance: numbers that differ by no more are the same in the window, as on the command line.
func TestTolerance(t *testing.T) {
	a, b := layer(t, "\n{\n    double[] x = [1, 2, 3]\n}"), layer(t, "\n{\n    double[] x = [1, 2.25, 3]\n}")
	w := window(t, a, b)
	if w.status.Text != "1 changed" {
		t.Errorf("%q", w.status.Text)
	}
	w.tolerance.SetText("0.5")
	h, ok := w.chosen()
	m, _, err := compareIn(t.Context(), w.docs, w.parts, h, nil)
	if n := len(uitest.Printed[struct{ Path string }](t, "diff", "--tolerance", "0.5", a, b)); !ok || err != nil || len(m.order) != n || n != 0 {
		t.Errorf("%t, %v, %d changes, %d are printed", ok, err, len(m.order), n)
	}
	w.tolerance.SetText("-1")
	if _, ok := w.chosen(); ok {
		t.Error("-1 is a tolerance")
	}
}

func TestNothingToShow(t *testing.T) {
	same := window(t, folder+"arcs.usdc", folder+"arcs.usdc")
	if same.status.Text != "The same content" || same.tree != nil {
		t.Errorf("%q", same.status.Text)
	}
	if text := said(same); !strings.Contains(text, "They have the same ") || strings.Contains(text, "Compare") || same.page.Objects[0] == same.columns {
		t.Errorf("%q", text)
	}
	same.Step(1) // does nothing
	if w := window(t, folder+"arcs.usdc", filepath.Join(t.TempDir(), "missing")); w.status.Text != "Nothing was compared" {
		t.Errorf("%q", w.status.Text)
	}
}

// TestUnchanged: the tree with what has not changed has every node of the first file, each change of the other tree, what was added
// with all below it, and goes to each change.
func TestUnchanged(t *testing.T) {
	for _, c := range [][2]string{{folder + "arcs.usdc", folder + "variants.usdc"}, {"../../testdata/udm/twin.udm", "../../testdata/udm/ok-element-type.udm"},
		{"../../testdata/odin/object.odin", "../../testdata/odin/grid.odin"}} {
		w := window(t, c[0], c[1])
		w.all.SetChecked(true)
		if w.whole == nil || w.at != 0 {
			t.Fatalf("%s: the tree has changes only, at %d", c, w.at)
		}
		rows, changes, before := 0, 0, map[string]bool{}
		eachHeld(t, w, func(h *held) {
			if w.whole.Row(h); h.change() != nil {
				changes++
			}
			gone := h.inside == nil || h.inside.Kind == diff.Removed
			if rows++; gone && h.at != nil && (h.change() == nil || h.change().Kind != diff.Added) {
				before[h.at.Path()] = true
			}
		})
		if changes != len(w.changes.order) {
			t.Errorf("%s: %d changes of %d in %d rows", c, changes, len(w.changes.order), rows)
		}
		err := model.Walk(t.Context(), w.changes.sides[0].Start, model.WalkOptions{Resolve: true}, func(p *model.Place) error {
			if !before[p.Path()] && !strings.Contains(p.Path(), "@") {
				t.Errorf("%s is not in the tree", p.Path())
			}
			return nil
		})
		if err != nil {
			t.Error(err)
		}
		for i, b := range w.changes.order {
			way, err := w.whole.way(t.Context(), b)
			if err != nil || way[len(way)-1].Item.(*held).branch != b {
				t.Errorf("%s: no way to change %d: %v", c, i, err)
			}
		}
		w.selected(w.changes, w.whole.Root())
		w.all.SetChecked(false)
		if w.whole != nil || w.tree.Selection.Item() != treeview.Item(w.changes.order[0]) {
			t.Errorf("%s: the tree of changes only is not back", c)
		}
	}
}

// TestUnchangedInList: what has not changed in a list has another number on the other side, whose value is not shown for it.
func TestUnchangedInList(t *testing.T) {
	const list = " (\n    prepend references = [%s]\n)\n{\n}"
	w := window(t, layer(t, fmt.Sprintf(list, "@one.usda@, @two.usda@")), layer(t, fmt.Sprintf(list, "@new.usda@, @one.usda@, @two.usda@")))
	w.all.SetChecked(true)
	var rows []string
	eachHeld(t, w, func(h *held) {
		if row := w.whole.Row(h); row.Cells[0] == "assetPath" {
			rows = append(rows, strings.Join(row.Cells, " | "))
		}
	})
	const want = "assetPath | one.usda | =\nassetPath | two.usda | =\nassetPath | new.usda | +"
	if got := strings.Join(rows, "\n"); got != want {
		t.Errorf("%s", got)
	}
}

// TestRetyped: a value whose type alone changed says both types, on both sides and in the title.
func TestRetyped(t *testing.T) {
	var parts [2]Part
	for i, typ := range []string{"float", "double"} {
		parts[i].File = filepath.Join(t.TempDir(), typ+".usda")
		if err := os.WriteFile(parts[i].File, []byte("#usda 1.0\ndef \"A\"\n{\n    "+typ+" x = 1\n    "+typ+"[] a = [1, 2]\n}\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	m := compared(t, parts[0], parts[1], 0)
	found := map[string]bool{}
	for _, b := range m.order {
		row := m.Row(b)
		found[row.Cells[1]] = true
		if now := readChange(t.Context(), b.change); b.name == "default" && !strings.Contains(now.sentence, " to double") {
			t.Errorf("the sentence is %q", now.sentence)
		}
	}
	for _, want := range []string{"1 float → 1 double", "[1, 2] float[] → [1, 2] double[]"} {
		if !found[want] {
			t.Errorf("no row says %q: %v", want, found)
		}
	}
}
