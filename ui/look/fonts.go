package look

import (
	"slices"
	"sync"
	_ "unsafe" // for go:linkname

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/theme"
	"github.com/go-text/typesetting/fontscan"
	"github.com/go-text/typesetting/shaping"
	"golang.org/x/text/language"
)

// shaper shapes text for Fyne. It is nil in a program that draws nothing.
//
//go:linkname shaper fyne.io/fyne/v2/internal/painter.shaper
var shaper *shaping.HarfbuzzShaper

// systemFonts holds the fonts of the system once systemFontsAsked, or nil.
//
//go:linkname systemFonts fyne.io/fyne/v2/internal/painter.fm
var systemFonts *fontscan.FontMap

//go:linkname systemFontsAsked fyne.io/fyne/v2/internal/painter.loaded
var systemFontsAsked bool

// systemFontsLock is held over both.
//
//go:linkname systemFontsLock fyne.io/fyne/v2/internal/painter.fontScanLock
var systemFontsLock sync.Mutex

// KeepFontsFew keeps what Fyne reads of fonts at each change of the look small, the first one included; all changes come on the
// UI goroutine. Fyne reads its own anew, some 4 MB each, and its shaper would keep the last 32, 130 MB, for as long as the program
// runs: it forgets those of looks that have gone. To each of its own Fyne adds one of the system's for the user's language,
// which takes longer than the rest of the first frame: not where its own have all letters of that language. What they
// lack is still looked for in the system's when it is to be drawn.
func KeepFontsFew(s fyne.Settings) {
	s.AddListener(func(fyne.Settings) {
		if shaper != nil {
			*shaper = shaping.HarfbuzzShaper{}
		}
		script, _ := language.Make(lang.SystemLocale().LanguageString()).Script()
		if !slices.Contains([]string{"Latn", "Grek", "Cyrl"}, script.String()) || !pretendAsked(true) {
			return
		}
		fyne.Do(func() { // once Fyne has measured anew what is shown
			for _, style := range []fyne.TextStyle{{}, {Bold: true}, {Monospace: true}} {
				fyne.MeasureText("x", theme.TextSize(), style)
			}
			pretendAsked(false)
		})
	})
}

// pretendAsked makes Fyne believe that the system was asked for its fonts and has none, or that it was not asked. It returns
// false if Fyne believes that already, or has fonts of the system, whose letters may be shown.
func pretendAsked(asked bool) bool {
	systemFontsLock.Lock()
	defer systemFontsLock.Unlock()
	if systemFonts != nil || systemFontsAsked == asked {
		return false
	}
	systemFontsAsked = asked
	return true
}
