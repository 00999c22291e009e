package packaging

import (
	"bytes"
	"encoding/binary"
	"image"
	"image/png"
	"maps"
	"slices"

	"github.com/fyne-io/oksvg"
	"github.com/srwiley/rasterx"
)

// IconSizes are the widths of the icon's pictures, in pixels.
var IconSizes = []int{16, 22, 24, 32, 48, 64, 128, 256, 512}

// WindowsIconSizes are those of an icon of Windows, which has at most 256.
var WindowsIconSizes = []int{256, 64, 48, 32, 24, 16}

// ICO returns an icon file of Windows with PNG pictures by their width, the largest first.
func ICO(pictures map[int][]byte) []byte {
	head := []byte{0, 0, 1, 0, byte(len(pictures)), 0}
	var data []byte
	at := len(head) + 16*len(pictures)
	for _, size := range slices.Backward(slices.Sorted(maps.Keys(pictures))) {
		picture := pictures[size]
		// Width and height, no palette, one plane of 32 bits; 256 is written as 0.
		head = append(head, byte(size), byte(size), 0, 0, 1, 0, 32, 0)
		head = binary.LittleEndian.AppendUint32(head, uint32(len(picture)))
		head = binary.LittleEndian.AppendUint32(head, uint32(at+len(data)))
		data = append(data, picture...)
	}
	return append(head, data...)
}

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
