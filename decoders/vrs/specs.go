package vrs

import (
	"context"
	"fmt"
	"strings"

	"cutaway/decoders/vrs/container"
	"cutaway/decoders/vrs/layout"
	"cutaway/model"
)

// Descriptions of images and audio, by their formats and by data layouts (chapters 7.2 and 7.7).

// An imageFormat is the coding of an image block.
type imageFormat uint8

const (
	undefinedImage imageFormat = iota
	rawImage
	jpgImage
	pngImage
	videoImage
	jxlImage
	customCodecImage
)

var imageFormatNames = [...]string{"undefined", "raw", "jpg", "png", "video", "jxl", "custom_codec"}

func (f imageFormat) String() string { return imageFormatNames[f] }

// An audioFormat is the coding of an audio block.
type audioFormat uint8

const (
	undefinedAudio audioFormat = iota
	pcmAudio
	opusAudio
)

var audioFormatNames = [...]string{"undefined", "pcm", "opus"}

func (f audioFormat) String() string { return audioFormatNames[f] }

// noQuality stands for a codec quality that is not given or out of its range.
const noQuality = -1

// maxQuality is the best codec quality: lossless.
const maxQuality = 100

// imageSpec describes an image; numbers are 0 where they are not given.
type imageSpec struct {
	format        imageFormat
	width, height int64
	stride        int64
	stride2       int64
	pixels        int // code of the pixel format
	codec         string
	quality       int64 // noQuality: undefined
	keyTime       float64
	keyIndex      int64 // 0 for a key frame, or unset
	from          string
	fromRecord    int64 // number of the configuration record that describes the block, or -1
}

// sized reports whether width, height and pixel format are known.
func (s *imageSpec) sized() bool { return s.width > 0 && s.height > 0 && s.pixels > 0 }

func (s *imageSpec) size() int64 {
	return imageSize(&pixelFormats[s.pixels], s.width, s.height, s.stride, s.stride2)
}

// audioSpec describes audio; numbers are 0 where they are not given.
type audioSpec struct {
	format     audioFormat
	samples    int   // code of the sample format
	channels   int64 // interleaved
	rate       int64 // sample frames a second
	count      int64 // sample frames in the block
	stride     int64 // bytes of a sample frame, with padding
	pairs      int64 // stereo pairs
	from       string
	fromRecord int64
}

// frame is the number of bytes of a sample frame.
func (s *audioSpec) frame() int64 {
	if s.stride > 0 {
		return s.stride
	}
	return s.least()
}

// least is the number of bytes of a sample frame without padding.
func (s *audioSpec) least() int64 { return sampleFormats[s.samples].bytes() * s.channels }

// fill takes the properties of an image from the fields of one data layout, if they are enough.
func (spec *imageSpec) fill(ctx context.Context, d *layout.Data) bool {
	got := *spec
	got.width, got.height = d.U32(ctx, "image_width"), d.U32(ctx, "image_height")
	got.stride, got.stride2 = d.U32(ctx, "image_stride"), d.U32(ctx, "image_stride_2")
	got.pixels = 0
	if code := d.U32(ctx, "image_pixel_format"); code > 0 && code < int64(len(pixelFormats)) {
		got.pixels = int(code)
	} else {
		bytes, ok := d.Number(ctx, "uint32_t", "image_bytes_per_pixel")
		if !ok {
			bytes = d.U8(ctx, "image_bytes_per_pixel")
		}
		got.pixels = pixelFormatCode(legacyPixels[bytes])
	}
	named := d.Text(ctx, "image_codec_name")
	if named != "" {
		got.codec = named
	}
	if q, ok := d.Number(ctx, "uint32_t", "image_codec_quality"); ok && q <= maxQuality {
		got.quality = q
	}
	enough := got.sized()
	switch spec.format {
	case videoImage:
		enough = enough && got.codec != ""
	case customCodecImage:
		enough = named != "" || enough && got.codec != ""
	}
	if enough {
		*spec = got
	}
	return enough
}

// fill takes the properties of audio from the fields of one data layout, if they are enough.
func (spec *audioSpec) fill(ctx context.Context, d *layout.Data) bool {
	samples, channels, rate := d.U8(ctx, "audio_sample_format"), d.U8(ctx, "audio_channel_count"), d.U32(ctx, "audio_sample_rate")
	if samples == 0 || samples >= int64(len(sampleFormats)) || channels == 0 || rate == 0 {
		return false
	}
	got := *spec
	got.samples, got.channels, got.rate = int(samples), channels, rate
	if got.stride = d.U8(ctx, "audio_sample_stride"); got.stride != 0 {
		if least := got.least(); got.stride < least || got.stride > least+maxPadding*channels {
			return false
		}
	}
	got.format = pcmAudio
	if f, ok := d.Number(ctx, "uint8_t", "audio_format"); ok && f != 0 {
		if f > int64(opusAudio) {
			return false
		}
		got.format = audioFormat(f)
	}
	got.count, got.pairs = d.U32(ctx, "audio_sample_count"), d.U8(ctx, "audio_stereo_pair_count")
	*spec = got
	return true
}

// describe is the image in a few words.
func (s *imageSpec) describe() string {
	var parts []string
	if s.width > 0 && s.height > 0 {
		parts = append(parts, fmt.Sprintf("%d × %d", s.width, s.height))
	}
	if s.pixels > 0 {
		parts = append(parts, pixelFormats[s.pixels].name)
	}
	if s.codec != "" {
		parts = append(parts, s.codec)
	}
	if s.quality != noQuality {
		parts = append(parts, fmt.Sprintf("quality %d", s.quality))
	}
	switch {
	case s.keyIndex == 0:
		parts = append(parts, "key frame")
	case s.keyIndex > 0:
		parts = append(parts, fmt.Sprintf("frame %d after the key frame at %s", s.keyIndex, container.SecondsText(s.keyTime)))
	}
	if len(parts) == 0 {
		return s.format.String()
	}
	return strings.Join(parts, ", ")
}

// describe is the audio in a few words.
func (s *audioSpec) describe() string {
	var parts []string
	if s.channels > 0 {
		parts = append(parts, model.GroupedCount(s.channels, "channel"))
	}
	if s.samples > 0 {
		parts = append(parts, sampleFormats[s.samples].name)
	}
	if s.rate > 0 {
		parts = append(parts, fmt.Sprintf("%d Hz", s.rate))
	}
	if s.pairs > 0 {
		parts = append(parts, model.GroupedCount(s.pairs, "stereo pair"))
	}
	if s.count > 0 {
		parts = append(parts, model.GroupedCount(s.count, "sample frame"))
	}
	if len(parts) == 0 {
		return "nothing tells how the samples are written"
	}
	return strings.Join(parts, ", ")
}

// maxPadding bounds how many times a channel's bytes may be added to a sample frame.
const maxPadding = 3

// videoFormats are the names that ffmpeg has for video without a container, by the name of the codec.
var videoFormats = map[string]string{"h.264": "h264", "h.265": "hevc"}

// legacyPixels are pixel formats by their bytes for each pixel, for recordings that give no format.
var legacyPixels = map[int64]string{1: "grey8", 3: "rgb8", 4: "depth32f", 8: "scalar64F"}
