package udm

import (
	"context"
	"slices"
	"strings"

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
		return p.at.at(p.shape.names[k]).String()
	}
	return p.at.at(model.IndexName(i)).at(p.shape.names[k]).String()
}
