package look

import (
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
)

// TestSystemFonts: of a language whose letters Fyne's fonts have, the system is asked for none until one lacks a letter.
func TestSystemFonts(t *testing.T) {
	for locale, asks := range map[string]bool{"en_US.UTF-8": false, "C": false, "ru_RU.UTF-8": false, "ja_JP.UTF-8": true, "ar_EG": true} {
		for _, name := range []string{"LC_ALL", "LC_MESSAGES", "LANG"} {
			t.Setenv(name, locale)
		}
		a := test.NewTempApp(t) // which forgets the fonts
		systemFonts, systemFontsAsked = nil, false
		KeepFontsFew(a.Settings())
		for range 2 {
			a.Settings().SetTheme(New(Dark))
			for _, style := range []fyne.TextStyle{{}, {Bold: true}, {Monospace: true}} {
				fyne.MeasureText("text", 12, style)
			}
			if systemFontsAsked != asks {
				t.Errorf("%s: asked %t", locale, systemFontsAsked)
			}
		}
		if fyne.MeasureText("文", 12, fyne.TextStyle{}); systemFonts == nil {
			t.Errorf("%s: the system is not asked for a letter that is missing", locale)
		}
	}
}
