package usdc

import (
	"context"

	"cutaway/decoders/grammar"
	"cutaway/decoders/usda"
	"cutaway/model"
)

// stringTable is the table of strings (chapter 6): the index of each one's token.
type stringTable struct {
	sectionTable
	column
}

// showStrings shows the list of strings.
func showStrings(_ grammar.Scope, v grammar.Value, n *model.Node) {
	n.Value, n.Brief = nil, usda.Plural(v.List().Known(), "string", "strings")
}

// showString shows a string as a token index that readers take for empty text where there is no such token.
func showString(_ grammar.Scope, _ grammar.Value, n *model.Node) {
	n.Help = ""
	takeForEmpty(n)
}

// strings loads the string table; the error is that of the context, damage leaves a shorter table.
func (c *crate) strings(ctx context.Context, progress model.Progress) (*stringTable, error) {
	return c.stringTable.Get(ctx, progress, c.loadStrings)
}

func (c *crate) loadStrings(ctx context.Context, progress model.Progress) (*stringTable, error) {
	s := new(stringTable)
	t, err := c.tokens(ctx, progress)
	if err != nil || !s.open(ctx, c, "STRINGS") {
		return s, err
	}
	err = s.readRecords(ctx, "indexes", &s.column)
	s.check(ctx, &t.sectionTable, "token")
	if s.node != nil {
		takeForEmpty(s.node)
	}
	s.finish()
	return s, err
}

// token is the token index of string i.
func (s *stringTable) token(i uint32) (uint32, error) {
	switch {
	case int64(i) < s.values.Len():
		return s.values.At(int64(i)), nil
	case s.holds(i):
		return 0, missing("string", i)
	}
	return 0, outOfRange("string", i, s.claimed)
}

// showTokenIndex shows a field as the index of a token.
func showTokenIndex(s grammar.Scope, v grammar.Value, n *model.Node) {
	showNumber((*crate).showTokenIndex, s, v, n)
}

// showTokenIndex shows a number as the index of a token.
func (c *crate) showTokenIndex(ctx context.Context, _, v int64, n *model.Node) {
	c.showToken(ctx, n, uint32(v))
}

// showToken makes n the node of a token index: its value, its text and the way to it.
func (c *crate) showToken(ctx context.Context, n *model.Node, token uint32) {
	text, err := c.token(ctx, token)
	showIndex(n, tokenIndex.Name(), token, text, c.tokenRef(token), err)
}

// showIndex makes n the node of an index: its number with the text of the entry, and a link to it.
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
