package vrs

import (
	"context"
	"errors"
	"fmt"

	"cutaway/model"
	"cutaway/source"
)

// Records from the index (chapter 5.3), or by walking (chapter 8).

const (
	// allCompared is the most records that are all compared with the index when it is read.
	allCompared = 1024
	// sample is the number of more that are compared: each may cost a seek.
	sample = 32
	// walkSteps is after how many records a walk looks whether it shall end.
	walkSteps = 1 << 14
)

// fromIndex makes the table out of the index; nil where there is none that can be trusted.
func (w *walker) fromIndex(ctx context.Context, progress model.Progress) (*recordTable, error) {
	x := w.index
	if x == nil || x.incomplete || x.broken {
		return nil, nil
	}
	l, err := w.listed(ctx, x, progress)
	if l == nil || err != nil {
		return nil, err
	}
	w.doubts = nil
	t, dropped := l.t, l.count-l.t.n()
	kind := model.Malformed
	switch {
	case l.doubt != "":
	case dropped > 0 && !t.short && w.last < w.src.Size():
		l.doubt = "reaches beyond the last record's place"
	default:
		if i, much, ok := w.disagreement(ctx, t); ok {
			kind = much
			l.at, l.doubt = i, "and the header of the record that it lists disagree"
		}
	}
	if l.doubt != "" {
		e, err := w.loadEntries(ctx, x)
		if err == nil {
			w.doubt(kind, e.span(l.at), "entry %d of the index %s", l.at, l.doubt)
		}
		return nil, err
	}
	if t.short {
		w.unread(t, t.last)
		return t, nil
	}
	if dropped > 0 {
		t.problems = append(t.problems, model.Problemf(model.Truncated, ruleBeyondEnd, w.src.Span(w.last, 0),
			"%s that the index lists lie beyond the end of the file%s; %s", model.GroupedCount(dropped, "record"), w.nextPartHint(), w.lastWhole(t)))
	}
	w.tail(ctx, t, t.last, dropped > 0)
	return t, nil
}

// listing is the table as it is made of the entries of the index, which come in runs.
type listing struct {
	f         *file
	t         *recordTable
	at, count int64  // entries that have come; all entries
	most      int64  // records that the table may have
	full      bool   // entry at and those after it lie beyond the end
	doubt     string // why the index cannot be trusted, of entry at; "" where it can so far
}

func (w *walker) newListing(count int64) *listing {
	most := maxRecords()
	l := &listing{f: w.file, t: newTable(min(count, w.src.Size()/recordHeaderSize+1, most)), count: count, most: most}
	l.t.indexed, l.t.last = true, w.first
	return l
}

// add adds a run of entries. It returns false if no more are wanted.
func (l *listing) add(b []byte) bool {
	least, last := l.f.head.recordHeaderSize, l.f.last
	for ; int64(len(b)) >= infoSize; b, l.at = b[infoSize:], l.at+1 {
		f := parseInfo(b)
		if int64(f.size) < least || f.kind == undefinedRecord || f.kind >= recordTypes {
			l.doubt = fmt.Sprintf("cannot be a record: its size is %d, its type %d", f.size, uint8(f.kind))
			return false
		}
		if l.t.last+int64(f.size) > last {
			l.full = true
			return false
		}
		if l.t.n() == l.most {
			l.t.short = true
			return false
		}
		l.t.add(l.t.last, f.size, f.kind, f.id, f.time)
	}
	return true
}

// listed is the records that the index lists; nil where its entries cannot all be inflated.
func (w *walker) listed(ctx context.Context, x *index, progress model.Progress) (*listing, error) {
	if x.compressed && x.entries.Made() == nil {
		if l, err := w.listedAsInflated(ctx, x, progress); l != nil || err != nil {
			return l, err
		}
	}
	e, err := w.loadEntries(ctx, x)
	if err != nil || e.fault != nil {
		return nil, err
	}
	l, scan := w.newListing(e.count), infoScan{e: e, many: manyInfos}
	for l.at < e.count {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		progress.Report(l.at, e.count, "reading the index")
		b := scan.from(ctx, l.at)
		if b == nil {
			l.doubt = "cannot be read"
			break
		}
		if !l.add(b) {
			break
		}
	}
	return l, nil
}

// errEnough ends an inflation early.
var errEnough = errors.New("enough")

// listedAsInflated takes the entries as they are inflated, and keeps none: an index of a million has 19 MB. It is nil
// if some are missing, which those who keep them report.
func (w *walker) listedAsInflated(ctx context.Context, x *index, progress model.Progress) (*listing, error) {
	l, done, part := w.newListing(x.count), int64(0), []byte(nil)
	err := source.EachZstd(ctx, x.infos, func(run []byte) error {
		done += int64(len(run))
		progress.Report(l.at, l.count, "reading the index")
		if len(part) > 0 { // an entry that the run before began
			n := min(int(infoSize)-len(part), len(run))
			part, run = append(part, run[:n]...), run[n:]
			if int64(len(part)) < infoSize {
				return nil
			}
			if !l.add(part) {
				return errEnough
			}
			part = part[:0]
		}
		whole := len(run) - len(run)%int(infoSize)
		if !l.add(run[:whole]) {
			return errEnough
		}
		if whole < len(run) {
			part = append(part[:0], run[whole:]...)
		}
		return nil
	})
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case err != nil || done != x.count*infoSize:
		return nil, nil
	}
	return l, nil
}

// disagreement compares records with the index: all of a few, an even sample of many, the first and the last among
// them. A wrong size in the index shifts all records after it, so the sample finds it.
func (w *walker) disagreement(ctx context.Context, t *recordTable) (int64, model.Kind, bool) {
	n := t.n()
	compared := n
	if n > allCompared {
		compared = sample
	}
	for i := range compared {
		if n > allCompared {
			i = i * (n - 1) / (sample - 1)
		}
		f := t.info(i)
		h, err := w.headerAt(ctx, t.off[i])
		switch {
		case err == nil && (f.agrees(&h) || f.sized(&h) && w.follows(ctx, t, i)):
		case err == nil && f.sized(&h) && i == n-1:
			return i, model.Suspicious, true // no other record is moved by it
		default:
			return i, model.Malformed, true
		}
	}
	return 0, 0, false
}

// follows reports whether something ends a record where the index says: the record that it lists next, or the end of the
// run.
func (w *walker) follows(ctx context.Context, t *recordTable, i int64) bool {
	if i+1 == t.n() {
		return t.last == w.last
	}
	f := t.info(i + 1)
	h, err := w.headerAt(ctx, t.off[i+1])
	return err == nil && f.agrees(&h)
}

// lastWhole says where the last whole record ends.
func (w *walker) lastWhole(t *recordTable) string {
	if t.n() == 0 {
		return "no record is whole"
	}
	return fmt.Sprintf("the last whole record is [%d], which ends at %s", t.n()-1, w.place(t.last))
}

// tail adds what lies between the last record and the end of the run: the beginning of a record that is cut off, or
// bytes that nothing explains.
func (w *walker) tail(ctx context.Context, t *recordTable, at int64, cut bool) {
	if at >= w.last {
		return
	}
	if h, ok := w.usableAt(ctx, at); cut && ok {
		w.cutRecord(t, h)
		return
	}
	if cut {
		t.addExtra("cut record", at, w.last, func(name string) model.Node {
			return bytesNode(name, w.src.Span(at, w.last-at), model.Unknown, "the beginning of a record's header")
		})
		return
	}
	w.strayBytes(t, at, w.last, model.Problemf(model.Suspicious, ruleTrailingBytes, w.src.Span(at, w.last-at), "bytes after the last record"))
}

// cutRecord adds the record at the end of the bytes that is not all there.
func (w *walker) cutRecord(t *recordTable, h header) {
	end := w.last
	there := end - h.off
	p := model.Problemf(model.Truncated, ruleCutRecord, w.src.Span(h.off, there), "record [%d] (%s %s) is cut off; %s",
		t.n(), h.id(), h.kind(), w.lastWhole(t)).Want(model.GroupedCount(int64(h.size()), "byte"), model.GroupedCount(there, "byte"))
	t.addExtra("cut record", h.off, end, func(name string) model.Node {
		return model.Node{
			Name: name, Type: "record", Brief: fmt.Sprintf("%s %s, %s of %s", h.id(), h.kind(), model.Grouped(there), model.GroupedCount(int64(h.size()), "byte")),
			Spans: []model.Span{w.src.Span(h.off, there)}, Problems: []model.Problem{p},
			Children: model.DeferList(func(ctx context.Context) []model.Node {
				return w.withHeader(ctx, h.off, end, payloadName, model.Explained, "the part of the payload that is there")
			}),
		}
	})
}

// strayBytes adds bytes that are no record.
func (w *walker) strayBytes(t *recordTable, off, end int64, p model.Problem) {
	at := w.src.Span(off, end-off)
	t.addExtra("lost bytes", off, end, func(name string) model.Node {
		n := bytesNode(name, at, model.Unknown, "no record could be recognised here")
		n.Problems = []model.Problem{p}
		return n
	})
}

// A walker makes the table of records: by the index, or by a walk from record to record.
type walker struct {
	*file
	walk
}

// A walk is the state of a walk. It is kept when it is interrupted, and continued later.
type walk struct {
	t       *recordTable
	pos     int64
	before  int64 // size of the record before, or unset
	doubts  []model.Problem
	hint    int64 // entry of an index that is not trusted, which may help to find a record
	hintOff int64 // where that record would begin
}

// doubt notes why the index is not trusted.
func (w *walk) doubt(kind model.Kind, at model.Span, format string, args ...any) {
	w.doubts = append(w.doubts, model.Problemf(kind, ruleIndexDisagrees, at, format+"; the records were found by walking", args...))
}

// walkRecords finds the records by their headers.
func (w *walker) walkRecords(ctx context.Context, progress model.Progress) (*recordTable, error) {
	if w.t == nil {
		w.t, w.pos, w.before = newTable(0), w.first, unset
		w.t.last, w.hintOff = w.first, w.first
		if w.index == nil && w.desc != nil {
			w.before = int64(w.desc.hdr.size())
		}
	}
	headers, most := w.newHeaderScan(), maxRecords()
	for step := 0; w.pos < w.last && w.t.size() < most; step++ {
		if step%walkSteps == walkSteps-1 {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			progress.Report(w.pos-w.first, w.last-w.first, "finding the records")
		}
		w.t.grow(w.pos, w.first, w.last, most)
		if err := w.step(ctx, progress, headers); err != nil {
			return nil, err
		}
	}
	t := w.t
	t.problems = append(t.problems, w.doubts...)
	if w.pos < w.last {
		w.unread(t, w.pos)
	}
	w.walk = walk{} // who is given the table changes it
	return t, nil
}

// step passes one record.
func (w *walker) step(ctx context.Context, progress model.Progress, headers *headerScan) error {
	t := w.t
	left := w.src.Span(w.pos, w.last-w.pos)
	if left.Len < w.head.recordHeaderSize {
		kind := model.Truncated
		if w.last < w.src.Size() {
			kind = model.Malformed
		}
		return w.stop(model.Problemf(kind, ruleCutHeader, left, "a record's header is cut off; %s", w.lastWhole(t)).
			Want(model.GroupedCount(w.head.recordHeaderSize, "byte"), model.GroupedCount(left.Len, "byte")))
	}
	h, err := headers.at(ctx, w.pos)
	switch {
	case err != nil && ctx.Err() != nil:
		return ctx.Err()
	case err != nil:
		return w.stop(model.AsProblem(err, ruleCutHeader, left))
	}
	switch {
	case !h.usable(w.head.recordHeaderSize):
		return w.resume(ctx, progress, w.pos, w.unusable(ctx, &h))
	case w.before != unset && int64(h.previous()) != w.before:
		return w.resume(ctx, progress, w.pos, fmt.Sprintf("previousRecordSize is %d, but the record before has %d bytes", h.previous(), w.before))
	case h.end() > w.last:
		if q, err := w.nextRecord(ctx, progress, w.pos+1); err != nil {
			return err
		} else if q < w.last {
			return w.lost(q, "recordSize reaches beyond the end")
		}
		if w.last == w.src.Size() {
			w.cutRecord(t, h)
			w.pos = w.last
			return nil
		}
		return w.lost(w.last, "recordSize reaches into the index")
	case h.id().isSpecial():
		w.unusedRecord(t, &h)
	default:
		t.add(h.off, h.size(), h.kind(), h.id(), h.time())
	}
	w.pos, w.before = h.end(), int64(h.size())
	return nil
}

// stop ends the walk at bytes that are no record.
func (w *walker) stop(p model.Problem) error {
	w.strayBytes(w.t, w.pos, w.last, p)
	w.pos = w.last
	return nil
}

// unusedRecord adds an index or a description among the records.
func (w *walker) unusedRecord(t *recordTable, h *header) {
	off, end := h.off, h.end()
	if !h.id().isIndex() {
		w.strayBytes(t, off, end, model.Problemf(model.Suspicious, ruleDescription, w.src.Span(off, end-off),
			"a description that the file header does not point to; it is not used"))
		return
	}
	t.addExtra(unusedIndex, off, end, func(name string) model.Node {
		n := w.unusedIndexNode(off, end)
		n.Name = name
		if w.head.index == 0 {
			n.Problems = nil // the file header has the problem
		}
		return n
	})
}

// resume continues after a break of the chain of records.
func (w *walker) resume(ctx context.Context, progress model.Progress, from int64, why string) error {
	q, err := w.nextRecord(ctx, progress, from)
	if err != nil {
		return err
	}
	return w.lost(q, why)
}

// lost skips the bytes up to q.
func (w *walker) lost(q int64, why string) error {
	t := w.t
	if q == w.pos {
		// The record is sound but for its link to the one before.
		t.problems = append(t.problems, model.Problemf(model.Malformed, ruleChain, w.span(w.pos, fieldPreviousRecordSize), "the chain of records is broken: %s", why))
		w.before = unset
		return nil
	}
	if w.orphan && w.pos == w.first {
		at := w.src.Span(w.pos, q-w.pos)
		t.addExtra("rest of a record", w.pos, q, func(name string) model.Node {
			n := bytesNode(name, at, model.Unknown, "of a record that begins in the part before")
			n.Problems = []model.Problem{model.Problemf(model.Truncated, ruleOrphan, at, "the part begins with the rest of a record whose beginning is in the part before")}
			return n
		})
		w.pos, w.before = q, unset
		return nil
	}
	tail := ""
	if q < w.last {
		tail = fmt.Sprintf("; the next record was recognised at %s", w.place(q))
	}
	w.strayBytes(t, w.pos, q, model.Problemf(model.Malformed, ruleChain, w.src.Span(w.pos, q-w.pos),
		"the chain of records is broken: %s; %s%s", why, w.lastWhole(t), tail))
	w.pos, w.before = q, unset
	return nil
}

// nextRecord finds where a record begins at or after an offset; the end of the run where there is none. A header
// counts when the one after its record counts as well and links back, or when nothing follows.
func (w *walker) nextRecord(ctx context.Context, progress model.Progress, from int64) (int64, error) {
	if q, ok := w.nextIndexed(ctx, from); ok {
		return q, nil
	}
	// The record is often near, if not at from itself, and the next break too: what is read grows with the distance.
	for at, block := from, int64(4<<10); at+w.head.recordHeaderSize <= w.last; at, block = at+block, min(4*block, 1<<20) {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		progress.Report(at-w.first, w.last-w.first, "looking for the next record")
		b, err := w.src.Bytes(ctx, at, min(block+recordHeaderSize-1, w.last-at))
		if err != nil {
			break
		}
		for i := 0; i+recordHeaderSize <= len(b) && int64(i) < block; i++ {
			kind, compression := recordType(fieldRecordType.U8(b[i:])), fieldCompressionType.U8(b[i:])
			if kind == undefinedRecord || kind >= recordTypes || compression > zstdPayload {
				continue
			}
			h := headerIn(b[i:], at+int64(i))
			if w.chains(ctx, &h) {
				return h.off, nil
			}
		}
	}
	return w.last, nil
}

// chains reports whether a header begins a record that another one follows.
func (w *walker) chains(ctx context.Context, h *header) bool {
	if !h.usable(w.head.recordHeaderSize) || h.end() > w.last {
		return false
	}
	if h.end() == w.last {
		return true
	}
	next, ok := w.usableAt(ctx, h.end())
	return ok && next.previous() == h.size()
}

// nextIndexed finds the next record with the help of an index that is not trusted: one whose entry and header agree.
func (w *walker) nextIndexed(ctx context.Context, from int64) (int64, bool) {
	if w.index == nil || w.index.split() && w.index.incomplete {
		return 0, false
	}
	e, err := w.loadEntries(ctx, w.index)
	if err != nil {
		return 0, false
	}
	scan := infoScan{e: e, many: manyInfos}
	for ; w.hint < e.count; w.hint++ {
		f, ok := scan.info(ctx, w.hint)
		if !ok {
			return 0, false
		}
		if w.hintOff >= from {
			if h, ok := w.usableAt(ctx, w.hintOff); ok && h.end() <= w.last && f.agrees(&h) {
				return w.hintOff, true
			}
		}
		w.hintOff += int64(f.size)
	}
	return 0, false
}

// startsChain reports whether a source begins with records, as a later part of a recording does.
func startsChain(ctx context.Context, src *model.Source) bool {
	f := &file{src: src, last: src.Size(), head: fileHeader{recordHeaderSize: recordHeaderSize}}
	at, before := int64(0), int64(unset)
	for range chainLength {
		h, ok := f.usableAt(ctx, at)
		if !ok || before != unset && int64(h.previous()) != before || h.previous() == 0 && before == unset {
			return false
		}
		at, before = h.end(), int64(h.size())
		if at == f.last {
			break
		}
	}
	return at <= f.last
}

// chainLength is the number of records that must follow each other for bytes to count as records.
const chainLength = 3

// records returns the table of records, from the index or by walking. The error is that of ctx.
func (w *walker) records(ctx context.Context, progress model.Progress) (*recordTable, error) {
	t, err := w.fromIndex(ctx, progress)
	if t == nil && err == nil {
		t, err = w.walkRecords(ctx, progress)
	}
	if err != nil {
		return nil, err
	}
	t.counted()
	if !t.short && (w.index == nil || w.index.off < w.first) {
		t.problems = append(t.problems, w.foreignParts(t.last)...) // else they are after the index
	}
	return t, nil
}
