package odin

import (
	"context"
	"sort"

	"cutaway/decoders/odin/dotnet"
	"cutaway/decoders/odin/entry"
	"cutaway/decoders/odin/kind"
	"cutaway/decoders/odin/udon"
	"cutaway/model"
)

// A census counts the contents of streams.
type census struct {
	nodes, references, externals, primitives int64
	depth                                    int64 // containers in one another at most
	types                                    map[string]int64
}

// maxCounted bounds the types that facts list.
const maxCounted = 1000

// add counts the contents of a stream. All is scanned for that.
func (c *census) add(ctx context.Context, progress model.Progress, s *entry.Stream) error {
	var open []int64 // the last entries of the containers around
	return s.Each(ctx, progress, "counting the entries", func(e *entry.Head) {
		for len(open) > 0 && open[len(open)-1] < e.Number {
			open = open[:len(open)-1]
		}
		if s.IsContainer(e.Number) {
			open = append(open, s.Next(e.Number)-1)
			c.depth = max(c.depth, int64(len(open)))
		}
		switch e.Kind {
		case kind.ReferenceNode, kind.StructNode:
			c.nodes++
			if typ := s.TypeName(ctx, e); typ != "" {
				c.types[typ]++
			}
		case kind.InternalReference:
			c.references++
		case kind.ExternalByIndex, kind.ExternalByGUID, kind.ExternalByString:
			c.externals++
		case kind.PrimitiveArray:
			c.primitives++
		}
	})
}

// facts returns the identity card of the file.
func (d *document) facts(ctx context.Context, quick bool, progress model.Progress) ([]model.Fact, error) {
	facts := []model.Fact{{Key: "encoding", Title: "Encoding", Value: d.encodings(ctx)}}
	if d.inCarrier() {
		facts = append(facts, model.Fact{Key: "payloads", Title: "Payloads", Value: d.payloadFacts(ctx)})
	} else if gzip := d.payloads[0].once.Made().gzip; gzip != nil {
		facts = append(facts, model.Fact{Key: "wrapper", Title: "Wrapper", Value: model.Text("gzip")},
			model.Fact{Key: "inflated", Title: "Inflated bytes", Value: model.Int(gzip.src.Size())})
	}
	scanned := []model.Fact{
		{Key: "entries", Title: "Entries"}, {Key: "nodes", Title: "Nodes", Main: true}, {Key: "references", Title: "Internal references"},
		{Key: "externalReferences", Title: "External references"}, {Key: "primitiveArrays", Title: "Primitive arrays"}, {Key: "depth", Title: "Depth"}, {Key: "types", Title: "Types"},
	}
	for i := range scanned {
		scanned[i].Scan = true
	}
	if quick {
		return append(facts, scanned...), nil
	}
	total := census{types: map[string]int64{}}
	entries := int64(0)
	for _, p := range d.payloads {
		s := p.stream(ctx)
		if s == nil {
			continue
		}
		if err := total.add(ctx, progress, s); err != nil {
			return nil, err
		}
		entries += s.EntryCount()
	}
	for i, n := range []int64{entries, total.nodes, total.references, total.externals, total.primitives, total.depth} {
		scanned[i].Value = model.Int(n)
	}
	scanned[6].Value = total.typeFacts()
	facts = append(facts, scanned...)
	udon, err := d.udonFacts(ctx, progress)
	return append(facts, udon...), err
}

// encodings returns the forms of the streams, in their order.
func (d *document) encodings(ctx context.Context) model.Value {
	var words []string
	seen := map[string]bool{}
	for _, p := range d.payloads[:min(len(d.payloads), maxPayloadFacts)] {
		if s := p.stream(ctx); s != nil && !seen[s.Encoding()] {
			seen[s.Encoding()] = true
			words = append(words, s.Encoding())
		}
	}
	switch len(words) {
	case 0:
		return model.Text("none")
	case 1:
		return model.Text(words[0])
	}
	list := model.Seq{}
	for _, w := range words {
		list = append(list, model.Text(w))
	}
	return list
}

// maxPayloadFacts bounds the payloads that facts list.
const maxPayloadFacts = 64

// payloadFacts lists the payloads of a Unity file.
func (d *document) payloadFacts(ctx context.Context) model.Value {
	list := model.Seq{}
	for _, p := range d.payloads[:min(len(d.payloads), maxPayloadFacts)] {
		o := model.Object{{Key: "field", Value: model.Text(p.field.Carrier.Field)}, {Key: "in", Value: model.Text(p.field.Carrier.String())}}
		if s := p.stream(ctx); s != nil {
			o = append(o, model.Member{Key: "encoding", Value: model.Text(s.Encoding())},
				model.Member{Key: "source", Value: model.Text(s.Source().Name())}, model.Member{Key: "size", Value: model.Int(s.Bounds().Len)})
		}
		list = append(list, o)
	}
	return list
}

// typeFacts lists the types with their numbers of nodes, the most frequent first.
func (c *census) typeFacts() model.Value {
	names := make([]string, 0, len(c.types))
	for name := range c.types {
		names = append(names, name)
	}
	sort.Slice(names, func(i, j int) bool {
		a, b := c.types[names[i]], c.types[names[j]]
		return a > b || a == b && names[i] < names[j]
	})
	list := model.Seq{}
	for _, name := range names[:min(len(names), maxCounted)] {
		list = append(list, model.Object{{Key: "type", Value: model.Text(name)}, {Key: "name", Value: model.Text(dotnet.Readable(name))},
			{Key: "nodes", Value: model.Int(c.types[name])}})
	}
	return list
}

// udonFacts returns sums over the programs, or none if there are none.
func (d *document) udonFacts(ctx context.Context, progress model.Progress) ([]model.Fact, error) {
	var total udon.Totals
	for _, p := range d.payloads {
		o, err := p.open(ctx)
		if err != nil {
			continue
		}
		if err := o.udon.Count(ctx, progress, &total); err != nil {
			return nil, err
		}
	}
	var facts []model.Fact
	add := func(key, title string, n int64) {
		facts = append(facts, model.Fact{Key: key, Title: title, Value: model.Int(n), Scan: true, Main: key != "heapCapacity"})
	}
	if total.Programs > 0 {
		add("instructions", "Udon instructions", total.Instructions)
		add("heapSize", "Udon heap slots in use", total.Slots)
		add("heapCapacity", "Udon heap capacity", total.Capacity)
		add("symbols", "Udon symbols", total.Symbols)
		add("entryPoints", "Udon entry points", total.Points)
	}
	if total.Variables > 0 {
		add("variables", "Udon public variables", total.Variables)
	}
	return facts, nil
}

// check reports the problems that the layout cannot see: those of the programs.
func (d *document) check(ctx context.Context, progress model.Progress, report func(path string, p model.Problem)) error {
	for _, p := range d.payloads {
		o, err := p.open(ctx)
		if err != nil {
			continue
		}
		pathOf := func(path string, _ int64) string { return path }
		if !d.udonShown {
			pathOf = func(_ string, program int64) string { return o.s.Path(ctx, model.LayoutView, program) }
		}
		if err := o.udon.Check(ctx, progress, pathOf, report); err != nil {
			return err
		}
	}
	return nil
}
