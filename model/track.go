package model

import "context"

// A Track is the times of things of one kind in a view: the records of a stream, the samples of an attribute.
type Track struct {
	Name  string // "1201-1 data", "/World.points"
	Path  string // the node whose children they are
	Count int64
	Unit  string // of its times: "s"; "" where they are in the view's own
	// Read fills dst with the times from first on, in the order in which the file has them, and returns how many.
	Read func(ctx context.Context, first int64, dst []Moment) (int, error)
}

// A Moment is the time of one child of a track's node.
type Moment struct {
	Time  float64 // in the track's unit
	Rest  float64 // what Time lacks: nanoseconds since 1970 have more digits than it holds
	Index int64   // which child
}

// Since is the time from another moment to this one.
func (m Moment) Since(other Moment) float64 { return m.Time - other.Time + (m.Rest - other.Rest) }

// PathOf is the path of the child that a moment is of.
func (t *Track) PathOf(m Moment) string { return t.Path + "/" + IndexName(m.Index) }
