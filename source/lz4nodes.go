package source

import (
	"context"
	"fmt"
	"sync"

	"cutaway/model"
)

// LZ4Sequences returns the sequences of a block as elements, named [i]: token, literal length, literals, offset and
// match length. They are pending, since counting them takes a walk. block.OutLen may be -1. A broken block ends with a
// node for the rest, which has a problem of the given rule.
func LZ4Sequences(block LZ4Block, rule string) model.Children {
	return model.NewLazy(func(ctx context.Context, progress model.Progress) (model.Children, error) {
		x := newLZ4Index(block)
		checks, err := x.grow(ctx, func(*walker) bool { return false }, progress)
		if err != nil {
			return nil, err
		}
		l := &sequenceList{x: x, rule: rule, checks: checks, count: x.front.index}
		if x.fault != nil {
			l.count++
		}
		return &model.Rows{Count: l.count, Make: l.node, ByByte: l.locate}, nil
	})
}

// A sequenceList makes the nodes of a complete index.
type sequenceList struct {
	x      *lz4Index
	rule   string
	checks []checkpoint
	count  int64

	mu   sync.Mutex
	last walker // position of the last sequence that was found: the next one is mostly near
}

// sequence walks to sequence i. The fault is that of a broken last sequence, or of a file that has become unreadable.
func (l *sequenceList) sequence(ctx context.Context, i int64) (s Sequence, fault *Fault) {
	if l.x.fault != nil && i == l.count-1 {
		return l.x.broken, l.x.fault
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	c := i / sequencesPerCheckpoint
	if l.last.index > i || l.last.index <= c*sequencesPerCheckpoint || l.last.done {
		l.last = l.x.walkerAt(l.checks[c], c*sequencesPerCheckpoint, lookupWindow)
	}
	for fault == nil && l.last.index <= i && !l.last.done {
		fault = l.last.next(ctx, &s)
	}
	return s, fault
}

// locate returns the sequence with a byte of the parent source.
func (l *sequenceList) locate(ctx context.Context, src *model.Source, off int64) (int64, bool) {
	in := l.x.block.In
	if !in.Covers(src, off) || l.count == 0 {
		return 0, false
	}
	off -= in.Off
	w, err := l.x.seek(ctx, func(c checkpoint) bool { return c.in <= off })
	if err != nil {
		return 0, false
	}
	var s Sequence
	for !w.done {
		if fault := w.next(ctx, &s); fault != nil {
			return s.Index, !fault.unread()
		}
		if off < s.End {
			return s.Index, true
		}
	}
	return 0, false
}

func (l *sequenceList) node(ctx context.Context, i int64) model.Node {
	s, fault := l.sequence(ctx, i)
	n := model.Node{
		Name: model.IndexName(i), Type: "LZ4 sequence", Brief: s.brief(),
		Help: "literals to copy to the output, then a match to copy from further back in it",
	}
	end := s.End
	if fault != nil {
		end = l.x.block.In.Len
		at := l.x.span(fault.In, min(1, l.x.block.In.Len-fault.In))
		n.Problems = []model.Problem{model.AsProblem(fault, l.rule, at)}
	}
	n.Spans = []model.Span{l.x.span(s.Token, end-s.Token)}
	n.Children = model.NewList(l.fields(ctx, &s, end, fault)...)
	return n
}

func (s *Sequence) brief() string {
	literals := fmt.Sprintf("%d literals", s.Literals)
	if s.Literals == 1 {
		literals = "1 literal"
	}
	switch {
	case s.Match == 0:
		return literals
	case s.Literals == 0:
		return fmt.Sprintf("match %d from -%d", s.Match, s.Distance)
	}
	return fmt.Sprintf("%s, match %d from -%d", literals, s.Match, s.Distance)
}

const lengthHelp = "bytes that are added to the 15 of the token, up to the first that is not 255"

// fields returns the parts of a sequence that ends at end. Bytes after the valid part of a broken one are unknown.
func (l *sequenceList) fields(ctx context.Context, s *Sequence, end int64, fault *Fault) []model.Node {
	var fields []model.Node
	pos := s.Token
	add := func(to int64, n model.Node) {
		if pos < to {
			n.Spans = []model.Span{l.x.span(pos, to-pos)}
			fields = append(fields, n)
			pos = to
		}
	}
	if s.LiteralsAt > s.Token {
		add(s.Token+1, l.token(ctx, s.Token))
	}
	add(s.LiteralsAt, model.Node{Name: "literal length", Type: "u8[]", Brief: more(s.Literals-15, fault), Help: lengthHelp})
	literals := l.x.span(s.LiteralsAt, s.Literals)
	add(literals.End()-l.x.block.In.Off, model.Node{Name: "literals", Type: "bytes", Value: model.Blob{Span: literals}})
	if s.Match > 0 {
		add(s.OffsetAt+2, model.Node{Name: "offset", Type: "u16", Value: model.Int(s.Distance),
			Help: "how far back in the output the match begins"})
		add(s.End, model.Node{Name: "match length", Type: "u8[]", Brief: more(s.Match-minMatch-15, fault), Help: lengthHelp})
	}
	add(end, model.Node{Name: "rest", Type: "bytes", Role: model.Unknown, Brief: "not decoded"})
	return fields
}

// more describes the sum of length bytes. It is unknown for a broken sequence, which has fewer bytes.
func more(n int64, fault *Fault) string {
	if fault != nil {
		return ""
	}
	return fmt.Sprintf("+%d", n)
}

func (l *sequenceList) token(ctx context.Context, at int64) model.Node {
	span := l.x.span(at, 1)
	n := model.Node{Name: "token", Type: "u8"}
	b, err := span.Source.Bytes(ctx, span.Off, 1)
	if err != nil {
		n.Problems = []model.Problem{model.AsProblem(err, l.rule, span)}
		return n
	}
	nibble := func(name string, mask uint64, v byte, help string) model.Node {
		part := span
		part.Mask = mask
		return model.Node{Name: name, Type: "u4", Value: model.Uint(v), Spans: []model.Span{part}, Help: help}
	}
	n.Value = model.Uint(b[0])
	n.Children = model.NewList(
		nibble("match length", 0x0F, b[0]&15, "bytes of the match less 4; 15: more length bytes follow the offset"),
		nibble("literal length", 0xF0, b[0]>>4, "bytes of literals; 15: more length bytes follow"),
	)
	return n
}
