package omnilive

import (
	"context"

	"cutaway/model"
)

// facts is the identity card. Numbers of several deltas are summed.
func (l *live) facts(ctx context.Context, quick bool, progress model.Progress) ([]model.Fact, error) {
	first := l.deltas[0]
	var fields, samples, commands int64
	for _, d := range l.deltas {
		fields, samples, commands = fields+d.fields.n, samples+d.samples.n, commands+d.commands.n
	}
	list := []model.Fact{
		{Key: "form", Title: "form", Value: model.Text(first.carrier.form)},
		{Key: "identifier", Title: "identifier", Value: model.Text(first.letters(ctx))},
		{Key: "schema", Title: "schema", Value: first.schemaName()},
		{Key: "isDiff", Title: "is a diff", Main: true, Value: model.Bool(first.isDiff)},
		{Key: "baseVersion", Title: "base version", Main: true, Value: model.Uint(first.baseVersion)},
		{Key: "sourceFormat", Title: "source format (no longer used)", Value: first.sourceText()},
		{Key: "commandCount", Title: "commands", Main: true, Value: model.Int(commands)},
	}
	kinds := model.Fact{Key: "commands", Title: "commands by kind", Scan: commands > firstItems}
	if !quick || commands <= firstItems {
		counts, err := l.commandCounts(ctx, progress)
		if err != nil {
			return nil, err
		}
		kinds.Value = counts
	}
	parts := int64(0)
	sizes := model.Seq{}
	for _, d := range l.deltas {
		parts += int64(len(d.carrier.offsets))
		for i := range min(int64(len(d.carrier.offsets)), maxPartFacts) {
			_, size := d.carrier.part(i)
			sizes = append(sizes, model.Int(size))
		}
	}
	list = append(list, kinds,
		model.Fact{Key: "setFields", Title: "fields", Main: true, Value: model.Int(fields)},
		model.Fact{Key: "timeSamples", Title: "time samples", Main: true, Value: model.Int(samples)},
		model.Fact{Key: "parts", Title: "parts", Value: model.Int(parts)})
	if parts > 0 {
		list = append(list, model.Fact{Key: "partSizes", Title: "sizes of parts, in bytes", Value: sizes})
	}
	if len(l.deltas) > 1 {
		names := model.Seq{}
		for _, d := range l.deltas {
			names = append(names, model.Text(d.name))
		}
		list = append(list, model.Fact{Key: "deltas", Title: "deltas", Value: names})
	}
	return append(list, model.Fact{Key: "assumptions", Title: "assumptions", Value: l.assumptionsUsed()}), nil
}

// maxPartFacts is the most parts whose sizes are listed.
const maxPartFacts = 64

// letters is the identifier that was found.
func (d *delta) letters(ctx context.Context) string {
	if d.carrier.form == formMultiPart && len(d.carrier.head) > 0 {
		if id, err := d.carrier.src.Bytes(ctx, 0, 4); err == nil {
			return string(id)
		}
	}
	if d.carrier.form == formPrefixed {
		return identifier
	}
	if d.carrier.buffer == nil {
		return ""
	}
	return d.carrier.buffer.Identifier(ctx)
}

// sourceText returns the text for old clients, or nil if the delta has none.
func (d *delta) sourceText() model.Value {
	if d.sourceFormat == "" {
		return nil
	}
	return model.Text(d.sourceFormat)
}

func (d *delta) schemaName() model.Value {
	if s := d.choice.verdict.Schema; s != nil {
		return model.Text(s.Name)
	}
	return model.Text("none: inferred")
}

func (l *live) commandCounts(ctx context.Context, progress model.Progress) (model.Value, error) {
	var counts [commandKinds]int64
	for _, d := range l.deltas {
		if d.bind == nil {
			continue
		}
		r := d.carrier.buffer.Reader(ctx)
		for i := range d.commands.n {
			if i&1023 == 0 {
				if err := ctx.Err(); err != nil {
					d.carrier.buffer.Release(r)
					return nil, err
				}
				progress.Report(i, d.commands.n, "counting commands")
			}
			if c := d.command(r, i); c.kind >= 0 {
				counts[c.kind]++
			}
		}
		d.carrier.buffer.Release(r)
	}
	o := model.Object{}
	for k, n := range counts {
		if n > 0 {
			o = append(o, model.Member{Key: commandNames[k], Value: model.Int(n)})
		}
	}
	return o, nil
}

// assumptionsUsed lists what the decoding of these files rests on.
func (l *live) assumptionsUsed() model.Value {
	used := make(map[*assumption]bool)
	for _, d := range l.deltas {
		switch d.carrier.form {
		case formPrefixed:
			used[assumedPrefix] = true
		case formMultiPart:
			used[assumedLetters], used[assumedOffsets] = true, true
		default:
			used[assumedIdentifier] = true
		}
		for _, a := range d.assumptions() {
			used[a] = true
		}
	}
	list := model.Seq{}
	for _, a := range assumptions {
		if used[a] {
			list = append(list, model.Text(a.text))
		}
	}
	return list
}

// assumptions returns the assumptions that the FlatBuffer rests on, by its content.
func (d *delta) assumptions() []*assumption {
	s := d.choice.verdict.Schema
	if s == nil {
		return nil
	}
	list := []*assumption{assumedUserPacking}
	if s.Name == nameA || s.Name == nameB {
		list[0] = assumedSchema
	}
	if d.commands.n > 0 {
		list = append(list, assumedOutcomes, assumedPaths)
	}
	if d.fields.n+d.samples.n == 0 {
		return list
	}
	if d.carrier.form == formMultiPart {
		list = append(list, assumedPartIndex)
	}
	return append(list, assumedExternal, assumedSetOrder, assumedHeader, assumedPacking)
}
