package grammar

import (
	"fmt"
	"strconv"
)

// FewEmptyElements lowers the limit of elements without bytes, for tests that meet it again and again.
func FewEmptyElements() { emptyAtLeast, emptyPerByte, emptyAtMost = 10, 1, 1000 }

// Named is the number in a field of that name, or one in digits: an expression for tests.
type Named string

// Compile finds the field.
func (n Named) Compile(r *Record) (*Code, error) {
	if k, err := strconv.ParseInt(string(n), 0, 64); err == nil {
		return FixedCode(IntValue(k)), nil
	}
	f := r.Lookup(string(n))
	if f == nil {
		return nil, fmt.Errorf("no field %q", n)
	}
	return r.FieldCode(f), nil
}
