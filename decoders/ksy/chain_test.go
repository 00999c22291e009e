package ksy

import (
	"strings"
	"testing"

	"cutaway/model"
)

// reads opens data by a description.
func reads(t *testing.T, description, data string) *model.Document {
	t.Helper()
	return readsBy(t, put(t, t.TempDir(), "test.ksy", description), data)
}

// readsBy is the document of bytes that are read by the description in a file.
func readsBy(t *testing.T, file, data string) *model.Document {
	t.Helper()
	d, err := open(t.Context(), &model.OpenRequest{
		Source: model.NewFileSource("test", model.BytesReader(data)), Name: "test", Options: map[string]string{schemaOption: file}})
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// Elements may need those before them, however many there are, whether their size is fixed or not.
func TestElementsThatNeedEachOther(t *testing.T) {
	for _, field := range []string{"{id: x, type: u1}", "{id: x, type: u1}, {id: none, size: 0 + x * 0}"} {
		d := reads(t, "meta: {id: test}\nseq: [{id: all, type: 'one(_index != 0 ? all[_index - 1].sum : 0)', repeat: eos}]\n"+
			"types: {one: {params: [{id: before, type: s8}], seq: ["+field+"], instances: {sum: {value: before + x}}}}", strings.Repeat("\x02", 5000))
		p, err := d.Lookup(t.Context(), "fields/all/[4999]/sum")
		if err != nil || p.Node.Value != model.Int(10000) {
			t.Fatalf("%s: %v, %v", field, p, err)
		}
	}
}

// Values that need each other in a chain too long for the stack end with a limit.
func TestChainOfValues(t *testing.T) {
	d := reads(t, "meta: {id: test}\nseq: [{id: all, type: one(_index), repeat: eos}]\n"+
		"types: {one: {params: [{id: i, type: s8}], seq: [{id: x, type: u1}], instances: {sum: {pos: 0, "+
		"type: 'holder(x + (i == 0 ? 0 : _parent.as<test>.all[i - 1].sum.v))'}}}, holder: {params: [{id: v, type: s8}]}}",
		strings.Repeat("\x02", 100_000))
	for path, want := range map[string]model.Kind{"fields/all/[99999]/sum": model.Limit, "fields/all/[500]/sum": 255} {
		p, err := d.Lookup(t.Context(), path)
		if err != nil || len(p.Node.Problems) != 0 != (want == model.Limit) || want == model.Limit && p.Node.Problems[0].Kind != want {
			t.Errorf("%s: %+v, %v", path, p, err)
		}
	}
}

// A list to the end whose elements take no bytes meets a limit; nothing is cut off.
func TestEndless(t *testing.T) {
	d := reads(t, "meta: {id: t}\nseq: [{id: e, type: empty, repeat: eos}]\ntypes: {empty: {}}", "\x01\x02")
	p, err := d.Lookup(t.Context(), "fields/e")
	if err != nil || len(p.Node.Problems) != 1 || p.Node.Problems[0].Kind != model.Limit || p.Node.Span().Len != 2 {
		t.Errorf("%+v, %v", p, err)
	}
}
