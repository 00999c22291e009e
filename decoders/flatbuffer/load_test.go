package flatbuffer

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"
)

// TestFlatcIsStopped stops a compilation of a schema that would never end.
func TestFlatcIsStopped(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the program is a shell's")
	}
	dir := t.TempDir()
	started := filepath.Join(dir, "started")
	program := "#!/bin/sh\n: >" + started + "\nwhile :; do :; done\n"
	if err := os.WriteFile(filepath.Join(dir, "flatc"), []byte(program), 0o755); err != nil {
		t.Fatal(err)
	}
	schema := filepath.Join(dir, "a.fbs")
	if err := os.WriteFile(schema, []byte("table A {}"), 0o644); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir)
	ctx, stop := context.WithCancel(t.Context())
	go func() {
		for _, err := os.Stat(started); err != nil && ctx.Err() == nil; _, err = os.Stat(started) {
			time.Sleep(time.Millisecond)
		}
		stop()
	}()
	defer stop()
	if s, err := LoadSchema(ctx, schema); s != nil || err == nil || !errors.Is(ctx.Err(), context.Canceled) {
		t.Errorf("%v: %v", s, err)
	}
}
