package kit

import (
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
)

// Ground is a plain area of one colour. The shader that Fyne has for rectangles asks each of their pixels about edges and shadows, which
// takes longer than a picture where software draws; this one only fills.
type Ground struct {
	// Object is the object for a renderer.
	Object fyne.CanvasObject
}

// NewGround makes a ground, without a colour so far.
func NewGround() Ground {
	if _, onScreen := fyne.CurrentApp().Driver().(desktop.Driver); !onScreen { // Fyne's test driver draws no shaders
		return Ground{&canvas.Rectangle{}}
	}
	return Ground{canvas.NewShader("cutaway-ground", []byte("#version 110\n"+fill), []byte("#version 100\nprecision highp float;\n"+fill))}
}

// fill leaves out the half of a pixel by which Fyne draws more than the bounds on each side.
const fill = `
uniform vec2 frame;
uniform vec4 bounds;
uniform float red, green, blue, alpha;

void main() {
	vec2 at = vec2(gl_FragCoord.x, frame.y - gl_FragCoord.y);
	vec2 inside = step(bounds.xy, at) * step(at, bounds.zw);
	gl_FragColor = vec4(red, green, blue, alpha * inside.x * inside.y);
}
`

// Paint gives the ground its colour.
func (g Ground) Paint(c color.Color) {
	switch o := g.Object.(type) {
	case *canvas.Rectangle:
		o.FillColor = c
	case *canvas.Shader:
		n := color.NRGBAModel.Convert(c).(color.NRGBA)
		o.Uniforms = map[string]float32{"red": float32(n.R) / 255, "green": float32(n.G) / 255, "blue": float32(n.B) / 255, "alpha": float32(n.A) / 255}
	}
	g.Object.Refresh()
}
