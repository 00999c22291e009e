package vrs

import (
	"context"
	"fmt"
	"unicode/utf8"

	"cutaway/decoders/vrs/container"
	"cutaway/decoders/vrs/layout"
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
	checkIndexStreams(ctx, r.File, t, report)
	var entries *container.InfoScan // nil: the records are not from the index
	if t.Indexed {
		e, err := r.LoadEntries(ctx, r.Index)
		if err != nil {
			return err
		}
		entries = e.Scan()
	}
	headers := r.NewHeaderScan()
	late, latest, first := int64(0), int64(-1), int64(-1)
	for i := range t.N() {
		if i%container.WalkSteps == 0 {
			if err := ctx.Err(); err != nil {
				return err
			}
			progress.Report(i, t.N(), "comparing headers")
		}
		h, err := headers.At(ctx, t.Off[i])
		if err != nil {
			continue // its node has the problem
		}
		r.checkHeader(ctx, t, entries, i, &h, report)
		if t.Kind(i) == container.TagsRecord {
			continue // they come before all others
		}
		if latest >= 0 && t.Time[i] < t.Time[latest] {
			if late++; first < 0 {
				first = i
			}
		} else {
			latest = i
		}
	}
	if late > 0 {
		report(r.RecordPath(first), model.Problemf(model.Suspicious, ruleTimeOrder, r.Span(t.Off[first], container.FieldTimestamp),
			"%s older than one before; this is the first", model.GroupedCount(late, "record")))
	}
	return nil
}

// checkHeader holds a record's header against its entry in the index, if there is one, and against the record before.
func (r *recording) checkHeader(ctx context.Context, t *table, entries *container.InfoScan, i int64, h *container.Header, report func(string, model.Problem)) {
	path := r.RecordPath(i) + "/header"
	if entries != nil {
		if f, ok := entries.Info(ctx, i); ok && !f.Agrees(h) {
			kind, err := r.disagreementKind(ctx, t, i, &f, h)
			if err != nil {
				return // interrupted
			}
			report(path, model.Problemf(kind, container.RuleIndexDisagrees, r.Src.Span(h.Off, container.RecordHeaderSize),
				"the record's header and its entry in the index disagree").
				Want(fmt.Sprintf("%s %s at %s, %d bytes", f.ID, f.Kind, container.SecondsText(f.Time), f.Size),
					fmt.Sprintf("%s %s at %s, %d bytes", h.ID(), h.Kind(), container.SecondsText(h.Time()), h.Size())))
		}
	}
	if kind := r.ChainMatters(); entries != nil || kind == model.Malformed {
		before := max(i-1, 0)
		if size := t.End(before) - t.Off[before]; i > 0 && t.End(before) == h.Off && int64(h.Previous()) != size {
			report(path+"/previousRecordSize", model.Problemf(kind, container.RulePrevious, r.Span(h.Off, container.FieldPreviousRecordSize),
				"previousRecordSize is not the size of the record before").Want(size, h.Previous()))
		}
	}
	if h.Compression() != container.StoredPayload && h.Uncompressed() == 0 && int64(h.Size()) > r.Head.RecordHeaderSize {
		report(path+"/uncompressedSize", model.Problemf(model.Malformed, container.RuleCompression, r.Span(h.Off, container.FieldUncompressedSize),
			"a compressed payload has an uncompressed size; this one is read as it is stored"))
	}
}

// disagreementKind returns how bad it is that the header of record i and its entry in the index disagree. The reference reads as
// many bytes as the header gives: fewer are not all of the record, and more matter where only the record ends its last block.
func (r *recording) disagreementKind(ctx context.Context, t *table, i int64, f *container.Info, h *container.Header) (model.Kind, error) {
	if !f.Sized(h) || h.Size() < f.Size {
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

// maxStreams is the number of streams that the reference reads.
const maxStreams = 5000

// checkStreams reports what is odd about the streams and their formats.
func (r *recording) checkStreams(t *table, report func(string, model.Problem)) {
	if len(t.streams) > maxStreams {
		report(container.StreamsView, model.Problemf(model.Assumed, ruleManyStreams, r.Src.Span(0, 0), "the reference refuses files of so many streams").
			WantAtMost(maxStreams, len(t.streams)))
	}
	if r.Desc != nil {
		checkTags(r.Desc.File, container.StreamsView+"/"+fileTagsName, report)
	}
	for _, s := range t.streams {
		checkTags(s.user, container.StreamPath(s.id)+"/"+userTagsName, report)
		checkTags(s.vrs, container.StreamPath(s.id)+"/"+vrsTagsName, report)
		if container.TypeName(s.id.Typ) == "" {
			at := r.Src.Span(0, 0)
			if list := t.firstOf(s); list >= 0 {
				at = r.Span(t.Off[list], container.FieldTypeID)
			}
			report(container.StreamPath(s.id), model.Problemf(model.Suspicious, ruleUnknownType, at, "the type %d of the stream has no public name", s.id.Typ))
		}
		for _, f := range s.allFormats() {
			for _, p := range f.problems() {
				report(container.StreamPath(s.id)+"/"+formatsName+"/"+model.EscapeSegment(f.describe()), p)
			}
		}
	}
}

// checkTags reports tags that are no text.
func checkTags(list container.TagList, path string, report func(string, model.Problem)) {
	for _, t := range list {
		if t.Cut > 0 {
			report(path, t.Limit())
			continue
		}
		if !utf8.ValidString(t.Name) || !utf8.ValidString(t.Value) {
			report(path, model.Problemf(model.Suspicious, layout.RuleTagText, t.Src.Span(t.Off, t.End-t.Off), "the tag %s is not UTF-8 text",
				model.ShowHeld(model.Text(t.Name), 60)))
		}
	}
}

// checkIndexStreams reports streams that only the index knows.
func checkIndexStreams(ctx context.Context, f *container.File, t *table, report func(string, model.Problem)) {
	if f.Index == nil || f.Index.Broken || f.Index.Streams == 0 || t.Short {
		return
	}
	o := f.IndexObject(f.Index)
	list := o.List(ctx, o.Record().Field("streams"))
	if list == nil {
		return
	}
	known := map[container.StreamID]bool{}
	for _, s := range t.streams {
		known[s.id] = true
	}
	for i := range list.Known() {
		entry := list.Object(ctx, i)
		if entry == nil { // the file was cut since
			return
		}
		if id := container.ReadStreamID(ctx, entry); !known[id] {
			known[id] = true
			report(fmt.Sprintf("%s/streams/[%d]", f.Path(container.IndexName), i), model.Problemf(model.Malformed, ruleIndexStreams,
				f.Src.Span(entry.Start(), entry.End()-entry.Start()), "the index lists the stream %s, of which there is no record and no description", id))
		}
	}
}

// firstOf returns a record of a stream, or -1 if it has none.
func (t *table) firstOf(s *stream) int64 {
	for _, g := range groupNames {
		if t.count(s, g.kind) > 0 {
			return t.record(s, g.kind, 0)
		}
	}
	return -1
}
