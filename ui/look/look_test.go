package look_test

import (
	"image"
	"image/color"
	"strings"
	"testing"

	"cutaway/ui/document"

	"cutaway/ui/window/windowtest"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/theme"

	"cutaway/ui/kit"
	"cutaway/ui/look"
	searchpane "cutaway/ui/search"
)

// TestThemes draws the window in both themes and at two scales. CUTAWAY_PICTURES names a folder for the pictures.
func TestThemes(t *testing.T) {
	windowtest.Run(t, func(t *testing.T, b *windowtest.Bench) {
		s, _ := b.Fake()
		s.Pane.Nav.GoTo("layout/table/[7]")
		b.At(s, "layout/table/[7]")
		b.Idle()
		var pictures []image.Image
		for _, choice := range []look.Choice{look.Light, look.Dark} {
			for _, scale := range []float32{1, 2} {
				b.SetLook(look.Settings{Choice: choice})
				b.W.Shell.Win.Canvas().(interface{ SetScale(float32) }).SetScale(scale)
				b.Idle()
				img := b.W.Shell.Win.Canvas().Capture()
				pictures = append(pictures, img)
				ground := look.New(choice).Color(theme.ColorNameBackground, theme.VariantLight)
				if got := img.At(img.Bounds().Dx()/4, img.Bounds().Dy()*60/100); windowtest.Contrast(got, ground) > 1.05 {
					t.Errorf("%s at %g: ground %v, want %v", choice, scale, got, ground)
				}
				if c := windowtest.Strongest(img, s.Pane.Side.Card.Rows, scale, ground); c < 7 {
					t.Errorf("%s at %g: the value in the details has contrast %.1f", choice, scale, c)
				}
				windowtest.KeepPicture(t, string(choice)+map[float32]string{1: "", 2: "-large"}[scale], img)
			}
		}
		if pictures[1].Bounds().Dx() != 2*pictures[0].Bounds().Dx() {
			t.Error("scale 2 is not twice as large")
		}
	})
}

// TestSmallWindow: the window fits 640 × 480, where the welcome gives way to the file; with text of every size.
func TestSmallWindow(t *testing.T) {
	windowtest.Run(t, func(t *testing.T, b *windowtest.Bench) {
		s := b.Sample()
		b.Idle()
		for _, c := range []struct {
			width   float32
			welcome bool
		}{{1200, true}, {880, false}, {640, false}, {1000, true}} {
			b.W.Shell.Win.Resize(fyne.NewSize(c.width, 600))
			if got := strings.Contains(windowtest.ShownTexts(b.W.Pages.Stack), "This is a sample file"); got != c.welcome {
				t.Errorf("at %v the welcome is there: %v, want %v", c.width, got, c.welcome)
			}
		}
		for _, text := range []float32{0.88, 1, 1.2} {
			b.SetLook(look.Settings{Text: text})
			b.Idle()
			if least := b.W.Shell.Win.Content().MinSize(); least.Width > 640 || least.Height > 480 {
				t.Errorf("with text %v times as large the window needs %v", text, least)
			}
		}
		b.SetLook(look.Settings{})
		const menuHigh = 30 // the menu bar, which is the driver's
		b.BytesItem("Second place").Action()
		s.Pane.Lists.Search.Set(searchpane.Query{Text: "no such words", Decode: true})
		s.Pane.Lists.Search.Begin()
		b.W.Place.Entry.OnSubmitted("nowhere/at all")
		for i := range document.ListMarks + 1 {
			s.Pane.Lists.Show(i)
			b.Idle()
			if least := b.W.Shell.Win.Content().MinSize(); least.Width > 640 || least.Height > 480-menuHigh {
				t.Errorf("with %s and two places of the bytes the window needs %v", s.Pane.Lists.Bar.Tabs[i].Title, least)
			}
		}
	})
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
