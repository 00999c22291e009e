package vrs

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"image"
	"io"
	"math"
	"sort"
	"strings"

	"cutaway/decoders/vrs/container"
	"cutaway/decoders/vrs/media"
	"cutaway/model"
	"cutaway/source"
)

// The images or the audio of a stream as a whole.

// A mediaGroup is the first image or audio block of each of some records of a group.
type mediaGroup struct {
	model.CardBase
	r      *recording
	t      *table
	typ    blockType
	coding string
	group  []uint32 // all records of the group
	first  int64    // of those that are the items
	count  int64
	id     container.StreamID
}

var _ model.Media = (*mediaGroup)(nil)

// mediaOf returns the media of the group of records of c, or nil if they have neither images nor audio.
func mediaOf(c *content, group []uint32, first, count int64) []model.Card {
	for k := range c.blocks {
		b := &c.blocks[k]
		coding := b.coding()
		if coding == "" || b.off == b.end {
			continue
		}
		return []model.Card{&mediaGroup{model.CardBase{Title: b.b.typ.String()}, c.r, c.t, b.b.typ, coding, group, first, count, c.stream.id}}
	}
	return nil
}

// groupMedia returns the media of a group of records. The first has the format f.
func (r *recording) groupMedia(ctx context.Context, t *table, f *recordFormat, group []uint32) []model.Card {
	for k := range f.blocks {
		if typ := f.blocks[k].typ; typ == imageBlock || typ == audioBlock {
			c, err := r.content(ctx, t, int64(group[0]))
			if err != nil {
				return nil
			}
			return mediaOf(c, group, 0, int64(len(group)))
		}
	}
	return nil
}

// A mediaGroup is that of the record alone.
func (c *content) media() []model.Card {
	return mediaOf(c, c.t.group(c.stream, c.hdr.Kind()), c.t.Position(c.record), 1)
}

// coding returns the coding of an image or audio, or "" for other blocks.
func (b *blockContent) coding() string {
	switch {
	case b.image != nil && b.image.Format == media.VideoImage, b.image != nil && b.image.Format == media.CustomCodecImage:
		return media.OrUnknown(b.image.Codec)
	case b.image != nil:
		return b.image.Format.String()
	case b.audio != nil:
		return b.audio.Format.String()
	}
	return ""
}

func (m *mediaGroup) Coding() string { return m.coding }

func (m *mediaGroup) Items() int64 { return m.count }

func (m *mediaGroup) Time(i int64) float64 { return m.t.Time[m.group[m.first+i]] }

// block is the block of record k of the group; nil where it has none.
func (m *mediaGroup) block(ctx context.Context, k int64) (*content, *blockContent, error) {
	c, err := m.r.content(ctx, m.t, int64(m.group[k]))
	if err != nil {
		return nil, nil, err
	}
	for i := range c.blocks {
		if b := &c.blocks[i]; b.b.typ == m.typ && b.off < b.end {
			return c, b, nil
		}
	}
	return c, nil, nil
}

// stored returns the span of record k of the group, without a Source if it has none.
func (m *mediaGroup) stored(ctx context.Context, k int64) (model.Span, error) {
	c, b, err := m.block(ctx, k)
	if err != nil || b == nil {
		return model.Span{}, err
	}
	return c.src.Span(b.off, b.end-b.off), nil
}

func (m *mediaGroup) Item(ctx context.Context, i int64) (model.MediaItem, error) {
	digits := len(fmt.Sprint(len(m.group) - 1))
	item := model.MediaItem{Name: fmt.Sprintf("%s-%0*d-%.6f", m.id, digits, m.first+i, m.Time(i))}
	c, b, err := m.block(ctx, m.first+i)
	if err != nil || b == nil {
		return item, err
	}
	item.Stored = c.src.Span(b.off, b.end-b.off)
	if b.image != nil {
		item.Reduced = b.image.Reduced()
	}
	return item, nil
}

func (m *mediaGroup) Pictures(ctx context.Context, first, end int64, give func(i int64, img image.Image, why error) error) error {
	if format := media.VideoFormats[strings.ToLower(m.coding)]; format != "" {
		return m.video(ctx, format, m.first+first, m.first+end, func(k int64, img image.Image, why error) error { return give(k-m.first, img, why) })
	}
	for i := first; i < end && ctx.Err() == nil; i++ {
		img, there, err := m.picture(ctx, m.first+i)
		if !there || ctx.Err() != nil {
			continue
		}
		if err != nil {
			img, err = nil, fmt.Errorf("record [%d] of the stream's: %w", m.first+i, err)
		}
		if err := give(i, img, err); err != nil {
			return err
		}
	}
	return ctx.Err()
}

// picture decodes the picture of record k of the group; there is false where the record has none.
func (m *mediaGroup) picture(ctx context.Context, k int64) (img image.Image, there bool, err error) {
	c, b, err := m.block(ctx, k)
	if err != nil || b == nil {
		return nil, err != nil, err
	}
	img, err = (&media.Picture{At: c.src.Span(b.off, b.end-b.off), Spec: b.image}).Decode(ctx)
	return img, true, err
}

// video decodes records first to end of the group, from the key frame before on.
func (m *mediaGroup) video(ctx context.Context, format string, first, end int64, give func(k int64, img image.Image, why error) error) error {
	at, err := m.keyFrame(ctx, first)
	if err != nil {
		return err
	}
	feed := func(w io.Writer) error { return m.copyStored(ctx, w, at, end, nil) }
	pictures, err := source.FFmpeg(ctx, feed, "-f", format, "-i", "pipe:0", "-f", "image2pipe", "-c:v", "ppm", "pipe:1")
	if err != nil {
		return fmt.Errorf("a frame of %s video: %w", m.coding, err)
	}
	defer func() { _ = pictures.Close() }() // its end is not wanted
	in := bufio.NewReaderSize(pictures, 1<<20)
	for ; at < end; at++ {
		there, err := m.stored(ctx, at)
		if err != nil {
			return err
		}
		if there.Source == nil {
			continue
		}
		img, err := source.ReadPPM(in)
		switch {
		case errors.Is(err, io.EOF):
			img, err = nil, fmt.Errorf("ffmpeg made no picture of record [%d]", at)
		case err != nil:
			return err
		}
		if at < first {
			continue
		}
		if err := give(at, img, err); err != nil {
			return err
		}
	}
	return ctx.Err()
}

// maxLead bounds the records that are searched for a key frame.
const maxLead = 10_000

// keyFrame returns the last record of the group, up to k, where a decoder can begin.
func (m *mediaGroup) keyFrame(ctx context.Context, k int64) (int64, error) {
	for at := k; at >= 0 && k-at < maxLead; at-- {
		c, b, err := m.block(ctx, at)
		switch {
		case err != nil:
			return 0, err
		case b == nil:
			continue
		case b.image.KeyIndex > 0 && b.image.KeyIndex <= at:
			return at - b.image.KeyIndex, nil
		case b.image.KeyIndex == 0:
			return at, nil
		}
		head, err := c.src.Bytes(ctx, b.off, min(b.end-b.off, 4<<10))
		if err != nil {
			return 0, err
		}
		if beginsVideo(m.coding, head) {
			return at, nil
		}
	}
	return 0, nil
}

// beginsVideo reports whether bytes in the form of Annex B have what a decoder begins with: parameters or a key frame.
func beginsVideo(coding string, b []byte) bool {
	start := []byte{0, 0, 1}
	for at := bytes.Index(b, start); at >= 0 && at+3 < len(b); {
		switch unit := b[at+3]; {
		case strings.EqualFold(coding, "H.264"):
			if t := unit & 0x1f; t == 5 || t == 7 {
				return true
			}
		default:
			if t := unit >> 1 & 0x3f; t >= 16 && t <= 21 || t >= 32 && t <= 34 {
				return true
			}
		}
		next := bytes.Index(b[at+3:], start)
		if next < 0 {
			break
		}
		at += 3 + next
	}
	return false
}

// copyStored writes the bytes of records first to end of the group.
func (m *mediaGroup) copyStored(ctx context.Context, w io.Writer, first, end int64, progress model.Progress) error {
	for k := first; k < end; k++ {
		progress.Report(k-first, end-first, "writing the stream")
		at, err := m.stored(ctx, k)
		if err != nil {
			return err
		}
		if at.Source == nil {
			continue
		}
		b, err := at.Source.Bytes(ctx, at.Off, at.Len)
		if err == nil {
			_, err = w.Write(b)
		}
		if err != nil {
			return err
		}
	}
	return ctx.Err()
}

// Stream implements model.Media: video as a decoder takes it, Opus in an Ogg file.
func (m *mediaGroup) Stream(ctx context.Context, w io.Writer, first, end int64, progress model.Progress) error {
	first, end = m.first+first, m.first+end
	switch {
	case m.coding == media.OpusAudio.String():
		return m.ogg(ctx, w, first, end, progress)
	case media.VideoFormats[strings.ToLower(m.coding)] == "":
		return fmt.Errorf("%s is not a stream: each record is a file of its own", m.coding)
	}
	at, err := m.keyFrame(ctx, first)
	if err != nil {
		return err
	}
	return m.copyStored(ctx, w, at, end, progress)
}

func (m *mediaGroup) Sound(ctx context.Context, first, end int64, progress model.Progress) (model.Sound, error) {
	j := &joinedSound{CardBase: m.CardBase, m: m, first: m.first + first, starts: []int64{0}, at: -1}
	for k := j.first; k < m.first+end; k++ {
		progress.Report(k-j.first, end-first, "measuring the sound")
		c, b, err := m.block(ctx, k)
		if err != nil {
			return nil, err
		}
		frames := int64(0)
		if b != nil {
			if frames, err = j.add(ctx, c, b, k); err != nil {
				return nil, err
			}
		}
		j.starts = append(j.starts, j.starts[len(j.starts)-1]+frames)
	}
	if m.coding == media.OpusAudio.String() {
		return j, j.decodeOpus(ctx, m.first+end)
	}
	return j, ctx.Err()
}

// joinedSound is the sound of several records, one after another.
type joinedSound struct {
	model.CardBase
	m        *mediaGroup
	first    int64   // record of the group
	starts   []int64 // frame that each record begins with, and where the last ends
	channels int
	rate     float64
	reduced  string
	current  model.Sound // of record at
	at       int
	decoded  io.ReadCloser // of Opus: samples as ffmpeg makes them
	next     int64         // frame that it gives next
}

var _ model.Sound = (*joinedSound)(nil)

// add adds the audio of record k, and returns how many frames it has.
func (j *joinedSound) add(ctx context.Context, c *content, b *blockContent, k int64) (int64, error) {
	channels, rate := int(b.audio.Channels), float64(b.audio.Rate)
	frames := b.audio.Count
	if b.audio.Format == media.OpusAudio {
		rate = media.OpusRate
		head, err := c.src.Bytes(ctx, b.off, min(b.end-b.off, 2))
		if err != nil {
			return 0, err
		}
		frames = media.OpusFrames(head)
	} else if !b.audio.Plays(c.src.Span(b.off, b.end-b.off)) {
		return 0, fmt.Errorf("the sound of record [%d] cannot be read: %s", k, b.audio.Describe())
	}
	if j.channels == 0 {
		j.channels, j.rate = channels, rate
	}
	j.reduced = cmp.Or(j.reduced, b.audio.Reduced())
	if channels != j.channels || rate != j.rate {
		return 0, fmt.Errorf("the sound changes to %d channels at %v Hz, with record [%d]: write it in parts", channels, rate, k)
	}
	return frames, nil
}

func (j *joinedSound) Channels() int { return j.channels }

func (j *joinedSound) Rate() float64 { return j.rate }

func (j *joinedSound) Frames() int64 { return j.starts[len(j.starts)-1] }

func (j *joinedSound) Reduced() string { return j.reduced }

// Read implements model.Sound: at most to the end of a record.
func (j *joinedSound) Read(ctx context.Context, first int64, dst [][]float32) (int, error) {
	if j.decoded != nil {
		return j.readDecoded(ctx, first, dst)
	}
	k := sort.Search(len(j.starts), func(k int) bool { return j.starts[k] > first }) - 1
	if k < 0 || k == len(j.starts)-1 {
		return 0, nil
	}
	if k != j.at {
		c, b, err := j.m.block(ctx, j.first+int64(k))
		if err != nil {
			return 0, err
		}
		j.current, j.at = &media.Sound{At: c.src.Span(b.off, b.end-b.off), Spec: b.audio}, k
	}
	return j.current.Read(ctx, first-j.starts[k], dst)
}

// decodeOpus begins to decode the packets of the records up to end.
func (j *joinedSound) decodeOpus(ctx context.Context, end int64) error {
	feed := func(w io.Writer) error { return j.m.ogg(ctx, w, j.first, end, nil) }
	out, err := source.FFmpeg(ctx, feed, "-f", "ogg", "-i", "pipe:0", "-f", "f32le", "-ar", fmt.Sprint(media.OpusRate), "pipe:1")
	if err != nil {
		return fmt.Errorf("sound in Opus: %w", err)
	}
	j.decoded = out
	return nil
}

// readDecoded reads what ffmpeg gives, which is in order.
func (j *joinedSound) readDecoded(ctx context.Context, first int64, dst [][]float32) (int, error) {
	if first != j.next {
		return 0, errors.New("the sound is decoded from the beginning to the end only")
	}
	b := make([]byte, 4*len(dst)*len(dst[0]))
	n, err := io.ReadFull(j.decoded, b)
	if n /= 4 * len(dst); n > 0 || errors.Is(err, io.EOF) {
		err = nil
	}
	for i := range n {
		for c := range dst {
			dst[c][i] = math.Float32frombits(binary.LittleEndian.Uint32(b[4*(i*len(dst)+c):]))
		}
	}
	if j.next += int64(n); j.next >= j.Frames() || err != nil || ctx.Err() != nil {
		err = errors.Join(err, ctx.Err(), j.decoded.Close())
	}
	return n, err
}

// cards show an image or audio block.
func (b *blockContent) cards(c *content) []model.Card {
	at := c.src.Span(b.off, b.end-b.off)
	if b.image != nil {
		return media.ImageCards(at, b.image, c.media())
	}
	return media.SoundCards(at, b.audio, c.media())
}

// mediaCards show the first image or audio block of a record.
func (r *recording) mediaCards(ctx context.Context, t *table, i int64) []model.Card {
	if c, err := r.content(ctx, t, i); err == nil {
		for k := range c.blocks {
			if b := &c.blocks[k]; b.image != nil || b.audio != nil {
				return b.cards(c)
			}
		}
	}
	return nil
}

// ogg writes the packets of records first to end of the group.
func (m *mediaGroup) ogg(ctx context.Context, w io.Writer, first, end int64, progress model.Progress) error {
	const begins, ends = 2, 4
	o, frames := media.NewOggPages(w), int64(0)
	for k := first; k < end; k++ {
		progress.Report(k-first, end-first, "writing the stream")
		c, b, err := m.block(ctx, k)
		if err != nil {
			return err
		}
		if b == nil {
			continue
		}
		if o.Number == 0 {
			if err := errors.Join(o.Page(media.OpusHead(b.audio), begins, 0), o.Page([]byte("OpusTags\x07\x00\x00\x00cutaway\x00\x00\x00\x00"), 0, 0)); err != nil {
				return err
			}
		}
		packet, err := c.src.Bytes(ctx, b.off, b.end-b.off)
		if err != nil {
			return err
		}
		flags := byte(0)
		if k == end-1 {
			flags = ends
		}
		frames += media.OpusFrames(packet)
		if err := o.Page(packet, flags, frames); err != nil {
			return err
		}
	}
	return ctx.Err()
}
