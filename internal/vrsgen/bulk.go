package vrsgen

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"math"
	"os"

	"cutaway/internal/filegen"
)

// A Bulk is a recording of many records. Of ten, nine are of a motion sensor, with a data layout of 44 bytes. One is a
// grey image of 200 × 200 pixels, which are a hole in the file. 1,000,000 records have 4.1 GB.
type Bulk struct {
	Records int64
	Index   bool // else as if the recording had not been closed
}

// The streams of a bulk recording.
const (
	MotionType   = 241
	CameraType   = 204
	ImageSide    = 200
	everyImage   = 10
	bulkInterval = 0.001 // seconds
)

// motionLayout returns the layout of the motion records; record i has the fields of motion(i).
func motionLayout() *Layout { return motion(0) }

func motion(i int64) *Layout {
	l := &Layout{}
	f := func(v float64) []byte { return le.AppendUint64(nil, math.Float64bits(v)) }
	l.Fixed("capture_timestamp_ns", "DataPieceValue<int64_t>", "", le.AppendUint64(nil, uint64(i*1_000_000)))
	l.Fixed("temperature", "DataPieceValue<double>", `,"tags":{"unit":"°C"}`, f(20+float64(i%100)/10))
	point := []byte(nil)
	for axis := range int64(3) {
		point = le.AppendUint32(point, math.Float32bits(float32(i%1000)+float32(axis)))
	}
	l.Fixed("accelerometer", "DataPieceValue<Point3Df>", `,"tags":{"unit":"m/s²"}`, point)
	l.Fixed("gyroscope", "DataPieceValue<Point3Df>", "", point)
	l.U32("number", uint32(i))
	return l
}

func camera(i int64) *Layout {
	l := &Layout{}
	l.Fixed("exposure", "DataPieceValue<double>", "", le.AppendUint64(nil, math.Float64bits(float64(i%50)/1000)))
	l.U32("frame_number", uint32(i/everyImage))
	return l
}

func cameraConfiguration() *Layout {
	l := &Layout{}
	l.U32("image_width", ImageSide)
	l.U32("image_height", ImageSide)
	l.U32("image_pixel_format", 1)
	return l
}

func tagsFor(name string, config, data *Layout, format string) []Tag {
	return []Tag{
		{"VRS_Original_Recordable_Name", name},
		{"RF:Configuration:1", fmt.Sprintf("data_layout/size=%d", len(config.Block()))}, {"DL:Configuration:1:0", config.JSON()},
		{"RF:Data:1", format}, {"DL:Data:1:0", data.JSON()},
	}
}

// Write writes the recording. The images are left out, so that they become holes of the file.
func (k Bulk) Write(file *os.File) error {
	empty := &Layout{}
	empty.U32("rate", 1000)
	m, c := motionLayout(), camera(0)
	f := &File{Streams: []Stream{
		{Type: MotionType, Instance: 1, VRS: tagsFor("IMU Data Class", empty, m, fmt.Sprintf("data_layout/size=%d", len(m.Block())))},
		{Type: CameraType, Instance: 1, VRS: tagsFor("Sideward Camera Class", cameraConfiguration(), c, fmt.Sprintf("data_layout/size=%d+image/raw", len(c.Block())))},
	}, FileTags: []Tag{{"purpose", "size"}}}
	f.Records = []Record{
		{Stream: 0, Kind: Configuration, Version: 1, Payload: empty.Block()},
		{Stream: 1, Kind: Configuration, Version: 1, Payload: cameraConfiguration().Block()},
	}
	head, _ := f.Bytes()
	w := &bulkWriter{file: file, buffer: bufio.NewWriterSize(io.NewOffsetWriter(file, 0), 1<<20)}
	w.write(head)
	o := &out{f: f, prev: uint32(32 + len(cameraConfiguration().Block()))}
	var infos []byte
	for i := range f.Records {
		infos = appendInfo(infos, f.Streams[f.Records[i].Stream], &f.Records[i], 32+len(f.Records[i].Payload))
	}
	for i := range k.Records - int64(len(f.Records)) {
		r := Record{Stream: 0, Kind: Data, Version: 1, Time: 1 + float64(i)*bulkInterval}
		hole := 0
		if i%everyImage == 0 {
			r.Stream, r.Payload, hole = 1, camera(i).Block(), ImageSide*ImageSide
		} else {
			r.Payload = motion(i).Block()
		}
		s := f.Streams[r.Stream]
		size := 32 + len(r.Payload) + hole
		o.b = o.b[:0]
		o.header(s.Type, s.Instance, r.Kind, r.Version, r.Time, uint32(size), None, 0)
		w.write(o.b)
		w.write(r.Payload)
		w.skip(int64(hole))
		infos = appendInfo(infos, s, &r, size)
	}
	if k.Index {
		offset := w.off
		o.b = o.b[:0]
		o.index(infos, 0)
		w.write(o.b)
		w.flush()
		if _, err := file.WriteAt(le.AppendUint64(nil, uint64(offset)), 24); err != nil {
			return err
		}
	}
	w.flush()
	return errors.Join(w.err, file.Truncate(w.off))
}

func appendInfo(infos []byte, s Stream, r *Record, size int) []byte {
	infos = le.AppendUint64(infos, math.Float64bits(r.Time))
	infos = le.AppendUint32(infos, uint32(size))
	infos = append(infos, byte(r.Kind))
	infos = le.AppendUint32(infos, uint32(s.Type))
	return le.AppendUint16(infos, s.Instance)
}

// bulkWriter writes forwards, and leaves holes.
type bulkWriter struct {
	file   *os.File
	buffer *bufio.Writer
	off    int64
	err    error
}

func (w *bulkWriter) write(b []byte) {
	if w.err == nil {
		_, w.err = w.buffer.Write(b)
	}
	w.off += int64(len(b))
}

func (w *bulkWriter) flush() {
	if w.err == nil {
		w.err = w.buffer.Flush()
	}
}

func (w *bulkWriter) skip(n int64) {
	if n == 0 {
		return
	}
	w.flush()
	w.off += n
	w.buffer.Reset(io.NewOffsetWriter(w.file, w.off))
}

// BulkFile writes a bulk recording to a file; a file that is not whole does not keep the name.
func BulkFile(name string, k Bulk) error {
	return filegen.Whole(name, k.Write)
}
