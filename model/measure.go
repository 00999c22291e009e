package model

import "context"

// Measurer is implemented by Children that can list the bytes of all that is below a child without making nodes. Of a tree
// with millions of small nodes, whose sizes only matter together, that is most of the time that it takes to measure it.
type Measurer interface {
	Children
	// Measure visits the bytes of child i and of all below it, where these surely take fewer than m.Least bytes of the file,
	// and returns how many nodes those are. 0: they may take more, and nothing was visited; who measures goes there itself.
	// Bytes that were visited before in the same measurement may be left out.
	Measure(ctx context.Context, i int64, m *Measurement) (nodes int64, err error)
}

// Measurement is what one measurement of a tree needs of each Measurer.
type Measurement struct {
	Least int64
	// Visit takes bytes. packed is the size of the elements where they are those of an array of numbers that is stored
	// otherwise, else 0. It must not keep spans.
	Visit func(spans []Span, packed int64)
	// Notes are what those who answer remember until the measurement ends, each by a key of its own.
	Notes map[any]any
}

// Measure asks c; Children that are no Measurer leave it to the caller.
func Measure(ctx context.Context, c Children, i int64, m *Measurement) (nodes int64, err error) {
	if b, ok := c.(Measurer); ok {
		return b.Measure(ctx, i, m)
	}
	return 0, nil
}

// PackedSize is the size of the elements of an array of numbers that is stored otherwise than it is read, in bytes; 0: the
// node is none.
func (n *Node) PackedSize() int64 {
	if a, ok := n.Value.(Array); ok {
		if p := PackingOf(a); p.Decode != nil {
			return a.Len() * p.Size()
		}
	}
	return 0
}
