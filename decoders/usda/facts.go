package usda

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"cutaway/model"
)

// mostNamed is the most names that a fact lists: of prim types, layers, assets.
const mostNamed = 1000

// Facts collects the facts of a scene, in crates and text alike.
type Facts struct {
	Types map[string]int64 // number of prims by type name

	root                         map[string]model.Value
	references, payloads, assets model.Seq
	seen                         map[usedName]bool
}

type usedName struct {
	list *model.Seq
	name string
}

// NewFacts returns Facts without any entries.
func NewFacts() *Facts {
	return &Facts{Types: map[string]int64{}, root: map[string]model.Value{}, seen: map[usedName]bool{}}
}

// layerFacts are the facts that fields of the root state.
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

// Root adds a field of the root. It reads at most mostNamed elements of an array.
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

// Reference adds the asset path of a reference.
func (f *Facts) Reference(path string) { f.name(&f.references, path) }

// Payload adds the asset path of a payload.
func (f *Facts) Payload(path string) { f.name(&f.payloads, path) }

// Asset adds an asset path that is a value.
func (f *Facts) Asset(path string) { f.name(&f.assets, path) }

// Assets adds the elements of an array of asset paths, at most mostNamed.
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

// Unscanned returns the facts that need a scan, without values.
func Unscanned() []model.Fact {
	var facts []model.Fact
	for _, l := range layerFacts {
		facts = append(facts, model.Fact{Key: l.key, Title: l.title, Scan: true})
	}
	return append(facts, model.Fact{Key: "primTypes", Title: "Prims by type", Scan: true, Main: true})
}

// All returns the facts that have a value.
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
			facts = append(facts, model.Fact{Key: l.key, Title: l.title, Value: l.value, Scan: true, Main: true, Files: true})
		}
	}
	return facts
}

// types returns the prim types, most frequent first.
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
