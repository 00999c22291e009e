package ui

import (
	"image"
	"image/color"
	"image/png"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/theme"

	"cutaway/ui/kit"
	"cutaway/ui/look"
	searchpane "cutaway/ui/search"
)

// luminance is the relative luminance of WCAG 2.
func luminance(c color.Color) float64 {
	r, g, b, _ := c.RGBA()
	line := func(v uint32) float64 {
		f := float64(v) / 0xffff
		if f <= 0.04045 {
			return f / 12.92
		}
		return math.Pow((f+0.055)/1.055, 2.4)
	}
	return 0.2126*line(r) + 0.7152*line(g) + 0.0722*line(b)
}

func contrast(a, b color.Color) float64 {
	x, y := luminance(a), luminance(b)
	return (max(x, y) + 0.05) / (min(x, y) + 0.05)
}

// TestThemes draws the window in both themes and at two scales. CUTAWAY_PICTURES names a folder for the pictures.
func TestThemes(t *testing.T) { synctest.Test(t, testThemes) }

func testThemes(t *testing.T) {
	b := newBench(t)
	s, _ := b.fake()
	s.Pane.Nav.GoTo("layout/table/[7]")
	b.at(s, "layout/table/[7]")
	b.idle()
	var pictures []image.Image
	for _, choice := range []look.Choice{look.Light, look.Dark} {
		for _, scale := range []float32{1, 2} {
			b.w.setLook(look.Settings{Choice: choice})
			b.w.Win.Canvas().(interface{ SetScale(float32) }).SetScale(scale)
			b.idle()
			img := b.w.Win.Canvas().Capture()
			pictures = append(pictures, img)
			ground := look.New(choice).Color(theme.ColorNameBackground, theme.VariantLight)
			if got := img.At(img.Bounds().Dx()/4, img.Bounds().Dy()*60/100); contrast(got, ground) > 1.05 {
				t.Errorf("%s at %g: ground %v, want %v", choice, scale, got, ground)
			}
			if c := strongest(img, s.Pane.Details.Rows.Objects[1], scale, ground); c < 7 {
				t.Errorf("%s at %g: the value in the details has contrast %.1f", choice, scale, c)
			}
			keep(t, string(choice)+map[float32]string{1: "", 2: "-large"}[scale], img)
		}
	}
	if pictures[1].Bounds().Dx() != 2*pictures[0].Bounds().Dx() {
		t.Error("scale 2 is not twice as large")
	}
}

// strongest is the highest contrast to the ground in the place of o.
func strongest(img image.Image, o fyne.CanvasObject, scale float32, ground color.Color) float64 {
	at, size := fyne.CurrentApp().Driver().AbsolutePositionForObject(o), o.Size()
	most := 0.0
	for y := at.Y * scale; y < (at.Y+size.Height)*scale; y++ {
		for x := at.X * scale; x < (at.X+100)*scale; x++ {
			most = max(most, contrast(img.At(int(x), int(y)), ground))
		}
	}
	return most
}

func keep(t *testing.T, name string, img image.Image) {
	dir := os.Getenv("CUTAWAY_PICTURES")
	if dir == "" {
		return
	}
	f, err := os.Create(filepath.Join(dir, name+".png"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := png.Encode(f, img); err != nil {
		t.Fatal(err)
	}
}

// TestSmallWindow: the window fits 640 × 480, where the welcome gives way to the file; with text of every size.
func TestSmallWindow(t *testing.T) { synctest.Test(t, testSmallWindow) }

func testSmallWindow(t *testing.T) {
	b := newBench(t)
	s := b.sample()
	b.idle()
	for _, c := range []struct {
		width   float32
		welcome bool
	}{{1200, true}, {880, false}, {640, false}, {1000, true}} {
		b.w.Win.Resize(fyne.NewSize(c.width, 480))
		if got := strings.Contains(shownTexts(b.w.body), "built-in sample"); got != c.welcome {
			t.Errorf("at %v the welcome is there: %v, want %v", c.width, got, c.welcome)
		}
	}
	for _, text := range []float32{0.88, 1, 1.2} {
		b.w.setLook(look.Settings{Text: text})
		b.idle()
		if least := b.w.Win.Content().MinSize(); least.Width > 640 || least.Height > 480 {
			t.Errorf("with text %v times as large the window needs %v", text, least)
		}
	}
	b.w.setLook(look.Settings{})
	const menuHigh = 30 // the menu bar, which is the driver's
	b.ofBytes("Second place").Action()
	s.Pane.Details.Search.Set(searchpane.Query{Text: "no such words", Decode: true})
	s.Pane.Details.Search.Begin()
	b.w.location.OnSubmitted("nowhere/at all")
	for i := range s.Pane.Details.Bar.Tabs {
		s.Pane.Details.Choose(i)
		b.idle()
		if least := b.w.Win.Content().MinSize(); least.Width > 640 || least.Height > 480-menuHigh {
			t.Errorf("with %s and two places of the bytes the window needs %v", s.Pane.Details.Bar.Tabs[i].Title, least)
		}
	}
}

// TestGridInk: in every theme a grid is weaker than the curve over it.
func TestGridInk(t *testing.T) {
	app := test.NewTempApp(t)
	apart := func(a, b color.Color) (sum int) {
		r0, g0, b0, _ := a.RGBA()
		r1, g1, b1, _ := b.RGBA()
		for _, d := range []int{int(r0) - int(r1), int(g0) - int(g1), int(b0) - int(b1)} {
			sum += max(d, -d) >> 8
		}
		return sum
	}
	for _, choice := range []look.Choice{look.Light, look.Dark, look.StrongLight, look.StrongDark} {
		app.Settings().SetTheme(look.New(choice))
		ground := kit.Paint(theme.ColorNameBackground)
		if grid, curve := apart(kit.GridInk(), ground), apart(kit.Paint(theme.ColorNamePrimary), ground); grid < 40 || 2*grid > curve {
			t.Errorf("%s: the grid is %d from the ground, the curve %d", choice, grid, curve)
		}
	}
}
