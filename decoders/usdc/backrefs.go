package usdc

import (
	"context"
	"strings"

	"cutaway/model"
)

// users is the links against their direction, each made when it is first asked for: 4 bytes a link and 4 a key.
type users struct {
	namesOf    model.Once[inverse] // token → fields
	stringsOf  model.Once[inverse] // token → strings
	elementsOf model.Once[inverse] // token → path items
	setsOf     model.Once[inverse] // field → positions in the list of field sets
	specsOf    model.Once[inverse] // position in the list of field sets → specs
	jumpsOf    model.Once[inverse] // path item → path items further ahead
	uses       model.Once[uses]    // what values use
}

// fieldsNamed lists the fields whose name is a token.
func (c *crate) fieldsNamed(ctx context.Context, token int64, progress model.Progress) ([]int32, error) {
	t, f, err := c.wordsAndFields(ctx, progress)
	if err != nil {
		return nil, err
	}
	x, err := c.users.namesOf.Get(ctx, progress, func(ctx context.Context, _ model.Progress) (*inverse, error) {
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
	x, err := c.users.stringsOf.Get(ctx, progress, func(ctx context.Context, _ model.Progress) (*inverse, error) {
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
	x, err := c.users.elementsOf.Get(ctx, progress, func(ctx context.Context, _ model.Progress) (*inverse, error) {
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
	x, err := c.users.setsOf.Get(ctx, progress, func(ctx context.Context, _ model.Progress) (*inverse, error) {
		return invert(ctx, int64(len(s.list)), f.n, func(i int64) int64 { return int64(s.list[i]) })
	})
	if err != nil {
		return nil, err
	}
	return x.of(field), nil
}

// specsOver lists the specs whose field set holds a position of the list.
func (c *crate) specsOver(ctx context.Context, position int64, progress model.Progress) ([]int32, error) {
	sets, err := c.fieldSets(ctx, progress)
	if err != nil {
		return nil, err
	}
	s, err := c.specs(ctx, progress)
	if err != nil {
		return nil, err
	}
	x, err := c.users.specsOf.Get(ctx, progress, func(ctx context.Context, _ model.Progress) (*inverse, error) {
		return invert(ctx, s.count(), int64(len(sets.list)), func(i int64) int64 { return int64(s.sets[i]) })
	})
	if err != nil {
		return nil, err
	}
	// The groups of sound specs begin at startOf, those of damaged ones anywhere from there on.
	return x.within(sets.startOf(position), position), nil
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

// referencedBy lists what leads to the node at path of the layout or the scene.
func (c *crate) referencedBy(ctx context.Context, p *model.Place, limit int, progress model.Progress) ([]model.Ref, int64, error) {
	path := p.Path()
	l := &refList{limit: limit}
	var err error
	if rest, inLayout := strings.CutPrefix(path, c.layout+"/"); inLayout {
		err = c.usersAt(ctx, rest, progress, l)
	} else if path == sceneView || strings.HasPrefix(path, sceneView+"/") {
		err = c.usersInScene(ctx, path, progress, l)
	}
	return l.refs, l.total, err
}

// usersInScene adds what leads to a path that is shown at a path of the scene view: its spec, its item, and the values
// that name it, such as the targets of relationships.
func (c *crate) usersInScene(ctx context.Context, path string, progress model.Progress, l *refList) error {
	x, err := c.sceneIndex(ctx, progress)
	if err != nil || x.paths.items() == 0 {
		return err
	}
	view := &model.View{Name: sceneView, Root: c.sceneRoot}
	at, err := (&model.Document{Views: []*model.View{view}}).Lookup(ctx, path)
	if err != nil {
		return ctx.Err() // there is no such node
	}
	if err := at.Resolve(ctx, progress); err != nil || at.Node.Refs == nil {
		return err
	}
	for _, r := range at.Node.Refs(ctx) {
		if rest, inLayout := strings.CutPrefix(r.Path, c.layout+"/"); inLayout && r.Kind == "path" {
			if _, item, ok := cutEntry(rest); ok && item < x.paths.items() {
				c.specsOfItem(x, int32(item), l)
				return c.usesOfItem(ctx, x, int32(item), progress, l)
			}
		}
	}
	return nil
}

// usersAt adds the users of the layout node at a path below the layout's root.
func (c *crate) usersAt(ctx context.Context, path string, progress model.Progress, l *refList) error {
	if off, isValue := c.cutValue(path); isValue {
		return c.usersOfValue(ctx, off, progress, l)
	}
	table, entry, isEntry := cutEntry(path)
	if !isEntry {
		c.usersOfPart(path, l)
		return nil
	}
	section, list, _ := strings.Cut(table, "/")
	list, _, _ = strings.Cut(list, "@")
	switch section {
	case "TOKENS":
		return c.usersOfToken(ctx, entry, progress, l)
	case "STRINGS":
		return c.usersOfString(ctx, entry, progress, l)
	case "FIELDS":
		return c.usersOfField(ctx, entry, list, progress, l)
	case "FIELDSETS":
		return c.usersOfSet(ctx, entry, progress, l)
	case "PATHS":
		return c.usersOfItem(ctx, entry, list, progress, l)
	case "SPECS":
		return c.usersOfSpec(ctx, entry, list, progress, l)
	}
	return nil
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

// usersOfPart adds the users of the table of contents or of a section.
func (c *crate) usersOfPart(path string, l *refList) {
	if path == "toc" {
		l.add(func() model.Ref { return model.Ref{Kind: "toc", Path: c.layout + "/bootstrap/tocOffset"} })
		return
	}
	for i := range c.toc.sections {
		if s := &c.toc.sections[i]; s.placed && model.EscapeSegment(s.node) == path {
			l.add(func() model.Ref {
				return model.Ref{Kind: "section", Path: c.layout + "/toc/sections/" + model.IndexName(int64(i)), Text: s.name}
			})
		}
	}
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
	u, err := c.usesOf(ctx, progress)
	if err != nil {
		return err
	}
	for _, f := range fields {
		l.add(func() model.Ref { return model.Ref{Kind: "name", Path: c.fieldNamePath(int64(f))} })
	}
	for _, s := range strs {
		l.add(func() model.Ref { return c.stringRef(uint32(s)) })
	}
	for _, item := range items {
		l.add(func() model.Ref {
			ref := model.Ref{Kind: "element", Path: p.elementPath(item)}
			if p.parent[item] != unreached {
				ref.Text = p.itemText(ctx, item)
			}
			return ref
		})
	}
	if token < int64(u.strings) {
		u.addTo(ctx, c, "value", uint32(token), l)
	}
	return nil
}

// fieldNamePath is the layout's node of the name of a field.
func (c *crate) fieldNamePath(field int64) string {
	if c.inflated() {
		return integersPath(c.layout+"/FIELDS/names", field)
	}
	return c.layout + "/FIELDS/fields/" + model.IndexName(field) + "/name"
}

func (c *crate) usersOfString(ctx context.Context, i int64, progress model.Progress, l *refList) error {
	u, err := c.usesOf(ctx, progress)
	if err == nil && i < int64(u.paths-u.strings) {
		u.addTo(ctx, c, "value", u.strings+uint32(i), l)
	}
	return err
}

func (c *crate) usersOfValue(ctx context.Context, off int64, progress model.Progress, l *refList) error {
	u, err := c.usesOf(ctx, progress)
	if err != nil {
		return err
	}
	if used, ok := u.valueAt(off); ok {
		u.addTo(ctx, c, "value", used, l)
	}
	i := u.scan.over(off)
	if i >= len(u.scan.tiles) || u.scan.tiles[i].gap() {
		return nil
	}
	// What leads to a part of the value, such as an entry of a lookup table, stands in the value itself; a later piece
	// of a value belongs to the first.
	l.add(func() model.Ref { return kind("part", c.valueRef(u.scan.tiles[i].r.payload())) })
	x, err := c.sceneIndex(ctx, progress)
	if err != nil {
		return err
	}
	for _, field := range u.fieldsOver(off) {
		if err := x.eachOwner(ctx, int64(field), progress, func(spec, position int32) bool {
			l.add(func() model.Ref { return model.Ref{Kind: "scene", Path: x.ownerPath(ctx, spec, int64(position))} })
			return true
		}); err != nil {
			return err
		}
	}
	return nil
}

func kind(k string, ref model.Ref) model.Ref {
	ref.Kind = k
	return ref
}

func (c *crate) usersOfField(ctx context.Context, field int64, list string, progress model.Progress, l *refList) error {
	if list == "names" {
		l.add(func() model.Ref { return kind("name", c.fieldRef(uint32(field))) })
		return nil
	}
	x, err := c.sceneIndex(ctx, progress)
	if err != nil {
		return err
	}
	positions, err := c.positionsOf(ctx, field, progress)
	if err != nil {
		return err
	}
	for _, position := range positions {
		l.add(func() model.Ref { return kind("fieldset", c.fieldSetRef(uint32(position))) })
	}
	return x.eachOwner(ctx, field, progress, func(spec, position int32) bool {
		l.add(func() model.Ref { return model.Ref{Kind: "spec", Path: x.ownerPath(ctx, spec, int64(position))} })
		return true
	})
}

func (c *crate) usersOfSet(ctx context.Context, position int64, progress model.Progress, l *refList) error {
	x, err := c.sceneIndex(ctx, progress)
	if err != nil {
		return err
	}
	specs, err := c.specsOver(ctx, position, progress)
	if err != nil {
		return err
	}
	for _, spec := range specs {
		l.add(func() model.Ref {
			ref := model.Ref{Kind: "spec", Path: c.specSetPath(int64(spec))}
			ref.Text, _ = c.path(ctx, x.specs.paths[spec])
			return ref
		})
		l.add(func() model.Ref { return model.Ref{Kind: "scene", Path: x.specPath(ctx, spec)} })
	}
	return nil
}

// specSetPath is the layout's node of the field set index of a spec.
func (c *crate) specSetPath(spec int64) string {
	if c.inflated() {
		return integersPath(c.layout+"/SPECS/fieldSetIndexes", spec)
	}
	return c.layout + "/SPECS/specs/" + model.IndexName(spec) + "/fieldSet"
}

func (c *crate) usersOfItem(ctx context.Context, item int64, list string, progress model.Progress, l *refList) error {
	x, err := c.sceneIndex(ctx, progress)
	if err != nil || item >= x.paths.items() {
		return err
	}
	p := x.paths
	if list == "elementTokenIndexes" || list == "jumps" {
		l.add(func() model.Ref { return model.Ref{Kind: "path", Path: p.itemPath(int32(item))} })
		return nil
	}
	if p.inflatedItems() {
		l.add(func() model.Ref { return model.Ref{Kind: "path", Path: p.elementPath(int32(item))} })
		jumps, err := c.jumpsTo(ctx, int32(item), progress)
		if err != nil {
			return err
		}
		for _, from := range jumps {
			l.add(func() model.Ref {
				return model.Ref{Kind: "jump", Path: integersPath(c.layout+"/PATHS/jumps", int64(from))}
			})
		}
	}
	c.specsOfItem(x, int32(item), l)
	if p.parent[item] != unreached {
		l.add(func() model.Ref {
			return model.Ref{Kind: "scene", Path: x.path(ctx, int32(item)), Text: p.itemText(ctx, int32(item))}
		})
	}
	return c.usesOfItem(ctx, x, int32(item), progress, l)
}

// specsOfItem adds the specs of an item's path.
func (c *crate) specsOfItem(x *scene, item int32, l *refList) {
	if spec, ok := x.spec(item); ok {
		l.add(func() model.Ref { return c.specRef(uint32(spec)) })
	}
	for _, spec := range x.stray {
		if x.specs.paths[spec] == x.paths.index[item] {
			l.add(func() model.Ref { return c.specRef(uint32(spec)) })
		}
	}
}

// usesOfItem adds the item's node of the path tree and the values that name its path.
func (c *crate) usesOfItem(ctx context.Context, x *scene, item int32, progress model.Progress, l *refList) error {
	path := x.paths.index[item]
	l.add(func() model.Ref { return model.Ref{Kind: "item", Path: x.paths.treePath(item)} })
	u, err := c.usesOf(ctx, progress)
	if err == nil && int64(path) < int64(u.values-u.paths) {
		u.addTo(ctx, c, "value", u.paths+path, l)
	}
	return err
}

// jumpsTo lists the items whose jump leads to an item: the one before it, and those that have it as sibling further on.
func (c *crate) jumpsTo(ctx context.Context, item int32, progress model.Progress) ([]int32, error) {
	p, err := c.paths(ctx, progress)
	if err != nil {
		return nil, err
	}
	list, err := p.jumpInts.load(ctx, progress)
	if err != nil {
		return nil, err
	}
	x, err := c.users.jumpsOf.Get(ctx, progress, func(ctx context.Context, _ model.Progress) (*inverse, error) {
		jumps, err := list.all(ctx)
		if err != nil {
			return nil, err
		}
		return invert(ctx, p.items(), p.items(), func(i int64) int64 {
			if jump := int32(jumps[i]); jump > 1 {
				return i + int64(jump)
			}
			return -1
		})
	})
	if err != nil {
		return nil, err
	}
	from := x.of(int64(item))
	if item > 0 && list.at(ctx, int64(item)-1) >= jumpChild {
		from = append([]int32{item - 1}, from...)
	}
	return from, nil
}

func (c *crate) usersOfSpec(ctx context.Context, spec int64, list string, progress model.Progress, l *refList) error {
	x, err := c.sceneIndex(ctx, progress)
	if err != nil || spec >= x.specs.count() {
		return err
	}
	if list == "fieldSetIndexes" || list == "types" {
		l.add(func() model.Ref { return c.specRef(uint32(spec)) })
	}
	l.add(func() model.Ref { return model.Ref{Kind: "scene", Path: x.specPath(ctx, int32(spec))} })
	return nil
}
