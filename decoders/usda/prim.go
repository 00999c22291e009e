package usda

import (
	"context"
	"math"
	"slices"
	"sort"
	"strings"

	"cutaway/model"
)

// A site is a spec that says something of a prim: its own, that of a chosen variant, or one that it refers to in the layer.
type site struct {
	kids model.Children
	path string // below the root of the scene
}

// A prim is composed of the specs of one layer, the strongest first.
type prim []site

// field returns the strongest opinion on a field, or a node without a name if there is none.
func (p prim) field(ctx context.Context, name string) (n model.Node) {
	for _, s := range p {
		if n = kid(ctx, s.kids, name); n.Name != "" {
			return n
		}
	}
	return n
}

// text returns the strongest opinion on a field if that is text, or "".
func (p prim) text(ctx context.Context, name string) string {
	t, _ := p.field(ctx, name).Value.(model.Text)
	return string(t)
}

// A timedValue is the value of a property at a time.
type timedValue struct {
	at    model.Value // or nil
	next  model.Value // that of the next sample, or nil
	part  float64     // of the way from the one to the other, from 0 to 1
	timed bool        // other times may have other values
}

// value returns the value of a property at a time. At no time, a value without one goes before the first sample.
func (p prim) value(ctx context.Context, property string, time float64) (v timedValue) {
	for _, s := range p {
		values := kid(ctx, s.kids, property).Children
		if values == nil {
			continue
		}
		fixed := kid(ctx, values, "default").Value
		samples := kid(ctx, values, "timeSamples").Children
		n := int64(0)
		if samples != nil {
			n, _ = samples.Len(ctx)
		}
		switch {
		case n > 0 && (fixed == nil || !math.IsNaN(time)):
			return sampled(ctx, samples, n, time)
		case isSaid(fixed):
			return timedValue{at: fixed, timed: n > 0}
		}
	}
	return timedValue{}
}

// isSaid reports whether a value is one, and not blocked.
func isSaid(v model.Value) bool {
	_, blocked := v.(model.None)
	return v != nil && !blocked
}

// sampled returns the value at a time between n samples: the last before, the next, and the part of the way.
func sampled(ctx context.Context, samples model.Children, n int64, time float64) timedValue {
	part := func(i int64, name string) model.Value { return kid(ctx, samples.At(ctx, i).Children, name).Value }
	at := func(i int64) float64 {
		f, _ := model.FloatOf(part(i, "time"))
		return f
	}
	k := int64(0)
	if !math.IsNaN(time) {
		k = max(int64(sort.Search(int(n), func(i int) bool { return at(int64(i)) > time }))-1, 0)
	}
	v := timedValue{at: part(k, "value"), timed: n > 1}
	if !isSaid(v.at) {
		v.at = nil
	}
	if from := at(k); k+1 < n && time > from {
		v.next = part(k+1, "value")
		v.part = (time - from) / (at(k+1) - from)
	}
	return v
}

// numbers returns the components of a value, between two samples those between them, or nil.
func (v timedValue) numbers() []float64 {
	list := floats(v.at)
	if next := floats(v.next); v.part > 0 && len(next) == len(list) {
		for i := range list {
			list[i] += (next[i] - list[i]) * v.part
		}
	}
	return list
}

// floats returns the components of a number, vector or matrix, or nil.
func floats(v model.Value) (list []float64) {
	for _, c := range numbersOf(v) {
		f, _ := model.FloatOf(c)
		list = append(list, f)
	}
	return list
}

// Limits of composing a prim.
const (
	mostSites = 64 // specs of a prim
	mostDeep  = 8  // references that lead to others
	mostItems = 64 // of a list of references
)

// compose adds to specs those of chosen variants and those that they refer to in the layer.
func compose(ctx context.Context, root model.Children, specs []site) (all prim) {
	var add func(s site, deep int)
	add = func(s site, deep int) {
		if len(all) == mostSites || deep > mostDeep || slices.ContainsFunc(all, func(o site) bool { return o.path == s.path }) {
			return
		}
		all = append(all, s)
		sets := kid(ctx, s.kids, "variantSetChildren").Value
		for _, set := range texts(ctx, sets) {
			for _, o := range all {
				chosen, is := kid(ctx, kid(ctx, o.kids, "variantSelection").Children, set).Value.(model.Text)
				if !is {
					continue
				}
				if v := kid(ctx, s.kids, "{"+set+"="+string(chosen)+"}"); v.Children != nil {
					add(site{v.Children, join(s.path, &v)}, deep+1)
				}
				break
			}
		}
		for _, arc := range []string{"inheritPaths", "references", "payload", "specializes"} {
			for _, path := range internal(ctx, root, kid(ctx, s.kids, arc).Children) {
				if to, ok := find(ctx, root, path); ok {
					add(to, deep+1)
				}
			}
		}
	}
	for _, s := range specs {
		add(s, 0)
	}
	return all
}

// join returns the path of a node below that at path.
func join(path string, n *model.Node) string {
	if path == "" {
		return model.EscapeSegment(n.InPath())
	}
	return path + "/" + model.EscapeSegment(n.InPath())
}

// texts returns the first elements of an array of text.
func texts(ctx context.Context, v model.Value) (list []string) {
	a, is := v.(model.Array)
	if !is {
		return nil
	}
	buf := make([]model.Value, min(a.Len(), mostItems))
	n, _ := a.Read(ctx, 0, buf)
	for _, v := range buf[:n] {
		t, _ := v.(model.Text)
		list = append(list, string(t))
	}
	return list
}

// internal returns the paths of prims of the layer itself that a list of references, or of paths, has.
func internal(ctx context.Context, root, op model.Children) (paths []string) {
	if op == nil {
		return nil
	}
	for _, word := range []string{"explicit", "prepended", "added", "appended"} {
		list := kid(ctx, op, word)
		paths = append(paths, texts(ctx, list.Value)...)
		if list.Value != nil || list.Children == nil {
			continue
		}
		n, _ := list.Children.Len(ctx)
		for i := range min(n, mostItems) {
			item := list.Children.At(ctx, i).Children
			asset, _ := kid(ctx, item, "assetPath").Value.(model.Text)
			path, _ := kid(ctx, item, "primPath").Value.(model.Text)
			if asset != "" {
				continue
			}
			if path == "" {
				first, _ := kid(ctx, root, "defaultPrim").Value.(model.Text)
				path = "/" + first
			}
			paths = append(paths, string(path))
		}
	}
	return paths
}

// find returns the spec of the prim at a path of the layer.
func find(ctx context.Context, root model.Children, path string) (s site, ok bool) {
	s.kids = root
	for name := range strings.SplitSeq(strings.TrimPrefix(path, "/"), "/") {
		n := kid(ctx, s.kids, name)
		if n.Type != "prim" || n.Children == nil {
			return site{}, false
		}
		s = site{n.Children, join(s.path, &n)}
	}
	return s, true
}

// A lower prim is below another: it has a name, and specs by those above.
type lower struct {
	name  string
	specs []site
}

// children returns the prims below a prim. It visits the nodes once, since finding one by name may take as long.
func (p prim) children(ctx context.Context) (list []lower) {
	known := make(map[string]int)
	for _, s := range p {
		n, _ := s.kids.Len(ctx)
		for i := range n {
			c := model.Lean(ctx, s.kids, i)
			if c.Type != "prim" || c.Children == nil {
				continue
			}
			k, is := known[c.Name]
			if !is {
				k = len(list)
				known[c.Name], list = k, append(list, lower{name: c.Name})
			}
			list[k].specs = append(list[k].specs, site{c.Children, join(s.path, &c)})
		}
		if ctx.Err() != nil {
			break
		}
	}
	return list
}
