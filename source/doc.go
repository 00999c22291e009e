// Package source opens files so that they can be read at any offset, and derives sources from others: joined parts
// and decompressed bytes.
package source
