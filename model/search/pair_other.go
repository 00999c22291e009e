//go:build !amd64

package search

const vectors = false

func firstPair32([]byte, []byte, *[4]byte) int { panic("no vectors") }
