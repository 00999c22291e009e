package usda

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"cutaway/model"
)

// mostNamed bounds how many names a fact lists: of prim types, layers, assets.
const mostNamed = 1000

// Facts are what a scene says of itself, whatever form the layer has.
type Facts struct {
	Types map[string]int64 // prims by the name of their type

	root                         map[string]model.Value
	references, payloads, assets model.Seq
	seen                         map[usedName]bool
}

type usedName struct {
	list *model.Seq
	name string
}

// NewFacts makes Facts of a scene of which nothing is known.
func NewFacts() *Facts {
	return &Facts{Types: map[string]int64{}, root: map[string]model.Value{}, seen: map[usedName]bool{}}
}

// layerFacts are the facts that are in fields of the root.
var layerFacts = []struct{ key, title string }{
	{"defaultPrim", "Default prim"},
	{"upAxis", "Up axis"},
	{"metersPerUnit", "Metres per unit"},
	{"startTimeCode", "Start time"},
	{"endTimeCode", "End time"},
	{"timeCodesPerSecond", "Times per second"},
	{"framesPerSecond", "Frames per second"},
	{"subLayers", "Sublayers"},
}

// Root takes a field of the root. Of an array as many elements are read as a fact lists.
func (f *Facts) Root(ctx context.Context, n *model.Node) {
	if v, ok := n.Value.(model.Array); !ok {
		f.root[n.Name] = n.Value
	} else if texts := firstOf(ctx, v); texts != nil {
		f.root[n.Name] = texts
	}
}

func firstOf(ctx context.Context, v model.Array) model.Seq {
	list := make([]model.Value, min(v.Len(), mostNamed))
	n, err := v.Read(ctx, 0, list)
	if err != nil {
		return nil
	}
	return list[:n]
}

// Reference takes the path of a file that the layer names in a reference.
func (f *Facts) Reference(path string) { f.name(&f.references, path) }

// Payload is Reference for payloads.
func (f *Facts) Payload(path string) { f.name(&f.payloads, path) }

// Asset is Reference for values that are asset paths.
func (f *Facts) Asset(path string) { f.name(&f.assets, path) }

// Assets takes the paths of an array of them, as many as a fact lists.
func (f *Facts) Assets(ctx context.Context, v model.Array) {
	for _, path := range firstOf(ctx, v) {
		if path, ok := path.(model.Text); ok {
			f.Asset(string(path))
		}
	}
}

func (f *Facts) name(list *model.Seq, path string) {
	if key := (usedName{list, path}); path != "" && !f.seen[key] && len(*list) < mostNamed {
		f.seen[key] = true
		*list = append(*list, model.Text(path))
	}
}

// Unscanned are the facts that a scan finds, without their values.
func Unscanned() []model.Fact {
	var facts []model.Fact
	for _, l := range layerFacts {
		facts = append(facts, model.Fact{Key: l.key, Title: l.title, Scan: true})
	}
	return append(facts, model.Fact{Key: "primTypes", Title: "Prims by type", Scan: true})
}

// All lists the facts; what the scene does not say is left out.
func (f *Facts) All() []model.Fact {
	facts := Unscanned()
	for i := range facts {
		facts[i].Value = f.root[facts[i].Key]
	}
	facts[len(facts)-1].Value = f.types()
	facts = slices.DeleteFunc(facts, func(fact model.Fact) bool { return fact.Value == nil })
	for _, l := range []struct {
		key, title string
		value      model.Seq
	}{{"references", "References", f.references}, {"payloads", "Payloads", f.payloads}, {"assets", "Assets", f.assets}} {
		if len(l.value) > 0 {
			facts = append(facts, model.Fact{Key: l.key, Title: l.title, Value: l.value, Scan: true})
		}
	}
	return facts
}

// types counts the prims of each type, the commonest first.
func (f *Facts) types() model.Seq {
	names := slices.SortedFunc(maps.Keys(f.Types), func(a, b string) int {
		return cmp.Or(cmp.Compare(f.Types[b], f.Types[a]), cmp.Compare(a, b))
	})
	all := model.Seq{}
	for _, name := range names[:min(len(names), mostNamed)] {
		all = append(all, model.Object{{Key: "type", Value: model.Text(name)}, {Key: "count", Value: model.Int(f.Types[name])}})
	}
	return all
}
