package cards

import (
	"math"
	"testing"

	"fyne.io/fyne/v2"
)

// TestFaceUnderPointer: of the faces under a place the nearest is found, whichever way it looks.
func TestFaceUnderPointer(t *testing.T) {
	table := newTurntable()
	table.solid = read(t, vectors(vec{0, 0}, vec{1, 0}, vec{1, 1}, vec{0, 1}, vec{0, 0, 2}, vec{0, 1, 2}, vec{1, 1, 2}, vec{1, 0, 2}), ints(4, 4), ints(0, 1, 2, 3, 4, 5, 6, 7))
	table.yaw, table.pitch = 0, 0
	table.Resize(fyne.NewSquareSize(200))
	v := table.pose()
	if got := v.partAt(fyne.NewPos(100, 100), fyne.NewSquareSize(200)); got != 1 {
		t.Errorf("the part in the middle is %d", got)
	}
	if got := v.partAt(fyne.NewPos(2, 2), fyne.NewSquareSize(200)); got != -1 {
		t.Errorf("the part in the corner is %d", got)
	}
}

// BenchmarkTurn paints a step of a turn of a scene of 200,000 faces, 1,280 pixels wide, in each mode. A step is to take 50 ms at most.
func BenchmarkTurn(b *testing.B) {
	const side = 316
	var points []vec
	var counts, corners []int64
	for y := range side {
		for x := range side {
			points = append(points, vec{float64(x), float64(y), 20 * math.Sin(float64(x)/20) * math.Cos(float64(y)/20)})
		}
	}
	for y := range side - 1 {
		for x := range side - 1 {
			i := int64(y*side + x)
			counts, corners = append(counts, 3, 3), append(corners, i, i+1, i+side, i+1, i+side+1, i+side)
		}
	}
	table := newTurntable()
	table.solid = read(b, vectors(points...), ints(counts...), ints(corners...))
	table.Resize(fyne.NewSize(1280, 800))
	for _, mode := range table.solid.modes() {
		b.Run(mode, func(b *testing.B) {
			table.mode = mode
			for b.Loop() {
				table.yaw += 0.05
				table.seen = table.pose()
				table.paint(1280, 800)
			}
		})
	}
}
