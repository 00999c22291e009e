package hexview

import (
	"context"
	"fmt"
	"image/color"
	"slices"
	"testing"
	"testing/synctest"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"cutaway/model"
)

func TestHoverAsksOffTheUIForTheLastByte(t *testing.T) {
	synctest.Test(t, testHoverAsksOffTheUIForTheLastByte)
}

func testHoverAsksOffTheUIForTheLastByte(t *testing.T) {
	b := newBench(t, counting(4096))
	asked, answer := make(chan int64), make(chan bool)
	b.HoverText = func(_ context.Context, off int64) (string, model.Span) {
		asked <- off
		<-answer
		return fmt.Sprintf("byte %d\nof many", off), b.Source().Span(off/4*4, 4)
	}
	var told []int64
	b.OnHover = func(off int64, inside bool, _ fyne.Position) {
		if !inside {
			off = -1
		}
		told = append(told, off)
	}
	move := func(off int64) { test.MoveMouse(b.window.Canvas(), b.at(off)) }
	move(0x10)
	if got := <-asked; got != 0x10 {
		t.Fatalf("asked for %#x", got)
	}
	move(0x21)
	move(0x22)
	move(0x33)
	answer <- true
	if got := <-asked; got != 0x33 { // those between are left out
		t.Fatalf("then asked for %#x, want 0x33", got)
	}
	answer <- true
	b.await()
	if b.said != "" {
		t.Error("the answer for a byte that the pointer has left is shown")
	}
	b.await()
	if b.said != "byte 51\nof many" {
		t.Errorf("the tooltip shows %q", b.said)
	}
	img := b.paint()
	hex, _, _ := b.CellRect(0x31)
	if got := color.RGBAModel.Convert(img.At(int(hex.X+1), int(hex.Y+3))); got != b.Colors().Hover {
		t.Errorf("a byte of the range under the pointer is %v, want %v", got, b.Colors().Hover)
	}
	b.MouseOut()
	if b.said != "" || b.tip.lit != (Range{}) {
		t.Error("the tooltip stays when the pointer has gone")
	}
	if want := []int64{0x10, 0x21, 0x22, 0x33, -1}; !slices.Equal(told, want) {
		t.Errorf("OnHover told %v, want %v", told, want)
	}
}

func TestSegmentsInTooltip(t *testing.T) { synctest.Test(t, testSegmentsInTooltip) }

func testSegmentsInTooltip(t *testing.T) {
	src := counting(4096).WithSegments([]model.Segment{
		{File: "a.vrs", Start: 0, Length: 0x100},
		{File: "a.vrs_1", Start: 0x100, Missing: true},
		{File: "a.vrs_2", Start: 0x100, Length: 0xf00},
	})
	b := newBench(t, src)
	b.paint()
	test.MoveMouse(b.window.Canvas(), b.at(0x104))
	if got := b.said; got != "a.vrs_2 + 0x4" {
		t.Errorf("the tooltip says %q", got)
	}
	test.MoveMouse(b.window.Canvas(), fyne.NewPos(5, 5))
	if got := b.said; got != "a.vrs + 0x0" {
		t.Errorf("the gutter's tooltip says %q", got)
	}
}
