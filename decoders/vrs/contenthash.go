package vrs

import (
	"context"
	"encoding/binary"
	"hash/maphash"
	"math"
	"slices"

	"cutaway/decoders/vrs/container"
	"cutaway/model"
)

// recordRows are the records of a group. They are compared without making nodes.
type recordRows struct {
	*model.Rows
	r    *recording
	t    *table
	s    *stream
	kind container.RecordType
}

func (*recordRows) Bulk() *model.BulkFuncs { return recordsBulk }

var recordsBulk = &model.BulkFuncs{
	Hashes: func(ctx context.Context, c model.Children, progress model.Progress) (func(i int64) uint64, error) {
		return c.(*recordRows).hashes(ctx, progress), nil
	},
}

// hashes returns a function for the hash of record i. It hashes stored bytes: the content of a record follows from its bytes, from
// its format and, for an image or audio, from the configuration record before it.
func (k *recordRows) hashes(ctx context.Context, progress model.Progress) func(i int64) uint64 {
	h := &recordHasher{r: k.r, t: k.t, formats: make(map[*recordFormat]uint64), config: -1, buf: make([]byte, 64<<10)}
	return func(i int64) uint64 {
		if i&(1<<12-1) == 0 {
			progress.Report(i, k.Count, "comparing records")
		}
		return h.record(ctx, k.t.record(k.s, k.kind, i))
	}
}

type recordHasher struct {
	r          *recording
	t          *table
	formats    map[*recordFormat]uint64
	config     int64 // the configuration record that was hashed last, or -1
	configured uint64
	buf        []byte
}

// record returns the hash of record i, or 0 if it cannot be read.
func (h *recordHasher) record(ctx context.Context, i int64) uint64 {
	hdr, err := h.r.HeaderAt(ctx, h.t.Off[i])
	if err != nil {
		return 0
	}
	format := tagsFormat()
	if hdr.Kind() != container.TagsRecord {
		format = h.t.streamOf(i).format(hdr.Kind(), hdr.Version())
	}
	from := uint64(1) // no configuration
	if config, newer := h.t.ConfigurationFor(i); newer {
		from = 2
	} else if config >= 0 && hdr.Kind() != container.ConfigurationRecord && format.configured() {
		if config != h.config {
			h.config, h.configured = config, h.record(ctx, config)
		}
		from = h.configured
	}
	if from == 0 {
		return 0
	}
	var sum maphash.Hash
	sum.SetSeed(model.ContentSeed)
	for _, n := range []uint64{math.Float64bits(h.t.Time[i]), uint64(hdr.Kind()), uint64(hdr.Version()), uint64(hdr.Compression()),
		uint64(hdr.Uncompressed()), h.format(format), from} {
		_ = binary.Write(&sum, binary.LittleEndian, n) // a hash takes everything
	}
	for at, end := min(hdr.Off+h.r.Head.RecordHeaderSize, h.t.End(i)), h.t.End(i); at < end; {
		n, err := h.r.Src.ReadFull(ctx, h.buf[:min(int64(len(h.buf)), end-at)], at)
		if err != nil || n == 0 {
			return 0
		}
		_, _ = sum.Write(h.buf[:n])
		at += int64(n)
	}
	return sum.Sum64() | 1
}

// configured reports whether a configuration record may say how blocks are written.
func (f *recordFormat) configured() bool {
	return f != nil && slices.ContainsFunc(f.blocks, func(b block) bool { return b.typ == imageBlock || b.typ == audioBlock })
}

// format is the hash of a record format with its data layouts.
func (h *recordHasher) format(f *recordFormat) uint64 {
	if f == nil {
		return 0
	}
	known, is := h.formats[f]
	if is {
		return known
	}
	var sum maphash.Hash
	sum.SetSeed(model.ContentSeed)
	for _, b := range f.blocks {
		_, _ = sum.WriteString(b.text + "\x00")
		if b.layout != nil {
			_, _ = sum.WriteString(b.layout.Source.Value + "\x00")
		}
	}
	h.formats[f] = sum.Sum64()
	return h.formats[f]
}
