package model

import (
	"context"
	"image"
	"io"
)

// A Card is a way to show a node besides its row: a Table, Series, Picture, Shape, Audio, Listing or Words. The window
// draws it, the exporter writes it.
type Card interface{ CardTitle() string }

// CardsOf are the cards of a node that are of a kind.
func CardsOf[C Card](ctx context.Context, n *Node) (list []C) {
	if n.Cards == nil {
		return nil
	}
	for _, card := range n.Cards(ctx) {
		if c, is := card.(C); is {
			list = append(list, c)
		}
	}
	return list
}

// RowCards are the cards of a node whose rows are values: its tables and series.
func RowCards(ctx context.Context, n *Node) []Card { return WithRows(CardsOf[Card](ctx, n)) }

// WithRows returns the tables and series among cards.
func WithRows(cards []Card) (list []Card) {
	for _, c := range cards {
		switch c.(type) {
		case Table, Series:
			list = append(list, c)
		}
	}
	return list
}

// CardBase gives a card its title; embed it.
type CardBase struct{ Title string }

// CardTitle returns the title.
func (c CardBase) CardTitle() string { return c.Title }

// Column is a column of a table.
type Column struct {
	Name string
	Type string
}

// Cell is a value with the bytes that it is made of.
type Cell struct {
	Value Value
	Spans []Span
	Path  string // the node the cell shows; may be empty
}

// Table is rows and columns, read in windows.
type Table interface {
	Card
	Columns() []Column
	// Rows returns their number, or a lower bound if exact is false.
	Rows() (n int64, exact bool)
	// Read fills dst with rows from first on and returns how many. The caller gives each row as many cells as there
	// are columns.
	Read(ctx context.Context, first int64, dst [][]Cell) (int, error)
}

// Point is one sample of a Series.
type Point struct {
	Time  float64
	Value float64
	Whole Value // an Int or Uint where Value may lack digits of it, or nil
	None  bool  // there is no value at this time, and Value is NaN
	Span  Span
	Path  string
}

// Number is the value with all its digits.
func (p *Point) Number() Value {
	if p.Whole != nil {
		return p.Whole
	}
	return Float64(p.Value)
}

// SetNumber makes a number the value.
func (p *Point) SetNumber(v Value) {
	p.Value, _ = FloatOf(v)
	switch v := v.(type) {
	case Int, Uint:
		p.Whole = v
	case Bool:
		if v {
			p.Value = 1
		}
	}
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
	// Rule names the pixel format in words, and the size if the file records it beside the picture.
	Rule() string
	Decode(ctx context.Context) (image.Image, error)
	Reduced() string // the loss of precision of the stored pixels, such as the low bits of many, or ""
}

// Sound is samples of audio.
type Sound interface {
	Card
	Channels() int
	Rate() float64 // frames a second
	Frames() int64
	// Read fills dst[channel][frame] with samples in -1 … 1 from frame first on.
	Read(ctx context.Context, first int64, dst [][]float32) (int, error)
	Reduced() string // the loss of precision of the stored samples, or ""
}

// Shape is points in space, and what is between them. Its arrays are read when it is drawn.
type Shape interface {
	Card
	// Points is the points, of 2 or 3 numbers each.
	Points(ctx context.Context) Array
	// Parts says which points are joined: how many each part has, and the numbers of the points, part after part; without
	// indices these count up. Without counts there are only points. Closed parts are faces, others lines.
	Parts(ctx context.Context) (counts, indices Array, closed bool)
}

// DetailedShape is a Shape with further arrays.
type DetailedShape interface {
	Shape
	// Arrays are numbers of the points or parts, as colours, normals or weights; their count says which.
	Arrays(ctx context.Context) []NamedArray
	// Bounds returns the least and the greatest corner of a box around the shape, as the file has them, or nil.
	Bounds(ctx context.Context) Array
}

// UprightShape is a Shape that may be of a scene whose third axis is up; otherwise the second is.
type UprightShape interface {
	Shape
	ZUp(ctx context.Context) bool
}

// NamedArray is an array and what it is called.
type NamedArray struct {
	Name  string
	Array Array
}

// Media is pictures or pieces of sound one after another, such as the frames of a camera. It is not drawn: it is
// exported as a whole.
type Media interface {
	Card
	// Coding returns the name of the coding: "raw", "jpg", "png", "jxl", "H.264", "H.265", "pcm", "opus".
	Coding() string
	Items() int64
	Time(i int64) float64 // seconds, in the order of the items
	// Item looks at item i.
	Item(ctx context.Context, i int64) (MediaItem, error)
	// Pictures decodes items first to end, the latter excluded, and gives their pictures. One that cannot be decoded is nil,
	// and why says so.
	Pictures(ctx context.Context, first, end int64, give func(i int64, img image.Image, why error) error) error
	// Sound is the sound of items first to end, joined.
	Sound(ctx context.Context, first, end int64, progress Progress) (Sound, error)
	// Stream writes items first to end as they are stored, so that players can open it: those before that decoding needs
	// come first.
	Stream(ctx context.Context, w io.Writer, first, end int64, progress Progress) error
}

// MediaItem is one item of a Media.
type MediaItem struct {
	Name    string // for the name of a file
	Stored  Span   // without a Source: it has none
	Reduced string // as of its Picture
}

// Copier writes parts of the document as a file of its own format.
type Copier interface {
	Card
	Format() string // its name
	// Copy writes what the places are, as far as it has times from first to last, which may be infinite.
	Copy(ctx context.Context, w io.Writer, omitted *Omissions, places []*Place, first, last float64, progress Progress) error
	// Span is the first and last time that the document has.
	Span() (first, last float64)
}

// Line is one line of a Listing.
type Line struct {
	Text   string
	Spans  []Span
	Target int64 // the line this one jumps to, or -1
	Path   string
}

// Listing is lines of text that are made of bytes, such as a disassembly or the tokens of a text format.
type Listing interface {
	Card
	Lines() (n int64, exact bool)
	Read(ctx context.Context, first int64, dst []Line) (int, error)
}

// Words is plain text, such as a node in another notation. It is written as it is made, since it may be long.
type Words interface {
	Card
	WriteText(ctx context.Context, w io.Writer, omitted *Omissions) error
}
