package look

import (
	_ "unsafe" // for go:linkname

	"fyne.io/fyne/v2"
	"github.com/go-text/typesetting/shaping"
)

// fonts is what Fyne shapes text with. It is nil where nothing of Fyne that draws is linked.
//
//go:linkname fonts fyne.io/fyne/v2/internal/painter.shaper
var fonts *shaping.HarfbuzzShaper

// ForgetFonts makes Fyne forget the fonts of looks that have gone. At each change of the look it reads all of them anew, some
// 4 MB each, and its shaper would keep the last 32, 130 MB, for as long as the program runs.
func ForgetFonts(s fyne.Settings) {
	s.AddListener(func(fyne.Settings) {
		if fonts != nil {
			*fonts = shaping.HarfbuzzShaper{}
		}
	})
}
