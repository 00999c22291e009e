package table

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"cutaway/decoders/usdc/coding"
	"cutaway/model"
	"cutaway/model/crossref"
)

const (
	// maxPathText bounds the text of one path, in bytes.
	maxPathText = 4 << 10
	// MaxPathDepth bounds the elements of one path that are read.
	MaxPathDepth = 16 << 10
	// mostPaths bounds path tables. Readers take a gibibyte of memory for a table of that size.
	mostPaths = 1 << 27
	// sparePaths is the number by which the claimed size of the path table may exceed twice the items that fill it.
	sparePaths = 1024
)

// The parents of items that have none.
const (
	Unreached = -2 // of an item that the walk did not come to
	NoParent  = -1 // of the root
)

// The jumps of items (7.3); a greater number is how many items ahead the next sibling is.
const (
	jumpLeaf    = -2
	JumpChild   = -1
	jumpSibling = 0
)

// Paths is the table of paths and the tree of items that encodes it (chapter 7). Items are numbered in the order
// of their encoding.
type Paths struct {
	Section
	Complete  bool          // all items exist and were reached
	Index     model.Numbers // PathIndex of each item
	Token     model.Numbers // element token of each item
	Property  Bitset        // items whose element is a property's name
	Parents   model.Numbers // of each item: an item, NoParent or Unreached
	ByPath    model.Numbers // item of each path, or -1 if there is none
	draft     pathDraft     // while the table is loaded
	Problems  map[int32][]model.Problem
	texts     cache[pathText]    // of items with others below
	orderOnce model.Once[string] // of items below the same one

	columns [3]column // path indexes, element tokens and jumps, from 0.4.0 on
	old     *oldTree  // below 0.4.0
}

// A Bitset is a bit for each item.
type Bitset []uint64

// Has reports whether bit i is set.
func (b Bitset) Has(i int32) bool { return b[i/64]>>(i%64)&1 != 0 }

// Clear clears bit i.
func (b Bitset) Clear(i int32) { b[i/64] &^= 1 << (i % 64) }

// Set sets bit i.
func (b Bitset) Set(i int32) { b[i/64] |= 1 << (i % 64) }

// Paths loads the path table; the error is that of the context, damage leaves a table with holes.
func (c *Crate) Paths(ctx context.Context, progress model.Progress) (*Paths, error) {
	return c.pathTable.Get(ctx, progress, c.loadPaths)
}

func (c *Crate) loadPaths(ctx context.Context, progress model.Progress) (*Paths, error) {
	p := &Paths{Problems: map[int32][]model.Problem{}}
	t, err := c.Tokens(ctx, progress)
	if err != nil || !p.open(ctx, c, "PATHS") {
		return p, err
	}
	switch {
	case !p.known:
	case c.Compressed():
		err = p.readLists(ctx, progress, t)
	default:
		err = p.readTree(ctx, progress, t)
	}
	p.Parents, p.ByPath = model.NumbersOf(p.draft.parents), model.NumbersOf(p.draft.byPath)
	p.draft = pathDraft{}
	p.finish()
	return p, err
}

// report adds a problem to an item and to the node of the list that it is in.
func (p *Paths) report(item int32, node *model.Node, problem model.Problem) {
	p.Complete = false
	p.addProblem(item, node, problem)
}

// addProblem is report of a problem that costs no path.
func (p *Paths) addProblem(item int32, node *model.Node, problem model.Problem) {
	if len(node.Problems) < maxListed {
		node.Problems = append(node.Problems, problem)
		p.Problems[item] = append(p.Problems[item], problem)
	}
}

// checkCount compares the size of the table with the items that fill it. at is the count's bytes.
func (p *Paths) checkCount(node *model.Node, at model.Span, items int64) {
	most := 2*items + sparePaths
	switch {
	case p.claimed < items:
		node.Problems = append(node.Problems, model.Problemf(model.Malformed, "usdc.paths.encoded-count", at,
			"more paths are encoded than the table has room for").WantAtMost(p.claimed, items))
		p.Complete = false
	case p.claimed > most:
		kind := model.Suspicious // readers make the table nevertheless
		if p.count > mostPaths {
			kind = model.Malformed
		}
		node.Problems = append(node.Problems, model.Problemf(kind, "usdc.paths.count", at,
			"the path table is far larger than the %d items that fill it", items).WantAtMost(most, p.count))
		p.Complete = false
	}
}

// pathDraft holds a table while its items are in no order.
type pathDraft struct {
	parents, byPath []int32
	index, token    *model.NumbersCursor
}

// note enters an item into the table. place returns the bytes of its path index or its token.
func (p *Paths) note(item int32, t *Tokens, indexNode, tokenNode *model.Node, place func(token bool) model.Span) {
	index, token := p.draft.index.At(int64(item)), p.draft.token.At(int64(item))
	switch {
	case int64(index) >= p.claimed:
		p.report(item, indexNode, coding.ProblemAt(outOfRange("path", index, p.claimed), place(false)))
	case int64(index) >= int64(len(p.draft.byPath)):
		p.Complete = false // the table's size is at fault
	case p.draft.byPath[index] >= 0:
		p.report(item, indexNode, model.Problemf(model.Malformed, "usdc.paths.index-repeated", place(false),
			"path %d is encoded twice", index).Want("a path of its own", fmt.Sprintf("that of item %d", p.draft.byPath[index])))
	default:
		p.draft.byPath[index] = item
	}
	if !t.Holds(token) || token == None {
		p.report(item, tokenNode, coding.ProblemAt(outOfRange("token", token, t.claimed), place(true)))
	}
}

// readLists reads the three lists of 7.3.
func (p *Paths) readLists(ctx context.Context, progress model.Progress, t *Tokens) error {
	encoded := p.field("encodedCount")
	if p.c.oneCount {
		encoded = p.field("count")
	}
	if encoded == nil || encoded.Span().Len < 8 {
		return nil
	}
	m := int64(min(uint64(encoded.Value.(model.Uint)), None))
	p.columns = [3]column{
		{name: "pathIndexes", show: p.showIndex}, {name: "elementTokenIndexes", show: p.showToken}, {name: "jumps", show: p.showJump},
	}
	indexes, elements, jumps := &p.columns[0], &p.columns[1], &p.columns[2]
	if err := p.readIntegers(ctx, progress, m, indexes, elements, jumps); err != nil {
		return err
	}
	items := min(indexes.Values.Len(), elements.Values.Len(), jumps.Values.Len())
	p.Complete = items == m
	if jumps.node != nil {
		if err := p.walk(ctx, progress, t, items, m); err != nil {
			return err
		}
	}
	if p.Complete || items == m {
		p.checkCount(encoded, p.Nodes[0].Span(), items)
	}
	elements.Values = model.Numbers{} // what they say is in token and property
	return nil
}

// walk visits the items from the root on, with a stack of its own: depth costs no recursion, and as no item is
// entered twice, any damage ends. Of the m items that were claimed, so many exist.
func (p *Paths) walk(ctx context.Context, progress model.Progress, t *Tokens, items, m int64) error {
	indexes, elements, jumps := &p.columns[0], &p.columns[1], &p.columns[2]
	p.Index = indexes.Values.Slice(0, items)
	p.Property = make(Bitset, (items+63)/64)
	p.draft.parents = make([]int32, items)
	var tokens model.NumbersBuilder
	for i, element := range elements.Values.Slice(0, items).All() {
		p.draft.parents[i] = Unreached
		if int32(element) < 0 {
			element = -element
			p.Property.Set(int32(i))
		}
		tokens.Add(element)
	}
	p.Token = tokens.Numbers()
	p.makeTable(items)
	w := &pathWalk{p: p, jumps: jumps, jump: jumps.Values.Cursor(), items: items, claimed: m}
	w.push(0, NoParent, -1)
	for steps := int64(0); len(w.stack) > 0; steps++ {
		if steps&(1<<16-1) == 0 {
			progress.Report(steps, items, "paths")
			if err := ctx.Err(); err != nil {
				return err
			}
		}
		s := w.stack[len(w.stack)-1]
		w.stack = w.stack[:len(w.stack)-1]
		if !w.enter(ctx, s) {
			continue
		}
		p.note(int32(s.item), t, indexes.node, elements.node, func(token bool) model.Span {
			if token {
				return elements.place(ctx, s.item)
			}
			return indexes.place(ctx, s.item)
		})
		w.follow(ctx, s)
	}
	if first := w.firstUnreached(); first >= 0 && p.Complete {
		p.report(first, jumps.node, model.Problemf(model.Malformed, "usdc.paths.unreached", jumps.place(ctx, int64(first)),
			"no item leads to this one").Want("every item reached once", fmt.Sprintf("item %d not reached", first)))
	}
	return nil
}

// makeTable makes the table of the paths, with no item entered yet.
func (p *Paths) makeTable(items int64) {
	p.draft.index, p.draft.token = p.Index.Cursor(), p.Token.Cursor()
	p.draft.byPath = make([]int32, min(p.claimed, 2*items+sparePaths))
	for i := range p.draft.byPath {
		p.draft.byPath[i] = -1
	}
}

// pathWalk is a walk over the items of 7.3.
type pathWalk struct {
	p              *Paths
	jumps          *column
	jump           *model.NumbersCursor
	items, claimed int64
	stack          []step
}

// step is an item to go to, whose parent is known, and the item whose jump leads there; -1 for the root.
type step struct {
	item         int64
	parent, from int32
}

func (w *pathWalk) push(item int64, parent, from int32) {
	w.stack = append(w.stack, step{item, parent, from})
}

// enter gives an item its parent, unless there is no such item or it has one.
func (w *pathWalk) enter(ctx context.Context, s step) bool {
	switch {
	case s.item >= w.claimed:
		if s.from >= 0 {
			w.p.report(s.from, w.jumps.node, model.Problemf(model.Malformed, "usdc.paths.walk", w.jumps.place(ctx, int64(s.from)),
				"the jump leads to item %d of %d", s.item, w.claimed).Want(fmt.Sprintf("below %d", w.claimed), s.item))
		}
		return false
	case s.item >= w.items:
		w.p.Complete = false // its item is lost in a damaged list
		return false
	case w.p.draft.parents[s.item] != Unreached:
		w.p.report(s.from, w.jumps.node, model.Problemf(model.Malformed, "usdc.paths.item-repeated", w.jumps.place(ctx, int64(s.from)),
			"the jump leads to item %d, which was reached before", s.item))
		return false
	}
	w.p.draft.parents[s.item] = s.parent
	return true
}

// follow goes where an item's jump leads: to its child first, then to its sibling.
func (w *pathWalk) follow(ctx context.Context, s step) {
	item := int32(s.item)
	siblings := s.parent
	if siblings == NoParent {
		siblings = item // a sibling of the root would be under the root
	}
	switch jump := int32(w.jump.At(s.item)); {
	case jump < jumpLeaf:
		w.p.addProblem(item, w.jumps.node, model.Problemf(model.Suspicious, "usdc.paths.jump", w.jumps.place(ctx, s.item),
			"there is no jump %d; readers take it for that of a leaf", jump).Want("-2 or more", jump))
	case jump == jumpLeaf:
	case jump == JumpChild:
		w.push(s.item+1, item, item)
	case jump == jumpSibling:
		w.push(s.item+1, siblings, item)
	default:
		w.push(s.item+int64(jump), siblings, item)
		w.push(s.item+1, item, item)
	}
}

func (w *pathWalk) firstUnreached() int32 {
	for i, parent := range w.p.draft.parents {
		if parent == Unreached {
			return int32(i)
		}
	}
	return -1
}

// kindOfJump says in a word what a jump leads to.
func kindOfJump(jump int32) string {
	switch {
	case jump < jumpLeaf:
		return "invalid"
	case jump == jumpLeaf:
		return "leaf"
	case jump == JumpChild:
		return "child"
	case jump == jumpSibling:
		return "sibling"
	}
	return "child and sibling"
}

func (p *Paths) showIndex(ctx context.Context, i, v int64, n *model.Node) {
	text := ""
	if i < p.Items() && p.Parent(int32(i)) != Unreached {
		text = p.ItemText(ctx, int32(i))
	}
	n.Type, n.Value = "PathIndex", model.Symbol{Number: int64(uint32(v)), Name: text}
	n.Refs = func(context.Context) []model.Ref {
		return []model.Ref{
			p.c.Entries.Elements.Ref("element", i), p.c.Entries.Jumps.Ref("jump", i),
		}
	}
}

func (p *Paths) showToken(ctx context.Context, i, v int64, n *model.Node) {
	token := uint32(v)
	if v < 0 {
		token = uint32(-v)
	}
	name, err := p.c.TokenAt(ctx, token)
	if err != nil {
		n.Value = model.Int(v)
		n.Problems = append(n.Problems, coding.ProblemAt(err, n.Span()))
		return
	}
	n.Value = model.Symbol{Number: v, Name: name}
	if v < 0 {
		n.Type = "property TokenIndex"
	} else {
		n.Type = "TokenIndex"
	}
	n.Refs = func(context.Context) []model.Ref {
		ref := p.c.Entries.TokenRef(token)
		ref.Text = name
		return []model.Ref{ref, p.c.Entries.Items.Ref("path", i)}
	}
}

func (p *Paths) showJump(_ context.Context, i, v int64, n *model.Node) {
	n.Type, n.Value = "jump", model.Symbol{Number: v, Name: kindOfJump(int32(v))}
	n.Refs = func(context.Context) []model.Ref {
		to := p.c.Entries.Items.Ref
		var refs []model.Ref
		if next := i + 1; next < p.Items() && v >= JumpChild && v != jumpSibling {
			refs = append(refs, to("child", next))
		}
		if next := i + max(v, 1); next < p.Items() && v >= jumpSibling {
			refs = append(refs, to("sibling", next))
		}
		return refs
	}
}

// Items returns the number of items.
func (p *Paths) Items() int64 { return p.Parents.Len() }

// Parent returns the parent of an item, NoParent or Unreached.
func (p *Paths) Parent(item int32) int32 { return int32(p.Parents.At(int64(item))) }

// Kids returns the items under each item.
func (p *Paths) Kids(ctx context.Context) (*crossref.Inverse, error) {
	parents := p.Parents.Cursor()
	return crossref.Invert(ctx, p.Items(), p.Items(), func(i int64) int64 { return int64(int32(parents.At(i))) })
}

// ItemOf returns the item of a path, or false if it has none.
func (p *Paths) ItemOf(path uint32) (item int32, ok bool) {
	if int64(path) >= p.ByPath.Len() {
		return 0, false
	}
	item = int32(p.ByPath.At(int64(path)))
	return item, item >= 0
}

// text returns the text of path i, i != none; "" for the empty path.
func (p *Paths) text(ctx context.Context, i uint32) (string, error) {
	if !p.Holds(i) {
		return "", outOfRange("path", i, p.claimed)
	}
	item, ok := p.ItemOf(i)
	switch {
	case ok:
		return p.ItemText(ctx, item), nil
	case p.Complete:
		return "", nil
	}
	return "", p.lostEntry("path", i)
}

// Element returns the last element of an item's path as it stands in the text, without '/': ".points", "Mesh".
func (p *Paths) Element(ctx context.Context, item int32) string {
	if p.Parent(item) == NoParent {
		return "/"
	}
	text, err := p.c.TokenAt(ctx, p.Token.At(int64(item)))
	if err != nil {
		text = fmt.Sprintf("(token %d)", p.Token.At(int64(item)))
	}
	if p.Property.Has(item) {
		return "." + text
	}
	return text
}

// pathText is the path of an item, as far as the paths below need it.
type pathText struct {
	text string
	last string // the last element that is not empty; "/" of the root
}

// ItemText returns the path of an item, by the rules of 7.1. Of a path that is too long the end is given. Short paths of
// items that have others below are kept.
func (p *Paths) ItemText(ctx context.Context, item int32) string {
	parent := p.Parent(item)
	if parent < 0 {
		return p.wholeText(ctx, item).text
	}
	above := p.texts.get(uint32(parent))
	if above == nil {
		whole := p.wholeText(ctx, parent)
		if len(whole.text) > shortText || !strings.HasPrefix(whole.text, "/") {
			return p.wholeText(ctx, item).text
		}
		if ctx.Err() == nil {
			p.texts.store(uint32(parent), whole)
		}
		above = &whole
	}
	return above.join(p.Element(ctx, item)).text
}

// join returns the path of an element below.
func (t pathText) join(e string) pathText {
	if e == "" {
		return t
	}
	if len(t.text) > 1 && !strings.HasSuffix(t.last, "}") && !joinsDirectly(e) {
		return pathText{t.text + "/" + e, e}
	}
	return pathText{t.text + e, e}
}

// wholeText returns the path of an item, put together from all its elements.
func (p *Paths) wholeText(ctx context.Context, item int32) pathText {
	var elements []string
	size := 0
	for p.Parent(item) >= 0 && size < maxPathText && len(elements) < MaxPathDepth {
		e := p.Element(ctx, item)
		elements = append(elements, e)
		size += len(e) + 1
		item = p.Parent(item)
	}
	text := strings.Builder{}
	last := "/"
	if p.Parent(item) != NoParent {
		last = "…"
	}
	text.WriteString(last)
	for i := len(elements) - 1; i >= 0; i-- {
		e := elements[i]
		if text.Len() > 1 && !strings.HasSuffix(last, "}") && !joinsDirectly(e) {
			text.WriteByte('/')
		}
		text.WriteString(e)
		if e != "" {
			last = e
		}
	}
	return pathText{text.String(), last}
}

// joinsDirectly reports whether an element follows its parent's path without '/'.
func joinsDirectly(e string) bool {
	return strings.HasPrefix(e, "{") || strings.HasPrefix(e, "[") || strings.HasPrefix(e, ".")
}

// PathRef leads to the item that gives path i in the layout.
func (c *Crate) PathRef(ctx context.Context, i uint32) model.Ref {
	ref := model.Ref{Kind: "path", Path: c.Layout + "/PATHS"}
	p, err := c.Paths(ctx, nil)
	if err != nil {
		return ref
	}
	if item, ok := p.ItemOf(i); ok {
		return p.Ref(ctx, item)
	}
	return ref
}

// Ref leads to an item in the layout.
func (p *Paths) Ref(ctx context.Context, item int32) model.Ref {
	ref := p.c.Entries.Items.Ref("path", int64(item))
	ref.Text = p.ItemText(ctx, item)
	return ref
}

// ItemSpans returns the bytes that an item is shown for: its element token, below 0.4.0 its record.
func (p *Paths) ItemSpans(ctx context.Context, item int32) []model.Span {
	if p.old != nil {
		off := p.old.offs[item]
		return []model.Span{p.old.src.Span(off, p.old.size(ctx, off))}
	}
	return p.columns[1].coded.Spans(ctx, int64(item))
}

// ReachedText is ItemText, or "" of an item that the walk did not come to.
func (p *Paths) ReachedText(ctx context.Context, item int32) string {
	if p.Parent(item) == Unreached {
		return ""
	}
	return p.ItemText(ctx, item)
}

// ItemFields returns the nodes of the numbers of an item.
func (p *Paths) ItemFields(ctx context.Context, item int32) (fields []model.Node) {
	if p.old != nil {
		all := p.readOld(ctx, item).Nodes(ctx)
		return slices.DeleteFunc(all, func(f model.Node) bool { return f.Role == model.Padding })
	}
	add := func(name, help string, k *column) {
		l := k.coded
		if l == nil || int64(item) >= l.Good {
			return
		}
		n := l.Element(ctx, int64(item), k.show)
		n.Name, n.Help = name, help
		fields = append(fields, n)
	}
	add("pathIndex", "which path the item is", &p.columns[0])
	add("elementTokenIndex", "the last element of the path; negative: it is a prim's property", &p.columns[1])
	add("jump", "what follows the item: -2: nothing; -1: its child; 0: its sibling; k: both, the sibling k items on", &p.columns[2])
	return fields
}

// IsOld reports whether items are records, as below 0.4.0.
func (p *Paths) IsOld() bool { return p.old != nil }

// CodedElements returns the coded element tokens of the items, or nil below 0.4.0.
func (p *Paths) CodedElements() *coding.List { return p.columns[1].coded }

// JumpAt returns the jump of an item.
func (p *Paths) JumpAt(ctx context.Context, item int64) (int64, error) {
	return p.columns[2].coded.Integer(ctx, item)
}

// SiblingJumps returns a function for the item that the jump of item i leads to, or -1 if that is no further than the next one. It
// returns nil below 0.4.0.
func (p *Paths) SiblingJumps() func(i int64) int64 {
	if p.columns[2].coded == nil {
		return nil
	}
	all := p.columns[2].Values.Cursor()
	return func(i int64) int64 {
		if jump := int32(all.At(i)); jump > 1 {
			return i + int64(jump)
		}
		return -1
	}
}
