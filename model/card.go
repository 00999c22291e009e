package model

import (
	"context"
	"image"
)

// A Card is a way to show a node besides its row: a Table, Series, Picture, Audio, Listing or Words. The window
// draws it, the exporter writes it.
type Card interface{ CardTitle() string }

// CardBase gives a card its title; embed it.
type CardBase struct{ Title string }

// CardTitle implements Card.
func (c CardBase) CardTitle() string { return c.Title }

// Column is a column of a table.
type Column struct {
	Name string
	Type string
}

// Cell is a value with the bytes that it stands on.
type Cell struct {
	Value Value
	Spans []Span
	Path  string // the node the cell shows; may be empty
}

// Table is rows and columns, read in windows.
type Table interface {
	Card
	Columns() []Column
	// Rows is how many there are; a lower bound while exact is false.
	Rows() (n int64, exact bool)
	// Read fills dst with rows from first on and returns how many. The caller gives each row as many cells as there
	// are columns.
	Read(ctx context.Context, first int64, dst [][]Cell) (int, error)
}

// Point is one sample of a Series.
type Point struct {
	Time  float64
	Value float64
	Span  Span
	Path  string
}

// Series is values over time, read in windows.
type Series interface {
	Card
	Unit() string
	Points() (n int64, exact bool)
	Read(ctx context.Context, first int64, dst []Point) (int, error)
}

// Picture is pixels.
type Picture interface {
	Card
	// Rule names the pixel format and size in words.
	Rule() string
	Decode(ctx context.Context) (image.Image, error)
}

// Sound is samples of audio.
type Sound interface {
	Card
	Channels() int
	Rate() float64 // frames a second
	Frames() int64
	// Read fills dst[channel][frame] with samples in -1 … 1 from frame first on.
	Read(ctx context.Context, first int64, dst [][]float32) (int, error)
}

// Line is one line of a Listing.
type Line struct {
	Text   string
	Spans  []Span
	Target int64 // the line this one jumps to; -1: none
	Path   string
}

// Listing is lines of text that stand on bytes, such as a disassembly or the tokens of a text format.
type Listing interface {
	Card
	Lines() (n int64, exact bool)
	Read(ctx context.Context, first int64, dst []Line) (int, error)
}

// Words is plain text, such as a node in another notation.
type Words interface {
	Card
	Text(ctx context.Context) (string, error)
}
