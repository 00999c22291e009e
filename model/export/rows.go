package export

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"strings"

	"cutaway/model"
	"cutaway/model/values"
)

// withRows returns p or its only child that has a table, series, array or other sequence, or nil. It does no work:
// writers resolve p first, and before that a pending p counts as having rows.
func withRows(ctx context.Context, p *model.Place) *model.Place {
	return values.Meant(ctx, p, false, hasRows, model.HasElements)
}

// withArray is like withRows, for arrays only.
func withArray(ctx context.Context, p *model.Place) *model.Place {
	return values.Meant(ctx, p, false, hasArray)
}

// noRows returns the reason why a node has no rows, and the children that have some.
func noRows(ctx context.Context, p *model.Place) string {
	why := PathText(p.Path()) + " is no array and has no table"
	candidates := values.ChildrenWith(ctx, p, false, hasRows)
	if len(candidates) == 0 {
		candidates = values.ChildrenWith(ctx, p, false, model.HasElements)
	}
	if len(candidates) == 0 {
		return why + ": export it as json or text"
	}
	const most = 8
	var names []string
	for _, c := range candidates[:min(len(candidates), most)] {
		names = append(names, PathText(c.Path()))
	}
	if more := len(candidates) - most; more > 0 {
		names = append(names, fmt.Sprintf("%d more", more))
	}
	return why + ": name one of those below it, " + strings.Join(names, ", ")
}

func hasRows(ctx context.Context, n *model.Node) bool {
	return values.IsArray(n) || rowCard(ctx, n) != nil
}

func hasArray(_ context.Context, n *model.Node) bool { return values.IsArray(n) }

// rowCard returns the node's first card with rows, or nil.
func rowCard(ctx context.Context, n *model.Node) model.Card {
	if cards := model.RowCards(ctx, n); len(cards) > 0 {
		return cards[0]
	}
	return nil
}

// rowsIn returns the rows of a node: a table or series, or else an array whose elements are no structures.
func rowsIn(ctx context.Context, r *Request, owner *model.Place) (model.Card, model.Array, error) {
	if card := rowCard(ctx, &owner.Node); card != nil {
		return card, nil, nil
	}
	switch owner.Node.Value.(type) {
	case model.Array, model.Seq:
		return nil, model.Sequence(ctx, owner), nil
	}
	if err := owner.Resolve(ctx, r.Progress); err != nil {
		return nil, nil, err
	}
	t, err := model.FieldsOf(ctx, owner, cmp.Or(r.look, math.MaxInt64), r.Progress)
	if err != nil {
		return nil, nil, err
	}
	if !model.IsSequence(ctx, &owner.Node) {
		r.reduce(owner, "the fields beside its elements")
	}
	if t.Unread > 0 {
		r.lose(owner, "%s cannot be read: %s", model.GroupedCount(t.Unread, "cell"), t.Why.Message)
	}
	if t.Plain() {
		return nil, t.Array(), nil
	}
	t.Bare = true
	return t, nil, nil
}
