package omnilive

import (
	"context"
	_ "embed"

	"cutaway/decoders/flatbuffer"
	"cutaway/model"
)

// firstItems is the number of items of each vector that a schema is chosen by.
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

// schemas are the reconstructions: A wraps each command in a table, B has a vector of unions. There are none only
// when ctx has ended.
func schemas(ctx context.Context) []*flatbuffer.Schema {
	list, err := parsedSchemas.Get(ctx, nil, func(ctx context.Context, _ model.Progress) (*[]*flatbuffer.Schema, error) {
		a, err := flatbuffer.ParseSchema(ctx, schemaA, nameA)
		if err != nil {
			return nil, err
		}
		b, err := flatbuffer.ParseSchema(ctx, schemaB, nameB)
		if err == nil {
			explain(a)
			explain(b)
		}
		return &[]*flatbuffer.Schema{a, b}, err
	})
	if err != nil {
		return nil
	}
	return *list
}

var parsedSchemas model.Once[[]*flatbuffer.Schema]

// choice is the schema that a buffer is read by.
type choice struct {
	verdict flatbuffer.Verdict
	others  []flatbuffer.Verdict
	failed  error // where no candidate verifies: the first error of the one that gets furthest
}

// choose verifies the buffer by the candidates, the first before the others where all else is equal.
func choose(ctx context.Context, b *flatbuffer.Buffer, candidates []*flatbuffer.Schema) choice {
	var verdicts []flatbuffer.Verdict
	best := -1
	for _, s := range candidates {
		v := b.Verify(ctx, s, firstItems)
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
		c.verdict = b.Verify(ctx, nil, firstItems)
	}
	return c
}

// better reports whether a is to be preferred over an earlier b: one that verifies over one that does not; of those, the one with
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
