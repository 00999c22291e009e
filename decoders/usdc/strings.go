package usdc

import (
	"context"
	"encoding/binary"

	"cutaway/decoders/read"
	"cutaway/model"
)

// stringTable is the table of strings (chapter 6): token indexes, read where they stand.
type stringTable struct {
	sectionTable
	c   *crate
	n   int64 // strings that are there
	off int64 // of the first index
}

// strings loads the string table; the error is that of the context, damage leaves a shorter table.
func (c *crate) strings(ctx context.Context, progress model.Progress) (*stringTable, error) {
	return c.stringTable.Get(ctx, progress, c.loadStrings)
}

func (c *crate) loadStrings(ctx context.Context, progress model.Progress) (*stringTable, error) {
	s := &stringTable{c: c}
	sec, err := c.need("STRINGS")
	if err != nil {
		return s, nil
	}
	t, err := c.tokens(ctx, progress)
	if err != nil {
		return nil, err
	}
	r := read.New(ctx, c.src, sec.lo, sec.hi, "usdc.strings.truncated")
	count := r.U64("count", "number of strings")
	s.claim(r, count)
	s.n = r.Count(count, 4, "usdc.strings.count")
	if r.Ok() && s.n > 0 {
		s.off = r.Off()
		at := r.Skip("indexes", 4*s.n, model.Explained, "TokenIndex of each string's text")
		f := r.Field()
		f.Type, f.Value, f.Elements = "TokenIndex[]", nil, true
		f.Brief = plural(s.n, "string", "strings")
		f.Children = model.FixedRows(c.src, at.Off, 4, s.n, s.node)
		if err := s.check(ctx, f, t); err != nil {
			return nil, err
		}
	}
	s.nodes = finish(r, "STRINGS")
	return s, nil
}

// check puts a problem on f for each token index that is out of range.
func (s *stringTable) check(ctx context.Context, f *model.Node, t *tokens) error {
	err := eachRecord(ctx, s.c.src, s.off, 4, s.n, func(i int64, b []byte) {
		if token := binary.LittleEndian.Uint32(b); !t.has(token) && len(f.Problems) < maxListed {
			f.Problems = append(f.Problems, problemAt(outOfRange("token", token, t.claimed), s.c.src.Span(s.off+4*i, 4)))
		}
	})
	return readFailure(ctx, err, f, "usdc.strings.read")
}

// token is the token index of string i.
func (s *stringTable) token(ctx context.Context, i uint32) (uint32, error) {
	if int64(i) >= s.n {
		if s.has(i) {
			return 0, missing("string", i)
		}
		return 0, outOfRange("string", i, s.claimed)
	}
	var b [4]byte
	if _, err := s.c.src.ReadFull(ctx, b[:], s.off+4*int64(i)); err != nil {
		return 0, err
	}
	return binary.LittleEndian.Uint32(b[:]), nil
}

// all reads all strings' token indexes into memory, 4 bytes each.
func (s *stringTable) all(ctx context.Context) ([]uint32, error) {
	indexes := make([]uint32, 0, s.n)
	err := eachRecord(ctx, s.c.src, s.off, 4, s.n, func(_ int64, b []byte) {
		indexes = append(indexes, binary.LittleEndian.Uint32(b))
	})
	if err != nil && ctx.Err() != nil {
		return nil, err
	}
	return indexes, nil
}

// stringToken is the token index of string i; errors as those of token.
func (c *crate) stringToken(ctx context.Context, i uint32) (uint32, error) {
	s, err := c.strings(ctx, nil)
	if err != nil {
		return 0, err
	}
	return s.token(ctx, i)
}

func (s *stringTable) node(ctx context.Context, i int64) model.Node {
	n := model.Node{Name: model.IndexName(i), Type: "TokenIndex", Spans: []model.Span{s.c.src.Span(s.off+4*i, 4)}}
	token, err := s.token(ctx, uint32(i))
	if err != nil {
		n.Problems = []model.Problem{problemAt(err, n.Spans[0])}
		return n
	}
	s.c.showToken(ctx, &n, token)
	return n
}

// showToken makes n the node of a token index: its value, its text and the way to it.
func (c *crate) showToken(ctx context.Context, n *model.Node, token uint32) {
	text, err := c.token(ctx, token)
	showIndex(n, "TokenIndex", token, text, c.tokenRef(token), err)
}

// showIndex makes n the node of an index: its number with the words for what it stands for, and the way there.
func showIndex(n *model.Node, typ string, i uint32, text string, ref model.Ref, err error) {
	n.Type, n.Value = typ, model.Symbol{Number: int64(i), Name: text}
	switch {
	case err == errNone:
		n.Value = model.None{}
	case err != nil:
		n.Value = model.Uint(i)
		if p := problemAt(err, n.Span()); !isConsequence(p) {
			n.Problems = append(n.Problems, p)
		}
	default:
		ref.Text = text
		n.Refs = func(context.Context) []model.Ref { return []model.Ref{ref} }
	}
}
