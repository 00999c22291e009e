package model

// chunkBits is the binary logarithm of the elements of a chunk.
const chunkBits = 14

// Chunks is a list that grows without copying, so that a list of millions takes no more memory than its elements.
type Chunks[T any] struct {
	n    int64
	list [][]T
}

// Len returns the number of elements.
func (c *Chunks[T]) Len() int64 { return c.n }

// Add appends an element.
func (c *Chunks[T]) Add(v T) {
	last := len(c.list) - 1
	if c.n&(1<<chunkBits-1) == 0 {
		room := 1 << chunkBits
		if c.n == 0 {
			room = 0 // short lists grow as needed
		}
		c.list = append(c.list, make([]T, 0, room))
		last++
	}
	c.list[last] = append(c.list[last], v)
	c.n++
}

// At returns element i.
func (c *Chunks[T]) At(i int64) *T { return &c.list[i>>chunkBits][i&(1<<chunkBits-1)] }
