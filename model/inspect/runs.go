package inspect

import (
	"context"
	"encoding/binary"
	"slices"

	"cutaway/model"
)

// A Run is bytes in a row that are the same.
type Run struct {
	Off, Len int64
	Byte     byte
}

const (
	// runWindow is the number of bytes that are read at once to find runs.
	runWindow = 256 << 10
	// firstTold is the number of bytes after which the first runs are reported.
	firstTold = 1 << 20
)

// Runs finds the runs of at least so many equal bytes in a source, in the order of their offsets, but not across the borders
// of its files. Of more than most runs it keeps the longest: the least length doubles until few enough are left. told is
// called with those found in the first MiB, and again each time that twice as much has been read; the slice is its own. Bytes
// that cannot be read are in no run. When the context ends, Runs returns what it has found.
func Runs(ctx context.Context, src *model.Source, least int64, most int, progress model.Progress, told func([]Run)) []Run {
	f := &runFinder{least: max(least, 2), most: max(most, 1)}
	size, borders := src.Size(), src.Segments()
	buffer := make([]byte, min(runWindow, size))
	for at, next := int64(0), int64(firstTold); at < size && ctx.Err() == nil; {
		for len(borders) > 0 && borders[0].Start <= at {
			f.end()
			borders = borders[1:]
		}
		b := buffer[:min(int64(len(buffer)), size-at)]
		if len(borders) > 0 {
			b = b[:min(int64(len(b)), borders[0].Start-at)]
		}
		n, _ := src.ReadFull(ctx, b, at)
		f.window(b[:n], at)
		if n < len(b) {
			f.end()
		}
		if at += int64(len(b)); at >= next && at < size {
			next = 2 * at
			told(slices.Clone(f.found))
		}
		progress.Report(at, size, "")
	}
	f.end()
	return f.found
}

// runFinder finds runs in windows that follow each other.
type runFinder struct {
	least int64
	most  int
	found []Run
	last  Run // goes up to the end of the last window, and may go on
}

// end ends the run that may go on.
func (f *runFinder) end() {
	f.add(f.last)
	f.last = Run{}
}

func (f *runFinder) add(r Run) {
	if r.Len < f.least {
		return
	}
	f.found = append(f.found, r)
	for len(f.found) > f.most {
		f.least *= 2
		f.found = slices.DeleteFunc(f.found, func(r Run) bool { return r.Len < f.least })
	}
}

// window looks at the bytes at an offset. A run of the least length has one of the bytes that are that far from each other: only
// around these it looks.
func (f *runFinder) window(b []byte, off int64) {
	if len(b) == 0 {
		return
	}
	begin := 0 // no run that begins before it is still to be found
	if f.last.Len > 0 {
		if begin = sameAs(b, f.last.Byte); begin == len(b) {
			f.last.Len += int64(begin)
			return
		}
		f.last.Len += int64(begin)
		f.end()
	}
	for p := int64(begin) + f.least - 1; p < int64(len(b)); {
		from := int(p)
		for from > begin && b[from-1] == b[p] {
			from--
		}
		to := int(p) + sameAs(b[p:], b[p])
		if to == len(b) {
			break
		}
		if run := (Run{off + int64(from), int64(to - from), b[p]}); run.Len >= f.least {
			f.add(run)
			begin = to
		}
		p = max(p+1, int64(to)) + f.least - 1
	}
	from, c := len(b)-1, b[len(b)-1]
	for from > begin && b[from-1] == c {
		from--
	}
	f.last = Run{off + int64(from), int64(len(b) - from), c}
}

// sameAs returns the number of bytes c that b begins with.
func sameAs(b []byte, c byte) int {
	const step = 8
	all := uint64(c) * 0x0101010101010101
	i := 0
	for i+step <= len(b) && binary.LittleEndian.Uint64(b[i:]) == all {
		i += step
	}
	for i < len(b) && b[i] == c {
		i++
	}
	return i
}
