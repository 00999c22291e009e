// Package releases names the releases of programs that open a file.
package releases

import (
	"slices"
	"strings"

	"cutaway/model"
)

// IsNamed reports whether name is that of a release, with the program or without, or an alias.
func IsNamed(r *model.Release, name string) bool {
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
func OpenedBy(releases []model.Release) string {
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

func releaseRange(releases []model.Release) string {
	if len(releases) == 1 {
		return releases[0].Name
	}
	return releases[0].Name + " to " + releases[len(releases)-1].Name
}
