package vrs

import (
	"context"
	"errors"
	"fmt"

	"cutaway/model"
	"cutaway/source"
)

// Chapter 11: compressed payloads.

// inflatedName is the name of the source that a compressed part makes.
const inflatedName = "inflated"

// maxInflated is the most bytes that a payload may have after decompression.
const maxInflated = 1 << 30

// inflatedPayload is a decompressed payload.
type inflatedPayload struct {
	src   *model.Source  // the good part
	fault *model.Problem // why it is not whole
}

// compressed reports whether a payload of n bytes is compressed.
func (r *recording) compressed(h *recordHeader, n int64) bool {
	return n > 0 && h.uncompressed > 0 && (h.compression == lz4Payload || h.compression == zstdPayload)
}

// inflate decompresses the payload of record i. The error is that of ctx.
func (r *recording) inflate(ctx context.Context, i int64, h *recordHeader, in model.Span) (*inflatedPayload, error) {
	return inflateSpan(ctx, r.payloadPath(i), fmt.Sprintf("record %d", i), h.compression, in, int64(h.uncompressed))
}

// inflateSpan decompresses one frame. The source that it makes is named by its owner's path.
func inflateSpan(ctx context.Context, owner, title string, compression uint8, in model.Span, size int64) (*inflatedPayload, error) {
	name := compressionNames[compression]
	made := &inflatedPayload{}
	fail := func(at model.Span, format string, args ...any) *model.Problem {
		p := model.Problemf(model.Malformed, ruleInflate, at, format, args...)
		return &p
	}
	reader, good := model.Reader(model.BytesReader(nil)), int64(0)
	if made.fault = refusedSize(ctx, compression, in, size); made.fault == nil {
		cached := source.Inflated(in, size, frameCopier(compression))
		n, err := cached.Good(ctx)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		reader, good = cached, n
		var fault *source.Fault
		switch {
		case model.KindOf(err) == model.Unread:
			made.fault = new(model.AsProblem(err, ruleInflate, in))
		case errors.As(err, &fault):
			at := in.Source.Span(in.Off+min(fault.In, in.Len), 0)
			made.fault = fail(at, "%s of the %s that the header gives could be inflated: %s", model.GroupedCount(good, "byte"), model.Grouped(size), fault.Reason)
			if fault.Limit {
				made.fault.Kind, made.fault.Rule = model.Limit, ruleInflateLimit
			}
		case err != nil:
			made.fault = fail(in, "the payload cannot be inflated: %v", err)
		case good < size:
			made.fault = fail(in, "the payload inflates to another size than the header gives")
			made.fault.Expected, made.fault.Found = model.GroupedCount(size, "byte"), model.GroupedCount(good, "byte")
		default:
			made.fault = surplus(ctx, compression, in)
		}
	}
	if good < size {
		reader = model.NewWindow(reader, 0, good)
	}
	mapping := source.NewFrameMapping(source.Unit{In: in, OutLen: good})
	if compression == lz4Payload && made.fault == nil {
		if blocks, err := source.LZ4FrameBlocks(ctx, in, size, -1); err == nil {
			mapping = source.NewLZ4Mapping(blocks)
		}
	}
	made.src = model.Derive(owner, inflatedName, title, reader, model.Origin{Parent: in.Source, Spans: []model.Span{in}, Codec: name, Map: mapping})
	return made, nil
}

func frameCopier(compression uint8) source.Copier {
	if compression == lz4Payload {
		return source.CopyLZ4Frame
	}
	return source.CopyZstd
}

// refusedSize compares the size that a header claims with the limit and with what the frame says of itself, before
// anything is inflated.
func refusedSize(ctx context.Context, compression uint8, in model.Span, size int64) *model.Problem {
	const frameHead = 32
	head, err := in.Source.Bytes(ctx, in.Off, min(in.Len, frameHead))
	if err != nil {
		return nil // inflating tells
	}
	claimed, ok := int64(0), false
	if compression == lz4Payload {
		f, fault := source.ParseLZ4Frame(head)
		claimed, ok = f.ContentSize, fault == nil && f.ContentSize >= 0
	} else {
		claimed, ok = source.ZstdContentSize(head)
	}
	if ok && claimed != size {
		p := model.Problemf(model.Malformed, ruleInflate, in, "the %s frame says that it makes another number of bytes than the record header does; it is not inflated",
			compressionNames[compression]).Want(size, claimed)
		return &p
	}
	if size > maxInflated {
		p := model.Problemf(model.Limit, ruleInflateLimit, in, "the header claims more inflated bytes than the limit for a payload; it is not inflated").
			WantAtMost(int64(maxInflated), size)
		return &p
	}
	return nil
}

// surplus reports whether a payload is more than the one frame that it must be.
func surplus(ctx context.Context, compression uint8, in model.Span) *model.Problem {
	if compression != zstdPayload {
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
