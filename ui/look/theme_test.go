package look

import (
	"image/color"
	"math"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/theme"
)

// brightness is the relative luminance of WCAG 2.2.
func brightness(c color.Color) float64 {
	n := color.NRGBAModel.Convert(c).(color.NRGBA)
	line := func(v uint8) float64 {
		if x := float64(v) / 255; x > 0.04045 {
			return math.Pow((x+0.055)/1.055, 2.4)
		}
		return float64(v) / 255 / 12.92
	}
	return 0.2126*line(n.R) + 0.7152*line(n.G) + 0.0722*line(n.B)
}

func contrast(a, b color.Color) float64 {
	x, y := brightness(a), brightness(b)
	return (max(x, y) + 0.05) / (min(x, y) + 0.05)
}

// over is what is seen of a ground below a colour that lets some of it through.
func over(c, ground color.Color) color.Color {
	a, b := color.NRGBAModel.Convert(c).(color.NRGBA), color.NRGBAModel.Convert(ground).(color.NRGBA)
	mix := func(x, y uint8) uint8 { return uint8((int(x)*int(a.A) + int(y)*(255-int(a.A)) + 127) / 255) }
	return color.NRGBA{mix(a.R, b.R), mix(a.G, b.G), mix(a.B, b.B), 0xff}
}

// TestContrast: every colour of text is read on every ground that text has, also under the pointer; the themes of
// high contrast more so.
func TestContrast(t *testing.T) {
	grounds := []fyne.ThemeColorName{theme.ColorNameBackground, theme.ColorNameHeaderBackground, theme.ColorNameMenuBackground,
		theme.ColorNameOverlayBackground, theme.ColorNameInputBackground, theme.ColorNameSelection, theme.ColorNamePressed, theme.ColorNameButton,
		theme.ColorNameDisabledButton}
	inks := []fyne.ThemeColorName{theme.ColorNameForeground, theme.ColorNamePlaceHolder, theme.ColorNameDisabled, theme.ColorNameHyperlink, theme.ColorNamePrimary,
		theme.ColorNameError, theme.ColorNameWarning, theme.ColorNameSuccess}
	on := map[fyne.ThemeColorName]fyne.ThemeColorName{theme.ColorNameForegroundOnPrimary: theme.ColorNamePrimary,
		theme.ColorNameForegroundOnError: theme.ColorNameError, theme.ColorNameForegroundOnWarning: theme.ColorNameWarning,
		theme.ColorNameForegroundOnSuccess: theme.ColorNameSuccess}
	for _, c := range []struct {
		choice Choice
		want   float64
	}{{Light, 4.5}, {Dark, 4.5}, {StrongLight, 7}, {StrongDark, 7}} {
		look := New(c.choice)
		paint := func(n fyne.ThemeColorName) color.Color { return look.Color(n, theme.VariantLight) }
		for _, ground := range grounds {
			for _, ink := range inks {
				for what, g := range map[string]color.Color{"": paint(ground), " under the pointer": over(paint(theme.ColorNameHover), paint(ground))} {
					if got := contrast(paint(ink), g); got < c.want {
						t.Errorf("%s: %s on %s%s has a contrast of %.2f, want %v", c.choice, ink, ground, what, got, c.want)
					}
				}
			}
		}
		for _, ground := range []fyne.ThemeColorName{theme.ColorNameBackground, theme.ColorNameOverlayBackground, theme.ColorNameInputBackground} {
			if got := contrast(paint(theme.ColorNameInputBorder), paint(ground)); got < 3 { // 3 is WCAG's for what is no text
				t.Errorf("%s: the edge of fields and boxes on %s has a contrast of %.2f, want 3", c.choice, ground, got)
			}
		}
		for _, kind := range []fyne.ThemeColorName{Group, Shape, Value, Link, Code, Detail} {
			for _, ground := range []fyne.ThemeColorName{theme.ColorNameBackground, theme.ColorNameSelection} {
				if got := contrast(paint(kind), paint(ground)); got < 3 {
					t.Errorf("%s: the icon of a %s on %s has a contrast of %.2f, want 3", c.choice, kind, ground, got)
				}
			}
		}
		for _, axis := range []fyne.ThemeColorName{X, Y, Z} {
			if got := contrast(paint(axis), paint(theme.ColorNameBackground)); got < c.want {
				t.Errorf("%s: the name of %s has a contrast of %.2f, want %v", c.choice, axis, got, c.want)
			}
		}
		for what, ground := range map[fyne.ThemeColorName]fyne.ThemeColorName{theme.ColorNameButton: theme.ColorNameOverlayBackground,
			theme.ColorNameSelection: theme.ColorNameBackground} {
			if got := contrast(paint(what), paint(ground)); got < 1.15 { // their texts tell them, too
				t.Errorf("%s: %s on %s has a contrast of %.2f, want 1.15", c.choice, what, ground, got)
			}
		}
		for ink, ground := range on {
			if got := contrast(paint(ink), paint(ground)); got < c.want {
				t.Errorf("%s: %s has a contrast of %.2f, want %v", c.choice, ink, got, c.want)
			}
		}
		swatches := map[string]color.Color{}
		for _, name := range []string{"yellow", "red", "green", "blue", "purple", "grey"} {
			swatches[name] = MarkColor(name)
		}
		for _, change := range []string{"added", "removed", "moved", "changed"} {
			swatches[change] = ChangeColor(change)
		}
		delete(swatches, "yellow") // what is yellow cannot be dark: its edge is seen
		for name, swatch := range swatches {
			if got := contrast(swatch, paint(theme.ColorNameBackground)); got < 3 {
				t.Errorf("%s: %s has a contrast of %.2f, want 3", c.choice, name, got)
			}
		}
	}
}

// TestYellow: the mark that is named yellow is: as much red as makes no green, next to no blue, and bright.
func TestYellow(t *testing.T) {
	r, g, b, _ := MarkColor("yellow").RGBA()
	if r < 0xe000 || g < r*3/4 || g > r || b > r/4 {
		t.Errorf("yellow is %04x %04x %04x", r, g, b)
	}
}

// TestSizes: text and room are scaled, each by itself.
func TestSizes(t *testing.T) {
	usual, other := Of(Settings{}), Of(Settings{Text: 1.5, Room: 0.5})
	for name, want := range map[fyne.ThemeSizeName]float32{theme.SizeNameText: 1.5, theme.SizeNamePadding: 0.5, theme.SizeNameScrollBar: 1} {
		if got := other.Size(name) / usual.Size(name); got != want {
			t.Errorf("%s is %v times the usual, want %v", name, got, want)
		}
	}
}
