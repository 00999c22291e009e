package export

import (
	"bytes"
	"context"
	"encoding/binary"
	"image"
	"io"
	"math"
	"strings"
	"testing"

	"cutaway/model"
)

type words string

func (words) CardTitle() string { return "words" }
func (w words) WriteText(_ context.Context, out io.Writer, _ *model.Omissions) error {
	_, err := io.WriteString(out, string(w))
	return err
}

// program is a listing of so many lines.
type program int64

func (program) Labels() []model.Label       { return nil }
func (program) Uses(int64) []int64          { return nil }
func (program) LineAt(string) (int64, bool) { return 0, false }

func (program) CardTitle() string      { return "program" }
func (p program) Lines() (int64, bool) { return int64(p), true }
func (p program) Read(_ context.Context, first int64, dst []model.Line) (int, error) {
	n := int(min(int64(len(dst)), int64(p)-first))
	for i := range n {
		dst[i] = model.Line{Text: "NOP"}
	}
	return n, nil
}

// squares is a table of n and n², of so many rows, which gives at most 100 rows at a time.
type squares int64

func (squares) CardTitle() string { return "squares" }
func (squares) Columns() []model.Column {
	return []model.Column{{Name: "n", Type: "int"}, {Name: "n, squared", Type: "int"}}
}
func (s squares) Rows() (int64, bool) { return int64(s), true }
func (s squares) Read(_ context.Context, first int64, dst [][]model.Cell) (int, error) {
	n := int(min(int64(len(dst)), int64(s)-first, 100))
	for i := range n {
		k := first + int64(i)
		dst[i][0], dst[i][1] = model.Cell{Value: model.Int(k)}, model.Cell{Value: model.Int(k * k)}
	}
	return n, nil
}

// ramp is a series of so many points, whose number is not known exactly before the end.
type ramp int64

func (ramp) CardTitle() string     { return "ramp" }
func (ramp) Unit() string          { return "m/s" }
func (ramp) Points() (int64, bool) { return 1, false }
func (r ramp) Read(_ context.Context, first int64, dst []model.Point) (int, error) {
	n := int(max(0, min(int64(len(dst)), int64(r)-first)))
	for i := range n {
		dst[i] = model.Point{Time: float64(first) + float64(i), Value: 0.5}
	}
	return n, nil
}

// gray is a picture of 2 × 1 pixels.
type gray struct{ model.CardBase }

func (gray) Rule() string    { return "2 × 1, 8 bits of gray" }
func (gray) Reduced() string { return "" }
func (gray) Decode(context.Context) (image.Image, error) {
	img := image.NewGray(image.Rect(0, 0, 2, 1))
	img.Pix[1] = 200
	return img, nil
}

// tone is stereo sound of so many frames; the second channel is the first one's negative.
type tone int64

func (tone) CardTitle() string { return "tone" }
func (tone) Channels() int     { return 2 }
func (tone) Rate() float64     { return 48000 }
func (t tone) Frames() int64   { return int64(t) }
func (tone) Reduced() string   { return "" }
func (t tone) Read(_ context.Context, first int64, dst [][]float32) (int, error) {
	for i := range dst[0] {
		dst[0][i] = float32(first+int64(i)) / float32(t)
		dst[1][i] = -dst[0][i]
	}
	return len(dst[0]), nil
}

func TestCards(t *testing.T) {
	for _, test := range []struct {
		card  model.Card
		begin string
		size  int
	}{
		{squares(2), "n,\"n, squared\"\n0,0\n", 23},
		{ramp(2), "time,value", 29},
		{words("w"), "w\n", 2},
		{program(2), "NOP\n", 8},
		{gray{}, "\x89PNG", 0},
		{tone(Window + 1), "RIFF", 58 + 8*(Window+1)},
	} {
		var b bytes.Buffer
		if err := Card(ctx, &b, &Request{}, nil, test.card); err != nil {
			t.Errorf("%T: %v", test.card, err)
		}
		if !strings.HasPrefix(b.String(), test.begin) || test.size > 0 && b.Len() != test.size {
			t.Errorf("%T: %d bytes, %q", test.card, b.Len(), Elide(b.String(), 40))
		}
	}
}

func TestWave(t *testing.T) {
	var b bytes.Buffer
	if err := Card(ctx, &b, &Request{}, nil, tone(Window+1)); err != nil {
		t.Fatal(err)
	}
	file := b.Bytes()
	le := binary.LittleEndian
	if riff, data := le.Uint32(file[4:]), le.Uint32(file[54:]); int(riff) != len(file)-8 || int(data) != len(file)-58 {
		t.Errorf("RIFF of %d bytes, data of %d, file of %d", riff, data, len(file))
	}
	last := file[len(file)-8:]
	left, right := math.Float32frombits(le.Uint32(last)), math.Float32frombits(le.Uint32(last[4:]))
	if want := float32(Window) / float32(Window+1); left != want || right != -want {
		t.Errorf("the last frame is %g, %g, want ±%g", left, right, want)
	}
	if err := Card(ctx, &b, &Request{}, nil, tone(1<<40)); err == nil {
		t.Error("a sound larger than a WAV file was written")
	}
}

// The forms of cards take the first card of their kind, of one node.
func TestCardForms(t *testing.T) {
	v := model.View{Name: "v", Root: func(context.Context) model.Node {
		return model.Node{Name: "x", Cards: func(context.Context) []model.Card { return []model.Card{words("w"), gray{}, tone(3)} }}
	}}
	bare := model.View{Name: "v", Root: func(context.Context) model.Node { return model.Node{Name: "x"} }}
	for name, begin := range map[string]string{"png": "\x89PNG", "wav": "RIFF"} {
		f := Common.ByName(name)
		var b bytes.Buffer
		if _, err := f.Write(ctx, &b, &Request{Places: []*model.Place{v.Place(t.Context())}}); err != nil || !strings.HasPrefix(b.String(), begin) {
			t.Errorf("%s: %q, %v", name, b.String(), err)
		}
		for _, places := range [][]*model.Place{{bare.Place(t.Context())}, {v.Place(t.Context()), v.Place(t.Context())}} {
			if _, err := f.Write(ctx, &b, &Request{Places: places}); err == nil || err.Error() != f.Refuse(t.Context(), places) {
				t.Errorf("%s of %d nodes: %v, refused: %s", name, len(places), err, f.Refuse(t.Context(), places))
			}
		}
	}
}
