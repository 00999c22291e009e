package trying

import (
	"bytes"
	"context"
	"os"
	"testing"

	"cutaway/model"
)

// TestTryWholeDisk: a file that cannot be written whole leaves nothing, and says so.
func TestTryWholeDisk(t *testing.T) {
	src := model.NewFileSource("gone", failing{})
	var w bytes.Buffer
	if err := copyAll(t.Context(), &w, src, nil); err == nil {
		t.Error("bytes that cannot be read are written")
	}
	if err := copyAll(t.Context(), full{}, model.NewFileSource("some", model.BytesReader(make([]byte, 10))), nil); err == nil {
		t.Error("a full disk is none")
	}
}

type failing struct{}

func (failing) Size() int64 { return 10 }

func (failing) ReadAt(context.Context, []byte, int64) (int, error) { return 0, os.ErrClosed }

type full struct{}

func (full) Write([]byte) (int, error) { return 0, os.ErrInvalid }
