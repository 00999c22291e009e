// Package usda holds the syntax of USD text layers (.usda): names and paths, tokens, types, and a writer of layers.
//
// The writer reads the nodes of a scene view as decoders/usdc makes them. The type of a spec's node is that of the
// spec (pseudoRoot, prim, attribute, relationship, variantSet, variant), its value the path. Its children are its
// fields, named and typed as in crates, followed by its child specs. Variants are children of their prim, beside their
// set.
package usda

import (
	"bufio"
	"context"
	"fmt"
	"hash/maphash"
	"io"
	"slices"
	"strings"

	"cutaway/model"
)

// Write writes a spec and its descendants as a USD text layer. Memory is constant but for 8 bytes for each sibling. A
// spec below the root is wrapped in overs, so that its path is the same. Parts that cannot be read or expressed as text
// are recorded in omitted and in comments. version is that of the syntax; all readers know "1.0".
func Write(ctx context.Context, out io.Writer, omitted *model.Omissions, n *model.Node, version string) error {
	w := &writer{printer: printer{ctx: ctx, omitted: omitted, out: bufio.NewWriterSize(out, 64<<10)}, seed: maphash.MakeSeed()}
	w.text("#usda " + version + "\n")
	if path := textOf(n); n.Type == "pseudoRoot" {
		w.layer(n)
	} else if outer, ok := outerOf(path); ok {
		w.inside(n, path, outer)
	} else {
		return fmt.Errorf("text has no place for %s", path)
	}
	w.flushLost()
	if err := w.out.Flush(); w.err == nil {
		w.err = err
	}
	if w.err != nil {
		return w.err
	}
	return ctx.Err()
}

// CardTitle is the title of cards with USD text, by which exporters find them.
const CardTitle = "USDA"

// maxDepth is the greatest depth of prims, variants and dictionaries in the output.
const maxDepth = 10_000

// A writer writes specs as text.
type writer struct {
	printer
	// appended is set by an array edit with an append and cleared by the next list op. usd-core reads a list of targets
	// or connections that follows without a keyword as one to append.
	appended bool
	buf      []byte
	seed     maphash.Seed
}

// A spec is the node of a spec with its structural fields.
type spec struct {
	model.Node
	path   string
	fields int64                 // number of fields, which precede the child specs
	listed bool                  // only children that its lists name are written
	of     map[string]model.Node // the structural fields
}

func (w *writer) spec(n *model.Node) *spec {
	s := &spec{Node: *n, path: textOf(n), of: map[string]model.Node{}}
	if n.Children == nil {
		return s
	}
	if p, ok := n.Children.(model.Pending); ok && p.Pending() {
		if err := p.Resolve(w.ctx, nil); err != nil {
			w.lose("%v", err)
			return s
		}
	}
	count, _ := n.Children.Len(w.ctx)
	for ; s.fields < count && !w.ended(); s.fields++ {
		f := n.Children.At(w.ctx, s.fields)
		if isSpec(f.Type) {
			break
		}
		if _, twice := s.of[f.Name]; structural[f.Name] && !twice {
			s.of[f.Name] = f
		}
	}
	return s
}

// field returns the text of a structural field, or "" if it is absent or no text.
func (s *spec) field(name string) string {
	f := s.of[name]
	return textOf(&f)
}

// isTrue reports whether a structural field is true.
func (s *spec) isTrue(name string) bool {
	f := s.of[name]
	return f.Value == model.Value(model.Bool(true))
}

func (w *writer) layer(n *model.Node) {
	s := w.spec(n)
	w.at = s.path
	w.problems(n, "the layer")
	if m := w.metadata(s, "("); m.open {
		m.end("")
	}
	w.specs(s, nil, 0)
}

// outerOf returns the paths of the prims, variant sets and variants around the spec at path.
func outerOf(path string) (outer []string, ok bool) {
	if p, isPath := ParsePath(path); !isPath || !p.Absolute || p.Target != "" {
		return nil, false
	}
	for i := 1; i < len(path); i++ {
		if c := path[i]; c == '/' || c == '.' || c == '{' || path[i-1] == '}' && c != '/' {
			outer = append(outer, path[:i])
		}
		if path[i] == '.' {
			break
		}
		if path[i] == '{' {
			i += strings.IndexByte(path[i:], '}')
		}
	}
	return outer, true
}

// inside writes a spec within overs of its ancestors.
func (w *writer) inside(n *model.Node, path string, outer []string) {
	closing := 0
	open := func(head string) {
		w.line(head)
		w.indent++
		closing++
	}
	from := ""
	for _, o := range outer {
		element := elementOfPath(o, from)
		if set, variant, is := selection(element); is {
			open("variantSet " + Quote(set) + " = {")
			open(Quote(variant) + " {")
		} else {
			w.line("over " + Quote(element))
			open("{")
		}
		from = o
	}
	w.writeSpec(n, elementOfPath(path, from))
	for ; closing > 0; closing-- {
		w.indent--
		w.line("}")
	}
}

// writeSpec writes a spec other than the layer.
func (w *writer) writeSpec(n *model.Node, element string) {
	switch set, variant, is := selection(element); {
	case !is:
		w.node(n, element, 0)
	case variant == "":
		w.lose("a variant set by itself has no text: write its prim")
	case !IsVariantName(set) || !IsVariantName(variant):
		w.lose(noName)
	default:
		w.line("variantSet " + Quote(set) + " = {")
		w.indent++
		w.variant(n, variant, false, 0)
		w.indent--
		w.line("}")
	}
}

// elementOfPath returns the part of a spec's path after that of its parent.
func elementOfPath(path, parent string) string {
	element := strings.TrimPrefix(path, parent)
	return strings.TrimPrefix(strings.TrimPrefix(element, "/"), ".")
}

// selection splits the element of a variant set or variant.
func selection(element string) (set, variant string, ok bool) {
	inner, ok := strings.CutPrefix(element, "{")
	if !ok {
		return "", "", false
	}
	return strings.Cut(strings.TrimSuffix(inner, "}"), "=")
}

// specs writes the children of a layer, prim or variant.
func (w *writer) specs(s *spec, k *childSpecs, depth int) {
	if depth > maxDepth {
		w.lose("limit: what is below it, which is nested deeper than %d", maxDepth)
		return
	}
	names := "nameChildren"
	if s.Type == "pseudoRoot" {
		names = "rootPrims"
	}
	w.order(s, "primOrder", names)
	w.order(s, "propertyOrder", "properties")
	if k == nil {
		k = w.kids(s)
	}
	node := func(element string) func(n *model.Node) { return func(n *model.Node) { w.node(n, element, depth) } }
	if s.Type == "pseudoRoot" {
		k.each(s, "primChildren", "prim", "/%s", node)
		misplaced := func(string) func(n *model.Node) { return w.misplaced }
		k.each(s, "properties", "property", ".%s", misplaced)
		k.each(s, "variantSetChildren", "variant set", "{%s=}", misplaced)
		k.rest()
		return
	}
	k.each(s, "properties", "property", ".%s", node)
	k.each(s, "primChildren", "prim", primSeparator(s.path)+"%s", node)
	k.each(s, "variantSetChildren", "variant set", "{%s=}", func(set string) func(n *model.Node) {
		return func(n *model.Node) { w.variantSet(k, n, set, depth) }
	})
	if !s.listed {
		k.rest()
	}
}

// misplaced records the loss of a spec that a layer cannot have.
func (w *writer) misplaced(n *model.Node) {
	defer w.enter(n)()
	w.lose("a layer has no %s; what is below it is not written either", n.Type)
}

// primSeparator returns the separator between a path and the name of a prim below it.
func primSeparator(path string) string {
	if strings.HasSuffix(path, "}") {
		return ""
	}
	return "/"
}

const noName = "its name is not one that USD takes; what is below it is not written either"

// node writes a prim or property.
func (w *writer) node(n *model.Node, name string, depth int) {
	defer w.enter(n)()
	switch {
	case n.Type == "prim" && IsIdentifier(name):
		w.prim(n, name, depth)
	case n.Type == "attribute" && IsPropertyName(name):
		w.attribute(n, name)
	case n.Type == "relationship" && IsPropertyName(name):
		w.relationship(n, name)
	case n.Type == "prim" || n.Type == "attribute" || n.Type == "relationship":
		w.lose(noName)
	default:
		w.lose("text has no place for it: %s", n.Type)
	}
}

func (w *writer) prim(n *model.Node, name string, depth int) {
	s := w.spec(n)
	w.problems(n, "the prim")
	head := s.field("specifier")
	if head != "def" && head != "class" {
		if f, there := s.of["specifier"]; there && head != "over" {
			w.lose("field specifier, of type %s", f.Type)
		}
		head = "over"
	}
	if t := s.field("typeName"); IsPrimType(t) {
		head += " " + t
	} else if t != "" {
		w.lose("field typeName: USD takes no such type as %q", t)
	}
	w.flushLost()
	if !w.opened {
		w.newline()
	}
	w.start(head + " " + Quote(name))
	w.metadata(s, " (").end("")
	w.line("{")
	w.body(s, depth)
}

// body writes the body of a prim or variant, up to its closing brace.
func (w *writer) body(s *spec, depth int) {
	w.indent++
	w.opened = true
	w.specs(s, nil, depth+1)
	w.flushLost()
	w.indent--
	w.line("}")
}

// variantSet writes the variants of a set, whose nodes are siblings of the set.
func (w *writer) variantSet(k *childSpecs, n *model.Node, set string, depth int) {
	defer w.enter(n)()
	s := w.spec(n)
	w.problems(n, "the variant set")
	open := false
	begin := func() {
		if !open {
			w.line("variantSet " + Quote(set) + " = {")
			w.indent++
			open = true
		}
	}
	if !IsVariantName(set) {
		w.lose(noName)
		k.skip("{" + set + "=")
		return
	}
	times := w.unlistedVariants(k, s, set, depth)
	k.each(s, "variantChildren", "variant", "{"+strings.ReplaceAll(set, "%", "%%")+"=%s}", func(name string) func(n *model.Node) {
		return func(n *model.Node) {
			if !IsVariantName(name) {
				leave := w.enter(n)
				w.lose(noName)
				leave()
				return
			}
			begin()
			for again := 1; again < times[name]; again++ {
				w.line(Quote(name) + " {")
				w.line("}")
			}
			w.variant(n, name, true, depth+1)
		}
	})
	if !open {
		if k.setNames[set] == 0 { // readers create the set by themselves
			w.line("variantSet " + Quote(set) + " = {}")
		}
		return
	}
	w.flushLost()
	w.indent--
	w.line("}")
}

// unlistedVariants writes variants and variants' children that no list names, as a variant set statement before that of
// the set: readers list those of the last statement. It returns the number of times that each variant is listed.
func (w *writer) unlistedVariants(k *childSpecs, set *spec, name string, depth int) (times map[string]int) {
	times = w.names(set, "variantChildren")
	open := false
	openSet := func() {
		if !open {
			w.line("variantSet " + Quote(name) + " = {")
			w.indent++
			open = true
		}
	}
	begin := k.parent + "{" + name + "="
	count, _ := k.nodes.Len(w.ctx)
	for i := k.first; i < count && !w.ended(); i++ {
		n := k.nodes.At(w.ctx, i)
		variant := strings.TrimSuffix(strings.TrimPrefix(textOf(&n), begin), "}")
		if k.marked(i) || !strings.HasPrefix(textOf(&n), begin) || !IsVariantName(variant) || !k.leadsTo(textOf(&n), elementOfPath(textOf(&n), k.parent), i) {
			continue
		}
		if times[variant] == 0 {
			k.mark(i)
			openSet()
			w.variant(&n, variant, false, depth+1)
			continue
		}
		s := w.spec(&n)
		if kids := w.kids(s); kids.left(s) {
			openSet()
			leave := w.enter(&n)
			w.line(Quote(variant) + " {")
			w.indent++
			kids.hidden = true
			kids.rest()
			w.flushLost()
			w.indent--
			w.line("}")
			leave()
		}
	}
	if open {
		w.indent--
		w.line("}")
	}
	return times
}

// names counts the names in a list of s.
func (w *writer) names(s *spec, field string) map[string]int {
	times := map[string]int{}
	f := s.of[field]
	w.countNames(times, &f)
	return times
}

// countNames adds the names in the value of n. It ignores failures to read, which the writer of the list reports.
func (w *writer) countNames(times map[string]int, n *model.Node) {
	if a, ok := n.Value.(model.Array); ok {
		_ = each(w.ctx, a, func(v model.Value) bool {
			name, _ := v.(model.Text)
			times[string(name)]++
			return !w.ended()
		})
	}
}

func (w *writer) variant(n *model.Node, name string, listed bool, depth int) {
	defer w.enter(n)()
	s := w.spec(n)
	s.listed = listed
	w.problems(n, "the variant")
	w.start(Quote(name))
	w.metadata(s, " (").end(" {")
	w.body(s, depth)
}

// order writes an order of names.
func (w *writer) order(s *spec, field, of string) {
	f, ok := s.of[field]
	if !ok {
		return
	}
	w.problems(&f, field)
	a, isArray := f.Value.(model.Array)
	switch {
	case !isArray || f.Type != "TokenVector":
		w.lose("field %s, of type %s", field, f.Type)
	case a.Len() == 0:
		w.lose("field %s: an empty list, which text cannot have", field)
	default:
		w.start("reorder " + of + " = ")
		w.array(a, Text, field)
		w.text("\n")
	}
}

// childSpecs finds the child specs of a spec by path.
type childSpecs struct {
	w      *writer
	nodes  model.Children
	parent string
	names  []uint64 // hash of each path in the high half, index in the low half; sorted
	first  int64
	done   []uint64 // a bit for each child
	// setNames counts the variant sets that readers create because a list of metadata names them.
	setNames map[string]int
	hidden   bool // readers list by a later statement
}

func (w *writer) kids(s *spec) *childSpecs {
	k := &childSpecs{w: w, nodes: s.Children, parent: s.path, first: s.fields, setNames: map[string]int{}}
	if k.nodes == nil {
		return k
	}
	if _, sets := s.of["variantSetChildren"]; sets {
		names := child(w.ctx, &s.Node, "variantSetNames")
		for _, list := range []string{"explicit", "added"} {
			l := child(w.ctx, &names, list)
			w.countNames(k.setNames, &l)
		}
	}
	count, _ := k.nodes.Len(w.ctx)
	k.done = make([]uint64, (count-k.first+63)/64)
	for i := k.first; i < count && !w.ended(); i++ {
		n := k.nodes.At(w.ctx, i)
		if n.Type == "path" {
			k.mark(i)
			w.problems(&n, textOf(&n))
			continue
		}
		k.names = append(k.names, k.hash(textOf(&n))|uint64(i-k.first))
	}
	slices.Sort(k.names)
	return k
}

func (k *childSpecs) hash(path string) uint64 { return maphash.String(k.w.seed, path) &^ (1<<32 - 1) }

func (k *childSpecs) mark(i int64) { k.done[(i-k.first)/64] |= 1 << ((i - k.first) % 64) }

func (k *childSpecs) marked(i int64) bool { return k.done[(i-k.first)/64]>>((i-k.first)%64)&1 == 1 }

// find returns the spec with the given path and its index.
func (k *childSpecs) find(path string) (model.Node, int64, bool) {
	hash := k.hash(path)
	at, _ := slices.BinarySearch(k.names, hash)
	for ; at < len(k.names) && k.names[at]&^(1<<32-1) == hash; at++ {
		i := k.first + int64(uint32(k.names[at]))
		if n := k.nodes.At(k.w.ctx, i); textOf(&n) == path {
			return n, i, true
		}
	}
	return model.Node{}, 0, false
}

// each writes the specs that a list of s names, in its order.
func (k *childSpecs) each(s *spec, field, kind, element string, write func(name string) func(n *model.Node)) {
	w := k.w
	f := s.of[field]
	w.problems(&f, field)
	a, ok := f.Value.(model.Array)
	if !ok {
		if f.Type != "" {
			w.lose("field %s, of type %s", field, f.Type)
		}
		return
	}
	parent := k.parent
	if parent == "/" {
		parent = ""
	}
	err := each(w.ctx, a, func(v model.Value) bool {
		name, _ := v.(model.Text)
		n, i, found := k.find(parent + fmt.Sprintf(element, string(name)))
		switch {
		case !found:
			w.lose("%s %q, which %s lists: it is not there", kind, string(name), field)
		case !k.marked(i):
			k.mark(i)
			write(string(name))(&n)
		}
		return !w.ended()
	})
	if err != nil {
		w.lose("field %s: %v", field, err)
	}
}

// left marks the specs that lists of s name, and reports whether others remain.
func (k *childSpecs) left(s *spec) bool {
	w := k.w
	sets := w.names(s, "variantSetChildren")
	lists := map[string]map[string]int{"attribute": w.names(s, "properties"), "prim": w.names(s, "primChildren"), "variantSet": sets, "variant": sets}
	lists["relationship"] = lists["attribute"]
	left := false
	for _, name := range k.names {
		i := k.first + int64(uint32(name))
		n := k.nodes.At(w.ctx, i)
		element := elementOfPath(textOf(&n), k.parent)
		if set, _, is := selection(element); is {
			element = set
		}
		if lists[n.Type][element] > 0 {
			k.mark(i)
		} else {
			left = true
		}
	}
	return left
}

// skip marks the specs whose element begins with begin, so that they are not written.
func (k *childSpecs) skip(begin string) {
	for _, name := range k.names {
		i := k.first + int64(uint32(name))
		if n := k.nodes.At(k.w.ctx, i); strings.HasPrefix(textOf(&n), k.parent+begin) {
			k.mark(i)
		}
	}
}

// rest writes the unmarked specs.
func (k *childSpecs) rest() {
	w := k.w
	for at := range int64(len(k.done) * 64) {
		i := k.first + at
		if at%64 == 0 && k.done[at/64] == ^uint64(0) || k.marked(i) {
			continue
		}
		if count, _ := k.nodes.Len(w.ctx); i >= count || w.ended() {
			return
		}
		n := k.nodes.At(w.ctx, i)
		k.unlisted(&n, i)
	}
}

// unlisted writes a spec that no list names.
func (k *childSpecs) unlisted(n *model.Node, i int64) {
	w, path := k.w, textOf(n)
	element := elementOfPath(path, strings.TrimSuffix(k.parent, "/"))
	set, variant, is := selection(element)
	switch {
	case !k.leadsTo(path, element, i):
		w.lose("%s %s: its path has another spec, or does not lead here", n.Type, path)
	case k.parent == "/" && n.Type != "prim" && specTypes[n.Type]:
		w.misplaced(n)
	case is && variant == "":
		w.variantSet(k, n, set, 0)
	case is:
		w.omitted.Reduce(w.at, "variant "+path+" is listed by the text, as no variant set in the layer does")
		w.remark("variant " + path + ": no variant set lists it")
		w.writeSpec(n, element)
	case n.Type == "connection" || n.Type == "relationshipTarget":
	default:
		if specTypes[n.Type] && !k.hidden {
			w.omitted.Reduce(w.at, n.Type+" "+element+" is listed by the text, as no list of names in the layer does")
			w.remark(n.Type + " " + element + ": no list of names has it")
		}
		w.node(n, element, 0)
	}
}

// leadsTo reports whether path is that of child i, and directly below the parent.
func (k *childSpecs) leadsTo(path, element string, i int64) bool {
	if _, first, _ := k.find(path); first != i {
		return false
	}
	elsewhere := element == path && path != "/" && k.parent != ""
	_, _, is := selection(element)
	return !elsewhere && element != "" && (is || !strings.ContainsAny(element, "/.["))
}
