package vrs

import (
	"bytes"
	"encoding/binary"
	"image"
	"image/jpeg"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"cutaway/decoders/decodertest"
	"cutaway/model"
	"cutaway/model/export"
)

// TestLostPictures: pictures of a stream that cannot be decoded are lost, and the others written; of a stream of such
// alone the export fails.
func TestLostPictures(t *testing.T) {
	var good bytes.Buffer
	if err := jpeg.Encode(&good, image.NewGray(image.Rect(0, 0, 2, 2)), nil); err != nil {
		t.Fatal(err)
	}
	bad := []byte("\xff\xd8 no picture")
	for _, k := range []struct {
		frames [][]byte
		files  int
		lost   int64
	}{{[][]byte{good.Bytes(), bad, good.Bytes()}, 2, 1}, {[][]byte{bad, bad}, 0, 2}} {
		doc := decodertest.Open(t, Format, "film.vrs", filmed("image/jpg", k.frames, nil))
		dir := filepath.Join(t.TempDir(), "out")
		r := &export.Request{Doc: doc, Places: []*model.Place{node(t, doc, "streams/200-1/data")}, Omitted: &model.Omissions{}}
		_, err := export.To(t.Context(), dir+"/", "", export.Common.ByName("png"), r, func(w io.Writer) io.Writer { return w })
		if (err != nil) != (k.files == 0) {
			t.Error(err)
		}
		files, _ := os.ReadDir(dir)
		lost, n := r.Omitted.Lost()
		if len(files) != k.files || n != k.lost || !strings.Contains(lost[0].Reason, "record [") || lost[0].Path != "streams/200-1/data" {
			t.Errorf("%d files, lost %v", len(files), lost)
		}
	}
}

// TestReducedExports: what pictures and sound lack is told by their exports, of a record and of a stream.
func TestReducedExports(t *testing.T) {
	frame := make([]byte, 4*4)
	for i := range 4 {
		frame[4*i+3] = byte(0x3f + i)
	}
	film := decodertest.Open(t, Format, "depth.vrs", filmed("image/raw/2x2/pixel=depth32f", [][]byte{frame, frame}, nil))
	samples := make([]byte, 2*8)
	for i := range 2 {
		copy(samples[8*i:], binary.LittleEndian.AppendUint64(nil, math.Float64bits(0.1)))
	}
	sound := decodertest.Open(t, Format, "sound.vrs", filmed("audio/pcm/float64le/channels=1/rate=48000/samples=2", [][]byte{samples, samples}, nil))
	for _, k := range []struct {
		doc        *model.Document
		form, path string
		times      int64
		want       string
	}{
		{film, "png", "streams/200-1/data/[0]/image", 1, "levels of 16 bits"}, {film, "png", "streams/200-1/data", 2, "levels of 16 bits"},
		{sound, "wav", "streams/200-1/data/[0]/audio", 1, "rounded to floats"}, {sound, "wav", "streams/200-1/data", 1, "rounded to floats"},
	} {
		r := &export.Request{Doc: k.doc, Places: []*model.Place{node(t, k.doc, k.path)}, Omitted: &model.Omissions{}}
		out := filepath.Join(t.TempDir(), "out") + "/"
		if k.form == "wav" {
			out += "sound.wav"
			_ = os.MkdirAll(filepath.Dir(out), 0o700)
		}
		if _, err := export.To(t.Context(), out, "", export.Common.ByName(k.form), r, func(w io.Writer) io.Writer { return w }); err != nil {
			t.Errorf("%s of %s: %v", k.form, k.path, err)
			continue
		}
		list, n := r.Omitted.Reduced()
		if _, lost := r.Omitted.Lost(); lost != 0 || n != k.times || !strings.Contains(list[0].Reason, k.want) {
			t.Errorf("%s of %s: lost %d, reduced %v", k.form, k.path, lost, list)
		}
	}
}
