// Package omnilive decodes the live layers of NVIDIA Omniverse: OODF deltas, alone or in the multi-part form with
// their large values, and sequences of deltas.
//
// The files of the package follow the format's description, docs/formats/omni-live.md: carrier.go (1), schema.go,
// delta.go, sections.go, apply.go and outcome.go (2), external.go, types.go, value.go and looks.go (3), commands.go, layer.go
// and paths.go (4), assumed.go (5). The records of the carrier and of the values are in records.go.
package omnilive

import (
	"context"
	"fmt"
	"slices"

	"cutaway/decoders/flatbuffer"
	"cutaway/decoders/usda"
	"cutaway/model"
)

// bufferRules begins the ids of the rules of FlatBuffers.
const bufferRules = Name + ".flatbuffer."

// Name is the format's name.
const Name = "omnilive"

const title = "Omniverse live layer"

// Format is the entry for the list of formats.
var Format = &model.Format{
	Name: Name, Title: title, Keywords: []string{"Omniverse"}, Holds: "a live layer",
	Types: []model.FileType{
		{
			MIME: "application/x-omniverse-live", Title: "Omniverse live layer", Default: true, Extensions: []string{".oodf"},
			Magic: []model.Magic{{Offset: 4, Text: "OODF"}, {Text: "OODF"}, {Offset: 8, Text: "OODF"}},
		},
		{
			MIME: "application/x-omniverse-live-parts", Title: "Omniverse live layer with its large values",
			Extensions: []string{".ompf", ".live"}, Shared: []string{".live"}, Magic: []model.Magic{{Text: "OMPF"}},
		},
	},
	Depth:  "every byte, commands with outcomes, resulting layer, values; by a reconstructed schema or yours",
	Detect: detect, Open: open, OpenTogether: openTogether, Files: usda.Files,
	Rules: append(language.RuleList(), flatbuffer.Rules(bufferRules)...), Specification: language.Describe,
}

func detect(ctx context.Context, p *model.Probe) model.Detection {
	form, why := sniff(ctx, p.Source, p.Head)
	if form == "" {
		return model.Detection{Reason: why}
	}
	return model.Detection{Confidence: model.Sure, Reason: why}
}

// open opens one delta.
func open(ctx context.Context, req *model.OpenRequest) (*model.Document, error) {
	return openTogether(ctx, []*model.Source{req.Source}, req)
}

// openTogether opens deltas that are applied one after another.
func openTogether(ctx context.Context, sources []*model.Source, req *model.OpenRequest) (*model.Document, error) {
	c, err := candidatesFor(ctx, sources[0], req.Options[schemaOption])
	if err != nil {
		return nil, err
	}
	var deltas []*delta
	for _, src := range sources {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		deltas = append(deltas, newDelta(ctx, src, c))
	}
	step, err := stepOf(req.Options[stepOption], len(deltas))
	if err != nil {
		return nil, err
	}
	l := newLive(deltas, step)
	l.link()
	doc := &model.Document{
		Format: Name, Title: l.title(), Why: req.Why, Name: req.Name, Sources: sources,
		Views: []*model.View{
			{Name: layerView, Title: "Layer", Root: l.layerRoot, Find: l.Find(layerView), Content: layerContent,
				Cards: usda.SceneCards, Summary: usda.SceneSummary, Fold: usda.SceneFold, Intro: usda.SceneIntro},
			{Name: commandsView, Title: "Commands", Root: l.commandsRoot, Find: l.Find(commandsView), Intro: commandIntro},
			{Name: model.LayoutView, Title: "Layout", Root: l.layoutRoot, Intro: flatbuffer.TableIntro},
		},
		Facts: l.facts, Check: l.check, ReferencedBy: l.ReferencedBy, Options: l.options(req),
	}
	if len(deltas) == 1 {
		doc.Views[2].Of = sources[0]
	}
	doc.SetOption = func(ctx context.Context, name, value string) (*model.Document, error) {
		again := *req
		again.Options = map[string]string{}
		for k, v := range req.Options {
			again.Options[k] = v
		}
		again.Options[name] = value
		return openTogether(ctx, sources, &again)
	}
	return doc, nil
}

// The names of the options.
const (
	schemaOption = "schema"
	stepOption   = "step"
)

func (l *live) options(req *model.OpenRequest) []model.Option {
	list := []model.Option{{
		Name: schemaOption, Title: "Schema", Kind: model.File, Choices: []string{".bfbs", ".fbs"}, Value: req.Options[schemaOption],
		Help: "a schema of your own, compiled or not; or A or B, the reconstructions. Without it one is looked for beside the file and in " + flatbuffer.SchemaFolder() + ", and the one that fits best is taken",
	}}
	if len(l.deltas) > 1 {
		list = append(list, model.Option{
			Name: stepOption, Title: "Step", Kind: model.Number, Min: 0, Max: int64(len(l.deltas)), Value: fmt.Sprint(l.step),
			Help: "the layer view shows the layer after this many deltas",
		})
	}
	return list
}

func stepOf(value string, deltas int) (int, error) {
	if value == "" {
		return deltas, nil
	}
	var step int
	if _, err := fmt.Sscanf(value, "%d", &step); err != nil || step < 0 || step > deltas || fmt.Sprint(step) != value {
		return 0, fmt.Errorf("the step %q is not from 0 to %d", value, deltas)
	}
	return step, nil
}

// candidates are the schemas that are tried, the user's first.
type candidates struct {
	list     []*flatbuffer.Schema
	unusable error // why schemas of the user that have the identifier cannot be used
}

// candidatesFor lists the schemas that are tried for a file: the one that the option names, or one of the user that is
// found by the identifier; then the reconstructions.
func candidatesFor(ctx context.Context, src *model.Source, value string) (candidates, error) {
	known := schemas(ctx)
	for _, s := range known {
		if s.Name == value {
			return candidates{list: []*flatbuffer.Schema{s}}, nil
		}
	}
	if value != "" {
		user, err := flatbuffer.LoadSchema(ctx, value)
		return candidates{list: append([]*flatbuffer.Schema{user}, known...)}, err
	}
	user, unusable := flatbuffer.FindSchema(ctx, src, identifier)
	if user == nil {
		return candidates{known, unusable}, nil
	}
	return candidates{list: append([]*flatbuffer.Schema{user}, known...)}, nil
}

func (l *live) title() string {
	if len(l.deltas) > 1 {
		return fmt.Sprintf("%s, %d deltas", title, len(l.deltas))
	}
	return fmt.Sprintf("%s (%s)", title, l.deltas[0].carrier.form)
}

func (l *live) layoutRoot(context.Context) model.Node {
	if len(l.deltas) == 1 {
		return l.deltas[0].root(model.LayoutView)
	}
	return model.Node{
		Name: model.LayoutView, Type: "deltas", Help: "the files of the sequence, in the order in which they are applied",
		Children: &model.Rows{
			Count: int64(len(l.deltas)),
			Make:  func(_ context.Context, i int64) model.Node { return l.deltas[i].root(l.deltas[i].name) },
			ByByte: func(_ context.Context, src *model.Source, _ int64) (int64, bool) {
				i := slices.IndexFunc(l.deltas, func(d *delta) bool { return d.carrier.src.Same(src) })
				return int64(i), i >= 0
			},
		},
	}
}

// check applies the commands. It reports the problems of commands, fields and external values.
func (l *live) check(ctx context.Context, progress model.Progress, report func(string, model.Problem)) error {
	res, err := l.all.get(ctx, progress)
	if err != nil {
		return err
	}
	for i, d := range l.deltas {
		if d.bind == nil {
			continue
		}
		if !d.isDiff && d.baseVersion != 0 {
			report(d.tree.Path, model.Problemf(model.Suspicious, "omnilive.base-version", d.carrier.buffer.Whole(), "baseVersion has a meaning in a diff only").Want(0, d.baseVersion))
		}
		l.checkCommands(ctx, res, i, report)
		if err := d.checkSettings(ctx, progress, report); err != nil {
			return err
		}
	}
	return nil
}

// tryOthers looks for a schema that reads all of the buffer, where the one that was chosen by the first items fails
// after them. The error is ctx's.
func (d *delta) tryOthers(ctx context.Context, sound bool, progress model.Progress) error {
	if sound || d.choice.failed != nil {
		return nil
	}
	for _, other := range d.choice.others {
		sound, err := d.carrier.buffer.Verifies(ctx, other.Schema, progress)
		if err != nil {
			return err
		}
		if sound {
			d.other.Store(other.Schema)
			return nil
		}
	}
	return nil
}

func (l *live) checkCommands(ctx context.Context, res *result, i int, report func(string, model.Problem)) {
	d := l.deltas[i]
	r := d.carrier.buffer.Reader(ctx)
	defer d.carrier.buffer.Release(r)
	for k, o := range res.outcomes[i] {
		if o == applied && res.remarks[i][int64(k)] == 0 {
			continue
		}
		c := d.command(r, int64(k))
		for _, p := range problems(o, res.remarks[i][int64(k)], d.tableSpan(r, c.table)) {
			report(l.commandPath(origin{int32(i), int64(k)}), p)
		}
		if o == beyondLimit { // as are all others
			return
		}
	}
}
