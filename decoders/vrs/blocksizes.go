package vrs

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"cutaway/decoders/vrs/container"
	"cutaway/decoders/vrs/layout"
	"cutaway/decoders/vrs/media"
	"cutaway/model"
)

// Chapter 7.7: sizes of image and audio blocks, by the conventions of field names.

func (s *blockSizer) imageBlockSize(k int, b *block) (int64, bool) {
	spec := b.image
	spec.From = "the record format"
	s.now.image = &spec
	switch spec.Format {
	case media.RawImage:
		if n := b.static(); n != container.Unset {
			s.checkStrides(&spec)
			return n, true
		}
		if !s.findImage(k, &spec) {
			return s.plain(k)
		}
		s.checkStrides(&spec)
		return spec.Size(), true
	case media.VideoImage, media.CustomCodecImage:
		if s.findImage(k, &spec) || s.err != nil {
			size, ok := s.announcedOr(k)
			return size, ok && s.err == nil
		}
		return s.plain(k)
	}
	return s.announcedOr(k)
}

// plain returns the size of block k where its format is not known: the bytes that are left, or the size that a field announces.
func (s *blockSizer) plain(k int) (int64, bool) {
	size, ok := s.announcedOr(k)
	if !ok || s.err != nil {
		return 0, false
	}
	kind := s.now.b.typ.String()
	told := func(_ context.Context, d *layout.Data) bool {
		return slices.ContainsFunc(d.Layout.Pieces, func(p layout.Piece) bool { return strings.HasPrefix(p.Name, kind+"_") })
	}
	switch config := s.configuration(); {
	case s.newer:
		s.problem(model.Suspicious, ruleBlockSize, "a configuration record before it", "newer ones only",
			"nothing tells how the "+kind+" is written: the stream's configuration records are newer than the record"+unsupported)
	case s.c.anyData(s.ctx, told), config != nil && config.anyData(s.ctx, told):
		s.problem(model.Suspicious, ruleBlockSize, "all that describes it", "fields that are missing, 0 or out of range",
			"the fields "+kind+"_… do not tell how the "+kind+" is written"+unsupported)
	default:
		s.problem(model.Suspicious, ruleBlockSize, "fields "+kind+"_… before it or in the configuration, or options in the record format", "none",
			"nothing tells how the "+kind+" is written"+unsupported)
	}
	return size, s.err == nil
}

// unsupported says what readers do with an image or audio in an unknown format.
const unsupported = ", so readers give it out as a block that is not supported"

// checkStrides reports strides that are smaller than a row.
func (s *blockSizer) checkStrides(spec *media.ImageSpec) {
	if !spec.Sized() {
		return
	}
	f := &media.PixelFormats[spec.Pixels]
	if spec.Stride != 0 && spec.Stride < f.Stride(spec.Width) {
		s.stride("a row", f.Stride(spec.Width), spec.Stride)
	}
	if spec.Stride2 != 0 && f.Planes != media.OnePlane && spec.Stride2 < f.Stride2(spec.Width) {
		s.stride("a row of the second plane", f.Stride2(spec.Width), spec.Stride2)
	}
}

func (s *blockSizer) stride(of string, least, found int64) {
	s.problem(model.Malformed, ruleStride, fmt.Sprintf("at least %d", least), found, fmt.Sprintf("the stride is smaller than %s of the image", of))
}

// findImage completes an image's description from the first data layout that has all it needs: those before the block
// in the record, the nearest first, then those of the configuration record, the last first.
func (s *blockSizer) findImage(k int, spec *media.ImageSpec) bool {
	defer s.keyFrame(k, spec)
	complete := spec.Sized()
	switch spec.Format {
	case media.VideoImage, media.CustomCodecImage:
		complete = complete && spec.Codec != ""
	}
	if complete {
		return true
	}
	if s.c.anyData(s.ctx, spec.Fill) {
		spec.From = "a field of the record"
		return true
	}
	config := s.configuration()
	if config == nil || !config.anyData(s.ctx, spec.Fill) {
		return false
	}
	spec.From, spec.FromRecord = "the configuration", config.record
	return true
}

// anyData passes the data layouts of the blocks to take, the last first, until take returns true.
func (c *content) anyData(ctx context.Context, take func(context.Context, *layout.Data) bool) bool {
	for i := len(c.blocks) - 1; i >= 0; i-- {
		if d := c.blocks[i].data; d != nil && take(ctx, d) {
			return true
		}
	}
	return false
}

// keyFrame takes the key frame fields of the data layout right before a video block.
func (s *blockSizer) keyFrame(k int, spec *media.ImageSpec) {
	d := s.before(k)
	if spec.Format != media.VideoImage || d == nil {
		return
	}
	time, ok := d.Double(s.ctx, "image_key_frame_timestamp")
	index, okIndex := d.Number(s.ctx, "uint32_t", "image_key_frame_index")
	if ok && okIndex {
		spec.KeyTime, spec.KeyIndex = time, index
	}
}

func (s *blockSizer) audioBlockSize(k int, b *block) (int64, bool) {
	spec := b.audio
	spec.From = "the record format"
	s.now.audio = &spec
	if spec.Format == media.UndefinedAudio || spec.Samples == 0 || spec.Channels == 0 {
		if !s.findAudio(k, &spec) {
			return s.plain(k)
		}
	}
	if spec.Format != media.PcmAudio {
		return s.announcedOr(k)
	}
	frame := spec.Frame()
	announced := s.announced(k)
	if spec.Count > 0 {
		size := spec.Count * frame
		if announced != container.Unset && announced != size {
			s.problem(model.Malformed, ruleAudioSize, size, announced, "the samples need another size than the block has")
		}
		return size, true
	}
	if announced == container.Unset {
		return s.unknown("neither a sample count nor its size is given")
	}
	if announced%frame != 0 {
		s.problem(model.Malformed, ruleAudioSize, fmt.Sprintf("a multiple of %d", frame), announced, "the block does not hold whole sample frames")
	}
	spec.Count = announced / frame
	return announced, true
}

// findAudio takes the description of audio from the data layout right before the block, else from those of the
// configuration record, the last first.
func (s *blockSizer) findAudio(k int, spec *media.AudioSpec) bool {
	before := s.before(k)
	if before != nil && spec.Fill(s.ctx, before) {
		spec.From = "a field of the record"
		return true
	}
	config := s.configuration()
	if config == nil || !config.anyData(s.ctx, spec.Fill) {
		return false
	}
	spec.From, spec.FromRecord = "the configuration", config.record
	if spec.Count == 0 && before != nil {
		spec.Count = before.U32(s.ctx, "audio_sample_count")
	}
	return true
}
