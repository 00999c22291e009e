package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestTimeLimit: a file that takes longer than it may is named with its limit and status 2, and the next is looked at.
func TestTimeLimit(t *testing.T) {
	sample := filepath.Join("..", "assets", "sample.usdc")
	for _, args := range [][]string{{"check", sample}, {"check", "--json", sample}, {"search", sample, "path:*"}, {"diff", sample, sample, "--stored"}} {
		got := execute(t.Context(), decoderLibrary{}, append(args, "--timeout", "1ns")...)
		if got.status != StatusUnreadable || !strings.Contains(got.err, "sample.usdc: given up after 1ns (--timeout)") {
			t.Errorf("%q: status %d, %q", args, got.status, got.err)
		}
	}
	got := execute(t.Context(), decoderLibrary{}, "check", "--json", "--timeout", "1ns", sample, sample)
	if lines := strings.Count(got.out, "\n"); lines != 2 || strings.Count(got.out, `"failed":"`) != 2 {
		t.Errorf("%d lines: %q", lines, got.out)
	}
}

// TestDoneAtTheLimit: a file that is done when its time is over is not given up.
func TestDoneAtTheLimit(t *testing.T) {
	s := &session{ctx: t.Context()}
	err := fileLimit{Timeout: 1}.limited(s, "late.fake", func() error {
		<-s.ctx.Done()
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}

// TestFoldersWithUnreadable: a file that takes too long does not keep others of two folders from being compared.
func TestFoldersWithUnreadable(t *testing.T) {
	a, b := t.TempDir(), t.TempDir()
	sample, err := os.ReadFile(filepath.Join("..", "assets", "sample.usdc"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range []string{filepath.Join(a, "1.usdc"), filepath.Join(b, "1.usdc"), filepath.Join(a, "2.usdc"), filepath.Join(b, "2.usdc")} {
		if err := os.WriteFile(file, sample, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	got := execute(t.Context(), decoderLibrary{}, "diff", a, b, "--timeout", "1ns")
	if got.status != statusTrouble || !strings.Contains(got.err, "1.usdc: given up") || !strings.Contains(got.err, "2.usdc: given up") {
		t.Errorf("status %d, %q, %q", got.status, got.out, got.err)
	}
}
