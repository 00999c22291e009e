package table

import (
	"context"

	"cutaway/decoders/grammar"
	"cutaway/decoders/usda"
	"cutaway/model"
)

// Strings is the table of strings (chapter 6): the index of each one's token.
type Strings struct {
	Section
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
func (c *Crate) strings(ctx context.Context, progress model.Progress) (*Strings, error) {
	return c.stringTable.Get(ctx, progress, c.loadStrings)
}

func (c *Crate) loadStrings(ctx context.Context, progress model.Progress) (*Strings, error) {
	s := new(Strings)
	t, err := c.Tokens(ctx, progress)
	if err != nil || !s.open(ctx, c, "STRINGS") {
		return s, err
	}
	err = s.readRecords(ctx, "indexes", &s.column)
	s.check(ctx, &t.Section, "token")
	if s.node != nil {
		takeForEmpty(s.node)
	}
	s.finish()
	return s, err
}

// Token returns the token index of string i.
func (s *Strings) Token(i uint32) (uint32, error) {
	switch {
	case int64(i) < s.Values.Len():
		return s.Values.At(int64(i)), nil
	case s.Holds(i):
		return 0, s.lostEntry("string", i)
	}
	return 0, outOfRange("string", i, s.claimed)
}
