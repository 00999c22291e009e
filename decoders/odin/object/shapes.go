package object

import (
	"context"
	"strconv"
	"strings"

	"cutaway/decoders/odin/dotnet"
	"cutaway/decoders/odin/entry"
	"cutaway/decoders/odin/kind"
	"cutaway/model"
)

// What the formatters write for types that have a meaning of their own (chapter 8).

// positions are the names of the unnamed children of types that are written by position.
var positions = map[string][]string{
	"UnityEngine.Vector2":                       {"x", "y"},
	"UnityEngine.Vector3":                       {"x", "y", "z"},
	"UnityEngine.Vector4":                       {"x", "y", "z", "w"},
	"UnityEngine.Quaternion":                    {"x", "y", "z", "w"},
	"UnityEngine.Vector2Int":                    {"x", "y"},
	"UnityEngine.Vector3Int":                    {"x", "y", "z"},
	"UnityEngine.Color":                         {"r", "g", "b", "a"},
	"UnityEngine.Color32":                       {"r", "g", "b", "a"},
	"UnityEngine.Rect":                          {"x", "y", "width", "height"},
	"UnityEngine.Bounds":                        {"center", "size"},
	"UnityEngine.Keyframe":                      {"inTangent", "outTangent", "time", "value", "tangentMode"},
	"UnityEngine.AnimationCurve":                {"keys", "preWrapMode", "postWrapMode"},
	"UnityEngine.GradientAlphaKey":              {"alpha", "time"},
	"UnityEngine.GradientColorKey":              {"color", "time"},
	"UnityEngine.Gradient":                      {"alphaKeys", "colorKeys"},
	"UnityEngine.UI.ColorBlock":                 {"normalColor", "highlightedColor", "pressedColor", "disabledColor", "colorMultiplier", "fadeDuration"},
	"System.Collections.Generic.KeyValuePair`2": {"key", "value"},
	"System.Version":                            {"major", "minor", "build", "revision"},
}

// pairNames are the members of a dictionary's pairs.
var pairNames = map[string]string{"$k": "key", "$v": "value"}

// A shape says how an object is shown: which of its children are fields, elements, or the object itself.
type shape struct {
	typ     dotnet.Type
	leaf    int64          // the child that is all of the object: a scalar, or what a Nullable holds; noEntry: none
	names   []string       // of unnamed children, by their position
	array   int64          // the array whose elements are in the object's place; noEntry: none
	arrayAt int64          // its number among the children
	members []entry.Member // of an ISerializable type
	ranks   []int64        // of a multi-dimensional array
	pair    bool           // of a dictionary
}

const (
	shapedChildren = 8       // children that are looked at for an array
	shapedMembers  = 1 << 16 // members of an ISerializable type that are paired
)

// NoEntry stands for no entry; the number before the first is the root's.
const NoEntry = int64(-2)

// noShape shows the children as they are.
func noShape() shape { return shape{leaf: NoEntry, array: NoEntry} }

// shapeOf decides how node e is shown. While the node is open, only the fields after the array change.
func (o *Objects) shapeOf(ctx context.Context, e *entry.Entry) shape {
	p := noShape()
	if !e.IsNode() || !o.s.IsContainer(e.Number) {
		return p
	}
	p.typ, _ = dotnet.Parse(e.Type.Name)
	n, exact := o.s.Count(e.Number)
	p.names = positions[p.typ.Full]
	for k := range min(n, shapedChildren) {
		i := o.s.Child(e.Number, k)
		if o.s.IsArray(i) {
			p.array, p.arrayAt = i, k
			o.shapeArray(ctx, &p)
			return p
		}
	}
	if n == 0 || !exact {
		return p
	}
	first := o.s.Entry(ctx, o.s.Child(e.Number, 0))
	switch alone := first.IsScalar() || first.Kind == kind.PrimitiveArray || p.typ.Full == nullableName; {
	case n == 1 && !first.Named && alone:
		p.leaf = first.Number
	case n <= 2 && e.Type.Name == "" && first.Named:
		p.pair = pairNames[first.Name] != ""
	}
	return p
}

const nullableName = "System.Nullable`1"

// shapeArray looks at the first child of the array, which shows arrays of members and of several dimensions.
func (o *Objects) shapeArray(ctx context.Context, p *shape) {
	n, exact := o.s.Count(p.array)
	if n == 0 {
		return
	}
	first := o.s.Entry(ctx, o.s.Child(p.array, 0))
	text, isText := first.Value.(model.Text)
	if first.Kind != kind.String || !first.Named || !isText {
		return
	}
	switch first.Name {
	case entry.RanksName:
		p.ranks = entry.ParseRanks(string(text))
	case entry.MembersName:
		p.members = []entry.Member{} // none yet while the array is open: they pair when all are known
		if exact && n <= 2*shapedMembers {
			o.s.EachMember(ctx, p.array, func(m entry.Member) bool {
				p.members = append(p.members, m)
				return true
			})
		} else if exact {
			p.members = nil
		}
	}
}

// gridName returns the name of element i of an array of several dimensions, in row-major order.
func gridName(ranks []int64, i int64) string {
	index := make([]string, len(ranks))
	for d := len(ranks) - 1; d >= 0; d-- {
		n := max(ranks[d], 1)
		at := i % n
		if d == 0 {
			at = i
		}
		index[d] = strconv.FormatInt(at, 10)
		i /= n
	}
	return "[" + strings.Join(index, ",") + "]"
}

// maxDecimal bounds the bytes of a decimal that a text form gives.
const maxDecimal = 512

// meaning writes the one value that an object of a well-known type holds.
func meaning(ctx context.Context, t *dotnet.Type, v model.Value) model.Value {
	ticks, isInt := v.(model.Int)
	switch t.Full {
	case "System.DateTime":
		if isInt {
			return model.Text(dotnet.DateTime(int64(ticks)))
		}
	case "System.TimeSpan":
		if isInt {
			return model.Text(dotnet.TimeSpan(int64(ticks)))
		}
	case "System.RuntimeType", "System.MonoType", "System.Type":
		if name, ok := v.(model.Text); ok {
			return model.Text(dotnet.Readable(string(name)))
		}
	case "System.Decimal":
		return model.Text(model.Show(ctx, v, maxDecimal)) // a text form gives a number
	}
	return v
}
