package usda

import (
	"strings"

	"cutaway/model"
)

// unfit returns the reason why text cannot hold a value, or "" if it can.
func (w *writer) unfit(n *model.Node) string {
	switch v := n.Value.(type) {
	case model.Array:
		element, _ := elementOf(n.Type)
		if _, known := TypeOf(element); !known {
			return "text has no values of type " + n.Type
		}
		return ""
	case nil:
		if strings.HasSuffix(n.Type, " edit") {
			return w.editUnfit(n)
		}
	case model.Symbol:
		if n.Type == "AnimationBlock" {
			return ""
		}
		return "text has no values of type " + n.Type
	case model.None:
		if n.Type == "ValueBlock" {
			return ""
		}
	default:
		if n.Type == pathType {
			if path := textOf(n); !IsPathValue(path) {
				return "USD takes no such path as <" + path + ">"
			}
			return ""
		}
		t, known := TypeOf(n.Type)
		if !known {
			return "text has no values of type " + n.Type
		}
		var ok bool
		if w.buf, ok = appendNumber(w.buf[:0], v, t.Scalar); !ok {
			return "USD takes no " + n.Type + " " + model.Show(w.ctx, v, 200)
		}
		return ""
	}
	return "the value, of type " + n.Type + ", is lost"
}

// plainUnfit is like unfit, for places where text allows no array edit.
func (w *writer) plainUnfit(n *model.Node) string {
	if strings.HasSuffix(n.Type, " edit") || n.Type == "ValueBlock" && n.Name != "default" || n.Type == "AnimationBlock" {
		return "text has no " + n.Type + " here"
	}
	return w.unfit(n)
}

// value writes a value that unfit accepts.
func (w *writer) value(n *model.Node) {
	typ := strings.TrimPrefix(n.Type, unregistered)
	switch v := n.Value.(type) {
	case model.Array:
		element, _ := elementOf(typ)
		w.array(v, types[element].Scalar, typ)
	case model.None:
		w.text("None")
	case model.Symbol:
		w.text(v.Name)
	case nil:
		w.edit(n)
	case model.Text:
		if typ != n.Type {
			w.text(string(v))
			return
		}
		if typ == pathType {
			w.text("<" + string(v) + ">")
			return
		}
		w.buf, _ = appendText(w.buf[:0], string(v), types[typ].Scalar)
		w.bytes(w.buf)
	default:
		w.buf, _ = appendNumber(w.buf[:0], v, types[typ].Scalar)
		w.bytes(w.buf)
	}
}

// array writes the elements of an array, and records those that are invalid or unreadable as lost.
func (w *writer) array(a model.Array, of Scalar, what string) {
	w.text("[")
	i := int64(0)
	err := each(w.ctx, a, func(v model.Value) bool {
		b := w.buf[:0]
		if i > 0 {
			b = append(b, ", "...)
		}
		var ok bool
		if w.buf, ok = appendNumber(b, v, of); ok {
			w.bytes(w.buf)
			i++
		} else {
			w.lose("field %s: after %d elements one that USD does not take: %s", what, i, model.Show(w.ctx, v, 100))
		}
		return !w.ended()
	})
	if err != nil {
		w.lose("field %s: only %d of %d elements can be read: %v", what, i, a.Len(), err)
	}
	w.text("]")
}

// dictionary writes the entries of a dictionary. Entries of a plain one are strings without types.
func (w *writer) dictionary(n *model.Node, plain bool, depth int) {
	if depth > maxDepth {
		w.text("{}")
		w.lose("limit: a dictionary: dictionaries nested deeper than %d are not written", maxDepth)
		return
	}
	w.text("{\n")
	w.indent++
	for _, e := range w.children(n) {
		key, ok := w.key(&e)
		w.problems(&e, key)
		typ := e.Type
		element, _ := elementOf(typ)
		_, known := TypeOf(element)
		if typ == pathType {
			typ, known = stringType, true // a path in quotes is read as a path anyway
		}
		switch {
		case !ok:
			w.lose("entry %s: the key is there once more", key)
		case typ == dictionaryType:
			w.start("dictionary " + dictionaryKey(key) + " = ")
			w.dictionary(&e, false, depth+1)
			w.text("\n")
		case plain && typ == stringType:
			w.line(Quote(key) + ": " + Quote(textOf(&e)) + ",")
		case plain || !known:
			w.lose("entry %s: text has no %s here", key, typ)
		default:
			if why := w.plainUnfit(&e); why != "" {
				w.lose("entry %s: %s", key, why)
				continue
			}
			w.start(typ + " " + dictionaryKey(key) + " = ")
			w.value(&e)
			w.text("\n")
		}
	}
	w.flushLost()
	w.indent--
	w.start("}")
}

// dictionaryKey returns a key as text, in quotes unless it is an identifier.
func dictionaryKey(key string) string {
	if _, isType := TypeOf(key); IsIdentifier(key) && !isType && !keywords[key] {
		return key
	}
	return Quote(key)
}

// listWords holds the lists of a list op and their keywords.
var listWords = []struct{ list, word string }{
	{"explicit", ""}, {"deleted", "delete "}, {"added", "add "}, {"prepended", "prepend "}, {"appended", "append "}, {"ordered", "reorder "},
}

// ListOp returns the node of a list op. Each of lists is named explicit, added, prepended, appended, deleted or
// ordered, and has an array or a child for each item.
func ListOp(name, typ string, explicit bool, lists ...model.Node) model.Node {
	bits := model.Node{Name: "bits", Type: "u8", Children: model.NewList(
		model.Node{Name: "isExplicit", Type: "bit", Value: model.Bool(explicit)})}
	return model.Node{Name: name, Type: typ, Children: model.NewList(append([]model.Node{bits}, lists...)...)}
}

// isExplicit reports whether readers take a list op as replacing the lists of weaker layers: it is marked explicit or
// has explicit items, and has no other list.
func (w *writer) isExplicit(n *model.Node) bool {
	bits := child(w.ctx, n, "bits")
	flag := child(w.ctx, &bits, "isExplicit")
	explicit := flag.Value == model.Value(model.Bool(true))
	for _, l := range listWords {
		if list := child(w.ctx, n, l.list); list.Type != "" {
			if explicit = l.list == "explicit"; !explicit {
				break
			}
		}
	}
	return explicit
}

// listOp writes a line for each list of a list op. Text can hold the explicit list or the others, but not both.
func (w *writer) listOp(key string, n *model.Node, typ string, start func(string), end func()) {
	explicit, written := w.isExplicit(n), false
	for _, l := range listWords {
		list := child(w.ctx, n, l.list)
		if list.Type == "" {
			continue
		}
		w.problems(&list, key)
		if l.list == "explicit" && !explicit {
			w.omitted.Reduce(w.at, "field "+key+": readers forget the explicit items beside other lists")
			continue
		}
		if w.items(l.word+key, key, &list, typ, start) {
			end()
			written = true
		}
	}
	switch {
	case explicit && !written && key == "variantSets":
		w.lose("field variantSetNames: an explicit list without items, which text cannot have")
	case explicit && !written:
		start(key + " = None")
		end()
	}
}

// items writes a list of a list op, unless it is empty.
func (w *writer) items(head, key string, list *model.Node, typ string, start func(string)) (written bool) {
	opening, closing := "[", "]"
	if w.isSingle(list) && singles[typ] {
		opening, closing = "", ""
	}
	separate := func() {
		if !written {
			start(head + " = " + opening)
		} else {
			w.text(", ")
		}
		written = true
	}
	if a, ok := list.Value.(model.Array); ok {
		err := each(w.ctx, a, func(v model.Value) bool {
			if text, ok := listItem(v, key, typ); ok {
				separate()
				w.text(text)
			} else {
				w.lose("field %s: USD takes no item %s", key, model.Show(w.ctx, v, 200))
			}
			return !w.ended()
		})
		if err != nil {
			w.lose("field %s: more items: %v", key, err)
		}
	} else {
		for _, item := range w.children(list) {
			w.problems(&item, key)
			if why := w.itemUnfit(&item); why != "" {
				w.lose("field %s: an item: %s", key, why)
				continue
			}
			separate()
			if item.Type == "Reference" || item.Type == "Payload" {
				w.arc(&item)
			} else if strings.HasSuffix(item.Type, dictionaryType) {
				w.dictionary(&item, false, 0)
			} else {
				w.text(textOf(&item))
			}
		}
	}
	if written {
		w.text(closing)
	}
	return written
}

// singles are the types of list ops whose only item is written without brackets.
var singles = map[string]bool{"PathListOp": true, "ReferenceListOp": true, "PayloadListOp": true}

func (w *writer) isSingle(list *model.Node) bool {
	if a, ok := list.Value.(model.Array); ok {
		return a.Len() == 1
	}
	return len(w.children(list)) == 1
}

// listItem returns an item that is a number, string or path as text.
func listItem(v model.Value, key, typ string) (string, bool) {
	s, isText := v.(model.Text)
	isWords := typ == "TokenListOp" || typ == "StringListOp" || typ == "PathListOp"
	switch {
	case isWords != isText:
		return "", false
	case !isText:
		b, ok := appendNumber(nil, v, Int64)
		return string(b), ok
	case typ != "PathListOp":
		return Quote(string(s)), key != "variantSets" || IsVariantName(string(s))
	case key == "inherits" || key == "specializes":
		return "<" + string(s) + ">", isArcPath(string(s))
	}
	return "<" + string(s) + ">", isTargetPath(string(s))
}

// itemUnfit returns the reason why an item of a list op cannot be written, or "" if it can.
func (w *writer) itemUnfit(n *model.Node) string {
	switch typ := n.Type; {
	case typ == "Reference", typ == "Payload":
		return w.arcUnfit(n)
	case strings.HasSuffix(typ, dictionaryType):
		return ""
	case strings.HasSuffix(typ, ": "+stringType) && listsValues(textOf(n)):
		return ""
	}
	return "of type " + n.Type + ", which USD cannot read"
}

// listsValues reports whether s is values separated by commas, the form of list op items of fields that no schema
// defines.
func listsValues(s string) bool {
	return IsValue("["+s+"]") && strings.TrimSpace(s) != ""
}

// arcUnfit returns the reason why a reference or payload cannot be written, or "" if it can.
func (w *writer) arcUnfit(n *model.Node) string {
	asset, prim := child(w.ctx, n, "assetPath"), child(w.ctx, n, "primPath")
	if asset.Type == "" || prim.Type == "" {
		return "it is cut short"
	}
	if path := textOf(&prim); path != "" && !isArcPath(path) {
		return "USD takes no such path as <" + path + ">"
	}
	if _, ok := QuoteAsset(textOf(&asset)); !ok {
		return "USD takes no such asset path"
	}
	return ""
}

// arc writes a reference or payload that arcUnfit accepts.
func (w *writer) arc(n *model.Node) {
	asset, prim := child(w.ctx, n, "assetPath"), child(w.ctx, n, "primPath")
	path := textOf(&prim)
	if s := textOf(&asset); s != "" {
		text, _ := QuoteAsset(s)
		w.text(text)
	} else if path == "" {
		w.text("<>")
	}
	if path != "" {
		w.text("<" + path + ">")
	}
	offset, data := child(w.ctx, n, "layerOffset"), child(w.ctx, n, "customData")
	parts := offsetParts(offset.Value)
	count := int64(0)
	if data.Children != nil {
		count, _ = data.Children.Len(w.ctx)
	}
	if len(parts) == 0 && count == 0 {
		return
	}
	w.text(" (" + strings.Join(parts, "; "))
	if count > 0 {
		if len(parts) > 0 {
			w.text("; ")
		}
		w.text("customData = ")
		w.dictionary(&data, false, 0)
	}
	w.text(")")
}
