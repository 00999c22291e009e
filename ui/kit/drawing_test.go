package kit

import (
	"image"
	"image/color"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/theme"
)

// TestDrawing: the texts of a drawing that is laid out anew are the objects that they were, with what they say now; otherwise Fyne
// lays it out with each frame of the window.
func TestDrawing(t *testing.T) {
	test.NewTempApp(t)
	words := []string{"one", "two"}
	raster := canvas.NewRaster(func(w, h int) image.Image { return image.NewRGBA(image.Rect(0, 0, w, h)) })
	d := NewDrawing(nil, raster, fyne.Size{}, func(size fyne.Size) (texts []fyne.CanvasObject) {
		for i, word := range words {
			texts = append(texts, Caption(word, fyne.TextStyle{Bold: i > 0}, theme.ColorNameForeground, 10, float32(20*i), size.Width))
		}
		return texts
	})
	d.Layout(fyne.NewSize(100, 50))
	before := d.Objects()
	words = []string{"one", "zwei", "three"}
	d.Layout(fyne.NewSize(200, 50))
	after := d.Objects()
	if len(before) != 3 || len(after) != 4 {
		t.Fatalf("%d objects, then %d", len(before), len(after))
	}
	for i, o := range before {
		if after[i] != o {
			t.Errorf("object %d is another one", i)
		}
	}
	for i, word := range words {
		is := after[i+1].(*canvas.Text)
		if is.Text != word || is.TextStyle.Bold != (i > 0) || is.Size().Width != 200 || is.Position().Y != float32(20*i) {
			t.Errorf("text %d is %q at %v, %v", i, is.Text, is.Position(), is.Size())
		}
	}
}

// TestPutRaster: a raster has whole pixels wherever it begins.
func TestPutRaster(t *testing.T) {
	test.NewTempApp(t)
	of := canvas.NewRectangle(color.Black)
	w := test.NewTempWindow(t, of)
	scale := w.Canvas().Scale()
	raster := canvas.NewRaster(nil)
	for _, width := range []float32{460.4, 500, 0.3} {
		PutRaster(of, raster, 3.7, 0, width, 20)
		if got := raster.Size().Width * scale; got < width*scale || got >= width*scale+1 || got != float32(int(got)) {
			t.Errorf("%g units at scale %g are %g pixels", width, scale, got)
		}
	}
}
