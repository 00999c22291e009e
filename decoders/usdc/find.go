package usdc

import (
	"context"
	"errors"
	"strconv"
	"strings"

	"cutaway/model"
)

// maxFound bounds the places that a search for owners returns.
const maxFound = 1000

// eachOwner visits the specs that have a field, with the position in the list of field sets that it has there, until
// visit returns false.
func (x *scene) eachOwner(ctx context.Context, field int64, progress model.Progress, visit func(spec, position int32) bool) error {
	positions, err := x.c.positionsOf(ctx, field, progress)
	if err != nil {
		return err
	}
	for k, position := range positions {
		if k&1023 == 1023 && ctx.Err() != nil {
			return ctx.Err()
		}
		specs, err := x.c.specsOver(ctx, int64(position), progress)
		if err != nil {
			return err
		}
		for _, spec := range specs {
			if !visit(spec, position) {
				return nil
			}
		}
	}
	return nil
}

// startOf is where the field set begins that holds position i of the list.
func (s *fieldSets) startOf(i int64) int64 {
	i = min(i, int64(len(s.list)))
	for i > 0 && s.list[i-1] != none {
		i--
	}
	return i
}

// specPath is the path of the scene node that shows a spec.
func (x *scene) specPath(ctx context.Context, spec int32) string {
	if item, ok := x.paths.itemOf(x.specs.paths[spec]); ok {
		if own, is := x.spec(item); is && own == int64(spec) {
			return x.path(ctx, item)
		}
	}
	return sceneView + "/" + model.EscapeSegment(strayName(spec))
}

// ownerPath is the path of the scene node of the field at a position of the list, as spec has it.
func (x *scene) ownerPath(ctx context.Context, spec int32, position int64) string {
	start := x.specs.sets[spec]
	return x.specPath(ctx, spec) + "/" + model.EscapeSegment(x.fieldName(ctx, x.sets.group(start), position-int64(start)))
}

// found collects places without repeating them.
type found struct {
	paths []string
	seen  map[string]bool
}

func (f *found) add(path string) bool {
	if f.seen == nil {
		f.seen = map[string]bool{}
	}
	if !f.seen[path] {
		f.seen[path] = true
		f.paths = append(f.paths, path)
	}
	return len(f.paths) < maxFound
}

// findInScene returns the scene nodes that own the bytes of s: of a value or rep the fields that have it, of a token
// the fields and paths it names, of an item or spec its node.
func (c *crate) findInScene(ctx context.Context, s model.Span) ([]string, error) {
	x, err := c.sceneIndex(ctx, nil)
	if err != nil {
		return nil, err
	}
	f := &found{}
	err = x.ownersOf(ctx, s, f)
	return f.paths, err
}

// entries is a range of entries of one table.
type entries struct {
	table       string // "token", "string", "field", "position", "item", "spec", "value"
	first, last int64
}

// entriesAt tells which entries of which table have the bytes of s.
func (x *scene) entriesAt(ctx context.Context, s model.Span) (entries, bool) {
	rest, ok := strings.CutPrefix(s.Source.Name(), x.c.layout+"/")
	if s.Source == x.c.src {
		return x.plainEntriesAt(ctx, s)
	}
	owner, inflated := strings.CutSuffix(rest, "@"+inflatedName)
	if !ok || !inflated {
		return entries{}, false
	}
	last := s.End() - 1
	switch section, list, _ := strings.Cut(owner, "/"); {
	case section == "TOKENS":
		t, err := x.c.tokens(ctx, nil)
		if err != nil {
			return entries{}, false
		}
		return rangeOf(ctx, "token", t.find, s)
	case owner == "FIELDS/reps":
		return entries{"field", s.Off / repSize, last / repSize}, true
	case owner == "FIELDS/names":
		return x.field.nameInts.entriesAt(ctx, "field", s)
	case section == "FIELDSETS":
		return x.sets.ints.entriesAt(ctx, "position", s)
	case section == "PATHS":
		ints := map[string]*cints{"pathIndexes": x.paths.indexInts, "elementTokenIndexes": x.paths.tokenInts, "jumps": x.paths.jumpInts}[list]
		return ints.entriesAt(ctx, "item", s)
	case section == "SPECS":
		ints := map[string]*cints{"pathIndexes": x.specs.pathInts, "fieldSetIndexes": x.specs.setInts, "types": x.specs.typeInts}[list]
		return ints.entriesAt(ctx, "spec", s)
	}
	return entries{}, false
}

// rangeOf is the entries from the one over the first byte of s to the one over its last.
func rangeOf(ctx context.Context, table string, find func(context.Context, *model.Source, int64) (int64, bool), s model.Span) (entries, bool) {
	first, ok := find(ctx, s.Source, s.Off)
	last, okLast := find(ctx, s.Source, s.End()-1)
	if !okLast {
		last = first
	}
	return entries{table, first, last}, ok
}

// entriesAt is the coded integers that have the bytes of s, by the mask if they share a byte.
func (k *cints) entriesAt(ctx context.Context, table string, s model.Span) (entries, bool) {
	if k == nil {
		return entries{}, false
	}
	l, err := k.load(ctx, nil)
	if err != nil {
		return entries{}, false
	}
	first, ok := l.find(ctx, s.Off)
	last, okLast := l.find(ctx, s.End()-1)
	if !okLast {
		last = first
	}
	if s.Off >= l.width && s.Off < l.deltas && s.Len == 1 {
		last = first + 3
		for bits := uint(0); bits < 8 && s.Mask != 0; bits += 2 {
			if s.Mask>>bits&3 != 0 {
				return entries{table, first + int64(bits/2), first + int64(bits/2)}, ok
			}
		}
	}
	return entries{table, first, min(last, l.good-1)}, ok
}

// plainEntriesAt is entriesAt for bytes of the file that no buffer is compressed in.
func (x *scene) plainEntriesAt(ctx context.Context, s model.Span) (entries, bool) {
	sec := x.c.toc.over(s.Off)
	if sec == nil {
		return entries{"value", s.Off, s.End() - 1}, x.c.regionAt(s.Off) != nil
	}
	rows := func(table string, off, size, n int64) (entries, bool) {
		if n == 0 || s.Off < off || s.Off >= off+n*size {
			return entries{}, false
		}
		return entries{table, (s.Off - off) / size, min((s.End()-1-off)/size, n-1)}, true
	}
	switch {
	case sec.name == "STRINGS":
		if t, err := x.c.strings(ctx, nil); err == nil {
			return rows("string", t.off, 4, t.n)
		}
	case x.c.inflated():
	case sec.name == "TOKENS":
		if t, err := x.c.tokens(ctx, nil); err == nil {
			return rangeOf(ctx, "token", t.find, s)
		}
	case sec.name == "FIELDS":
		return rows("field", x.field.off-oldFieldValue, oldFieldSize, x.field.n)
	case sec.name == "FIELDSETS":
		return rows("position", x.sets.off, 4, int64(len(x.sets.list)))
	case sec.name == "SPECS":
		return rows("spec", x.specs.off, x.specs.stride, x.specs.count())
	case sec.name == "PATHS" && x.paths.old != nil:
		if item, ok := x.paths.old.over(ctx, s.Off); ok {
			return entries{"item", int64(item), int64(item)}, true
		}
	}
	return entries{}, false
}

// ownersOf adds the scene nodes of the entries that have the bytes of s.
func (x *scene) ownersOf(ctx context.Context, s model.Span, f *found) error {
	return x.eachEntry(ctx, s, func(table string, i int64) error {
		if len(f.paths) >= maxFound {
			return errEnough
		}
		return x.ownersOfEntry(ctx, table, i, f)
	})
}

// errEnough ends a search.
var errEnough = errors.New("enough")

// eachEntry visits the entries that have the bytes of s. Of bytes inside a compressed buffer those are the entries
// that were made of them.
func (x *scene) eachEntry(ctx context.Context, s model.Span, visit func(table string, i int64) error) error {
	spans, err := x.inflated(ctx, s)
	if err != nil {
		return err
	}
	for _, s := range spans {
		e, ok := x.entriesAt(ctx, s)
		for i := e.first; ok && i <= e.last; i++ {
			if err := visit(e.table, i); err != nil {
				if errors.Is(err, errEnough) {
					return nil
				}
				return err
			}
			if e.table == "value" {
				break
			}
		}
	}
	return nil
}

// inflated turns bytes inside a compressed buffer of a section into those that were made of them; others stay.
func (x *scene) inflated(ctx context.Context, s model.Span) ([]model.Span, error) {
	sec := x.c.toc.over(s.Off)
	if s.Source != x.c.src || sec == nil {
		return []model.Span{s}, nil
	}
	buffers, err := x.c.buffersOf(ctx, sec.name, nil)
	if err != nil {
		return nil, err
	}
	for _, b := range buffers {
		if !b.span.Covers(s.Source, s.Off) {
			continue
		}
		in, err := b.inflate(ctx)
		if err != nil {
			return nil, err
		}
		ranges, err := in.src.Origin().Map.To(ctx, s.Off, s.Len)
		var spans []model.Span
		for _, r := range ranges {
			if len(spans) < maxFound {
				spans = append(spans, in.src.Span(r.Off, r.Len))
			}
		}
		return spans, err
	}
	return []model.Span{s}, nil
}

func (x *scene) ownersOfEntry(ctx context.Context, table string, i int64, f *found) error {
	switch table {
	case "value":
		return x.ownersOfValue(ctx, i, f)
	case "token":
		return x.ownersOfToken(ctx, i, f)
	case "string":
		token, err := x.c.stringToken(ctx, uint32(i))
		if err != nil {
			return nil
		}
		return x.ownersOfToken(ctx, int64(token), f)
	case "field":
		return x.ownersOfField(ctx, i, f)
	case "position":
		specs, err := x.c.specsOver(ctx, i, nil)
		if err != nil {
			return err
		}
		for _, spec := range specs {
			path := x.specPath(ctx, spec)
			if i < int64(len(x.sets.list)) && x.sets.list[i] != none {
				path = x.ownerPath(ctx, spec, i)
			}
			if !f.add(path) {
				break
			}
		}
	case "item":
		if i < x.paths.items() && x.paths.parent[i] != unreached {
			f.add(x.path(ctx, int32(i)))
		}
	case "spec":
		if i < x.specs.count() {
			f.add(x.specPath(ctx, int32(i)))
		}
	}
	return nil
}

func (x *scene) ownersOfField(ctx context.Context, field int64, f *found) error {
	return x.eachOwner(ctx, field, nil, func(spec, position int32) bool {
		return f.add(x.ownerPath(ctx, spec, int64(position)))
	})
}

func (x *scene) ownersOfToken(ctx context.Context, token int64, f *found) error {
	items, err := x.c.itemsNamed(ctx, token, nil)
	if err != nil {
		return err
	}
	for _, item := range items {
		if x.paths.parent[item] != unreached && !f.add(x.path(ctx, item)) {
			return nil
		}
	}
	fields, err := x.c.fieldsNamed(ctx, token, nil)
	if err != nil {
		return err
	}
	for _, field := range fields {
		if len(f.paths) >= maxFound {
			return nil
		}
		if err := x.ownersOfField(ctx, int64(field), f); err != nil {
			return err
		}
	}
	return nil
}

// ownersOfValue adds the fields whose value, or a value nested in it, has the byte at off.
func (x *scene) ownersOfValue(ctx context.Context, off int64, f *found) error {
	u, err := x.c.usesOf(ctx, nil)
	if err != nil {
		return err
	}
	for _, field := range u.fieldsOver(off) {
		if len(f.paths) >= maxFound {
			return nil
		}
		if err := x.ownersOfField(ctx, int64(field), f); err != nil {
			return err
		}
	}
	return nil
}

// findInPathTree returns the nodes of the path tree whose numbers have the bytes of s, or whose element is a token
// that has them.
func (c *crate) findInPathTree(ctx context.Context, s model.Span) ([]string, error) {
	x, err := c.sceneIndex(ctx, nil)
	if err != nil {
		return nil, err
	}
	f := &found{}
	err = x.eachEntry(ctx, s, func(table string, i int64) error {
		items := []int32{int32(i)}
		switch table {
		case "token":
			if items, err = c.itemsNamed(ctx, i, nil); err != nil {
				return err
			}
		case "item":
		default:
			return errEnough
		}
		for _, item := range items {
			if !f.add(x.paths.treePath(item)) {
				return errEnough
			}
		}
		return nil
	})
	return f.paths, err
}

// cutValue reads the offset out of "values/0x58", the path of a value's node below the layout's root, and of what is
// below it.
func (c *crate) cutValue(path string) (off int64, ok bool) {
	segments := strings.Split(path, "/")
	if len(segments) < 2 || !strings.HasPrefix(segments[0], valuesName) {
		return 0, false
	}
	off, err := strconv.ParseInt(segments[1], 0, 64)
	return off, err == nil
}
