package udm

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"path"
	"slices"
	"strings"

	"cutaway/decoders/udm/ascii"
	"cutaway/model"
)

// How sure detection is of a text, which has no signature. Text of another kind may begin alike.
const (
	sureText    = 90 // it has the extension, and what was looked at follows the grammar
	likelyText  = 80 // it has properties of known types
	damagedText = 50 // it has some before the grammar is broken
	blockText   = model.Guess + 1
)

// detect knows binary files by their identifier, and text by its beginning (8.1).
func detect(ctx context.Context, p *model.Probe) model.Detection {
	switch {
	case bytes.HasPrefix(p.Head, []byte(identifier)):
		return model.Detection{Confidence: model.Sure, Reason: "begins with " + identifier}
	case len(p.Head) > 0 && bytes.HasPrefix([]byte(identifier), p.Head):
		return model.Detection{Confidence: model.Guess - 1, Reason: "ends inside the identifier " + identifier}
	}
	ext := strings.ToLower(path.Ext(p.Name))
	ours := slices.ContainsFunc(fileTypes, func(t model.FileType) bool { return slices.Contains(t.Extensions, ext) })
	switch {
	case ext == ".wmi" || ext == ".wdd":
		return model.Detection{Reason: "the ending " + ext + " is that of the engine's older text format, which only looks like UDM"}
	case !isText(p.Head):
		return model.Detection{Reason: "no " + identifier + " at the start, and no text"}
	}
	return detectText(ctx, p, ext, ours)
}

// detectText reads the head of a text as far as it goes.
func detectText(ctx context.Context, p *model.Probe, ext string, ours bool) model.Detection {
	head := model.NewFileSource(p.Name, model.BytesReader(p.Head))
	x, err := ascii.Parse(ctx, head, nil)
	if err != nil {
		return model.Detection{Reason: err.Error()}
	}
	s := sampleOf(ctx, x, len(p.Head) == model.ProbeSize)
	switch {
	case s.empty || s.beginning != "":
		return s.noEntry(ext, ours)
	case s.unknown != "" && !ours:
		return model.Detection{Confidence: model.Guess - 1, Reason: fmt.Sprintf(
			"looks like UDM text, but $%s is no UDM type: text of the engine's older format (.wmi, .wdd) looks like this", s.unknown)}
	case s.properties == 0 && !ours && s.damage() != "":
		return model.Detection{Reason: "begins like a UDM text, but " + s.damage()}
	case s.broken != "" || s.unknown != "":
		return model.Detection{Confidence: damagedText, Reason: fmt.Sprintf("text that begins as UDM does, with %d properties of UDM types", s.properties)}
	case ours:
		return model.Detection{Confidence: sureText, Reason: "text that begins as UDM does, and the ending " + ext}
	case s.properties > 0:
		return model.Detection{Confidence: likelyText, Reason: fmt.Sprintf("text with %d properties of UDM types", s.properties)}
	}
	return model.Detection{Confidence: blockText, Reason: "text that begins with a name and a block, as UDM does"}
}

// noEntry judges a text that does not begin with an entry.
func (s *sample) noEntry(ext string, ours bool) model.Detection {
	switch {
	case s.empty && ours && !slices.Contains(fileTypes[0].Extensions, ext):
		return model.Detection{Confidence: model.Guess, Reason: "has no entries, which is an empty tree, and the ending " + ext}
	case s.empty:
		return model.Detection{Reason: "no " + identifier + " at the start, and no entry of a UDM text"}
	case ours && s.all > 0:
		return model.Detection{Confidence: damagedText, Reason: fmt.Sprintf("has %d properties of UDM types and the ending %s, but %s", s.all, ext, s.beginning)}
	}
	return model.Detection{Reason: "no " + identifier + " at the start, and " + s.beginning}
}

// A sample holds the signs of UDM in the head of a text.
type sample struct {
	empty      bool
	beginning  string // why the first entry is none of UDM
	unknown    string // a type that does not exist
	broken     string // what breaks the grammar
	properties int    // of UDM types, before that
	all        int    // after that too
	unclosed   bool   // it ends inside a block, and is whole
}

// isText reports whether bytes are a text, perhaps with a few that are damaged.
func isText(b []byte) bool {
	n := 0
	for _, c := range b {
		if ascii.IsStrange(c) {
			n++
		}
	}
	return n*16 <= len(b)
}

// damage returns the fault after the beginning in words, or "".
func (s *sample) damage() string {
	if s.unclosed {
		return "its first block has no property and no end"
	}
	return s.broken
}

// sampleOf looks at the index of the head of a text. What breaks the grammar where the head is cut does not count.
func sampleOf(ctx context.Context, x *ascii.Index, cut bool) sample {
	s := sample{empty: x.Groups.Len() < 2}
	for i, first := uint32(0), true; i < x.Count() && first; i++ {
		if first = x.Kind(i).Gap(); x.Kind(i) == ascii.TokenJunk {
			s.empty, s.beginning = false, "it begins neither with $ and a type nor with a name"
		}
	}
	limit := x.Count()
	for _, f := range x.Faults {
		s.unclosed = s.unclosed || !cut && ascii.FaultText[f.Code].Kind == model.Truncated
		if s.fault(ctx, x, f, cut) {
			limit = min(limit, f.Token)
		}
	}
	s.count(x, limit)
	return s
}

// count counts the properties before a token.
func (s *sample) count(x *ascii.Index, limit uint32) {
	blocks := 0
	for i := int64(1); i < x.Groups.Len(); i++ {
		switch g := x.Groups.At(i); {
		case g.Kind == ascii.GroupBlock:
			blocks++
		case g.Kind == ascii.GroupEntry && g.Typ.Known() && x.Kind(g.First) == ascii.TokenControl:
			if s.all++; g.First < limit {
				s.properties++
			}
		}
	}
	if s.properties == 0 && blocks == 0 && x.Groups.Len() > 1 && s.broken == "" {
		s.beginning = "no block and no property of a UDM type"
	}
}

// fault takes a fault into account; it returns whether it breaks the grammar.
func (s *sample) fault(ctx context.Context, x *ascii.Index, f ascii.Fault, cut bool) bool {
	text := &ascii.FaultText[f.Code]
	atEnd := f.Next >= x.Count() || f.Token+1 >= x.Count()
	if text.Kind != model.Malformed || cut && atEnd {
		return false
	}
	begin := uint32(math.MaxUint32) // the second token of the first entry: the type, if it has one
	if x.Groups.Len() > 1 {
		begin = x.Group(1).First + 1
	}
	if f.Code == ascii.FaultType {
		if s.unknown == "" {
			s.unknown = ascii.Found(ctx, x.Raw(ctx, f.Token))
		}
		if f.Token == begin {
			s.beginning = "$" + s.unknown + " at its beginning is no UDM type"
		}
		return false
	}
	broke := s.broken == ""
	if broke {
		s.broken = fmt.Sprintf("%s (%s)", text.Message, x.LineText(ctx, x.Off(f.Token)))
	}
	if f.Token <= begin {
		s.beginning = s.broken
	}
	return broke
}
