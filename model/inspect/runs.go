package inspect

import (
	"context"
	"encoding/binary"
	"slices"

	"cutaway/model"
)

// A Run is a range of equal bytes.
type Run struct {
	Off, Len int64
	Byte     byte
}

const (
	// runWindow is the number of bytes of a window.
	runWindow = 256 << 10
	// firstReport is the number of bytes after which the first runs are reported.
	firstReport = 1 << 20
)

// Runs returns the runs of at least least equal bytes in a source, by offset. Runs do not cross the borders of the
// source's files. If there are more than most runs, the least length doubles until few enough remain. report is called
// after the first MiB, and again whenever twice as much was read, with a slice of its own. Unreadable bytes are in no
// run. When ctx ends, Runs returns its findings so far.
func Runs(ctx context.Context, src *model.Source, least int64, most int, progress model.Progress, report func([]Run)) []Run {
	f := &runFinder{least: max(least, 2), most: max(most, 1)}
	size, borders := src.Size(), src.Segments()
	buffer := make([]byte, min(runWindow, size))
	for at, next := int64(0), int64(firstReport); at < size && ctx.Err() == nil; {
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
			report(slices.Clone(f.found))
		}
		progress.Report(at, size, "")
	}
	f.end()
	return f.found
}

// A runFinder finds runs in successive windows.
type runFinder struct {
	least int64
	most  int
	found []Run
	last  Run // extends to the end of the last window, and may go on
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

// window finds runs in the bytes at an offset. Every run of the least length contains one of the bytes at that distance
// from each other, so it examines only these and their neighbours.
func (f *runFinder) window(b []byte, off int64) {
	if len(b) == 0 {
		return
	}
	begin := 0 // runs that begin before it are found
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

// sameAs returns the number of leading bytes c of b.
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
