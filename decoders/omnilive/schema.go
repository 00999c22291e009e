package omnilive

import (
	_ "embed"
	"sync"

	"cutaway/decoders/flatbuffer"
)

// firstItems is how many items of each vector a schema is chosen by.
const firstItems = 4096

// The reconstructions, compiled from the .fbs beside them by flatc -b --schema.
var (
	//go:embed schemas/omni-live.bfbs
	schemaA []byte
	//go:embed schemas/omni-live-unionvec.bfbs
	schemaB []byte
)

// The names of the reconstructions, as the option schema takes them.
const (
	nameA = "A"
	nameB = "B"
)

// schemas are the reconstructions: A wraps each command in a table, B has a vector of unions.
var schemas = sync.OnceValue(func() []*flatbuffer.Schema {
	var list []*flatbuffer.Schema
	for _, s := range []struct {
		name string
		data []byte
	}{{nameA, schemaA}, {nameB, schemaB}} {
		schema, err := flatbuffer.ParseSchema(s.data, s.name)
		if err != nil {
			panic(err) // a part of the program
		}
		list = append(list, schema)
	}
	return list
})

// choice is the schema that a buffer is read by.
type choice struct {
	verdict flatbuffer.Verdict
	others  []flatbuffer.Verdict
	failed  error // where no candidate verifies: the first error of the one that gets furthest
}

// choose verifies the buffer by the candidates, the first before the others where all else is equal.
func choose(b *flatbuffer.Buffer, candidates []*flatbuffer.Schema) choice {
	var verdicts []flatbuffer.Verdict
	best := -1
	for _, s := range candidates {
		v := b.Verify(s, firstItems)
		verdicts = append(verdicts, v)
		if best < 0 || better(v, verdicts[best]) {
			best = len(verdicts) - 1
		}
	}
	c := choice{verdict: verdicts[best], failed: verdicts[best].First()}
	for i, v := range verdicts {
		if i != best {
			c.others = append(c.others, v)
		}
	}
	if !c.verdict.Rooted {
		c.verdict = b.Verify(nil, firstItems)
	}
	return c
}

// better tells whether a is to be preferred over an earlier b: one that verifies over one that does not; of those, the one with
// fewer unknown slots; of the others, the one that gets further.
func better(a, b flatbuffer.Verdict) bool {
	switch {
	case (a.Errors == 0) != (b.Errors == 0):
		return a.Errors == 0
	case a.Errors == 0:
		return a.Unknown < b.Unknown
	case a.Rooted != b.Rooted:
		return a.Rooted
	case a.Reached != b.Reached:
		return a.Reached > b.Reached
	}
	return a.Errors < b.Errors
}
