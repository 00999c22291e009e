package hexview

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/test"

	"cutaway/model"
)

// foldedGrid is a grid with random folds, some open, some in another.
func foldedGrid(rng *rand.Rand) (g *grid, folds []Fold, open map[Range]bool) {
	g = newGrid(900, 300, 1, cell8, 1+rng.Int64N(4000), Mode{RowWidth: 8 << rng.IntN(3), Fold: true})
	open = map[Range]bool{}
	for range rng.IntN(12) {
		off := rng.Int64N(g.size)
		f := Fold{Range: Range{off, 1 + rng.Int64N(g.size-off)}}
		folds = append(folds, f)
		if rng.IntN(3) == 0 {
			open[f.Range] = true
		}
	}
	slices.SortFunc(folds, func(a, b Fold) int {
		if a.Off != b.Off {
			return int(a.Off - b.Off)
		}
		return int(b.Len - a.Len)
	})
	g.refold(folds, open)
	return g, folds, open
}

// Rows of the screen and offsets lead to each other as they do in a list of all rows that is gone through one by one.
func TestFoldedRows(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 3000 {
		g, folds, open := foldedGrid(rng)
		cols, rows := int64(g.cols), (g.size+int64(g.cols)-1)/int64(g.cols)
		hidden := func(row int64, f Fold) bool { // whether all bytes of a row are in a fold
			return row*cols >= f.Off && min((row+1)*cols, g.size) <= f.End()
		}
		var shown int64
		for row := int64(0); row < rows; shown++ {
			first, n := row, int64(1)
			var fold *Fold
			for i := range folds {
				if open[folds[i].Range] || !hidden(row, folds[i]) {
					continue
				}
				last := row
				for last < rows && hidden(last, folds[i]) {
					last++
				}
				if last-row >= leastFolded {
					fold, n = &folds[i], last-row
					break
				}
			}
			off, got := g.offsetOf(shown)
			if off != first*cols || (got != nil) != (fold != nil) || fold != nil && got.fold != *fold {
				t.Fatalf("%v: row %d is at %#x (%v), want %#x (%v)", folds, shown, off, got, first*cols, fold)
			}
			for r := row; r < row+n; r++ {
				if at, in := g.rowOf(min(r*cols+cols/2, g.size-1)); at != shown || (in != nil) != (fold != nil) {
					t.Fatalf("%v: row %d of the source is shown in row %d (%v), want %d", folds, r, at, in, shown)
				}
			}
			if fold != nil {
				if b := g.bytes(got); b.Off != first*cols || b.End() != min((first+n)*cols, g.size) {
					t.Fatalf("%v: row %d hides %v", folds, shown, b)
				}
			}
			row += n
		}
		if g.rows() != shown {
			t.Fatalf("%v: %d rows, want %d", folds, g.rows(), shown)
		}
		for row := int64(0); row < shown; row++ {
			want := 0
			for ; want < 50 && row+int64(want) < shown; want++ {
				if _, f := g.offsetOf(row + int64(want)); f != nil {
					break
				}
			}
			if got := min(g.rowsTo(row, 50), int(shown-row)); got != want {
				t.Fatalf("%v: %d rows from row %d to the next fold, want %d", folds, got, row, want)
			}
		}
	}
}

// quietBench shows 100 rows of 16 bytes, of which rows 10 to 89 are zero and folded.
func quietBench(t *testing.T) *bench {
	p := make([]byte, 1600)
	for i := range p {
		if i < 160 || i >= 1440 {
			p[i] = byte(i)
		}
	}
	b := newBench(t, model.NewFileSource("quiet", model.BytesReader(p)))
	b.SetMode(Mode{RowWidth: 16, Fold: true})
	b.SetFolds([]Fold{{Range: Range{160, 1280}, Equal: true}})
	b.paint()
	return b
}

// row is the middle of a row of the screen, in the hex column.
func (b *bench) row(i int) fyne.Position {
	return fyne.NewPos(b.dp(b.grid.hex[4]), b.dp(i*b.grid.cell.row+b.grid.cell.row/2))
}

func TestFoldIsARow(t *testing.T) { synctest.Test(t, testFoldIsARow) }

func testFoldIsARow(t *testing.T) {
	b := quietBench(t)
	if n := b.grid.rows(); n != 21 {
		t.Fatalf("%d rows, want 21", n)
	}
	if len(b.scene.runs) != 2 || b.scene.runs[1].first != 1440 || b.scene.runs[1].row != 11 || b.scene.runs[1].data[0] != byte(1440%256) {
		t.Fatalf("pieces in sight: %+v", b.scene.runs)
	}
	if f := b.scene.folds; len(f) != 1 || f[0].row != 10 || f[0].what != "1,280 × 00" || f[0].until != "to 0x59f" {
		t.Fatalf("folds in sight: %+v", f)
	}
	b.SetCursor(150)
	b.key(fyne.KeyDown)
	b.wantCursor(160 + 6)
	b.key(fyne.KeyDown)
	b.wantCursor(1440 + 6)
	b.key(fyne.KeyUp, fyne.KeyUp)
	b.wantCursor(150)
	b.SetCursor(159)
	b.key(fyne.KeyRight)
	b.wantCursor(160)
	b.key(fyne.KeyRight)
	b.wantCursor(1440)
	b.key(fyne.KeyLeft)
	b.wantCursor(1439)
	b.key(fyne.KeyLeft)
	b.wantCursor(159)
	b.key(fyne.KeyRight, fyne.KeyReturn)
	if b.grid.rows() != 100 {
		t.Errorf("Enter on the fold leaves %d rows, want 100", b.grid.rows())
	}
}

func TestFoldOpensAndCloses(t *testing.T) { synctest.Test(t, testFoldOpensAndCloses) }

func testFoldOpensAndCloses(t *testing.T) {
	b := quietBench(t)
	b.click(b.row(10), 0)
	if b.grid.rows() != 100 || len(b.Folded()) != 0 {
		t.Fatalf("%d rows after a click on the fold, want 100", b.grid.rows())
	}
	b.SetFolds([]Fold{{Range: Range{160, 1280}, Equal: true}}) // it is found once more
	b.paint()
	if b.grid.rows() != 100 {
		t.Fatal("what the user has opened folds by itself")
	}
	b.click(fyne.NewPos(b.dp(b.grid.pad+1), b.row(10).Y), 0)
	if b.grid.rows() != 21 {
		t.Errorf("%d rows after a click on the sign, want 21", b.grid.rows())
	}

	b.Reveal(500, 1)
	if b.grid.rows() != 100 {
		t.Error("a byte that is gone to stays folded")
	}
	b = quietBench(t)
	b.Reveal(96, 1400)
	if b.grid.rows() != 21 {
		t.Error("a range around the fold opens it")
	}
	b.Reveal(1000, 200)
	b.paint()
	if _, _, ok := b.CellRect(1000); !ok {
		t.Error("a range in the fold is not in sight")
	}

	b = quietBench(t)
	b.SetFolds(nil)
	b.Reveal(700, 1)
	b.SetFolds([]Fold{{Range: Range{160, 1280}, Equal: true}})
	if b.grid.rows() != 100 {
		t.Error("a fold that is found later hides what the user has gone to")
	}
	b.SetMode(Mode{RowWidth: 16})
	if b.grid.rows() != 100 || len(b.grid.open) != 0 {
		t.Error("it is folded though the mode says no")
	}
}

func TestSelectionAcrossAFold(t *testing.T) { synctest.Test(t, testSelectionAcrossAFold) }

func testSelectionAcrossAFold(t *testing.T) {
	b := quietBench(t)
	b.drag(b.at(159), b.row(10), b.at(1440))
	b.wantSelection(159, 1282)
	clipboard := test.NewClipboard()
	b.TypedShortcut(&fyne.ShortcutCopy{Clipboard: clipboard})
	b.await()
	if got, want := clipboard.Content(), "9f "+strings.Repeat("00 ", 1280)+"a0"; got != want {
		t.Errorf("copied %d characters, want %d", len(got), len(want))
	}
	shift := func(down bool) {
		if e := (&fyne.KeyEvent{Name: desktop.KeyShiftLeft}); down {
			b.KeyDown(e)
		} else {
			b.KeyUp(e)
		}
	}
	b.SetCursor(150)
	shift(true)
	b.key(fyne.KeyDown)
	b.wantSelection(150, 1440-150)
	b.key(fyne.KeyDown)
	b.wantCursor(1446)
	shift(false)
	b.key(fyne.KeyUp) // onto the fold
	shift(true)
	b.key(fyne.KeyUp)
	b.wantSelection(150, 1440-150)
	shift(false)
}

// A fold of many GB is one row, and what is after it is read and shown.
func TestHugeFold(t *testing.T) { synctest.Test(t, testHugeFold) }

func testHugeFold(t *testing.T) {
	b := newBench(t, model.NewFileSource("huge", sparse(1<<50)))
	b.SetMode(Mode{RowWidth: 16, Fold: true})
	b.SetFolds([]Fold{{Range: Range{64, 1<<50 - 128}}})
	b.paint()
	if n := b.grid.rows(); n != 9 {
		t.Fatalf("%d rows, want 9", n)
	}
	if last := b.scene.runs[1]; last.first != 1<<50-64 || last.data[63] != 0xff || last.state[63] != cellPresent {
		t.Errorf("after the fold: %+v", last)
	}
	if got := b.scene.folds[0].what; got != "1,125,899,906,842,496 bytes that nothing explains" {
		t.Errorf("the fold says %q", got)
	}
}

// What is marked, found and wrong in a fold is told by its row.
func TestFoldTellsWhatIsInIt(t *testing.T) { synctest.Test(t, testFoldTellsWhatIsInIt) }

func testFoldTellsWhatIsInIt(t *testing.T) {
	b := quietBench(t)
	plain := b.paint()
	in := Range{800, 4}
	for name, r := range map[string]Ranges{
		"a problem": {Flaws: func(dst []Flaw, first, last int64) []Flaw {
			if in.Off >= last || in.End() <= first {
				return dst
			}
			return append(dst, Flaw{in, model.Error})
		}},
		"a hit": {Matches: func(dst []Range, first, last int64) []Range {
			if in.Off >= last || in.End() <= first {
				return dst
			}
			return append(dst, in)
		}},
		"a mark": {Kept: []Kept{{Range: in}}}, "the selected node": {Selected: []Range{in}},
	} {
		b.SetRanges(r)
		if fmt.Sprint(plain) == fmt.Sprint(b.paint()) {
			t.Errorf("the row of the fold looks the same with %s in it", name)
		}
	}
}

// Folds change nothing of the pictures of what is between them.
func TestPiecesLookAsWholes(t *testing.T) { synctest.Test(t, testPiecesLookAsWholes) }

func testPiecesLookAsWholes(t *testing.T) {
	b := quietBench(t)
	b.SetRanges(Ranges{Selected: []Range{{20, 30}, {1450, 20}}, Parent: []Range{{10, 100}, {1441, 60}}})
	b.SetCursor(1460)
	folded := rowsOf(b, 11, 5) // ten rows and the fold are above
	b.SetFolds(nil)
	b.ScrollTo(1440)
	whole := rowsOf(b, int(1440/16-b.top), 5)
	for i := range whole {
		if whole[i] != folded[i] {
			t.Fatalf("the rows after a fold look different from the same rows without it from pixel %d of row %d on", i/4%b.grid.strip.from, i/4/b.grid.strip.from)
		}
	}
}

// rowsOf is the pixels of rows of the pane, without the strips at its right.
func rowsOf(b *bench, first, n int) []byte {
	b.paint()
	var pix []byte
	for y := first * b.grid.cell.row; y < (first+n)*b.grid.cell.row; y++ {
		pix = append(pix, b.img.Pix[y*b.img.Stride:][:4*b.grid.strip.from]...)
	}
	return pix
}
