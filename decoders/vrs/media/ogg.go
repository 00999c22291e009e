package media

import (
	"fmt"
	"io"
)

// Opus packets in an Ogg file (RFC 3533 and 7845).

// OpusRate is the rate that Opus counts frames in, whatever was recorded.
const OpusRate = 48000

// OpusFrames returns the number of frames of a packet, by its first bytes (RFC 6716, chapter 3.1).
func OpusFrames(b []byte) int64 {
	if len(b) == 0 {
		return 0
	}
	config, frames := b[0]>>3, int64(1)
	switch b[0] & 3 {
	case 1, 2:
		frames = 2
	case 3:
		if len(b) < 2 {
			return 0
		}
		frames = int64(b[1] & 0x3f)
	}
	const millisecond = OpusRate / 1000
	switch {
	case config < 12:
		return frames * [...]int64{10, 20, 40, 60}[config%4] * millisecond
	case config < 16:
		return frames * [...]int64{10, 20}[config%2] * millisecond
	}
	return frames * (5 * millisecond / 2) << (config % 4)
}

// OggPages writes the pages of one stream.
type OggPages struct {
	w      io.Writer
	Number uint32
}

// OggCRC is the checksum of a page: polynomial 04c11db7, from the high bit on.
func OggCRC(b []byte) (crc uint32) {
	for _, c := range b {
		crc ^= uint32(c) << 24
		for range 8 {
			carry := crc>>31 == 1
			if crc <<= 1; carry {
				crc ^= 0x04c11db7
			}
		}
	}
	return crc
}

// NewOggPages returns a writer of the pages of a stream.
func NewOggPages(w io.Writer) *OggPages { return &OggPages{w: w} }

// Page writes a page with one packet, after which so many frames are complete.
func (o *OggPages) Page(packet []byte, flags byte, frames int64) error {
	const most = 255 * 255
	if len(packet) >= most {
		return fmt.Errorf("an Opus packet of %d bytes does not fit into a page of Ogg", len(packet))
	}
	b := append([]byte("OggS\x00"), flags)
	b = le.AppendUint64(b, uint64(frames))
	b = le.AppendUint32(b, 1) // the stream's number
	b = le.AppendUint32(b, o.Number)
	b = append(b, 0, 0, 0, 0, byte(len(packet)/255+1))
	for range len(packet) / 255 {
		b = append(b, 255)
	}
	b = append(append(b, byte(len(packet)%255)), packet...)
	le.PutUint32(b[22:], OggCRC(b))
	o.Number++
	_, err := o.w.Write(b)
	return err
}

// OpusHead returns the header of the stream. More than two channels have no places; pairs are coded together.
func OpusHead(s *AudioSpec) []byte {
	b := append([]byte("OpusHead\x01"), byte(s.Channels))
	b = le.AppendUint16(b, 0) // frames to skip: all were recorded
	b = le.AppendUint32(b, uint32(s.Rate))
	b = le.AppendUint16(b, 0) // gain
	if s.Channels <= 2 {
		return append(b, 0)
	}
	pairs := min(s.pairs, s.Channels/2)
	b = append(b, 255, byte(s.Channels-pairs), byte(pairs))
	for c := range s.Channels {
		b = append(b, byte(c))
	}
	return b
}
