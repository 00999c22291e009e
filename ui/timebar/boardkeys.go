package timebar

import (
	"slices"

	"fyne.io/fyne/v2"

	"cutaway/model/timeline"
	"cutaway/ui/kit"
)

func (b *board) FocusGained() { b.focused = true; b.Refresh() }

func (b *board) FocusLost() { b.focused = false; b.Refresh() }

// TypedRune zooms around the selected moment by + and -, and shows all times by 0.
func (b *board) TypedRune(r rune) {
	switch r {
	case '+', '=':
		b.zoom(b.middle(), 1)
	case '-':
		b.zoom(b.middle(), -1)
	case '0':
		b.showAll()
	default:
		kit.HandOnRune(b, r)
	}
}

// middle returns the selected moment's time if that is in sight, or else the middle of the times in sight.
func (b *board) middle() float64 {
	if at := b.p.At; at != nil && at.Moment.Time >= b.from && at.Moment.Time <= b.to {
		return at.Moment.Time
	}
	return (b.from + b.to) / 2
}

// TypedKey goes to the next moment of the track by the left and right arrow, with Shift of any track; by up and down to the
// nearest one of a neighbouring track; by Home and End to the first and last of the track.
func (b *board) TypedKey(e *fyne.KeyEvent) {
	switch e.Name {
	case fyne.KeyLeft, fyne.KeyRight:
		b.p.Step(e.Name == fyne.KeyLeft, kit.ShiftHeld())
	case fyne.KeyUp:
		b.toTrack(-1)
	case fyne.KeyDown:
		b.toTrack(1)
	case fyne.KeyHome:
		if x := b.selected(); x != nil {
			b.p.GoToTime(x, x.Facts.First)
		}
	case fyne.KeyEnd:
		if x := b.selected(); x != nil {
			b.p.GoToTime(x, x.Facts.Last)
		}
	default:
		kit.HandOn(b, e)
	}
}

// selected returns the selected track, or that of the selected moment, or nil.
func (b *board) selected() *timeline.Index {
	switch {
	case b.p.on != nil:
		return b.p.on
	case b.p.At != nil:
		return b.p.At.Track
	}
	return nil
}

// toTrack goes to the nearest moment of the track so many further down.
func (b *board) toTrack(by int) {
	i := slices.Index(b.p.Tracks, b.selected()) + by
	if i >= 0 && i < len(b.p.Tracks) {
		b.p.GoToTime(b.p.Tracks[i], b.middle())
	}
}
