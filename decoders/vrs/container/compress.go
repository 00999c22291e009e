package container

import (
	"context"
	"errors"
	"fmt"

	"cutaway/model"
	"cutaway/source"
)

// Chapter 11: compressed payloads.

// InflatedName is the name of the source that a compressed part makes.
const InflatedName = "inflated"

// MaxInflated is the most bytes that a payload may have after decompression.
const MaxInflated = 1 << 30

// InflatedPayload is a decompressed payload.
type InflatedPayload struct {
	Src   *model.Source  // the good part
	Fault *model.Problem // why it is not whole
}

// Compressed reports whether a payload of n bytes is compressed.
func (f *File) Compressed(h *Header, n int64) bool {
	return n > 0 && h.Uncompressed() > 0 && (h.Compression() == LZ4Payload || h.Compression() == ZstdPayload)
}

// Inflate decompresses the payload of record i. The error is that of ctx.
func (f *File) Inflate(ctx context.Context, i int64, h *Header, in model.Span) (*InflatedPayload, error) {
	return inflateSpan(ctx, f.PayloadPath(i), fmt.Sprintf("record %d", i), h.Compression(), in, int64(h.Uncompressed()))
}

// inflateSpan decompresses one frame. The source that it makes is named by its owner's path.
func inflateSpan(ctx context.Context, owner, title string, compression uint8, in model.Span, size int64) (*InflatedPayload, error) {
	name := CompressionNames[compression]
	made := &InflatedPayload{}
	fail := func(at model.Span, format string, args ...any) *model.Problem {
		p := model.Problemf(model.Malformed, ruleInflate, at, format, args...)
		return &p
	}
	reader, good := model.Reader(model.BytesReader(nil)), int64(0)
	if made.Fault = RefusedSize(ctx, compression, in, size); made.Fault == nil {
		cached := source.Inflated(in, size, FrameCopier(compression))
		n, err := cached.Good(ctx)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		reader, good = cached, n
		var fault *source.Fault
		switch {
		case model.KindOf(err) == model.Unread:
			made.Fault = new(model.AsProblem(err, ruleInflate, in))
		case errors.As(err, &fault):
			at := in.Source.Span(in.Off+min(fault.In, in.Len), 0)
			made.Fault = fail(at, "%s of the %s that the header gives could be inflated: %s", model.GroupedCount(good, "byte"), model.Grouped(size), fault.Reason)
			if fault.Limit {
				made.Fault.Kind, made.Fault.Rule = model.Limit, ruleInflateLimit
			}
		case err != nil:
			made.Fault = fail(in, "the payload cannot be inflated: %v", err)
		case good < size:
			made.Fault = fail(in, "the payload inflates to another size than the header gives")
			made.Fault.Expected, made.Fault.Found = model.GroupedCount(size, "byte"), model.GroupedCount(good, "byte")
		default:
			made.Fault = surplus(ctx, compression, in)
		}
	}
	if good < size {
		reader = model.NewWindow(reader, 0, good)
	}
	mapping := source.NewFrameMapping(source.Unit{In: in, OutLen: good})
	if compression == LZ4Payload && made.Fault == nil {
		if blocks, err := source.LZ4FrameBlocks(ctx, in, size, -1); err == nil {
			mapping = source.NewLZ4Mapping(blocks)
		}
	}
	made.Src = model.Derive(owner, InflatedName, title, reader, model.Origin{Parent: in.Source, Spans: []model.Span{in}, Codec: name, Map: mapping})
	return made, nil
}

// FrameCopier returns the copier that inflates a frame.
func FrameCopier(compression uint8) source.Copier {
	if compression == LZ4Payload {
		return source.CopyLZ4Frame
	}
	return source.CopyZstd
}

// RefusedSize compares the size that a header claims with the limit and with what the frame says of itself, before
// anything is inflated.
func RefusedSize(ctx context.Context, compression uint8, in model.Span, size int64) *model.Problem {
	const frameHead = 32
	head, err := in.Source.Bytes(ctx, in.Off, min(in.Len, frameHead))
	if err != nil {
		return nil // inflating finds it
	}
	claimed, ok := int64(0), false
	if compression == LZ4Payload {
		f, fault := source.ParseLZ4Frame(head)
		claimed, ok = f.ContentSize, fault == nil && f.ContentSize >= 0
	} else {
		claimed, ok = source.ZstdContentSize(head)
	}
	if ok && claimed != size {
		p := model.Problemf(model.Malformed, ruleInflate, in, "the %s frame says that it makes another number of bytes than the record header does; it is not inflated",
			CompressionNames[compression]).Want(size, claimed)
		return &p
	}
	if size > MaxInflated {
		p := model.Problemf(model.Limit, ruleInflateLimit, in, "the header claims more inflated bytes than the limit for a payload; it is not inflated").
			WantAtMost(int64(MaxInflated), size)
		return &p
	}
	return nil
}

// surplus reports whether a payload is more than the one frame that it must be.
func surplus(ctx context.Context, compression uint8, in model.Span) *model.Problem {
	if compression != ZstdPayload {
		return nil // the LZ4 frame fills its bytes, or is refused
	}
	frames, _ := source.ZstdFramesOf(ctx, in)
	if len(frames) == 0 || frames[0].End == in.Len {
		return nil
	}
	rest := in.Source.Span(in.Off+frames[0].End, in.Len-frames[0].End)
	p := model.Problemf(model.Malformed, ruleInflate, rest, "a compressed payload is one frame; %s follow it", model.GroupedCount(rest.Len, "byte")).
		Want(model.GroupedCount(frames[0].End, "byte"), model.GroupedCount(in.Len, "byte"))
	return &p
}
