package cards

import (
	"context"
	"fmt"
	"image/color"
	"math"

	"cutaway/model"
	"cutaway/model/geometry"
	"cutaway/model/values"
)

// Shapes coloured by an array.

// ramp goes from the least number to the greatest: seen alike by all eyes, from dark to light.
var ramp = [...]color.NRGBA{
	{68, 1, 84, 255}, {71, 44, 122, 255}, {59, 81, 139, 255}, {44, 113, 142, 255}, {33, 144, 141, 255},
	{39, 173, 129, 255}, {92, 200, 99, 255}, {170, 220, 50, 255}, {253, 231, 37, 255},
}

// rampAt is a colour of the ramp, from 0 to 1; what is no number is grey.
func rampAt(at float64) color.NRGBA {
	if at != at {
		return color.NRGBA{128, 128, 128, 255}
	}
	at = min(max(at, 0), 1) * float64(len(ramp)-1)
	k := min(int(at), len(ramp)-2)
	part := at - float64(k)
	mix := func(a, b uint8) uint8 { return uint8(float64(a) + (float64(b)-float64(a))*part + 0.5) }
	a, b := ramp[k], ramp[k+1]
	return color.NRGBA{mix(a.R, b.R), mix(a.G, b.G), mix(a.B, b.B), 255}
}

// paintBy colours the points or parts by an array: three numbers of 0 to 1 are red, green and blue, so are those of −1 to 1, as
// of normals; others are drawn by their length, from the least to the greatest.
func (d *solid) paintBy(ctx context.Context, a model.NamedArray) (*paint, error) {
	p := &paint{ofParts: a.Array.Len() != d.Total}
	step := d.Step
	if p.ofParts {
		step = 1
	}
	var rows [][]float64
	buf := make([]model.Value, 1024)
	for at := int64(0); at < a.Array.Len(); {
		n, err := a.Array.Read(ctx, at, buf[:min(int64(len(buf)), a.Array.Len()-at)])
		for i := int64(0); i < int64(n); i++ {
			if (at+i)%step == 0 {
				rows = append(rows, numbersOf(buf[i]))
			}
		}
		if at += int64(n); n == 0 || err != nil || ctx.Err() != nil {
			return nil, fmt.Errorf("%s cannot be read from %s on", a.Name, model.Grouped(at))
		}
	}
	if low := lowest(rows); low <= 0 {
		p.text = fmt.Sprintf("coloured by %s: %g … 1 as red, green, blue", a.Name, low)
		for _, r := range rows {
			p.inks = append(p.inks, color.NRGBA{level(r[0], low), level(r[1], low), level(r[2], low), 255})
		}
		return p, nil
	}
	least, most := math.Inf(1), math.Inf(-1)
	for i, r := range rows {
		if rows[i] = []float64{length(r)}; rows[i][0]-rows[i][0] == 0 {
			least, most = min(least, rows[i][0]), max(most, rows[i][0])
		}
	}
	for _, r := range rows {
		p.inks = append(p.inks, rampAt((r[0]-least)/math.Max(most-least, math.SmallestNonzeroFloat64)))
	}
	p.text = fmt.Sprintf("coloured by %s: %s dark … %s light", a.Name, shortFloat(least), shortFloat(most))
	return p, nil
}

func numbersOf(v model.Value) (list []float64) {
	for _, part := range values.AppendComponents(nil, v) {
		list = append(list, geometry.NumberOf(part))
	}
	return list
}

// lowest is 0 where all are three or four numbers of 0 to 1, and −1 where they are three of −1 to 1; else 1.
func lowest(rows [][]float64) float64 {
	low := 0.0
	for _, r := range rows {
		if len(r) < 3 || len(r) > 4 {
			return 1
		}
		for _, v := range r {
			const nearly = 1e-4 // normals are rounded
			switch {
			case !(v >= -1-nearly && v <= 1+nearly), v < 0 && len(r) != 3:
				return 1
			case v < 0:
				low = -1
			}
		}
	}
	return low
}

// level is a number from low to 1 as one of 8 bits.
func level(v, low float64) uint8 {
	return uint8(min(max((v-low)/(1-low), 0), 1)*math.MaxUint8 + 0.5)
}

// length is a number, or the length of a vector.
func length(r []float64) float64 {
	if len(r) == 1 {
		return r[0]
	}
	sum := 0.0
	for _, v := range r {
		sum += v * v
	}
	return math.Sqrt(sum)
}

// ofPoint is the colour of a point.
func (d *solid) ofPoint(i int, ink color.NRGBA) color.NRGBA {
	if d.paint == nil || d.paint.ofParts || i >= len(d.paint.inks) {
		return ink
	}
	return d.paint.inks[i]
}

// ofPart is the colour of a part: its own, or the mean of some corners'.
func (d *solid) ofPart(k int, corners []int32, ink color.NRGBA) color.NRGBA {
	switch {
	case d.paint == nil:
		return ink
	case d.paint.ofParts && k < len(d.paint.inks):
		return d.paint.inks[k]
	case d.paint.ofParts:
		return ink
	}
	var r, g, b, n int
	for _, c := range corners {
		one := d.ofPoint(int(c), ink)
		r, g, b, n = r+int(one.R), g+int(one.G), b+int(one.B), n+1
	}
	return color.NRGBA{uint8(r / n), uint8(g / n), uint8(b / n), 255}
}
