package hexview

import (
	"image"

	"fyne.io/fyne/v2"

	"cutaway/model"
)

// scene is all that a picture shows.
type scene struct {
	grid  *grid
	top   int64
	left  int
	first int64 // offset of data
	data  []byte
	state []cellState

	selected, parent, mapped, lit spanSet
	hover, picked                 Range
	cursor                        int64
	focused                       bool
	bands                         []Band
	flaws                         []Flaw
	segments                      []model.Segment
	barHover                      part

	marks       []Mark
	stripHeight int
}

type painter struct{ colors Colors }

func (p *painter) setFont(font, fallback fyne.Resource) {}
func (p *painter) setPalette(c Colors)                  { p.colors = c }
func (p *painter) measure(size float64) cellMetrics {
	return cellMetrics{char: 8, row: 18, baseline: 14}
}
func (p *painter) Paint(img *image.RGBA, s *scene)          {}
func themePalette(t fyne.Theme, v fyne.ThemeVariant) Colors { return Colors{} }

// Colors is what the view paints with at present.
func (v *View) Colors() Colors { return v.painter.colors }

func (g *grid) leastThumb() int         { return 24 }
func (g *grid) stripOffset(y int) int64 { return 0 }
