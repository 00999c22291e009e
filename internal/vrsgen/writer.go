// Package vrsgen writes VRS recordings for tests, from the specification docs/formats/vrs.md. It shares nothing
// with the decoder.
package vrsgen

import (
	"bytes"
	"encoding/binary"
	"math"

	"github.com/klauspost/compress/zstd"
	"github.com/pierrec/lz4/v4"
)

// A Tag is a pair of texts.
type Tag struct{ Name, Value string }

// A Stream is one stream with its tags.
type Stream struct {
	Type      int32
	Instance  uint16
	User, VRS []Tag
}

// Kind is a record's type.
type Kind uint8

// The record types.
const (
	State         Kind = 1
	Configuration Kind = 2
	Data          Kind = 3
	Tags          Kind = 4
)

// Compression is the coding of a payload.
type Compression uint8

// The compressions.
const (
	None Compression = 0
	LZ4  Compression = 1
	Zstd Compression = 2
)

// A Record is one record. Its payload is compressed when it is written.
type Record struct {
	Stream      int // number in File.Streams
	Kind        Kind
	Version     uint32
	Time        float64
	Payload     []byte
	Compression Compression
}

// Place is the position of the index in a file.
type Place int

// The places of an index.
const (
	NoIndex    Place = iota // a recording that was not closed
	AtEnd                   // as files recorded live have it
	InFront                 // reserved, with room to spare
	StaleFront              // reserved too small, so that the one that counts is at the end
)

// A File is a recording to be written.
type File struct {
	Version          string // VRS1 where empty
	HeaderSize       int    // 80 where 0
	RecordHeaderSize int    // 32 where 0
	FileTags         []Tag
	Streams          []Stream
	Records          []Record
	Index            Place
	PlainIndex       bool // not compressed
}

// Offsets are those of the parts of the file that was written.
type Offsets struct {
	Description int64
	Records     []int64
	Index       int64 // the one that counts, or 0
}

var le = binary.LittleEndian

const (
	indexType       = 1
	descriptionType = 2
	infoSize        = 19
	reserve         = 64 // bytes of a front index that are not used
)

type out struct {
	f    *File
	b    []byte
	prev uint32
}

// Bytes writes the file.
func (f *File) Bytes() ([]byte, Offsets) {
	if f.Version == "" {
		f.Version = "VRS1"
	}
	f.HeaderSize, f.RecordHeaderSize = max(f.HeaderSize, 80), max(f.RecordHeaderSize, 32)
	w := &out{f: f, b: make([]byte, f.HeaderSize)}
	var at Offsets
	at.Description = int64(len(w.b))
	w.record(descriptionType, 0, Data, 2, math.MaxFloat64, f.description(), nil, None)

	var infos []byte
	records := make([][]byte, len(f.Records))
	for i := range f.Records {
		r := &f.Records[i]
		s := &f.Streams[r.Stream]
		stored := compress(r.Payload, r.Compression)
		records[i] = stored
		infos = appendInfo(infos, *s, r, f.RecordHeaderSize+len(stored))
	}
	first := int64(0)
	switch f.Index {
	case InFront:
		at.Index = int64(len(w.b))
		w.index(infos, reserve)
		first = int64(len(w.b))
	case StaleFront:
		w.index(infos[:infoSize], reserve)
		first = int64(len(w.b))
	}
	for i := range f.Records {
		r := &f.Records[i]
		s := &f.Streams[r.Stream]
		at.Records = append(at.Records, int64(len(w.b)))
		w.record(s.Type, s.Instance, r.Kind, r.Version, r.Time, r.Payload, records[i], r.Compression)
	}
	if f.Index == AtEnd || f.Index == StaleFront {
		at.Index = int64(len(w.b))
		w.index(infos, 0)
	}
	copy(w.b, "VisionRe")
	le.PutUint64(w.b[8:], 1_700_000_000_000_000_000)
	le.PutUint32(w.b[16:], uint32(f.HeaderSize))
	le.PutUint32(w.b[20:], uint32(f.RecordHeaderSize))
	le.PutUint64(w.b[24:], uint64(at.Index))
	le.PutUint64(w.b[32:], uint64(at.Description))
	le.PutUint64(w.b[40:], uint64(first))
	copy(w.b[72:], "cord")
	copy(w.b[76:], f.Version)
	return w.b, at
}

// header appends a record header.
func (w *out) header(typ int32, instance uint16, kind Kind, version uint32, time float64, size uint32, c Compression, inflated uint32) {
	w.b = le.AppendUint32(w.b, size)
	w.b = le.AppendUint32(w.b, w.prev)
	w.b = le.AppendUint32(w.b, uint32(typ))
	w.b = le.AppendUint32(w.b, version)
	w.b = le.AppendUint64(w.b, math.Float64bits(time))
	w.b = le.AppendUint16(w.b, instance)
	w.b = append(w.b, byte(kind), byte(c))
	w.b = le.AppendUint32(w.b, inflated)
	w.b = append(w.b, make([]byte, w.f.RecordHeaderSize-32)...)
	w.prev = size
}

func (w *out) record(typ int32, instance uint16, kind Kind, version uint32, time float64, payload, stored []byte, c Compression) {
	inflated := uint32(0)
	if c == None {
		stored = payload
	} else {
		inflated = uint32(len(payload))
	}
	w.header(typ, instance, kind, version, time, uint32(w.f.RecordHeaderSize+len(stored)), c, inflated)
	w.b = append(w.b, stored...)
}

// index appends a classic index record with room bytes to spare.
func (w *out) index(infos []byte, room int) {
	n := len(infos) / infoSize
	head := le.AppendUint32(nil, uint32(len(w.f.Streams)))
	for _, s := range w.f.Streams {
		head = le.AppendUint32(head, uint32(s.Type))
		head = le.AppendUint16(head, s.Instance)
	}
	head = le.AppendUint32(head, uint32(n))
	c, inflated, stored := Zstd, uint32(len(head)+len(infos)), compress(infos, Zstd)
	if w.f.PlainIndex {
		c, inflated, stored = None, 0, infos
	}
	w.header(indexType, 0, Data, 2, math.MaxFloat64, uint32(w.f.RecordHeaderSize+len(head)+len(stored)+room), c, inflated)
	w.b = append(append(append(w.b, head...), stored...), make([]byte, room)...)
}

func (f *File) description() []byte {
	b := le.AppendUint32(nil, uint32(len(f.Streams)))
	for _, s := range f.Streams {
		b = le.AppendUint32(b, uint32(s.Type))
		b = le.AppendUint16(b, s.Instance)
		b = appendTags(appendTags(b, s.User), s.VRS)
	}
	return appendTags(b, f.FileTags)
}

func appendTags(b []byte, tags []Tag) []byte {
	b = le.AppendUint32(b, uint32(len(tags)))
	for _, t := range tags {
		b = AppendText(AppendText(b, t.Name), t.Value)
	}
	return b
}

// AppendText appends a text with its length in front.
func AppendText(b []byte, s string) []byte {
	return append(le.AppendUint32(b, uint32(len(s))), s...)
}

// compress makes one frame.
func compress(b []byte, c Compression) []byte {
	var w bytes.Buffer
	switch c {
	case LZ4:
		l := lz4.NewWriter(&w)
		must(l.Apply(lz4.BlockSizeOption(lz4.Block64Kb), lz4.ChecksumOption(false)))
		_, err := l.Write(b)
		must(err)
		must(l.Close())
		return w.Bytes()
	case Zstd:
		z, err := zstd.NewWriter(nil, zstd.WithEncoderCRC(false), zstd.WithSingleSegment(true), zstd.WithEncoderConcurrency(1))
		must(err)
		return z.EncodeAll(b, nil)
	}
	return b
}

// must ends the program: what is written here comes from the program itself.
func must(err error) {
	if err != nil {
		panic(err)
	}
}
