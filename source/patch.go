package source

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/hex"
	"fmt"
	"io"
	"slices"
	"sort"
	"strconv"
	"strings"

	"cutaway/model"
)

// A Patch is bytes that stand in place of others, at some offsets. It is immutable, so that whoever reads through one
// sees all of it or nothing. The zero value and nil change nothing.
type Patch struct {
	runs []patchRun // in the order of their offsets; none touches the next
	size int64      // bytes in all runs
}

// patchRun is bytes of a Patch that stand one behind the other.
type patchRun struct {
	off   int64
	bytes []byte // never changed
}

func (r patchRun) end() int64 { return r.off + int64(len(r.bytes)) }

// Len is how many bytes are changed.
func (p *Patch) Len() int64 {
	if p == nil {
		return 0
	}
	return p.size
}

// Put returns p with now at off. Where was, the bytes there without any patch, has the same byte, nothing is changed any
// more; a was of nil says that they are not known.
func (p *Patch) Put(off int64, now, was []byte) *Patch {
	var runs []patchRun
	if p != nil {
		runs = p.runs
	}
	end := off + int64(len(now))
	first := sort.Search(len(runs), func(i int) bool { return runs[i].end() >= off })
	last := sort.Search(len(runs), func(i int) bool { return runs[i].off > end })
	var middle []patchRun
	if first < last {
		if r := runs[first]; r.off < off {
			middle = joinRun(middle, r.off, r.bytes[:min(off, r.end())-r.off])
		}
	}
	for from := 0; from < len(now); {
		to := from + 1
		if was != nil && now[from] == was[from] {
			from = to
			continue
		}
		for to < len(now) && (was == nil || now[to] != was[to]) {
			to++
		}
		middle = joinRun(middle, off+int64(from), now[from:to])
		from = to
	}
	if first < last {
		if r := runs[last-1]; r.end() > end {
			from := max(end, r.off)
			middle = joinRun(middle, from, r.bytes[from-r.off:])
		}
	}
	next := &Patch{runs: slices.Concat(runs[:first], middle, runs[max(first, last):])}
	for _, r := range next.runs {
		next.size += int64(len(r.bytes))
	}
	return next
}

// joinRun appends b, which it copies, to the last run if it touches it, else as a run of its own.
func joinRun(runs []patchRun, off int64, b []byte) []patchRun {
	if k := len(runs) - 1; k >= 0 && runs[k].end() == off {
		runs[k].bytes = append(runs[k].bytes, b...)
		return runs
	}
	return append(runs, patchRun{off, bytes.Clone(b)})
}

// Apply puts the changed bytes into b, which are those from off on.
func (p *Patch) Apply(b []byte, off int64) {
	p.Each(off, off+int64(len(b)), func(at int64, now []byte) { copy(b[at-off:], now) })
}

// Each calls f with every run of changed bytes in [from, to), cut to it, in the order of their offsets. f must not change
// the bytes.
func (p *Patch) Each(from, to int64, f func(off int64, now []byte)) {
	if p == nil {
		return
	}
	first := sort.Search(len(p.runs), func(i int) bool { return p.runs[i].end() > from })
	for _, r := range p.runs[first:] {
		if r.off >= to {
			return
		}
		start, end := max(r.off, from), min(r.end(), to)
		f(start, r.bytes[start-r.off:end-r.off])
	}
}

// end is where the last changed byte ends; 0 where there is none.
func (p *Patch) end() int64 {
	if p.Len() == 0 {
		return 0
	}
	return p.runs[len(p.runs)-1].end()
}

// Over returns a reader of r with the bytes changed. All of them must lie in r: nothing gets longer.
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

// patched is a reader with some bytes changed.
type patched struct {
	r     model.Reader
	patch *Patch
}

// Size implements model.Reader.
func (o patched) Size() int64 { return o.r.Size() }

// ReadAt implements model.Reader.
func (o patched) ReadAt(ctx context.Context, b []byte, off int64) (int, error) {
	n, err := o.r.ReadAt(ctx, b, off)
	o.patch.Apply(b[:n], off)
	return n, err
}

// ReadScattered implements model.ScatteredReader.
func (o patched) ReadScattered(ctx context.Context, b []byte, off int64) (int, error) {
	s, ok := o.r.(model.ScatteredReader)
	if !ok {
		return o.ReadAt(ctx, b, off)
	}
	n, err := s.ReadScattered(ctx, b, off)
	o.patch.Apply(b[:n], off)
	return n, err
}

// patchedFile knows the file whose bytes it changes, which others are looked for beside, and which is never written.
type patchedFile struct {
	patched
	path string
}

// Path is that of the file.
func (o patchedFile) Path() string { return o.path }

// longestPatchLine bounds a line of a patch list, in bytes; maxPatched the bytes that it changes, which are all kept in memory.
const (
	longestPatchLine = 1 << 20
	maxPatched       = 64 << 20
	patchRow         = 32 // bytes in a line that is written
)

// ReadPatch reads a patch list: in each line an offset, decimal or 0x…, and after it the new bytes as hexadecimal digits,
// with spaces between them where one likes. Empty lines, and what follows a #, say nothing. A byte named twice is an error.
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
		if total += len(run.bytes); total > maxPatched {
			return nil, fmt.Errorf("line %d: more than %d bytes are changed, which is a limit of this program's", n, maxPatched)
		}
		all = append(all, run)
	}
	if err := lines.Err(); err != nil {
		return nil, err
	}
	return patchOf(all)
}

// patchLine reads the words of a line.
func patchLine(words []string) (patchRun, error) {
	digits, base := words[0], 10
	if h, ok := strings.CutPrefix(strings.ToLower(digits), "0x"); ok {
		digits, base = h, 16
	}
	off, err := strconv.ParseUint(digits, base, 63)
	if err != nil {
		return patchRun{}, fmt.Errorf("%q is no offset: write it in decimal, or in hexadecimal behind 0x", words[0])
	}
	text := strings.Join(words[1:], "")
	b, err := hex.DecodeString(text)
	switch {
	case err != nil:
		return patchRun{}, fmt.Errorf("%q are no bytes: write two hexadecimal digits for each", text)
	case len(b) == 0:
		return patchRun{}, fmt.Errorf("there are no bytes behind the offset")
	case int64(off)+int64(len(b)) < 0:
		return patchRun{}, fmt.Errorf("the bytes at %s end behind the largest offset", words[0])
	}
	return patchRun{int64(off), b}, nil
}

// patchOf is the patch that runs make.
func patchOf(runs []patchRun) (*Patch, error) {
	slices.SortFunc(runs, func(a, b patchRun) int { return cmp.Compare(a.off, b.off) })
	p := &Patch{}
	for _, r := range runs {
		if r.off < p.end() {
			return nil, fmt.Errorf("the byte at %#x is changed twice", r.off)
		}
		p.runs = joinRun(p.runs, r.off, r.bytes)
		p.size += int64(len(r.bytes))
	}
	return p, nil
}

// Write writes p as a list that ReadPatch reads.
func (p *Patch) Write(w io.Writer) error {
	out := bufio.NewWriter(w)
	if p != nil {
		for _, r := range p.runs {
			for row := range slices.Chunk(r.bytes, patchRow) {
				fmt.Fprintf(out, "%#x % x\n", r.off, row)
				r.off += int64(len(row))
			}
		}
	}
	return out.Flush()
}
