package vrs

import (
	"bufio"
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strings"

	"cutaway/decoders/grammar"
	"cutaway/decoders/vrs/container"
	"cutaway/model"
)

// Parts of a recording as a new one: chosen streams and times, or all whole records of one that was interrupted.

// A copier writes them.
type copier struct {
	model.CardBase
	r *recording
	t *table
}

var _ model.Copier = (*copier)(nil)

func (r *recording) copyCards(t *table) []model.Card {
	return []model.Card{&copier{model.CardBase{Title: "copy"}, r, t}}
}

func (*copier) Format() string { return "vrs" }

// Span implements model.Copier: that of the data records.
func (c *copier) Span() (first, last float64) {
	first, last = c.t.dataTimes()
	if first > last {
		return 0, 0
	}
	return first, last
}

// Copy writes the records in the order of reading, with their payloads as they are stored. Tags records become part of the
// description.
func (c *copier) Copy(ctx context.Context, w io.Writer, omitted *model.Omissions, places []*model.Place, first, last float64, progress model.Progress) error {
	records, streams, err := c.choose(omitted, places, first, last)
	if err != nil {
		return err
	}
	if len(records) == 0 {
		return errors.New("no record is chosen")
	}
	if err := c.r.requireWhole(c.t, streams); err != nil {
		return err
	}
	c.account(omitted)
	description := c.description(streams)
	at := container.FileHeaderSize + int64(len(description))
	for _, i := range records {
		at += c.size(int64(i))
	}
	index := container.RecordHeaderSize + 2*grammar.U32.Size() + streamIDSize*int64(len(streams)) + container.InfoSize*int64(len(records))
	if index > math.MaxUint32 {
		return fmt.Errorf("an index cannot list %s", model.GroupedCount(int64(len(records)), "record"))
	}
	out := &recordWriter{Writer: bufio.NewWriterSize(w, 1<<20)}
	out.bytes(c.fileHeader(at))
	out.bytes(description)
	out.before = uint32(len(description))
	for n, i := range records {
		if n%container.WalkSteps == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		progress.Report(int64(n), int64(len(records)), "writing records")
		if err := c.record(ctx, out, int64(i)); err != nil {
			return err
		}
	}
	c.index(out, records, streams, index)
	return errors.Join(ctx.Err(), out.err, out.Flush())
}

// account reports bytes in no record that can be copied, and additions to headers.
func (c *copier) account(omitted *model.Omissions) {
	for _, x := range c.t.Extra {
		if !strings.HasPrefix(x.Name, container.UnusedIndex) {
			omitted.Lose(c.r.Path(container.RecordsName)+"/"+x.Name, model.GroupedCount(x.End-x.Off, "byte")+" that are no whole record")
		}
	}
	if more := c.r.Head.RecordHeaderSize - container.RecordHeaderSize; more > 0 {
		omitted.Reduce("", fmt.Sprintf("the header of each record without the %s that follow its known fields", model.GroupedCount(more, "byte")))
	}
	if more := c.r.Head.HeaderSize - container.FileHeaderSize; more > 0 {
		omitted.Reduce("", fmt.Sprintf("the header of the file without the %s that follow its known fields", model.GroupedCount(more, "byte")))
	}
}

// choose lists the records of the places that lie within the times, in the order of reading, and their streams. Of
// configurations and states the latest before the first time is taken too: it counts for the records after it.
func (c *copier) choose(omitted *model.Omissions, places []*model.Place, first, last float64) (records []uint32, streams []*stream, err error) {
	t := c.t
	take, single, err := c.wanted(places)
	if err != nil {
		return nil, nil, err
	}
	for _, s := range t.streams {
		kinds, chosen := take[s]
		if !chosen {
			continue
		}
		streams = append(streams, s)
		for _, kind := range []container.RecordType{container.StateRecord, container.ConfigurationRecord, container.DataRecord} {
			if !kinds[kind] {
				continue
			}
			group := t.group(s, kind)
			from, to := t.AtTime(group, first), t.AtTime(group, math.Nextafter(last, math.Inf(1)))
			if kind != container.DataRecord && from > 0 && (from == int64(len(group)) || t.Time[group[from]] > first) {
				from-- // the one that counts at the first time
			}
			if from < to {
				records = append(records, group[from:to]...)
			}
			path, all := container.StreamPath(s.id)+"/"+groupName(kind), math.IsInf(first, -1) && math.IsInf(last, 1)
			switch left := int64(len(group)) - max(to-from, 0); {
			case left > 0 && all:
				omitted.Lose(path, model.GroupedCount(left, "record")+" whose time is no number")
			case left > 0:
				omitted.Reduce(path, "only the records within the times")
			}
		}
	}
	records = append(records, single...)
	slices.SortFunc(records, func(a, b uint32) int {
		x, y := t.ID(int64(a)), t.ID(int64(b))
		return cmp.Or(cmp.Compare(t.Time[a], t.Time[b]), cmp.Compare(x.Typ, y.Typ), cmp.Compare(x.Instance, y.Instance), cmp.Compare(a, b))
	})
	return slices.Compact(records), streams, nil
}

// wanted returns the types of records of each stream that the places cover, and the single records.
func (c *copier) wanted(places []*model.Place) (take map[*stream][container.RecordTypes]bool, single []uint32, err error) {
	all := [container.RecordTypes]bool{container.StateRecord: true, container.ConfigurationRecord: true, container.DataRecord: true}
	take = map[*stream][container.RecordTypes]bool{}
	for _, p := range places {
		_, s, down := c.r.streamAbove(p)
		switch {
		case len(p.Segments()) == 1:
			for _, s := range c.t.streams {
				take[s] = all
			}
		case s == nil:
			return nil, nil, fmt.Errorf("%s is no stream and no record", p.Path())
		case len(down) == 2:
			take[s] = all
		case len(down) == 3:
			kinds := take[s]
			for _, g := range groupNames {
				kinds[g.kind] = kinds[g.kind] || g.name == down[2].Node.Name
			}
			take[s] = kinds
		default:
			if _, chosen := take[s]; !chosen {
				take[s] = [container.RecordTypes]bool{} // the stream of a single record, and none of its other records
			}
			if i, ok := c.r.shownRecordOf(p); ok {
				single = append(single, uint32(i))
			}
		}
	}
	return take, single, nil
}

// recordWriter keeps the first error, and the size of the last record.
type recordWriter struct {
	*bufio.Writer
	err    error
	before uint32
}

func (w *recordWriter) bytes(b []byte) {
	if _, err := w.Write(b); w.err == nil {
		w.err = err
	}
}

// header writes a record's header, whose link to the record before it is made anew.
func (w *recordWriter) header(h *container.Header) {
	h.Set(container.FieldPreviousRecordSize, uint64(w.before))
	w.bytes(h.B[:])
	w.before = h.Size()
}

// fileHeader returns the header of a recording whose index is at an offset.
func (c *copier) fileHeader(index int64) []byte {
	b := make([]byte, container.FileHeaderSize)
	copy(b, container.MagicFront)
	container.FieldCreation.Put(b, c.r.Head.Creation)
	container.FieldFileHeaderSize.Put(b, uint64(container.FileHeaderSize))
	container.FieldRecordHeaderSize.Put(b, container.RecordHeaderSize)
	container.FieldIndexOffset.Put(b, uint64(index))
	container.FieldDescriptionOffset.Put(b, uint64(container.FileHeaderSize))
	copy(container.FieldMagicBack.Bytes(b), container.MagicBack)
	copy(container.FieldFileFormatVersion.Bytes(b), "VRS1")
	return b
}

// description returns the description record, with the tags that count for the streams.
func (c *copier) description(streams []*stream) []byte {
	const version = 2
	b := make([]byte, container.RecordHeaderSize)
	b = binary.LittleEndian.AppendUint32(b, uint32(len(streams)))
	for _, s := range streams {
		b = appendStreamID(b, s.id)
		b = appendTags(appendTags(b, s.user), s.vrs)
	}
	var files container.TagList
	if c.r.Desc != nil {
		files = c.r.Desc.File
	}
	b = appendTags(b, files)
	h := container.NewHeader(int64(len(b)), container.StreamID{Typ: container.DescriptionTypeID}, version, math.MaxFloat64, container.DataRecord)
	copy(b, h.B[:])
	return b
}

// The fields of the id of a stream.
var (
	fieldStreamType     = container.StreamIDRecord.Number("typeId")
	fieldStreamInstance = container.StreamIDRecord.Number("instanceId")
	streamIDSize        = container.StreamIDRecord.Least()
)

func appendStreamID(b []byte, id container.StreamID) []byte {
	at := len(b)
	b = append(b, make([]byte, streamIDSize)...)
	fieldStreamType.Put(b[at:], uint64(id.Typ))
	fieldStreamInstance.Put(b[at:], uint64(id.Instance))
	return b
}

func appendTags(b []byte, list container.TagList) []byte {
	tags := list.AsMap()
	b = binary.LittleEndian.AppendUint32(b, uint32(len(tags)))
	for _, name := range slices.Sorted(maps.Keys(tags)) {
		for _, text := range []string{name, tags[name]} {
			b = append(binary.LittleEndian.AppendUint32(b, uint32(len(text))), text...)
		}
	}
	return b
}

// size returns the bytes of record i in the copy.
func (c *copier) size(i int64) int64 {
	return c.t.End(i) - c.t.Off[i] - c.r.Head.RecordHeaderSize + container.RecordHeaderSize
}

// record copies record i.
func (c *copier) record(ctx context.Context, out *recordWriter, i int64) error {
	h, err := c.r.HeaderAt(ctx, c.t.Off[i])
	if err != nil {
		return err
	}
	at, end := c.t.Off[i]+c.r.Head.RecordHeaderSize, c.t.End(i)
	h.Set(container.FieldRecordSize, uint64(c.size(i)))
	h.Set(container.FieldTypeID, uint64(h.ID().Typ))
	out.header(&h)
	for at < end {
		b, err := c.r.Src.Bytes(ctx, at, min(end-at, 1<<20))
		if err != nil {
			return err
		}
		out.bytes(b)
		at += int64(len(b))
	}
	return out.err
}

// index writes the index record, of size bytes.
func (c *copier) index(out *recordWriter, records []uint32, streams []*stream, size int64) {
	out.header(container.NewHeader(size, container.StreamID{Typ: container.IndexTypeID}, container.ClassicIndex, math.MaxFloat64, container.DataRecord))
	b := binary.LittleEndian.AppendUint32(nil, uint32(len(streams)))
	for _, s := range streams {
		b = appendStreamID(b, s.id)
	}
	out.bytes(binary.LittleEndian.AppendUint32(b, uint32(len(records))))
	b = make([]byte, container.InfoSize)
	for _, i := range records {
		k := int64(i)
		id := c.t.ID(k)
		container.FieldInfoTimestamp.PutF64(b, c.t.Time[k])
		container.FieldInfoRecordSize.Put(b, uint64(c.size(k)))
		container.FieldInfoRecordType.Put(b, uint64(c.t.Kind(k)))
		container.FieldInfoTypeID.Put(b, uint64(id.Typ))
		container.FieldInfoInstanceID.Put(b, uint64(id.Instance))
		out.bytes(b)
	}
}
