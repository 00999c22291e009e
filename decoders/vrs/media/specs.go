package media

import (
	"context"
	"fmt"
	"strings"

	"cutaway/decoders/vrs/container"
	"cutaway/decoders/vrs/layout"
	"cutaway/model"
)

// Descriptions of images and audio, by their formats and by data layouts (chapters 7.2 and 7.7).

// An ImageFormat is the coding of an image block.
type ImageFormat uint8

// The codings of images.
const (
	undefinedImage ImageFormat = iota
	RawImage
	jpgImage
	pngImage
	VideoImage
	jxlImage
	CustomCodecImage
)

// ImageFormatNames are the names of the codings of images.
var ImageFormatNames = [...]string{"undefined", "raw", "jpg", "png", "video", "jxl", "custom_codec"}

func (f ImageFormat) String() string { return ImageFormatNames[f] }

// An AudioFormat is the coding of an audio block.
type AudioFormat uint8

// The codings of audio.
const (
	UndefinedAudio AudioFormat = iota
	PcmAudio
	OpusAudio
)

// AudioFormatNames are the names of the codings of audio.
var AudioFormatNames = [...]string{"undefined", "pcm", "opus"}

func (f AudioFormat) String() string { return AudioFormatNames[f] }

// NoQuality stands for a codec quality that is not given or out of its range.
const NoQuality = -1

// MaxQuality is the best codec quality: lossless.
const MaxQuality = 100

// ImageSpec describes an image; numbers are 0 where they are not given.
type ImageSpec struct {
	Format        ImageFormat
	Width, Height int64
	Stride        int64
	Stride2       int64
	Pixels        int // code of the pixel format
	Codec         string
	Quality       int64 // noQuality: undefined
	KeyTime       float64
	KeyIndex      int64 // 0 for a key frame, or unset
	From          string
	FromRecord    int64 // number of the configuration record that describes the block, or -1
}

// Sized reports whether width, height and pixel format are known.
func (s *ImageSpec) Sized() bool { return s.Width > 0 && s.Height > 0 && s.Pixels > 0 }

// Size returns the bytes of the image.
func (s *ImageSpec) Size() int64 {
	return imageSize(&PixelFormats[s.Pixels], s.Width, s.Height, s.Stride, s.Stride2)
}

// AudioSpec describes audio; numbers are 0 where they are not given.
type AudioSpec struct {
	Format     AudioFormat
	Samples    int   // code of the sample format
	Channels   int64 // interleaved
	Rate       int64 // sample frames a second
	Count      int64 // sample frames in the block
	Stride     int64 // bytes of a sample frame, with padding
	pairs      int64 // stereo pairs
	From       string
	FromRecord int64
}

// Frame is the number of bytes of a sample frame.
func (s *AudioSpec) Frame() int64 {
	if s.Stride > 0 {
		return s.Stride
	}
	return s.least()
}

// least is the number of bytes of a sample frame without padding.
func (s *AudioSpec) least() int64 { return SampleFormats[s.Samples].bytes() * s.Channels }

// Fill takes the properties of an image from the fields of one data layout, if they are enough.
func (s *ImageSpec) Fill(ctx context.Context, d *layout.Data) bool {
	got := *s
	got.Width, got.Height = d.U32(ctx, "image_width"), d.U32(ctx, "image_height")
	got.Stride, got.Stride2 = d.U32(ctx, "image_stride"), d.U32(ctx, "image_stride_2")
	got.Pixels = 0
	if code := d.U32(ctx, "image_pixel_format"); code > 0 && code < int64(len(PixelFormats)) {
		got.Pixels = int(code)
	} else {
		bytes, ok := d.Number(ctx, "uint32_t", "image_bytes_per_pixel")
		if !ok {
			bytes = d.U8(ctx, "image_bytes_per_pixel")
		}
		got.Pixels = PixelFormatCode(legacyPixels[bytes])
	}
	named := d.Text(ctx, "image_codec_name")
	if named != "" {
		got.Codec = named
	}
	if q, ok := d.Number(ctx, "uint32_t", "image_codec_quality"); ok && q <= MaxQuality {
		got.Quality = q
	}
	enough := got.Sized()
	switch s.Format {
	case VideoImage:
		enough = enough && got.Codec != ""
	case CustomCodecImage:
		enough = named != "" || enough && got.Codec != ""
	}
	if enough {
		*s = got
	}
	return enough
}

// Fill takes the properties of audio from the fields of one data layout, if they are enough.
func (s *AudioSpec) Fill(ctx context.Context, d *layout.Data) bool {
	samples, channels, rate := d.U8(ctx, "audio_sample_format"), d.U8(ctx, "audio_channel_count"), d.U32(ctx, "audio_sample_rate")
	if samples == 0 || samples >= int64(len(SampleFormats)) || channels == 0 || rate == 0 {
		return false
	}
	got := *s
	got.Samples, got.Channels, got.Rate = int(samples), channels, rate
	if got.Stride = d.U8(ctx, "audio_sample_stride"); got.Stride != 0 {
		if least := got.least(); got.Stride < least || got.Stride > least+maxPadding*channels {
			return false
		}
	}
	got.Format = PcmAudio
	if f, ok := d.Number(ctx, "uint8_t", "audio_format"); ok && f != 0 {
		if f > int64(OpusAudio) {
			return false
		}
		got.Format = AudioFormat(f)
	}
	got.Count, got.pairs = d.U32(ctx, "audio_sample_count"), d.U8(ctx, "audio_stereo_pair_count")
	*s = got
	return true
}

// Describe is the image in a few words.
func (s *ImageSpec) Describe() string {
	var parts []string
	if s.Width > 0 && s.Height > 0 {
		parts = append(parts, fmt.Sprintf("%d × %d", s.Width, s.Height))
	}
	if s.Pixels > 0 {
		parts = append(parts, PixelFormats[s.Pixels].Name)
	}
	if s.Codec != "" {
		parts = append(parts, s.Codec)
	}
	if s.Quality != NoQuality {
		parts = append(parts, fmt.Sprintf("quality %d", s.Quality))
	}
	switch {
	case s.KeyIndex == 0:
		parts = append(parts, "key frame")
	case s.KeyIndex > 0:
		parts = append(parts, fmt.Sprintf("frame %d after the key frame at %s", s.KeyIndex, container.SecondsText(s.KeyTime)))
	}
	if len(parts) == 0 {
		return s.Format.String()
	}
	return strings.Join(parts, ", ")
}

// Describe is the audio in a few words.
func (s *AudioSpec) Describe() string {
	var parts []string
	if s.Channels > 0 {
		parts = append(parts, model.GroupedCount(s.Channels, "channel"))
	}
	if s.Samples > 0 {
		parts = append(parts, SampleFormats[s.Samples].Name)
	}
	if s.Rate > 0 {
		parts = append(parts, fmt.Sprintf("%d Hz", s.Rate))
	}
	if s.pairs > 0 {
		parts = append(parts, model.GroupedCount(s.pairs, "stereo pair"))
	}
	if s.Count > 0 {
		parts = append(parts, model.GroupedCount(s.Count, "sample frame"))
	}
	if len(parts) == 0 {
		return "nothing tells how the samples are written"
	}
	return strings.Join(parts, ", ")
}

// maxPadding bounds how many times a channel's bytes may be added to a sample frame.
const maxPadding = 3

// VideoFormats are the names that ffmpeg has for video without a container, by the name of the codec.
var VideoFormats = map[string]string{"h.264": "h264", "h.265": "hevc"}

// legacyPixels are pixel formats by their bytes for each pixel, for recordings that give no format.
var legacyPixels = map[int64]string{1: "grey8", 3: "rgb8", 4: "depth32f", 8: "scalar64F"}
