package container

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strconv"
	"strings"

	"cutaway/model"
	"cutaway/source"
)

// Chapter 9: recordings in several files.

// maxParts bounds the files of one recording.
const maxParts = 100_000

// partName is the name of part n of the recording whose first file is called base.
func partName(base string, n int) string {
	if stem, ok := strings.CutSuffix(base, "_0"); ok {
		return stem + "_" + strconv.Itoa(n)
	}
	return base + "_" + strconv.Itoa(n)
}

// Join makes the one source of the recording out of the file and the parts beside it.
func (f *File) Join(ctx context.Context, req *model.OpenRequest) error {
	base := path.Base(req.Name)
	readers := []model.Reader{req.Source}
	segments := []model.Segment{{File: base, Length: req.Source.Size()}}
	end := req.Source.Size()
	f.Src, f.firstEnd = req.Source, end
	f.nextPart = partName(base, 1)
	var head [len(MagicFront)]byte
	if n, _ := req.Source.ReadAt(ctx, head[:], 0); n < len(head) || !HasMagic(head[:]) {
		return nil // only a first part has parts after it
	}
	listed, _ := req.Files.List()
	for n := 1; n < maxParts; n++ {
		f.nextPart = partName(base, n)
		file, err := req.Files.Open(f.nextPart)
		if errors.Is(err, fs.ErrNotExist) {
			break
		}
		if err != nil {
			return fmt.Errorf("part %s of the recording cannot be read: %w", f.nextPart, err)
		}
		if listed == nil && isOneAnswer(ctx, readers[n-1], file) {
			n = max(n-1, 1)
			readers, segments, f.nextPart = readers[:n], segments[:n], partName(base, n)
			end = segments[n-1].Start + segments[n-1].Length
			break
		}
		readers = append(readers, file)
		segments = append(segments, model.Segment{File: f.nextPart, Start: end, Length: file.Size()})
		end += file.Size()
	}
	if later := f.laterParts(req, base, len(segments)); len(later) > 0 {
		segments = append(segments, model.Segment{File: f.nextPart, Start: end, Missing: true})
		f.Problems = append(f.Problems, model.Problemf(model.Truncated, ruleMissingPart, model.Span{Off: end},
			"the part %s is missing, though %s is there; what follows is not read", f.nextPart, later[0]))
	}
	if len(segments) > 1 {
		f.Src = model.NewFileSource(req.Source.Title(), source.Join(readers...)).WithSegments(segments)
	}
	for i := range f.Problems {
		f.Problems[i].Span.Source = f.Src
	}
	return nil
}

// isOneAnswer reports whether a server, which does not list what it has, has the same answer for a name and the one before: both
// have one size and begin with the same bytes, as records with times of their own do not.
func isOneAnswer(ctx context.Context, before, file model.Reader) bool {
	if before.Size() != file.Size() || file.Size() == 0 {
		return false
	}
	var heads [2][512]byte
	n, _ := before.ReadAt(ctx, heads[0][:], 0)
	m, _ := file.ReadAt(ctx, heads[1][:], 0)
	return n == m && heads[0] == heads[1]
}

// laterParts lists files that look like parts after the missing part n.
func (f *File) laterParts(req *model.OpenRequest, base string, n int) []string {
	names, err := req.Files.List()
	if err != nil {
		return nil
	}
	prefix := strings.TrimSuffix(partName(base, 0), "0")
	var later []string
	for _, name := range names {
		digits, ok := strings.CutPrefix(name, prefix)
		if k, err := strconv.Atoi(digits); ok && err == nil && k > n && strconv.Itoa(k) == digits {
			later = append(later, name)
		}
	}
	return later
}

// partOf returns the stem and the number in the name of a later part, or number 0 if it is no such name.
func partOf(name string) (stem string, n int) {
	base := path.Base(name)
	at := strings.LastIndexByte(base, '_')
	n, err := strconv.Atoi(base[at+1:])
	if at < 0 || err != nil || n < 1 || strconv.Itoa(n) != base[at+1:] {
		return "", 0
	}
	return base[:at], n
}

// NamedLater reports whether a file is named like a later part, as FILE.vrs_2 is.
func NamedLater(name string) bool {
	stem, n := partOf(name)
	return n > 0 && strings.HasSuffix(stem, ".vrs")
}

// partsBefore ends the sentence about a part that is opened alone with the names of those before it, as far as its own name
// shows them.
func (f *File) partsBefore() string {
	stem, n := partOf(f.Name)
	if n == 0 {
		return ""
	}
	list := stem + " or " + stem + "_0"
	switch {
	case n == 2:
		list += ", and " + partName(stem, 1)
	case n > 2:
		list += fmt.Sprintf(", and %s to %s", partName(stem, 1), partName(stem, n-1))
	}
	return "; what belongs before it: " + list
}

// nextPartHint ends the sentence about something that lies after the end of the bytes.
func (f *File) nextPartHint() string {
	if f.Orphan {
		return ""
	}
	return fmt.Sprintf("; if the recording has another part, %s is missing", f.nextPart)
}

// place is an offset for a person; of several files it names the one that it lies in, or that ends there.
func (f *File) place(off int64) string {
	for _, s := range f.Src.Segments() {
		if off > s.Start && off <= s.Start+s.Length {
			return fmt.Sprintf("%s (%s in %s)", model.Grouped(off), model.Grouped(off-s.Start), s.File)
		}
	}
	return model.Grouped(off)
}

// foreignParts returns the problems of parts that begin after the end of the recording.
func (f *File) foreignParts(end int64) (list []model.Problem) {
	for _, s := range f.Src.Segments() {
		if s.Start >= end && s.Start > 0 && !s.Missing && s.Length > 0 {
			list = append(list, model.Problemf(model.Suspicious, ruleForeignPart, f.Src.Span(s.Start, s.Length),
				"%s is no part of the recording, which ends before it", s.File))
		}
	}
	return list
}
