//go:build !amd64

package search

const vectors = false

// firstPair32 is not called while vectors is false.
func firstPair32(xs, ys []byte, fit *[4]byte) int { return firstPair8(xs, ys, fit) }
