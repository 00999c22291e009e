package export

import (
	"context"
	"io"
	"slices"

	"cutaway/model"
	"cutaway/model/export/quote"
)

// Lines writes nodes as NDJSON: an object on each line, with the keys of docs/json.md. Call Flush at the end.
type Lines struct{ e encoder }

// LineOptions control how nodes are written as lines.
type LineOptions struct {
	Whole bool     // write sequences and bytes whole
	Keys  []string // the keys to write, of NodeKeys, or nil for all
}

// NodeKeys are the keys of a node's object, in output order.
var NodeKeys = []string{"path", "name", "type", "value", "number", "help", "clause", "shared", "spans", "principal", "refs", "problems", "children"}

// NewLines returns a writer of lines to w. It reads elements under ctx.
func NewLines(ctx context.Context, w io.Writer, opt LineOptions) *Lines {
	return &Lines{encoder{ctx: ctx, w: w, buf: make([]byte, 0, flushAt+4096), whole: opt.Whole, keys: opt.Keys}}
}

// Write writes the node at p as a line.
func (l *Lines) Write(p *model.Place) error {
	e := &l.e
	e.open(false)
	e.node(p)
	e.shut()
	e.buf = append(e.buf, '\n')
	e.spill()
	return e.end()
}

// Flush writes buffered lines.
func (l *Lines) Flush() error {
	l.e.flush()
	return l.e.failed
}

// Tally returns the counts of the problems written so far.
func (l *Lines) Tally() Tally { return l.e.tally }

// end returns the error that ends writing, or nil.
func (e *encoder) end() error {
	if e.failed != nil {
		return e.failed
	}
	return e.ctx.Err()
}

// path writes the path of the node at p, or null if it is long in a nested object: in a deep chain the sum of all paths
// grows quadratically.
func (e *encoder) path(p *model.Place) {
	if e.nested && p.HasLongPath() {
		e.str("null")
		return
	}
	e.buf = appendPath(e.buf, p.Path())
}

// node writes the keys of the node at p into the open object.
func (e *encoder) node(p *model.Place) {
	n := &p.Node
	if e.wants("path") {
		e.path(p)
	}
	if e.wants("name") {
		e.buf = quote.Text(e.buf, n.Name)
	}
	if e.wants("type") {
		e.text(n.Type)
	}
	e.unread = nil
	if e.wants("value") {
		e.value(e.valueOf(p), 0)
	}
	e.marks(n)
	if e.wants("spans") {
		e.spans(n.Spans)
	}
	if n.Principal != nil && e.wants("principal") {
		if spans := n.Principal(e.ctx); len(spans) > 0 {
			e.spans(spans)
		} else {
			e.str("null")
		}
	}
	if e.wants("refs") {
		e.open(true)
		if n.Refs != nil {
			e.refs(n.Refs(e.ctx))
		}
		e.shut()
	}
	e.problems(p)
	if e.wants("children") {
		count := int64(-1)
		if k, exact := p.Len(e.ctx); exact {
			count = k
		}
		e.buf = quote.Int(e.buf, count)
	}
	e.account(p)
}

// marks writes the keys that only some nodes have.
func (e *encoder) marks(n *model.Node) {
	if symbol, ok := n.Value.(model.Symbol); ok && symbol.Name != "" && e.wants("number") {
		e.buf = quote.Int(e.buf, symbol.Number)
	}
	if n.Help != "" && e.wants("help") {
		e.text(n.Help)
	}
	if n.Clause != "" && e.wants("clause") {
		e.text(n.Clause)
	}
	if n.Shared && e.wants("shared") {
		e.buf = append(e.buf, "true"...)
	}
}

// account records the omissions of the node at p, and resets their state.
func (e *encoder) account(p *model.Place) {
	if e.request != nil {
		e.request.limits(p)
		if e.unread != nil && e.ctx.Err() == nil {
			e.request.lose(p, unreadable, e.unread)
		}
		if e.deep {
			e.request.lose(p, "what is nested in more than %d levels, which is a limit of this program", maxNesting)
		}
		if e.short && (!e.request.Elements || !p.Node.Elements) { // otherwise the elements follow as nodes
			e.request.reduce(p, "%s", shortened)
		}
		if e.replaced {
			e.request.reduce(p, "%s", notUTF8)
		}
	}
	e.deep, e.short, e.replaced = false, false, false
}

// valueOf returns the value of the node at p, or a sequence of those of its elements. Elements that are visited as
// nodes are no value unless whole is set.
func (e *encoder) valueOf(p *model.Place) model.Value {
	n := &p.Node
	if n.Value != nil {
		return n.Value
	}
	if count, _ := p.Len(e.ctx); e.whole || n.Elements || count == 0 {
		if a := model.Sequence(e.ctx, p); a != nil {
			return a
		}
	}
	return nil
}

// wants begins a key and returns true, unless the key is not requested.
func (e *encoder) wants(key string) bool {
	if e.keys != nil && !slices.Contains(e.keys, key) {
		return false
	}
	e.key(key)
	return true
}

// problems counts the problems of a node, and writes them if requested.
func (e *encoder) problems(p *model.Place) {
	list := p.Node.Problems
	if e.unread != nil && e.ctx.Err() == nil {
		list = append(list[:len(list):len(list)], Unreadable(e.unread, &p.Node))
	}
	for i := range list {
		e.tally.Add(&list[i])
	}
	if !e.wants("problems") {
		return
	}
	e.open(true)
	for i := range list {
		e.item()
		e.open(false)
		e.problemKeys(&list[i], func() { e.path(p) })
		e.shut()
	}
	e.shut()
}

// Unreadable returns err, from reading the value of n, as a problem.
func Unreadable(err error, n *model.Node) model.Problem {
	pr := model.AsProblem(err, RuleUnreadable, n.Span())
	if pr.Span.Source == nil {
		pr.Span = n.Span()
	}
	return pr
}

func (e *encoder) spans(spans []model.Span) {
	e.openFlow(true)
	for _, s := range spans {
		if s.Source != nil {
			e.item()
			e.span(s)
		}
	}
	e.shut()
}

func (e *encoder) span(s model.Span) {
	e.openFlow(false)
	e.placeKeys(s)
	if s.Mask != 0 {
		e.key("mask")
		e.buf = quote.Uint(e.buf, s.Mask)
	}
	e.shut()
}

func (e *encoder) refs(refs []model.Ref) {
	for i := range refs {
		r := &refs[i]
		e.item()
		e.openFlow(false)
		e.key("kind")
		e.buf = quote.String(e.buf, r.Kind)
		e.key("path")
		e.buf = appendPath(e.buf, r.Path)
		if r.Path == "" && r.Span.Source != nil {
			e.key("span")
			e.span(r.Span)
		}
		e.shut()
	}
}

// A Grouped says which equal problems a problem stands among.
type Grouped struct {
	Group, Because int                     // numbers of its group, and of the one that it follows from; 0 for none
	Count          int                     // problems of a folded group, or 0
	Places         []*model.LocatedProblem // of the folded group, the first ones
}

// AppendProblem appends a problem as a JSON object, with the keys of docs/json.md. Without a place, source, offset and
// length are null.
func AppendProblem(dst []byte, p *model.LocatedProblem, rule *model.Rule, in Grouped) []byte {
	e := encoder{buf: dst}
	e.open(false)
	e.problemKeys(&p.Problem, func() { e.buf = appendPath(e.buf, p.Path) })
	e.memberKey(p)
	if rule != nil && rule.Clause != "" {
		e.key("clause")
		e.buf = quote.String(e.buf, rule.Clause)
	}
	if rule != nil && (rule.Forbidden || rule.Discouraged) {
		by := model.Warning
		if rule.Forbidden {
			by = model.Error
		}
		e.key("standard")
		e.buf = quote.String(e.buf, by.String())
	}
	e.groupKeys(in)
	e.shut()
	return e.buf
}

func (e *encoder) memberKey(p *model.LocatedProblem) {
	if p.Member != "" {
		e.key("member")
		e.buf = quote.String(e.buf, p.Member)
	}
}

func (e *encoder) groupKeys(in Grouped) {
	for i, n := range [...]int{in.Group, in.Because, in.Count} {
		if n > 0 {
			e.key([...]string{"group", "because", "count"}[i])
			e.buf = quote.Int(e.buf, int64(n))
		}
	}
	if in.Count == 0 {
		return
	}
	e.key("places")
	e.openFlow(true)
	for _, p := range in.Places {
		e.item()
		e.openFlow(false)
		e.placeKeys(p.Span)
		e.key("path")
		e.buf = appendPath(e.buf, p.Path)
		e.memberKey(p)
		e.shut()
	}
	e.shut()
}

func (e *encoder) problemKeys(p *model.Problem, path func()) {
	e.key("rule")
	e.buf = quote.String(e.buf, p.Rule)
	e.key("kind")
	e.buf = quote.String(e.buf, p.Kind.String())
	e.key("severity")
	e.buf = quote.String(e.buf, p.Kind.Severity().String())
	e.placeKeys(p.Span)
	e.key("path")
	path()
	e.key("expected")
	e.buf = quote.String(e.buf, p.Expected)
	e.key("found")
	e.buf = quote.String(e.buf, p.Found)
	e.key("message")
	e.buf = quote.String(e.buf, p.Message)
	if p.Stack != "" {
		e.key("stack")
		e.buf = quote.String(e.buf, p.Stack)
	}
}

func (e *encoder) placeKeys(at model.Span) {
	if at.Source == nil {
		for _, k := range []string{"source", "offset", "length"} {
			e.key(k)
			e.str("null")
		}
	} else {
		e.key("source")
		e.buf = appendPath(e.buf, at.Source.Name())
		e.key("offset")
		e.buf = quote.Int(e.buf, at.Off)
		e.key("length")
		e.buf = quote.Int(e.buf, at.Len)
	}
}

// NestOptions control how JSON and YAML are written.
type NestOptions struct {
	Walk  model.WalkOptions
	Whole bool // write sequences whole
	Alone bool // omit descendants

	request *Request // collects omissions; may be nil
}

// JSON writes the nodes at places and their descendants, a line each: an object for one place, an array of objects for
// several. An object has the keys of Lines, and "nodes" for its children. When ctx ends, open structures are closed, so
// that the output is valid.
func JSON(ctx context.Context, w io.Writer, places []*model.Place, opt NestOptions) (Tally, error) {
	return nested(&encoder{ctx: ctx, w: w, nested: true, whole: opt.Whole, request: opt.request}, places, opt)
}

// YAML writes the output of JSON as YAML 1.2: block mappings with quoted texts, and values and spans as in JSON, a
// subset of YAML. Older readers, which require a point in a number with an exponent, read it too.
func YAML(ctx context.Context, w io.Writer, places []*model.Place, opt NestOptions) (Tally, error) {
	return nested(&encoder{ctx: ctx, w: w, nested: true, whole: opt.Whole, yaml: true, request: opt.request}, places, opt)
}

func nested(e *encoder, places []*model.Place, opt NestOptions) (Tally, error) {
	single := len(places) == 1
	if !single {
		e.open(true)
	}
	var err error
	for i := 0; i < len(places) && err == nil; i++ {
		if !single {
			e.item()
		}
		err = e.nest(places[i], opt)
	}
	if !single {
		e.shut()
	}
	e.buf = append(e.buf, '\n')
	e.flush()
	if err != nil {
		return e.tally, err
	}
	return e.tally, e.failed
}

// nest writes one tree. The open objects are those from start to the last visited place.
func (e *encoder) nest(start *model.Place, opt NestOptions) error {
	var open []*model.Place
	opt.Walk.Parts = true
	err := Walk(e.ctx, start, opt.Walk, opt.Alone, opt.request.limited(e.ctx, func(p *model.Place) error {
		for len(open) > 0 && open[len(open)-1] != p.Parent {
			e.shut()
			e.shut()
			open = open[:len(open)-1]
		}
		if len(open) > 0 {
			e.item()
			e.newline()
		}
		e.open(false)
		e.node(p)
		e.key("nodes")
		e.open(true)
		open = append(open, p)
		e.spill()
		return e.end()
	}))
	for range open {
		e.shut()
		e.shut()
	}
	return err
}
