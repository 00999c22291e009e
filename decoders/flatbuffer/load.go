package flatbuffer

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// maxSchema is the largest size of a schema, in bytes.
const maxSchema = 64 << 20

// LoadSchema reads the schema at path: a .bfbs, or a .fbs, which flatc compiles where it is installed.
func LoadSchema(ctx context.Context, path string) (*Schema, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, fmt.Errorf("the schema cannot be read: %w", err)
	}
	if info.Size() > maxSchema {
		return nil, fmt.Errorf("%s: a schema of %d bytes is larger than this program reads", path, info.Size())
	}
	if strings.EqualFold(filepath.Ext(path), ".fbs") {
		return compile(ctx, path)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("the schema cannot be read: %w", err)
	}
	return ParseSchema(ctx, data, filepath.Base(path))
}

// compile lets flatc make a .bfbs of a .fbs.
func compile(ctx context.Context, path string) (*Schema, error) {
	flatc, err := exec.LookPath("flatc")
	if err != nil {
		return nil, fmt.Errorf("%s: a .fbs is compiled by flatc, which is not installed: install it, or hand in the .bfbs that flatc -b --schema makes", path)
	}
	dir, err := os.MkdirTemp("", "cutaway-schema-")
	if err != nil {
		return nil, err
	}
	data, err := runFlatc(ctx, flatc, dir, path)
	if err = errors.Join(err, os.RemoveAll(dir)); err != nil {
		return nil, err
	}
	return ParseSchema(ctx, data, filepath.Base(path))
}

// flatcTime limits the time of flatc: a schema beside a file may be anybody's.
const flatcTime = 20 * time.Second

func runFlatc(ctx context.Context, flatc, dir, path string) ([]byte, error) {
	// An absolute path is never taken for a flag.
	abs, err := filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	limit, cancel := context.WithTimeout(ctx, flatcTime)
	defer cancel()
	cmd := exec.CommandContext(limit, flatc, "-b", "--schema", "--bfbs-comments", "--bfbs-builtins", "-o", dir, abs)
	cmd.Stdout, cmd.Stderr = &out, &out
	cmd.WaitDelay = time.Second // what it started may hold the pipe
	if err := cmd.Run(); err != nil {
		if limit.Err() != nil && ctx.Err() == nil {
			return nil, fmt.Errorf("%s: flatc took longer than %s", path, flatcTime)
		}
		return nil, fmt.Errorf("%s: flatc: %w: %s", path, err, strings.TrimSpace(out.String()))
	}
	made := filepath.Join(dir, strings.TrimSuffix(filepath.Base(path), filepath.Ext(path))+".bfbs")
	data, err := os.ReadFile(made)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s: flatc made no schema", path)
	}
	return data, err
}
