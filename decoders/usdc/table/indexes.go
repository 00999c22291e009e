package table

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"cutaway/decoders/grammar"
	"cutaway/decoders/usdc/coding"
	"cutaway/model"
)

// None is the index of no token, string, path or field. It ends field sets.
const None = 0xFFFFFFFF

// errNone is returned by accessors for the index none: it names nothing, and nothing is wrong.
var errNone = errors.New("none")

// TokenAt returns the text of token i. Its errors are errNone and Problems without a span.
func (c *Crate) TokenAt(ctx context.Context, i uint32) (string, error) {
	if i == None {
		return "", errNone
	}
	t, err := c.Tokens(ctx, nil)
	if err != nil {
		return "", err
	}
	return t.Text(ctx, i)
}

// StringAt returns the text of string i, which is a token found through the string table. Its errors are Problems without a
// span, also for the index none.
func (c *Crate) StringAt(ctx context.Context, i uint32) (string, error) {
	s, err := c.strings(ctx, nil)
	if err != nil {
		return "", err
	}
	token, err := s.Token(i)
	if err != nil {
		return "", err
	}
	t, err := c.Tokens(ctx, nil)
	if err != nil {
		return "", err
	}
	return t.Text(ctx, token)
}

// PathAt returns the text of path i; "" for the empty path, which has a place in the table but no item. Errors as those
// of TokenAt.
func (c *Crate) PathAt(ctx context.Context, i uint32) (string, error) {
	if i == None {
		return "", errNone
	}
	p, err := c.Paths(ctx, nil)
	if err != nil {
		return "", err
	}
	return p.text(ctx, i)
}

// outOfRange returns the problem of an index that its table does not have; what is "token", "string", "path", "field"
// or "field-set". The caller adds the place with ProblemAt.
func outOfRange(what string, i uint32, n int64) model.Problem {
	return model.Problemf(model.Malformed, "usdc.index."+what+outOfRangeRule, model.Span{},
		"%s index %d is outside its table", what, i).Want(fmt.Sprintf("below %d", n), i)
}

// lostEntry returns the problem of an index whose entry is lost because its table, t, is damaged. It is a note: the damage
// is reported at its own place.
func (t *Section) lostEntry(what string, i uint32) model.Problem {
	p := model.Problemf(model.Assumed, "usdc.index."+what+missingRule, model.Span{}, "%s %d is lost, since its table is damaged: the table has a problem of its own", what, i)
	p.Because = t.at
	return p
}

const (
	missingRule    = "-missing"
	outOfRangeRule = "-out-of-range"
)

// isConsequence reports whether a problem only follows from damage that is reported at its own place.
func isConsequence(p model.Problem) bool { return strings.HasSuffix(p.Rule, missingRule) }

// Indexed returns the text of entry i of the table that s indexes, or model.None for the index None. inArray distinguishes the two
// tables of assets.
func (c *Crate) Indexed(ctx context.Context, s Scalar, inArray bool, i uint32) (model.Value, error) {
	var text string
	var err error
	switch {
	case s == ScalarPath:
		text, err = c.PathAt(ctx, i)
	case s == ScalarToken, s == ScalarAsset && !inArray:
		text, err = c.TokenAt(ctx, i)
	case i == None:
		err = errNone
	default:
		text, err = c.StringAt(ctx, i)
	}
	switch {
	case errors.Is(err, errNone):
		return model.None{}, nil
	case err != nil:
		if err = AsEmpty(err); IsEmpty(err) {
			return model.Text(""), err
		}
		return model.Uint(i), err
	}
	return model.Text(text), nil
}

// takeForEmpty makes AsEmpty of all problems of a node.
func takeForEmpty(n *model.Node) {
	for i, p := range n.Problems {
		n.Problems[i] = coding.ProblemAt(AsEmpty(p), p.Span)
	}
}

// AsEmpty returns the problem of a value's index that its table does not have: readers take that for empty text.
func AsEmpty(err error) error {
	p, ok := err.(model.Problem)
	if !ok || p.Kind != model.Malformed || !strings.HasSuffix(p.Rule, outOfRangeRule) {
		return err
	}
	p.Kind = model.Suspicious
	p.Message += ", which readers take for empty text"
	return p
}

// IsEmpty reports whether an error is one of AsEmpty: it is about a value, and does not keep it from being read.
func IsEmpty(err error) bool {
	p, ok := err.(model.Problem)
	return ok && p.Kind == model.Suspicious && strings.HasSuffix(p.Rule, outOfRangeRule)
}

// IndexRefs leads from an index to its entry in the table, and to the object where it is a path's.
func (c *Crate) IndexRefs(ctx context.Context, s Scalar, i uint32, inArray bool) []model.Ref {
	if s < ScalarString {
		return nil
	}
	v, err := c.Indexed(ctx, s, inArray, i)
	text, ok := v.(model.Text)
	if err != nil || !ok {
		return nil
	}
	var ref model.Ref
	switch {
	case s == ScalarPath:
		if text == "" {
			return nil
		}
		ref = c.PathRef(ctx, i)
	case s == ScalarToken, s == ScalarAsset && !inArray:
		ref = c.Entries.TokenRef(i)
	default:
		ref = c.Entries.StringRef(i)
	}
	ref.Text = string(text)
	if s == ScalarPath {
		return []model.Ref{ref, c.Scene.PathRef(ctx, i)}
	}
	return []model.Ref{ref}
}

// showTokenIndex shows a field as the index of a token.
func showTokenIndex(s grammar.Scope, v grammar.Value, n *model.Node) {
	showNumber((*Crate).showTokenIndex, s, v, n)
}

// showTokenIndex makes n the node of a token index, with the text of the token and a link.
func (c *Crate) showTokenIndex(ctx context.Context, _, v int64, n *model.Node) {
	i := uint32(v)
	text, err := c.TokenAt(ctx, i)
	showIndex(n, tokenIndex.Name(), i, text, c.Entries.TokenRef(i), err)
}

// showIndex makes n the node of an index, with the text of the entry and a link.
func showIndex(n *model.Node, typ string, i uint32, text string, ref model.Ref, err error) {
	n.Type, n.Value = typ, model.Symbol{Number: int64(i), Name: text}
	switch {
	case err == errNone:
		n.Value = model.None{}
	case err != nil:
		n.Value = model.Uint(i)
		if p := coding.ProblemAt(err, n.Span()); !isConsequence(p) {
			n.Problems = append(n.Problems, p)
		}
	default:
		ref.Text = text
		n.Refs = func(context.Context) []model.Ref { return []model.Ref{ref} }
	}
}

// ShowStringIndex shows an index as the string that it stands for.
func ShowStringIndex(s grammar.Scope, v grammar.Value, n *model.Node) {
	showIndexOf(ScalarString, s, v, n)
}

// ShowPrimPath shows an index as the path that it stands for.
func ShowPrimPath(s grammar.Scope, v grammar.Value, n *model.Node) { showIndexOf(ScalarPath, s, v, n) }

// showIndexOf sets the text that an index stands for.
func showIndexOf(of Scalar, s grammar.Scope, v grammar.Value, n *model.Node) {
	c := CrateOf(s)
	number, ok := v.Uint()
	if !ok {
		return
	}
	text, err := c.Indexed(s.Reading().Context(), of, true, uint32(number))
	n.Value = text
	if err != nil {
		n.Problems = append(n.Problems, coding.ProblemAt(err, n.Spans[0]))
	}
	n.Refs = func(ctx context.Context) []model.Ref { return c.IndexRefs(ctx, of, uint32(number), true) }
}
