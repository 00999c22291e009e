package source

import (
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"math/bits"

	"cutaway/model"
)

const (
	lz4FrameMagic  = 0x184D2204
	lz4StoredBlock = 1 << 31
)

// LZ4Frame is what the header of an LZ4 frame says.
type LZ4Frame struct {
	HeaderLen       int64 // bytes, with the magic and the check byte
	Linked          bool  // matches reach back into the blocks before
	BlockChecksums  bool
	ContentChecksum bool
	ContentSize     int64 // -1: not given
	BlockMax        int64 // the most bytes that a block may make
}

// LZ4FramePart is a block of a frame. Offsets of the input count in the frame, those of the output
// in its output.
type LZ4FramePart struct {
	At     int64 // of the block's size field
	Data   int64 // of the block's bytes
	Len    int64 // of the block's bytes
	Stored bool  // the bytes are the output
	Out    int64
	OutLen int64 // good bytes of output
	End    int64 // behind the block and its checksum
}

// ParseLZ4Frame reads the header of an LZ4 frame and checks its check byte.
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

// InflateLZ4Frame decodes one LZ4 frame, which must fill the input. want is the exact size of the output and atMost a
// limit for it; -1: none. The blocks are decoded one by one, so that a fault says where it is and what is good before
// it is kept. It is an Inflater.
func InflateLZ4Frame(ctx context.Context, in []byte, want, atMost int64) ([]byte, *Fault) {
	return InflateLZ4FrameParts(ctx, in, want, atMost, func(LZ4FramePart) {})
}

// InflateLZ4FrameParts is InflateLZ4Frame that visits the blocks, each with how much of its output is good.
func InflateLZ4FrameParts(ctx context.Context, in []byte, want, atMost int64, visit func(LZ4FramePart)) ([]byte, *Fault) {
	head, fault := ParseLZ4Frame(in)
	if fault != nil {
		return nil, fault
	}
	d := frameDecoder{in: in, head: head, limit: boundOf(want, atMost), visit: visit, at: head.HeaderLen}
	for fault == nil && !d.ended {
		fault = d.block(ctx)
	}
	if fault == nil {
		fault = d.checkEnd(want)
	}
	if fault != nil {
		fault.Out = int64(len(d.out))
	}
	return d.out, fault
}

type frameDecoder struct {
	in    []byte
	head  LZ4Frame
	limit outputLimit
	visit func(LZ4FramePart)
	at    int64 // of the next block
	out   []byte
	ended bool
}

// uint32At reads what, a field at off.
func (d *frameDecoder) uint32At(off int64, what string) (uint32, *Fault) {
	if int64(len(d.in))-off < 4 {
		return 0, &Fault{In: int64(len(d.in)), Reason: "the LZ4 frame ends before its " + what, Err: io.ErrUnexpectedEOF}
	}
	return binary.LittleEndian.Uint32(d.in[off:]), nil
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
	p := LZ4FramePart{At: d.at, Data: d.at + 4, Len: int64(size &^ lz4StoredBlock), Stored: size&lz4StoredBlock != 0, Out: int64(len(d.out))}
	if p.Len > d.head.BlockMax {
		return &Fault{In: d.at, Reason: fmt.Sprintf("a block of %d bytes is longer than the frame allows, %d", p.Len, d.head.BlockMax)}
	}
	p.End = p.Data + p.Len
	if d.head.BlockChecksums {
		p.End += 4
	}
	data := d.in[p.Data:min(p.Data+p.Len, int64(len(d.in)))]
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
		fault = &Fault{In: int64(len(d.in)), Err: io.ErrUnexpectedEOF,
			Reason: fmt.Sprintf("the LZ4 frame ends inside a block, of which %d bytes are missing", missing)}
	} else if fault != nil {
		fault.In += p.Data
	}
	p.OutLen = int64(len(d.out)) - p.Out
	d.visit(p)
	d.at = p.End
	return fault
}

// inflate appends the output of a block's bytes.
func (d *frameDecoder) inflate(ctx context.Context, data []byte, stored bool) *Fault {
	limit := outputLimit{d.head.BlockMax, "the frame's block size"}
	if left := d.limit.size - int64(len(d.out)); d.limit.size >= 0 && left < limit.size {
		limit = outputLimit{left, "what is left of " + d.limit.what}
	}
	if stored {
		n := min(int64(len(data)), limit.size)
		d.out = append(d.out, data[:n]...)
		if n < int64(len(data)) {
			return &Fault{In: n, Reason: limit.exceeded()}
		}
		return nil
	}
	var history []byte
	if d.head.Linked {
		history = d.out
	}
	made, fault := inflateLZ4(ctx, data, history, limit)
	d.out = append(d.out, made...)
	return fault
}

// checkEnd checks what comes behind the end mark and the sizes.
func (d *frameDecoder) checkEnd(want int64) *Fault {
	made := int64(len(d.out))
	if d.head.ContentChecksum {
		sum, fault := d.uint32At(d.at, "content checksum")
		if fault != nil {
			return fault
		}
		if got := xxh32(d.out); got != sum {
			return &Fault{In: d.at, Reason: fmt.Sprintf("the content checksum is %#08x, but the output gives %#08x", sum, got)}
		}
		d.at += 4
	}
	switch {
	case d.head.ContentSize >= 0 && d.head.ContentSize != made:
		return &Fault{In: 6, Reason: fmt.Sprintf("the frame header promises %d bytes, but the blocks make %d", d.head.ContentSize, made)}
	case want >= 0 && made < want:
		return &Fault{In: d.at, Reason: fmt.Sprintf("the frame ends after %d of %d bytes of output", made, want)}
	case d.at < int64(len(d.in)):
		return &Fault{In: d.at, Reason: fmt.Sprintf("%d bytes follow the end of the LZ4 frame", int64(len(d.in))-d.at)}
	}
	return nil
}

// LZ4FrameBlocks lists the blocks of the frame that fills in, for NewLZ4Mapping. It decodes the frame.
func LZ4FrameBlocks(ctx context.Context, in model.Span, want, atMost int64) ([]LZ4Block, error) {
	bytes, err := in.Source.Bytes(ctx, in.Off, in.Len)
	if err != nil {
		return nil, err
	}
	head, _ := ParseLZ4Frame(bytes)
	var blocks []LZ4Block
	// Faults are told where the bytes are inflated; here the good part counts.
	_, _ = InflateLZ4FrameParts(ctx, bytes, want, atMost, func(p LZ4FramePart) {
		blocks = append(blocks, LZ4Block{
			In: in.Source.Span(in.Off+p.Data, min(p.Len, in.Len-p.Data)), Out: p.Out, OutLen: p.OutLen,
			Linked: head.Linked, Stored: p.Stored})
	})
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

// xxh32 is the xxHash32 of b with seed 0, the checksum of LZ4 frames.
func xxh32(b []byte) uint32 {
	total := uint32(len(b))
	var h uint32
	if len(b) >= 16 {
		var p1, p2 uint32 = prime1, prime2
		lanes := [4]uint32{p1 + p2, p2, 0, -p1}
		for ; len(b) >= 16; b = b[16:] {
			for i := range lanes {
				lanes[i] = bits.RotateLeft32(lanes[i]+binary.LittleEndian.Uint32(b[4*i:])*prime2, 13) * prime1
			}
		}
		h = bits.RotateLeft32(lanes[0], 1) + bits.RotateLeft32(lanes[1], 7) +
			bits.RotateLeft32(lanes[2], 12) + bits.RotateLeft32(lanes[3], 18)
	} else {
		h = prime5
	}
	h += total
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
