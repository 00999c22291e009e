package source

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/hex"
	"fmt"
	"io"
	"math"
	"slices"
	"sort"
	"strconv"
	"strings"

	"cutaway/model"
)

// A Patch replaces bytes at some offsets. It is immutable, so that readers see all changes or none. The zero value and
// nil change nothing.
type Patch struct {
	runs []patchRun // in the order of their offsets, not adjacent
	size int64      // bytes in all runs
}

// A patchRun is a run of bytes of a Patch. Its slices have equal lengths and never change.
type patchRun struct {
	off      int64
	now, was []byte // the new and the original bytes; after ReadPatch was is now, until Learn
}

func (r patchRun) end() int64 { return r.off + int64(len(r.now)) }

// cut returns the part of r in [from, to).
func (r patchRun) cut(from, to int64) patchRun {
	from, to = max(from, r.off), min(to, r.end())
	return patchRun{from, r.now[from-r.off : to-r.off], r.was[from-r.off : to-r.off]}
}

// Len returns the number of changed bytes.
func (p *Patch) Len() int64 {
	if p == nil {
		return 0
	}
	return p.size
}

// Put returns p with now at off. was holds the current bytes there, of the same length. Bytes equal to the original
// ones are no longer changed.
func (p *Patch) Put(off int64, now, was []byte) *Patch {
	var runs []patchRun
	if p != nil {
		runs = p.runs
	}
	plain := bytes.Clone(was)
	p.each(off, off+int64(len(now)), func(r patchRun) { copy(plain[r.off-off:], r.was) })
	end := off + int64(len(now))
	first := sort.Search(len(runs), func(i int) bool { return runs[i].end() >= off })
	last := sort.Search(len(runs), func(i int) bool { return runs[i].off > end })
	var middle []patchRun
	if first < last && runs[first].off < off {
		middle = joinRun(middle, runs[first].cut(0, off))
	}
	middle = joinChanged(middle, patchRun{off, now, plain})
	if first < last && runs[last-1].end() > end {
		middle = joinRun(middle, runs[last-1].cut(end, runs[last-1].end()))
	}
	next := &Patch{runs: slices.Concat(runs[:first], middle, runs[max(first, last):])}
	for _, r := range next.runs {
		next.size += int64(len(r.now))
	}
	return next
}

// joinChanged appends the runs of r whose bytes differ from the original ones.
func joinChanged(runs []patchRun, r patchRun) []patchRun {
	for from := 0; from < len(r.now); {
		to := from
		for to < len(r.now) && r.now[to] != r.was[to] {
			to++
		}
		if to > from {
			runs = joinRun(runs, r.cut(r.off+int64(from), r.off+int64(to)))
		}
		from = to + 1
	}
	return runs
}

// joinRun appends a copy of r to the last run if they are adjacent, or else as a run of its own.
func joinRun(runs []patchRun, r patchRun) []patchRun {
	if k := len(runs) - 1; k >= 0 && runs[k].end() == r.off {
		runs[k].now, runs[k].was = append(runs[k].now, r.now...), append(runs[k].was, r.was...)
		return runs
	}
	return append(runs, patchRun{r.off, bytes.Clone(r.now), bytes.Clone(r.was)})
}

// Learn returns p with the original bytes of r, without changes that equal these. A patch from ReadPatch needs Learn
// before Put.
func (p *Patch) Learn(ctx context.Context, r model.Reader) (*Patch, error) {
	if _, err := p.Over(r); err != nil {
		return nil, err
	}
	next := &Patch{}
	var err error
	p.each(0, math.MaxInt64, func(r0 patchRun) {
		was := make([]byte, len(r0.now))
		if err == nil {
			_, err = model.NewFileSource("", r).ReadFull(ctx, was, r0.off)
		}
		next.runs = joinChanged(next.runs, patchRun{r0.off, r0.now, was})
	})
	for _, run := range next.runs {
		next.size += int64(len(run.now))
	}
	return next, err
}

// Apply changes the bytes in b, which begin at off.
func (p *Patch) Apply(b []byte, off int64) {
	p.Each(off, off+int64(len(b)), func(at int64, now []byte) { copy(b[at-off:], now) })
}

// Each calls f with every run of changed bytes in [from, to), clipped, in the order of offsets. f must not change the
// bytes.
func (p *Patch) Each(from, to int64, f func(off int64, now []byte)) {
	p.each(from, to, func(r patchRun) { f(r.off, r.now) })
}

func (p *Patch) each(from, to int64, f func(patchRun)) {
	if p == nil {
		return
	}
	first := sort.Search(len(p.runs), func(i int) bool { return p.runs[i].end() > from })
	for _, r := range p.runs[first:] {
		if r.off >= to {
			return
		}
		f(r.cut(from, to))
	}
}

// end returns the end of the last changed byte, or 0.
func (p *Patch) end() int64 {
	if p.Len() == 0 {
		return 0
	}
	return p.runs[len(p.runs)-1].end()
}

// Over returns a reader of r with the bytes changed. All changes must lie inside of r: a patch does not lengthen.
func (p *Patch) Over(r model.Reader) (model.Reader, error) {
	if p.Len() == 0 {
		return r, nil
	}
	if p.end() > r.Size() {
		return nil, fmt.Errorf("the patch has bytes up to %#x, the size is %#x: it is of another file", p.end(), r.Size())
	}
	if f, ok := r.(interface{ Path() string }); ok {
		return patchedFile{patched{r, p}, f.Path()}, nil
	}
	return patched{r, p}, nil
}

// patched is a reader with changed bytes.
type patched struct {
	r     model.Reader
	patch *Patch
}

func (o patched) Size() int64 { return o.r.Size() }

// Far reports whether the other reader is far.
func (o patched) Far() bool { return model.Far(o.r) }

func (o patched) ReadAt(ctx context.Context, b []byte, off int64) (int, error) {
	n, err := o.r.ReadAt(ctx, b, off)
	o.patch.Apply(b[:n], off)
	return n, err
}

func (o patched) ReadScattered(ctx context.Context, b []byte, off int64) (int, error) {
	s, ok := o.r.(model.ScatteredReader)
	if !ok {
		return o.ReadAt(ctx, b, off)
	}
	n, err := s.ReadScattered(ctx, b, off)
	o.patch.Apply(b[:n], off)
	return n, err
}

// Unpatched returns a reader without the changes.
func (o patched) Unpatched() model.Reader { return o.r }

// A patchedFile is patched with the path of the file, by which files beside it are found. The file is never written.
type patchedFile struct {
	patched
	path string
}

// Path returns the path of the file.
func (o patchedFile) Path() string { return o.path }

// longestPatchLine is the most bytes of a line of a patch list; maxPatched the most bytes changed by it, which are all
// in memory.
const (
	longestPatchLine = 1 << 20
	maxPatched       = 64 << 20
	patchRow         = 32 // bytes in a line that is written
)

// ReadPatch reads a patch list. Each line has an offset, decimal or 0x…, and the new bytes as hexadecimal digits with
// optional spaces. Empty lines and text after a # are ignored. Two values for a byte are an error.
func ReadPatch(r io.Reader) (*Patch, error) {
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, longestPatchLine)
	var all []patchRun
	total := 0
	for n := 1; lines.Scan(); n++ {
		text, _, _ := strings.Cut(lines.Text(), "#")
		words := strings.Fields(text)
		if len(words) == 0 {
			continue
		}
		run, err := patchLine(words)
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", n, err)
		}
		if total += len(run.now); total > maxPatched {
			return nil, fmt.Errorf("line %d: more than %d bytes are changed, which is a limit of this program's", n, maxPatched)
		}
		all = append(all, run)
	}
	if err := lines.Err(); err != nil {
		return nil, err
	}
	return patchOf(all)
}

// patchLine parses the words of a line.
func patchLine(words []string) (patchRun, error) {
	digits, base := words[0], 10
	if h, ok := strings.CutPrefix(strings.ToLower(digits), "0x"); ok {
		digits, base = h, 16
	}
	off, err := strconv.ParseUint(digits, base, 63)
	if err != nil {
		return patchRun{}, fmt.Errorf("%q is no offset: write it in decimal, or in hexadecimal after 0x", words[0])
	}
	text := strings.Join(words[1:], "")
	b, err := hex.DecodeString(text)
	switch {
	case err != nil:
		return patchRun{}, fmt.Errorf("%q are no bytes: write two hexadecimal digits for each", text)
	case len(b) == 0:
		return patchRun{}, fmt.Errorf("there are no bytes after the offset")
	case int64(off)+int64(len(b)) < 0:
		return patchRun{}, fmt.Errorf("the bytes at %s end after the largest offset", words[0])
	}
	return patchRun{int64(off), b, b}, nil
}

// patchOf returns the patch of some runs.
func patchOf(runs []patchRun) (*Patch, error) {
	slices.SortFunc(runs, func(a, b patchRun) int { return cmp.Compare(a.off, b.off) })
	p := &Patch{}
	for _, r := range runs {
		if r.off < p.end() {
			return nil, fmt.Errorf("the byte at %#x is changed twice", r.off)
		}
		p.runs = joinRun(p.runs, r)
		p.size += int64(len(r.now))
	}
	return p, nil
}

// Write writes p as a list for ReadPatch.
func (p *Patch) Write(w io.Writer) error {
	out := bufio.NewWriter(w)
	if p != nil {
		for _, r := range p.runs {
			for row := range slices.Chunk(r.now, patchRow) {
				fmt.Fprintf(out, "%#x % x\n", r.off, row)
				r.off += int64(len(row))
			}
		}
	}
	return out.Flush()
}
