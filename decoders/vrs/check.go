package vrs

import (
	"context"
	"fmt"
	"unicode/utf8"

	"cutaway/model"
)

// check reports what a walk over the layout does not see: the index against all headers, the links between records,
// the order of times, and the definitions in tags.
func (r *recording) check(ctx context.Context, progress model.Progress, report func(path string, p model.Problem)) error {
	t, err := r.records(ctx, progress)
	if err != nil {
		return err
	}
	r.checkStreams(t, report)
	r.checkIndexStreams(ctx, t, report)
	var entries *infoScan // nil: the records are not from the index
	if t.indexed {
		e, err := r.loadEntries(ctx, r.index)
		if err != nil {
			return err
		}
		entries = &infoScan{e: e, many: manyInfos}
	}
	headers := r.newHeaderScan()
	late, latest, first := int64(0), int64(-1), int64(-1)
	for i := range t.n() {
		if i%walkSteps == 0 {
			if err := ctx.Err(); err != nil {
				return err
			}
			progress.Report(i, t.n(), "comparing headers")
		}
		h, err := headers.at(ctx, t.off[i])
		if err != nil {
			continue // its node tells
		}
		r.checkHeader(ctx, t, entries, i, &h, report)
		if t.kind(i) == tagsRecord {
			continue // they come before all others
		}
		if latest >= 0 && t.time[i] < t.time[latest] {
			if late++; first < 0 {
				first = i
			}
		} else {
			latest = i
		}
	}
	if late > 0 {
		report(r.recordPath(first), model.Problemf(model.Suspicious, ruleTimeOrder, r.src.Span(t.off[first]+16, 8),
			"%s older than one before; this is the first", model.GroupedCount(late, "record")))
	}
	return nil
}

// chainMatters is how much it matters that what links the records is wrong: where there is no index that it can use, the
// reference goes from record to record, and no further than to the first such.
func (r *recording) chainMatters() model.Kind {
	if r.head.index == 0 || r.index == nil || r.index.broken {
		return model.Malformed
	}
	return model.Suspicious
}

// checkHeader holds a record's header against its entry in the index, if there is one, and against the record before.
func (r *recording) checkHeader(ctx context.Context, t *table, entries *infoScan, i int64, h *recordHeader, report func(string, model.Problem)) {
	path := r.recordPath(i) + "/header"
	if entries != nil {
		if f, ok := entries.info(ctx, i); ok && !f.agrees(h) {
			kind, err := r.disagreementKind(ctx, t, i, &f, h)
			if err != nil {
				return // interrupted
			}
			report(path, model.Problemf(kind, ruleIndexDisagrees, r.src.Span(h.off, recordHeaderSize),
				"the record's header and its entry in the index disagree").
				Want(fmt.Sprintf("%s %s at %s, %d bytes", f.id, f.kind, secondsText(f.time), f.size),
					fmt.Sprintf("%s %s at %s, %d bytes", h.id, h.kind, secondsText(h.time), h.size)))
		}
	}
	if kind := r.chainMatters(); entries != nil || kind == model.Malformed {
		before := max(i-1, 0)
		if size := t.end(before) - t.off[before]; i > 0 && t.end(before) == h.off && int64(h.prev) != size {
			report(path+"/previousRecordSize", model.Problemf(kind, rulePrevious, r.src.Span(h.off+4, 4),
				"previousRecordSize is not the size of the record before").Want(size, h.prev))
		}
	}
	if h.compression != storedPayload && h.uncompressed == 0 && int64(h.size) > r.head.recordHeaderSize {
		report(path+"/uncompressedSize", model.Problemf(model.Malformed, ruleCompression, r.src.Span(h.off+28, 4),
			"a compressed payload has an uncompressed size; this one is read as it is stored"))
	}
}

// disagreementKind is how much it matters that the header of record i and its entry in the index disagree. The reference
// reads so many bytes as the header says: fewer are not all of the record, and more matter where its last block ends
// nowhere else.
func (r *recording) disagreementKind(ctx context.Context, t *table, i int64, f *info, h *recordHeader) (model.Kind, error) {
	if !f.sized(h) || h.size < f.size {
		return model.Malformed, nil
	}
	c, err := r.content(ctx, t, i)
	if err != nil {
		return 0, err
	}
	if c.takesRest() {
		return model.Malformed, nil
	}
	return model.Suspicious, nil
}

// maxStreams is how many streams the reference reads.
const maxStreams = 5000

// checkStreams reports what is odd about the streams and their formats.
func (r *recording) checkStreams(t *table, report func(string, model.Problem)) {
	if len(t.streams) > maxStreams {
		report(streamsView, model.Problemf(model.Assumed, ruleManyStreams, r.src.Span(0, 0), "the reference refuses files of so many streams").
			WantAtMost(maxStreams, len(t.streams)))
	}
	if r.desc != nil {
		checkTags(r.desc.file, streamsView+"/"+fileTagsName, report)
	}
	for _, s := range t.streams {
		checkTags(s.user, streamPath(s.id)+"/"+userTagsName, report)
		checkTags(s.vrs, streamPath(s.id)+"/"+vrsTagsName, report)
		if typeName(s.id.typ) == "" {
			at := r.src.Span(0, 0)
			if list := t.firstOf(s); list >= 0 {
				at = r.src.Span(t.off[list]+8, 4)
			}
			report(streamPath(s.id), model.Problemf(model.Suspicious, ruleUnknownType, at, "the type %d of the stream has no public name", s.id.typ))
		}
		for _, f := range s.allFormats() {
			for _, p := range f.problems() {
				report(streamPath(s.id)+"/"+formatsName+"/"+model.EscapeSegment(f.describe()), p)
			}
		}
	}
}

// checkTags reports tags that are no text.
func checkTags(list tagList, path string, report func(string, model.Problem)) {
	for _, t := range list {
		if t.cut > 0 {
			report(path, t.limit())
			continue
		}
		if !utf8.ValidString(t.name) || !utf8.ValidString(t.value) {
			report(path, model.Problemf(model.Suspicious, ruleTagText, t.src.Span(t.off, t.end-t.off), "the tag %s is not UTF-8 text",
				model.ShowHeld(model.Text(t.name), 60)))
		}
	}
}

// checkIndexStreams reports streams that only the index knows.
func (r *recording) checkIndexStreams(ctx context.Context, t *table, report func(string, model.Problem)) {
	if r.index == nil || r.index.broken || r.index.streams == 0 || t.short {
		return
	}
	o := r.indexObject(r.index)
	list := o.List(ctx, o.Record().Field("streams"))
	if list == nil {
		return
	}
	known := map[streamID]bool{}
	for _, s := range t.streams {
		known[s.id] = true
	}
	for i := range list.Known() {
		entry := list.Object(ctx, i)
		if entry == nil { // the file was cut since
			return
		}
		if id := readStreamID(ctx, entry); !known[id] {
			known[id] = true
			report(fmt.Sprintf("%s/streams/[%d]", r.path(indexName), i), model.Problemf(model.Malformed, ruleIndexStreams,
				r.src.Span(entry.Start(), entry.End()-entry.Start()), "the index lists the stream %s, of which there is no record and no description", id))
		}
	}
}

// firstOf is a record of a stream; -1: it has none.
func (t *table) firstOf(s *stream) int64 {
	for _, g := range groupNames {
		if t.count(s, g.kind) > 0 {
			return t.record(s, g.kind, 0)
		}
	}
	return -1
}
