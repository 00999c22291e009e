package vrs

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"image"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"cutaway/decoders/decodertest"
	"cutaway/decoders/vrs/media"
	"cutaway/internal/vrsgen"
	"cutaway/model"
	"cutaway/source"
)

// filmed is a recording of a stream whose records have one block of a format each; frame i is given with its layout.
func filmed(format string, frames [][]byte, layout func(i int) *vrsgen.Layout) *model.BytesReader {
	tags := []vrsgen.Tag{{Name: "RF:Data:1", Value: format}}
	if layout != nil {
		tags = append(tags, vrsgen.Tag{Name: "DL:Data:1:0", Value: layout(0).JSON()})
	}
	f := &vrsgen.File{Index: vrsgen.AtEnd, Streams: []vrsgen.Stream{{Type: 200, Instance: 1, VRS: tags}}}
	for i, b := range frames {
		payload := slices.Clone(b)
		if layout != nil {
			payload = append(layout(i).Block(), b...)
		}
		f.Records = append(f.Records, vrsgen.Record{Kind: vrsgen.Data, Version: 1, Time: float64(i) / 10, Payload: payload})
	}
	b, _ := f.Bytes()
	r := model.BytesReader(b)
	return &r
}

// mediaOfData is the media of the data records.
func mediaOfData(t *testing.T, doc *model.Document) model.Media {
	t.Helper()
	const path = "streams/200-1/data"
	cards := node(t, doc, path).Node.Cards(t.Context())
	i := slices.IndexFunc(cards, func(c model.Card) bool { _, ok := c.(model.Media); return ok })
	if i < 0 {
		t.Fatalf("%s has no media", path)
	}
	return cards[i].(model.Media)
}

// cat is looked up before a test changes the PATH.
var cat, errNoCat = exec.LookPath("cat")

// onPath makes a folder with a program called ffmpeg the only one of the PATH.
func onPath(t *testing.T, script string) {
	t.Helper()
	dir := t.TempDir()
	if script != "" {
		if errNoCat != nil {
			t.Skip(errNoCat)
		}
		if err := os.WriteFile(filepath.Join(dir, "ffmpeg"), []byte("#!/bin/sh\n"+strings.ReplaceAll(script, "cat", cat)+"\n"), 0o700); err != nil { //nolint:gosec // it is run
			t.Fatal(err)
		}
	}
	t.Setenv("PATH", dir)
}

// TestVideo decodes frames of video through ffmpeg, from the key frame before on. The program of the test gives back what it
// gets, which are pictures already: of one pixel each, whose red is the frame's number.
func TestVideo(t *testing.T) {
	var frames [][]byte
	for i := range 25 {
		frames = append(frames, fmt.Appendf(nil, "P6\n1 1\n255\n%c\x00\x00", byte(i)))
	}
	doc := decodertest.Open(t, Format, "film.vrs", filmed("data_layout+image/video/codec=H.265", frames, func(i int) *vrsgen.Layout {
		l := &vrsgen.Layout{}
		l.Fixed("image_key_frame_timestamp", "DataPieceValue<double>", "", make([]byte, 8))
		l.U32("image_key_frame_index", uint32(i%10))
		return l
	}))
	m := mediaOfData(t, doc)
	if m.Items() != 25 || m.Coding() != "H.265" || m.Time(3) != 0.3 {
		t.Errorf("%d items of %s, the fourth at %v", m.Items(), m.Coding(), m.Time(3))
	}
	frame := node(t, doc, "streams/200-1/data/[17]/image").Node.Cards(t.Context())[0].(model.Picture)
	onPath(t, "")
	if _, err := frame.Decode(t.Context()); err == nil || !strings.Contains(err.Error(), source.ErrNoFFmpeg.Error()) {
		t.Errorf("without ffmpeg: %v", err)
	}
	var b bytes.Buffer
	if err := m.Stream(t.Context(), &b, 17, 19, nil); err != nil || !bytes.Equal(b.Bytes(), bytes.Join(frames[10:19], nil)) {
		t.Errorf("as stored, from the key frame on: %d bytes, %v", b.Len(), err)
	}
	onPath(t, "exec cat")
	img, err := frame.Decode(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if red, _, _, _ := img.At(0, 0).RGBA(); red>>8 != 17 {
		t.Errorf("frame 17 is frame %d", red>>8)
	}
	var got []int64
	err = m.Pictures(t.Context(), 8, 21, func(i int64, img image.Image, _ error) error {
		if red, _, _, _ := img.At(0, 0).RGBA(); int64(red>>8) != i {
			t.Errorf("frame %d is frame %d", i, red>>8)
		}
		got = append(got, i)
		return nil
	})
	if err != nil || len(got) != 13 || got[0] != 8 {
		t.Errorf("%v, %v", got, err)
	}
	onPath(t, "echo no such codec >&2; exit 1")
	if _, err := frame.Decode(t.Context()); err == nil || !strings.Contains(err.Error(), "no such codec") {
		t.Errorf("what ffmpeg says: %v", err)
	}
}

// TestKeyFrames recognises with which frames a decoder can begin.
func TestKeyFrames(t *testing.T) {
	for _, k := range []struct {
		coding string
		bytes  string
		want   bool
	}{
		{"H.264", "\x00\x00\x00\x01\x09\x10\x00\x00\x00\x01\x67\x64", true}, {"H.264", "\x00\x00\x01\x65\x88", true},
		{"H.264", "\x00\x00\x00\x01\x09\x30\x00\x00\x01\x41\x9a", false}, {"H.265", "\x00\x00\x01\x40\x01", true},
		{"H.265", "\x00\x00\x00\x01\x26\x01", true}, {"H.265", "\x00\x00\x01\x02\x01", false}, {"H.265", "", false},
	} {
		if got := beginsVideo(k.coding, []byte(k.bytes)); got != k.want {
			t.Errorf("%s % x: %v", k.coding, k.bytes, got)
		}
	}
}

// TestOpus writes packets as an Ogg file, whose pages have their checksums and frames.
func TestOpus(t *testing.T) {
	packets := [][]byte{{0xfc, 1, 2, 3}, append([]byte{0xfc}, make([]byte, 600)...), {0x78, 9}} // 20 ms, 20 ms, 20 ms of another mode
	doc := decodertest.Open(t, Format, "sound.vrs", filmed("audio/opus/int16le/channels=2/rate=48000", packets, nil))
	m := mediaOfData(t, doc)
	var b bytes.Buffer
	if err := m.Stream(t.Context(), &b, 0, 3, nil); err != nil {
		t.Fatal(err)
	}
	var bodies [][]byte
	var frames uint64
	for at := b.Bytes(); len(at) > 0; {
		segments := int(at[26])
		size := 27 + segments
		for _, n := range at[27 : 27+segments] {
			size += int(n)
		}
		page := slices.Clone(at[:size])
		want := binary.LittleEndian.Uint32(page[22:])
		clear(page[22:26])
		if string(page[:4]) != "OggS" || media.OggCRC(page) != want {
			t.Fatalf("page %d is broken", len(bodies))
		}
		bodies, frames = append(bodies, page[27+segments:]), binary.LittleEndian.Uint64(page[6:])
		at = at[size:]
	}
	if len(bodies) != 5 || !bytes.HasPrefix(bodies[0], []byte("OpusHead\x01\x02")) || !slices.EqualFunc(bodies[2:], packets, bytes.Equal) || frames != 3*960 {
		t.Errorf("%d pages, %d frames", len(bodies), frames)
	}
	onPath(t, "")
	if _, err := m.Sound(t.Context(), 0, 3, nil); err == nil || !strings.Contains(err.Error(), source.ErrNoFFmpeg.Error()) {
		t.Errorf("without ffmpeg: %v", err)
	}
	// The program of the test gives sample k of both channels the value k, and -k.
	const samples = 3 * 960
	decoded := filepath.Join(t.TempDir(), "decoded")
	var floats []byte
	for k := range samples {
		floats = binary.LittleEndian.AppendUint32(floats, math.Float32bits(float32(k)))
		floats = binary.LittleEndian.AppendUint32(floats, math.Float32bits(-float32(k)))
	}
	if err := os.WriteFile(decoded, floats, 0o600); err != nil {
		t.Fatal(err)
	}
	onPath(t, "cat >/dev/null; exec cat '"+decoded+"'")
	sound, err := m.Sound(t.Context(), 0, 3, nil)
	if err != nil || sound.Frames() != samples || sound.Channels() != 2 {
		t.Fatal(err, sound)
	}
	left, right := make([]float32, 1000), make([]float32, 1000)
	for at := 0; at < samples; {
		n, err := sound.Read(t.Context(), int64(at), [][]float32{left, right})
		if err != nil || n == 0 || left[0] != float32(at) || right[n-1] != -float32(at+n-1) {
			t.Fatalf("sample %d: %d samples from %v on, %v", at, n, left[0], err)
		}
		at += n
	}
}

// TestJoinedSound reads the audio of several records as one.
func TestJoinedSound(t *testing.T) {
	var blocks [][]byte
	want := []float32(nil)
	for i := range 7 {
		var b []byte
		for k := range i { // the first has none
			b = append(b, byte(10*i+k))
			want = append(want, (float32(10*i+k)-128)/128)
		}
		blocks = append(blocks, b)
	}
	doc := decodertest.Open(t, Format, "sound.vrs", filmed("audio/pcm/uint8/channels=1/rate=8000", blocks[1:], nil))
	s, err := mediaOfData(t, doc).Sound(t.Context(), 0, 6, nil)
	if err != nil || s.Frames() != int64(len(want)) || s.Rate() != 8000 {
		t.Fatal(err, s.Frames())
	}
	got := make([]float32, 0, len(want))
	for len(got) < len(want) {
		var window [4]float32
		n, err := s.Read(t.Context(), int64(len(got)), [][]float32{window[:]})
		if err != nil || n == 0 {
			t.Fatal(n, err)
		}
		got = append(got, window[:n]...)
	}
	if !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

// TestFFmpeg decodes what ffmpeg itself has made, where it is there.
func TestFFmpeg(t *testing.T) {
	if _, err := exec.LookPath("ffmpeg"); err != nil {
		t.Skip("there is no ffmpeg")
	}
	made := func(args ...string) []byte {
		out, err := source.FFmpeg(t.Context(), func(io.Writer) error { return nil }, args...)
		if err != nil {
			t.Fatal(err)
		}
		defer out.Close()
		b, err := io.ReadAll(out)
		if err != nil {
			t.Skip(err) // it was built without the encoder
		}
		return b
	}
	for codec, args := range map[string]string{"H.264": "-c:v libx264 -x264-params keyint=10:bframes=0:aud=1 -f h264", "H.265": "-c:v libx265 -x265-params keyint=10:bframes=0:aud=1:log-level=none -f hevc"} {
		film := made(strings.Fields("-f lavfi -i testsrc=size=64x48:rate=10:duration=3 -pix_fmt yuv420p " + args + " pipe:1")...)
		delimiter := map[string]string{"H.264": "\x00\x00\x00\x01\x09", "H.265": "\x00\x00\x00\x01\x46"}[codec]
		var frames [][]byte
		for _, f := range bytes.Split(film, []byte(delimiter))[1:] {
			frames = append(frames, append([]byte(delimiter), f...))
		}
		doc := decodertest.Open(t, Format, "film.vrs", filmed("image/video/64x48/pixel=yuv_i420_split/codec="+codec, frames, nil))
		whole := map[int64]image.Image{}
		m := mediaOfData(t, doc)
		if err := m.Pictures(t.Context(), 0, m.Items(), func(i int64, img image.Image, why error) error { whole[i] = img; return why }); err != nil || len(whole) != 30 {
			t.Fatalf("%s: %d frames, %v", codec, len(whole), err)
		}
		for _, i := range []int64{0, 9, 10, 25, 29} {
			img, err := node(t, doc, fmt.Sprintf("streams/200-1/data/[%d]/image", i)).Node.Cards(t.Context())[0].(model.Picture).Decode(t.Context())
			if err != nil || !bytes.Equal(img.(*image.NRGBA).Pix, whole[i].(*image.NRGBA).Pix) {
				t.Errorf("%s: frame %d alone is another picture, %v", codec, i, err)
			}
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	out, err := source.FFmpeg(ctx, func(io.Writer) error { return nil }, strings.Fields("-f lavfi -i testsrc -f image2pipe -c:v ppm pipe:1")...)
	if err != nil {
		t.Fatal(err)
	}
	cancel()
	if _, err := io.Copy(io.Discard, out); err == nil {
		t.Error("ffmpeg did not end with its context")
	}
	_ = out.Close()
}
