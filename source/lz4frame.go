package source

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math/bits"
	"slices"

	"cutaway/model"
)

const (
	lz4FrameMagic  = 0x184D2204
	lz4StoredBlock = 1 << 31
)

// An LZ4Frame holds the header of an LZ4 frame.
type LZ4Frame struct {
	HeaderLen       int64 // bytes, with the magic and the check byte
	Linked          bool  // matches refer to previous blocks
	BlockChecksums  bool
	ContentChecksum bool
	ContentSize     int64 // or -1 if not given
	BlockMax        int64 // the most output of a block
}

// An LZ4FramePart is a block of a frame. Input offsets count in the frame, output offsets in its output.
type LZ4FramePart struct {
	At     int64 // of the block's size field
	Data   int64 // of the block's bytes
	Len    int64 // of the block's bytes
	Stored bool  // the bytes are the output
	Out    int64
	OutLen int64 // valid bytes of output
	End    int64 // after the block and its checksum
}

// ParseLZ4Frame reads the header of an LZ4 frame and verifies its check byte.
func ParseLZ4Frame(in []byte) (LZ4Frame, *Fault) {
	f := LZ4Frame{ContentSize: -1}
	short := func() (LZ4Frame, *Fault) {
		return f, &Fault{In: int64(len(in)), Reason: "the LZ4 frame ends inside its header", Err: io.ErrUnexpectedEOF}
	}
	if len(in) < 7 {
		return short()
	}
	if magic := binary.LittleEndian.Uint32(in); magic != lz4FrameMagic {
		return f, &Fault{Reason: fmt.Sprintf("not an LZ4 frame: it begins with %#08x, not %#08x", magic, uint32(lz4FrameMagic))}
	}
	flags, sizes := in[4], in[5]
	f.Linked = flags>>5&1 == 0
	f.BlockChecksums = flags>>4&1 == 1
	f.ContentChecksum = flags>>2&1 == 1
	f.HeaderLen = 7
	switch {
	case flags>>6 != 1:
		return f, &Fault{In: 4, Reason: fmt.Sprintf("the LZ4 frame has version %d; only 1 is known", flags>>6)}
	case flags>>1&1 == 1 || sizes&0x8F != 0:
		return f, &Fault{In: 4, Reason: "reserved bits of the LZ4 frame header are set"}
	case flags&1 == 1:
		return f, &Fault{In: 4, Reason: "the LZ4 frame needs a dictionary, which is not part of it"}
	case sizes>>4 < 4:
		return f, &Fault{In: 5, Reason: fmt.Sprintf("the LZ4 frame has block size code %d; 4 to 7 are known", sizes>>4)}
	}
	f.BlockMax = 1 << (8 + 2*(sizes>>4))
	if flags>>3&1 == 1 {
		f.HeaderLen += 8
		if int64(len(in)) < f.HeaderLen {
			return short()
		}
		f.ContentSize = int64(min(binary.LittleEndian.Uint64(in[6:]), 1<<63-1))
	}
	check := in[f.HeaderLen-1]
	if want := byte(xxh32(in[4:f.HeaderLen-1]) >> 8); check != want {
		return f, &Fault{In: f.HeaderLen - 1, Reason: fmt.Sprintf(
			"the header check byte of the LZ4 frame is %#02x, but the header gives %#02x", check, want)}
	}
	return f, nil
}

// CopyLZ4Frame is a Copier for one LZ4 frame, which must fill the input. It decodes block by block, so that a fault has
// a position and the output before it is kept.
func CopyLZ4Frame(ctx context.Context, w io.Writer, in model.Span, want, atMost int64) error {
	return copyLZ4Frame(ctx, w, in, want, atMost, func(LZ4FramePart) {})
}

// copyLZ4Frame calls visit for each block, with the size of its valid output.
func copyLZ4Frame(ctx context.Context, w io.Writer, in model.Span, want, atMost int64, visit func(LZ4FramePart)) error {
	const longestHeader = 15
	d := &frameDecoder{ctx: ctx, w: w, in: in, limit: boundOf(want, atMost), visit: visit}
	begin, err := d.bytes(0, longestHeader)
	if err != nil {
		return err
	}
	head, fault := ParseLZ4Frame(begin)
	if fault != nil {
		return fault
	}
	d.head, d.at = head, head.HeaderLen
	for fault == nil && !d.ended {
		if fault = d.block(ctx); ctx.Err() != nil {
			return ctx.Err()
		}
	}
	if fault == nil {
		fault = d.checkEnd(want)
	}
	switch {
	case d.err != nil:
		return d.err
	case fault != nil:
		fault.Out = d.made
		return fault
	}
	return nil
}

type frameDecoder struct {
	ctx     context.Context // of one copyLZ4Frame
	w       io.Writer
	in      model.Span
	head    LZ4Frame
	limit   outputLimit
	visit   func(LZ4FramePart)
	at      int64 // of the next block
	made    int64
	history []byte // the last output
	sum     xxHash32
	data    []byte // of the current block
	out     []byte // of the current block
	ended   bool
	err     error // of reading or writing
}

// bytes returns at most n bytes from off on.
func (d *frameDecoder) bytes(off, n int64) ([]byte, error) {
	b, err := d.in.Source.Bytes(d.ctx, d.in.Off+off, max(0, min(n, d.in.Len-off)))
	if err != nil && d.err == nil {
		d.err = fmt.Errorf("the compressed bytes could not be read: %w", err)
	}
	return b, d.err
}

// uint32At reads the field what at off.
func (d *frameDecoder) uint32At(off int64, what string) (uint32, *Fault) {
	b, _ := d.bytes(off, 4)
	if len(b) < 4 {
		return 0, &Fault{In: d.in.Len, Reason: "the LZ4 frame ends before its " + what, Err: io.ErrUnexpectedEOF}
	}
	return binary.LittleEndian.Uint32(b), nil
}

// block decodes the next block, or ends at the end mark.
func (d *frameDecoder) block(ctx context.Context) *Fault {
	size, fault := d.uint32At(d.at, "end mark")
	if fault != nil {
		return fault
	}
	if size == 0 {
		d.at += 4
		d.ended = true
		return nil
	}
	p := LZ4FramePart{At: d.at, Data: d.at + 4, Len: int64(size &^ lz4StoredBlock), Stored: size&lz4StoredBlock != 0, Out: d.made}
	if p.Len > d.head.BlockMax {
		return &Fault{In: d.at, Reason: fmt.Sprintf("a block of %d bytes is longer than the frame allows, %d", p.Len, d.head.BlockMax)}
	}
	p.End = p.Data + p.Len
	if d.head.BlockChecksums {
		p.End += 4
	}
	d.data = slices.Grow(d.data[:0], int(p.Len))[:min(p.Len, max(d.in.Len-p.Data, 0))]
	data := d.data
	if _, err := d.in.Source.ReadFull(d.ctx, data, d.in.Off+p.Data); err != nil && len(data) > 0 {
		d.err = fmt.Errorf("the compressed bytes could not be read: %w", err)
		return &Fault{In: p.Data, Reason: err.Error(), Err: err}
	}
	missing := p.Len - int64(len(data))
	if missing == 0 && d.head.BlockChecksums {
		sum, fault := d.uint32At(p.Data+p.Len, "block checksum")
		if fault != nil {
			return fault
		}
		if got := xxh32(data); got != sum {
			return &Fault{In: p.Data + p.Len, Reason: fmt.Sprintf("the block checksum is %#08x, but the bytes give %#08x", sum, got)}
		}
	}
	fault = d.inflate(ctx, data, p.Stored)
	if missing > 0 && (fault == nil || fault.Err == io.ErrUnexpectedEOF) {
		fault = &Fault{In: d.in.Len, Err: io.ErrUnexpectedEOF,
			Reason: fmt.Sprintf("the LZ4 frame ends inside a block, of which %d bytes are missing", missing)}
	} else if fault != nil {
		fault.In += p.Data
	}
	p.OutLen = d.made - p.Out
	d.visit(p)
	d.at = p.End
	return fault
}

// inflate makes the output of a block's bytes.
func (d *frameDecoder) inflate(ctx context.Context, data []byte, stored bool) *Fault {
	limit := outputLimit{d.head.BlockMax, "the frame's block size"}
	if left := d.limit.size - d.made; d.limit.size >= 0 && left < limit.size {
		limit = outputLimit{left, "what is left of " + d.limit.what}
	}
	if stored {
		n := min(int64(len(data)), limit.size)
		d.write(data[:n])
		if n < int64(len(data)) {
			return &Fault{In: n, Reason: limit.exceeded()}
		}
		return nil
	}
	good, fault := measureLZ4(ctx, data, int64(len(d.history)), limit)
	d.out = slices.Grow(d.out[:0], int(good))[:good]
	decodeLZ4(ctx, data, d.history, d.out)
	d.write(d.out)
	return fault
}

// write writes output, and keeps the part that later blocks may refer to.
func (d *frameDecoder) write(out []byte) {
	if _, err := d.w.Write(out); err != nil && d.err == nil {
		d.err = err
		d.ended = true
	}
	d.made += int64(len(out))
	if d.head.ContentChecksum {
		d.sum.write(out)
	}
	if !d.head.Linked {
		return
	}
	if len(out) < matchReach {
		keep := d.history[max(0, len(d.history)+len(out)-matchReach):]
		d.history = append(d.history[:copy(d.history, keep)], out...)
	} else {
		d.history = append(d.history[:0], out[len(out)-matchReach:]...)
	}
}

// checkEnd checks the sizes and the bytes after the end mark.
func (d *frameDecoder) checkEnd(want int64) *Fault {
	made := d.made
	if d.head.ContentChecksum {
		sum, fault := d.uint32At(d.at, "content checksum")
		if fault != nil {
			return fault
		}
		if got := d.sum.value(); got != sum {
			return &Fault{In: d.at, Reason: fmt.Sprintf("the content checksum is %#08x, but the output gives %#08x", sum, got)}
		}
		d.at += 4
	}
	switch {
	case d.head.ContentSize >= 0 && d.head.ContentSize != made:
		return &Fault{In: 6, Reason: fmt.Sprintf("the frame header promises %d bytes, but the blocks make %d", d.head.ContentSize, made)}
	case want >= 0 && made < want:
		return &Fault{In: d.at, Reason: fmt.Sprintf("the frame ends after %d of %d bytes of output", made, want)}
	case d.at < d.in.Len:
		return &Fault{In: d.at, Reason: fmt.Sprintf("%d bytes follow the end of the LZ4 frame", d.in.Len-d.at)}
	}
	return nil
}

// LZ4FrameBlocks returns the blocks of the frame that fills in, for NewLZ4Mapping. It decodes the frame.
func LZ4FrameBlocks(ctx context.Context, in model.Span, want, atMost int64) ([]LZ4Block, error) {
	var blocks []LZ4Block
	head := LZ4Frame{}
	if begin, err := in.Source.Bytes(ctx, in.Off, min(in.Len, 15)); err == nil {
		head, _ = ParseLZ4Frame(begin)
	}
	// Faults are reported by the derived source; here only the valid part matters.
	err := copyLZ4Frame(ctx, io.Discard, in, want, atMost, func(p LZ4FramePart) {
		blocks = append(blocks, LZ4Block{
			In: in.Source.Span(in.Off+p.Data, min(p.Len, in.Len-p.Data)), Out: p.Out, OutLen: p.OutLen,
			Linked: head.Linked, Stored: p.Stored})
	})
	if fault := new(Fault); err != nil && !errors.As(err, &fault) {
		return nil, err
	}
	return blocks, nil
}

// The primes of xxHash32.
const (
	prime1 = 2654435761
	prime2 = 2246822519
	prime3 = 3266489917
	prime4 = 668265263
	prime5 = 374761393
)

// xxh32 returns the xxHash32 of b with seed 0, the checksum of LZ4 frames.
func xxh32(b []byte) uint32 {
	var x xxHash32
	x.write(b)
	return x.value()
}

// An xxHash32 is a hash with seed 0. The zero value is ready.
type xxHash32 struct {
	lanes [4]uint32
	rest  []byte // fewer than 16
	total uint32
}

func (x *xxHash32) write(b []byte) {
	if x.total == 0 {
		var p1, p2 uint32 = prime1, prime2
		x.lanes = [4]uint32{p1 + p2, p2, 0, -p1}
	}
	x.total += uint32(len(b))
	if len(x.rest) > 0 {
		n := min(len(b), 16-len(x.rest))
		x.rest, b = append(x.rest, b[:n]...), b[n:]
		if len(x.rest) < 16 {
			return
		}
		x.rest = x.rest[:copy(x.rest, x.mix(x.rest))]
	}
	x.rest = append(x.rest[:0], x.mix(b)...)
}

// mix hashes whole runs of 16 bytes and returns the rest.
func (x *xxHash32) mix(b []byte) []byte {
	lanes := x.lanes
	for ; len(b) >= 16; b = b[16:] {
		for i := range lanes {
			lanes[i] = bits.RotateLeft32(lanes[i]+binary.LittleEndian.Uint32(b[4*i:])*prime2, 13) * prime1
		}
	}
	x.lanes = lanes
	return b
}

func (x *xxHash32) value() uint32 {
	h := uint32(prime5)
	if x.total >= 16 {
		h = bits.RotateLeft32(x.lanes[0], 1) + bits.RotateLeft32(x.lanes[1], 7) +
			bits.RotateLeft32(x.lanes[2], 12) + bits.RotateLeft32(x.lanes[3], 18)
	}
	h += x.total
	b := x.rest
	for ; len(b) >= 4; b = b[4:] {
		h = bits.RotateLeft32(h+binary.LittleEndian.Uint32(b)*prime3, 17) * prime4
	}
	for _, c := range b {
		h = bits.RotateLeft32(h+uint32(c)*prime5, 11) * prime1
	}
	h = (h ^ h>>15) * prime2
	h = (h ^ h>>13) * prime3
	return h ^ h>>16
}
