package usdc

import (
	"context"

	"cutaway/model"
)

// links are the numbered things of the file with the links between them.
type links struct {
	model.Tables
	values                               model.Entries // tiles of the value data
	paths                                model.Entries // by PathIndex, which only values name
	shown                                model.Entries // items, by their nodes in the scene
	toc, tocOffset, sections, tocEntries model.Entries

	nameTokens, stringTokens, elementTokens, setFields, specSetStarts, itemJumps model.Links
	valueReferences, repReferences                                               model.Links
}

// link describes the tables to the model: where their entries are, and which name which.
func (c *crate) link() {
	l := &c.links
	for _, e := range c.entries.all() {
		e.Count = c.afterScene(e.Count)
		l.Entries = append(l.Entries, e)
	}
	l.values = model.Entries{Count: c.countTiles, Of: c.tileOf, Over: c.tilesOver}
	l.paths = model.Entries{Count: c.counted(func(x *scene) int64 { return x.paths.byPath.Len() }), Of: isNone}
	l.shown = model.Entries{Count: c.entries.items.Count, Of: func(p *model.Place) (int64, bool) { return c.madeScene().shownItem(p) }}
	l.Entries = append(l.Entries, &l.values, &l.paths, &l.shown)
	l.Made = c.inflatedSpans
	c.linkContents()
	c.linkNames()
	c.linkValues()
	c.linkScene()
	c.linkReferrers()
}

// afterScene returns a Count that makes the scene first: other functions of entries use it as it is made.
func (c *crate) afterScene(count countFunc) countFunc {
	return func(ctx context.Context, progress model.Progress) (int64, error) {
		if _, err := c.sceneIndex(ctx, progress); err != nil {
			return 0, err
		}
		return count(ctx, progress)
	}
}

// countFunc is the type of model.Entries.Count.
type countFunc = func(context.Context, model.Progress) (int64, error)

// counted is a model.Entries.Count that makes the scene.
func (c *crate) counted(n func(x *scene) int64) func(context.Context, model.Progress) (int64, error) {
	return func(ctx context.Context, progress model.Progress) (int64, error) {
		x, err := c.sceneIndex(ctx, progress)
		if err != nil {
			return 0, err
		}
		return n(x), nil
	}
}

// inflatedSpans returns the decompressed spans of s, or nil if s is stored uncompressed.
func (c *crate) inflatedSpans(ctx context.Context, s model.Span) ([]model.Span, error) {
	sec := c.toc.sectionAt(s.Off)
	if s.Source != c.src || sec == nil {
		return nil, nil
	}
	buffers, err := c.buffersOf(ctx, sec.name, nil)
	if err != nil {
		return nil, err
	}
	for _, b := range buffers {
		if !b.span.Covers(s.Source, s.Off) {
			continue
		}
		in, err := b.inflate(ctx)
		if err != nil {
			return nil, err
		}
		ranges, err := in.src.Origin().Map.To(ctx, s.Off, s.Len)
		spans := []model.Span{}
		for _, r := range ranges {
			spans = append(spans, in.src.Span(r.Off, r.Len))
		}
		return spans, err
	}
	return nil, nil
}

// linkContents links the table of contents with the bootstrap, and the sections with it.
func (c *crate) linkContents() {
	l := &c.links
	one := func(context.Context, model.Progress) (int64, error) { return 1, nil }
	all := func(context.Context, model.Progress) (int64, error) { return int64(len(c.toc.sections)), nil }
	l.tocOffset = model.Entries{Count: one, Of: isNone, Path: func(int64) string { return c.layout + "/bootstrap/tocOffset" }}
	l.toc = model.Entries{
		Count: one, Of: func(p *model.Place) (int64, bool) { return 0, p.Path() == c.layout+"/toc" },
		UsedBy: []model.UsedBy{{Kind: "toc", From: &l.tocOffset, Back: model.Itself}},
	}
	l.tocEntries = model.Entries{
		Count: all, Base: c.layout + "/toc/sections", Text: func(_ context.Context, i int64) string { return c.toc.sections[i].name },
	}
	l.sections = model.Entries{Count: all, Of: func(p *model.Place) (int64, bool) {
		for i := range c.toc.sections {
			if s := &c.toc.sections[i]; s.placed && p.Path() == c.layout+"/"+model.EscapeSegment(s.segment) {
				return int64(i), true
			}
		}
		return 0, false
	}, UsedBy: []model.UsedBy{{Kind: "section", From: &l.tocEntries, Back: model.Itself}}}
	l.Entries = append(l.Entries, &l.toc, &l.sections, &l.tocEntries)
}

// linkNames links what names entries of tables by their numbers.
func (c *crate) linkNames() {
	l, e := &c.links, &c.entries
	to := func(e *model.Entries) []*model.Entries { return []*model.Entries{e} }
	l.nameTokens = model.Links{What: "fields", From: &e.names, To: to(&e.tokens),
		Name: c.numbers(func(x *scene) func(i int64) uint32 { return x.fields.names.Cursor().At })}
	l.stringTokens = model.Links{What: "strings", From: &e.strings, To: to(&e.tokens),
		Name: c.numbers(func(x *scene) func(i int64) uint32 { return x.strings.values.Cursor().At })}
	l.elementTokens = model.Links{What: "paths", From: &e.elements, To: to(&e.tokens),
		Name: c.numbers(func(x *scene) func(i int64) uint32 { return x.paths.token.Cursor().At })}
	l.setFields = model.Links{What: "field sets", From: &e.positions, To: to(&e.fields),
		Name: c.numbers(func(x *scene) func(i int64) uint32 {
			return func(i int64) uint32 { return x.sets.list[i] }
		})}
	l.specSetStarts = model.Links{What: "specs", From: &e.specs, To: to(&e.positions),
		Name: c.numbers(func(x *scene) func(i int64) uint32 { return x.specs.sets.Cursor().At })}
	l.itemJumps = model.Links{What: "jumps", From: &e.jumps, To: to(&e.items), Name: c.jumpTargets}
}

// linkNames loads the numbers that entries name: model.Links.Name.
type linkNames = func(ctx context.Context, progress model.Progress) (func(i int64) int64, error)

// numbers are the links of a list that is kept.
func (c *crate) numbers(list func(x *scene) func(i int64) uint32) linkNames {
	return func(ctx context.Context, progress model.Progress) (func(i int64) int64, error) {
		x, err := c.sceneIndex(ctx, progress)
		if err != nil {
			return nil, err
		}
		number := list(x)
		return func(i int64) int64 { return int64(number(i)) }, nil
	}
}

// jumpTargets are the siblings that jumps lead to, further ahead than to the next item.
func (c *crate) jumpTargets(ctx context.Context, progress model.Progress) (func(i int64) int64, error) {
	x, err := c.sceneIndex(ctx, progress)
	if err != nil {
		return nil, err
	}
	return x.paths.siblingJumps(), nil
}

// specsOver are the specs whose field set holds a position of the list.
func (c *crate) specsOver(ctx context.Context, progress model.Progress, position int64, visit func(spec int64) bool) (int64, error) {
	x, err := c.sceneIndex(ctx, progress)
	if err != nil {
		return 0, err
	}
	// The groups of sound specs begin at startOf, those of damaged ones anywhere from there on.
	return c.links.specSetStarts.Within(ctx, progress, &c.entries.positions, x.sets.startOf(position), position, visit)
}

// specsOf is the Back of specs to the item of their path.
func (c *crate) specsOf(_ context.Context, _ model.Progress, item int64, visit func(spec int64) bool) (int64, error) {
	c.madeScene().specsOf(item, visit)
	return 0, nil
}

// jumpsTo are the items whose jump leads to an item: the one before it, and those that have it as sibling further on.
func (c *crate) jumpsTo(ctx context.Context, progress model.Progress, item int64, visit func(from int64) bool) (int64, error) {
	if item > 0 {
		jump, err := c.madeScene().paths.jumpAt(ctx, item-1)
		if err != nil {
			return 0, err
		}
		if jump >= jumpChild {
			visit(item - 1)
		}
	}
	return c.links.itemJumps.Within(ctx, progress, &c.entries.items, item, item, visit)
}

// linkScene says where entries are in the views by meaning.
func (c *crate) linkScene() {
	e := &c.entries
	e.fields.Text = func(ctx context.Context, i int64) string {
		name, _ := c.fieldName(ctx, uint32(i))
		return name
	}
	e.elements.Text = func(ctx context.Context, i int64) string { return c.madeScene().paths.reachedText(ctx, int32(i)) }
	e.specSets.Text = func(ctx context.Context, i int64) string {
		text, _ := c.path(ctx, c.madeScene().specs.paths.At(i))
		return text
	}
	e.items.In = map[string]model.Nodes{
		sceneView: func(ctx context.Context, i int64, add func(func() model.Ref) bool) (int64, error) {
			if x := c.madeScene(); x.paths.parent(int32(i)) != unreached {
				add(func() model.Ref { return model.Ref{Path: x.path(ctx, int32(i)), Text: x.paths.itemText(ctx, int32(i))} })
			}
			return 0, nil
		},
		pathsView: model.NodeAt(func(_ context.Context, i int64) string { return treePath(c.madeScene().paths, int32(i)) }, ""),
	}
	e.specs.In = map[string]model.Nodes{sceneView: model.NodeAt(func(ctx context.Context, i int64) string {
		return c.madeScene().specPath(ctx, int32(i))
	}, "")}
	e.positions.In = map[string]model.Nodes{sceneView: func(ctx context.Context, i int64, add func(func() model.Ref) bool) (int64, error) {
		x := c.madeScene()
		return c.specsOver(ctx, nil, i, func(spec int64) bool {
			return add(func() model.Ref {
				if x.sets.list[i] == none {
					return model.Ref{Path: x.specPath(ctx, int32(spec))}
				}
				return model.Ref{Path: x.ownerPath(ctx, int32(spec), i)}
			})
		})
	}}
}

// linkReferrers says what comes to the entries of each table, in the order in which it is listed.
func (c *crate) linkReferrers() {
	l, e := &c.links, &c.entries
	values := func(to *model.Entries, key func(i int64) int64) []model.UsedBy {
		return []model.UsedBy{
			{Kind: "value", From: &l.values, Back: keyed(&l.valueReferences, to, key), Ref: c.referringTile},
			{Kind: "value", From: &e.fields, Back: keyed(&l.repReferences, to, key)},
		}
	}
	itself := func(i int64) int64 { return i }
	path := func(item int64) int64 { return int64(c.madeScene().paths.index.At(item)) }
	scene := func(from *model.Entries, back model.Back) model.UsedBy {
		return model.UsedBy{Kind: "scene", From: from, View: sceneView, Back: back, One: from == &e.specs}
	}
	e.tokens.UsedBy = append([]model.UsedBy{
		{Kind: "name", From: &e.names, Back: l.nameTokens.Back(&e.tokens)},
		{Kind: "string", From: &e.strings, Back: l.stringTokens.Back(&e.tokens)},
		{Kind: "element", From: &e.elements, Back: l.elementTokens.Back(&e.tokens)},
	}, values(&e.tokens, itself)...)
	e.strings.UsedBy = values(&e.strings, itself)
	l.values.UsedBy = append(values(&l.values, itself),
		model.UsedBy{Kind: "part", From: &l.values, Back: c.headOf, Ref: c.wholeTile},
		model.UsedBy{Kind: "scene", View: sceneView})
	e.names.UsedBy = []model.UsedBy{{Kind: "name", From: &e.fields, Back: model.Itself}}
	e.fields.UsedBy = []model.UsedBy{
		{Kind: "fieldset", From: &e.positions, Back: l.setFields.Back(&e.fields)},
		{Kind: "spec", From: &e.positions, View: sceneView, Back: l.setFields.Back(&e.fields)},
	}
	e.positions.UsedBy = []model.UsedBy{
		{Kind: "spec", From: &e.specSets, Back: c.specsOver},
		scene(&e.specs, c.specsOver),
	}
	toItem := []model.UsedBy{{Kind: "path", From: &e.items, Back: model.Itself}}
	e.elements.UsedBy, e.jumps.UsedBy = toItem, toItem
	spec := model.UsedBy{Kind: "spec", From: &e.specs, Back: c.specsOf}
	item := model.UsedBy{Kind: "item", From: &e.items, View: pathsView, Back: model.Itself}
	l.shown.UsedBy = append([]model.UsedBy{spec, item}, values(&l.paths, path)...)
	if c.inflated() {
		e.items.UsedBy = []model.UsedBy{
			{Kind: "path", From: &e.elements, Back: model.Itself},
			{Kind: "jump", From: &e.jumps, Back: c.jumpsTo},
		}
	}
	e.items.UsedBy = append(append(e.items.UsedBy, spec, scene(&e.items, model.Itself), item), values(&l.paths, path)...)
	toScene := scene(&e.specs, model.Itself)
	e.specs.UsedBy = []model.UsedBy{toScene}
	e.specSets.UsedBy = []model.UsedBy{{Kind: "spec", From: &e.specs, Back: model.Itself}, toScene}
	e.specTypes.UsedBy = e.specSets.UsedBy
}

// keyed is the Back of entries that are named by another number than their own.
func keyed(links *model.Links, to *model.Entries, key func(i int64) int64) model.Back {
	return func(ctx context.Context, progress model.Progress, i int64, visit func(from int64) bool) (int64, error) {
		return links.Within(ctx, progress, to, key(i), key(i), visit)
	}
}
