package verdict

import (
	"cmp"
	"context"
	"encoding/binary"
	"fmt"
	"maps"
	"slices"
	"strings"

	"cutaway/decoders/usdc/table"
	"cutaway/decoders/usdc/value"
	"cutaway/model"
	"cutaway/model/crossref"
)

// checker compares the specs of a crate with the fields that list them. A sum over its children stands for each list
// and for the specs under each path: only where the two differ are they compared one by one.
type checker struct {
	crate  *table.Crate
	values *value.Values
	tokens int64 // that exist
	paths  *table.Paths
	specs  *table.Specs
	sets   *table.FieldSets
	fields *table.Fields
	names  *fieldNames
	forms  []table.PathForm // by item
	// The parents and the element tokens of items.
	parents, elements *model.NumbersCursor

	under  []uint32              // by item: the low half of the sum of the specs of prims and properties right under
	branch table.Bitset          // items that variant sets or variants are under
	listed map[uint32]childLists // by field set
	plain  []bool                // by field set, whether it is known to list no children
	kids   *crossref.Inverse     // items under each item, or nil until they are needed
	told   int
	lost   model.Span // the section with missing fields, or no Source
	report func(path string, p model.Problem)
}

// childLists holds the children that a field set lists.
type childLists struct {
	sum      uint64
	variants bool // it lists variant sets or variants
	bad      bool // a list is no list, which is reported elsewhere
}

// childSum returns the number that a child adds to the sum of its parent.
func childSum(token uint32, list childList) uint64 {
	h := (uint64(token)<<3 | uint64(list)) * 0x9E3779B97F4A7C15
	return (h ^ h>>29) * 0xBF58476D1CE4E5B9
}

// listOf returns the list of its parent's spec that names a path of a form.
func listOf(f table.PathForm) childList {
	switch f {
	case table.PathPrim:
		return listsPrims
	case table.PathProperty, table.PathRelational:
		return listsProperties
	case table.PathVariantSet:
		return listsVariantSets
	case table.PathVariant:
		return listsVariants
	}
	return listsNone
}

// add takes the spec of an item.
func (k *checker) add(item int32) {
	parent := int32(k.parents.At(int64(item)))
	if parent < 0 {
		return
	}
	switch list := listOf(k.forms[item]); list {
	case listsPrims, listsProperties:
		k.under[parent] += uint32(childSum(k.elements.At(int64(item)), list))
	case listsVariantSets, listsVariants:
		k.branch.Set(parent)
	}
}

// sublayers reports sublayers that have no offset.
func (k *checker) sublayers(ctx context.Context) {
	counts := map[table.ValueType]uint64{}
	if k.paths.Items() == 0 {
		return
	}
	spec, ok := k.specs.SpecAt(k.paths.Index.At(0))
	if !ok {
		return
	}
	for _, f := range k.sets.Group(k.specs.Sets.At(spec)) {
		if int64(f) >= k.fields.Count {
			continue
		}
		name, _ := k.fields.Name(ctx, int64(f))
		r, err := k.fields.Rep(ctx, int64(f))
		if err != nil || name != "subLayers" && name != "subLayerOffsets" || r.Placement() != table.PlacedAt || r.Payload() >= k.crate.Size {
			continue
		}
		counts[r.Type()], _ = k.crate.CountAt(ctx, r.Payload(), k.crate.Size-r.Payload())
	}
	if layers, offsets := counts[table.TypeStringVector], counts[table.TypeLayerOffsetVector]; offsets < layers {
		k.reportSpec(ctx, spec, model.Problemf(model.Malformed, "usdc.children.offsets", model.Span{},
			"there are fewer offsets of sublayers than sublayers").Want(layers, offsets))
	}
}

// compare looks at the children of each spec.
func (k *checker) compare(ctx context.Context) error {
	var failed error
	sets := k.specs.Sets.Cursor()
	err := k.eachSpec(ctx, func(spec int64, item int32) bool {
		set := sets.At(spec)
		if int64(set) >= int64(len(k.plain)) {
			return true
		}
		l := k.lists(ctx, set)
		if !l.bad && uint32(l.sum) == k.under[item] && !l.variants && !k.branch.Has(item) {
			return true
		}
		switch {
		case k.told >= table.MaxReported:
			return false
		case l.bad:
			k.explainBad(ctx, spec, item)
		default:
			failed = k.explain(ctx, spec, item)
		}
		return failed == nil
	})
	return cmp.Or(failed, err)
}

// lists adds up what a field set lists.
func (k *checker) lists(ctx context.Context, set uint32) childLists {
	if k.plain[set] {
		return childLists{}
	}
	if l, ok := k.listed[set]; ok {
		return l
	}
	var all childLists
	for _, f := range k.sets.Group(set) {
		known := k.known(ctx, f)
		if known == nil || known.lists == listsNone {
			continue
		}
		all.variants = all.variants || known.lists >= listsVariantSets
		ok := k.each(ctx, f, func(token uint32) { all.sum += childSum(token, known.lists) })
		all.bad = all.bad || !ok
	}
	if all == (childLists{}) {
		k.plain[set] = true
	} else {
		k.listed[set] = all
	}
	return all
}

func (k *checker) known(ctx context.Context, field uint32) *knownField {
	if int64(field) >= k.fields.Count {
		return nil
	}
	return k.names.lookUp(ctx, k.fields.Names.At(int64(field)))
}

// each visits the tokens of a field's value; ok is false where it is no list of tokens.
func (k *checker) each(ctx context.Context, field uint32, visit func(token uint32)) (ok bool) {
	r, err := k.fields.Rep(ctx, int64(field))
	if err != nil || r.Type() != table.TypeTokenVector || r.Placement() != table.PlacedAt || r.Payload() >= k.crate.Size {
		return false
	}
	n, ok := k.crate.CountAt(ctx, r.Payload(), k.crate.Size-r.Payload())
	if at := r.Payload() + 8; ok && n <= uint64(k.crate.Size-at)/4 {
		return table.EachRecord(ctx, k.crate.Src, at, 4, int64(n), func(_ int64, b []byte) { visit(binary.LittleEndian.Uint32(b)) }) == nil
	}
	return false
}

// explainBad reports that the field for the children of a prim is no list. Readers let that of the root pass.
func (k *checker) explainBad(ctx context.Context, spec int64, item int32) {
	for _, f := range k.sets.Group(k.specs.Sets.At(spec)) {
		known := k.known(ctx, f)
		if known == nil || known.lists != listsPrims || k.forms[item] == table.PathRoot {
			continue
		}
		if r, err := k.fields.Rep(ctx, int64(f)); err == nil && r.Type() != table.TypeTokenVector {
			k.reportSpec(ctx, spec, model.Problemf(model.Malformed, "usdc.children.list", model.Span{}, "its primChildren are no list of names"))
		}
	}
}

// explain compares the children of a spec with its lists one by one.
func (k *checker) explain(ctx context.Context, spec int64, item int32) (err error) {
	if k.kids == nil {
		if k.kids, err = k.paths.Kids(ctx); err != nil {
			return err
		}
	}
	have := k.children(ctx, spec, item)
	lists := map[childList]bool{}
	for _, f := range k.sets.Group(k.specs.Sets.At(spec)) {
		known := k.known(ctx, f)
		if known == nil || known.lists == listsNone || lists[known.lists] {
			continue
		}
		lists[known.lists] = true
		fieldName, _ := k.fields.Name(ctx, int64(f))
		k.each(ctx, f, func(token uint32) {
			name, err := k.crate.TokenAt(ctx, token)
			if err != nil {
				name = fmt.Sprintf("(token %d)", token)
			}
			switch left, is := have[childName{known.lists, name}]; {
			case !is:
				kind := model.Malformed
				if known.lists == listsVariantSets {
					kind = model.Suspicious // readers go on without the set
				}
				k.reportSpec(ctx, spec, model.Problemf(kind, "usdc.children.missing", model.Span{},
					"%s lists %q, but no such spec is there", fieldName, name))
			case left == 0:
				k.reportSpec(ctx, spec, model.Problemf(model.Suspicious, "usdc.children.repeated", model.Span{},
					"%s lists %q twice", fieldName, name))
			default:
				have[childName{known.lists, name}] = 0
			}
		})
	}
	for _, c := range slices.SortedFunc(maps.Keys(have), func(a, b childName) int {
		return cmp.Or(cmp.Compare(a.list, b.list), strings.Compare(a.name, b.name))
	}) {
		if have[c] != 0 {
			k.reportSpec(ctx, spec, model.Problemf(model.Suspicious, "usdc.children.unlisted", model.Span{},
				"%q is under it, but not in its list of children or properties: readers may not find it", c.name))
		}
	}
	return nil
}

// childName is a child of a spec by name.
type childName struct {
	list childList
	name string
}

// children returns the specs under an item: of a variant set its variants, which stand beside it.
func (k *checker) children(ctx context.Context, spec int64, item int32) map[childName]int {
	have := map[childName]int{}
	add := func(kid int32, list childList) {
		if _, ok := k.specs.SpecAt(k.paths.Index.At(int64(kid))); !ok {
			return
		}
		name := k.nameOf(ctx, kid)
		if have[childName{list, name}] > 0 {
			k.reportSpec(ctx, spec, model.Problemf(model.Malformed, "usdc.specs.path-repeated", model.Span{}, "two specs under it are called %q", name))
		}
		if name != "" {
			have[childName{list, name}] = 1
		}
	}
	if k.forms[item] == table.PathVariantSet {
		set := k.nameOf(ctx, item)
		if parent := k.paths.Parent(item); parent >= 0 {
			for _, kid := range k.kids.Of(int64(parent)).All() {
				if k.forms[kid] == table.PathVariant && strings.HasPrefix(k.paths.Element(ctx, int32(kid)), "{"+set+"=") {
					add(int32(kid), listsVariants)
				}
			}
		}
		return have
	}
	for _, kid := range k.kids.Of(int64(item)).All() {
		if list := listOf(k.forms[kid]); list != listsNone && list != listsVariants {
			add(int32(kid), list)
		}
	}
	return have
}

// nameOf returns the name that a list has for an item.
func (k *checker) nameOf(ctx context.Context, item int32) string {
	element := k.paths.Element(ctx, item)
	switch k.forms[item] {
	case table.PathVariantSet, table.PathVariant:
		set, variant, _ := strings.Cut(strings.Trim(element, "{}"), "=")
		if k.forms[item] == table.PathVariant {
			return variant
		}
		return set
	}
	return strings.TrimPrefix(element, ".")
}

func (k *checker) reportSpec(ctx context.Context, spec int64, p model.Problem) {
	if k.told++; k.told <= table.MaxReported {
		p.Span, p.Because = k.specs.PathPlace(ctx, spec), k.lost
		path, _ := k.crate.PathAt(ctx, k.specs.Paths.At(spec))
		p.Message = path + ": " + p.Message
		k.report(k.crate.Entries.SpecRef(uint32(spec)).Path, p)
	}
}
