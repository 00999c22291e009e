package packaging

import (
	"bytes"
	"image"
	"image/png"

	"github.com/fyne-io/oksvg"
	"github.com/srwiley/rasterx"
)

// IconSizes are the widths of the icon's pictures, in pixels.
var IconSizes = []int{16, 22, 24, 32, 48, 64, 128, 256, 512}

// Icon draws an SVG picture as a PNG, size pixels wide and high.
func Icon(svg []byte, size int) ([]byte, error) {
	icon, err := oksvg.ReadIconStream(bytes.NewReader(svg), oksvg.StrictErrorMode)
	if err != nil {
		return nil, err
	}
	icon.SetTarget(0, 0, float64(size), float64(size))
	m := image.NewRGBA(image.Rect(0, 0, size, size))
	icon.Draw(rasterx.NewDasher(size, size, rasterx.NewScannerGV(size, size, m, m.Bounds())), 1)
	var b bytes.Buffer
	err = png.Encode(&b, m)
	return b.Bytes(), err
}
