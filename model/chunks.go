package model

// chunkBits is the elements of a chunk, as a power of two.
const chunkBits = 14

// Chunks is a list that grows without being copied, so that one of millions takes no more memory than its elements.
type Chunks[T any] struct {
	n    int64
	list [][]T
}

// Len is the number of elements.
func (c *Chunks[T]) Len() int64 { return c.n }

// Add appends an element.
func (c *Chunks[T]) Add(v T) {
	last := len(c.list) - 1
	if c.n&(1<<chunkBits-1) == 0 {
		room := 1 << chunkBits
		if c.n == 0 {
			room = 0 // of a short list, as much as it needs
		}
		c.list = append(c.list, make([]T, 0, room))
		last++
	}
	c.list[last] = append(c.list[last], v)
	c.n++
}

// At is element i.
func (c *Chunks[T]) At(i int64) *T { return &c.list[i>>chunkBits][i&(1<<chunkBits-1)] }
