package decodertest

import (
	"context"
	"testing"

	"cutaway/model"
)

// cutHead is the length in bytes at which a truncated file with a magic must still be recognised.
const cutHead = 20

// Detects checks that the format recognises the files, whole and cut to cutHead bytes, by content and not by name. It
// checks that the format refuses an empty file, zeros and text, with a reason.
func Detects(t testing.TB, f *model.Format, files []File) {
	t.Helper()
	for _, file := range files {
		for _, size := range []int{len(file.Data), min(cutHead, len(file.Data))} {
			if d := Detect(t.Context(), f, "x", file.Data[:size]); d.Confidence < model.Guess || d.Reason == "" {
				t.Errorf("%s, its first %d bytes: not recognised: %d, %q", file.Name, size, d.Confidence, d.Reason)
			}
		}
	}
	for _, other := range []string{"", string(make([]byte, 4096)), "Plain words, with no magic at their beginning.\n"} {
		if d := Detect(t.Context(), f, "x", []byte(other)); d.Confidence >= model.Guess || d.Reason == "" {
			t.Errorf("%.8q… of %d bytes: %d, %q", other, len(other), d.Confidence, d.Reason)
		}
	}
}

// Detect asks a format about bytes.
func Detect(ctx context.Context, f *model.Format, name string, data []byte) model.Detection {
	src := model.NewFileSource(name, model.BytesReader(data))
	return f.Detect(ctx, &model.Probe{Source: src, Name: name, Head: data[:min(len(data), model.ProbeSize)]})
}
