package omnilive

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"cutaway/model"
)

// usdText is the layer as a USD text layer: prims, attributes, relationships, variants and their metadata, as far as
// text can hold them. What it cannot hold is listed in comments at the end.
type usdText struct {
	model.CardBase
	l *live
}

// Text implements model.Words.
func (c *usdText) Text(ctx context.Context) (string, error) {
	res, err := c.l.upTo.get(ctx, nil)
	if err != nil {
		return "", err
	}
	w := &usdWriter{ctx: ctx, l: c.l, res: res, lay: res.layer}
	w.layerText()
	if err := ctx.Err(); err != nil {
		return "", err
	}
	w.b.WriteString("\n")
	for _, s := range w.left {
		w.b.WriteString("# not written: " + strings.ReplaceAll(s, "\n", " ") + "\n")
	}
	return w.b.String(), nil
}

// maxLeft is how many things that cannot be written are listed.
const maxLeft = 1000

// usdWriter writes a layer.
type usdWriter struct {
	ctx    context.Context
	l      *live
	res    *result
	lay    *layer
	b      strings.Builder
	indent int
	left   []string // what was not written
}

func (w *usdWriter) line(format string, args ...any) {
	w.b.WriteString(strings.Repeat("    ", w.indent))
	fmt.Fprintf(&w.b, format, args...)
	w.b.WriteByte('\n')
}

// skip notes what cannot be written.
func (w *usdWriter) skip(n int32, what string) {
	switch {
	case len(w.left) < maxLeft:
		w.left = append(w.left, w.lay.path(n)+": "+what)
	case len(w.left) == maxLeft:
		w.left = append(w.left, "and more")
	}
}

// structural are the fields that the text has another place for than metadata, and those that the tree of sections
// itself says.
var structural = map[string]bool{
	"specifier": true, "typeName": true, "default": true, "custom": true, "variability": true, "timeSamples": true,
	"primChildren": true, "properties": true, "propertyChildren": true, "variantChildren": true, "variantSetChildren": true,
	"connectionChildren": true, "targetChildren": true, "primOrder": true, "propertyOrder": true, "subLayers": true,
	"subLayerOffsets": true,
}

// variantSets is how text spells the field variantSetNames.
const variantSets = "variantSets"

// spelled are the fields whose names differ in text.
var spelled = map[string]string{
	"documentation": "doc", "inheritPaths": "inherits", "variantSetNames": variantSets, "variantSelection": "variants",
}

// field is a field's value in a section; ok is false where it is not set.
func (w *usdWriter) field(n int32, key string) (x value, ok bool) {
	s := &w.lay.nodes[n]
	for i := range s.settings {
		if f := &s.settings[i]; f.live() && !f.sample && f.key == key {
			return w.value(f)
		}
	}
	return value{}, false
}

func (w *usdWriter) value(f *set) (x value, ok bool) {
	d := w.l.deltas[f.delta]
	r := d.carrier.buffer.Reader(w.ctx)
	defer d.carrier.buffer.Release(r)
	s, ok := d.setting(r, f.sample, f.index)
	at := d.valueSpan(&s)
	if !ok || at.Source == nil {
		return value{}, false
	}
	if s.external() {
		x, err := d.values.readPart(w.ctx, at, nil)
		return x, err == nil
	}
	x, err := d.values.readLong(w.ctx, at, 0, 0, nil)
	return x, err == nil
}

// plain is a field's text without quotes; "" where it is not set or no text.
func (w *usdWriter) plain(n int32, key string) string {
	x, ok := w.field(n, key)
	if !ok || x.raw || x.isArray {
		return ""
	}
	v, _ := x.show(w.ctx)
	switch v := v.(type) {
	case model.Text:
		return string(v)
	case model.Symbol:
		return v.Name
	case model.Bool:
		return fmt.Sprint(bool(v))
	}
	return ""
}

func (w *usdWriter) layerText() {
	w.b.WriteString("#usda 1.0\n")
	root := w.lay.find(rootID)
	if w.lay.alive(root) {
		lines := w.metadata(root)
		if x, ok := w.field(root, "subLayers"); ok {
			if text, fits := w.assets(&x); fits {
				lines = append(lines, "subLayers = "+text)
			} else {
				w.skip(root, "field subLayers")
			}
		}
		if len(lines) > 0 {
			w.line("(")
			w.lines(lines)
			w.line(")")
		}
		w.b.WriteString("\n")
		w.order(root)
		w.kids(root)
	}
	for _, n := range w.lay.orphans {
		w.skip(n, "its place is in a base that is not at hand; what is below it is not written either")
	}
}

func (w *usdWriter) lines(list []string) {
	w.indent++
	for _, l := range list {
		w.line("%s", l)
	}
	w.indent--
}

// kids writes the sections below a section.
func (w *usdWriter) kids(n int32) {
	for _, k := range w.lay.live(n) {
		if w.ctx.Err() != nil || w.indent > maxLevels {
			return
		}
		if why := w.unfit(k); why != "" {
			w.skip(k, why)
			continue
		}
		switch w.lay.nodes[k].specType {
		case specPrim:
			w.prim(k)
		case specAttribute:
			w.attribute(k)
		case specRelationship:
			w.relationship(k)
		case specVariantSet:
			w.variantSet(k)
		default:
			w.skip(k, specName(w.lay.nodes[k].specType))
		}
	}
}

// unfit says why a section cannot be written; "" where it can be.
func (w *usdWriter) unfit(n int32) string {
	s := &w.lay.nodes[n]
	fits := true
	switch s.specType {
	case specPrim, specVariantSet:
		fits = isIdentifier(s.name)
	case specAttribute, specRelationship:
		fits = isPropertyName(s.name)
	case specVariant:
		fits = isVariantName(s.name)
	}
	switch {
	case !fits:
		return "its name is not one that USD takes; what is below it is not written either"
	case w.lay.isTwin(n, w.lay.element(n)):
		return "a section of the same path is written"
	}
	return ""
}

func (w *usdWriter) prim(n int32) {
	specifier := w.plain(n, "specifier")
	if specifier == "" {
		specifier = "over"
	}
	head := specifier
	if t := w.plain(n, "typeName"); isWord(t) {
		head += " " + t
	}
	w.open(head+" "+quote(w.lay.nodes[n].name), w.metadata(n))
	w.order(n)
	w.kids(n)
	w.shut()
}

func (w *usdWriter) open(head string, meta []string) {
	if len(meta) == 0 {
		w.line("%s", head)
	} else {
		w.line("%s (", head)
		w.lines(meta)
		w.line(")")
	}
	w.line("{")
	w.indent++
}

func (w *usdWriter) shut() {
	w.indent--
	w.line("}")
}

// order writes the orders that are lists of names.
func (w *usdWriter) order(n int32) {
	for _, o := range [][2]string{{"primOrder", "nameChildren"}, {"propertyOrder", "properties"}} {
		x, ok := w.field(n, o[0])
		if !ok {
			continue
		}
		if text, fits := x.text(w.ctx); fits && x.typ == 41 {
			w.line("reorder %s = %s", o[1], text)
		} else {
			w.skip(n, "field "+o[0])
		}
	}
}

func (w *usdWriter) variantSet(n int32) {
	w.line("variantSet %s = {", quote(w.lay.nodes[n].name))
	w.indent++
	for _, k := range w.lay.live(n) {
		if w.lay.nodes[k].specType != specVariant {
			w.skip(k, specName(w.lay.nodes[k].specType))
			continue
		}
		if why := w.unfit(k); why != "" {
			w.skip(k, why)
			continue
		}
		w.variant(k)
	}
	w.shut()
}

func (w *usdWriter) variant(n int32) {
	head := quote(w.lay.nodes[n].name)
	if meta := w.metadata(n); len(meta) > 0 {
		w.line("%s (", head)
		w.lines(meta)
		w.line(") {")
	} else {
		w.line("%s {", head)
	}
	w.indent++
	w.order(n)
	w.kids(n)
	w.shut()
}

// targets lists the connections or targets below a property.
func (w *usdWriter) targets(n int32, specType uint32) string {
	var list []string
	for _, k := range w.lay.live(n) {
		if w.lay.nodes[k].specType == specType && !isPath(w.lay.nodes[k].name) {
			w.skip(k, "a path that USD does not take")
		} else if w.lay.nodes[k].specType == specType {
			list = append(list, "<"+w.lay.nodes[k].name+">")
			if len(w.lay.live(k))+len(w.lay.nodes[k].settings) > 0 {
				w.skip(k, "its fields and what is below it")
			}
		} else {
			w.skip(k, specName(w.lay.nodes[k].specType))
		}
	}
	switch len(list) {
	case 0:
		return ""
	case 1:
		return list[0]
	}
	return "[" + strings.Join(list, ", ") + "]"
}

func (w *usdWriter) attribute(n int32) {
	name, typ := w.lay.nodes[n].name, w.plain(n, "typeName")
	x, has := w.field(n, "default")
	if typ == "" && has {
		typ = x.usdType()
	}
	if typ == "" {
		typ = w.sampledType(n)
	}
	if !isWord(strings.TrimSuffix(typ, "[]")) {
		w.skip(n, "an attribute whose type is not known; what it has is not written either")
		return
	}
	head := typ + " " + name
	if w.plain(n, "variability") == "uniform" {
		head = "uniform " + head
	}
	if w.plain(n, "custom") == "true" {
		head = "custom " + head
	}
	line := head
	if has {
		if text, fits := x.text(w.ctx); fits && holds(typ, &x) {
			line += " = " + text
		} else {
			w.skip(n, "field default, "+x.typeName())
		}
	}
	if meta := w.metadata(n); len(meta) > 0 {
		w.line("%s (", line)
		w.lines(meta)
		w.line(")")
	} else {
		w.line("%s", line)
	}
	w.samples(n, head, typ)
	if to := w.targets(n, specConnection); to != "" {
		w.line("%s.connect = %s", head, to)
	}
}

// sampledType is the type of the first time sample that has one, in the order in which they were set.
func (w *usdWriter) sampledType(n int32) string {
	s := &w.lay.nodes[n]
	for i := range s.settings {
		if f := &s.settings[i]; f.live() && f.sample {
			if x, ok := w.value(f); ok && x.usdType() != "" && !x.raw {
				return x.usdType()
			}
		}
	}
	return ""
}

func (w *usdWriter) samples(n int32, head, typ string) {
	c := w.l.newChildren(w.ctx, w.res, n)
	for g, list := range c.lists {
		if c.extra[g].Type != samplesName {
			continue
		}
		w.line("%s.timeSamples = {", head)
		w.indent++
		for _, i := range list {
			f := &w.lay.nodes[n].settings[i]
			time := number(w.ctx, model.Float64(f.time))
			if x, ok := w.value(f); ok {
				if text, fits := x.text(w.ctx); fits && holds(typ, &x) && !math.IsNaN(f.time) && !math.IsInf(f.time, 0) {
					w.line("%s: %s,", time, text)
					continue
				}
			}
			w.skip(n, "the sample at "+time)
		}
		w.shut()
	}
}

func (w *usdWriter) relationship(n int32) {
	line := "rel " + w.lay.nodes[n].name
	if w.plain(n, "custom") == "true" {
		line = "custom " + line
	}
	if to := w.targets(n, specTarget); to != "" {
		line += " = " + to
	}
	if meta := w.metadata(n); len(meta) > 0 {
		w.line("%s (", line)
		w.lines(meta)
		w.line(")")
		return
	}
	w.line("%s", line)
}

// metadata is the lines of a section's other fields.
func (w *usdWriter) metadata(n int32) []string {
	var list []string
	s := &w.lay.nodes[n]
	for i := range s.settings {
		f := &s.settings[i]
		if !f.live() || f.sample || structural[f.key] {
			continue
		}
		x, ok := w.value(f)
		if !ok {
			w.skip(n, "field "+f.key+", whose value is not at hand")
			continue
		}
		key := f.key
		if name := spelled[key]; name != "" {
			key = name
		}
		switch text, fits := x.text(w.ctx); {
		case !isWord(key):
			w.skip(n, "field "+quote(f.key)+", whose name is no word")
		case !takes(f.key, &x):
			w.skip(n, "field "+f.key+", which does not hold "+x.typeName()+" in text")
		case !x.raw && x.known().shape.form == listOp:
			lines, fits := x.listOpText(w.ctx, key)
			if !fits {
				w.skip(n, "field "+f.key+", "+x.typeName())
				continue
			}
			list = append(list, lines...)
		case !fits:
			w.skip(n, "field "+f.key+", "+x.typeName())
		case key == "comment":
			list = append(list, text)
		default:
			list = append(list, key+" = "+text)
		}
	}
	return list
}

// takes tells whether metadata of a name can hold the value: USD's own has its types, any
// other all but symbols, paths and arcs.
func takes(key string, x *value) bool {
	if types, known := metadataTypes[key]; known {
		return slices.Contains(types, x.typeName())
	}
	if x.raw {
		return false
	}
	s := x.known().shape
	isEnum := s.form == fixed && s.most > 0 && !x.known().array
	ofArcs := s.form == listOp && s.item.form == record || s.form == record || x.known().name == "PathListOp"
	return !isEnum && !ofArcs
}

// assets writes a vector of strings as asset paths.
func (w *usdWriter) assets(x *value) (string, bool) {
	if x.raw || x.typ != 50 && x.typ != 41 {
		return "", false
	}
	return x.list(w.ctx, func(_ *shape, off, end int64) (string, bool) { return asset(w.ctx, x.v, off+4, end), true })
}
