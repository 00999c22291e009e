package usdc

import (
	"testing"

	"cutaway/decoders/decodertest"
	"cutaway/internal/handgen"
	"cutaway/model"
	"cutaway/source"
)

// tocEntrySize is the number of bytes of an entry of the table of contents.
const tocEntrySize = 32

// TestLazy: opening reads the bootstrap and the table of contents, a section is read when it is looked at, and rows
// are made one by one.
func TestLazy(t *testing.T) {
	b := handgen.Large(20000)
	size := int64(len(b))
	const opened = handgen.FirstValue + 2*(8+6*tocEntrySize)
	for _, limits := range []decodertest.Limits{
		{Path: "layout", Bytes: opened},
		{Path: "layout/STRINGS", Bytes: opened + size}, // its check needs the tokens
		{Path: "layout/TOKENS/text@inflated", Bytes: opened + size},
		{Path: "scene", Bytes: opened + 3*size},
		{Path: "paths", Bytes: opened + 3*size},
		{Path: "layout/PATHS/jumps@inflated/integers", Bytes: opened + 3*size},
	} {
		decodertest.Lazy(t, Format, "large", model.BytesReader(b), limits)
	}
}

// TestOpenReads: opening reads nothing but the bootstrap and the table of contents, and asking what is known reads
// nothing more than their fields.
func TestOpenReads(t *testing.T) {
	b := handgen.Large(100)
	counter := source.NewCounter(model.BytesReader(b))
	d := decodertest.Open(t, Format, "large", counter)
	toc := int64(8 + 6*tocEntrySize)
	if got, most := counter.Bytes(), handgen.FirstValue+toc; got > most {
		t.Errorf("opening reads %d bytes, may read %d", got, most)
	}
	if _, err := d.Known(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got, most := counter.Bytes(), 2*handgen.FirstValue+3*toc; got > most {
		t.Errorf("opening and asking what is known reads %d bytes, may read %d", got, most)
	}
}
