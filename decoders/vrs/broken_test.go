package vrs

import (
	"context"
	"sync/atomic"
	"testing"

	"cutaway/decoders/decodertest"
	"cutaway/decoders/vrs/container"
	"cutaway/internal/vrsgen"
	"cutaway/model"
	"cutaway/source"
)

// counted counts the bytes that are read.
type counted struct {
	model.Reader
	read atomic.Int64
}

func (c *counted) ReadAt(ctx context.Context, p []byte, off int64) (int, error) {
	n, err := c.Reader.ReadAt(ctx, p, off)
	c.read.Add(int64(n))
	return n, err
}

// brokenLinks is a recording of which every second record does not link to the one before.
func brokenLinks(records, payload int) []byte {
	f := &vrsgen.File{Index: vrsgen.NoIndex, Streams: []vrsgen.Stream{{Type: 999, Instance: 1}}}
	for i := range records {
		f.Records = append(f.Records, vrsgen.Record{Kind: vrsgen.Data, Version: 1, Time: float64(i), Payload: make([]byte, payload)})
	}
	b, _ := f.Bytes()
	for i := 2; i <= records; i += 2 {
		b[len(b)-i*(container.RecordHeaderSize+payload)+6] ^= 0x40
	}
	return b
}

// TestNextRecordNear: a record that is where it is looked for first costs a small block, not one of a megabyte.
func TestNextRecordNear(t *testing.T) {
	b := brokenLinks(200, 1<<10)
	src := &counted{Reader: model.BytesReader(b)}
	doc := decodertest.Open(t, Format, "broken.vrs", src)
	if got := model.Show(t.Context(), facts(t, doc)["records"], 20); got != "200" {
		t.Errorf("%s records", got)
	}
	if n, most := src.read.Load(), int64(15*len(b)); n > most {
		t.Errorf("%d bytes are read, want at most %d", n, most)
	}
}

// TestBreaksInPart: parts that are no records, and breaks, count as many records do where memory is short.
func TestBreaksInPart(t *testing.T) {
	defer source.SetCacheLimit(source.CacheLimit())
	source.SetCacheLimit(100 * 96)
	doc := decodertest.Open(t, Format, "broken.vrs", model.BytesReader(brokenLinks(50, 1)))
	report, err := doc.CheckAll(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	limits, breaks := 0, 0
	for _, p := range report.Problems {
		switch p.Rule {
		case "vrs.limit.records":
			limits++
		case "vrs.record.chain":
			breaks++
		}
	}
	if limits != 1 || breaks == 0 || breaks > 10 {
		t.Errorf("%d limits, %d breaks", limits, breaks)
	}
}
