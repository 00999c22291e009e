package vrs

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strings"

	"cutaway/model"
)

// Parts of a recording as a new one: chosen streams and times, or all whole records of one that was interrupted.

// copier writes them.
type copier struct {
	model.CardBase
	r *recording
	t *table
}

func (r *recording) copyCards(t *table) []model.Card {
	return []model.Card{&copier{model.CardBase{Title: "copy"}, r, t}}
}

// Format implements model.Copier.
func (*copier) Format() string { return "vrs" }

// Span implements model.Copier: that of the data records.
func (c *copier) Span() (first, last float64) {
	first, last = c.t.dataTimes()
	if first > last {
		return 0, 0
	}
	return first, last
}

// Copy implements model.Copier. The records are written in the order in which they are read, with their payloads as they
// are stored; Tags records become part of the description.
func (c *copier) Copy(ctx context.Context, w io.Writer, omitted *model.Omissions, places []*model.Place, first, last float64, progress model.Progress) error {
	records, streams, err := c.choose(omitted, places, first, last)
	if err != nil {
		return err
	}
	if len(records) == 0 {
		return errors.New("no record is chosen")
	}
	if err := c.r.whole(c.t, streams); err != nil {
		return err
	}
	c.account(omitted)
	description := c.description(streams)
	at := fileHeaderSize + int64(len(description))
	for _, i := range records {
		at += c.t.end(int64(i)) - c.t.off[i] - c.r.head.recordHeaderSize + recordHeaderSize
	}
	index := recordHeaderSize + 8 + 6*int64(len(streams)) + infoSize*int64(len(records))
	if index > math.MaxUint32 {
		return fmt.Errorf("an index cannot list %s", model.GroupedCount(int64(len(records)), "record"))
	}
	out := &recordWriter{Writer: bufio.NewWriterSize(w, 1<<20)}
	out.bytes(c.fileHeader(at))
	out.bytes(description)
	out.before = uint32(len(description))
	for n, i := range records {
		if n%walkSteps == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		progress.Report(int64(n), int64(len(records)), "writing records")
		if err := c.record(ctx, out, int64(i)); err != nil {
			return err
		}
	}
	c.index(out, records, streams, uint32(index))
	return errors.Join(ctx.Err(), out.err, out.Flush())
}

// account tells of what is in no record that can be copied, and of additions to headers.
func (c *copier) account(omitted *model.Omissions) {
	for _, x := range c.t.extra {
		if !strings.HasPrefix(x.name, unusedIndex) {
			omitted.Lose(c.r.path(recordsName)+"/"+x.name, model.GroupedCount(x.end-x.off, "byte")+" that are no whole record")
		}
	}
	if more := c.r.head.recordHeaderSize - recordHeaderSize; more > 0 {
		omitted.Reduce("", fmt.Sprintf("the header of each record without the %s that follow its known fields", model.GroupedCount(more, "byte")))
	}
	if more := c.r.head.headerSize - fileHeaderSize; more > 0 {
		omitted.Reduce("", fmt.Sprintf("the header of the file without the %s that follow its known fields", model.GroupedCount(more, "byte")))
	}
}

// choose lists the records of the places that lie within the times, in the order of reading, and their streams. Of
// configurations and states the latest before the first time is taken too: it counts for what follows.
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
		for _, kind := range []recordType{stateRecord, configurationRecord, dataRecord} {
			if !kinds[kind] {
				continue
			}
			group := t.group(s, kind)
			from, to := t.atTime(group, first), t.atTime(group, math.Nextafter(last, math.Inf(1)))
			if kind != dataRecord && from > 0 && (from == int64(len(group)) || t.time[group[from]] > first) {
				from-- // the one that counts at the first time
			}
			if from < to {
				records = append(records, group[from:to]...)
			}
			path, all := streamPath(s.id)+"/"+groupName(kind), math.IsInf(first, -1) && math.IsInf(last, 1)
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
		x, y := t.id(int64(a)), t.id(int64(b))
		return cmp.Or(cmp.Compare(t.time[a], t.time[b]), cmp.Compare(x.typ, y.typ), cmp.Compare(x.instance, y.instance), cmp.Compare(a, b))
	})
	return slices.Compact(records), streams, nil
}

// wanted is which types of records of which streams the places are, and which records by themselves.
func (c *copier) wanted(places []*model.Place) (take map[*stream][recordTypes]bool, single []uint32, err error) {
	all := [recordTypes]bool{stateRecord: true, configurationRecord: true, dataRecord: true}
	take = map[*stream][recordTypes]bool{}
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
				take[s] = [recordTypes]bool{} // the stream of a single record, and no other record of it
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

// header writes a record's header, whose links to the record before it are made anew.
func (w *recordWriter) header(h *recordHeader) {
	w.bytes(appendHeader(nil, h, w.before))
	w.before = h.size
}

func appendHeader(b []byte, h *recordHeader, before uint32) []byte {
	b = le.AppendUint32(le.AppendUint32(b, h.size), before)
	b = le.AppendUint32(le.AppendUint32(b, uint32(h.id.typ)), h.version)
	b = le.AppendUint64(b, math.Float64bits(h.time))
	b = append(le.AppendUint16(b, h.id.instance), byte(h.kind), h.compression)
	return le.AppendUint32(b, h.uncompressed)
}

// fileHeader is the header of a recording whose index is at an offset.
func (c *copier) fileHeader(index int64) []byte {
	b := append(make([]byte, 0, fileHeaderSize), magicFront...)
	b = le.AppendUint64(b, c.r.head.creation)
	b = le.AppendUint32(le.AppendUint32(b, fileHeaderSize), recordHeaderSize)
	b = le.AppendUint64(le.AppendUint64(b, uint64(index)), fileHeaderSize)
	b = append(b, make([]byte, 4*8)...)
	return append(b, magicBack+"VRS1"...)
}

// description is the description record, with the tags that count for the streams.
func (c *copier) description(streams []*stream) []byte {
	const version = 2
	b := make([]byte, recordHeaderSize)
	b = le.AppendUint32(b, uint32(len(streams)))
	for _, s := range streams {
		b = appendStreamID(b, s.id)
		b = appendTags(appendTags(b, s.user), s.vrs)
	}
	var files tagList
	if c.r.desc != nil {
		files = c.r.desc.file
	}
	b = appendTags(b, files)
	h := recordHeader{size: uint32(len(b)), id: streamID{typ: descriptionTypeID}, version: version, time: math.MaxFloat64, kind: dataRecord}
	copy(b, appendHeader(nil, &h, 0))
	return b
}

func appendStreamID(b []byte, id streamID) []byte {
	return le.AppendUint16(le.AppendUint32(b, uint32(id.typ)), id.instance)
}

func appendTags(b []byte, list tagList) []byte {
	tags := list.asMap()
	b = le.AppendUint32(b, uint32(len(tags)))
	for _, name := range slices.Sorted(maps.Keys(tags)) {
		for _, text := range []string{name, tags[name]} {
			b = append(le.AppendUint32(b, uint32(len(text))), text...)
		}
	}
	return b
}

// record copies record i.
func (c *copier) record(ctx context.Context, out *recordWriter, i int64) error {
	h, err := c.r.headerAt(ctx, c.t.off[i])
	if err != nil {
		return err
	}
	at, end := c.t.off[i]+c.r.head.recordHeaderSize, c.t.end(i)
	h.size = uint32(recordHeaderSize + end - at)
	out.header(&h)
	for at < end {
		b, err := c.r.src.Bytes(ctx, at, min(end-at, 1<<20))
		if err != nil {
			return err
		}
		out.bytes(b)
		at += int64(len(b))
	}
	return out.err
}

// index writes the index record, of size bytes.
func (c *copier) index(out *recordWriter, records []uint32, streams []*stream, size uint32) {
	out.header(&recordHeader{size: size, id: streamID{typ: indexTypeID}, version: classicIndex, time: math.MaxFloat64, kind: dataRecord})
	b := le.AppendUint32(nil, uint32(len(streams)))
	for _, s := range streams {
		b = appendStreamID(b, s.id)
	}
	out.bytes(le.AppendUint32(b, uint32(len(records))))
	for _, i := range records {
		k := int64(i)
		b = le.AppendUint64(b[:0], math.Float64bits(c.t.time[k]))
		b = le.AppendUint32(b, uint32(recordHeaderSize+c.t.end(k)-c.t.off[k]-c.r.head.recordHeaderSize))
		out.bytes(appendStreamID(append(b, byte(c.t.kind(k))), c.t.id(k)))
	}
}
