package container

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
	// WalkSteps is after how many records a walk looks whether it shall end.
	WalkSteps = 1 << 14
)

// fromIndex makes the table out of the index; nil where there is none that can be trusted.
func (w *Walker) fromIndex(ctx context.Context, progress model.Progress) (*RecordTable, error) {
	x := w.Index
	if x == nil || x.Incomplete || x.Broken {
		return nil, nil
	}
	l, err := w.listed(ctx, x, progress)
	if l == nil || err != nil {
		return nil, err
	}
	w.doubts = nil
	t, dropped := l.t, l.count-l.t.N()
	kind := model.Malformed
	switch {
	case l.doubt != "":
	case dropped > 0 && !t.Short && w.Last < w.Src.Size():
		l.doubt = "reaches beyond the last record's place"
	default:
		if i, much, ok := w.disagreement(ctx, t); ok {
			kind = much
			l.at, l.doubt = i, "and the header of the record that it lists disagree"
		}
	}
	if l.doubt != "" {
		e, err := w.LoadEntries(ctx, x)
		if err == nil {
			w.doubt(kind, e.span(l.at), "entry %d of the index %s", l.at, l.doubt)
		}
		return nil, err
	}
	if t.Short {
		w.unread(t, t.Last)
		return t, nil
	}
	if dropped > 0 {
		t.Problems = append(t.Problems, model.Problemf(model.Truncated, ruleBeyondEnd, w.Src.Span(w.Last, 0),
			"%s that the index lists lie beyond the end of the file%s; %s", model.GroupedCount(dropped, "record"), w.nextPartHint(), w.lastWhole(t)))
	}
	w.tail(ctx, t, t.Last, dropped > 0)
	return t, nil
}

// listing is the table as it is made of the entries of the index, which come in runs.
type listing struct {
	f         *File
	t         *RecordTable
	at, count int64  // entries that have come; all entries
	most      int64  // records that the table may have
	full      bool   // entry at and those after it lie beyond the end
	doubt     string // why the index cannot be trusted, of entry at; "" where it can so far
}

func (w *Walker) newListing(count int64) *listing {
	most := maxRecords()
	l := &listing{f: w.File, t: newTable(min(count, w.Src.Size()/RecordHeaderSize+1, most)), count: count, most: most}
	l.t.Indexed, l.t.Last = true, w.First
	return l
}

// add adds a run of entries. It returns false if no more are wanted.
func (l *listing) add(b []byte) bool {
	least, last := l.f.Head.RecordHeaderSize, l.f.Last
	for ; int64(len(b)) >= InfoSize; b, l.at = b[InfoSize:], l.at+1 {
		f := parseInfo(b)
		if int64(f.Size) < least || f.Kind == UndefinedRecord || f.Kind >= RecordTypes {
			l.doubt = fmt.Sprintf("cannot be a record: its size is %d, its type %d", f.Size, uint8(f.Kind))
			return false
		}
		if l.t.Last+int64(f.Size) > last {
			l.full = true
			return false
		}
		if l.t.N() == l.most {
			l.t.Short = true
			return false
		}
		l.t.add(l.t.Last, f.Size, f.Kind, f.ID, f.Time)
	}
	return true
}

// listed is the records that the index lists; nil where its entries cannot all be inflated.
func (w *Walker) listed(ctx context.Context, x *Index, progress model.Progress) (*listing, error) {
	if x.Compressed && x.entries.Made() == nil {
		if l, err := w.listedAsInflated(ctx, x, progress); l != nil || err != nil {
			return l, err
		}
	}
	e, err := w.LoadEntries(ctx, x)
	if err != nil || e.fault != nil {
		return nil, err
	}
	l, scan := w.newListing(e.Count), e.Scan()
	for l.at < e.Count {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		progress.Report(l.at, e.Count, "reading the index")
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
func (w *Walker) listedAsInflated(ctx context.Context, x *Index, progress model.Progress) (*listing, error) {
	l, done, part := w.newListing(x.Count), int64(0), []byte(nil)
	err := source.EachZstd(ctx, x.Infos, func(run []byte) error {
		done += int64(len(run))
		progress.Report(l.at, l.count, "reading the index")
		if len(part) > 0 { // an entry that the run before began
			n := min(int(InfoSize)-len(part), len(run))
			part, run = append(part, run[:n]...), run[n:]
			if int64(len(part)) < InfoSize {
				return nil
			}
			if !l.add(part) {
				return errEnough
			}
			part = part[:0]
		}
		whole := len(run) - len(run)%int(InfoSize)
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
	case err != nil || done != x.Count*InfoSize:
		return nil, nil
	}
	return l, nil
}

// disagreement compares records with the index: all of a few, an even sample of many, the first and the last among
// them. A wrong size in the index shifts all records after it, so the sample finds it.
func (w *Walker) disagreement(ctx context.Context, t *RecordTable) (int64, model.Kind, bool) {
	n := t.N()
	compared := n
	if n > allCompared {
		compared = sample
	}
	for i := range compared {
		if n > allCompared {
			i = i * (n - 1) / (sample - 1)
		}
		f := t.info(i)
		h, err := w.HeaderAt(ctx, t.Off[i])
		switch {
		case err == nil && (f.Agrees(&h) || f.Sized(&h) && w.follows(ctx, t, i)):
		case err == nil && f.Sized(&h) && i == n-1:
			return i, model.Suspicious, true // no other record is moved by it
		default:
			return i, model.Malformed, true
		}
	}
	return 0, 0, false
}

// follows reports whether something ends a record where the index says: the record that it lists next, or the end of the
// run.
func (w *Walker) follows(ctx context.Context, t *RecordTable, i int64) bool {
	if i+1 == t.N() {
		return t.Last == w.Last
	}
	f := t.info(i + 1)
	h, err := w.HeaderAt(ctx, t.Off[i+1])
	return err == nil && f.Agrees(&h)
}

// lastWhole says where the last whole record ends.
func (w *Walker) lastWhole(t *RecordTable) string {
	if t.N() == 0 {
		return "no record is whole"
	}
	return fmt.Sprintf("the last whole record is [%d], which ends at %s", t.N()-1, w.place(t.Last))
}

// tail adds what lies between the last record and the end of the run: the beginning of a record that is cut off, or
// bytes that nothing explains.
func (w *Walker) tail(ctx context.Context, t *RecordTable, at int64, cut bool) {
	if at >= w.Last {
		return
	}
	if h, ok := w.usableAt(ctx, at); cut && ok {
		w.cutRecord(t, h, w.Src.Span(w.Last, 0)) // the place of beyond-end
		return
	}
	if cut {
		t.addExtra("cut record", at, w.Last, func(name string) model.Node {
			return BytesNode(name, w.Src.Span(at, w.Last-at), model.Unknown, "the beginning of a record's header")
		})
		return
	}
	w.strayBytes(t, at, w.Last, model.Problemf(model.Suspicious, ruleTrailingBytes, w.Src.Span(at, w.Last-at), "bytes after the last record"))
}

// lostIndex returns the file header if that places the index after the end of the file, which then was cut, or no range.
func (w *Walker) lostIndex() model.Span {
	if w.Head.Index <= w.Src.Size()-w.Head.RecordHeaderSize {
		return model.Span{}
	}
	return w.Src.Span(0, w.Head.HeaderSize)
}

// cutRecord adds the incomplete record at the end of the bytes. because is the range of the problem that it follows from, or no range.
func (w *Walker) cutRecord(t *RecordTable, h Header, because model.Span) {
	end := w.Last
	there := end - h.Off
	p := model.Problemf(model.Truncated, ruleCutRecord, w.Src.Span(h.Off, there), "record [%d] (%s %s) is cut off; %s",
		t.N(), h.ID(), h.Kind(), w.lastWhole(t)).Want(model.GroupedCount(int64(h.Size()), "byte"), model.GroupedCount(there, "byte"))
	p.Because = because
	t.addExtra("cut record", h.Off, end, func(name string) model.Node {
		return model.Node{
			Name: name, Type: "record", Brief: fmt.Sprintf("%s %s, %s of %s", h.ID(), h.Kind(), model.Grouped(there), model.GroupedCount(int64(h.Size()), "byte")),
			Spans: []model.Span{w.Src.Span(h.Off, there)}, Problems: []model.Problem{p},
			Children: model.DeferList(func(ctx context.Context) []model.Node {
				return w.withHeader(ctx, h.Off, end, PayloadName, model.Explained, "the part of the payload that is there")
			}),
		}
	})
}

// strayBytes adds bytes that are no record.
func (w *Walker) strayBytes(t *RecordTable, off, end int64, p model.Problem) {
	at := w.Src.Span(off, end-off)
	t.addExtra("lost bytes", off, end, func(name string) model.Node {
		n := BytesNode(name, at, model.Unknown, "no record could be recognised here")
		n.Problems = []model.Problem{p}
		return n
	})
}

// A Walker makes the table of records: by the index, or by a walk from record to record.
type Walker struct {
	*File
	walk
}

// A walk is the state of a walk. It is kept when it is interrupted, and continued later.
type walk struct {
	t       *RecordTable
	pos     int64
	before  int64 // size of the record before, or unset
	doubts  []model.Problem
	hint    int64 // entry of an index that is not trusted, which may help to find a record
	hintOff int64 // where that record would begin
}

// doubt notes why the index is not trusted.
func (w *walk) doubt(kind model.Kind, at model.Span, format string, args ...any) {
	w.doubts = append(w.doubts, model.Problemf(kind, RuleIndexDisagrees, at, format+"; the records were found by walking", args...))
}

// walkRecords finds the records by their headers.
func (w *Walker) walkRecords(ctx context.Context, progress model.Progress) (*RecordTable, error) {
	if w.t == nil {
		w.t, w.pos, w.before = newTable(0), w.First, Unset
		w.t.Last, w.hintOff = w.First, w.First
		if w.Index == nil && w.Desc != nil {
			w.before = int64(w.Desc.Hdr.Size())
		}
	}
	headers, most := w.NewHeaderScan(), maxRecords()
	for step := 0; w.pos < w.Last && w.t.size() < most; step++ {
		if step%WalkSteps == WalkSteps-1 {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			progress.Report(w.pos-w.First, w.Last-w.First, "finding the records")
		}
		w.t.grow(w.pos, w.First, w.Last, most)
		if err := w.step(ctx, progress, headers); err != nil {
			return nil, err
		}
	}
	t := w.t
	t.Problems = append(t.Problems, w.doubts...)
	if w.pos < w.Last {
		w.unread(t, w.pos)
	}
	w.walk = walk{} // who is given the table changes it
	return t, nil
}

// step passes one record.
func (w *Walker) step(ctx context.Context, progress model.Progress, headers *HeaderScan) error {
	t := w.t
	left := w.Src.Span(w.pos, w.Last-w.pos)
	if left.Len < w.Head.RecordHeaderSize {
		kind := model.Truncated
		if w.Last < w.Src.Size() {
			kind = model.Malformed
		}
		p := model.Problemf(kind, ruleCutHeader, left, "a record's header is cut off; %s", w.lastWhole(t)).
			Want(model.GroupedCount(w.Head.RecordHeaderSize, "byte"), model.GroupedCount(left.Len, "byte"))
		p.Because = w.lostIndex()
		return w.stop(p)
	}
	h, err := headers.At(ctx, w.pos)
	switch {
	case err != nil && ctx.Err() != nil:
		return ctx.Err()
	case err != nil:
		return w.stop(model.AsProblem(err, ruleCutHeader, left))
	}
	switch {
	case !h.usable(w.Head.RecordHeaderSize):
		return w.resume(ctx, progress, w.pos, w.unusable(ctx, &h))
	case w.before != Unset && int64(h.Previous()) != w.before:
		return w.resume(ctx, progress, w.pos, fmt.Sprintf("previousRecordSize is %d, but the record before has %d bytes", h.Previous(), w.before))
	case h.End() > w.Last:
		if q, err := w.nextRecord(ctx, progress, w.pos+1); err != nil {
			return err
		} else if q < w.Last {
			return w.lost(q, "recordSize reaches beyond the end")
		}
		if w.Last == w.Src.Size() {
			w.cutRecord(t, h, w.lostIndex())
			w.pos = w.Last
			return nil
		}
		return w.lost(w.Last, "recordSize reaches into the index")
	case h.ID().isSpecial():
		w.unusedRecord(t, &h)
	default:
		t.add(h.Off, h.Size(), h.Kind(), h.ID(), h.Time())
	}
	w.pos, w.before = h.End(), int64(h.Size())
	return nil
}

// stop ends the walk at bytes that are no record.
func (w *Walker) stop(p model.Problem) error {
	w.strayBytes(w.t, w.pos, w.Last, p)
	w.pos = w.Last
	return nil
}

// unusedRecord adds an index or a description among the records.
func (w *Walker) unusedRecord(t *RecordTable, h *Header) {
	off, end := h.Off, h.End()
	if !h.ID().isIndex() {
		w.strayBytes(t, off, end, model.Problemf(model.Suspicious, ruleDescription, w.Src.Span(off, end-off),
			"a description that the file header does not point to; it is not used"))
		return
	}
	t.addExtra(UnusedIndex, off, end, func(name string) model.Node {
		n := w.unusedIndexNode(off, end)
		n.Name = name
		if w.Head.Index == 0 {
			n.Problems = nil // the file header has the problem
		}
		return n
	})
}

// resume continues after a break of the chain of records.
func (w *Walker) resume(ctx context.Context, progress model.Progress, from int64, why string) error {
	q, err := w.nextRecord(ctx, progress, from)
	if err != nil {
		return err
	}
	return w.lost(q, why)
}

// lost skips the bytes up to q.
func (w *Walker) lost(q int64, why string) error {
	t := w.t
	if q == w.pos {
		// The record is sound but for its link to the one before.
		t.Problems = append(t.Problems, model.Problemf(model.Malformed, ruleChain, w.Span(w.pos, FieldPreviousRecordSize), "the chain of records is broken: %s", why))
		w.before = Unset
		return nil
	}
	if w.Orphan && w.pos == w.First {
		at := w.Src.Span(w.pos, q-w.pos)
		t.addExtra("rest of a record", w.pos, q, func(name string) model.Node {
			n := BytesNode(name, at, model.Unknown, "of a record that begins in the part before")
			n.Problems = []model.Problem{model.Problemf(model.Truncated, ruleOrphan, at, "the part begins with the rest of a record whose beginning is in the part before")}
			return n
		})
		w.pos, w.before = q, Unset
		return nil
	}
	tail := ""
	if q < w.Last {
		tail = fmt.Sprintf("; the next record was recognised at %s", w.place(q))
	}
	w.strayBytes(t, w.pos, q, model.Problemf(model.Malformed, ruleChain, w.Src.Span(w.pos, q-w.pos),
		"the chain of records is broken: %s; %s%s", why, w.lastWhole(t), tail))
	w.pos, w.before = q, Unset
	return nil
}

// nextRecord finds where a record begins at or after an offset; the end of the run where there is none. A header
// counts when the one after its record counts as well and links back, or when nothing follows.
func (w *Walker) nextRecord(ctx context.Context, progress model.Progress, from int64) (int64, error) {
	if q, ok := w.nextIndexed(ctx, from); ok {
		return q, nil
	}
	// The record is often near, if not at from itself, and the next break too: what is read grows with the distance.
	for at, block := from, int64(4<<10); at+w.Head.RecordHeaderSize <= w.Last; at, block = at+block, min(4*block, 1<<20) {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		progress.Report(at-w.First, w.Last-w.First, "looking for the next record")
		b, err := w.Src.Bytes(ctx, at, min(block+RecordHeaderSize-1, w.Last-at))
		if err != nil {
			break
		}
		for i := 0; i+RecordHeaderSize <= len(b) && int64(i) < block; i++ {
			kind, compression := RecordType(fieldRecordType.U8(b[i:])), fieldCompressionType.U8(b[i:])
			if kind == UndefinedRecord || kind >= RecordTypes || compression > ZstdPayload {
				continue
			}
			h := headerIn(b[i:], at+int64(i))
			if w.chains(ctx, &h) {
				return h.Off, nil
			}
		}
	}
	return w.Last, nil
}

// chains reports whether a header begins a record that another one follows.
func (w *Walker) chains(ctx context.Context, h *Header) bool {
	if !h.usable(w.Head.RecordHeaderSize) || h.End() > w.Last {
		return false
	}
	if h.End() == w.Last {
		return true
	}
	next, ok := w.usableAt(ctx, h.End())
	return ok && next.Previous() == h.Size()
}

// nextIndexed finds the next record with the help of an index that is not trusted: one whose entry and header agree.
func (w *Walker) nextIndexed(ctx context.Context, from int64) (int64, bool) {
	if w.Index == nil || w.Index.Split() && w.Index.Incomplete {
		return 0, false
	}
	e, err := w.LoadEntries(ctx, w.Index)
	if err != nil {
		return 0, false
	}
	scan := e.Scan()
	for ; w.hint < e.Count; w.hint++ {
		f, ok := scan.Info(ctx, w.hint)
		if !ok {
			return 0, false
		}
		if w.hintOff >= from {
			if h, ok := w.usableAt(ctx, w.hintOff); ok && h.End() <= w.Last && f.Agrees(&h) {
				return w.hintOff, true
			}
		}
		w.hintOff += int64(f.Size)
	}
	return 0, false
}

// StartsChain reports whether a source begins with records, as a later part of a recording does.
func StartsChain(ctx context.Context, src *model.Source) bool {
	f := &File{Src: src, Last: src.Size(), Head: FileHeader{RecordHeaderSize: RecordHeaderSize}}
	at, before := int64(0), int64(Unset)
	for range chainLength {
		h, ok := f.usableAt(ctx, at)
		if !ok || before != Unset && int64(h.Previous()) != before || h.Previous() == 0 && before == Unset {
			return false
		}
		at, before = h.End(), int64(h.Size())
		if at == f.Last {
			break
		}
	}
	return at <= f.Last
}

// chainLength is the number of records that must follow each other for bytes to count as records.
const chainLength = 3

// Records returns the table of records, from the index or by walking. The error is that of ctx.
func (w *Walker) Records(ctx context.Context, progress model.Progress) (*RecordTable, error) {
	t, err := w.fromIndex(ctx, progress)
	if t == nil && err == nil {
		t, err = w.walkRecords(ctx, progress)
	}
	if err != nil {
		return nil, err
	}
	t.counted()
	if !t.Short && (w.Index == nil || w.Index.Off < w.First) {
		t.Problems = append(t.Problems, w.foreignParts(t.Last)...) // else they are after the index
	}
	return t, nil
}
