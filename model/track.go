package model

import (
	"cmp"
	"context"
)

// A Track holds the times of things of one kind in a view: the records of a stream, the samples of an attribute.
type Track struct {
	Name  string // "1201-1 data", "/World.points"
	Label string // for people, or "" if that is the name
	Path  string // the node whose children have the times
	Count int64
	Unit  string // of its times: "s", or "" for the view's own unit
	// Read fills dst with the times from first on, in file order, and returns their number.
	Read func(ctx context.Context, first int64, dst []Moment) (int, error)
}

// Title returns the name for people.
func (t *Track) Title() string { return cmp.Or(t.Label, t.Name) }

// A Moment is the time of a child of a track's node.
type Moment struct {
	Time  float64 // in the track's unit
	Rest  float64 // the digits that Time lacks, such as those of nanoseconds since 1970
	Index int64   // number of the child
}

// Since returns the time from another moment to this one.
func (m Moment) Since(other Moment) float64 { return m.Time - other.Time + (m.Rest - other.Rest) }

// PathOf returns the path of the child at a moment.
func (t *Track) PathOf(m Moment) string { return t.Path + "/" + IndexName(m.Index) }
