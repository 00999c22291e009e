package flatbuffer

import (
	"context"
	"fmt"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	flatbuffers "github.com/google/flatbuffers/go"

	"cutaway/decoders/decodertest"
	"cutaway/model"
	"cutaway/model/diff"
)

const (
	ownerSlot      = 0
	pricesSlot     = 16
	neighboursSlot = 22
)

// stallWith builds the table of a stall with an owner and neighbours.
func stallWith(b *flatbuffers.Builder, owner string, neighbours ...flatbuffers.UOffsetT) flatbuffers.UOffsetT {
	name := b.CreateString(owner)
	b.StartVector(4, len(neighbours), 4)
	for _, n := range slices.Backward(neighbours) {
		b.PrependUOffsetT(n)
	}
	vector := b.EndVector(len(neighbours))
	b.StartObject(stallSlots)
	b.PrependUOffsetTSlot(ownerSlot, name, 0)
	if len(neighbours) > 0 {
		b.PrependUOffsetTSlot(neighboursSlot, vector, 0)
	}
	return b.EndObject()
}

func finished(b *flatbuffers.Builder, root flatbuffers.UOffsetT) []byte {
	b.FinishWithFileIdentifier(root, []byte("MRKT"))
	return b.FinishedBytes()
}

func openMarket(t *testing.T, name string, data []byte) *model.Document {
	t.Helper()
	return decodertest.Open(t, withSchema(filepath.Join(testdata, "market.bfbs")), name, model.BytesReader(data))
}

// TestSharedIsShownTwice: of a stall that is a neighbour twice, and its neighbours, the content is below both places, and that is
// the same as of one that is written twice.
func TestSharedIsShownTwice(t *testing.T) {
	build := func(shared bool) []byte {
		b := flatbuffers.NewBuilder(0)
		inner := func() flatbuffers.UOffsetT {
			last := stallWith(b, "last")
			again := last
			if !shared {
				again = stallWith(b, "last")
			}
			return stallWith(b, "inner", last, again)
		}
		first := inner()
		second := first
		if !shared {
			second = inner()
		}
		return finished(b, stallWith(b, "root", first, second))
	}
	docs := [2]*model.Document{openMarket(t, "shared", build(true)), openMarket(t, "unshared", build(false))}
	lines := decodertest.Changes(t, docs[0].View(fieldsName), docs[1].View(fieldsName), diff.Options{})
	if len(lines) > 0 {
		t.Errorf("the same content differs: %q", lines)
	}
	const path = fieldsName + "/neighbours/[1]/neighbours/[1]/owner"
	p, err := docs[0].Lookup(t.Context(), path)
	if err != nil || p.Node.Value != model.Text("last") || p.Path() != path {
		t.Fatalf("%v: %v", p, err)
	}
	for at, want := range map[string]bool{"/neighbours/[0]": false, "/neighbours/[1]": true, "/neighbours/[1]/neighbours/[0]": false} {
		if p, err = docs[0].Lookup(t.Context(), fieldsName+at); err != nil || p.Node.Shared != want {
			t.Errorf("%s is shared: not %t, %v", at, want, err)
		}
	}
	for k, d := range docs {
		decodertest.Invariants(t, withSchema(filepath.Join(testdata, "market.bfbs")), func() *model.Document {
			return openMarket(t, d.Name, build(k == 0))
		})
	}
}

// TestWaysToShared: what is shown of a buffer grows neither with the number of ways to an object nor with their length.
func TestWaysToShared(t *testing.T) {
	doubled := flatbuffers.NewBuilder(0)
	at := stallWith(doubled, "last")
	for i := range 50 {
		at = stallWith(doubled, fmt.Sprint(i), at, at)
	}
	chained := flatbuffers.NewBuilder(0)
	all := []flatbuffers.UOffsetT{stallWith(chained, "last")}
	for i := range 200 {
		all = append(all, stallWith(chained, fmt.Sprint(i), all[i]))
	}
	for name, k := range map[string]struct {
		data        []byte
		most, depth int
	}{
		"doubled": {finished(doubled, at), 100_000, 200},
		"chained": {finished(chained, stallWith(chained, "root", all...)), 1_000_000, 2*maxDepth + 8},
	} {
		d := openMarket(t, name, k.data)
		count, deepest := 0, 0
		err := model.Walk(t.Context(), d.View(fieldsName).Place(t.Context()), model.WalkOptions{Resolve: true}, func(p *model.Place) error {
			if count++; count > k.most {
				return context.Canceled
			}
			deepest = max(deepest, len(p.Segments()))
			return nil
		})
		if err != nil || deepest > k.depth {
			t.Errorf("%s: %d nodes, %d levels, %v", name, count, deepest, err)
		}
	}
}

// TestReadAllTheSame: what the generated verifier accepts is no error, and what is damaged hides nothing that lies inside.
func TestReadAllTheSame(t *testing.T) {
	prices := func() []byte {
		b := flatbuffers.NewBuilder(0)
		b.StartVector(8, 3, 8)
		for i := range 3 {
			b.PrependFloat64(float64(3 - i))
		}
		v := b.EndVector(3)
		b.StartObject(stallSlots)
		b.PrependUOffsetTSlot(pricesSlot, v, 0)
		return finished(b, b.EndObject())
	}
	owned := func(change func(data []byte, table, vtable int) []byte) []byte {
		b := flatbuffers.NewBuilder(0)
		data := finished(b, stallWith(b, "me"))
		table := int(le.Uint32(data))
		return change(data, table, table-int(int32(le.Uint32(data[table:]))))
	}
	for name, k := range map[string]struct {
		data        []byte
		kind        model.Kind
		rule        string
		path, value string
	}{
		"newer member": {stall(9, func(b *flatbuffers.Builder) flatbuffers.UOffsetT { return stallWith(b, "x") }), model.Assumed, ruleUnion,
			fieldsName + "/rent", "12.5"},
		"value without type": {stall(0, func(b *flatbuffers.Builder) flatbuffers.UOffsetT { return b.CreateString("x") }), model.Suspicious,
			ruleUnion, fieldsName + "/rent", "12.5"},
		"unknown slot": {func() []byte {
			b := flatbuffers.NewBuilder(0)
			name := b.CreateString("me")
			b.StartObject(stallSlots + 9)
			b.PrependUOffsetTSlot(ownerSlot, name, 0)
			b.PrependInt32Slot(stallSlots+8, 7, 0)
			return finished(b, b.EndObject())
		}(), model.Assumed, ruleUnknownSlot, fieldsName + "/owner", "me"},
		"table size 1": {owned(func(data []byte, _, vtable int) []byte {
			data[vtable+2] = 1
			return data
		}), model.Suspicious, ruleTable, fieldsName + "/owner", "me"},
		"table size 60000": {owned(func(data []byte, _, vtable int) []byte {
			le.PutUint16(data[vtable+2:], 60000)
			return data
		}), model.Suspicious, ruleTable, fieldsName + "/owner", "me"},
		"vector cut": {prices()[:len(prices())-4], model.Malformed, ruleVector, fieldsName + "/prices/[1]", "2"},
		"vector announces too many": {func() []byte {
			data := prices()
			le.PutUint32(data[len(data)-28:], 1<<20)
			return data
		}(), model.Malformed, ruleVector, fieldsName + "/prices/[2]", "3"},
	} {
		d := openMarket(t, name, k.data)
		r, err := d.CheckAll(t.Context(), nil)
		if err != nil || len(r.Tiling) > 0 || len(r.Problems) != 1 || r.Problems[0].Rule != OwnPrefix+k.rule || r.Problems[0].Kind != k.kind {
			t.Errorf("%s: %+v, %v, want one %v of %s", name, r, err, k.kind, k.rule)
		}
		p, err := d.Lookup(t.Context(), k.path)
		if err != nil || model.Show(t.Context(), p.Node.Value, 40) != k.value {
			t.Errorf("%s: %s is %v, %v", name, k.path, p, err)
		}
		decodertest.Invariants(t, withSchema(filepath.Join(testdata, "market.bfbs")), func() *model.Document { return openMarket(t, name, k.data) })
	}
}

// TestFaults reads what this format was wrong on, with the schemas beside; flatc compiles them.
func TestFaults(t *testing.T) {
	const folder = "../../../shared/corpus/faults/flatbuffer"
	if _, err := exec.LookPath("flatc"); err != nil {
		t.Skip("flatc is not installed")
	}
	for name, k := range map[string]struct {
		schema      string
		errors      int
		path, value string
	}{
		"union-newer-member.bin": {"union-old.fbs", 0, "/name", "hello"},
		"union-byte-struct.bin":  {"union-byte-struct.fbs", 0, "/u/w", "5"},
		"table-size-1.bin":       {"union-new.fbs", 0, "/u/y", "5"},
		"vector-cut.bin":         {"vec.fbs", 1, "/v/[5]", "6"},
		"shared.bin":             {"shared.fbs", 0, "/items/[1]/ps/[1]/id", "524"},
		"unshared.bin":           {"shared.fbs", 0, "/items/[1]/ps/[1]/id", "524"},
	} {
		f := withSchema(filepath.Join(folder, k.schema))
		files := decodertest.ReadFiles(t, filepath.Join(folder, name))
		if len(files) == 0 {
			t.Skip("the files that were wrong are not here")
		}
		open := func() *model.Document { return decodertest.Open(t, f, name, model.BytesReader(files[0].Data)) }
		probe := &model.Probe{Source: model.NewFileSource(name, model.BytesReader(files[0].Data)), Name: name, Head: files[0].Data,
			Options: map[string]string{schemaOption: filepath.Join(folder, k.schema)}}
		if found := Format.Detect(t.Context(), probe); found.Confidence < model.Guess {
			t.Errorf("%s: %s", name, found.Reason)
		}
		d := open()
		r, err := d.CheckAll(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		if n := len(slices.DeleteFunc(r.Problems, func(p model.LocatedProblem) bool { return p.Kind.Severity() != model.Error })); n != k.errors {
			t.Errorf("%s: %d errors, want %d", name, n, k.errors)
		}
		if p, err := d.Lookup(t.Context(), fieldsName+k.path); err != nil || model.Show(t.Context(), p.Node.Value, 40) != k.value {
			t.Errorf("%s: %s is %v, %v", name, k.path, p, err)
		}
		decodertest.Invariants(t, f, open)
	}
}
