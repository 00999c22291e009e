package cli

import (
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"cutaway/internal/vrsgen"
)

// TestFolder exports the pictures of a stream into a folder, and those of some seconds.
func TestFolder(t *testing.T) {
	f := &vrsgen.File{Index: vrsgen.AtEnd, Streams: []vrsgen.Stream{{Type: 200, Instance: 1,
		VRS: []vrsgen.Tag{{Name: "RF:Data:1", Value: "image/raw/2x1/pixel=grey16"}}}}}
	for i := range 12 {
		f.Records = append(f.Records, vrsgen.Record{Kind: vrsgen.Data, Version: 1, Time: 100 + float64(i)/2, Payload: []byte{byte(i), 1, 2, 3}})
	}
	b, _ := f.Bytes()
	dir := t.TempDir()
	file := filepath.Join(dir, "film.vrs")
	if err := os.WriteFile(file, b, 0o600); err != nil {
		t.Fatal(err)
	}
	out := filepath.Join(dir, "frames") + "/"
	for _, k := range []struct {
		flags string
		files int
	}{{"", 12}, {"--from 101", 10}, {"--from +1 --to +2", 3}, {"--to=-1", 10}, {"--from 105.4 --to 1000", 1}} {
		_ = os.RemoveAll(out)
		r := execute(t.Context(), decoderLibrary{}, append([]string{"export", file, "streams/200-1/data", "--as", "png", "-o", out}, strings.Fields(k.flags)...)...)
		entries, _ := os.ReadDir(out)
		if r.status != 0 || len(entries) != k.files {
			t.Errorf("%q: status %d, %d files, want %d: %s", k.flags, r.status, len(entries), k.files, r.err)
		}
	}
	in, err := os.Open(filepath.Join(out, "200-1-11-105.500000.png"))
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	if img, err := png.Decode(in); err != nil || img.Bounds().Dx() != 2 {
		t.Error(err)
	}
	for args, want := range map[string]string{
		"--as png":                           "these are 12 files: give a folder for them",
		"--as png --from x -o " + out:        `"x" is no time`,
		"--as png --from 3000 -o " + out:     "nothing lies within these times",
		"--as png --from 3 --to 2 -o " + out: "is after the last",
		"--as png -o " + dir + "/frame.png":  "these are 12 files: give a folder for them",
		"--as json --from 101":               "not what json writes here",
		"--as jpg -o " + dir + "/none/":      "has no picture that is stored as JPEG",
		"--as wav -o " + out:                 "has no sound",
	} {
		r := execute(t.Context(), decoderLibrary{}, append([]string{"export", file, "streams/200-1/data"}, strings.Fields(args)...)...)
		if r.status != StatusFailed || !strings.Contains(r.err, want) {
			t.Errorf("%s: status %d, %q, want %q", args, r.status, r.err, want)
		}
	}
	if _, err := os.Stat(dir + "/none"); err == nil {
		t.Error("an export that is refused leaves a folder")
	}
	film := &vrsgen.File{Index: vrsgen.AtEnd, Streams: []vrsgen.Stream{{Type: 200, Instance: 1, VRS: []vrsgen.Tag{{Name: "RF:Data:1", Value: "image/video/2x1/pixel=grey8/codec=H.265"}}}},
		Records: []vrsgen.Record{{Kind: vrsgen.Data, Version: 1, Time: 7, Payload: []byte("\x00\x00\x01\x40\x01 a frame")}}}
	b, _ = film.Bytes()
	video := filepath.Join(dir, "video.vrs")
	if err := os.WriteFile(video, b, 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir)
	for args, want := range map[string]string{"--as png -o " + dir + "/none/": "ffmpeg, which decodes it, is not on the PATH", "--as h265 -o " + dir + "/video/": ""} {
		r := execute(t.Context(), decoderLibrary{}, append([]string{"export", video, "streams/200-1/data"}, strings.Fields(args)...)...)
		if (r.status == 0) != (want == "") || !strings.Contains(r.err, want) {
			t.Errorf("%s: status %d, %q, want %q", args, r.status, r.err, want)
		}
	}
	if _, err := os.Stat(dir + "/none"); err == nil {
		t.Error("an export that fails leaves a folder")
	}
	if b, err := os.ReadFile(dir + "/video/data.h265"); err != nil || string(b) != "\x00\x00\x01\x40\x01 a frame" {
		t.Errorf("as stored: %q, %v", b, err)
	}
	one := filepath.Join(dir, "frame.png")
	r := execute(t.Context(), decoderLibrary{}, "export", file, "streams/200-1/data", "--as", "png", "--from", "+1", "--to", "+1.2", "-o", one)
	if info, err := os.Stat(one); r.status != 0 || err != nil || info.IsDir() {
		t.Errorf("one picture: status %d, %v: %s", r.status, err, r.err)
	}
}
