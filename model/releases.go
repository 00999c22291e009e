package model

import (
	"context"
	"slices"
	"strings"
)

// A Release is a release of the program that a format belongs to, and whether it opens a file.
type Release struct {
	Program string   // "OpenUSD"
	Name    string   // "24.05"
	Aliases []string // programs that have the release inside: "Blender 4.2"
	Refuses bool     // it does not open the file, or only a part
	// First returns the first thing in the file that the release does not read. It is nil unless Refuses.
	First func(ctx context.Context) (LocatedProblem, error)
}

// IsNamed reports whether a person means the release by name: its release, with the program's name or without, or an alias.
func (r *Release) IsNamed(name string) bool {
	if plainRelease(name) == plainRelease(r.Name) || plainRelease(name) == plainRelease(r.Program+" "+r.Name) {
		return true
	}
	return slices.ContainsFunc(r.Aliases, func(alias string) bool { return strings.EqualFold(name, alias) })
}

// plainRelease returns the name of a release in lower case, the zeros before its numbers left out: "24.5" is "24.05".
func plainRelease(name string) string {
	return strings.ReplaceAll(strings.ToLower(strings.TrimSpace(name)), ".0", ".")
}

// OpenedBy names the releases that open the file, in ranges, oldest first: "OpenUSD 20.11 to 25.05, 25.11 to 26.11".
func OpenedBy(releases []Release) string {
	if len(releases) == 0 {
		return ""
	}
	var ranges []string
	for i := 0; i < len(releases); i++ {
		if releases[i].Refuses {
			continue
		}
		from := i
		for i+1 < len(releases) && !releases[i+1].Refuses {
			i++
		}
		ranges = append(ranges, releaseRange(releases[from:i+1]))
	}
	program := releases[0].Program + " "
	if len(ranges) == 0 {
		return "none of " + program + releaseRange(releases)
	}
	return program + strings.Join(ranges, ", ")
}

func releaseRange(releases []Release) string {
	if len(releases) == 1 {
		return releases[0].Name
	}
	return releases[0].Name + " to " + releases[len(releases)-1].Name
}
