package treeview

import (
	"context"
	"fmt"
	"image/png"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/test"
)

// fake is a tree whose items are paths such as "/3/1"; n says how many children an item has.
type fake struct {
	n       func(path string) int64
	exact   func(path string) bool
	pending map[string]*atomic.Bool
	delay   time.Duration
	release chan struct{} // Resolve waits for it
	made    atomic.Int64
}

func (f *fake) Root() Item { return "" }

func (f *fake) Count(it Item) (int64, bool) {
	p := it.(string)
	return f.n(p), f.exact == nil || f.exact(p)
}

func (f *fake) Pending(it Item) bool {
	p := f.pending[it.(string)]
	return p != nil && p.Load()
}

func (f *fake) Child(it Item, i int64) Item {
	time.Sleep(f.delay)
	f.made.Add(1)
	return fmt.Sprintf("%s/%d", it, i)
}

func (f *fake) Row(it Item) Row {
	p := it.(string)
	name := p[strings.LastIndexByte(p, '/')+1:]
	if p == "" {
		name = "root"
	}
	return Row{Cells: []string{name, "value of " + p, "type"}, Branch: f.n(p) > 0 || f.Pending(it), Pending: f.Pending(it)}
}

func (f *fake) Resolve(ctx context.Context, it Item, progress func(int64, int64)) (Item, error) {
	progress(1, 4)
	select {
	case <-f.release:
	case <-ctx.Done():
		return it, ctx.Err()
	}
	f.pending[it.(string)].Store(false)
	return it, nil
}

var columns = []Column{{Title: "name", Width: 150}, {Title: "value", Width: 120, Stretch: 1, Mono: true}, {Title: "type", Width: 60}}

// rig is a tree in a window of the test driver; posted work is run by until. Its tests run in a bubble of synctest: none
// depends on the machine's speed.
type rig struct {
	*testing.T
	tree  *Tree
	queue chan func()
	win   fyne.Window
}

func newRig(t *testing.T, data Data) *rig {
	r := newRigOf(t, func(ctx context.Context) *Tree { return New(ctx, data, columns) })
	r.tree.OpenRoot()
	return r
}

func newListRig(t *testing.T, data Data) *rig {
	return newRigOf(t, func(ctx context.Context) *Tree { return NewList(ctx, data, columns) })
}

func newRigOf(t *testing.T, tree func(context.Context) *Tree) *rig {
	test.NewTempApp(t)
	ctx, cancel := context.WithCancel(context.Background())
	r := &rig{T: t, tree: tree(ctx), queue: make(chan func(), 10000)}
	r.tree.SetPost(func(f func()) { r.queue <- f })
	r.win = test.NewTempWindow(t, r.tree)
	r.win.SetPadded(false)
	r.win.Resize(fyne.NewSize(400, 300))
	t.Cleanup(func() {
		cancel()
		time.Sleep(time.Second) // what still runs ends now, or synctest fails the test
	})
	r.win.Canvas().Focus(r.tree)
	return r
}

// until runs posted work until ok, or fails.
func (r *rig) until(what string, ok func() bool) {
	r.Helper()
	limit := time.After(time.Minute)
	for !ok() {
		select {
		case f := <-r.queue:
			f()
		case <-limit:
			r.Fatalf("never came: %s", what)
		}
	}
}

func (r *rig) at(want string) {
	r.Helper()
	r.until("selection of "+want+", is "+fmt.Sprint(r.tree.Selection.Item()), func() bool { return r.tree.Selection.Item() == want })
}

func (r *rig) key(names ...fyne.KeyName) {
	for _, n := range names {
		r.tree.TypedKey(&fyne.KeyEvent{Name: n})
	}
}

// decimal gives every item ten children, four levels deep.
func decimal(path string) int64 {
	if strings.Count(path, "/") < 4 {
		return 10
	}
	return 0
}

func TestKeys(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, &fake{n: decimal})
		for _, c := range []struct {
			key  fyne.KeyName
			want string
			rows int64
		}{
			{fyne.KeyDown, "/0", 11}, {fyne.KeyDown, "/1", 11}, {fyne.KeyRight, "/1", 21}, {fyne.KeyRight, "/1/0", 21},
			{fyne.KeyUp, "/1", 21}, {fyne.KeyRight, "/1/0", 21}, {fyne.KeyReturn, "/1/0", 31}, {fyne.KeyEnd, "/9", 31},
			{fyne.KeyHome, "", 31}, {fyne.KeyPageDown, "/1/0/6", 31}, {fyne.KeyLeft, "/1/0", 31}, {fyne.KeyLeft, "/1/0", 21},
			{fyne.KeyLeft, "/1", 21}, {fyne.KeyLeft, "/1", 11}, {fyne.KeyRight, "/1", 21}, {fyne.KeyPageUp, "", 21},
		} {
			r.key(c.key)
			r.at(c.want)
			if r.tree.Rows() != c.rows {
				t.Fatalf("after %s: %d rows, want %d", c.key, r.tree.Rows(), c.rows)
			}
		}
	})
}

// TestCloseAbove: closing a branch that holds the selection selects the branch.
func TestCloseAbove(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, &fake{n: decimal})
		r.key(fyne.KeyDown)
		r.at("/0") // what is not made yet cannot be opened
		r.key(fyne.KeyRight, fyne.KeyDown, fyne.KeyDown)
		r.at("/0/1")
		r.tree.branches.toggle(r.tree.out.top.kids[0].kid(0), false)
		r.tree.Refresh()
		r.at("/0")
	})
}

func TestTypeAhead(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, &fake{n: func(p string) int64 {
			if p == "" {
				return 3000
			}
			return 0
		}})
		r.at("")
		for _, c := range "2718" {
			r.tree.TypedRune(c)
		}
		r.at("/2718")
		r.tree.ahead.typed = ""
		r.tree.TypedRune('9')
		r.at("/2719"[:1] + "9")
		r.tree.TypedRune('9') // again: the next one
		r.at("/90")
	})
}

func TestStarOpensSiblings(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, &fake{n: decimal})
		r.key(fyne.KeyDown)
		r.tree.TypedRune('*')
		r.until("open siblings", func() bool { return r.tree.Rows() == 111 })
		r.at("/0")
	})
}

// TestPending: a pending branch opens at once with a row that tells of the work, and gets its children when it is done.
func TestPending(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fake{n: decimal, pending: map[string]*atomic.Bool{"/4": {}}, release: make(chan struct{})}
		f.pending["/4"].Store(true)
		f.n = func(p string) int64 {
			if p == "/4" && f.pending["/4"].Load() {
				return 0
			}
			return decimal(p)
		}
		r := newRig(t, f)
		r.key(fyne.KeyDown, fyne.KeyDown, fyne.KeyDown, fyne.KeyDown, fyne.KeyDown)
		r.at("/4")
		r.key(fyne.KeyRight)
		if r.tree.Rows() != 12 {
			t.Fatalf("%d rows while pending, want 12", r.tree.Rows())
		}
		r.until("progress", func() bool { return r.tree.out.place(6).b.tail == "decoding… 25 %" })
		close(f.release)
		r.until("children", func() bool { return r.tree.Rows() == 21 })
		r.key(fyne.KeyRight)
		r.at("/4/0")
	})
}

// TestGrowing: a branch that is not counted yet gets its rows as they come, and the selection stays.
func TestGrowing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var n, done atomic.Int64
		n.Store(3)
		r := newRig(t, &fake{n: func(p string) int64 {
			if p == "" {
				return n.Load()
			}
			return 0
		}, exact: func(string) bool { return done.Load() == 1 }})
		r.key(fyne.KeyDown, fyne.KeyDown)
		r.at("/1")
		if r.tree.Rows() != 5 {
			t.Fatalf("%d rows, want root, 3 and the one that tells of more", r.tree.Rows())
		}
		n.Store(5000)
		r.until("more rows", func() bool { return r.tree.Rows() == 5002 })
		done.Store(1)
		r.until("the end", func() bool { return r.tree.Rows() == 5001 })
		r.at("/1")
	})
}

// TestSlowRows: rows that take long show placeholders without blocking, and come.
func TestSlowRows(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fake{n: decimal, delay: 20 * time.Millisecond}
		r := newRig(t, f)
		began := time.Now()
		r.key(fyne.KeyEnd)
		if d := time.Since(began); d > 60*time.Millisecond {
			t.Errorf("the key blocked for %v", d)
		}
		r.at("/9")
	})
}

func TestSelect(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, &fake{n: func(p string) int64 {
			if strings.Count(p, "/") < 3 {
				return 1_000_000
			}
			return 0
		}})
		var told []Item
		r.tree.OnSelected = func(it Item) { told = append(told, it) }
		way := []Step{{0, ""}, {999, "/999"}, {700_000, "/999/700000"}, {5, "/999/700000/5"}}
		r.tree.Select(way, false)
		r.at("/999/700000/5")
		if len(told) != 1 || told[0] != "/999/700000/5" {
			t.Fatalf("told %v", told)
		}
		if r.tree.Rows() != 3_000_001 {
			t.Fatalf("%d rows", r.tree.Rows())
		}
		row, _ := r.tree.out.row(r.tree.Selection.cursor)
		if row != 1+999+1+700_000+1+5 || row < r.tree.scroll.top || row > r.tree.scroll.top+20 {
			t.Fatalf("row %d, top %d", row, r.tree.scroll.top)
		}
	})
}

// TestMouse: the expander opens, a row is selected, a double click opens, the wheel and the thumb scroll.
func TestMouse(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, &fake{n: func(p string) int64 {
			if strings.Count(p, "/") < 2 {
				return 1000
			}
			return 0
		}})
		m := r.tree.measure()
		rowY := func(row int) float32 { return m.head + (float32(row)+0.5)*m.row }
		click := func(x, y float32) {
			r.tree.MouseDown(&desktop.MouseEvent{PointEvent: fyne.PointEvent{Position: fyne.NewPos(x, y)}, Button: desktop.MouseButtonPrimary})
			r.tree.MouseUp(nil)
		}
		click(100, rowY(3))
		r.at("/2")
		click(m.nameAt(r.tree.out.place(1))-expander/2, rowY(1))
		if r.tree.Rows() != 2001 {
			t.Fatalf("%d rows after the expander", r.tree.Rows())
		}
		click(100, rowY(1))
		r.at("/0")
		click(100, rowY(1))
		if r.tree.Rows() != 1001 {
			t.Fatalf("%d rows after a double click", r.tree.Rows())
		}
		r.tree.Scrolled(&fyne.ScrollEvent{Scrolled: fyne.NewDelta(0, -10*m.row)})
		if r.tree.scroll.top < 19 || r.tree.scroll.top > 20 { // two units a step, and float32 between
			t.Fatalf("top %d after the wheel", r.tree.scroll.top)
		}
		m = r.tree.measure()
		x, y := m.view.Width+4, m.head+m.thumbAt()+2
		r.tree.MouseDown(&desktop.MouseEvent{PointEvent: fyne.PointEvent{Position: fyne.NewPos(x, y)}})
		r.tree.Dragged(&fyne.DragEvent{PointEvent: fyne.PointEvent{Position: fyne.NewPos(x, 5000)}})
		if want := r.tree.Rows() - m.wholeRows; r.tree.scroll.top != want {
			t.Fatalf("top %d after dragging to the end, want %d", r.tree.scroll.top, want)
		}
	})
}

func TestColumnDrag(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, &fake{n: decimal})
		var told []float32
		r.tree.OnColumns = func(w []float32) { told = w }
		m := r.tree.measure()
		at := fyne.NewPos(m.x[1], 8)
		r.tree.MouseDown(&desktop.MouseEvent{PointEvent: fyne.PointEvent{Position: at}})
		r.tree.Dragged(&fyne.DragEvent{PointEvent: fyne.PointEvent{Position: at.AddXY(40, 0)}})
		r.tree.MouseUp(nil)
		if len(told) != 3 || told[0] != 190 {
			t.Fatalf("widths %v", told)
		}
		m = r.tree.measure() // after the column that takes what is left, its neighbour changes
		at = fyne.NewPos(m.x[2], 8)
		r.tree.MouseDown(&desktop.MouseEvent{PointEvent: fyne.PointEvent{Position: at}})
		r.tree.Dragged(&fyne.DragEvent{PointEvent: fyne.PointEvent{Position: at.AddXY(-15, 0)}})
		r.tree.MouseUp(nil)
		if told[2] != 75 {
			t.Fatalf("widths %v", told)
		}
	})
}

// TestColumnFits: two clicks on the edge of a column make it as wide as its longest text in sight, and no wider.
func TestColumnFits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, &fake{n: decimal})
		r.key(fyne.KeyRight)
		told := 0
		r.tree.OnColumns = func([]float32) { told++ }
		m := r.tree.measure()
		for range 2 {
			r.tree.MouseDown(press(m.x[2], 8)) // after the column that takes what is left: its neighbour changes
			r.tree.MouseUp(nil)
		}
		m = r.tree.measure()
		longest := float32(0)
		for p, ready := range r.tree.rows.made {
			_, room := m.cellBox(2, p, &ready.row)
			text := fyne.MeasureText(ready.row.Cells[2], m.text, fyne.TextStyle{}).Width
			if longest = max(longest, text); text > room {
				t.Errorf("%q has no room", ready.row.Cells[2])
			}
		}
		if least := fyne.MeasureText("type ↓", m.text, fyne.TextStyle{}).Width; m.width[2] > max(longest, least)+2*cellPad+2 || told == 0 {
			t.Errorf("a width of %g for texts of %g, told %d times", m.width[2], longest, told)
		}
	})
}

// TestGoneTo: a row that is gone to and was out of sight comes to stand a third down, however near it was; one that is in sight stays.
func TestGoneTo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, &fake{n: func(p string) int64 {
			if p == "" {
				return 1000
			}
			return 0
		}})
		m := r.tree.measure()
		for _, to := range []int64{m.wholeRows + 2, 3 * m.wholeRows, m.wholeRows} {
			r.tree.Select([]Step{{0, ""}, {to - 1, "/" + strconv.FormatInt(to-1, 10)}}, false)
			r.at("/" + strconv.FormatInt(to-1, 10))
			if got := to - r.tree.Top(); got != m.wholeRows/3 {
				t.Errorf("row %d is %d down, want %d", to, got, m.wholeRows/3)
			}
		}
		top := r.tree.Top()
		r.tree.Select([]Step{{0, ""}, {top + m.wholeRows - 2, "/" + strconv.FormatInt(top+m.wholeRows-2, 10)}}, false)
		if r.tree.Top() != top {
			t.Error("a row in sight was scrolled")
		}
	})
}

// TestStretch: what room is left is shared, and a column whose width is set takes no part.
func TestStretch(t *testing.T) {
	m := metrics{view: fyne.NewSize(1000, 100)}
	columns := []Column{{Width: 100, Stretch: 1}, {Width: 100, Stretch: 3}, {Width: 200}}
	m.columnsIn(columns)
	if m.width[0] != 250 || m.width[1] != 550 || m.width[2] != 200 || m.total != 1000 {
		t.Errorf("%v", m.width)
	}
	tree := New(t.Context(), &fake{n: decimal}, columns)
	tree.SetWidths([]float32{120, 500, 0})
	m.columnsIn(tree.columns)
	if m.width[0] != 120 || m.width[1] != 680 || m.width[2] != 200 {
		t.Errorf("%v", m.width)
	}
	m.view.Width = 50
	m.columnsIn(tree.columns)
	if m.width[1] != 90 || m.total != 410 {
		t.Errorf("%v", m.width)
	}
	m.view.Width = 415
	m.columnsIn(tree.columns)
	if m.width[1] != 95 || m.total != 415 {
		t.Errorf("%v", m.width)
	}
}

// TestGivesWay: a column that would be too narrow to be read leaves its room to the others.
func TestGivesWay(t *testing.T) {
	m := metrics{view: fyne.NewSize(336, 100)}
	columns := []Column{{Width: 150, Least: 130, Stretch: 2}, {Width: 150, Least: 60, Stretch: 6}, {Width: 80, Least: 16, Stretch: 1}, {Width: 68}, {Width: 68}}
	m.columnsIn(columns)
	if m.width[2] != 0 || m.total != 336 || m.x[3] != 200 {
		t.Errorf("%v at %v", m.width, m.x)
	}
	m.view.Width = 480
	m.columnsIn(columns)
	if m.width[2] < leastSeen || m.total != 480 {
		t.Errorf("%v", m.width)
	}
	columns[1].Least, m.view.Width = 40, 320
	if m.columnsIn(columns); m.width[1] < leastSeen || m.width[2] != 0 || m.total != 320 {
		t.Errorf("%v: the one that gives way most is to go first", m.width)
	}
}

func TestElide(t *testing.T) {
	test.NewTempApp(t)
	long := strings.Repeat("ghijklmnop", 40)
	style := fyne.TextStyle{Monospace: true}
	got := elide(long, 100, 13, style)
	if fyne.MeasureText(got, 13, style).Width > 100 || !strings.HasPrefix(got, "gh") || !strings.HasSuffix(got, "op") || !strings.Contains(got, "…") {
		t.Fatalf("%q", got)
	}
	if got := elide("short", 100, 13, style); got != "short" {
		t.Fatalf("%q", got)
	}
	for _, words := range []string{"(0.047552824, -0.9, 1e-18)", "89 50 4e 47 0d 0a 1a 0a", "0xa0: 100.125 0x1234", "id: 18446744073709551615", "A robot arm at work, to be looked at", `[("/Workshop/Screws", "/Workshop/New")]`, "[one value, another, …]"} {
		if got := elide(words, 100, 13, style); !strings.HasPrefix(words, strings.TrimSuffix(got, "…")) {
			t.Errorf("%q has lost its middle: %q", words, got)
		}
	}
	for _, typ := range []string{"System.Collections.Dictionary<string, System.Int32>", "VtArray<GfVec3f, GfVec3d>[]", "SdfListOp<SdfReference, SdfPayload>"} {
		if got := elide(typ, 150, 13, style); got != typ && (strings.HasSuffix(got, "…") || !strings.HasSuffix(typ, got[strings.Index(got, "…")+len("…"):])) {
			t.Errorf("the type %q has lost its end: %q", typ, got)
		}
	}
	if got := elide("3 fields"+parted+long, 100, 13, style); !strings.HasPrefix(got, "3 fields") || !strings.HasSuffix(got, "…") {
		t.Fatalf("%q does not lose its last part first", got)
	}
	if got := elide("scene/World/"+strings.Repeat("deeper/", 9)+"end/of/it", 200, 13, style); !strings.HasPrefix(got, "s") || !strings.HasSuffix(got, "/of/it") {
		t.Fatalf("%q does not tell the end of a path", got)
	}
	if got := elide(strings.Repeat("ä", 100_000), 100, 13, style); fyne.MeasureText(got, 13, style).Width > 100 {
		t.Fatalf("%q is too wide", got)
	}
}

// TestFewRowsMade: opening ten million children makes only the rows in sight.
func TestFewRowsMade(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fake{n: tenMillion}
		r := newRig(t, f)
		r.key(fyne.KeyEnd)
		r.at("/9999999")
		if n := f.made.Load(); n > 100 {
			t.Fatalf("%d items made", n)
		}
		if path := os.Getenv("TREE_PICTURE"); path != "" {
			out, err := os.Create(path)
			if err != nil {
				t.Fatal(err)
			}
			defer out.Close()
			if err := png.Encode(out, r.win.Canvas().Capture()); err != nil {
				t.Fatal(err)
			}
		}
	})
}

func tenMillion(path string) int64 {
	if path == "" {
		return 10_000_000
	}
	return 0
}

// BenchmarkOpenTenMillion measures the call that opens a branch of ten million children, and the rows in sight
// being ready.
func BenchmarkOpenTenMillion(b *testing.B) {
	test.NewTempApp(b)
	tree := New(b.Context(), &fake{n: tenMillion}, columns)
	tree.SetPost(func(func()) {})
	win := test.NewTempWindow(b, tree)
	win.Resize(fyne.NewSize(500, 1000))
	tree.OpenRoot()
	root := tree.out.top.kids[0]
	for b.Loop() {
		tree.branches.toggle(root, false)
		clear(tree.rows.made)
		tree.branches.toggle(root, true)
		tree.Refresh()
	}
}

// BenchmarkScrollTenMillion measures a step of the wheel.
func BenchmarkScrollTenMillion(b *testing.B) {
	test.NewTempApp(b)
	tree := New(b.Context(), &fake{n: tenMillion}, columns)
	tree.SetPost(func(func()) {})
	win := test.NewTempWindow(b, tree)
	win.Resize(fyne.NewSize(500, 1000))
	tree.OpenRoot()
	for b.Loop() {
		tree.Scrolled(&fyne.ScrollEvent{Scrolled: fyne.NewDelta(0, -25)})
	}
}

// TestRootIsQuiet: opening a tree selects its root without an event, also when its row is late.
func TestRootIsQuiet(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, &fake{n: decimal, delay: 10 * time.Millisecond})
		tree := New(t.Context(), r.tree.source.data, columns)
		tree.SetPost(r.tree.source.post)
		tree.OnSelected = func(it Item) { t.Errorf("told of %q", it) }
		tree.OpenRoot()
		r.win.SetContent(tree)
		if tree.Selection.Item() != "" {
			t.Errorf("selected %v", tree.Selection.Item())
		}
		r.until("rows", func() bool { return tree.rows.made[pos{tree.out.top.kids[0], 9}] != nil })
	})
}

// TestCopy copies the row, or lets the owner do it.
func TestCopy(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, &fake{n: decimal})
		r.key(fyne.KeyDown)
		r.at("/0")
		clip := test.NewClipboard()
		r.tree.TypedShortcut(&fyne.ShortcutCopy{Clipboard: clip})
		if got := clip.Content(); got != "0\tvalue of /0\ttype" {
			t.Errorf("copied %q", got)
		}
		var told Item
		r.tree.OnCopy = func(it Item) { told = it }
		r.tree.TypedShortcut(&fyne.ShortcutCopy{Clipboard: clip})
		if told != "/0" {
			t.Errorf("told of %v", told)
		}
	})
}

// TestLower: a row that is selected stays in sight when the tree becomes lower; one that was scrolled away stays away.
func TestLower(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newListRig(t, &fake{n: func(string) int64 { return 1000 }})
		r.win.Resize(fyne.NewSize(400, 600))
		r.until("the rows", func() bool { return r.tree.Rows() == 1000 })
		r.tree.SelectIndex(8, false)
		if _, _, ok := r.tree.CursorRect(); !ok {
			t.Fatal("the selected row is not in sight")
		}
		r.win.Resize(fyne.NewSize(400, 150))
		if _, _, ok := r.tree.CursorRect(); !ok {
			t.Error("the selected row is out of sight in the lower tree")
		}
		r.win.Resize(fyne.NewSize(400, 600))
		r.tree.scroll.top = 20
		r.win.Resize(fyne.NewSize(400, 150))
		if r.tree.scroll.top != 20 {
			t.Errorf("a row that was scrolled away is brought back: the first in sight is %d", r.tree.scroll.top)
		}
	})
}

// TestSetTop: the row that is to be the first in sight is that also where the tree was too high for it at first, but not once the user
// has scrolled.
func TestSetTop(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newListRig(t, &fake{n: func(string) int64 { return 30 }})
		r.win.Resize(fyne.NewSize(400, 900))
		r.until("the rows", func() bool { return r.tree.Rows() == 30 })
		r.tree.SelectIndex(25, false)
		r.tree.SetTop(12)
		if r.tree.Top() == 12 {
			t.Fatal("all rows are in sight, and it has scrolled")
		}
		r.win.Resize(fyne.NewSize(400, 150))
		if r.tree.Top() != 12 {
			t.Errorf("row %d is the first in sight", r.tree.Top())
		}
		r.tree.Scrolled(&fyne.ScrollEvent{Scrolled: fyne.NewDelta(0, 1000)})
		r.win.Resize(fyne.NewSize(400, 200))
		if r.tree.Top() != 0 {
			t.Errorf("after scrolling back to the first row %d is the first in sight", r.tree.Top())
		}
	})
}

// TestHiddenColumn: a column without a width has neither a title nor a divider, and nothing of a negative size.
func TestHiddenColumn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		hidden := slices.Clone(columns)
		hidden[1] = Column{}
		r := newRigOf(t, func(ctx context.Context) *Tree {
			return NewList(ctx, &fake{n: func(string) int64 { return 3 }}, hidden)
		})
		r.until("the rows", func() bool { return r.tree.Rows() == 3 })
		drawn := test.TempWidgetRenderer(t, r.tree).(*renderer)
		drawn.Refresh()
		if s := drawn.titles[1].Size(); s.Width < 0 || drawn.dividers[1].Visible() || !drawn.dividers[0].Visible() {
			t.Errorf("its title is of %v, its divider is seen: %t", s, drawn.dividers[1].Visible())
		}
	})
}
