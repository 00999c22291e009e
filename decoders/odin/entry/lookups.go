package entry

import (
	"context"

	"cutaway/decoders/odin/dotnet"
	"cutaway/decoders/odin/kind"
	"cutaway/model"
)

// What the entries of a stream mean to each other: types by their ids, nodes by theirs, elements by the node around
// them.

// typeName returns the name that a type id has at an entry.
func (s *Stream) typeName(ctx context.Context, id int32, at int64) (string, bool) {
	s.mu.RLock()
	d, ok := s.x.definedBefore(id, at)
	name, known := s.names[d.entry]
	s.mu.RUnlock()
	if !ok || int64(d.entry) == at {
		return "", false
	}
	if known {
		return name, true
	}
	name = s.Entry(ctx, int64(d.entry)).Type.Name
	if len(name) <= maxName && ctx.Err() == nil {
		s.mu.Lock()
		s.names[d.entry] = name
		s.mu.Unlock()
	}
	return name, true
}

// FindNode finds the reference node with an id among the entries scanned so far.
func (s *Stream) FindNode(ctx context.Context, id int64) (int64, bool) {
	if i, ok := s.found.Load(id); ok {
		return i.(int64), true
	}
	from, to, stray, isStray := s.candidates(id)
	for from >= 0 && ctx.Err() == nil {
		i, ok := s.nextRefNode(from, to)
		if !ok {
			break
		}
		e := s.Entry(ctx, i)
		if e.Node == id {
			if s.finds.Add(1) < maxFinds {
				s.found.Store(id, i)
			}
			return i, true
		}
		from = i + 1
	}
	return stray, isStray
}

// maxFinds bounds the ids whose nodes are remembered.
const maxFinds = 1 << 16

// elementKind returns the kind of the elements of primitive array i that the node around declares, or kind.Invalid if
// their size does not fit.
func (s *Stream) elementKind(ctx context.Context, i, size int64) kind.Kind {
	if k := s.declaredKind(ctx, i); k != kind.Invalid && k.Scalar().Size() == size {
		return k
	}
	return kind.Invalid
}

// declaredKind returns the kind of elements of the array that the node around entry i is, or kind.Invalid if it is no
// primitive array.
func (s *Stream) declaredKind(ctx context.Context, i int64) kind.Kind {
	if i >= MaxEntries {
		return kind.Invalid
	}
	t, _ := dotnet.Parse(s.elementTypeName(ctx, i))
	elem, rank, ok := t.Element()
	if !ok || rank != 1 || len(elem.Ranks) > 0 {
		return kind.Invalid
	}
	return kind.OfType(elem.Full)
}

// elementTypeName returns the type name of the node directly around entry i, or "" if no node is around.
func (s *Stream) elementTypeName(ctx context.Context, i int64) string {
	p := s.parent(i)
	if p == Root {
		return ""
	}
	return s.Entry(ctx, p).Type.Name
}

// EntriesOver returns the range of entries, numbered from 1, that the first byte of a span belongs to. It is 0, 1 if
// the byte belongs to none, and 0, 0 if the byte is outside of the stream.
func (s *Stream) EntriesOver(ctx context.Context, at model.Span) (first, end int64, err error) {
	if !s.src.Same(at.Source) || at.Off < s.start || at.Off >= s.end {
		return 0, 0, nil
	}
	if err := s.until(ctx, nil, func() bool { return s.x.end > at.Off }); err != nil {
		return 0, 0, err
	}
	if i, ok := s.EntryAt(at.Off); ok {
		return i + 1, i + 2, nil
	}
	return 0, 1, nil
}
