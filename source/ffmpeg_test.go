package source

import (
	"bytes"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestFFmpegFeedPanics: a panic of what feeds the program is the error at the end of what it made, with the stack.
func TestFFmpegFeedPanics(t *testing.T) {
	sh, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("there is no shell to stand in for ffmpeg")
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "ffmpeg"), []byte("#!"+sh+"\ncat\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir+string(os.PathListSeparator)+os.Getenv("PATH"))
	if found, err := exec.LookPath("ffmpeg"); err != nil || filepath.Dir(found) != dir {
		t.Skip("scripts are no programs here")
	}
	out, err := FFmpeg(t.Context(), func(w io.Writer) error {
		if _, err := io.WriteString(w, "made"); err != nil {
			return err
		}
		panic("a broken decoder")
	})
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	b, err := io.ReadAll(out)
	if string(b) != "made" || err == nil || !strings.Contains(err.Error(), "a broken decoder") || !strings.Contains(err.Error(), "ffmpeg_test.go") {
		t.Errorf("%q, %v", b, err)
	}
}

// A picture has as many pixels as memory has room for.
func TestPictureLimit(t *testing.T) {
	withLimit(t, 1<<10) // 192 pixels
	for size, want := range map[string]string{"16 12": "", "16 13": "limit is 192 pixels"} {
		_, err := ReadPPM(io.MultiReader(strings.NewReader("P6\n"+size+"\n255\n"), bytes.NewReader(make([]byte, 3*16*13))))
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", size, err)
		}
	}
}
