package closure

import (
	"slices"

	"cutaway/model"
	"cutaway/model/releases"
)

// A Sum counts files, and holds the releases that open every one.
type Sum struct {
	Files    int64 // with those that lead to themselves
	Counts   map[State]int64
	Releases []model.Release // each refuses what one of the files is refused for
	Needs    string          // the file that no older release opens
	oldest   int             // index of the first release that opens each file
}

// Add adds a file.
func (s *Sum) Add(f *File) {
	if s.Counts == nil {
		s.Counts = map[State]int64{}
	}
	s.Files++
	s.Counts[f.State]++
	if len(f.Releases) == 0 {
		return
	}
	if s.Releases == nil {
		s.Releases = slices.Clone(f.Releases)
	}
	for i := range s.Releases {
		s.Releases[i].Refuses = s.Releases[i].Refuses || i < len(f.Releases) && f.Releases[i].Refuses
	}
	opens := func(r model.Release) bool { return !r.Refuses }
	if i := slices.IndexFunc(f.Releases, opens); s.Needs == "" || i > s.oldest || i < 0 {
		s.oldest, s.Needs = i, f.Name()
	}
}

// Counted returns "4 files, 1 missing".
func (s *Sum) Counted() string {
	text := model.GroupedCount(s.Files-s.Counts[Cycle], "file")
	for _, state := range []State{Missing, Broken, Unknown} {
		if n := s.Counts[state]; n > 0 {
			text += ", " + model.Grouped(n) + " " + state.Word()
		}
	}
	return text
}

// OpenedBy returns "opened by OpenUSD 20.11 to 26.11, the oldest for a.usda", or "".
func (s *Sum) OpenedBy() string {
	by := releases.OpenedBy(s.Releases)
	if by == "" {
		return ""
	}
	if by = "opened by " + by; s.oldest > 0 {
		by += ", the oldest for " + s.Needs
	}
	return by
}
