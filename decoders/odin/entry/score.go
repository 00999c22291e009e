package entry

import (
	"context"
	"fmt"
	"strings"

	"cutaway/decoders/odin/dotnet"
	"cutaway/decoders/odin/kind"
	"cutaway/decoders/odin/textio"
	"cutaway/model"
)

// A score is the evidence that bytes are Odin data (chapter 13).
type score struct {
	points    int
	whole     bool // every byte consumed, every container closed
	consumed  float64
	entries   int64
	types     int // plausible type names
	badTypes  int
	names     int // plausible entry names
	badNames  int
	idsInRow  bool
	ascending bool
	nodes     int64
	backNodes int
	arrays    int
	badArrays int
}

// scoredEntries bounds how many entries are looked at.
const scoredEntries = 4000

// scoreOf walks a stream that is in memory and weighs it. cut reports that the bytes are only the beginning.
func scoreOf(ctx context.Context, s *Stream, cut bool) score {
	_ = s.until(ctx, nil, func() bool { return s.x.n >= scoredEntries })
	sc := score{entries: s.EntryCount(), idsInRow: len(s.x.oddDefs) == 0, nodes: s.x.nodes, backNodes: len(s.x.backNodes)}
	end := s.x.end
	if s.complete() {
		end = blanksEnd(ctx, s, end)
	}
	if size := s.end - s.start; size > 0 {
		sc.consumed = float64(end-s.start) / float64(size)
	}
	if !s.complete() {
		sc.consumed = 1 // of the bytes that were read
	}
	sc.whole = !cut && s.complete() && end == s.end && len(s.x.unclosed) == 0 && !s.x.hasStrayEnds()
	for i := range min(s.x.n, scoredEntries) {
		e := s.Entry(ctx, i)
		sc.look(ctx, s, &e)
	}
	sc.ascending = sc.nodes > 0 && sc.backNodes == 0
	sc.add()
	return sc
}

// blanksEnd moves the end of the entries of a text form after the blanks there.
func blanksEnd(ctx context.Context, s *Stream, end int64) int64 {
	if s.Encoding() != encodingJSON || s.end-end > textio.MaxBytes {
		return end
	}
	b, err := s.src.Bytes(ctx, end, s.end-end)
	if err == nil && strings.TrimSpace(string(b)) == "" {
		return s.end
	}
	return end
}

// look adds the evidence of an entry.
func (sc *score) look(ctx context.Context, s *Stream, e *Entry) {
	if e.Named {
		if dotnet.PlausibleMember(e.Name) {
			sc.names++
		} else {
			sc.badNames++
		}
	}
	if e.Type.Tag == kind.TypeName || e.Type.Tag == 0 && e.Type.Defined {
		if dotnet.Plausible(e.Type.Name) {
			sc.types++
		} else {
			sc.badTypes++
		}
	}
	if e.Kind == kind.Array && s.IsArray(e.Number) && !s.IsOpen(e.Number) && !s.unclosed(e.Number) {
		h := s.contentsOf(ctx, e)
		if h.elements == e.Announced {
			sc.arrays++
		} else {
			sc.badArrays++
		}
	}
}

// add sets the points.
func (sc *score) add() {
	p := 0
	if sc.whole {
		p += 35
	} else {
		p += int(20 * sc.consumed)
	}
	if sc.types > 0 {
		p += min(15+5*sc.types, 30)
	}
	if sc.types > 0 && sc.idsInRow {
		p += 5
	}
	p += min(5*sc.names, 15)
	if sc.ascending {
		p += 10
	}
	if sc.arrays > 0 && sc.badArrays == 0 {
		p += 5
	}
	if sc.badTypes > 0 {
		p -= 30
	}
	p -= min(20*sc.badNames, 40)
	p -= min(3*(sc.backNodes+sc.badArrays), 15)
	if sc.types == 0 && sc.names < 2 {
		p = min(p, 30)
	}
	sc.points = max(p, 0)
}

// String gives the evidence in words.
func (sc *score) String() string {
	var words []string
	if sc.whole {
		words = append(words, fmt.Sprintf("all %d entries read to the last byte", sc.entries))
	} else {
		words = append(words, fmt.Sprintf("%d entries cover %.0f %% of the beginning", sc.entries, 100*sc.consumed))
	}
	some := func(n int, one, many string) {
		if n == 1 {
			words = append(words, "1 "+one)
		} else if n > 1 {
			words = append(words, fmt.Sprintf("%d %s", n, many))
		}
	}
	some(sc.types, ".NET type name", ".NET type names")
	some(sc.names, "member name", "member names")
	if sc.ascending {
		words = append(words, "ascending node ids")
	}
	some(sc.badTypes, "implausible type name", "implausible type names")
	some(sc.badNames, "implausible member name", "implausible member names")
	return fmt.Sprintf("%s: score %d of 100", strings.Join(words, ", "), sc.points)
}

// detection turns points into a confidence. 60 points or more are Odin data, 40 to 59 resemble it.
func (sc *score) detection(what string) model.Detection {
	switch {
	case sc.points >= 60:
		return model.Detection{Confidence: model.Confidence(min(sc.points, 95)), Reason: what + ", " + sc.String()}
	case sc.points >= 40:
		return model.Detection{Confidence: model.Guess - 1, Reason: "resembles " + what + ", but " + sc.String()}
	}
	return model.Detection{Reason: "no " + what + ": " + sc.String()}
}
