// Package trying holds the bytes that a user types over those of a tab. They can be undone and redone, and saved as a
// new file or as a list. They are never written to the file itself.
package trying

import (
	"bytes"
	"fmt"
	"slices"

	"cutaway/hexview"
	"cutaway/model"
	"cutaway/source"
)

// Edits hold the bytes that replace those of a file, with the steps to undo. They belong on the UI goroutine. Their
// Patch is immutable and may be used anywhere.
type Edits struct {
	On    bool // keys replace bytes
	patch *source.Patch
	saved *source.Patch // the patch that was saved last
	steps []step
	at    int // the number of steps that are done; those after were undone
}

// A step is a change that can be undone: of bytes at an offset of the file, or of all bytes by another patch.
type step struct {
	off           int64
	was, now      []byte
	before, after *source.Patch // of a change of all bytes
	all           bool
}

// Patch returns the changes.
func (e *Edits) Patch() *source.Patch { return e.patch }

// Len returns the number of changed bytes of the file.
func (e *Edits) Len() int64 { return e.patch.Len() }

// Unsaved reports whether there are changes that are not saved.
func (e *Edits) Unsaved() bool { return e.patch.Len() > 0 && e.patch != e.saved }

// Saved marks a patch as saved.
func (e *Edits) Saved(p *source.Patch) { e.saved = p }

// Put replaces the bytes was at an offset of the file by now. The two halves of a byte are one step.
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

// Replace replaces all changes by those of a list that was read, or by none.
func (e *Edits) Replace(p *source.Patch) {
	e.steps = append(e.steps[:e.at], step{before: e.patch, after: p, all: true})
	e.at = len(e.steps)
	e.patch = p
}

// CanUndo reports whether there is a step to undo.
func (e *Edits) CanUndo() bool { return e.at > 0 }

// CanRedo reports whether there is a step to redo.
func (e *Edits) CanRedo() bool { return e.at < len(e.steps) }

// Undo undoes the last step. It returns the offset of the change, or -1 if all bytes may have changed.
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

// Redo redoes the step that was undone last. It returns the offset of the change, or -1 if all bytes may have changed.
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

// FileOffset returns the offset in the file of the first n bytes at off of a source. Its error says why these bytes
// cannot be changed.
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

// Over returns the changes of a source whose first byte is at by in the file, or nil if there are none.
func (e *Edits) Over(by int64) hexview.Over {
	if e.patch.Len() == 0 {
		return nil
	}
	return over{e.patch, by}
}

// over applies a patch of the file to a source.
type over struct {
	patch *source.Patch
	by    int64
}

func (o over) Apply(b []byte, off int64) { o.patch.Apply(b, off+o.by) }

func (o over) Each(first, last int64, f func(off int64, now []byte)) {
	o.patch.Each(first+o.by, last+o.by, func(off int64, now []byte) { f(off-o.by, now) })
}
