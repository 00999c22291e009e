package model

import "context"

// A Release is a release of the program that a format belongs to, and whether it opens a file.
type Release struct {
	Program string   // "OpenUSD"
	Name    string   // "24.05"
	Aliases []string // programs that have the release inside: "Blender 4.2"
	Refuses bool     // it does not open the file, or only a part
	// First returns the first thing in the file that the release does not read. It is nil unless Refuses.
	First func(ctx context.Context) (LocatedProblem, error)
}
