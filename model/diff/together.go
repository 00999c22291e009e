package diff

import (
	"context"
	"fmt"
	"slices"

	"cutaway/model"
)

// A Sort classifies the bytes at one offset of several files of a kind.
type Sort uint8

// The sorts.
const (
	Constant Sort = iota // equal in all files
	Varies               // not equal, and otherwise unknown
	Counts               // a number that increases by the same step from file to file
	Length               // a number that follows the length of its file
	Place                // an offset in its file, at which all files have the same bytes
)

// String returns the sort's name in JSON.
func (s Sort) String() string {
	return [...]string{"constant", "varies", "counts", "length", "offset"}[s]
}

// A Field is a range of bytes at the same position of several files.
type Field struct {
	Off, Len int64
	Sort     Sort
	Type     string   // of a number: "u32" or "u32be"
	Values   []uint64 // of a number, for each file
	Step     int64    // of Counts
	Times    int64    // of Length: the file has Times × number + Plus bytes
	Plus     int64
}

// What describes a field in words.
func (f *Field) What() string {
	switch f.Sort {
	case Counts:
		return fmt.Sprintf("counts by %+d", f.Step)
	case Length:
		switch {
		case f.Times == 1 && f.Plus == 0:
			return "length of the file"
		case f.Times == 1:
			return fmt.Sprintf("length of the file, less %d", f.Plus)
		}
		return fmt.Sprintf("length: the file has %d × it + %d bytes", f.Times, f.Plus)
	case Place:
		return "offset, where all have the same bytes"
	}
	return f.Sort.String()
}

const (
	togetherWindow = 64 << 10
	widestField    = 8
	mostHeader     = 64 << 10 // most bytes that a length may leave out
	placeBytes     = 4        // equal bytes at the target of an offset
)

// Together compares files of one kind up to the end of the shortest. It reports, in order, the bytes that are equal in
// all files and the fields that differ. The order of the files matters.
func Together(ctx context.Context, files []model.Span, progress model.Progress, report func(*Field) error) error {
	t := &together{ctx: ctx, files: files, size: files[0].Len, report: report}
	for _, f := range files {
		t.size = min(t.size, f.Len)
		t.bufs = append(t.bufs, make([]byte, togetherWindow+2*widestField))
	}
	for t.at < t.size {
		progress.Report(t.at, t.size, "bytes held side by side")
		if err := t.window(); err != nil {
			return err
		}
	}
	return t.flush()
}

// together is an unfinished comparison of several files.
type together struct {
	ctx    context.Context
	files  []model.Span
	size   int64 // of the shortest file
	report func(*Field) error

	at   int64    // end of the last field
	from int64    // offset of bufs
	bufs [][]byte // of each file
	n    int      // bytes in each
	open Field    // constant or varying bytes that may go on, or empty
}

// window compares some bytes. A field may begin a little before those that vary, and end a little after the window.
func (t *together) window() error {
	t.from = max(t.at-widestField, 0)
	end := min(t.at+togetherWindow, t.size)
	t.n = int(min(end+widestField, t.size) - t.from)
	for k, f := range t.files {
		if _, err := f.Source.ReadFull(t.ctx, t.bufs[k][:t.n], f.Off+t.from); err != nil {
			return err
		}
	}
	if err := t.ctx.Err(); err != nil {
		return err
	}
	for t.at < end {
		i := int(t.at - t.from)
		if t.same(i) {
			if err := t.plain(Constant); err != nil {
				return err
			}
			continue
		}
		f := t.number(i)
		if f == nil {
			if err := t.plain(Varies); err != nil {
				return err
			}
			continue
		}
		if err := t.found(f); err != nil {
			return err
		}
	}
	return nil
}

// same reports whether byte i of the window is equal in all files.
func (t *together) same(i int) bool {
	for _, b := range t.bufs[1:] {
		if b[i] != t.bufs[0][i] {
			return false
		}
	}
	return true
}

// plain adds the next byte to the open field if that is of its sort, or begins a new field.
func (t *together) plain(s Sort) error {
	if t.open.Len > 0 && t.open.Sort != s {
		if err := t.flush(); err != nil {
			return err
		}
	}
	if t.open.Len == 0 {
		t.open = Field{Off: t.at, Sort: s}
	}
	t.open.Len++
	t.at++
	return nil
}

// found reports a number. It may begin with bytes of the open field, which were taken for constant ones.
func (t *together) found(f *Field) error {
	t.open.Len -= max(t.open.Off+t.open.Len-f.Off, 0)
	if err := t.flush(); err != nil {
		return err
	}
	t.at = f.Off + f.Len
	return t.report(f)
}

func (t *together) flush() error {
	f := t.open
	t.open = Field{}
	if f.Len <= 0 {
		return nil
	}
	return t.report(&f)
}

// number returns the number that contains byte i, which varies, or nil.
func (t *together) number(i int) *Field {
	first := i // first byte that the number may begin with
	for first > 0 && i-first < widestField-1 && t.open.Sort == Constant && int64(i-first) < t.open.Len {
		first--
	}
	for _, judge := range []func(*Field) bool{t.isLength, t.isPlace, t.isCount} {
		for _, width := range []int{4, 8, 2, 1} {
			for start := i; start >= max(first, i-width+1); start-- {
				for _, big := range []bool{false, true} {
					if f := t.read(start, width, big); f != nil && judge(f) {
						return f
					}
				}
			}
		}
	}
	return nil
}

// read returns the number at an offset of the window in each file, or nil if a file lacks it.
func (t *together) read(start, width int, big bool) *Field {
	if start+width > t.n {
		return nil
	}
	f := &Field{Off: t.from + int64(start), Len: int64(width), Type: fmt.Sprintf("u%d", 8*width)}
	if big && width > 1 {
		f.Type += "be"
	}
	for _, b := range t.bufs {
		f.Values = append(f.Values, model.UintOf(b[start:start+width], big))
	}
	return f
}

// isLength reports whether the number increases with the length of its file: by 1 for each byte or, with enough files,
// by another number.
func (t *together) isLength(f *Field) bool {
	lens := make([]int64, len(t.files))
	for k, file := range t.files {
		if lens[k] = file.Len; f.Values[k] > uint64(file.Len) {
			return false
		}
	}
	k := slices.IndexFunc(f.Values, func(v uint64) bool { return v != f.Values[0] })
	by := int64(f.Values[k]) - int64(f.Values[0])
	times := (lens[k] - lens[0]) / by
	if times < 1 || times > 1 && len(slices.Compact(slices.Sorted(slices.Values(f.Values)))) < 3 {
		return false
	}
	plus := lens[0] - times*int64(f.Values[0])
	for k, v := range f.Values {
		if times*int64(v)+plus != lens[k] {
			return false
		}
	}
	serial := by == 1 || by == -1 // 1, 2, 3 … are the files' numbers, though their lengths may grow as evenly
	if (f.Len == 1 || serial && t.isCount(f)) && times != 1 || plus < 0 || plus > mostHeader {
		return false
	}
	f.Sort, f.Times, f.Plus = Length, times, plus
	return true
}

// isPlace reports whether the number is the offset of the same bytes in each file, after itself and not all 0.
func (t *together) isPlace(f *Field) bool {
	if f.Len < 2 {
		return false
	}
	var want [placeBytes]byte
	for k, v := range f.Values {
		file := t.files[k]
		if v < uint64(f.Off+f.Len) || v+placeBytes > uint64(file.Len) {
			return false
		}
		var b [placeBytes]byte
		if _, err := file.Source.ReadFull(t.ctx, b[:], file.Off+int64(v)); err != nil {
			return false
		}
		if k == 0 {
			want = b
		}
		if b != want || b == [placeBytes]byte{} {
			return false
		}
	}
	f.Sort = Place
	return true
}

// isCount reports whether the number increases by the same step from file to file. Numbers must be aligned. The upper
// half of those longer than two bytes must be 0 in some file, so that constant bytes are not taken for a part.
func (t *together) isCount(f *Field) bool {
	const fewFiles, largestStep, largestOfByte = 3, 255, 1
	if len(f.Values) < fewFiles || f.Off%f.Len != 0 || f.Len > 2 && slices.Min(f.Values)>>(4*f.Len) != 0 {
		return false
	}
	step := int64(f.Values[1] - f.Values[0])
	if step == 0 || max(step, -step) > largestStep || f.Len == 1 && max(step, -step) > largestOfByte {
		return false
	}
	for k := range f.Values[1:] {
		if int64(f.Values[k+1]-f.Values[k]) != step {
			return false
		}
	}
	f.Sort, f.Step = Counts, step
	return true
}
