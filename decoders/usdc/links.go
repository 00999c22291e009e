package usdc

import (
	"cmp"
	"context"

	"cutaway/decoders/usdc/scene"
	"cutaway/decoders/usdc/table"
	"cutaway/model"
	"cutaway/model/crossref"
)

// links are the entries of the file with the links between them.
type links struct {
	crossref.Tables
	values                               crossref.Entries // tiles of the value data
	paths                                crossref.Entries // by PathIndex, which only values name
	shown                                crossref.Entries // items, by their nodes in the scene
	toc, tocOffset, sections, tocEntries crossref.Entries

	nameTokens, stringTokens, elementTokens, setFields, specSetStarts, itemJumps crossref.Links
	valueReferences, repReferences                                               crossref.Links
}

// link sets the links between the entries of the tables, and to their nodes in views.
func (d *document) link() {
	l := &d.links
	for _, e := range d.crate.Entries.All() {
		e.Count = d.afterScene(e.Count)
		l.Entries = append(l.Entries, e)
	}
	l.values = crossref.Entries{Count: d.countTiles, Of: d.tileOf, Over: d.tilesOver}
	l.paths = crossref.Entries{Count: d.counted(func(x *scene.Index) int64 { return x.Paths.ByPath.Len() }), Of: table.IsNone}
	l.shown = crossref.Entries{Count: d.crate.Entries.Items.Count, Of: func(p *model.Place) (int64, bool) { return d.scene.Made().ShownItem(p) }}
	l.Entries = append(l.Entries, &l.values, &l.paths, &l.shown)
	l.Made = d.inflatedSpans
	d.linkContents()
	d.linkNames()
	d.linkValues()
	d.linkScene()
	d.linkReferrers()
}

// afterScene returns a Count that makes the scene first: other functions of entries use it as it is made.
func (d *document) afterScene(count countFunc) countFunc {
	return func(ctx context.Context, progress model.Progress) (int64, error) {
		if _, err := d.scene.Index(ctx, progress); err != nil {
			return 0, err
		}
		return count(ctx, progress)
	}
}

// countFunc is the type of crossref.Entries.Count.
type countFunc = func(context.Context, model.Progress) (int64, error)

// counted returns a Count that makes the scene.
func (d *document) counted(n func(x *scene.Index) int64) countFunc {
	return func(ctx context.Context, progress model.Progress) (int64, error) {
		x, err := d.scene.Index(ctx, progress)
		if err != nil {
			return 0, err
		}
		return n(x), nil
	}
}

// inflatedSpans returns the decompressed spans of s, or nil if s is stored uncompressed. It makes the scene, which a search for owners
// uses as it is made. What is made under a context that ends meanwhile is not kept.
func (d *document) inflatedSpans(ctx context.Context, s model.Span) ([]model.Span, error) {
	if _, err := d.scene.Index(ctx, nil); err != nil || ctx.Err() != nil {
		return nil, cmp.Or(err, ctx.Err())
	}
	sec := d.crate.Contents.SectionAt(s.Off)
	if s.Source != d.crate.Src || sec == nil {
		return nil, nil
	}
	buffers, err := d.crate.Buffers(ctx, sec.Name, nil)
	if err != nil {
		return nil, err
	}
	for _, b := range buffers {
		if !b.Span.Covers(s.Source, s.Off) {
			continue
		}
		in, err := b.Inflate(ctx)
		if err != nil {
			return nil, err
		}
		ranges, err := in.Src.Origin().Map.To(ctx, s.Off, s.Len)
		spans := []model.Span{}
		for _, r := range ranges {
			spans = append(spans, in.Src.Span(r.Off, r.Len))
		}
		return spans, err
	}
	return nil, nil
}

// linkContents links bootstrap, table of contents and sections.
func (d *document) linkContents() {
	l := &d.links
	one := func(context.Context, model.Progress) (int64, error) { return 1, nil }
	all := func(context.Context, model.Progress) (int64, error) {
		return int64(len(d.crate.Contents.Sections)), nil
	}
	l.tocOffset = crossref.Entries{Count: one, Of: table.IsNone, Path: func(int64) string { return d.crate.Layout + "/bootstrap/tocOffset" }}
	l.toc = crossref.Entries{
		Count: one, Of: func(p *model.Place) (int64, bool) { return 0, p.Path() == d.crate.Layout+"/toc" },
		UsedBy: []crossref.UsedBy{{Kind: "toc", From: &l.tocOffset, Back: crossref.Itself}},
	}
	l.tocEntries = crossref.Entries{
		Count: all, Base: d.crate.Layout + "/toc/sections", Text: func(_ context.Context, i int64) string { return d.crate.Contents.Sections[i].Name },
	}
	l.sections = crossref.Entries{Count: all, Of: func(p *model.Place) (int64, bool) {
		for i := range d.crate.Contents.Sections {
			if s := &d.crate.Contents.Sections[i]; s.Placed && p.Path() == d.crate.Layout+"/"+model.EscapeSegment(s.Segment) {
				return int64(i), true
			}
		}
		return 0, false
	}, UsedBy: []crossref.UsedBy{{Kind: "section", From: &l.tocEntries, Back: crossref.Itself}}}
	l.Entries = append(l.Entries, &l.toc, &l.sections, &l.tocEntries)
}

// linkNames links what names entries of tables by their numbers.
func (d *document) linkNames() {
	l, e := &d.links, &d.crate.Entries
	to := func(e *crossref.Entries) []*crossref.Entries { return []*crossref.Entries{e} }
	l.nameTokens = crossref.Links{What: "fields", From: &e.Names, To: to(&e.Tokens),
		Name: d.numbers(func(x *scene.Index) func(i int64) uint32 { return x.Fields.Names.Cursor().At })}
	l.stringTokens = crossref.Links{What: "strings", From: &e.Strings, To: to(&e.Tokens),
		Name: d.numbers(func(x *scene.Index) func(i int64) uint32 { return x.Strings.Values.Cursor().At })}
	l.elementTokens = crossref.Links{What: "paths", From: &e.Elements, To: to(&e.Tokens),
		Name: d.numbers(func(x *scene.Index) func(i int64) uint32 { return x.Paths.Token.Cursor().At })}
	l.setFields = crossref.Links{What: "field sets", From: &e.Positions, To: to(&e.Fields),
		Name: d.numbers(func(x *scene.Index) func(i int64) uint32 {
			return func(i int64) uint32 { return x.Sets.List[i] }
		})}
	l.specSetStarts = crossref.Links{What: "specs", From: &e.Specs, To: to(&e.Positions),
		Name: d.numbers(func(x *scene.Index) func(i int64) uint32 { return x.Specs.Sets.Cursor().At })}
	l.itemJumps = crossref.Links{What: "jumps", From: &e.Jumps, To: to(&e.Items), Name: d.jumpTargets}
}

// linkNames loads the numbers that entries name: crossref.Links.Name.
type linkNames = func(ctx context.Context, progress model.Progress) (func(i int64) int64, error)

// numbers returns the targets of links from a list of numbers.
func (d *document) numbers(list func(x *scene.Index) func(i int64) uint32) linkNames {
	return func(ctx context.Context, progress model.Progress) (func(i int64) int64, error) {
		x, err := d.scene.Index(ctx, progress)
		if err != nil {
			return nil, err
		}
		number := list(x)
		return func(i int64) int64 { return int64(number(i)) }, nil
	}
}

// jumpTargets returns the targets of jumps that lead to a sibling beyond the next item.
func (d *document) jumpTargets(ctx context.Context, progress model.Progress) (func(i int64) int64, error) {
	x, err := d.scene.Index(ctx, progress)
	if err != nil {
		return nil, err
	}
	return x.Paths.SiblingJumps(), nil
}

// specsOver visits the specs whose field set holds a position of the list.
func (d *document) specsOver(ctx context.Context, progress model.Progress, position int64, visit func(spec int64) bool) (int64, error) {
	x, err := d.scene.Index(ctx, progress)
	if err != nil {
		return 0, err
	}
	// The groups of sound specs begin at StartOf, those of damaged ones anywhere from there on.
	return d.links.specSetStarts.Within(ctx, progress, &d.crate.Entries.Positions, x.Sets.StartOf(position), position, visit)
}

// specsOf is the Back of specs to the item of their path.
func (d *document) specsOf(_ context.Context, _ model.Progress, item int64, visit func(spec int64) bool) (int64, error) {
	d.scene.Made().SpecsOf(item, visit)
	return 0, nil
}

// jumpsTo visits the items whose jump leads to an item: the one before, and those that skip items.
func (d *document) jumpsTo(ctx context.Context, progress model.Progress, item int64, visit func(from int64) bool) (int64, error) {
	if item > 0 {
		jump, err := d.scene.Made().Paths.JumpAt(ctx, item-1)
		if err != nil {
			return 0, err
		}
		if jump >= table.JumpChild {
			visit(item - 1)
		}
	}
	return d.links.itemJumps.Within(ctx, progress, &d.crate.Entries.Items, item, item, visit)
}

// linkScene says where entries are in the views by meaning.
func (d *document) linkScene() {
	e := &d.crate.Entries
	e.Fields.Text = func(ctx context.Context, i int64) string {
		name, _ := d.crate.FieldName(ctx, uint32(i))
		return name
	}
	e.Elements.Text = func(ctx context.Context, i int64) string { return d.scene.Made().Paths.ReachedText(ctx, int32(i)) }
	e.SpecSets.Text = func(ctx context.Context, i int64) string {
		text, _ := d.crate.PathAt(ctx, d.scene.Made().Specs.Paths.At(i))
		return text
	}
	e.Items.In = map[string]crossref.Nodes{
		scene.View: func(ctx context.Context, i int64, add func(func() model.Ref) bool) (int64, error) {
			if x := d.scene.Made(); x.Paths.Parent(int32(i)) != table.Unreached {
				add(func() model.Ref { return model.Ref{Path: x.Path(ctx, int32(i)), Text: x.Paths.ItemText(ctx, int32(i))} })
			}
			return 0, nil
		},
		scene.PathsView: crossref.NodeAt(func(_ context.Context, i int64) string { return scene.TreePath(d.scene.Made().Paths, int32(i)) }, ""),
	}
	e.Specs.In = map[string]crossref.Nodes{scene.View: crossref.NodeAt(func(ctx context.Context, i int64) string {
		return d.scene.Made().SpecPath(ctx, int32(i))
	}, "")}
	e.Positions.In = map[string]crossref.Nodes{scene.View: func(ctx context.Context, i int64, add func(func() model.Ref) bool) (int64, error) {
		x := d.scene.Made()
		return d.specsOver(ctx, nil, i, func(spec int64) bool {
			return add(func() model.Ref {
				if x.Sets.List[i] == table.None {
					return model.Ref{Path: x.SpecPath(ctx, int32(spec))}
				}
				return model.Ref{Path: x.OwnerPath(ctx, int32(spec), i)}
			})
		})
	}}
}

// linkReferrers sets the links to the entries of each table, in the order of the list that a user sees.
func (d *document) linkReferrers() {
	l, e := &d.links, &d.crate.Entries
	values := func(to *crossref.Entries, key func(i int64) int64) []crossref.UsedBy {
		return []crossref.UsedBy{
			{Kind: "value", From: &l.values, Back: keyed(&l.valueReferences, to, key), Ref: d.referringTile},
			{Kind: "value", From: &e.Fields, Back: keyed(&l.repReferences, to, key)},
		}
	}
	itself := func(i int64) int64 { return i }
	path := func(item int64) int64 { return int64(d.scene.Made().Paths.Index.At(item)) }
	inScene := func(from *crossref.Entries, back crossref.Back) crossref.UsedBy {
		return crossref.UsedBy{Kind: "scene", From: from, View: scene.View, Back: back, One: from == &e.Specs}
	}
	e.Tokens.UsedBy = append([]crossref.UsedBy{
		{Kind: "name", From: &e.Names, Back: l.nameTokens.Back(&e.Tokens)},
		{Kind: "string", From: &e.Strings, Back: l.stringTokens.Back(&e.Tokens)},
		{Kind: "element", From: &e.Elements, Back: l.elementTokens.Back(&e.Tokens)},
	}, values(&e.Tokens, itself)...)
	e.Strings.UsedBy = values(&e.Strings, itself)
	l.values.UsedBy = append(values(&l.values, itself),
		crossref.UsedBy{Kind: "part", From: &l.values, Back: d.headOf, Ref: d.wholeTile},
		crossref.UsedBy{Kind: "scene", View: scene.View})
	e.Names.UsedBy = []crossref.UsedBy{{Kind: "name", From: &e.Fields, Back: crossref.Itself}}
	e.Fields.UsedBy = []crossref.UsedBy{
		{Kind: "fieldset", From: &e.Positions, Back: l.setFields.Back(&e.Fields)},
		{Kind: "spec", From: &e.Positions, View: scene.View, Back: l.setFields.Back(&e.Fields)},
	}
	e.Positions.UsedBy = []crossref.UsedBy{
		{Kind: "spec", From: &e.SpecSets, Back: d.specsOver},
		inScene(&e.Specs, d.specsOver),
	}
	toItem := []crossref.UsedBy{{Kind: "path", From: &e.Items, Back: crossref.Itself}}
	e.Elements.UsedBy, e.Jumps.UsedBy = toItem, toItem
	spec := crossref.UsedBy{Kind: "spec", From: &e.Specs, Back: d.specsOf}
	item := crossref.UsedBy{Kind: "item", From: &e.Items, View: scene.PathsView, Back: crossref.Itself}
	l.shown.UsedBy = append([]crossref.UsedBy{spec, item}, values(&l.paths, path)...)
	if d.crate.Compressed() {
		e.Items.UsedBy = []crossref.UsedBy{
			{Kind: "path", From: &e.Elements, Back: crossref.Itself},
			{Kind: "jump", From: &e.Jumps, Back: d.jumpsTo},
		}
	}
	e.Items.UsedBy = append(append(e.Items.UsedBy, spec, inScene(&e.Items, crossref.Itself), item), values(&l.paths, path)...)
	toScene := inScene(&e.Specs, crossref.Itself)
	e.Specs.UsedBy = []crossref.UsedBy{toScene}
	e.SpecSets.UsedBy = []crossref.UsedBy{{Kind: "spec", From: &e.Specs, Back: crossref.Itself}, toScene}
	e.SpecTypes.UsedBy = e.SpecSets.UsedBy
}

// keyed returns the Back of entries that are named by another number than their own.
func keyed(links *crossref.Links, to *crossref.Entries, key func(i int64) int64) crossref.Back {
	return func(ctx context.Context, progress model.Progress, i int64, visit func(from int64) bool) (int64, error) {
		return links.Within(ctx, progress, to, key(i), key(i), visit)
	}
}
