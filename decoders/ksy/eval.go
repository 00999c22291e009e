package ksy

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"math"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"cutaway/decoders/grammar"
	"cutaway/model"
)

// eval computes an expression's value in a record.
type eval func(s grammar.Scope) (grammar.Value, error)

// expr makes an expression of the engine's; nil of nil.
func (c *compiler) expr(e *Expr) grammar.Expr {
	if e == nil {
		return nil
	}
	if e.Op == OpInt && e.Int.IsInt64() {
		return grammar.Const(e.Int.Int64())
	}
	return grammar.Func(c.eval(e))
}

func fixed(v grammar.Value) eval {
	return func(grammar.Scope) (grammar.Value, error) { return v, nil }
}

// number is an integer of any size; beyond 64 bits it is a float, as it is for the reference.
func number(n *big.Int) grammar.Value {
	switch {
	case n.IsInt64():
		return grammar.IntValue(n.Int64())
	case n.IsUint64():
		return grammar.UintValue(n.Uint64())
	}
	f, _ := new(big.Float).SetInt(n).Float64()
	return grammar.FloatValue(f)
}

func (c *compiler) eval(e *Expr) eval {
	switch e.Op {
	case OpInt, OpSizeOf, OpBitSizeOf:
		return fixed(number(e.Int))
	case OpFloat:
		return fixed(grammar.FloatValue(e.Float))
	case OpStr:
		return fixed(grammar.StringValue(e.Str))
	case OpBool:
		return fixed(grammar.BoolValue(e.Bool))
	case OpMember:
		return fixed(number(e.Member.Value))
	case OpFormat:
		return c.format(e)
	case OpList:
		return c.list(e)
	case OpName, OpAttr:
		return c.named(e)
	case OpCall:
		return c.method(e)
	case OpIndex:
		return c.index(e)
	case OpCast:
		return c.cast(e)
	case OpCond:
		return c.choose(e)
	case OpAnd, OpOr:
		return c.logical(e)
	case OpNot, OpNegate, OpInvert:
		return c.unary(e)
	}
	return c.binary(e)
}

func (c *compiler) evals(list []*Expr) []eval {
	out := make([]eval, len(list))
	for i, e := range list {
		out[i] = c.eval(e)
	}
	return out
}

func (c *compiler) format(e *Expr) eval {
	pieces := c.evals(e.Args)
	return func(s grammar.Scope) (grammar.Value, error) {
		var text strings.Builder
		for _, piece := range pieces {
			v, err := piece(s)
			if err != nil {
				return v, err
			}
			if text.WriteString(v.String()); text.Len() > maxString {
				return v, errLong(s)
			}
		}
		return grammar.StringValue(text.String()), nil
	}
}

func (c *compiler) list(e *Expr) eval {
	elements := c.evals(e.Args)
	isBytes := e.Type.Kind == Bytes
	return func(s grammar.Scope) (grammar.Value, error) {
		values := make([]grammar.Value, len(elements))
		raw := make([]byte, len(elements))
		for i, element := range elements {
			v, err := element(s)
			if err != nil {
				return v, err
			}
			values[i] = v
			n, _ := v.Int()
			raw[i] = byte(n)
		}
		if isBytes {
			return grammar.BytesValue(raw), nil
		}
		return grammar.ArrayValue(values), nil
	}
}

// named is a field, a special name or a method without arguments: of the record that is read, or of Args[0].
func (c *compiler) named(e *Expr) eval {
	if e.Method != NoMethod {
		return c.method(e)
	}
	if e.Special == SizeOf {
		return fixed(number(e.Int))
	}
	of := func(s grammar.Scope) (grammar.Scope, error) { return s, nil }
	if e.Op == OpAttr {
		object := c.eval(e.Args[0])
		of = func(s grammar.Scope) (grammar.Scope, error) {
			v, err := object(s)
			if err != nil {
				return s, err
			}
			o := v.Object()
			if o == nil {
				return s, fmt.Errorf("%s is asked of %s", e.Name, v.Kind())
			}
			return s.In(o), nil
		}
	}
	get := c.special(e)
	if e.Field != nil {
		get = c.field(e.Field)
	}
	return func(s grammar.Scope) (grammar.Value, error) {
		in, err := of(s)
		if err != nil {
			return grammar.Value{}, err
		}
		return get(in)
	}
}

func (c *compiler) special(e *Expr) eval {
	switch e.Special {
	case Root:
		return func(s grammar.Scope) (grammar.Value, error) { return grammar.ObjectValue(c.rootOf(s.Object())), nil }
	case Parent:
		return func(s grammar.Scope) (grammar.Value, error) { return c.parentOf(s) }
	case Stream:
		return func(s grammar.Scope) (grammar.Value, error) { return grammar.StreamValue(s.Object().Stream()), nil }
	case Index:
		return func(s grammar.Scope) (grammar.Value, error) { return grammar.IntValue(s.Index()), nil }
	case Current:
		return func(s grammar.Scope) (grammar.Value, error) { return s.Item(), nil }
	case On:
		return func(s grammar.Scope) (grammar.Value, error) { return s.On(), nil }
	}
	return nil
}

// field is a param, a field or an instance of the record.
func (c *compiler) field(f *Field) eval {
	if f.Role == RoleParam {
		return func(s grammar.Scope) (grammar.Value, error) { return s.Object().Arg(f.Slot), nil }
	}
	rec, of := c.record(f.Owner), c.fields[f]
	return func(s grammar.Scope) (grammar.Value, error) {
		if s.Object().Record() != rec {
			return grammar.Value{}, fmt.Errorf("%s is asked of a %s, which is no %s", f.ID, s.Object().Record().Title, rec.Title)
		}
		return s.Value(of)
	}
}

// rootOf is what _root means in a record: the outermost one around it of the same module.
func (c *compiler) rootOf(o *grammar.Object) *grammar.Object {
	top := c.types[o.Record()].Top()
	for o.Parent() != nil && c.types[o.Parent().Record()].Top() == top {
		o = o.Parent()
	}
	return o
}

// parentOf is what _parent means in a record: the one that reads it, or which the field that reads it says.
func (c *compiler) parentOf(s grammar.Scope) (grammar.Value, error) {
	o := s.Object()
	parent := o.Parent()
	switch f := c.sources[o.Field()]; {
	case parent == nil || f == nil:
		return grammar.ObjectValue(parent), nil
	case f.NoParent:
		return grammar.Value{}, nil
	case f.ParentOf != nil:
		return c.parents[f](s.In(parent))
	}
	return grammar.ObjectValue(parent), nil
}

func (c *compiler) index(e *Expr) eval {
	of, at := c.eval(e.Args[0]), c.eval(e.Args[1])
	return func(s grammar.Scope) (grammar.Value, error) {
		list, err := of(s)
		if err != nil {
			return list, err
		}
		v, err := at(s)
		if err != nil {
			return v, err
		}
		i, _ := v.Int()
		return elementOf(s, list, i)
	}
}

// elementOf is element i of a list or of bytes.
func elementOf(s grammar.Scope, v grammar.Value, i int64) (grammar.Value, error) {
	if l := v.List(); l != nil {
		return l.At(s, i)
	}
	if blob := v.Blob(); blob != nil {
		b, err := blob.Read(s.Reading().Context())
		if err != nil {
			return grammar.Value{}, err
		}
		if i < 0 || i >= int64(len(b)) {
			return grammar.Value{}, fmt.Errorf("byte %d of %d", i, len(b))
		}
		return grammar.IntValue(int64(b[i])), nil
	}
	values := v.Values()
	if i < 0 || i >= int64(len(values)) {
		return grammar.Value{}, fmt.Errorf("element %d of %d", i, len(values))
	}
	return values[i], nil
}

// lengthOf is the number of elements, bytes or characters.
func lengthOf(s grammar.Scope, v grammar.Value) (int64, error) {
	switch v.Kind() {
	case grammar.String:
		return int64(len([]rune(v.String()))), nil
	case grammar.Bytes:
		return v.Blob().Len(), nil
	}
	if l := v.List(); l != nil {
		return l.Len(s)
	}
	return int64(len(v.Values())), nil
}

// cast changes only what a list of numbers is when it is taken for bytes; else it says what the value is already.
func (c *compiler) cast(e *Expr) eval {
	of := c.eval(e.Args[0])
	if e.Type.Kind != Bytes {
		return of
	}
	return func(s grammar.Scope) (grammar.Value, error) {
		v, err := of(s)
		if err != nil || v.Kind() != grammar.Array {
			return v, err
		}
		n, err := lengthOf(s, v)
		if err != nil {
			return v, err
		}
		b := make([]byte, 0, min(n, grammar.MaxBytes))
		for i := range min(n, grammar.MaxBytes) {
			element, err := elementOf(s, v, i)
			if err != nil {
				return v, err
			}
			number, _ := element.Int()
			b = append(b, byte(number))
		}
		return grammar.BytesValue(b), nil
	}
}

func (c *compiler) choose(e *Expr) eval {
	args := c.evals(e.Args)
	return func(s grammar.Scope) (grammar.Value, error) {
		v, err := args[0](s)
		if err != nil {
			return v, err
		}
		if truth, _ := v.Bool(); truth {
			return args[1](s)
		}
		return args[2](s)
	}
}

func (c *compiler) logical(e *Expr) eval {
	a, b := c.eval(e.Args[0]), c.eval(e.Args[1])
	return func(s grammar.Scope) (grammar.Value, error) {
		v, err := a(s)
		if truth, _ := v.Bool(); err != nil || truth == (e.Op == OpOr) {
			return v, err
		}
		return b(s)
	}
}

func (c *compiler) unary(e *Expr) eval {
	of := c.eval(e.Args[0])
	return func(s grammar.Scope) (grammar.Value, error) {
		v, err := of(s)
		if err != nil {
			return v, err
		}
		if e.Op == OpNot {
			truth, _ := v.Bool()
			return grammar.BoolValue(!truth), nil
		}
		if v.Kind() == grammar.Float {
			f, _ := v.Float()
			return grammar.FloatValue(-f), nil
		}
		n := bigOf(v)
		if e.Op == OpInvert {
			return number(n.Not(n)), nil
		}
		return number(n.Neg(n)), nil
	}
}

// bigOf is an integer; of a boolean 0 or 1.
func bigOf(v grammar.Value) *big.Int {
	if u, ok := v.Uint(); ok {
		return new(big.Int).SetUint64(u)
	}
	if truth, ok := v.Bool(); ok && truth {
		return big.NewInt(1)
	}
	n, _ := v.Int()
	return big.NewInt(n)
}

func (c *compiler) binary(e *Expr) eval {
	a, b := c.eval(e.Args[0]), c.eval(e.Args[1])
	return func(s grammar.Scope) (grammar.Value, error) {
		x, err := a(s)
		if err != nil {
			return x, err
		}
		y, err := b(s)
		if err != nil {
			return y, err
		}
		if e.Op >= OpEqual && e.Op <= OpAtLeast {
			order, err := compare(s, x, y)
			return grammar.BoolValue(holds(e.Op, order)), err
		}
		if x.Kind() == grammar.String && y.Kind() == grammar.String && len(x.String())+len(y.String()) > maxString {
			return x, errLong(s)
		}
		return calculate(e.Op, x, y)
	}
}

// maxString is how many bytes a text that is computed may have.
const maxString = 16 << 20

func errLong(s grammar.Scope) error {
	return model.Problemf(model.Limit, ruleLimit, s.Object().Stream().Source.Span(s.Object().Start(), 0), "a text of more than %d bytes is computed", maxString)
}

// holds reports whether a comparison is true of values in an order: -1, 0 or 1; 2 where there is none.
func holds(op Op, order int) bool {
	switch op {
	case OpEqual:
		return order == 0
	case OpUnequal:
		return order != 0
	case OpLess:
		return order == -1
	case OpAtMost:
		return order == -1 || order == 0
	case OpGreater:
		return order == 1
	}
	return order == 0 || order == 1
}

func compare(s grammar.Scope, a, b grammar.Value) (int, error) {
	switch {
	case a.Kind() == grammar.Int && b.Kind() == grammar.Int:
		x, _ := a.Int()
		y, _ := b.Int()
		return cmp.Compare(x, y), nil
	case a.Kind() == grammar.String && b.Kind() == grammar.String:
		return strings.Compare(a.String(), b.String()), nil
	case a.Kind() == grammar.Bytes && b.Kind() == grammar.Bytes:
		x, err := a.Blob().Read(s.Reading().Context())
		if err != nil {
			return 0, err
		}
		y, err := b.Blob().Read(s.Reading().Context())
		return bytes.Compare(x, y), err
	case a.Kind() == grammar.Float || b.Kind() == grammar.Float:
		x, _ := a.Float()
		y, _ := b.Float()
		if math.IsNaN(x) || math.IsNaN(y) {
			return 2, nil
		}
		return cmp.Compare(x, y), nil
	}
	return bigOf(a).Cmp(bigOf(b)), nil
}

// most is the largest size of an integer in bits that is computed with.
const most = 1 << 12

var errDivision = errors.New("a division by zero")

// calculate does arithmetic. Integers have any size on the way; division is rounded down, and a remainder is not negative
// for a positive divisor.
func calculate(op Op, a, b grammar.Value) (grammar.Value, error) {
	if a.Kind() == grammar.String {
		return grammar.StringValue(a.String() + b.String()), nil
	}
	if a.Kind() == grammar.Float || b.Kind() == grammar.Float {
		x, _ := a.Float()
		y, _ := b.Float()
		return calculateFloat(op, x, y), nil
	}
	x, y := bigOf(a), bigOf(b)
	switch op {
	case OpAdd:
		return number(x.Add(x, y)), nil
	case OpSubtract:
		return number(x.Sub(x, y)), nil
	case OpMultiply:
		return number(x.Mul(x, y)), nil
	case OpBitAnd:
		return number(x.And(x, y)), nil
	case OpBitOr:
		return number(x.Or(x, y)), nil
	case OpBitXor:
		return number(x.Xor(x, y)), nil
	case OpShiftLeft, OpShiftRight:
		return shift(op, x, y)
	}
	return divide(op, x, y)
}

func shift(op Op, x, y *big.Int) (grammar.Value, error) {
	if y.Sign() < 0 || y.Cmp(big.NewInt(most)) > 0 {
		return grammar.Value{}, fmt.Errorf("a shift by %s bits, and the limit is %d", y, most)
	}
	if op == OpShiftLeft {
		return number(x.Lsh(x, uint(y.Int64()))), nil
	}
	return number(x.Rsh(x, uint(y.Int64()))), nil
}

// divide is the quotient or the remainder.
func divide(op Op, x, y *big.Int) (grammar.Value, error) {
	if y.Sign() == 0 {
		return grammar.Value{}, errDivision
	}
	quotient, rest := new(big.Int).QuoRem(x, y, new(big.Int))
	if rest.Sign() != 0 && rest.Sign() != y.Sign() {
		quotient.Sub(quotient, big.NewInt(1))
		rest.Add(rest, y)
	}
	if op == OpDivide {
		return number(quotient), nil
	}
	return number(rest), nil
}

func calculateFloat(op Op, x, y float64) grammar.Value {
	switch op {
	case OpAdd:
		return grammar.FloatValue(x + y)
	case OpSubtract:
		return grammar.FloatValue(x - y)
	case OpMultiply:
		return grammar.FloatValue(x * y)
	case OpDivide:
		return grammar.FloatValue(x / y)
	}
	return grammar.FloatValue(math.Mod(x, y))
}

// method is what is asked of a value that is no structure.
func (c *compiler) method(e *Expr) eval {
	of := c.eval(e.Args[0])
	args := c.evals(e.Args[1:])
	return func(s grammar.Scope) (grammar.Value, error) {
		v, err := of(s)
		if err != nil {
			return v, err
		}
		with := make([]grammar.Value, len(args))
		for i, arg := range args {
			if with[i], err = arg(s); err != nil {
				return v, err
			}
		}
		return call(s, e.Method, v, with)
	}
}

func call(s grammar.Scope, m Method, v grammar.Value, args []grammar.Value) (grammar.Value, error) {
	switch m {
	case ToString:
		return toString(s, v, args)
	case ToInteger:
		return toInteger(v, args)
	case ToBytes:
		b, err := encode(args[0].String(), v.String())
		return grammar.BytesValue(b), err
	case Length:
		n, err := lengthOf(s, v)
		return grammar.IntValue(n), err
	case Reverse:
		r := []rune(v.String())
		slices.Reverse(r)
		return grammar.StringValue(string(r)), nil
	case Substring:
		return substring(v.String(), args)
	case First:
		return elementOf(s, v, 0)
	case Last:
		n, err := lengthOf(s, v)
		if err != nil {
			return v, err
		}
		return elementOf(s, v, n-1)
	case Min:
		return extreme(s, v, -1)
	case Max:
		return extreme(s, v, 1)
	case StreamSize:
		return grammar.IntValue(v.Stream().Size()), nil
	case StreamPos:
		return grammar.IntValue(s.PosIn(v.Stream())), nil
	case StreamEOF:
		return grammar.BoolValue(s.AtEnd(v.Stream())), nil
	}
	return v, nil
}

func toString(s grammar.Scope, v grammar.Value, args []grammar.Value) (grammar.Value, error) {
	if v.Kind() != grammar.Bytes {
		return grammar.StringValue(v.String()), nil
	}
	b, err := v.Blob().Read(s.Reading().Context())
	if err != nil {
		return v, err
	}
	text, err := decode(args[0].String(), b)
	return grammar.StringValue(text), err
}

func toInteger(v grammar.Value, args []grammar.Value) (grammar.Value, error) {
	switch v.Kind() {
	case grammar.Float:
		f, _ := v.Float()
		n, accuracy := big.NewFloat(math.Trunc(f)).Int(nil)
		if accuracy != big.Exact {
			return v, fmt.Errorf("%s has no whole part", v)
		}
		return number(n), nil
	case grammar.String:
		base := int64(10)
		if len(args) > 0 {
			base, _ = args[0].Int()
		}
		return parseInteger(v.String(), int(base))
	}
	return number(bigOf(v)), nil
}

// parseInteger reads the digits that text begins with; what follows them is left out, as the reference does.
func parseInteger(text string, base int) (grammar.Value, error) {
	if base < 2 || base > 36 {
		return grammar.Value{}, fmt.Errorf("there are no integers of base %d", base)
	}
	text = strings.TrimSpace(text)
	end := 0
	for ; end < len(text); end++ {
		if _, err := strconv.ParseUint(text[end:end+1], base, 8); err != nil && (end > 0 || text[0] != '-' && text[0] != '+') {
			break
		}
	}
	n, ok := new(big.Int).SetString(text[:end], base)
	if !ok {
		return grammar.Value{}, fmt.Errorf("%s is no integer of base %d", strconv.Quote(text), base)
	}
	return number(n), nil
}

func substring(text string, args []grammar.Value) (grammar.Value, error) {
	r := []rune(text)
	from, _ := args[0].Int()
	to, _ := args[1].Int()
	if from < 0 || to < from || to > int64(len(r)) {
		return grammar.Value{}, fmt.Errorf("characters %d to %d of %d", from, to, len(r))
	}
	return grammar.StringValue(string(r[from:to])), nil
}

// extreme is the least (-1) or greatest (1) element.
func extreme(s grammar.Scope, v grammar.Value, sign int) (grammar.Value, error) {
	n, err := lengthOf(s, v)
	if err != nil {
		return v, err
	}
	best, err := elementOf(s, v, 0)
	for i := int64(1); i < n && err == nil; i++ {
		var element grammar.Value
		if element, err = elementOf(s, v, i); err != nil {
			break
		}
		order, failed := compare(s, element, best)
		if err = failed; order == sign {
			best = element
		}
	}
	return best, err
}
