// Package usdatext reads OpenUSD text layers (.usda, text .usd). One scan of the layer finds its specs and statements;
// values are parsed on demand. The scene has the names, types and values that decoders/usdc gives the same layer as a
// crate. The syntax is that of decoders/usda.
package usdatext

import (
	"bytes"
	"context"
	"errors"
	"io"
	"regexp"
	"slices"
	"strings"

	"cutaway/decoders/usda"
	"cutaway/decoders/usda/data"
	"cutaway/model"
)

const (
	formatName = "usda"
	magic      = "#usda"
	oldMagic   = "#sdf 1.4.32"
)

// Rule ids.
const (
	ruleHeader   = "usda.header"
	ruleSyntax   = "usda.syntax"
	ruleVersion  = "usda.version"
	ruleEncoding = "usda.encoding"
	ruleUTF8     = "usda.utf8"
	ruleName     = "usda.name"
	ruleTwice    = "usda.twice"
	ruleVariant  = "usda.variant-twice"
	ruleSet      = "usda.variant-set-twice"
	ruleValue    = "usda.value"
	ruleDepth    = "usda.depth"
	ruleRead     = "usda.read"
	ruleMany     = "usda.many-errors"
	ruleLimit    = "usda.limit"
)

// Format describes OpenUSD text.
var Format = &model.Format{
	Name: formatName, Title: "OpenUSD text", Keywords: []string{"USD", "USDA"}, Depth: "1.0 to 1.4: every token, values, scene",
	Types: []model.FileType{{
		MIME: "model/vnd.usda", Title: "OpenUSD text layer", Extensions: []string{".usda"},
		Magic: []model.Magic{{Text: magic}}, Default: true,
	}},
	Detect: detect, Open: open,
	Files: usda.Files,
	Forms: []model.OwnForm{{Name: formatName, Title: "USD text", Extension: ".usda", Help: "a USD layer, or a prim of it, as USD text", Words: usda.CardTitle}},
	Rules: append(usda.WithTitles([]model.Rule{
		{ID: ruleHeader, Clause: "16.2.18.1", Help: "the layer does not begin with #usda and a version"},
		{ID: ruleEncoding, Clause: "16.2.1", Help: "the text begins with a byte order mark, or is UTF-16 or UTF-32, which USD does not read"},
		{ID: ruleVersion, Clause: "16.1", Help: "only versions 1.0 to 1.4 are known"},
		{ID: ruleSyntax, Clause: "16.2.2", Help: "what is here is no USD text; reading goes on with the next line"},
		{ID: ruleUTF8, Clause: "16.2.1", Help: "bytes are no characters of UTF-8"},
		{ID: ruleName, Clause: "16.2.8", Help: "USD takes no prim or variant of such a name"},
		{ID: ruleVariant, Clause: "16.2.18.2", Help: "a variant of the name is before this one: readers add what this one says, and list the properties and prims that it adds"},
		{ID: ruleSet, Clause: "16.2.18.2", Help: "a variant set of the name is before this one: readers have the variants of both, and list those of this one"},
		{ID: ruleTwice, Clause: "16.2.18.2", Help: "a prim of the name, or a relationship where this is an attribute, is before this one"},
		{ID: ruleValue, Clause: "16.2.16.6", Help: "a value is not of its type, or no value"},
		{ID: ruleDepth, Help: "prims are nested deeper than this program reads"},
		{ID: ruleRead, Help: "bytes cannot be read"},
		{ID: ruleLimit, Help: "the layer, or a text in it, is longer than memory allows"},
		{ID: ruleMany, Help: "there are more syntax errors than are listed"},
	}), data.Rules...),
}

func detect(_ context.Context, p *model.Probe) model.Detection {
	head := p.Head
	switch e := encodingOf(head); {
	case e != nil && e.hasMagic(head):
		return model.Detection{Confidence: model.Sure, Reason: "has " + magic + " at its start, though it " + e.fault}
	case bytes.HasPrefix(head, []byte(magic)):
		return model.Detection{Confidence: model.Sure, Reason: "begins with " + magic}
	case bytes.HasPrefix(head, []byte(oldMagic)):
		return model.Detection{Confidence: model.Sure, Reason: "begins with " + oldMagic + ", as USD text did before it was called so"}
	case strings.HasSuffix(strings.ToLower(p.Name), ".usda"):
		return model.Detection{Confidence: model.Guess, ByName: true, Reason: "is named .usda, though it does not begin with " + magic}
	}
	return model.Detection{Reason: "no " + magic + " at the start"}
}

// firstLine matches the first line of a layer; its group is the version.
var firstLine = regexp.MustCompile(`^#usda +([0-9]+\.[0-9]+(?:\.[0-9]+)?)([ \t\r]|$)`)

// known matches the versions that usd-core reads: 1.0 to 1.4, a third number of at most 255 after all but the last.
var known = regexp.MustCompile(`^0*1\.0*([0-3](\.0*([0-9]|[1-9][0-9]|1[0-9][0-9]|2[0-4][0-9]|25[0-5]))?|4(\.0+)?)$`)

// version returns the version in the first line, or "" if it has none.
func version(ctx context.Context, src *model.Source) string {
	b, err := src.Bytes(ctx, 0, min(src.Size(), 100))
	if err != nil {
		return ""
	}
	if e := encodingOf(b); e != nil {
		b = b[e.mark:]
	}
	line, _, _ := bytes.Cut(b, []byte("\n"))
	if bytes.HasPrefix(line, []byte(oldMagic)) {
		return "1.0"
	}
	found := firstLine.FindSubmatch(line)
	if found == nil {
		return ""
	}
	return string(found[1])
}

func open(ctx context.Context, req *model.OpenRequest) (*model.Document, error) {
	if req.Source == nil {
		return nil, errors.New("there is nothing to open")
	}
	l := &layer{src: req.Source}
	l.recent.Limit = 64
	l.long.Limit, l.split.Limit = 16, 16
	l.scene = model.NewLazy(l.sceneChildren)
	l.layout = model.NewLazy(l.layoutChildren)
	ver := version(ctx, l.src)
	d := &model.Document{
		Format: formatName, Version: ver, Title: strings.TrimSpace("USD text " + ver), Why: req.Why, Name: req.Name,
		Sources: []*model.Source{l.src},
		Views: []*model.View{
			{Name: sceneView, Title: "Scene", Root: l.sceneRoot, Content: usda.SceneContent, Cards: usda.SceneCards, Summary: usda.SceneSummary, Fold: usda.SceneFold, Intro: usda.SceneIntro, Indexed: usda.Indexed, Timeline: l.timeline},
			{Name: model.LayoutView, Title: "Layout", Root: l.layoutRoot, Of: l.src},
		},
		Facts: l.facts,
		Check: l.check, CheckData: l.checkData, Releases: l.releases, Judges: usda.Judges(-1, shortVersion(ver)), Named: usda.Named(sceneView, l.scene, l.named),
	}
	return d, nil
}

// facts returns the version and, unless quick, counts of specs and facts of the scene.
func (l *layer) facts(ctx context.Context, quick bool, progress model.Progress) ([]model.Fact, error) {
	facts := []model.Fact{{Key: "version", Title: "Version", Value: model.Text(version(ctx, l.src))}}
	var x *index
	if !quick {
		var err error
		if x, err = l.load(ctx, progress); err != nil {
			return nil, err
		}
	}
	counts := map[specKind]int64{}
	if x != nil {
		for i := range x.specs {
			counts[x.specs[i].kind]++
		}
	}
	for _, f := range []struct {
		key, title string
		kind       specKind
	}{{"prims", "Prims", kindPrim}, {"attributes", "Attributes", kindAttribute}, {"relationships", "Relationships", kindRelationship},
		{"variantSets", "Variant sets", kindVariantSet}, {"variants", "Variants", kindVariant}} {
		fact := model.Fact{Key: f.key, Title: f.title, Scan: true}
		if x != nil {
			fact.Value = model.Int(counts[f.kind])
		}
		facts = append(facts, fact)
	}
	if quick {
		return append(append(facts, usda.Unscanned()...), usda.OpenedBy(nil)), nil
	}
	scene, err := l.sceneFacts(ctx, x, progress)
	if err != nil {
		return nil, err
	}
	releases, err := l.releases(ctx, progress)
	return append(append(facts, scene...), usda.OpenedBy(releases)), err
}

// releases returns the releases of OpenUSD as they see the layer, or nil if it does not begin as text does.
func (l *layer) releases(ctx context.Context, progress model.Progress) ([]model.Release, error) {
	ver := version(ctx, l.src)
	if ver == "" {
		return nil, ctx.Err()
	}
	has, err := l.features.Get(ctx, progress, l.scanFeatures)
	if err != nil {
		return nil, err
	}
	of := usda.Layer{Scene: &model.View{Name: sceneView, Root: l.sceneRoot}, Crate: -1, Text: shortVersion(ver), Has: *has, At: sceneView,
		Version: model.Problem{Span: l.versionSpan(ver), Found: ver}}
	return of.Releases(), nil
}

// shortVersion returns the first two numbers of a version, which decide the syntax.
func shortVersion(ver string) string {
	if parts := strings.SplitN(ver, ".", 3); len(parts) > 2 {
		return parts[0] + "." + parts[1]
	}
	return ver
}

// versionSpan returns the beginning of the first line up to the version.
func (l *layer) versionSpan(ver string) model.Span {
	return l.src.Span(0, min(int64(len(magic)+1+len(ver)), l.src.Size()))
}

// scanFeatures looks for features in all values.
func (l *layer) scanFeatures(ctx context.Context, progress model.Progress) (*usda.FeatureSet, error) {
	if _, err := l.load(ctx, progress); err != nil {
		return nil, err
	}
	has := new(usda.FeatureSet)
	err := l.eachSpec(ctx, progress, "looking for features", func(_ int32, fields []model.Node) {
		for i := range fields {
			*has |= featuresBelow(ctx, &fields[i])
		}
	})
	return has, err
}

// featuresBelow returns the features of a node and of those below. Elements of an array have none of their own.
func featuresBelow(ctx context.Context, n *model.Node) usda.FeatureSet {
	has := usda.FeaturesOf(n)
	if n.Children == nil || n.Elements {
		return has
	}
	count, _ := n.Children.Len(ctx)
	for i := int64(0); i < count && ctx.Err() == nil; i++ {
		k := n.Children.At(ctx, i)
		has |= featuresBelow(ctx, &k)
	}
	return has
}

// sceneFacts returns the facts that the fields of all specs state: units, types of prims, files used.
func (l *layer) sceneFacts(ctx context.Context, x *index, progress model.Progress) ([]model.Fact, error) {
	facts := usda.NewFacts()
	err := l.eachSpec(ctx, progress, "reading fields", func(i int32, fields []model.Node) {
		typ := ""
		for _, f := range fields {
			if name, ok := f.Value.(model.Text); ok && f.Name == "typeName" {
				typ = string(name)
			}
			if i == 0 {
				facts.Root(ctx, &f)
			}
			if (f.Name != samplesField && f.Name != "spline") || strings.HasPrefix(typ, "asset") {
				used(ctx, facts, &f, facts.Asset)
			}
		}
		if x.specs[i].kind == kindPrim {
			facts.Types[typ]++
		}
	})
	if err != nil {
		return nil, err
	}
	return facts.All(), nil
}

// used passes each asset path in n and the nodes below to take, or to the function of facts for references or payloads.
func used(ctx context.Context, facts *usda.Facts, n *model.Node, take func(string)) {
	switch n.Type {
	case "Reference":
		take = facts.Reference
	case "Payload":
		take = facts.Payload
	case "asset":
		if path, ok := n.Value.(model.Text); ok {
			take(string(path))
		}
		return
	}
	if v, ok := n.Value.(model.Array); ok {
		if v.Elem() == "asset" {
			facts.Assets(ctx, v)
		}
		return
	}
	if n.Children == nil {
		return
	}
	count, _ := n.Children.Len(ctx)
	for i := range count {
		c := n.Children.At(ctx, i)
		used(ctx, facts, &c, take)
	}
}

// check reports the problems of every value.
func (l *layer) check(ctx context.Context, progress model.Progress, report func(path string, p model.Problem)) error {
	x, err := l.load(ctx, progress)
	if err != nil {
		return err
	}
	switch ver := version(ctx, l.src); {
	case ver != "" && !known.MatchString(ver):
		report(sceneView, model.Problemf(model.Malformed, ruleVersion, l.versionSpan(ver),
			"no such version of USD text is known").Want("1.0 to "+usda.NewestText, ver))
	case ver == "" && l.encoding(ctx) == nil:
		report(sceneView, model.Problemf(model.Malformed, ruleHeader, l.src.Span(0, min(8, l.src.Size())), "the layer does not begin as USD text does").
			Want("#usda 1.0", model.Show(ctx, l.beginning(ctx), 40)))
	}
	for _, p := range x.problems {
		report(l.src.LayoutPath(), p)
	}
	if x.full {
		report(l.src.LayoutPath(), x.limit(l.src.Span(x.end, l.src.Size()-x.end)))
	}
	if x.more > 0 {
		report(l.src.LayoutPath(), model.Problemf(model.Limit, ruleMany, l.src.Whole(), "%d more syntax errors are not listed", x.more))
	}
	has := new(usda.FeatureSet)
	err = l.eachSpec(ctx, progress, "reading values", func(i int32, fields []model.Node) {
		in := func(path string, p model.Problem) { report(l.scenePath(ctx, i)+"/"+path, p) } // paths are long where prims are deep
		for _, f := range fields {
			l.checkNode(ctx, &f, model.EscapeSegment(f.InPath()), has, in)
		}
	})
	if err == nil {
		_, err = l.features.Get(ctx, nil, func(context.Context, model.Progress) (*usda.FeatureSet, error) { return has, nil })
	}
	return err
}

func (l *layer) beginning(ctx context.Context) model.Value {
	b, _ := l.src.Bytes(ctx, 0, min(l.src.Size(), 20))
	return model.Text(b)
}

// scenePath returns the path of a spec's node in the scene.
func (l *layer) scenePath(ctx context.Context, i int32) string {
	var segments []string
	for i != 0 {
		segments = append(segments, model.EscapeSegment(l.segment(ctx, i)))
		s := &l.index.specs[i]
		if i = s.parent; s.kind == kindVariant {
			i = l.index.specs[i].parent
		}
	}
	segments = append(segments, sceneView)
	slices.Reverse(segments)
	return strings.Join(segments, "/")
}

// checkData reports what is wrong with the data of the scene.
func (l *layer) checkData(ctx context.Context, root bool, progress model.Progress, report func(path string, p model.Problem)) error {
	return data.Check(ctx, &data.Layer{View: sceneView, Children: l.scene}, root, progress, report)
}

// checkNode reports the problems of a field and of its descendants, and adds their features.
func (l *layer) checkNode(ctx context.Context, n *model.Node, path string, has *usda.FeatureSet, report func(string, model.Problem)) {
	*has |= usda.FeaturesOf(n)
	for _, p := range n.Problems {
		report(path, p)
	}
	if a, ok := n.Value.(*textArray); ok {
		if len(n.Problems) > 0 {
			return
		}
		if _, long := l.index.arrays[a.off]; long {
			if err := a.check(ctx); err != nil && ctx.Err() == nil {
				report(path, model.AsProblem(err, ruleRead, n.Span()))
			}
		}
		return
	}
	if n.Children == nil || n.Elements {
		return
	}
	count, _ := n.Children.Len(ctx)
	for i := int64(0); i < count && ctx.Err() == nil; i++ {
		k := n.Children.At(ctx, i)
		if n.Type == "sample" && len(n.Problems) > 0 {
			*has |= featuresBelow(ctx, n)
			return // the sample has its problems
		}
		l.checkNode(ctx, &k, k.PathUnder(path), has, report)
	}
}

// A specText writes a spec as a USD text layer.
type specText struct {
	usda.TextCard
	l *layer
	i int32
}

var _ model.Words = (*specText)(nil)

func (t *specText) WriteText(ctx context.Context, w io.Writer, omitted *model.Omissions) error {
	if _, err := t.l.load(ctx, nil); err != nil {
		return err
	}
	n := t.l.sceneRoot(ctx)
	n.Children = t.l.childrenOf(0)
	if t.i > 0 {
		n = t.l.node(t.i)
	}
	ver := version(ctx, t.l.src)
	if ver == "" {
		ver = "1.0"
	}
	return usda.Write(ctx, w, omitted, &n, ver)
}
