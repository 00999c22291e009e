package grammar

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"cutaway/model"
)

// A Record is the description of a record: its fields in the order of the bytes, then those that are read elsewhere or
// computed.
type Record struct {
	Title  string   // the type in the format's words, for nodes
	Help   string   // one line
	Clause string   // of the standard, or ""
	Params []string // names of the arguments of Call, Read and Open
	Fields []*Field // in the order of the bytes; those with Place or Computed come last
	// BigEndian decides the byte order of numbers of the record's own order (Scalar.RecordOrder), or is nil if that is the
	// order of the record around.
	BigEndian Expr
	// SizedBy names the field with the number of the record's bytes after it. The fields after it are then read on demand.
	// A record that is longer than the bytes ends with the bytes.
	SizedBy string
	// Checks are the rules of the record as a whole. A breach is a problem of its node.
	Checks []Check
	// Choice replaces the record by one with more fields, or is nil.
	Choice *Choice

	sequence  int   // fields that are read one after another
	inline    []int // the fields whose elements, or whose own fields, are shown as the record's: the first present one
	byName    map[string]int
	offsets   []int64 // of the fields of a record of fixed size
	firstBits []uint8 // likewise: the bit of the byte there at which a bit field begins
	size      int64   // of the sequence, or -1 if it depends on the bytes
	alone     bool    // there is nothing but the sequence
	unruled   bool    // no bytes can break a rule, and all have one role
	fewest    int64
	lead      *lead // or nil
	built     bool
}

// Build finds what names mean and what is known of the record before any byte is read. A record that refers to itself is
// built once all of its fields are set.
func (r *Record) Build() error {
	if r.built {
		return nil
	}
	r.built = true
	r.byName = make(map[string]int, len(r.Fields))
	r.size = -1 // a record that lies in itself has no fixed size
	var errs []error
	for i, f := range r.Fields {
		f.index = i
		if _, twice := r.byName[f.Name]; !twice {
			r.byName[f.Name] = i
		}
		if f.elsewhere() {
			continue
		}
		if i > r.sequence {
			errs = append(errs, fmt.Errorf("field %q follows fields that are read elsewhere", f.Name))
		}
		r.sequence = i + 1
		if f.Inlined {
			if !r.mayInline(f) {
				errs = append(errs, fmt.Errorf("field %q cannot be inlined: it is the second such, or no field has its count", f.Name))
			}
			r.inline = append(r.inline, i)
		}
	}
	errs = append(errs, compile(&r.BigEndian, r))
	if r.SizedBy != "" {
		errs = append(errs, r.checkSizedBy())
	}
	if r.Choice != nil {
		errs = append(errs, r.Choice.build())
	}
	errs = append(errs, bindChecks(&r.Checks, r, nil))
	for i, f := range r.Fields {
		if err := f.build(r); err != nil {
			errs = append(errs, fmt.Errorf("field %q: %w", f.Name, err))
		}
		r.rename(i)
	}
	if err := errors.Join(errs...); err != nil {
		return err
	}
	r.measure()
	return nil
}

// rename decides which of several fields a name means: the one that can be present. Of two that are present together the second is
// numbered, as in lists of nodes. Field i was just built.
func (r *Record) rename(i int) {
	f := r.Fields[i]
	first := r.byName[f.Name]
	switch {
	case first == i || f.Absent:
		return
	case r.Fields[first].Absent:
		r.byName[f.Name] = i
		return
	case r.Fields[first].Condition != nil && f.Condition != nil:
		return // one of them is present
	}
	name := f.Name
	for k := 2; f.Name == name || r.Lookup(f.Name) != nil; k++ {
		f.Name = fmt.Sprintf("%s~%d", name, k)
	}
	r.byName[f.Name] = i
}

// mayInline reports whether a field can be inlined. Of several, conditions have to leave one.
func (r *Record) mayInline(f *Field) bool {
	alone := len(r.inline) == 0 || f.Condition != nil && r.Fields[r.inline[0]].Condition != nil
	return alone && (f.Repeat == nil || f.index > 0 || f.Repeat.Count == nil)
}

// checkSizedBy finds out whether the field that SizedBy names can say a size.
func (r *Record) checkSizedBy() error {
	i, ok := r.byName[r.SizedBy]
	if !ok || i >= r.sequence {
		return fmt.Errorf("it is sized by %q, which is no field of the sequence", r.SizedBy)
	}
	if of, ok := r.Fields[i].Of.(*Scalar); !ok || of.kind != unsigned || r.Fields[i].Repeat != nil {
		return fmt.Errorf("it is sized by %q, which is no unsigned number", r.SizedBy)
	}
	return nil
}

// measure adds up the sizes of the fields, as far as they are known.
func (r *Record) measure() {
	fixed := r.SizedBy == "" && r.Choice == nil
	at, fewest := int64(0), int64(0)
	r.offsets, r.firstBits = make([]int64, r.sequence), make([]uint8, r.sequence)
	bit := 0
	for i, f := range r.Fields[:r.sequence] {
		if b, bits := f.Of.(*BitField); bits && f.plain() {
			r.offsets[i], r.firstBits[i] = at, uint8(bit)
			bit += b.Width
			at, bit = at+int64(bit/8), bit%8
			continue
		}
		if bit > 0 {
			at, bit = at+1, 0
		}
		r.offsets[i] = at
		fixed = fixed && f.size() >= 0
		at += max(f.width(), 0)
		fewest += f.fewest()
	}
	if bit > 0 {
		at++
	}
	r.fewest = fewest
	if r.Choice != nil {
		r.fewest = r.Choice.least()
	}
	r.alone = len(r.Fields) == r.sequence
	r.lead = r.findLead()
	placed := slices.ContainsFunc(r.Fields[r.sequence:], func(f *Field) bool { return f.Place != nil })
	if fixed && !placed && r.BigEndian == nil {
		r.size = at
		r.unruled = r.alone && len(r.Checks) == 0 && !slices.ContainsFunc(r.Fields, (*Field).ruled)
	}
}

// isUnruled reports whether no bytes of a value can break a rule, and all have one role.
func isUnruled(t Type) bool {
	switch t := t.(type) {
	case *Scalar, *BitField:
		return true
	case *Record:
		return t.unruled
	}
	return false
}

// ruled reports whether a field that is always there may be wrong by its bytes, or is of a role of its own.
func (f *Field) ruled() bool {
	return !f.Absent && f.isRuled()
}

func (f *Field) isRuled() bool {
	return f.checked() || f.Role != model.Explained || f.Extent != nil || !isUnruled(f.Of)
}

// checked reports whether there is a rule for the field, its elements or its list.
func (f *Field) checked() bool {
	return len(f.Checks) > 0 || f.Repeat != nil && len(f.Repeat.Checks) > 0
}

// Name returns the title.
func (r *Record) Name() string { return r.Title }

// Size returns the bytes of every object, or -1 if they differ.
func (r *Record) Size() int64 { return r.size }

func (r *Record) least() int64 { return r.fewest }

// Least returns the fewest bytes of a record.
func (r *Record) Least() int64 { return r.fewest }

func (r *Record) bind(*Record) error { return r.Build() }

// Field returns the field of that name, or panics if there is none.
func (r *Record) Field(name string) *Field {
	i, ok := r.byName[name]
	if !ok {
		panic(fmt.Sprintf("grammar: record %s has no field %q", r.Title, name))
	}
	return r.Fields[i]
}

// Lookup returns the field of that name, or nil if the record has none.
func (r *Record) Lookup(name string) *Field {
	if i, ok := r.byName[name]; ok {
		return r.Fields[i]
	}
	return nil
}

// Offset returns the offset of a field in a record of fixed size.
func (r *Record) Offset(f *Field) int64 { return r.offsets[f.index] }

// Place returns where field i begins in every object that has it, or -1 if that differs or it is not in the sequence.
func (r *Record) Place(i int) int64 {
	if i >= r.sequence {
		return -1
	}
	for k := range i {
		if _, bits := r.Fields[k].Of.(*BitField); !bits && r.Fields[k].width() < 0 {
			return -1
		}
	}
	return r.offsets[i]
}

// A Field is one field of a record.
type Field struct {
	Name string
	Of   Type
	Help string
	// Clause is that of the standard which defines the field, or "".
	Clause string
	// Role is the role of the field's bytes in the format.
	Role model.Role
	// Condition decides whether the field exists, or is nil if it always does. NotEmpty says that it is the extent's size above 0.
	Condition Expr
	NotEmpty  bool
	// Absent says that the field is never there: its condition is known not to hold.
	Absent bool
	// Extent says which bytes the field has where its type does not.
	Extent *Extent
	// Repeat makes the field a list.
	Repeat *Repeat
	// Inlined shows the elements of a list, or the fields of a record, as children of the record, with its fields. A problem of
	// the list as a whole is that of the field before it.
	Inlined bool
	// Exact makes the field absent unless its type takes all bytes that are left but for Slack, and is not cut off.
	Exact bool
	// Slack is the most bytes that a field that is Exact leaves, or nil for none.
	Slack Expr
	// OneLeaf makes a list one leaf to Leaves and LeafAt, whatever the size of its elements.
	OneLeaf bool
	// Place says where the field is read, or is nil for the end of the field before.
	Place *Place
	// Computed is the value of a field that has no bytes.
	Computed Expr
	// Process makes the bytes that the type reads out of those of the extent.
	Process Process
	// Checks are the rules of the field's value.
	Checks []Check
	// Stop ends the record after the field where it holds: nothing says then what follows.
	Stop Expr
	// Names names numbers; "" where it does not know one.
	Names       func(s Scope, n int64) string
	ShowsNumber bool // text shows the number beside its name
	// Entries names the list whose entries the field's numbers name, for the format.
	Entries string
	// Fixed is the value that the field is known to have where the record is read, or nil.
	Fixed *Value
	// Skip says that the bytes are not the record's own but of others, whom it does not know: the field has no node.
	Skip bool
	// Hidden keeps the field from being a node of its own; its bytes are still read.
	Hidden bool
	// Node completes the field's node: refs, cards, words. The value and spans are set. It adds no problems and no
	// sources, which a survey would not see: those are Checks, and what a Custom type or a Process makes.
	Node func(s Scope, v Value, n *model.Node)
	// Origin is the field of the language that made this one, for the language.
	Origin any

	index int
	ends  bool  // a check ends the record
	least int64 // fewest bytes that a repeated field's count is held against
}

// elsewhere reports whether the field is not one of the sequence.
func (f *Field) elsewhere() bool { return f.Place != nil || f.Computed != nil }

func (f *Field) build(r *Record) error {
	if err := bindChecks(&f.Checks, r, f); err != nil {
		return err
	}
	if f.Repeat != nil {
		if err := bindChecks(&f.Repeat.Checks, r, f); err != nil {
			return err
		}
	}
	f.ends = slices.ContainsFunc(f.Checks, func(c Check) bool { return c.Ends })
	var errs []error
	for _, e := range f.expressions() {
		errs = append(errs, compile(e, r))
	}
	if f.Of == nil {
		if f.Computed == nil {
			errs = append(errs, errors.New("it has no type"))
		}
		return errors.Join(errs...)
	}
	errs = append(errs, f.Of.bind(r))
	f.fold()
	if of, ok := f.Of.(*Record); ok && len(of.Params) > 0 {
		errs = append(errs, fmt.Errorf("%s takes %d arguments (Call)", of.Title, len(of.Params)))
	}
	if _, opaque := f.Of.(*Opaque); opaque && f.Extent == nil {
		errs = append(errs, errors.New("nothing says how long it is"))
	}
	f.least = max(f.Of.least(), 0)
	if f.Extent != nil {
		f.least = f.Extent.fewest()
	}
	return errors.Join(errs...)
}

// bindChecks compiles rules of a record or of one of its fields, and drops those that never apply.
func bindChecks(list *[]Check, r *Record, f *Field) (err error) {
	*list = slices.DeleteFunc(*list, func(c Check) bool {
		if c.Compile == nil {
			return false
		}
		applies, failed := c.Compile(r, f)
		err = errors.Join(err, failed)
		return !applies
	})
	return err
}

// fold decides whether the field is present, and its type, if these are the same in every object.
func (f *Field) fold() {
	if n, ok := constantOf(f.Condition); ok {
		f.Condition, f.Absent = nil, f.Absent || n == 0
	}
	for {
		t, ok := f.Of.(*Switch)
		if !ok || !t.Once {
			return
		}
		n, ok := constantOf(t.On)
		if !ok {
			return
		}
		of := t.byNumber(n)
		if of == nil {
			return
		}
		f.Of = of
		if in, ok := of.(*within); ok && f.Extent == nil {
			f.Of, f.Extent, f.Process = in.Type, in.extent, in.process
		}
	}
}

func (f *Field) expressions() []*Expr {
	all := []*Expr{&f.Condition, &f.Computed, &f.Stop, &f.Slack}
	if x := f.Extent; x != nil {
		all = append(all, &x.Size)
	}
	if x := f.Repeat; x != nil {
		all = append(all, &x.Count, &x.Until)
	}
	if x := f.Place; x != nil {
		all = append(all, &x.Pos, &x.IO)
	}
	return all
}

// size returns the number of bytes that the field always takes, or -1 if it depends on the bytes or the record may end after it.
func (f *Field) size() int64 {
	if f.mayStop() && !f.Absent {
		return -1
	}
	return f.width()
}

// width returns the number of bytes that the field always takes, or -1 if it depends on the bytes.
func (f *Field) width() int64 {
	if f.Absent {
		return 0
	}
	if !f.steady() || f.Inlined && f.Repeat == nil {
		return -1
	}
	n := f.sizeOf(f.Of)
	if f.Repeat == nil || n < 0 {
		return n
	}
	if count, ok := constantOf(f.Repeat.Count); ok && count >= 0 && (n == 0 || count < math.MaxInt32/n) {
		return n * count
	}
	return -1
}

// sizeOf returns the size of every value of a type in the field's extent, or -1 if they differ.
func (f *Field) sizeOf(of Type) int64 {
	n := of.Size()
	if f.Extent == nil {
		return n
	}
	if size := f.Extent.constant(); size >= n {
		return size
	}
	return -1 // each is cut off, which is seen by reading it
}

// plain reports whether the field is always there, once, and all that its type says.
func (f *Field) plain() bool {
	return f.steady() && !f.mayStop() && !f.Absent && f.Extent == nil && f.Repeat == nil
}

// steady reports whether nothing but the type, the extent and the number of elements decides which bytes the field has.
func (f *Field) steady() bool {
	return f.Condition == nil && f.Process == nil && !f.Skip && !f.Exact
}

// LeastElement returns the fewest bytes of an element of a list in a record, or 1 for the bytes of another field or none.
func (f *Field) LeastElement(s Scope) int64 {
	if f == nil || f.Repeat == nil {
		return 1
	}
	if t, ok := f.Of.(*Switch); ok && t.Once && f.Extent == nil {
		if of, err := t.pick(s); err == nil && of != nil {
			return max(of.least(), 0)
		}
	}
	return f.least
}

// fewest returns the fewest bytes that the field takes.
func (f *Field) fewest() int64 {
	if f.Absent || f.Condition != nil || f.Repeat != nil || f.Exact {
		return max(f.size(), 0)
	}
	return f.least
}

// An Extent says which bytes a field has.
type Extent struct {
	Size  Expr // bytes
	ToEnd bool // all that are left
	// PadByte is taken off the end of the value before the terminator is looked for, if HasPad says so.
	PadByte byte
	HasPad  bool
	// Terminator ends the field, within Size where that is given. Include makes it part of the value; Keep leaves it to
	// the next field. Without Open the field must have one.
	Terminator    []byte
	Include, Keep bool
	Open          bool
}

// sized returns the expression of the field's size, of a switch that of a case, or nil if there is none.
func (f *Field) sized() Expr {
	if f.Extent != nil {
		return f.Extent.Size
	}
	if s, ok := f.Of.(*Switch); ok {
		for _, of := range s.Types {
			if t, ok := of.(*within); ok {
				return t.extent.Size
			}
		}
	}
	return nil
}

func (x *Extent) fewest() int64 {
	if n := x.constant(); n >= 0 {
		return n
	}
	if x.Size == nil && len(x.Terminator) > 0 && !x.Open && !x.Keep {
		return int64(len(x.Terminator))
	}
	return 0
}

// terminators returns the number of bytes after the value that end it.
func (x *Extent) terminators() int {
	if x.Include || x.Keep {
		return 0
	}
	return len(x.Terminator)
}

// constant returns the size if the description says a number, or -1.
func (x *Extent) constant() int64 {
	if n, ok := constantOf(x.Size); ok && n >= 0 {
		return n
	}
	return -1
}

// A Repeat says how often a field is repeated.
type Repeat struct {
	Count Expr
	ToEnd bool // until the stream ends
	Until Expr // until the condition holds, which sees the element as Scope.Item
	// Rule is that of a count that the bytes cannot hold, or "" for Session.Truncated.
	Rule string
	// Short lets a list have fewer elements than Count, without a problem of the engine's: Checks say what is wrong.
	Short Short
	// Names names the elements, which else have numbers. Object.Path does not know these names. Names is called once all
	// elements are known.
	Names func(s Scope) Names
	// Checks are the rules of the list as a whole, once all elements are known; the field's are those of each element.
	Checks []Check
}

// Short says what becomes of a list whose elements the bytes do not all hold.
type Short uint8

const (
	// Broken makes the record end after the list.
	Broken Short = iota
	// WithCut keeps an element that is cut off as the last one, if it has any bytes. The next field follows it.
	WithCut
	// WithoutCut drops an element that is cut off. The next field follows the last whole element.
	WithoutCut
)

// Names are the names of the elements of a list.
type Names interface {
	Name(s Scope, i int64) string
	Find(s Scope, name string) (i int64, ok bool)
}

// A Place says where a field is read.
type Place struct {
	Pos Expr // from the start of the stream, or nil for the position of the stream
	IO  Expr // the stream, or nil for the record's own
}

// A Process makes bytes out of those of a field, such as by inflating them.
type Process interface {
	// Codec names it: the name of the source that it makes.
	Codec() string
	// Decode makes the bytes. Damage gives the good part with an error; none with one means that there is nothing to
	// read. A limit of the process's own is a problem of kind Limit.
	Decode(s Scope, in model.Span) ([]byte, error)
}

// A Check is a rule of a field's value.
type Check struct {
	Rule     string
	Kind     model.Kind
	OK       func(s Scope, v Value) bool
	Expected string
	Found    func(s Scope, v Value) string // nil: the value
	Message  string
	// Ends says that a breach ends the record after the field.
	Ends bool
	// Find finds the breach instead of all of the above, for rules that one function of the format decides. A problem
	// without a span gets the field's.
	Find func(s Scope, v Value) (p model.Problem, breach bool)
	// Keeps decides without making a problem, or is nil.
	Keeps func(s Scope, v Value) bool
	// Compile prepares the check for the record that is built and its field, if it is not one of the record as a whole. It returns
	// false if the rule never applies there. Compile may be nil.
	Compile func(r *Record, f *Field) (applies bool, err error)
}

// broken reports whether the value breaks the rule.
func (c *Check) broken(s Scope, v Value) bool {
	if c.Keeps != nil {
		return !c.Keeps(s, v)
	}
	_, breach := c.problem(s, v, model.Span{})
	return breach
}

// problem returns the breach of the rule, or false if the value keeps it.
func (c *Check) problem(s Scope, v Value, at model.Span) (model.Problem, bool) {
	if c.Find != nil {
		p, breach := c.Find(s, v)
		if p.Span.Source == nil {
			p.Span = at
		}
		return p, breach
	}
	if c.OK(s, v) {
		return model.Problem{}, false
	}
	p := model.Problem{Rule: c.Rule, Kind: c.Kind, Span: at, Expected: c.Expected, Found: v.String(), Message: c.Message}
	if c.Found != nil {
		p.Found = c.Found(s, v)
	}
	return p, true
}
