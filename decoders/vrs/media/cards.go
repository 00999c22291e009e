// Package media makes pictures and sound of the blocks of VRS records. The chapters named in comments are those of docs/formats/vrs.md.
package media

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"image/jpeg"
	"image/png"
	"io"
	"strings"

	"cutaway/decoders/vrs/container"
	"cutaway/model"
)

// Pictures of image blocks and the sound of audio blocks.

// ImageCards show an image block; one that cannot be decoded says why.
func ImageCards(at model.Span, s *ImageSpec, all []model.Card) []model.Card {
	if at.Len == 0 {
		return nil
	}
	return append([]model.Card{&Picture{model.CardBase{Title: "image"}, at, s, all}}, all...)
}

// A Picture is the card of an image block.
type Picture struct {
	model.CardBase
	At   model.Span
	Spec *ImageSpec
	all  []model.Card // the media that it is the only item of, by which video is decoded
}

var _ model.Picture = (*Picture)(nil)

// Rule returns why the image may not be decoded, or "".
func (p *Picture) Rule() string {
	coded, as := p.Spec.Format.String(), p.Spec.Describe()
	if p.Spec.Format == RawImage || as == coded { // nothing else is known
		return as
	}
	return coded + ", " + as
}

// Reduced returns what the picture lacks of the stored numbers.
func (p *Picture) Reduced() string { return p.Spec.Reduced() }

// maxPixels bounds what is decoded for a preview.
const maxPixels = 64 << 20

// Decode decodes the image.
func (p *Picture) Decode(ctx context.Context) (image.Image, error) {
	switch p.Spec.Format {
	case RawImage:
		b, err := p.raw(ctx)
		if err != nil {
			return nil, err
		}
		return decodePixels(p.Spec, b)
	case jpgImage, pngImage:
		return p.coded(ctx)
	case VideoImage:
		return p.frame(ctx)
	case jxlImage:
		return nil, fmt.Errorf("a JPEG XL image; this codec is not decoded here")
	case CustomCodecImage:
		return nil, fmt.Errorf("an image of the private codec %s; it is not decoded here", OrUnknown(p.Spec.Codec))
	default:
		return nil, fmt.Errorf("the record format does not say how the image is written")
	}
}

// bytes is the bytes of the image.
func (p *Picture) bytes(ctx context.Context) ([]byte, error) {
	if p.At.Len > container.MaxInflated {
		return nil, fmt.Errorf("the image has %s, more than is decoded for a preview", model.GroupedCount(p.At.Len, "byte"))
	}
	b, err := p.At.Source.Bytes(ctx, p.At.Off, p.At.Len)
	return b, errors.Join(err, ctx.Err())
}

// raw is the bytes of raw pixels: as many as their format needs.
func (p *Picture) raw(ctx context.Context) ([]byte, error) {
	if !p.Spec.Sized() || p.Spec.Size() != p.At.Len {
		return nil, fmt.Errorf("the size of the image is not known")
	}
	if p.Spec.Width*p.Spec.Height > maxPixels {
		return nil, fmt.Errorf("the image has more than %s, too many for a preview", model.GroupedCount(maxPixels, "pixel"))
	}
	return p.bytes(ctx)
}

// frame decodes a frame of video.
func (p *Picture) frame(ctx context.Context) (img image.Image, err error) {
	if VideoFormats[strings.ToLower(p.Spec.Codec)] == "" || len(p.all) == 0 {
		return nil, fmt.Errorf("a frame of %s video; its pictures are not decoded here", OrUnknown(p.Spec.Codec))
	}
	err = p.all[0].(model.Media).Pictures(ctx, 0, 1, func(_ int64, made image.Image, why error) error {
		img = made
		return why
	})
	return img, err
}

// OrUnknown returns the name of a codec in words.
func OrUnknown(codec string) string {
	if codec == "" {
		return "unknown"
	}
	return codec
}

// coded decodes a JPEG or PNG file.
func (p *Picture) coded(ctx context.Context) (image.Image, error) {
	b, err := p.bytes(ctx)
	if err != nil {
		return nil, err
	}
	config, decode := jpeg.DecodeConfig, decodeJPEG
	if p.Spec.Format == pngImage {
		config, decode = png.DecodeConfig, png.Decode
	}
	head, err := config(bytes.NewReader(b))
	if err != nil {
		return nil, err
	}
	if int64(head.Width)*int64(head.Height) > maxPixels {
		return nil, fmt.Errorf("the image claims %d × %d pixels, too many for a preview", head.Width, head.Height)
	}
	return decode(bytes.NewReader(b))
}

// SoundCards show an audio block.
func SoundCards(at model.Span, s *AudioSpec, all []model.Card) []model.Card {
	switch {
	case at.Len == 0:
		return nil
	case s.Plays(at):
		return append([]model.Card{&Sound{model.CardBase{Title: "audio"}, at, s}}, all...)
	}
	return append([]model.Card{&note{model.CardBase{Title: "audio"}, fmt.Sprintf("%s audio: %s", s.Format, s.undecoded())}}, all...)
}

// Plays reports whether the bytes are samples that can be read.
func (s *AudioSpec) Plays(at model.Span) bool {
	return s.Format == PcmAudio && s.Count > 0 && s.Frame()*s.Count == at.Len && s.Frame() >= s.least()
}

// undecoded says why the samples are not shown.
func (s *AudioSpec) undecoded() string {
	if s.Format == OpusAudio {
		return s.Describe() + "; the packets need those before them: export the stream, as wav where ffmpeg is on the PATH, or as opus"
	}
	return s.Describe()
}

// note is a card of words.
type note struct {
	model.CardBase
	text string
}

var _ model.Words = (*note)(nil)

func (n *note) WriteText(_ context.Context, w io.Writer, _ *model.Omissions) error {
	_, err := io.WriteString(w, n.text)
	return err
}

// A Sound is the card of an audio block.
type Sound struct {
	model.CardBase
	At   model.Span
	Spec *AudioSpec
}

var _ model.Sound = (*Sound)(nil)

// Channels returns the number of channels.
func (s *Sound) Channels() int { return int(s.Spec.Channels) }

// Rate returns the sample frames in a second.
func (s *Sound) Rate() float64 { return float64(s.Spec.Rate) }

// Frames returns the number of sample frames.
func (s *Sound) Frames() int64 { return s.Spec.Count }

// Reduced returns what the sound lacks of the stored numbers.
func (s *Sound) Reduced() string { return s.Spec.Reduced() }

// Reduced says what of the samples floats of 32 bits lack.
func (s *AudioSpec) Reduced() string {
	f := &SampleFormats[s.Samples]
	if s.Format != PcmAudio || f.Number == nil || f.bytes() < 4 || strings.HasPrefix(f.Name, "float32") {
		return ""
	}
	return "samples of " + f.Name + " are rounded to floats of 32 bits"
}

func (s *Sound) Read(ctx context.Context, first int64, dst [][]float32) (int, error) {
	if len(dst) == 0 || first < 0 || first >= s.Spec.Count {
		return 0, nil
	}
	n := min(int64(len(dst[0])), s.Spec.Count-first)
	frame, format := s.Spec.Frame(), &SampleFormats[s.Spec.Samples]
	b, err := s.At.Source.Bytes(ctx, s.At.Off+first*frame, n*frame)
	if err != nil {
		return 0, err
	}
	for i := range n {
		for c := range dst {
			dst[c][i] = sampleLevel(format, b[i*frame+int64(c)*format.bytes():])
		}
	}
	return int(n), ctx.Err()
}

// sampleLevel is a sample in -1 … 1.
func sampleLevel(f *SampleFormat, b []byte) float32 {
	level, _ := f.Number.Number(b, false).Float()
	switch {
	case strings.HasPrefix(f.Name, "float"):
		return float32(level)
	case f.Name == "uint8alaw":
		return float32(alaw(b[0])) / (1 << 15)
	case f.Name == "uint8mulaw":
		return float32(mulaw(b[0])) / (1 << 15)
	}
	half := float64(int64(1) << (8*f.bytes() - 1))
	if f.Name[0] == 'u' {
		level -= half
	}
	return float32(level / half)
}

// alaw expands a sample of G.711 A-law to 16 bits.
func alaw(b byte) int16 {
	b ^= 0x55
	exponent, mantissa := b>>4&7, int16(b&15)
	level := mantissa<<4 + 8
	if exponent > 0 {
		level = (level + 0x100) << (exponent - 1)
	}
	if b&0x80 == 0 {
		return -level
	}
	return level
}

// mulaw expands a sample of G.711 µ-law to 16 bits.
func mulaw(b byte) int16 {
	const bias = 0x84
	b = ^b
	level := (int16(b&15)<<3+bias)<<(b>>4&7) - bias
	if b&0x80 != 0 {
		return -level
	}
	return level
}
