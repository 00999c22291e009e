package export

import (
	"bufio"
	"context"
	"encoding/binary"
	"fmt"
	"image/png"
	"io"
	"math"

	"cutaway/model"
)

// Card writes a card of the node at p in its own form: a table or series as CSV, a picture as PNG, sound as WAV with
// 32-bit floats, a listing or words as text.
func Card(ctx context.Context, w io.Writer, r *Request, p *model.Place, card model.Card) error {
	switch c := card.(type) {
	case model.Table:
		g, err := tableGrid(ctx, c)
		if err != nil {
			return err
		}
		return writeGrids(ctx, w, []*grid{g}, r)
	case model.Series:
		return writeGrids(ctx, w, []*grid{seriesGrid(c)}, r)
	case model.Picture:
		img, err := c.Decode(ctx)
		if err != nil {
			return err
		}
		if less := c.Reduced(); less != "" {
			r.reduce(p, "%s", less)
		}
		return png.Encode(w, img)
	case model.Sound:
		return wave(ctx, w, r, p, c)
	case model.Listing:
		return listing(ctx, w, c)
	case model.Words:
		lines := &lineWriter{Writer: w}
		if err := writeWords(ctx, lines, r.Omitted, p, c); err != nil {
			return err
		}
		return lines.end()
	}
	return fmt.Errorf("%s cannot be written", card.CardTitle())
}

// wave writes the sound of the node at p as Wave does, and records the reduction of its samples.
func wave(ctx context.Context, w io.Writer, r *Request, p *model.Place, s model.Sound) error {
	if less := s.Reduced(); less != "" {
		r.reduce(p, "%s", less)
	}
	if whole := math.Round(s.Rate()); whole != s.Rate() {
		r.reduce(p, "%s frames a second are %v", model.FormatFloat(s.Rate(), 64), whole)
	}
	return Wave(ctx, w, s, false)
}

// Wave writes a RIFF file with the little-endian chunks "fmt ", "fact" (number of frames) and "data". Samples are IEEE
// floats, or 16-bit integers if short, which every player supports.
func Wave(ctx context.Context, w io.Writer, s model.Sound, short bool) error {
	const headers, pcm, float = 50, 1, 3
	sample, format := 4, uint16(float)
	if short {
		sample, format = 2, pcm
	}
	channels, frames := s.Channels(), s.Frames()
	if channels < 1 || channels > math.MaxUint16/sample || frames < 0 || frames > (math.MaxUint32-headers)/int64(channels*sample) {
		return fmt.Errorf("%d frames of %d channels do not fit into a WAV file", frames, channels)
	}
	frame := channels * sample
	data := uint32(frames) * uint32(frame)
	rate := uint32(math.Round(s.Rate()))
	le := binary.LittleEndian
	head := append([]byte("RIFF"), le.AppendUint32(nil, headers+data)...)
	head = append(head, "WAVEfmt "...)
	head = le.AppendUint32(head, 18)
	head = le.AppendUint16(head, format)
	head = le.AppendUint16(head, uint16(channels))
	head = le.AppendUint32(head, rate)
	head = le.AppendUint32(head, rate*uint32(frame))
	head = le.AppendUint16(head, uint16(frame))
	head = le.AppendUint16(head, uint16(sample*8))
	head = le.AppendUint16(head, 0) // size of the format's extension
	head = append(head, "fact"...)
	head = le.AppendUint32(head, 4)
	head = le.AppendUint32(head, uint32(frames))
	head = append(head, "data"...)
	head = le.AppendUint32(head, data)
	out := bufio.NewWriterSize(w, flushAt)
	if _, err := out.Write(head); err != nil {
		return err
	}
	if err := waveData(ctx, out, s, short); err != nil {
		return err
	}
	return out.Flush()
}

// waveData writes interleaved frames, a window at a time.
func waveData(ctx context.Context, out *bufio.Writer, s model.Sound, short bool) error {
	channels, frames := s.Channels(), s.Frames()
	window := make([][]float32, channels)
	for c := range window {
		window[c] = make([]float32, Window)
	}
	var buf []byte
	for first := int64(0); first < frames; {
		if err := ctx.Err(); err != nil {
			return err
		}
		want := make([][]float32, channels)
		for c := range want {
			want[c] = window[c][:min(Window, frames-first)]
		}
		n, err := s.Read(ctx, first, want)
		if err != nil {
			return err
		}
		if n == 0 {
			return fmt.Errorf("the sound ends after %d of %d frames: %w", first, frames, io.ErrUnexpectedEOF)
		}
		buf = buf[:0]
		for i := range n {
			for c := range channels {
				if v := want[c][i]; short {
					buf = binary.LittleEndian.AppendUint16(buf, uint16(int16(min(max(v, -1), 1)*math.MaxInt16)))
				} else {
					buf = binary.LittleEndian.AppendUint32(buf, math.Float32bits(v))
				}
			}
		}
		if _, err := out.Write(buf); err != nil {
			return err
		}
		first += int64(n)
	}
	return nil
}
