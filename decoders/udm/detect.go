package udm

import (
	"bytes"
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

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
	case bytes.ContainsFunc(p.Head, func(c rune) bool { return c < ' ' && !isSpace(int(c)) }):
		return model.Detection{Reason: "no " + identifier + " at the start, and no text"}
	}
	return detectText(ctx, p, ext, ours)
}

// detectText reads the head of a text as far as it goes.
func detectText(ctx context.Context, p *model.Probe, ext string, ours bool) model.Detection {
	head := model.NewFileSource(p.Name, model.BytesReader(p.Head))
	x, err := parse(ctx, head, nil)
	if err != nil {
		return model.Detection{Reason: err.Error()}
	}
	s := sampleOf(ctx, x, len(p.Head) == model.ProbeSize)
	switch {
	case s.empty && ours:
		return model.Detection{Confidence: model.Guess, Reason: "has no entries, which is an empty tree, and the ending " + ext}
	case s.empty:
		return model.Detection{Reason: "no " + identifier + " at the start, and no entry of a UDM text"}
	case s.beginning != "":
		if ours && s.properties > 0 {
			return model.Detection{Confidence: damagedText, Reason: fmt.Sprintf("has %d properties of UDM types and the ending %s, but %s", s.properties, ext, s.beginning)}
		}
		return model.Detection{Reason: "no " + identifier + " at the start, and " + s.beginning}
	case s.unknown != "" && !ours:
		return model.Detection{Confidence: model.Guess - 1, Reason: fmt.Sprintf(
			"looks like UDM text, but $%s is no UDM type: text of the engine's older format (.wmi, .wdd) looks like this", s.unknown)}
	case s.unclosed && s.properties == 0 && !ours:
		return model.Detection{Reason: "begins like a UDM text, but its first block has no property and no end"}
	case s.broken != "" && s.properties == 0 && !ours:
		return model.Detection{Reason: "begins like a UDM text, but " + s.broken}
	case s.broken != "" || s.unknown != "":
		return model.Detection{Confidence: damagedText, Reason: fmt.Sprintf("text that begins as UDM does, with %d properties of UDM types", s.properties)}
	case ours:
		return model.Detection{Confidence: sureText, Reason: "text that begins as UDM does, and the ending " + ext}
	case s.properties > 0:
		return model.Detection{Confidence: likelyText, Reason: fmt.Sprintf("text with %d properties of UDM types", s.properties)}
	}
	return model.Detection{Confidence: blockText, Reason: "text that begins with a name and a block, as UDM does"}
}

// sample is what the head of a text shows.
type sample struct {
	empty      bool
	beginning  string // why the first entry is none of UDM
	unknown    string // a type that does not exist
	broken     string // what breaks the grammar
	properties int    // before that
	unclosed   bool   // it ends inside a block, and is whole
}

// sampleOf looks at the index of the head of a text. What breaks the grammar where the head is cut does not count.
func sampleOf(ctx context.Context, x *index, cut bool) sample {
	s := sample{empty: len(x.groups) < 2 && !slices.Contains(x.kinds, tkJunk)}
	if i := slices.IndexFunc(x.kinds, func(k tokenKind) bool { return !k.gap() }); i >= 0 && x.kinds[i] == tkJunk {
		s.beginning = "it begins neither with $ and a type nor with a name"
	}
	limit := x.tokens()
	for _, f := range x.faults {
		at, text := x.off(f.token), &faultText[f.code]
		s.unclosed = s.unclosed || !cut && text.kind == model.Truncated
		switch {
		case text.kind == model.Suspicious || text.kind == model.Truncated || cut && (f.next >= x.tokens() || f.token+1 >= x.tokens()):
			continue
		case f.code == faultType:
			if s.unknown == "" {
				s.unknown = foundText(ctx, x.raw(ctx, f.token))
			}
			if len(x.groups) > 1 && f.token == x.groups[1].first+1 {
				s.beginning = "$" + s.unknown + " at its beginning is no UDM type"
			}
			continue
		}
		if s.broken == "" {
			s.broken = fmt.Sprintf("%s (%s)", text.message, x.lineText(ctx, at))
			limit = f.token
		}
		if len(x.groups) < 2 || f.token <= x.groups[1].first+1 {
			s.beginning = s.broken
		}
	}
	for _, g := range x.groups[1:] {
		if g.kind == gEntry && g.typ.known() && g.first < limit && x.control(ctx, g.first, '$') {
			s.properties++
		}
	}
	if s.properties == 0 && len(x.groups) > 1 && s.broken == "" && !slices.ContainsFunc(x.groups, func(g group) bool { return g.kind == gBlock }) {
		s.beginning = "no block and no property of a UDM type"
	}
	return s
}
