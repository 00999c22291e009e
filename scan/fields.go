package scan

import (
	"bytes"
	"context"
	"encoding/json"
	"math"
	"slices"
	"strings"

	"cutaway/model"
	"cutaway/model/export"
	"cutaway/model/timeline"
)

// Tracks is the key of the fact that lists the tracks of a document with their rates and gaps.
const Tracks = "tracks"

// mostChildren is the most children of a node in a fact.
const mostChildren = 1000

// factsOf returns the facts with a single value that need no scan, and those that were asked for: facts by key, even if
// they need a scan, the tracks, and values of nodes by path. titles maps keys to titles for people.
func (o *Options) factsOf(ctx context.Context, d *model.Document) (facts model.Object, titles map[string]string, err error) {
	list, err := o.card(ctx, d)
	if err != nil {
		return nil, nil, err
	}
	titles = map[string]string{}
	for _, fact := range list {
		_, isList := fact.Value.(model.Seq)
		_, isObject := fact.Value.(model.Object)
		if slices.Contains(o.Fields, fact.Key) || fact.Value != nil && !isList && !isObject {
			facts, titles[fact.Key] = append(facts, model.Member{Key: fact.Key, Value: fact.Value}), fact.Title
		}
	}
	for _, key := range o.Fields {
		var value model.Value
		switch {
		case slices.ContainsFunc(facts, func(m model.Member) bool { return m.Key == key }):
			continue
		case key == Tracks:
			value, err = tracks(ctx, d)
		case strings.Contains(key, "/"):
			value, err = nodeValue(ctx, d, key)
		default:
			continue // a fact of other formats
		}
		if err != nil {
			return facts, titles, err
		}
		facts = append(facts, model.Member{Key: key, Value: value})
	}
	return facts, titles, nil
}

// card returns the facts of a document. Those that need a scan have no value unless one was asked for.
func (o *Options) card(ctx context.Context, d *model.Document) ([]model.Fact, error) {
	if d.Facts == nil {
		return nil, nil
	}
	list, err := d.Facts(ctx, true, nil)
	if err == nil && slices.ContainsFunc(list, func(f model.Fact) bool { return f.Value == nil && f.Scan && slices.Contains(o.Fields, f.Key) }) {
		return d.Facts(ctx, false, nil)
	}
	return list, err
}

// tracks describes the times of the first view that has any, or returns nil.
func tracks(ctx context.Context, d *model.Document) (model.Value, error) {
	i := slices.IndexFunc(d.Views, func(v *model.View) bool { return v.Timeline != nil })
	if i < 0 {
		return nil, nil
	}
	list, err := d.Views[i].Timeline(ctx, nil)
	if err != nil {
		return nil, err
	}
	described := model.Seq{}
	for k := range list {
		f, err := timeline.Of(ctx, &list[k])
		if err != nil {
			return nil, err
		}
		rate, largest := math.NaN(), math.NaN()
		if n := f.Track.Count; n > 1 && f.Last > f.First {
			rate = float64(n-1) / (f.Last - f.First)
		}
		for _, g := range f.Gaps {
			if by := g.To - g.From; !(by <= largest) {
				largest = by
			}
		}
		described = append(described, model.Object{{Key: "track", Value: model.Text(f.Track.Name)}, {Key: "count", Value: model.Int(f.Track.Count)},
			{Key: "first", Value: orNull(f.First)}, {Key: "last", Value: orNull(f.Last)}, {Key: "rate", Value: orNull(rate)}, {Key: "median", Value: orNull(f.Median)},
			{Key: "gaps", Value: model.Int(len(f.Gaps))}, {Key: "largestGap", Value: orNull(largest)}, {Key: "unordered", Value: model.Int(len(f.Unordered))}})
	}
	return described, nil
}

func orNull(x float64) model.Value {
	if math.IsNaN(x) {
		return nil
	}
	return model.Float64(x)
}

// nodeValue returns the value of the node at a path, or without one the values of its children by name. It returns nil
// if there is no such node.
func nodeValue(ctx context.Context, d *model.Document, path string) (model.Value, error) {
	p, err := d.Lookup(ctx, path)
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case err != nil:
		return nil, nil //nolint:nilerr // the file has no such node, as others of its format may
	case p.Node.Value != nil:
		return held(ctx, p.Node.Value)
	}
	if err := p.Resolve(ctx, nil); err != nil {
		return nil, err
	}
	n, _ := p.Len(ctx)
	var o model.Object
	for i := range min(n, mostChildren) {
		if child := p.Child(ctx, i); child.Node.Value != nil {
			o = append(o, model.Member{Key: child.Node.Name, Value: child.Node.Value})
		}
	}
	return held(ctx, o)
}

// held returns a value as JSON, shortened if long: it is used after the document is closed.
func held(ctx context.Context, v model.Value) (model.Value, error) {
	text, err := export.AppendValue(ctx, nil, v)
	if err != nil {
		return nil, err
	}
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.UseNumber()
	return readValue(dec, 0)
}
