package vrs

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

// imageCards show an image block; one that cannot be decoded says why.
func imageCards(at model.Span, s *imageSpec, all []model.Card) []model.Card {
	if at.Len == 0 {
		return nil
	}
	return append([]model.Card{&picture{model.CardBase{Title: "image"}, at, s, all}}, all...)
}

type picture struct {
	model.CardBase
	at   model.Span
	spec *imageSpec
	all  []model.Card // the media that it is the only item of, by which video is decoded
}

var _ model.Picture = (*picture)(nil)

func (p *picture) Rule() string {
	coded, as := p.spec.format.String(), p.spec.describe()
	if p.spec.format == rawImage || as == coded { // nothing else is known
		return as
	}
	return coded + ", " + as
}

func (p *picture) Reduced() string { return p.spec.reduced() }

// maxPixels bounds what is decoded for a preview.
const maxPixels = 64 << 20

func (p *picture) Decode(ctx context.Context) (image.Image, error) {
	switch p.spec.format {
	case rawImage:
		b, err := p.raw(ctx)
		if err != nil {
			return nil, err
		}
		return decodePixels(p.spec, b)
	case jpgImage, pngImage:
		return p.coded(ctx)
	case videoImage:
		return p.frame(ctx)
	case jxlImage:
		return nil, fmt.Errorf("a JPEG XL image; this codec is not decoded here")
	case customCodecImage:
		return nil, fmt.Errorf("an image of the private codec %s; it is not decoded here", orUnknown(p.spec.codec))
	default:
		return nil, fmt.Errorf("the record format does not say how the image is written")
	}
}

// bytes is the bytes of the image.
func (p *picture) bytes(ctx context.Context) ([]byte, error) {
	if p.at.Len > container.MaxInflated {
		return nil, fmt.Errorf("the image has %s, more than is decoded for a preview", model.GroupedCount(p.at.Len, "byte"))
	}
	b, err := p.at.Source.Bytes(ctx, p.at.Off, p.at.Len)
	return b, errors.Join(err, ctx.Err())
}

// raw is the bytes of raw pixels: as many as their format needs.
func (p *picture) raw(ctx context.Context) ([]byte, error) {
	if !p.spec.sized() || p.spec.size() != p.at.Len {
		return nil, fmt.Errorf("the size of the image is not known")
	}
	if p.spec.width*p.spec.height > maxPixels {
		return nil, fmt.Errorf("the image has more than %s, too many for a preview", model.GroupedCount(maxPixels, "pixel"))
	}
	return p.bytes(ctx)
}

// frame decodes a frame of video.
func (p *picture) frame(ctx context.Context) (img image.Image, err error) {
	if videoFormats[strings.ToLower(p.spec.codec)] == "" || len(p.all) == 0 {
		return nil, fmt.Errorf("a frame of %s video; its pictures are not decoded here", orUnknown(p.spec.codec))
	}
	err = p.all[0].(model.Media).Pictures(ctx, 0, 1, func(_ int64, made image.Image, why error) error {
		img = made
		return why
	})
	return img, err
}

func orUnknown(codec string) string {
	if codec == "" {
		return "unknown"
	}
	return codec
}

// coded decodes a JPEG or PNG file.
func (p *picture) coded(ctx context.Context) (image.Image, error) {
	b, err := p.bytes(ctx)
	if err != nil {
		return nil, err
	}
	config, decode := jpeg.DecodeConfig, decodeJPEG
	if p.spec.format == pngImage {
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

// soundCards show an audio block.
func soundCards(at model.Span, s *audioSpec, all []model.Card) []model.Card {
	switch {
	case at.Len == 0:
		return nil
	case s.plays(at):
		return append([]model.Card{&sound{model.CardBase{Title: "audio"}, at, s}}, all...)
	}
	return append([]model.Card{&note{model.CardBase{Title: "audio"}, fmt.Sprintf("%s audio: %s", s.format, s.undecoded())}}, all...)
}

// plays reports whether the bytes are samples that can be read.
func (s *audioSpec) plays(at model.Span) bool {
	return s.format == pcmAudio && s.count > 0 && s.frame()*s.count == at.Len && s.frame() >= s.least()
}

// undecoded says why the samples are not shown.
func (s *audioSpec) undecoded() string {
	if s.format == opusAudio {
		return s.describe() + "; the packets need those before them: export the stream, as wav where ffmpeg is on the PATH, or as opus"
	}
	return s.describe()
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

type sound struct {
	model.CardBase
	at   model.Span
	spec *audioSpec
}

var _ model.Sound = (*sound)(nil)

func (s *sound) Channels() int { return int(s.spec.channels) }

func (s *sound) Rate() float64 { return float64(s.spec.rate) }

func (s *sound) Frames() int64 { return s.spec.count }

func (s *sound) Reduced() string { return s.spec.reduced() }

// reduced says what of the samples floats of 32 bits lack.
func (s *audioSpec) reduced() string {
	f := &sampleFormats[s.samples]
	if s.format != pcmAudio || f.number == nil || f.bytes() < 4 || strings.HasPrefix(f.name, "float32") {
		return ""
	}
	return "samples of " + f.name + " are rounded to floats of 32 bits"
}

func (s *sound) Read(ctx context.Context, first int64, dst [][]float32) (int, error) {
	if len(dst) == 0 || first < 0 || first >= s.spec.count {
		return 0, nil
	}
	n := min(int64(len(dst[0])), s.spec.count-first)
	frame, format := s.spec.frame(), &sampleFormats[s.spec.samples]
	b, err := s.at.Source.Bytes(ctx, s.at.Off+first*frame, n*frame)
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
func sampleLevel(f *sampleFormat, b []byte) float32 {
	level, _ := f.number.Number(b, false).Float()
	switch {
	case strings.HasPrefix(f.name, "float"):
		return float32(level)
	case f.name == "uint8alaw":
		return float32(alaw(b[0])) / (1 << 15)
	case f.name == "uint8mulaw":
		return float32(mulaw(b[0])) / (1 << 15)
	}
	half := float64(int64(1) << (8*f.bytes() - 1))
	if f.name[0] == 'u' {
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
