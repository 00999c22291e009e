package usdc

import (
	"context"
	"sort"
	"strings"

	"cutaway/model"
)

// users is the links against their direction, each made when it is first asked for: 4 bytes a link and 4 a key.
type users struct {
	namesOf    once[inverse] // token → fields
	stringsOf  once[inverse] // token → strings
	elementsOf once[inverse] // token → path items
	setsOf     once[inverse] // field → positions in the list of field sets
	specsOf    once[inverse] // position in the list of field sets → specs
	valuesOf   once[byOffset]
}

// byOffset is fields in the order of the offsets of their values.
type byOffset struct {
	fields  []int32
	offsets []int64
}

// fieldsNamed lists the fields whose name is a token.
func (c *crate) fieldsNamed(ctx context.Context, token int64, progress model.Progress) ([]int32, error) {
	t, f, err := c.wordsAndFields(ctx, progress)
	if err != nil {
		return nil, err
	}
	x, err := c.users.namesOf.get(ctx, progress, func(ctx context.Context, _ model.Progress) (*inverse, error) {
		return invert(ctx, f.n, t.n, func(i int64) int64 { return int64(f.names[i]) })
	})
	if err != nil {
		return nil, err
	}
	return x.of(token), nil
}

func (c *crate) wordsAndFields(ctx context.Context, progress model.Progress) (*tokens, *fieldTable, error) {
	t, err := c.tokens(ctx, progress)
	if err != nil {
		return nil, nil, err
	}
	f, err := c.fields(ctx, progress)
	return t, f, err
}

// stringsOf lists the strings that are a token.
func (c *crate) stringsOf(ctx context.Context, token int64, progress model.Progress) ([]int32, error) {
	t, err := c.tokens(ctx, progress)
	if err != nil {
		return nil, err
	}
	s, err := c.strings(ctx, progress)
	if err != nil {
		return nil, err
	}
	x, err := c.users.stringsOf.get(ctx, progress, func(ctx context.Context, _ model.Progress) (*inverse, error) {
		indexes, err := s.all(ctx)
		if err != nil {
			return nil, err
		}
		return invert(ctx, int64(len(indexes)), t.n, func(i int64) int64 { return int64(indexes[i]) })
	})
	if err != nil {
		return nil, err
	}
	return x.of(token), nil
}

// itemsNamed lists the path items whose element is a token.
func (c *crate) itemsNamed(ctx context.Context, token int64, progress model.Progress) ([]int32, error) {
	t, err := c.tokens(ctx, progress)
	if err != nil {
		return nil, err
	}
	p, err := c.paths(ctx, progress)
	if err != nil {
		return nil, err
	}
	x, err := c.users.elementsOf.get(ctx, progress, func(ctx context.Context, _ model.Progress) (*inverse, error) {
		return invert(ctx, p.items(), t.n, func(i int64) int64 { return int64(p.token[i]) })
	})
	if err != nil {
		return nil, err
	}
	return x.of(token), nil
}

// positionsOf lists where a field stands in the list of field sets.
func (c *crate) positionsOf(ctx context.Context, field int64, progress model.Progress) ([]int32, error) {
	s, err := c.fieldSets(ctx, progress)
	if err != nil {
		return nil, err
	}
	f, err := c.fields(ctx, progress)
	if err != nil {
		return nil, err
	}
	x, err := c.users.setsOf.get(ctx, progress, func(ctx context.Context, _ model.Progress) (*inverse, error) {
		return invert(ctx, int64(len(s.list)), f.n, func(i int64) int64 { return int64(s.list[i]) })
	})
	if err != nil {
		return nil, err
	}
	return x.of(field), nil
}

// specsWith lists the specs whose field set begins at a position of the list.
func (c *crate) specsWith(ctx context.Context, position int64, progress model.Progress) ([]int32, error) {
	sets, err := c.fieldSets(ctx, progress)
	if err != nil {
		return nil, err
	}
	s, err := c.specs(ctx, progress)
	if err != nil {
		return nil, err
	}
	x, err := c.users.specsOf.get(ctx, progress, func(ctx context.Context, _ model.Progress) (*inverse, error) {
		return invert(ctx, s.count(), int64(len(sets.list)), func(i int64) int64 { return int64(s.sets[i]) })
	})
	if err != nil {
		return nil, err
	}
	return x.of(position), nil
}

// fieldsAt lists the fields whose value begins at off.
func (c *crate) fieldsAt(ctx context.Context, off int64, progress model.Progress) ([]int32, error) {
	f, err := c.fields(ctx, progress)
	if err != nil {
		return nil, err
	}
	x, err := c.users.valuesOf.get(ctx, progress, func(ctx context.Context, _ model.Progress) (*byOffset, error) {
		x := &byOffset{}
		if err := f.reps(ctx, func(i int64, r rep) {
			if c.outside(r) {
				x.fields, x.offsets = append(x.fields, int32(i)), append(x.offsets, r.payload())
			}
		}); err != nil && ctx.Err() != nil {
			return nil, err
		}
		sort.Stable(x)
		return x, nil
	})
	if err != nil {
		return nil, err
	}
	lo := sort.Search(len(x.offsets), func(i int) bool { return x.offsets[i] >= off })
	hi := lo
	for hi < len(x.offsets) && x.offsets[hi] == off {
		hi++
	}
	return x.fields[lo:hi], nil
}

func (x *byOffset) Len() int           { return len(x.fields) }
func (x *byOffset) Less(a, b int) bool { return x.offsets[a] < x.offsets[b] }
func (x *byOffset) Swap(a, b int) {
	x.offsets[a], x.offsets[b] = x.offsets[b], x.offsets[a]
	x.fields[a], x.fields[b] = x.fields[b], x.fields[a]
}

// refList collects the refs that come to a node, of which at most limit are kept.
type refList struct {
	limit int
	refs  []model.Ref
	total int64
}

func (l *refList) add(make func() model.Ref) {
	if l.total++; len(l.refs) < l.limit {
		l.refs = append(l.refs, make())
	}
}

// referencedBy lists what leads to the layout node at path.
func (c *crate) referencedBy(ctx context.Context, path string, limit int, progress model.Progress) ([]model.Ref, int64, error) {
	l := &refList{limit: limit}
	rest, ok := strings.CutPrefix(path, c.layout+"/")
	if !ok {
		return nil, 0, nil
	}
	table, entry, found := cutEntry(rest)
	if off, isValue := c.cutValue(rest); isValue {
		return l.refs, l.total, c.usersOfValue(ctx, off, progress, l)
	}
	if !found {
		return nil, 0, nil
	}
	var err error
	switch section, list, _ := strings.Cut(table, "/"); section {
	case "TOKENS":
		err = c.usersOfToken(ctx, entry, progress, l)
	case "FIELDS":
		err = c.usersOfField(ctx, entry, list, progress, l)
	case "FIELDSETS":
		err = c.usersOfSet(ctx, entry, progress, l)
	case "PATHS":
		err = c.usersOfItem(ctx, entry, list, progress, l)
	case "SPECS":
		err = c.usersOfSpec(ctx, entry, progress, l)
	}
	return l.refs, l.total, err
}

// cutEntry splits "FIELDS/reps@inflated/[7]" into table and entry; what stands below an entry belongs to it.
func cutEntry(path string) (table string, entry int64, ok bool) {
	for _, segment := range strings.Split(path, "/") {
		if i, isIndex := model.ParseIndex(segment); isIndex {
			return strings.TrimSuffix(table, "/"), i, true
		}
		table += segment + "/"
	}
	return "", 0, false
}

func (c *crate) usersOfToken(ctx context.Context, token int64, progress model.Progress, l *refList) error {
	fields, err := c.fieldsNamed(ctx, token, progress)
	if err != nil {
		return err
	}
	strs, err := c.stringsOf(ctx, token, progress)
	if err != nil {
		return err
	}
	items, err := c.itemsNamed(ctx, token, progress)
	if err != nil {
		return err
	}
	p, err := c.paths(ctx, progress)
	if err != nil {
		return err
	}
	for _, f := range fields {
		l.add(func() model.Ref { return kind("name", c.fieldRef(uint32(f))) })
	}
	for _, s := range strs {
		l.add(func() model.Ref { return kind("string", c.stringRef(uint32(s))) })
	}
	for _, item := range items {
		l.add(func() model.Ref { return model.Ref{Kind: "element", Path: p.itemPath(item), Text: p.itemText(item)} })
	}
	return nil
}

func kind(k string, ref model.Ref) model.Ref {
	ref.Kind = k
	return ref
}

func (c *crate) usersOfField(ctx context.Context, field int64, list string, progress model.Progress, l *refList) error {
	if strings.HasPrefix(list, "names") {
		l.add(func() model.Ref { return c.fieldRef(uint32(field)) })
	}
	x, err := c.sceneIndex(ctx, progress)
	if err != nil {
		return err
	}
	return x.eachOwner(ctx, field, progress, func(spec, position int32, start uint32) bool {
		l.add(func() model.Ref {
			return model.Ref{Kind: "spec", Path: x.ownerPath(spec, start, int64(position))}
		})
		return true
	})
}

func (c *crate) usersOfSet(ctx context.Context, position int64, progress model.Progress, l *refList) error {
	x, err := c.sceneIndex(ctx, progress)
	if err != nil {
		return err
	}
	start := x.sets.startOf(position)
	specs, err := c.specsWith(ctx, start, progress)
	if err != nil {
		return err
	}
	for _, spec := range specs {
		l.add(func() model.Ref { return c.specRefWithPath(uint32(spec)) })
	}
	return nil
}

func (c *crate) specRefWithPath(i uint32) model.Ref {
	ref := c.specRef(i)
	if s, err := c.specs(context.Background(), nil); err == nil && int64(i) < s.count() {
		ref.Text, _ = c.path(s.paths[i])
	}
	return ref
}

func (c *crate) usersOfItem(ctx context.Context, item int64, list string, progress model.Progress, l *refList) error {
	x, err := c.sceneIndex(ctx, progress)
	if err != nil || item >= x.paths.items() {
		return err
	}
	if spec, ok := x.spec(int32(item)); ok {
		l.add(func() model.Ref { return c.specRefWithPath(uint32(spec)) })
	}
	if x.paths.parent[item] != unreached {
		l.add(func() model.Ref {
			return model.Ref{Kind: "scene", Path: x.path(int32(item)), Text: x.paths.itemText(int32(item))}
		})
	}
	l.add(func() model.Ref { return model.Ref{Kind: "item", Path: x.paths.treePath(int32(item))} })
	return nil
}

func (c *crate) usersOfSpec(ctx context.Context, spec int64, progress model.Progress, l *refList) error {
	x, err := c.sceneIndex(ctx, progress)
	if err != nil || spec >= x.specs.count() {
		return err
	}
	l.add(func() model.Ref { return model.Ref{Kind: "scene", Path: x.specPath(int32(spec))} })
	return nil
}

func (c *crate) usersOfValue(ctx context.Context, off int64, progress model.Progress, l *refList) error {
	fields, err := c.fieldsAt(ctx, off, progress)
	if err != nil {
		return err
	}
	for _, f := range fields {
		l.add(func() model.Ref {
			ref := c.fieldRef(uint32(f))
			ref.Text, _ = c.fieldName(uint32(f))
			return ref
		})
	}
	return nil
}
