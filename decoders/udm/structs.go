package udm

import (
	"context"
	"slices"
	"strings"

	"cutaway/decoders/grammar"
	"cutaway/decoders/udm/ascii"
	"cutaway/decoders/udm/types"
	"cutaway/model"
)

// shape is the header of structs (5.7): what members they have.
type shape struct {
	types   []types.ID
	keys    []string // the names as they stand
	names   []string // the segments of nodes and names of columns: unique, none empty
	offsets []int64  // of each member in the struct
	stride  int64    // bytes of a struct
}

func newShape(types []types.ID, keys []string) *shape {
	s := &shape{types: types, keys: keys, names: memberSegments(keys)}
	for _, t := range types {
		s.offsets = append(s.offsets, s.stride)
		s.stride += t.Size()
	}
	return s
}

// makeShape makes the shape that a struct header has by its lists of types and names, or nil if that has no meaning.
func makeShape(s grammar.Scope, args []grammar.Value) grammar.Value {
	none := grammar.GoValue((*shape)(nil))
	memberTypes, memberNames := args[0].List(), args[1].List()
	if memberTypes == nil || memberNames == nil || memberTypes.Known() == 0 || memberTypes.Known() != memberNames.Known() {
		return none
	}
	var of []types.ID
	var keys []string
	for i := range memberTypes.Known() {
		v, _ := memberTypes.At(s, i)
		n, ok := v.Int()
		if !ok || !types.ID(n).Fixed() {
			return none
		}
		name, _ := memberNames.At(s, i)
		if name.Object() == nil || !name.Object().OK() {
			return none
		}
		text, _ := s.In(name.Object()).Named(textName)
		key := ""
		if text.Kind() == grammar.String {
			key = text.String()
		}
		of, keys = append(of, types.ID(n)), append(keys, key)
	}
	return grammar.GoValue(newShape(of, keys))
}

// makeStride returns the bytes of a struct of a shape, or -1 if there is no shape.
func makeStride(_ grammar.Scope, args []grammar.Value) grammar.Value {
	if x, _ := args[0].Go().(*shape); x != nil {
		return grammar.IntValue(x.stride)
	}
	return grammar.IntValue(-1)
}

// shapeIn returns the shape that the struct header of a record has, or nil if it has none.
func shapeIn(s grammar.Scope) *shape {
	header, _ := s.Named(headerName)
	if header.Object() == nil {
		return nil
	}
	made, _ := s.In(header.Object()).Named("shape")
	x, _ := made.Go().(*shape)
	return x
}

// strideOf returns the bytes of a packed item of a type and, of structs, a shape; 0 if items of the type are not packed.
func strideOf(t types.ID, s *shape) int64 {
	switch {
	case s != nil:
		return s.stride
	case t.Fixed():
		return t.Size()
	}
	return 0
}

// String is the shape as the ASCII form writes it: "struct<vec3:pos,vec2>".
func (s *shape) String() string {
	var b strings.Builder
	b.WriteString("struct<")
	for i, t := range s.types {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(t.String())
		if s.keys[i] != "" {
			b.WriteByte(':')
			b.WriteString(ascii.WordText(s.keys[i]))
		}
	}
	b.WriteByte('>')
	return b.String()
}

// tuple is the members' values.
func (s *shape) tuple(b []byte) model.Tuple {
	v := make(model.Tuple, len(s.types))
	for i, t := range s.types {
		v[i] = t.Value(b[s.offsets[i]:])
	}
	return v
}

// members are the nodes of the members of struct i of p.
func (s *shape) members(p *packed, i int64, b []byte, refs bool) model.Children {
	start := p.off + i*s.stride
	return &model.Rows{
		Count: int64(len(s.types)),
		Make: func(_ context.Context, k int64) model.Node {
			t := s.types[k]
			from, to := s.offsets[k], s.offsets[k]+t.Size()
			n := model.Node{Name: s.names[k], Type: types.Title(t), Spans: []model.Span{p.src.Span(start+from, to-from)}}
			fill(&n, t, b[from:to])
			if refs {
				n.Refs = func(context.Context) []model.Ref {
					return []model.Ref{{Kind: "layout", Path: p.member(i, int(k))}}
				}
			}
			return n.Named(s.keys[k])
		},
		ByName: func(_ context.Context, name string) (int64, bool) {
			k := slices.Index(s.names, name)
			return int64(k), k >= 0
		},
	}
}

// member is the path of the layout's node of member k of struct i.
func (p *packed) member(i int64, k int) string {
	if p.alone {
		return p.at.child(p.shape.names[k]).String()
	}
	return p.at.child(model.IndexName(i)).child(p.shape.names[k]).String()
}
