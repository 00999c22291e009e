package model

import (
	"context"
	"image"
	"io"
)

// A Card shows a node beyond its row: it is a Table, Series, Picture, Shape, Audio, Listing or Words. The window draws
// it, the exporter writes it.
type Card interface{ CardTitle() string }

// CardsOf returns the cards of a node that are of kind C.
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

// RowCards returns the cards of a node whose rows are values: its tables and series.
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

// A Column is a column of a table.
type Column struct {
	Name string
	Type string
}

// A Cell is a value with its bytes.
type Cell struct {
	Value Value
	Spans []Span
	Path  string // of the node that the cell shows, or ""
}

// A Table has rows and columns, read in windows.
type Table interface {
	Card
	Columns() []Column
	// Rows returns the number of rows, or a lower bound if exact is false.
	Rows() (n int64, exact bool)
	// Read fills dst with rows from first on and returns their number. The caller gives each row as many cells as there
	// are columns.
	Read(ctx context.Context, first int64, dst [][]Cell) (int, error)
}

// A Point is a sample of a Series.
type Point struct {
	Time  float64
	Value float64
	Whole Value // an Int or Uint if Value may have fewer digits, or nil
	None  bool  // there is no value at this time, and Value is NaN
	Span  Span
	Path  string
}

// Number returns the value with all its digits.
func (p *Point) Number() Value {
	if p.Whole != nil {
		return p.Whole
	}
	return Float64(p.Value)
}

// SetNumber sets the value to a number.
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

// A Series has values over time, read in windows.
type Series interface {
	Card
	Unit() string
	Points() (n int64, exact bool)
	Read(ctx context.Context, first int64, dst []Point) (int, error)
}

// A Picture has pixels.
type Picture interface {
	Card
	// Rule describes the pixel format, and the size if the file records it outside of the picture.
	Rule() string
	Decode(ctx context.Context) (image.Image, error)
	Reduced() string // the loss of precision of the stored pixels, such as the low bits of many, or ""
}

// A Sound has samples of audio.
type Sound interface {
	Card
	Channels() int
	Rate() float64 // frames a second
	Frames() int64
	// Read fills dst[channel][frame] with samples in -1 … 1 from frame first on.
	Read(ctx context.Context, first int64, dst [][]float32) (int, error)
	Reduced() string // the loss of precision of the stored samples, or ""
}

// A Shape has points in space, and faces or lines between them. Its arrays are read when it is drawn.
type Shape interface {
	Card
	// Points returns the points, of 2 or 3 numbers each.
	Points(ctx context.Context) Array
	// Parts returns the connections of points. counts has the number of points of each part, indices their indexes,
	// part after part; nil indices count up. Without counts there are only points. Closed parts are faces, others
	// lines.
	Parts(ctx context.Context) (counts, indices Array, closed bool)
}

// A DetailedShape is a Shape with further arrays.
type DetailedShape interface {
	Shape
	// Arrays returns numbers per point or per part, according to their count, such as colours, normals or weights.
	Arrays(ctx context.Context) []NamedArray
	// Bounds returns the least and the greatest corner of a box around the shape, as stored, or nil.
	Bounds(ctx context.Context) Array
}

// An UprightShape is a Shape that knows whether the third axis of its scene is up, and not the second.
type UprightShape interface {
	Shape
	ZUp(ctx context.Context) bool
}

// A Scene has the shapes below its node, each where the transforms above it put it.
type Scene interface {
	Card
	// Shapes calls give for each shape at a time, in the order of the tree, until it returns an error. It reports whether
	// other times give others. NaN is no time: values that do not depend on one go before.
	Shapes(ctx context.Context, time float64, give func(Placed) error) (timed bool, err error)
	// ZUp reports whether the third axis is up, and not the second.
	ZUp(ctx context.Context) bool
}

// A Placed shape is one of a scene.
type Placed struct {
	Shape Shape
	Kind  string   // "mesh", "cube", …
	Paths []string // of its node below that of the scene, and of the place where the scene has it if that is another
	// To is the transform: the row (x, y, z, 1) times this matrix, whose rows follow each other, is a point of the scene.
	To    [16]float64
	Color []float64 // red, green and blue from 0 to 1, or nil
}

// A NamedArray is an array and its name.
type NamedArray struct {
	Name  string
	Array Array
}

// Media is a sequence of pictures or pieces of sound, such as the frames of a camera. It is exported as a whole, and
// not drawn.
type Media interface {
	Card
	// Coding returns the name of the coding: "raw", "jpg", "png", "jxl", "H.264", "H.265", "pcm", "opus".
	Coding() string
	Items() int64
	Time(i int64) float64 // seconds, in the order of the items
	// Item returns a description of item i.
	Item(ctx context.Context, i int64) (MediaItem, error)
	// Pictures decodes items first ≤ i < end and calls give with each picture. If an item cannot be decoded, img is nil
	// and why is the reason.
	Pictures(ctx context.Context, first, end int64, give func(i int64, img image.Image, why error) error) error
	// Sound returns the sound of items first ≤ i < end, joined.
	Sound(ctx context.Context, first, end int64, progress Progress) (Sound, error)
	// Stream writes items first ≤ i < end as they are stored, after earlier ones that decoding needs, so that players
	// can open the stream.
	Stream(ctx context.Context, w io.Writer, first, end int64, progress Progress) error
}

// A MediaItem is an item of a Media.
type MediaItem struct {
	Name    string // for the name of a file
	Stored  Span   // its bytes, or no Source if it has none
	Reduced string // as in its Picture
}

// A Copier writes parts of the document as a file of its own format.
type Copier interface {
	Card
	Format() string // its name
	// Copy writes the content of the places. Of things with times it writes those from first to last, which may be
	// infinite.
	Copy(ctx context.Context, w io.Writer, omitted *Omissions, places []*Place, first, last float64, progress Progress) error
	// Span returns the first and last time in the document.
	Span() (first, last float64)
}

// A Line is a line of a Listing.
type Line struct {
	Text   string
	Tokens []Token // parts of Text, in order, that stand out
	Spans  []Span
	Target int64 // the line that this one jumps to, or -1
	Path   string
}

// A Token is the part Text[From:To] of a line.
type Token struct {
	From, To int
	Kind     TokenKind
	Path     string // of the node that it names, or ""
	Short    string // the text where there is little room, or "" for the same
}

// A TokenKind is the role of a token.
type TokenKind uint8

// The kinds of tokens.
const (
	QuietToken TokenKind = iota // an address, a type
	NameToken                   // of a variable
	ValueToken
	CallToken
	JumpToken
	TargetToken // of a jump
)

// A Label names a line of a Listing.
type Label struct {
	Line  int64
	Name  string
	Entry bool    // a caller can begin here
	Note  string  // what leads here
	From  []int64 // the lines that jump here, in order
}

// A Listing has lines of text made from bytes, such as a disassembly or the tokens of a text format.
type Listing interface {
	Card
	Lines() (n int64, exact bool)
	Read(ctx context.Context, first int64, dst []Line) (int, error)
	// Labels returns the labels in the order of their lines.
	Labels() []Label
	// Uses returns the lines that name the same thing as line i, in order. They include i, unless it names nothing.
	Uses(i int64) []int64
	// LineAt returns the line at an address that a user types, or that is in a text of another program. ok is false without one.
	LineAt(text string) (i int64, ok bool)
}

// Unlabelled is a part of listings whose lines have no addresses and name nothing.
type Unlabelled struct{}

// Labels returns none.
func (Unlabelled) Labels() []Label { return nil }

// Uses returns none.
func (Unlabelled) Uses(int64) []int64 { return nil }

// LineAt returns none.
func (Unlabelled) LineAt(string) (int64, bool) { return 0, false }

// TokenWords are Words whose lines have parts that stand out.
type TokenWords interface {
	Words
	Tokens(line string) []Token // of a line, in order
}

// Words is plain text, such as a node in another notation. It is written as it is made, since it may be long.
type Words interface {
	Card
	WriteText(ctx context.Context, w io.Writer, omitted *Omissions) error
}
