package source

import (
	"bytes"
	"context"
	"errors"
	"io"
	"slices"
	"testing"

	"cutaway/model"
)

// TestChecksumVectors: the check values of "123456789" that the algorithms are published with, however it is cut.
func TestChecksumVectors(t *testing.T) {
	want := []Checksum{
		{"CRC-32", "cbf43926"}, {"CRC-32C", "e3069283"}, {"xxHash64", "8cb841db40e6ae83"},
		{"SHA-1", "f7c3bc1d808e04732adf679965ccc34ca7ae3441"},
		{"SHA-256", "15e2b0d3c33891ebb0f1ef609ec419420c20e320ce94c65fbc8c3312448eb225"},
	}
	src := model.NewFileSource("x", model.BytesReader("..123456789..6789"))
	for _, spans := range [][]model.Span{{src.Span(2, 9)}, {src.Span(2, 5), src.Span(13, 4)}, {src.Span(2, 0), src.Span(2, 9)}} {
		got, err := Checksums(t.Context(), spans, nil)
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("%v: %v, %v", spans, got, err)
		}
	}
	for i, name := range ChecksumNames() {
		if name != want[i].Name {
			t.Errorf("checksum %d is %s", i, name)
		}
	}
}

// TestChecksumsLong: more than one block, with progress; cancelled, and past the end.
func TestChecksumsLong(t *testing.T) {
	const size = 3*checksumBlock + 7
	src := model.NewFileSource("x", model.BytesReader(bytes.Repeat([]byte{7}, size)))
	var last, of int64
	ctx, cancel := context.WithCancel(t.Context())
	whole, err := Checksums(ctx, []model.Span{src.Whole()}, func(done, total int64, _ string) { last, of = done, total })
	if err != nil || last != size || of != size {
		t.Errorf("%d of %d, %v", last, of, err)
	}
	parts, err := Checksums(ctx, []model.Span{src.Span(0, 100), src.Span(100, size-100)}, nil)
	if err != nil || !slices.Equal(whole, parts) {
		t.Errorf("%v whole, %v in parts, %v", whole, parts, err)
	}
	if _, err := Checksums(ctx, []model.Span{{Source: src, Off: 5, Len: size}}, nil); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("past the end: %v", err)
	}
	cancel()
	if _, err := Checksums(ctx, []model.Span{src.Whole()}, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}
