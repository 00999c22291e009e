package ksy

import (
	"bytes"
	"compress/zlib"
	"context"
	"errors"
	"fmt"
	"io"
	"math/bits"

	"cutaway/decoders/grammar"
	"cutaway/model"
)

// transform makes the bytes of a processed field.
type transform struct {
	name string
	args []eval
}

func (c *compiler) process(f *Field) grammar.Process {
	return &transform{f.Process.Name, c.evals(f.Process.Args)}
}

// Codec implements grammar.Process.
func (t *transform) Codec() string { return t.name }

// Decode implements grammar.Process.
func (t *transform) Decode(s grammar.Scope, in model.Span) ([]byte, error) {
	ctx := s.Reading().Context()
	args := make([]grammar.Value, len(t.args))
	for i, arg := range t.args {
		v, err := arg(s)
		if err != nil {
			return nil, err
		}
		args[i] = v
	}
	b, err := grammar.SpanValue(in).Blob().Read(ctx)
	if err != nil {
		return nil, err
	}
	switch t.name {
	case "xor":
		return xor(ctx, b, args[0])
	case "rol", "ror":
		n, _ := args[0].Int()
		if t.name == "ror" {
			n = -n
		}
		out := make([]byte, len(b))
		for i, c := range b {
			out[i] = bits.RotateLeft8(c, int(n%8))
		}
		return out, nil
	case "zlib":
		r, err := zlib.NewReader(bytes.NewReader(b))
		if err != nil {
			return nil, err
		}
		return limited(r)
	}
	return nil, fmt.Errorf("the process %q is not one that this program has", t.name)
}

func xor(ctx context.Context, b []byte, key grammar.Value) ([]byte, error) {
	var k []byte
	if blob := key.Blob(); blob != nil {
		var err error
		if k, err = blob.Read(ctx); err != nil {
			return nil, err
		}
	} else {
		n, _ := key.Int()
		k = []byte{byte(n)}
	}
	if len(k) == 0 {
		return nil, errors.New("the key of xor has no bytes")
	}
	out := make([]byte, len(b))
	for i, c := range b {
		out[i] = c ^ k[i%len(k)]
	}
	return out, nil
}

// limited reads all that a codec makes, up to the engine's limit; what was good before damage is kept.
func limited(r io.Reader) ([]byte, error) {
	out, err := io.ReadAll(io.LimitReader(r, grammar.MaxBytes+1))
	if err == nil && len(out) > grammar.MaxBytes {
		return nil, fmt.Errorf("it comes to more than %d bytes, which is this program's limit", grammar.MaxBytes)
	}
	return out, err
}
