//go:build !ci

package hexview

import (
	"os"
	"sync"

	"fyne.io/fyne/v2"
	"github.com/go-text/typesetting/font"
	"github.com/go-text/typesetting/fontscan"
	"golang.org/x/image/font/sfnt"
)

// systemFonts returns the fonts of the system. It may have to read all, which takes a while.
var systemFonts = sync.OnceValue(func() []fontscan.Footprint {
	cache, err := os.UserCacheDir()
	if err != nil {
		cache = os.TempDir()
	}
	fonts, err := fontscan.SystemFonts(quiet{}, cache)
	if err != nil {
		return nil // characters that the own font lacks stay dots
	}
	return fonts
})

// quiet discards the messages of fontscan about unreadable fonts.
type quiet struct{}

func (quiet) Printf(string, ...any) {}

// systemFaces provides the system's fonts as a fallback. It only reads the characters of a font that are drawn.
type systemFaces struct {
	view  *View
	asked bool
	fonts []fontscan.Footprint
	known bool
	faces map[fontscan.Location]*typeface
}

func newFallback(v *View) fallback {
	return &systemFaces{view: v, faces: make(map[fontscan.Location]*typeface)}
}

func (f *systemFaces) faceFor(r rune) (*typeface, bool) {
	if !f.asked {
		f.asked = true
		v := f.view
		go func() {
			fonts := systemFonts()
			v.do(func() {
				f.fonts, f.known = fonts, true
				v.redraw()
			})
		}()
	}
	var best *fontscan.Footprint
	for i := range f.fonts {
		p := &f.fonts[i]
		if p.Runes.Contains(r) && (best == nil || plainness(p) > plainness(best)) {
			best = p
		}
	}
	if best == nil {
		return nil, f.known
	}
	t, ok := f.faces[best.Location]
	if !ok {
		t = openFace(best.Location)
		f.faces[best.Location] = t
	}
	return t, true
}

// plainness ranks upright fonts of normal weight first.
func plainness(p *fontscan.Footprint) int {
	n := 0
	if p.Aspect.Style == font.StyleNormal {
		n += 2
	}
	if p.Aspect.Weight == font.WeightNormal {
		n++
	}
	return n
}

// openFace opens a font, which stays open. It returns nil if the font cannot be read.
func openFace(at fontscan.Location) *typeface {
	file, err := os.Open(at.File)
	if err != nil {
		return nil
	}
	t := &typeface{}
	fonts, err := sfnt.ParseCollectionReaderAt(file) // a single font counts as a collection of one
	if err == nil && int(at.Index) < fonts.NumFonts() {
		t.font, err = fonts.Font(int(at.Index))
	}
	if err != nil || t.font == nil || t.measure() != nil {
		if err := file.Close(); err != nil {
			fyne.LogError("close a font", err)
		}
		return nil
	}
	return t
}
