// Package trying keeps what a user has typed over the bytes of a tab, which can be undone and redone, saved as a new file or as
// a list, and is never written to the file.
package trying

import (
	"bytes"
	"fmt"
	"slices"

	"cutaway/hexview"
	"cutaway/model"
	"cutaway/source"
)

// Edits are the bytes that a user has put in place of those of a file. They belong on the UI goroutine; a Patch of theirs
// never changes, and may be read through anywhere.
type Edits struct {
	On    bool // keys put bytes in place of others
	patch *source.Patch
	saved *source.Patch // as it was saved last
	steps []step
	at    int // how many steps are done; those after were undone
}

// step is a change that can be undone: of bytes at an offset of the file, or of all by another patch.
type step struct {
	off           int64
	was, now      []byte
	before, after *source.Patch // of a change of all
	all           bool
}

// Patch is what is changed now.
func (e *Edits) Patch() *source.Patch { return e.patch }

// Len is how many bytes of the file are changed.
func (e *Edits) Len() int64 { return e.patch.Len() }

// Unsaved reports whether bytes are changed that were not saved since.
func (e *Edits) Unsaved() bool { return e.patch.Len() > 0 && e.patch != e.saved }

// Saved notes that a patch was saved.
func (e *Edits) Saved(p *source.Patch) { e.saved = p }

// Put puts bytes in place of others at an offset of the file; was is what stood there. Both halves of a byte are a step.
func (e *Edits) Put(off int64, was, now []byte) {
	e.steps = e.steps[:e.at]
	if k := len(e.steps) - 1; k >= 0 && !e.steps[k].all && e.steps[k].off == off && bytes.Equal(e.steps[k].now, was) && len(was) == 1 {
		e.steps[k].now = slices.Clone(now)
	} else {
		e.steps = append(e.steps, step{off: off, was: slices.Clone(was), now: slices.Clone(now)})
	}
	e.at = len(e.steps)
	e.patch = e.patch.Put(off, now, was)
}

// Replace changes all: by a list that was read, or to nothing.
func (e *Edits) Replace(p *source.Patch) {
	e.steps = append(e.steps[:e.at], step{before: e.patch, after: p, all: true})
	e.at = len(e.steps)
	e.patch = p
}

// CanUndo reports whether there is a step to undo, CanRedo whether there is one to be done again.
func (e *Edits) CanUndo() bool { return e.at > 0 }

// CanRedo reports whether a step that was undone can be done again.
func (e *Edits) CanRedo() bool { return e.at < len(e.steps) }

// Undo takes the last step back. It gives the offset that it was about; -1: all.
func (e *Edits) Undo() int64 {
	e.at--
	s := e.steps[e.at]
	if s.all {
		e.patch = s.before
		return -1
	}
	e.patch = e.patch.Put(s.off, s.was, s.now)
	return s.off
}

// Redo does the last step again that was undone. It gives the offset that it is about; -1: all.
func (e *Edits) Redo() int64 {
	s := e.steps[e.at]
	e.at++
	if s.all {
		e.patch = s.after
		return -1
	}
	e.patch = e.patch.Put(s.off, s.now, s.was)
	return s.off
}

// FileOffset is where the first n bytes at off of a source are in the file, or why they cannot be changed.
func FileOffset(src *model.Source, off, n int64) (int64, error) {
	for src.Origin() != nil {
		o := src.Origin()
		if o.Codec != model.StoredCodec || len(o.Spans) != 1 {
			how := "are made from others"
			if o.Codec != "" {
				how += " (" + o.Codec + ")"
			}
			return 0, fmt.Errorf("the bytes of %s are not in the file: they %s. Open them in a tab of their own to try others there", src.Title(), how)
		}
		off += o.Spans[0].Off
		src = o.Parent
	}
	if parts := src.Segments(); len(parts) > 0 && off+n > parts[0].Length {
		return 0, fmt.Errorf("these bytes are not of the file %s but of another part: open that one to try bytes in it", parts[0].File)
	}
	return off, nil
}

// Over is what is changed of a source whose first byte is at by in the file; nil: nothing.
func (e *Edits) Over(by int64) hexview.Over {
	if e.patch.Len() == 0 {
		return nil
	}
	return over{e.patch, by}
}

// over shows a patch of the file in a source.
type over struct {
	patch *source.Patch
	by    int64
}

func (o over) Apply(b []byte, off int64) { o.patch.Apply(b, off+o.by) }

func (o over) Each(first, last int64, f func(off int64, now []byte)) {
	o.patch.Each(first+o.by, last+o.by, func(off int64, now []byte) { f(off-o.by, now) })
}
