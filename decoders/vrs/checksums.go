package vrs

import (
	"cmp"
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"

	"github.com/cespare/xxhash/v2"

	"cutaway/decoders/vrs/container"
	"cutaway/model"
)

// The checksums that Meta's vrs tool gives (its commands checksum-verbatim, checksum and checksums): xxHash64 of the
// bytes as they are, and of their meaning, however it is compressed, divided and indexed.

// digest is xxHash64 as the tool feeds it: a text with the zero byte that ends it in C++.
type digest struct{ *xxhash.Digest }

func newDigest() digest { return digest{xxhash.New()} }

func (d digest) text(s string) {
	_, _ = d.WriteString(s)
	_, _ = d.Write([]byte{0})
}

func (d digest) String() string { return fmt.Sprintf("%016x", d.Sum64()) }

// checksums returns the checksums by the tool's names in JSON; verbatim are those of the files.
func (r *recording) checksums(ctx context.Context, progress model.Progress) (list model.Object, err error) {
	add := func(name, sum string) { list = append(list, model.Member{Key: name, Value: model.Text(sum)}) }
	if err := r.verbatim(ctx, progress, add); err != nil {
		return list, err
	}
	t, err := r.records(ctx, progress)
	if err != nil || r.Head.Fatal() {
		return list, err
	}
	if err := r.requireWhole(t, t.streams); err != nil {
		return list, err
	}
	all := newDigest()
	part := func(name, sum string) {
		add(name, sum)
		all.text(sum)
	}
	files := container.TagList{}
	if r.Desc != nil {
		files = r.Desc.File
	}
	part("filetags", digestTags(files.AsMap()))
	ids, instances, serials, done := newDigest(), map[int32]int{}, r.serialNumbers(t), int64(0)
	for _, s := range t.streams {
		instances[s.id.Typ]++
		plain := container.StreamID{Typ: s.id.Typ, Instance: uint16(instances[s.id.Typ])}
		sums := &streamSums{r: r, t: t, id: plain, headers: newDigest(), payload: newDigest()}
		for i := range t.byTime(s) {
			progress.Report(done, t.N(), "adding up checksums")
			if done++; done%container.WalkSteps == 0 && ctx.Err() != nil {
				return list, ctx.Err()
			}
			if err := sums.record(ctx, i); err != nil {
				return list, err
			}
		}
		part(s.id.String()+"_vrstags", digestTags(s.internalTags(serials)))
		part(s.id.String()+"_usertags", digestTags(s.user.AsMap()))
		part(s.id.String()+"_headers", sums.headers.String())
		part(s.id.String()+"_payload", sums.payload.String())
		_, _ = ids.WriteString(plain.String() + "/")
	}
	all.text(ids.String())
	add("checksum", all.String())
	return list, nil
}

// verbatim adds the checksums of the files.
func (r *recording) verbatim(ctx context.Context, progress model.Progress, add func(name, sum string)) error {
	for i, s := range r.Files() {
		sum := newDigest()
		if err := digestBytes(ctx, progress, sum, r.Src.Span(s.Start, s.Length)); err != nil {
			return err
		}
		name := "verbatim"
		if i > 0 {
			name += " " + s.File
		}
		add(name, sum.String())
	}
	return nil
}

// digestBytes adds the bytes of a span.
func digestBytes(ctx context.Context, progress model.Progress, sum digest, at model.Span) error {
	window := make([]byte, min(at.Len, 1<<20))
	for off := int64(0); off < at.Len; off += int64(len(window)) {
		progress.Report(off, at.Len, "adding up the bytes of a file")
		window = window[:min(int64(len(window)), at.Len-off)]
		if _, err := at.Source.ReadFull(ctx, window, at.Off+off); err != nil {
			return err
		}
		_, _ = sum.Write(window)
	}
	return ctx.Err()
}

// streamSums adds up the records of a stream, under the id that it has in the order of the streams of its type.
type streamSums struct {
	r                *recording
	t                *table
	id               container.StreamID
	headers, payload digest
}

func (s *streamSums) record(ctx context.Context, i int64) error {
	h, err := s.r.HeaderAt(ctx, s.t.Off[i])
	if err != nil {
		return err
	}
	off := h.Off + s.r.Head.RecordHeaderSize
	at := s.r.Src.Span(off, s.t.End(i)-off)
	if s.r.Compressed(&h, at.Len) {
		made, err := s.r.Inflate(ctx, i, &h, at)
		switch {
		case err != nil:
			return err
		case made.Fault != nil:
			return fmt.Errorf("record [%d] cannot be inflated, so there are no checksums of records: %w", i, made.Fault)
		}
		at = made.Src.Whole()
	}
	b := binary.LittleEndian.AppendUint64(make([]byte, 0, 21), math.Float64bits(h.Time()))
	b = binary.LittleEndian.AppendUint32(binary.LittleEndian.AppendUint32(b, h.Version()), uint32(at.Len))
	b = binary.LittleEndian.AppendUint16(binary.LittleEndian.AppendUint16(b, uint16(s.id.Typ)), s.id.Instance)
	_, _ = s.headers.Write(append(b, byte(h.Kind())))
	return digestBytes(ctx, nil, s.payload, at)
}

// byTime gives the records of a stream but its Tags records, by time and place.
func (t *table) byTime(s *stream) func(yield func(i int64) bool) {
	return func(yield func(int64) bool) {
		groups := [][]uint32{t.group(s, container.ConfigurationRecord), t.group(s, container.StateRecord), t.group(s, container.DataRecord)}
		for {
			groups = slices.DeleteFunc(groups, func(g []uint32) bool { return len(g) == 0 })
			if len(groups) == 0 {
				return
			}
			first := slices.IndexFunc(groups, func(g []uint32) bool {
				return !slices.ContainsFunc(groups, func(o []uint32) bool {
					return cmp.Or(cmp.Compare(t.Time[o[0]], t.Time[g[0]]), cmp.Compare(o[0], g[0])) < 0
				})
			})
			if i := int64(groups[first][0]); !yield(i) {
				return
			}
			groups[first] = groups[first][1:]
		}
	}
}

// digestTags is the checksum of a map of tags.
func digestTags(tags map[string]string) string {
	sum := newDigest()
	for _, name := range slices.Sorted(maps.Keys(tags)) {
		_, _ = io.WriteString(sum, name+"="+tags[name]+"/")
	}
	return sum.String()
}

const serialNumber = "VRS_Serial_Number"

// internalTags are the stream's VRS tags as the tool has them: with a serial number, and the plain name of its type.
func (s *stream) internalTags(serials map[container.StreamID]string) map[string]string {
	return internalTags(s.vrs, serials[s.id])
}

func internalTags(list container.TagList, serial string) map[string]string {
	tags := list.AsMap()
	if name, ok := tags[container.OriginalName]; ok {
		tags[container.OriginalName] = container.PlainName(name)
	}
	if serial != "" {
		tags[serialNumber] = serial
	}
	return tags
}

// serialNumbers makes the serial numbers of streams that have none, as the tool does when it opens a recording: those
// of the description first, then those whose tags a Tags record replaced.
func (r *recording) serialNumbers(t *table) map[container.StreamID]string {
	serials := map[container.StreamID]string{}
	if r.Desc == nil {
		return serials
	}
	files := newDigest()
	files.limited(r.Desc.File.AsMap())
	add := func(id container.StreamID, user, vrs container.TagList, made map[int32]int) {
		if tags := internalTags(vrs, ""); tags[serialNumber] == "" {
			made[id.Typ]++
			serials[id] = streamSerial(files.String(), container.StreamID{Typ: id.Typ, Instance: uint16(made[id.Typ])}, user.AsMap(), tags)
		}
	}
	described := slices.Clone(r.Desc.Streams)
	slices.SortFunc(described, func(a, b container.StreamTags) int {
		return cmp.Or(cmp.Compare(a.ID.Typ, b.ID.Typ), cmp.Compare(a.ID.Instance, b.ID.Instance))
	})
	made := map[int32]int{}
	for i := range described {
		add(described[i].ID, described[i].User, described[i].Vrs, made)
	}
	made = map[int32]int{}
	for _, s := range t.streams {
		if s.tagsFrom != container.Unset {
			delete(serials, s.id)
			add(s.id, s.user, s.vrs, made)
		}
	}
	return serials
}

func streamSerial(files string, id container.StreamID, user, vrs map[string]string) string {
	sum := newDigest()
	sum.text(files)
	sum.limited(user)
	vrs[serialNumber] = ""
	sum.tags(vrs, math.MaxInt)
	b := binary.LittleEndian.AppendUint16(nil, uint16(id.Typ))
	_, _ = sum.Write(binary.LittleEndian.AppendUint16(b, id.Instance))
	return sum.String()
}

// limited adds tags, of long ones the beginning.
func (d digest) limited(tags map[string]string) {
	const most = 2000
	d.tags(tags, most)
}

func (d digest) tags(tags map[string]string, most int) {
	_, _ = d.WriteString("map<string, string>")
	for _, name := range slices.Sorted(maps.Keys(tags)) {
		d.text(name)
		value := tags[name] + "\x00"
		_, _ = d.WriteString(value[:min(len(value), most)])
	}
}
