package verdict_test

import (
	"encoding/binary"
	"fmt"
	"slices"
	"strings"
	"testing"

	"cutaway/decoders/usdc"
	"cutaway/internal/crategen"
	"cutaway/internal/handgen"
	"cutaway/model"
)

// TestSpecRules: each rule on what the tables say of specs is met by the damage that it is about, and by no other.
func TestSpecRules(t *testing.T) {
	prims := func(names ...string) crategen.Field {
		return crategen.Field{Name: "primChildren", Value: crategen.Tokens(names...)}
	}
	properties := func(names ...string) crategen.Field {
		return crategen.Field{Name: "properties", Value: crategen.Tokens(names...)}
	}
	note := func(name string, v crategen.Value) crategen.Field { return crategen.Field{Name: name, Value: v} }
	targets := func(name string, paths ...string) crategen.Field {
		return note(name, crategen.ListOp[string]{Type: crategen.TPathListOp, Item: crategen.PathItem, Explicit: true, Items: paths}.Value)
	}
	rel := func(w *crategen.Writer, t crategen.SpecType, of crategen.Field) {
		w.Spec("/", crategen.PseudoRoot, prims("A"))
		w.Spec("/A", crategen.Prim, properties("r"))
		w.Spec("/A.r", t, of)
	}
	expression := func(text string) crategen.Value {
		return func(w *crategen.Writer) crategen.Rep {
			return crategen.Bytes(crategen.TPathExpression, binary.LittleEndian.AppendUint32(nil, w.String(text)))(w)
		}
	}
	for name, test := range map[string]struct {
		write func(w *crategen.Writer)
		want  []string
	}{
		"sound": {func(w *crategen.Writer) {
			w.Spec("/", crategen.PseudoRoot, prims("Wörld"))
			w.Spec("/Wörld", crategen.Prim, properties("a:b"))
			w.Spec("/Wörld.a:b", crategen.Attribute)
		}, nil},
		"no identifier": {func(w *crategen.Writer) {
			w.Spec("/", crategen.PseudoRoot, prims("A"))
			w.Spec("/A", crategen.Prim, properties("bora::dora"))
			w.Spec("/A.bora::dora", crategen.Attribute)
		}, []string{"usdc.children.missing malformed", "usdc.paths.element malformed"}},
		"not UTF-8": {func(w *crategen.Writer) {
			w.Spec("/", crategen.PseudoRoot, note("comment", crategen.Text("a\xffb")))
		}, []string{"usdc.tokens.utf-8 malformed"}},
		"not UTF-8 and unused": {func(w *crategen.Writer) {
			w.Token("a\xffb")
			w.Spec("/", crategen.PseudoRoot)
		}, []string{"usdc.tokens.utf-8 suspicious"}},
		"type of another path": {func(w *crategen.Writer) {
			w.Spec("/", crategen.PseudoRoot, prims("A"))
			w.Spec("/A", crategen.Attribute)
		}, []string{"usdc.specs.path malformed"}},
		"child without spec": {func(w *crategen.Writer) {
			w.Spec("/", crategen.PseudoRoot, prims("A", "B"))
			w.Spec("/A", crategen.Prim)
		}, []string{"usdc.children.missing malformed"}},
		"spec that is not listed": {func(w *crategen.Writer) {
			w.Spec("/", crategen.PseudoRoot, prims("A"))
			w.Spec("/A", crategen.Prim)
			w.Spec("/B", crategen.Prim)
		}, []string{"usdc.children.unlisted suspicious"}},
		"child twice": {func(w *crategen.Writer) {
			w.Spec("/", crategen.PseudoRoot, prims("A", "A"))
			w.Spec("/A", crategen.Prim)
		}, []string{"usdc.children.repeated suspicious"}},
		"variants": {func(w *crategen.Writer) {
			w.Spec("/", crategen.PseudoRoot, prims("A"))
			w.Spec("/A", crategen.Prim, note("variantSetChildren", crategen.Tokens("v", "w")))
			w.Spec("/A{v=}", crategen.VariantSet, note("variantChildren", crategen.Tokens("x", "y")))
			w.Spec("/A{v=x}", crategen.Variant)
		}, []string{"usdc.children.missing malformed", "usdc.children.missing suspicious"}},
		"type of a field": {func(w *crategen.Writer) {
			w.Spec("/", crategen.PseudoRoot, note("defaultPrim", crategen.Text("A")), note("documentation", crategen.Token("A")))
		}, []string{"usdc.fields.type malformed", "usdc.fields.type suspicious"}},
		"values of fields": {func(w *crategen.Writer) {
			w.Spec("/", crategen.PseudoRoot, prims("A"))
			w.Spec("/A", crategen.Prim, note("specifier", crategen.Inline(crategen.TSpecifier, 3)), note("spline", crategen.Inline(crategen.TSpline, 0)),
				note("unknown", crategen.Inline(crategen.TSpecifier, 3)))
		}, []string{"usdc.fields.value malformed", "usdc.rep.inlined-spline suspicious", "usdc.value.unknown-enum suspicious"}},
		"value of a field of another name": {func(w *crategen.Writer) {
			w.Spec("/", crategen.PseudoRoot, note("unknown", crategen.Inline(crategen.TVariability, 3)))
		}, []string{"usdc.value.unknown-enum suspicious"}},
		"siblings in another order": {func(w *crategen.Writer) {
			w.Spec("/", crategen.PseudoRoot, prims("B", "A"))
			w.Spec("/B", crategen.Prim)
			w.Spec("/A", crategen.Prim)
		}, []string{"usdc.paths.order assumed"}},
		"properties of a target": {func(w *crategen.Writer) {
			rel(w, crategen.Relationship, targets("targetPaths", "/B"))
			w.Spec("/A.r[/B]", crategen.RelationshipTarget, properties("x"))
			w.Spec("/A.r[/B].x", crategen.Attribute)
		}, nil},
		"target that is not listed": {func(w *crategen.Writer) {
			rel(w, crategen.Relationship, targets("targetPaths", "/B"))
			w.Spec("/A.r[/C]", crategen.RelationshipTarget)
		}, []string{"usdc.targets.unlisted suspicious"}},
		"child that is no target": {func(w *crategen.Writer) {
			rel(w, crategen.Relationship, note("targetChildren", crategen.Paths("/C")))
		}, []string{"usdc.targets.unlisted suspicious"}},
		"target in a variant": {func(w *crategen.Writer) {
			rel(w, crategen.Relationship, targets("targetPaths", "/B{v=x}C"))
		}, []string{"usdc.targets.path suspicious"}},
		"empty target": {func(w *crategen.Writer) {
			rel(w, crategen.Relationship, targets("targetPaths", ""))
		}, []string{"usdc.targets.path suspicious"}},
		"target twice": {func(w *crategen.Writer) {
			rel(w, crategen.Relationship, targets("targetPaths", "/B", "/B"))
		}, []string{"usdc.targets.repeated suspicious"}},
		"targets of an attribute": {func(w *crategen.Writer) {
			rel(w, crategen.Attribute, targets("targetPaths", "/B"))
		}, []string{"usdc.targets.owner suspicious"}},
		"property for a class": {func(w *crategen.Writer) {
			w.Spec("/", crategen.PseudoRoot, prims("A"))
			w.Spec("/A", crategen.Prim, targets("inheritPaths", "/A.c"))
		}, []string{"usdc.targets.path suspicious"}},
		"no path expression": {func(w *crategen.Writer) {
			w.Spec("/", crategen.PseudoRoot, note("one", expression("/World0/")), note("two", crategen.Texts(crategen.TPathExpression, "/a", "//", "(/b")))
		}, []string{"usdc.value.path-expression malformed"}},
		"control character in an asset": {func(w *crategen.Writer) {
			w.Spec("/", crategen.PseudoRoot, note("one", crategen.Asset("a\x01")))
		}, []string{"usdc.value.asset-path malformed"}},
		"control character in an array of assets": {func(w *crategen.Writer) {
			w.Spec("/", crategen.PseudoRoot, note("one", crategen.Texts(crategen.TAsset, "b", "c\n")))
		}, []string{"usdc.value.asset-path malformed"}},
		"control character in a payload": {func(w *crategen.Writer) {
			w.Spec("/", crategen.PseudoRoot, note("payload", crategen.PayloadOf(crategen.Arc{Asset: "p\x7f", Prim: "/A", Scale: 1})))
		}, []string{"usdc.value.asset-path malformed"}},
		"sublayers without offsets": {func(w *crategen.Writer) {
			w.Spec("/", crategen.PseudoRoot, note("subLayers", crategen.Strings("a.usd")))
		}, []string{"usdc.children.offsets malformed"}},
		"children that are no list": {func(w *crategen.Writer) {
			w.Spec("/", crategen.PseudoRoot, prims("A"))
			w.Spec("/A", crategen.Prim, note("primChildren", crategen.Token("B")))
		}, []string{"usdc.children.list malformed", "usdc.fields.type suspicious"}},
	} {
		var data decoded
		w := crategen.NewWriter(&data, crategen.Version{0, 8, 0})
		test.write(w)
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, p := range handgen.CheckAll(t, handgen.Open(t, usdc.Format, name, data)).Problems {
			if rule := fmt.Sprintf("%s %s", p.Rule, p.Kind); !slices.Contains(got, rule) && !strings.HasPrefix(rule, "usd.data.") {
				got = append(got, rule)
			}
		}
		slices.Sort(got)
		if strings.Join(got, ", ") != strings.Join(test.want, ", ") {
			t.Errorf("%s: %v, want %v", name, got, test.want)
		}
	}
}

// decoded is a file in memory that is written anywhere.
type decoded []byte

func (d *decoded) WriteAt(b []byte, off int64) (int, error) {
	if grow := int(off) + len(b) - len(*d); grow > 0 {
		*d = append(*d, make([]byte, grow)...)
	}
	return copy((*d)[off:], b), nil
}

// TestFollowers: what is missed only since the table of fields is damaged follows from that damage.
func TestFollowers(t *testing.T) {
	var data decoded
	w := crategen.NewWriter(&data, crategen.Version{0, 8, 0})
	var names []string
	for i := range 40 {
		names = append(names, fmt.Sprintf("P%02d", i))
	}
	w.Spec("/", crategen.PseudoRoot, crategen.Field{Name: "primChildren", Value: crategen.Tokens(names...)})
	for _, name := range names {
		w.Spec("/"+name, crategen.Prim, crategen.Field{Name: "properties", Value: crategen.Tokens("of" + name)})
		w.Spec("/"+name+".of"+name, crategen.Attribute)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	at, err := handgen.Open(t, usdc.Format, "sound", slices.Clone(data)).Lookup(t.Context(), "layout/FIELDS/reps")
	if err != nil {
		t.Fatal(err)
	}
	reps := at.Node.Span()
	for i := reps.Off + reps.Len/3; i < reps.End(); i++ {
		data[i] = 0xff
	}
	var cause *model.Problem
	follow := 0
	for _, p := range handgen.CheckAll(t, handgen.Open(t, usdc.Format, "damaged", data)).Problems {
		switch {
		case p.Rule == "usdc.compress.lz4":
			cause = &p.Problem
		case p.Rule == "usdc.children.unlisted" && cause != nil && p.FollowsFrom(cause):
			follow++
		default:
			t.Errorf("%s stands alone", p.Error())
		}
	}
	if follow < 20 {
		t.Errorf("%d follow", follow)
	}
}
