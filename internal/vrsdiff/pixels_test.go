package vrsdiff

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"image"
	"image/color"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"cutaway/decoders/decodertest"
	"cutaway/decoders/vrs"
	"cutaway/internal/vrsgen"
	"cutaway/model"
)

// pixelCase is a pixel format, the bytes of a row of 8 pixels, and the rows of other planes for each two. Left out are Bayer
// mosaics and numbers, which we show in other ways: colours of the mosaic, levels of 16 bits of numbers.
type pixelCase struct {
	name   string
	row    int
	halves int  // half rows in the other planes, for two rows
	high   byte // most of the odd bytes, which are the high ones
}

var pixelCases = []pixelCase{
	{"grey8", 8, 0, 0xff}, {"rgb8", 24, 0, 0xff}, {"bgr8", 24, 0, 0xff}, {"rgba8", 32, 0, 0xff}, {"rgb_ir_4x4", 8, 0, 0xff},
	{"grey10", 16, 0, 0x03}, {"grey12", 16, 0, 0x0f}, {"grey16", 16, 0, 0xff}, {"grey10packed", 10, 0, 0xff},
	{"raw10", 10, 0, 0xff}, {"yuv_420_nv12", 8, 2, 0xff}, {"yuv_420_nv21", 8, 2, 0xff},
	{"yuy2", 16, 0, 0xff}, {"yuv_i420_split", 8, 2, 0xff},
}

// TestPixelsAgainstMeta compares the pixels of images of noise.
func TestPixelsAgainstMeta(t *testing.T) {
	interpreter := python(t)
	f := &vrsgen.File{Index: vrsgen.AtEnd}
	random := rand.New(rand.NewPCG(1, 2))
	cases := map[string]pixelCase{}
	for _, side := range [][2]int{{640, 480}, {16, 18}} {
		for _, k := range pixelCases {
			n := len(f.Streams)
			cases[fmt.Sprintf("100-%d", n+1)] = k
			payload := make([]byte, k.row*side[0]/8*side[1]+k.halves*side[0]/2*side[1]/2)
			for i := range payload {
				if payload[i] = byte(random.Uint32()); i%2 == 1 {
					payload[i] &= k.high
				}
			}
			f.Streams = append(f.Streams, vrsgen.Stream{Type: 100, Instance: uint16(n + 1),
				VRS: []vrsgen.Tag{{Name: "RF:Data:1", Value: fmt.Sprintf("image/raw/%dx%d/pixel=%s", side[0], side[1], k.name)}}})
			f.Records = append(f.Records, vrsgen.Record{Stream: n, Kind: vrsgen.Data, Version: 1, Time: float64(n), Payload: payload})
		}
	}
	b, _ := f.Bytes()
	file := filepath.Join(t.TempDir(), "pixels.vrs")
	if err := os.WriteFile(file, b, 0o600); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command(interpreter, "read_pixels.py", file).Output()
	if err != nil {
		t.Fatal(err)
	}
	doc := decodertest.OpenFile(t, vrs.Format, file)
	lines := bufio.NewScanner(bytes.NewReader(out))
	lines.Buffer(nil, 64<<20)
	compared := 0
	for lines.Scan() {
		var meta struct {
			Stream              string
			Width, Height, Size int
			Samples             string
		}
		if err := json.Unmarshal(lines.Bytes(), &meta); err != nil {
			t.Fatal(err)
		}
		samples, err := hex.DecodeString(meta.Samples)
		if err != nil {
			t.Fatal(err)
		}
		p, err := doc.Lookup(t.Context(), "streams/"+meta.Stream+"/data/[0]/image")
		if err != nil {
			t.Fatal(err)
		}
		img, err := p.Node.Cards(t.Context())[0].(model.Picture).Decode(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		k := cases[meta.Stream]
		if worst := farthest(img, samples, meta.Size); worst > 0 {
			t.Errorf("%s, %d × %d: a level is %d from Meta's", k.name, meta.Width, meta.Height, worst)
		}
		compared++
	}
	if compared != len(cases) {
		t.Errorf("%d images were compared, want %d", compared, len(cases))
	}
}

// farthest is how far a level of the image is from a sample at most.
func farthest(img image.Image, samples []byte, size int) (worst int) {
	at := func(i int) int {
		if size == 2 {
			return int(binary.LittleEndian.Uint16(samples[2*i:]))
		}
		return int(samples[i])
	}
	b := img.Bounds()
	channels := len(samples) / size / (b.Dx() * b.Dy())
	for y := range b.Dy() {
		for x := range b.Dx() {
			var levels [4]int
			switch c := img.At(x, y).(type) {
			case color.Gray:
				levels = [4]int{int(c.Y), int(c.Y), int(c.Y)}
			case color.Gray16:
				levels = [4]int{int(c.Y)}
			case color.NRGBA:
				levels = [4]int{int(c.R), int(c.G), int(c.B), int(c.A)}
			}
			for c := range channels {
				worst = max(worst, levels[c]-at((y*b.Dx()+x)*channels+c), at((y*b.Dx()+x)*channels+c)-levels[c])
			}
		}
	}
	return worst
}
