package verdict

import (
	"cmp"
	"context"
	"encoding/binary"
	"fmt"
	"strings"

	"cutaway/decoders/grammar"
	"cutaway/decoders/usdc/table"
	"cutaway/decoders/usdc/value"
	"cutaway/model"
)

// What readers make of paths in lists: targets of relationships, connections of attributes, classes of prims. Readers make the specs
// of targets and connections from the lists, so that stored ones must agree.

// targets compares targets and connections with their owners' specs and with their own stored specs.
func (k *checker) targets(ctx context.Context) error {
	if err := k.targetLists(ctx); err != nil {
		return err
	}
	var last targetSet
	sets := k.specs.Sets.Cursor()
	return k.eachSpec(ctx, func(spec int64, item int32) bool {
		switch k.forms[item] {
		case table.PathProperty, table.PathRelational:
			k.owner(ctx, spec, sets.At(spec))
		case table.PathTarget:
			k.stored(ctx, spec, item, &last)
		}
		return k.told < table.MaxReported
	})
}

// targetLists reports the paths that no list of their field can have, and those that a list has twice.
func (k *checker) targetLists(ctx context.Context) error {
	told := 0
	return k.fields.EachRep(ctx, func(i int64, r table.Rep) {
		known := k.names.lookUp(ctx, k.fields.Names.At(i))
		if known == nil || known.paths == 0 || told >= table.MaxReported {
			return
		}
		name, _ := k.fields.Name(ctx, i)
		tell := func(p model.Problem) {
			if told++; told <= table.MaxReported {
				k.report(k.crate.ValuePath(r.Payload()), p)
			}
		}
		seen := map[[2]uint32]bool{}
		k.listedPaths(ctx, r, func(list, path uint32, at model.Span) {
			if p, wrong := k.badListed(ctx, path, at, known, name); wrong {
				tell(p)
			}
			if seen[[2]uint32{list, path}] {
				text, _ := k.crate.PathAt(ctx, path)
				tell(model.Problemf(model.Suspicious, "usdc.targets.repeated", at, "%s lists %s twice", name, text))
			}
			seen[[2]uint32{list, path}] = true
		})
	})
}

// badListed returns the problem of a path that the lists of a field cannot have. Text that is no path at all is reported elsewhere.
func (k *checker) badListed(ctx context.Context, path uint32, at model.Span, known *knownField, name string) (p model.Problem, wrong bool) {
	item, ok := k.paths.ItemOf(path)
	if ok && (k.forms[item] == table.PathNone || known.paths>>k.forms[item]&1 != 0 && !inVariant(k.paths, item, k.forms)) || !k.paths.Holds(path) {
		return p, false
	}
	text, _ := k.crate.PathAt(ctx, path)
	return model.Problemf(model.Suspicious, "usdc.targets.path", at, "%q is no path that %s can have, so readers get no path from it", text, name), true
}

// inVariant reports whether an item is a variant's, or is under one.
func inVariant(p *table.Paths, item int32, forms []table.PathForm) bool {
	for ; item >= 0; item = p.Parent(item) {
		if forms[item] == table.PathVariant || forms[item] == table.PathVariantSet {
			return true
		}
	}
	return false
}

// listedPaths visits the paths of a PathListOp or PathVector that lies at an offset, list by list.
func (k *checker) listedPaths(ctx context.Context, r table.Rep, visit func(list, path uint32, at model.Span)) {
	if typ := r.Type(); typ != table.TypePathListOp && typ != table.TypePathVector || r.Placement() != table.PlacedAt || r.Payload() >= k.crate.Size {
		return
	}
	list := uint32(0)
	k.values.Leaves(grammar.NewReading(ctx, grammar.Near), r, func(l *grammar.Leaf) bool {
		if l.Field != nil && value.IsOfType(l.Field) {
			list++
			_ = table.EachRecord(ctx, k.crate.Src, l.Off, 4, l.Len/4, func(i int64, b []byte) { // what cannot be read is a problem of the list
				visit(list, binary.LittleEndian.Uint32(b), k.crate.Src.Span(l.Off+4*i, 4))
			})
		}
		return true
	})
}

// owner compares the fields of a property with its type, and the children that it has with those that it lists.
func (k *checker) owner(ctx context.Context, spec int64, set uint32) {
	var listed, children map[uint32]bool
	for _, f := range k.sets.Group(set) {
		known := k.known(ctx, f)
		if known == nil || known.owner == 0 {
			continue
		}
		if name, _ := k.fields.Name(ctx, int64(f)); k.specs.Types.At(spec) != uint32(known.owner) {
			k.reportSpec(ctx, spec, model.Problemf(model.Suspicious, "usdc.targets.owner", model.Span{},
				"%s is a field of specs of type %s, which this is not", name, table.SpecTypeName(uint32(known.owner))))
		}
		r, err := k.fields.Rep(ctx, int64(f))
		switch {
		case err != nil:
		case known.paths == 0:
			children = k.pathSet(ctx, r)
		default:
			listed = k.pathSet(ctx, r)
		}
	}
	for path := range children {
		if !listed[path] {
			text, _ := k.crate.PathAt(ctx, path)
			k.reportSpec(ctx, spec, model.Problemf(model.Suspicious, "usdc.targets.unlisted", model.Span{},
				"%s is among its children, but in no list of its targets", text))
			return
		}
	}
}

func (k *checker) pathSet(ctx context.Context, r table.Rep) map[uint32]bool {
	all := map[uint32]bool{}
	k.listedPaths(ctx, r, func(_, path uint32, _ model.Span) { all[path] = true })
	return all
}

// targetSet is the paths that a property lists as targets or connections.
type targetSet struct {
	item  int32 // of the property
	texts map[string]bool
}

// stored reports the spec of a target or connection that its property does not list.
func (k *checker) stored(ctx context.Context, spec int64, item int32, last *targetSet) {
	parent := k.paths.Parent(item)
	if last.texts == nil || last.item != parent {
		*last = targetSet{parent, map[string]bool{}}
		if owner, ok := k.specs.SpecAt(k.paths.Index.At(int64(parent))); ok {
			for _, f := range k.sets.Group(k.specs.Sets.At(owner)) {
				known := k.known(ctx, f)
				if known == nil || known.owner == 0 || known.paths == 0 {
					continue
				}
				if r, err := k.fields.Rep(ctx, int64(f)); err == nil {
					k.listedPaths(ctx, r, func(_, path uint32, _ model.Span) {
						text, _ := k.crate.PathAt(ctx, path)
						last.texts[text] = true
					})
				}
			}
		}
	}
	element := k.paths.Element(ctx, item)
	if !last.texts[strings.TrimSuffix(strings.TrimPrefix(element, "["), "]")] {
		k.reportSpec(ctx, spec, model.Problemf(model.Suspicious, "usdc.targets.unlisted", model.Span{},
			"its property does not list this target: readers do not find it"))
	}
}

// siblings notes once that siblings are in another order than that of writers. No reader relies on the order.
func (k *checker) siblings(ctx context.Context) error {
	p := k.paths
	last := k.under // by item: its last child so far; what was summed up there is compared
	clear(last)
	odd, first, prior := int64(0), int32(0), int32(0)
	var before sibling
	for i, parent := range p.Parents.All() {
		if i&(1<<16-1) == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		item := int32(i)
		if int32(parent) < 0 {
			continue
		}
		one := k.sibling(ctx, item)
		if other := int32(last[parent]); other > 0 {
			if before.item != other {
				before = k.sibling(ctx, other)
			}
			if cmp.Or(cmp.Compare(before.rank, one.rank), strings.Compare(before.name, one.name)) > 0 {
				if odd++; odd == 1 {
					first, prior = item, other
				}
			}
		}
		last[parent], before = uint32(item), one
	}
	if odd == 0 {
		return nil
	}
	at := p.ItemSpans(ctx, first)
	k.report(p.Ref(ctx, first).Path, model.Problemf(model.Assumed, "usdc.paths.order", at[0],
		"%s after %s, in another order than that of writers, which sort properties, then prims, by name; no reader relies on it",
		p.ItemText(ctx, first), p.ItemText(ctx, prior)).Want("siblings in order", fmt.Sprintf("%d that are not", odd)))
	return nil
}

// sibling is the key by which an item is sorted among those under its parent.
type sibling struct {
	item int32
	rank int
	name string
}

func (k *checker) sibling(ctx context.Context, item int32) sibling {
	s := sibling{item: item}
	switch k.forms[item] {
	case table.PathPrim:
		s.rank = 1
	case table.PathVariant, table.PathVariantSet:
		s.rank = 2
	}
	s.name, _ = k.crate.TokenAt(ctx, k.elements.At(int64(item)))
	if s.rank == 2 {
		s.name = strings.TrimSuffix(s.name, "}") // the set comes before its variants
	}
	return s
}
