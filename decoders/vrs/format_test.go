package vrs

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"cutaway/decoders/decodertest"
	"cutaway/decoders/vrs/container"
	"cutaway/decoders/vrs/layout"
	"cutaway/decoders/vrs/media"
)

// describeBlock writes what was understood of a block.
func describeBlock(b *block) string {
	s := b.typ.String()
	if b.size != container.Unset {
		s += fmt.Sprintf(" size=%d", b.size)
	}
	switch b.typ {
	case imageBlock:
		s += " " + b.image.Format.String()
		if b.image.Width != 0 || b.image.Pixels != 0 || b.image.Codec != "" || b.image.Quality != media.NoQuality || b.image.KeyIndex != container.Unset {
			s += " " + b.image.Describe()
		}
		if b.image.Stride != 0 || b.image.Stride2 != 0 {
			s += fmt.Sprintf(" strides %d %d", b.image.Stride, b.image.Stride2)
		}
	case audioBlock:
		s += fmt.Sprintf(" %s %s %d×%d @%d n%d", b.audio.Format, media.SampleFormats[b.audio.Samples].Name, b.audio.Channels, b.audio.Stride, b.audio.Rate, b.audio.Count)
	}
	if b.name != "" {
		s += " " + b.name
	}
	if b.unknown != nil {
		s += fmt.Sprintf(" unknown %q", b.unknown)
	}
	if n := b.static(); n != container.Unset {
		s += fmt.Sprintf(" = %d", n)
	}
	return s
}

func TestFormatGrammar(t *testing.T) {
	for text, want := range map[string]string{
		"data_layout":                                          "data_layout",
		"data_layout/size=79":                                  "data_layout size=79 = 79",
		"data_layout/size=24+image/raw":                        "data_layout size=24 = 24 + image raw",
		"data_layout+image/video/codec=H.265":                  "data_layout + image video H.265",
		"data_layout+audio/opus/int16le/channels=8/rate=16000": "data_layout + audio opus int16le 8×0 @16000 n0",
		"audio/pcm/int16le/channels=1/rate=44100":              "audio pcm int16le 1×0 @44100 n0",
		"audio/pcm/int24be/channels=2/samples=10":              "audio pcm int24be 2×0 @0 n10 = 60",
		"audio/pcm/int24be/channels=2/samples=10/stride=8":     "audio pcm int24be 2×8 @0 n10 = 80",
		"audio/pcm/int16le/channels=300":                       `audio pcm int16le 0×0 @0 n0 unknown ["channels=300"]`,
		"image/raw/640x480/pixel=grey8":                        "image raw 640 × 480, grey8 = 307200",
		"image/raw/640x480/pixel=grey8/stride=700":             "image raw 640 × 480, grey8 strides 700 0 = 336000",
		"image/raw/3x2/pixel=yuv_420_nv12/stride=4/stride_2=6": "image raw 3 × 2, yuv_420_nv12 strides 4 6 = 14",
		"image/raw/640x480/pixel=grb8":                         `image raw 640 × 480 unknown ["pixel=grb8"]`,
		"image/raw/pixel=rgb8/2x2/pixel=bgr8/4x4":              "image raw 2 × 2, rgb8 = 12",
		"image/raw/stride=12abc":                               "image raw strides 12 0",
		"image/custom_codec/codec=a%2Fb%20c/codec_quality=90":  "image custom_codec a/b c, quality 90",
		"image/jpg/codec_quality=101":                          "image jpg",
		"image/video/keyframe_timestamp=1.5/keyframe_index=2":  "image video frame 2 after the key frame at 1.5 s",
		"image/size=10/png":                                    "image size=10 png = 10",
		"image/png/size=10":                                    `image png unknown ["size=10"]`,
		"image":                                                "image undefined",
		"image/gif":                                            `image undefined unknown ["gif"]`,
		"custom/format=my blob/x+y":                            `custom my_blob unknown ["x"] + custom unknown ["y"]`,
		"custom/size=2":                                        "custom size=2 = 2",
		"datalayout":                                           `custom unknown ["datalayout"]`,
		"":                                                     `custom unknown [""]`,
		"Image/raw":                                            `custom unknown ["Image" "raw"]`,
		"empty":                                                "",
		"custom+empty+empty":                                   "custom",
		"empty+custom":                                         "empty = 0 + custom",
		"image//raw":                                           "image undefined",
		"image/raw/":                                           "image raw",
	} {
		var parts []string
		for _, b := range parseFormat(text) {
			parts = append(parts, describeBlock(&b))
		}
		if got := strings.Join(parts, " + "); got != want {
			t.Errorf("%q is\n  %s, want\n  %s", text, got, want)
		}
	}
}

func TestHugeImage(t *testing.T) {
	b := parseFormat("image/raw/4294967295x4294967295/pixel=rgba32F/stride=4294967295")[0]
	if n := b.static(); n < math.MaxUint32 {
		t.Error(n)
	}
}

func TestLanguages(t *testing.T) {
	decodertest.Language(t, Format, container.FileLanguage, 12)
	decodertest.Language(t, Format, layout.FieldLanguage, 0)
}
