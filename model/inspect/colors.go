package inspect

import (
	"fmt"
	"image/color"
	"math"

	"cutaway/model"
)

// readRGBA reads the number 0xRRGGBBAA.
func readRGBA(b []byte, o order) (Value, int) {
	v := o.number(b[:4])
	return colorValue(color.NRGBA{R: uint8(v >> 24), G: uint8(v >> 16), B: uint8(v >> 8), A: uint8(v)}), 4
}

// readARGB reads the number 0xAARRGGBB.
func readARGB(b []byte, o order) (Value, int) {
	v := o.number(b[:4])
	return colorValue(color.NRGBA{R: uint8(v >> 16), G: uint8(v >> 8), B: uint8(v), A: uint8(v >> 24)}), 4
}

func colorValue(c color.NRGBA) Value {
	return Value{Text: fmt.Sprintf("#%02x%02x%02x   alpha %d", c.R, c.G, c.B, c.A), Color: c}
}

// leastLight is the least non-zero component of a plausible colour.
const leastLight = 1e-6

// readFloatRGB reads three floats as linear light, from 0 to 1.
func readFloatRGB(b []byte, o order) (Value, int) {
	var parts [3]float64
	for i := range parts {
		parts[i] = o.float(model.NumberF32, b[4*i:4*i+4])
		if f := parts[i]; !(f >= 0 && f <= 1) || f > 0 && f < leastLight {
			return Value{Why: "not between 0 and 1"}, 0
		}
	}
	text := ""
	for i, f := range parts {
		if i > 0 {
			text += "  "
		}
		text += model.FormatFloat(f, 32)
	}
	return Value{Text: text, Color: color.NRGBA{R: display(parts[0]), G: display(parts[1]), B: display(parts[2]), A: 0xff}}, 12
}

// display returns the sRGB component for linear light.
func display(light float64) uint8 {
	if light <= 0.0031308 {
		light *= 12.92
	} else {
		light = 1.055*math.Pow(light, 1/2.4) - 0.055
	}
	return uint8(math.Round(255 * light))
}
