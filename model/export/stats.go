package export

import (
	"context"
	"slices"
	"sort"

	"cutaway/model"
)

// StatKeys are the keys of the statistics of every document. A document may compute these by itself, and more.
var StatKeys = []string{"section", "type", "subtree"}

const (
	maxStats   = 100_000 // lines; the rest is summed as "(others)"
	splitStats = 1000    // a node with more children is one subtree
)

// Stats sums the sizes of the leaves of the document's layout and of all derived sources by key: "section" for the
// layout's top nodes, "type", or "subtree" for the paths of the first two levels. A leaf's stored bytes are those in
// the file; its logical bytes are its size after decoding. Bytes that a source is derived from are stored bytes of
// their node, while the logical ones are those of the derived leaves. Stored bytes sum to the size of the file, logical
// ones to the size of its content. When ctx ends it returns the sums so far.
func Stats(ctx context.Context, d *model.Document, by string, progress model.Progress) ([]model.Stat, Tally, error) {
	s := statWalk{by: by, lines: make(map[string]*model.Stat), ends: make(map[*model.Source]int64)}
	opt := model.WalkOptions{Resolve: true, Derived: true, Progress: progress}
	err := model.Walk(ctx, d.View(model.LayoutView).Place(ctx), opt, func(p *model.Place) error {
		return s.visit(ctx, p)
	})
	list := make([]model.Stat, 0, len(s.order))
	for _, key := range s.order {
		list = append(list, *s.lines[key])
	}
	if by == "type" {
		sort.SliceStable(list, func(i, j int) bool {
			return max(list[i].Stored, list[i].Logical) > max(list[j].Stored, list[j].Logical)
		})
	}
	return list, s.tally, err
}

// StatsBy returns the document's own statistics for a key if it has them, or else Stats. The key must be one of either.
func StatsBy(ctx context.Context, d *model.Document, by string, progress model.Progress) ([]model.Stat, Tally, error) {
	if d.Stats != nil && slices.Contains(d.StatKeys, by) {
		list, err := d.Stats(ctx, by, progress)
		return list, Tally{}, err
	}
	return Stats(ctx, d, by, progress)
}

type statWalk struct {
	by       string
	open     []statFrame // from the layout's root to the last visited node
	order    []string
	lines    map[string]*model.Stat
	ends     map[*model.Source]int64 // end of the leaves that were counted, for bit fields that share a byte
	consumed []model.Span            // bytes that a source was derived from
	tally    Tally
}

type statFrame struct {
	place *model.Place
	key   string // of its leaves, for sections and subtrees
	split bool   // its children have keys of their own
}

func (s *statWalk) visit(ctx context.Context, p *model.Place) error {
	for len(s.open) > 0 && s.open[len(s.open)-1].place != p.Parent {
		s.open = s.open[:len(s.open)-1]
	}
	frame := s.frame(ctx, p)
	s.open = append(s.open, frame)
	for i := range p.Node.Problems {
		s.tally.Add(&p.Node.Problems[i])
	}
	for _, d := range p.Node.Derived {
		src, _, err := d.Open(ctx)
		if err != nil {
			continue // the walk has added it to the node's problems
		}
		if o := src.Origin(); o != nil {
			s.consumed = append(s.consumed, o.Spans...)
		}
	}
	if isLeaf(ctx, &p.Node) {
		s.leaf(p, frame.key)
	}
	return nil
}

func (s *statWalk) frame(ctx context.Context, p *model.Place) statFrame {
	n, _ := p.Len(ctx)
	few := n <= splitStats
	depth := len(s.open)
	if depth == 0 {
		return statFrame{p, p.Node.InPath(), true}
	}
	parent := s.open[depth-1]
	f := statFrame{place: p, key: parent.key}
	if !parent.split || p.Index < 0 {
		return f
	}
	if s.by == "subtree" {
		f.key = string(JSONPath(p.Path()))
		f.split = depth == 1 && few
	} else {
		f.key = p.Node.InPath()
	}
	return f
}

func (s *statWalk) leaf(p *model.Place, key string) {
	n := &p.Node
	if s.by == "type" {
		key = n.Type
		if key == "" {
			key = n.Role.String()
		}
	}
	line := s.line(key)
	line.Count++
	own := n.Span().Source
	for _, span := range n.Spans {
		if span.Source != own || own == nil || span.Mask != 0 && span.End() == s.ends[own] {
			continue
		}
		s.ends[own] = span.End()
		if own.Origin() == nil {
			line.Stored += span.Len
		}
		line.Logical += span.Len - s.consume(span)
	}
}

// consume returns the number of bytes of span that a source was derived from. Leaves come in the order of their
// offsets, so it drops everything before span.
func (s *statWalk) consume(span model.Span) int64 {
	var sum int64
	kept := s.consumed[:0]
	for _, c := range s.consumed {
		if c.Source == span.Source {
			sum += max(0, min(c.End(), span.End())-max(c.Off, span.Off))
			if c.End() <= span.End() {
				continue
			}
		}
		kept = append(kept, c)
	}
	s.consumed = kept
	return min(sum, span.Len)
}

func (s *statWalk) line(key string) *model.Stat {
	if l := s.lines[key]; l != nil {
		return l
	}
	if len(s.order) >= maxStats {
		key = "(others)"
		if l := s.lines[key]; l != nil {
			return l
		}
	}
	l := &model.Stat{Key: key}
	s.lines[key] = l
	s.order = append(s.order, key)
	return l
}

// isLeaf reports whether a node is a leaf of the tiling. Elements of an array are for display.
func isLeaf(ctx context.Context, n *model.Node) bool {
	if n.Elements || n.Children == nil {
		return true
	}
	count, exact := n.Children.Len(ctx)
	return count == 0 && exact
}
