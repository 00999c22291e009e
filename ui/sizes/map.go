package sizes

import (
	"image"
	"image/color"
	"image/draw"
	"sync"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"cutaway/model/size"
	"cutaway/ui/kit"
)

// Map is a treemap: nodes as rectangles, each as large as its share of the file.
type Map struct {
	widget.BaseWidget
	whole   *size.Node // the file
	root    *size.Node // shown, or nil for the whole
	marked  *size.Node
	onTap   func(n *size.Node)
	onHover func(n *size.Node) // is called with nil when the pointer has left
	words   func(n *size.Node) string
	under   *size.Node // the pointer, or nil
	tip     kit.Tip
	onZoom  func()

	selected func() string // returns the path of the selected node, or ""
	focused  bool

	raster *canvas.Raster
	mu     sync.Mutex // the raster is painted elsewhere
	boxes  []size.Box // in Fyne's units
}

func newMap() *Map {
	m := &Map{}
	m.raster = canvas.NewRaster(m.paint)
	m.ExtendBaseWidget(m)
	return m
}

// Set shows a file, or another one.
func (m *Map) Set(whole *size.Node) {
	m.whole, m.root, m.marked, m.under = whole, nil, nil, nil
	m.Refresh()
}

// Grow shows more of a file that is being measured. The zoom and the marked box stay.
func (m *Map) Grow(whole *size.Node) {
	same := func(n *size.Node) *size.Node {
		if n == nil || n == m.whole {
			return nil
		}
		for _, c := range whole.Children { // the file has the path of its view's root
			if found := c.Find(n.Path); found != nil {
				return found
			}
		}
		return nil
	}
	m.root, m.marked, m.under = same(m.root), same(m.marked), nil
	m.whole = whole
	m.Refresh()
}

// Root returns the node that fills the map.
func (m *Map) Root() *size.Node {
	if m.root != nil {
		return m.root
	}
	return m.whole
}

// Zoomed reports whether only a part of the file is shown.
func (m *Map) Zoomed() bool { return m.root != nil && m.root != m.whole }

// Zoom fills the map with a node, or with the whole file if n is nil.
func (m *Map) Zoom(n *size.Node) {
	m.tip.Hide()
	m.root, m.under = n, nil
	m.Refresh()
	m.onZoom()
}

// Mark puts a frame around a node.
func (m *Map) Mark(n *size.Node) {
	m.marked = n
	m.Refresh()
}

// The measures of a map in Fyne's units.
const (
	leastBox  = 3
	leastName = 34 // the least width of a box with its name
	maxNames  = 400
)

// nameHeight returns the height of a name in a box.
func nameHeight() float32 { return kit.CaptionSize("Mg", fyne.TextStyle{}).Height }

// arrange computes the boxes for the present size.
func (m *Map) arrange() []size.Box {
	root := m.Root()
	var boxes []size.Box
	if s := m.Size(); root != nil && s.Width > 0 && s.Height > 0 {
		boxes = size.Boxes(root, float64(s.Width), float64(s.Height), float64(nameHeight()+2), leastBox)
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.boxes = boxes
	return boxes
}

// boxAt returns the deepest box at a place.
func (m *Map) boxAt(at fyne.Position) *size.Box {
	x, y := float64(at.X), float64(at.Y)
	m.mu.Lock()
	defer m.mu.Unlock()
	for i := len(m.boxes) - 1; i >= 0; i-- {
		if b := &m.boxes[i]; x >= b.X && x < b.X+b.W && y >= b.Y && y < b.Y+b.H {
			return b
		}
	}
	return nil
}

// Tapped marks the box there and selects its node.
func (m *Map) Tapped(e *fyne.PointEvent) {
	m.tip.Hide()
	if b := m.boxAt(e.Position); b != nil && b.Node != m.whole && b.Node.Path != "" {
		m.Mark(b.Node)
		m.onTap(b.Node)
	}
}

// DoubleTapped zooms to the box there, or out again if that has nothing inside.
func (m *Map) DoubleTapped(e *fyne.PointEvent) {
	b := m.boxAt(e.Position)
	if b == nil {
		return
	}
	if n := b.Node; len(n.Children) > 0 && n != m.Root() {
		m.Zoom(n)
		return
	}
	m.mu.Lock()
	var outer *size.Node
	for i := range m.boxes {
		if o := &m.boxes[i]; o.Depth == b.Depth-1 && o.X <= b.X && o.Y <= b.Y && o.X+o.W >= b.X && o.Y+o.H >= b.Y {
			outer = o.Node
		}
	}
	m.mu.Unlock()
	switch {
	case outer != nil && outer != m.Root():
		m.Zoom(outer)
	case m.Zoomed():
		m.Zoom(nil)
	}
}

// MouseIn does what MouseMoved does.
func (m *Map) MouseIn(e *desktop.MouseEvent) { m.MouseMoved(e) }

// MouseMoved describes the box under the pointer.
func (m *Map) MouseMoved(e *desktop.MouseEvent) {
	if b := m.boxAt(e.Position); b != nil && b.Node != m.under {
		m.under = b.Node
		m.onHover(b.Node)
		m.tip.WaitBelow(m, m.words(b.Node), e.Position)
	}
}

// MouseOut describes the whole map.
func (m *Map) MouseOut() {
	m.under = nil
	m.tip.Hide()
	m.onHover(nil)
}

// hues are the grounds of boxes by type, light and dark, below texts of the theme.
var hues = map[bool][]color.NRGBA{
	false: {{0xc6, 0xdb, 0xf4, 255}, {0xcf, 0xe8, 0xd2, 255}, {0xf6, 0xe0, 0xc0, 255}, {0xe6, 0xd5, 0xf0, 255}, {0xc9, 0xe8, 0xe8, 255},
		{0xf5, 0xd3, 0xd3, 255}, {0xe8, 0xe6, 0xc0, 255}, {0xd8, 0xdd, 0xe6, 255}},
	true: {{0x2b, 0x46, 0x68, 255}, {0x2c, 0x4f, 0x38, 255}, {0x5c, 0x47, 0x28, 255}, {0x4a, 0x38, 0x5e, 255}, {0x26, 0x4e, 0x52, 255},
		{0x5e, 0x36, 0x38, 255}, {0x50, 0x4e, 0x2a, 255}, {0x40, 0x46, 0x52, 255}},
}

// ground returns the colour of a node's box.
func ground(n *size.Node, dark bool) color.NRGBA {
	if n.IsFree() {
		if dark {
			return color.NRGBA{0x33, 0x36, 0x3c, 255}
		}
		return color.NRGBA{0xe6, 0xe7, 0xea, 255}
	}
	return hues[dark][n.Hue(len(hues[dark]))]
}

// paint draws the boxes, in pixels, those around others first.
func (m *Map) paint(w, h int) image.Image {
	img := image.NewRGBA(image.Rect(0, 0, w, h))
	m.mu.Lock()
	defer m.mu.Unlock()
	width := m.Size().Width
	if width <= 0 || len(m.boxes) == 0 {
		return img
	}
	scale := float64(w) / float64(width)
	line, dark := kit.Paint(theme.ColorNameBackground), kit.IsDark()
	var marked image.Rectangle
	for i := range m.boxes {
		b := &m.boxes[i]
		at := image.Rect(int(b.X*scale), int(b.Y*scale), int((b.X+b.W)*scale), int((b.Y+b.H)*scale))
		draw.Draw(img, at, image.NewUniform(line), image.Point{}, draw.Src)
		draw.Draw(img, at.Inset(max(1, int(scale/2))), image.NewUniform(ground(b.Node, dark)), image.Point{}, draw.Src)
		if b.Node == m.marked {
			marked = at
		}
	}
	kit.Pen{Img: img, Width: max(2, int(2*scale))}.Frame(marked, kit.Paint(theme.ColorNamePrimary))
	if m.focused {
		kit.Pen{Img: img, Width: max(1, int(scale))}.Frame(img.Rect, kit.Paint(theme.ColorNamePrimary))
	}
	return img
}

// CreateRenderer makes the objects of the widget.
func (m *Map) CreateRenderer() fyne.WidgetRenderer {
	return kit.NewDrawing(m, m.raster, fyne.NewSize(160, 60), m.place)
}

// place puts the raster, and names where they fit.
func (m *Map) place(s fyne.Size) (names []fyne.CanvasObject) {
	kit.PutRaster(m, m.raster, 0, 0, s.Width, s.Height)
	height := nameHeight()
	for _, b := range m.arrange() {
		if b.Depth == 0 && len(b.Node.Children) > 0 || b.W < leastName || float32(b.H) < height+2 || len(names) == maxNames {
			continue
		}
		if text := kit.Fitting(b.Node.Name, float32(b.W)-8); text != "" {
			names = append(names, kit.Caption(text, fyne.TextStyle{}, theme.ColorNameForeground, float32(b.X)+4, float32(b.Y)+1, float32(b.W)-8))
		}
	}
	return names
}
