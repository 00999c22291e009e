package search

import "golang.org/x/sys/cpu"

// vectors means that the processor can compare 32 bytes at once.
var vectors = cpu.X86.HasAVX2

// firstPair32 is the first offset, below the length of xs, where x fits in xs and y in ys, or one with less than 32 behind it;
// fit is x's data and mask and then y's. ys is as long as xs. It needs AVX2.
//
//go:noescape
func firstPair32(xs, ys []byte, fit *[4]byte) int
