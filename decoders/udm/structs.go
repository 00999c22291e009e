package udm

import (
	"context"
	"fmt"
	"strings"

	"cutaway/decoders/read"
	"cutaway/model"
)

// shape is the header of structs (5.7): what members they have.
type shape struct {
	types   []typeID
	keys    []string // the names as they stand
	names   []string // the names of nodes and columns: unique, none empty
	offsets []int64  // of each member in the struct
	stride  int64    // bytes of a struct
}

func newShape(ctx context.Context, types []typeID, keys []string) *shape {
	s := &shape{types: types, keys: keys, names: memberNames(ctx, keys)}
	for _, t := range types {
		s.offsets = append(s.offsets, s.stride)
		s.stride += t.size()
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
			b.WriteString(wordText(s.keys[i]))
		}
	}
	b.WriteByte('>')
	return b.String()
}

// tuple is the members' values.
func (s *shape) tuple(b []byte) model.Tuple {
	v := make(model.Tuple, len(s.types))
	for i, t := range s.types {
		v[i] = t.value(b[s.offsets[i]:])
	}
	return v
}

// members are the nodes of the members of struct i of p.
func (s *shape) members(p *packed, i int64, b []byte, refs bool) []model.Node {
	nodes := make([]model.Node, len(s.types))
	start := p.off + i*s.stride
	for k, t := range s.types {
		from, to := s.offsets[k], s.offsets[k]+t.size()
		n := model.Node{Name: s.names[k], Type: t.String(), Spans: []model.Span{p.src.Span(start+from, to-from)}}
		fill(&n, t, b[from:to])
		if refs {
			n.Refs = func(context.Context) []model.Ref {
				return []model.Ref{{Kind: "layout", Path: p.member(i, k)}}
			}
		}
		nodes[k] = n
	}
	return nodes
}

// member is the path of the layout's node of member k of struct i.
func (p *packed) member(i int64, k int) string {
	if p.alone {
		return p.at.at(p.shape.names[k]).String()
	}
	return p.at.at(model.IndexName(i)).at(p.shape.names[k]).String()
}

// readShape reads a struct header. It returns nil, with a problem told, where the header has no meaning.
func readShape(ctx context.Context, c *read.Cursor) *shape {
	var types []typeID
	var keys []string
	good := true
	c.Group("header", "struct header", "the members of the structs: how many, their types, their names", func() {
		count := int64(c.U8("members", "how many members"))
		good = c.Check(count > 0, ruleStructMembers, "1 to 255", 0, "a struct has no members")
		c.Group("types", "type[]", "one byte for each member", func() {
			for i := range count {
				t := typeID(c.U8(model.IndexName(i), "the type of a member: fixed-size types only"))
				c.Symbol(t.String())
				good = c.Check(t.fixed(), ruleStructType, "a fixed-size type", typeText(t), "a struct has a member whose type has no fixed size") && good
				types = append(types, t)
			}
		})
		c.Group("names", "string[]", "one string for each member, which may be empty", func() {
			for i := range count {
				c.Group(model.IndexName(i), "string", "", func() { keys = append(keys, readString(c)) })
			}
		})
	})
	if !good || !c.Ok() || int64(len(keys)) != int64(len(types)) {
		return nil
	}
	return newShape(ctx, types, keys)
}

// readSizedShape reads the size of a struct header and the header. Where the two disagree the header is believed.
func readSizedShape(ctx context.Context, c *read.Cursor) *shape {
	size := int64(c.U16("headerSize", "bytes of the struct header"))
	field := len(c.Nodes()) - 1
	start := c.Off()
	s := readShape(ctx, c)
	if s == nil {
		skipTo(c, start+size)
	}
	disagree(c, field, ruleStructHeaderSize, size, start, s, "the size of a struct header does not agree with the header")
	return s
}

// skipTo leaves out the bytes up to off behind a struct header that has no meaning.
func skipTo(c *read.Cursor, off int64) {
	if n := min(off-c.Off(), c.Remaining()); n > 0 {
		c.Skip("rest", n, model.Unknown, "bytes behind a struct header that has no meaning")
	}
}

// disagree puts a problem on an earlier field, a size that counts from start on, unless it is what was read.
func disagree(c *read.Cursor, field int, rule string, size, start int64, s *shape, message string) {
	if used := c.Off() - start; c.Ok() && s != nil && used != size {
		f := &c.Nodes()[field]
		f.Problems = append(f.Problems, model.Problemf(model.Suspicious, rule, f.Span(), "%s", message).Want(used, size))
	}
}

// readStruct reads a single struct (5.7): its size, header and data.
func readStruct(ctx context.Context, c *read.Cursor, at *where) *packed {
	size := int64(c.U16("size", "bytes of header and data"))
	field := len(c.Nodes()) - 1
	start := c.Off()
	s := readShape(ctx, c)
	if s == nil {
		skipTo(c, start+size)
		return nil
	}
	p := readPacked(ctx, c, 1, tStruct, s, at)
	if p.alone = true; p.count == 1 && p.size() > 0 {
		f, row := lastField(c), p.row(ctx, 0, false)
		f.Type, f.Value, f.Children, f.Cards = row.Type, row.Value, row.Children, nil
		f.Elements, f.Brief, f.Help = false, "", "the members, back to back"
	}
	disagree(c, field, ruleStructSize, size, start, s, "the size of a struct does not agree with its header and data")
	return p
}

// typeText names a type for a message.
func typeText(t typeID) string {
	if t.known() {
		return t.String()
	}
	return fmt.Sprintf("type %d", uint8(t))
}
