package player

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"

	"cutaway/model"
)

// tone has 8 frames of two channels: the first rises, the other is silent.
type tone struct{ model.CardBase }

func (tone) Channels() int   { return 2 }
func (tone) Rate() float64   { return 8000 }
func (tone) Frames() int64   { return 8 }
func (tone) Reduced() string { return "" }
func (tone) Read(_ context.Context, first int64, dst [][]float32) (int, error) {
	n := 0
	for ; n < len(dst[0]) && first+int64(n) < 8; n++ {
		dst[0][n], dst[1][n] = float32(first+int64(n))/8, 0
	}
	return n, nil
}

// TestPlay: the first program that can play gets a WAV file of 16 bits, which is gone afterwards; without any, that is said.
func TestPlay(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("the programs of this system cannot be stood in for by scripts")
	}
	cp, err := exec.LookPath("cp")
	if err != nil {
		t.Skip("no cp here")
	}
	dir := t.TempDir()
	t.Setenv("PATH", dir)
	t.Setenv("TMPDIR", dir)
	if err := Play(t.Context(), tone{}, 0, func(string) {}); !errors.Is(err, ErrNone) {
		t.Fatalf("without a program: %v", err)
	}
	heard := filepath.Join(dir, "heard.wav")
	for name, script := range map[string]string{"paplay": "#!/bin/sh\necho no server >&2; exit 1\n", "aplay": "#!/bin/sh\nexec " + cp + " \"$2\" " + heard + "\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(script), 0o700); err != nil { //nolint:gosec // a script has to be run
			t.Fatal(err)
		}
	}
	var began []string
	if err := Play(t.Context(), tone{}, 3, func(name string) { began = append(began, name) }); err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(heard)
	if err != nil {
		t.Fatal(err)
	}
	at := bytes.Index(b, []byte("data"))
	if len(began) != 2 || began[1] != "aplay" || len(b)-at != 8+5*4 || int16(binary.LittleEndian.Uint16(b[at+8:])) != 12287 {
		t.Errorf("by %q, %d bytes of samples, % x", began, len(b)-at-8, b[at:])
	}
	if left, _ := filepath.Glob(filepath.Join(dir, "cutaway-sound-*")); len(left) > 0 {
		t.Errorf("left behind: %q", left)
	}
}
