package usdc

import (
	"context"
	"slices"
	"strconv"

	"cutaway/decoders/grammar"
	"cutaway/decoders/usda"
	"cutaway/model"
)

// checkValues reports what a walk over the layout does not see of values: problems of the fields' reps, of elements
// that are indexes, and between the parts of TimeSamples, splines and array edits.
func (c *crate) checkValues(ctx context.Context, progress model.Progress, report func(path string, p model.Problem)) error {
	if err := c.checkReps(ctx, progress, report); err != nil {
		return err
	}
	scan, err := c.scanValues(ctx, progress)
	if err != nil {
		return err
	}
	for _, p := range scan.problems {
		if c.regionAt(p.Span.Off) == nil {
			report(c.layout, p)
		}
	}
	for _, p := range scan.cut {
		report(c.layout, p)
	}
	check := valueCheck{c: c, pass: grammar.NewReading(ctx, grammar.Near), timesDone: map[int64]bool{}}
	for _, r := range scan.hidden {
		if err := check.value(ctx, r, func(p model.Problem) { report(c.layout, p) }); err != nil {
			return err
		}
	}
	for i, t := range scan.tiles {
		if i&0xFF == 0 {
			progress.Report(int64(i), int64(len(scan.tiles)), "values")
			if err := ctx.Err(); err != nil {
				return err
			}
		}
		if !t.begins() {
			continue
		}
		here := func(p model.Problem) { report(c.valuePath(t.off), p) }
		if err := check.value(ctx, t.r, here); err != nil {
			return err
		}
	}
	return nil
}

// checkReps reports the problems of the fields' reps.
func (c *crate) checkReps(ctx context.Context, progress model.Progress, report func(path string, p model.Problem)) error {
	fields, err := c.fields(ctx, progress)
	if err != nil {
		return err
	}
	told := 0
	return fields.reps(ctx, func(i int64, r rep) {
		if i&0xFFF == 0 {
			progress.Report(i, fields.n, "fields")
		}
		if told >= maxReported {
			return
		}
		for _, p := range c.ownProblems(ctx, r, fields.repSpan(i)) {
			told++
			report(c.fieldRef(uint32(i)).Path, p)
		}
	})
}

// ownProblems returns the problems of a rep, those of an index in it included; span is its place.
func (c *crate) ownProblems(ctx context.Context, r rep, span model.Span) []model.Problem {
	problems := c.repProblems(r, span)
	if s := r.typ().info().elem.scalar; s >= scalarString && r.placement() == placedInRep {
		if _, err := c.indexed(ctx, s, false, r.low()); err != nil {
			problems = append(problems, problemAt(err, inlinedSpan(r, span)))
		}
	}
	return problems
}

// valueCheck checks the values of a crate one by one.
type valueCheck struct {
	c         *crate
	pass      *grammar.Reading
	timesDone map[int64]bool // the times that were checked already, by their offsets
}

// value reports the problems of one value.
func (v *valueCheck) value(ctx context.Context, r rep, report func(model.Problem)) error {
	check := v.checkOf(r)
	if check == nil {
		return nil
	}
	t := v.c.readStored(v.pass, v.c.normal(r))
	defer t.object.Release(v.pass)
	return check(ctx, t, report)
}

// checkOf returns the check of values of the kind of r, or nil if there is none.
func (v *valueCheck) checkOf(r rep) func(ctx context.Context, t *storedValue, report func(model.Problem)) error {
	placed, typ := r.placement(), r.typ()
	switch {
	case placed == placedEdit:
		return v.edit
	case typ == typeSpline:
		return v.spline
	case typ == typeDictionary && placed == placedAt:
		return v.c.checkKeys
	case typ == typeUnregisteredValue && placed == placedAt, typ == typeUnregisteredValueListOp:
		return v.unregistered
	case typ == typeTimeSamples:
		return v.samples
	case typ.info().elem.scalar >= scalarString, typ == typeReferenceListOp, typ == typePayload, typ == typePayloadListOp:
		return v.c.checkIndexes
	case typ == typeBool && placed == placedArray:
		return v.c.checkBools
	}
	return nil
}

func (v *valueCheck) edit(ctx context.Context, t *storedValue, report func(model.Problem)) error {
	n := new(model.Node)
	v.c.fillEdit(ctx, n, t)
	reportBelow(ctx, n, 3, report) // instructions, repetitions, arguments
	return nil
}

func (v *valueCheck) spline(ctx context.Context, t *storedValue, report func(model.Problem)) error {
	n := new(model.Node)
	v.c.fillSpline(ctx, n, t, &enclosing{r: t.r, depth: 1})
	reportBelow(ctx, n, 1, report)
	return nil
}

func (v *valueCheck) samples(ctx context.Context, t *storedValue, report func(model.Problem)) error {
	s := v.c.samplesOf(ctx, t)
	for _, p := range s.problems {
		report(p)
	}
	at := s.timesRep.payload()
	if s.times.count == 0 || v.timesDone[at] {
		return nil
	}
	v.timesDone[at] = true
	return v.c.checkTimes(ctx, s.times, report)
}

// unregistered reports values that an UnregisteredValue cannot hold.
func (v *valueCheck) unregistered(ctx context.Context, t *storedValue, report func(model.Problem)) error {
	v.c.leaves(grammar.NewReading(ctx, grammar.Near), t.r, func(l *grammar.Leaf) bool {
		if l.Field != nil && l.Field.Entries == "values" {
			if p, wrong := v.c.badUnregistered(rep(l.Bits), v.c.src.Span(l.Off, l.Len)); wrong {
				report(p)
			}
		}
		return true
	})
	return nil
}

// checkBools reports the first byte of each array that is neither 0 nor 1.
func (c *crate) checkBools(ctx context.Context, t *storedValue, report func(model.Problem)) error {
	at := c.elementsOf(ctx, t).plain
	err := eachRun(ctx, at, 1, func(off int64, b []byte) bool {
		i := slices.IndexFunc(b, func(b byte) bool { return b > 1 })
		if i >= 0 {
			report(oddBool(b[i], c.src.Span(off+int64(i), 1)))
		}
		return i < 0
	})
	if ctx.Err() != nil {
		return err
	}
	return nil // what cannot be read is a problem of the array
}

// oddBool is about a byte of a bool array that stands for true but is not 1.
func oddBool(b byte, at model.Span) model.Problem {
	return model.Problemf(model.Suspicious, "usdc.value.bool", at, "a bool is neither 0 nor 1; it is read as true").Want("0 or 1", b)
}

// reportBelow reports the problems of n and of the nodes up to depth levels below, but does not go into arrays.
func reportBelow(ctx context.Context, n *model.Node, depth int, report func(model.Problem)) {
	for _, p := range n.Problems {
		report(p)
	}
	if n.Children == nil || n.Elements || depth == 0 {
		return
	}
	count, _ := n.Children.Len(ctx)
	for i := range count {
		child := n.Children.At(ctx, i)
		reportBelow(ctx, &child, depth-1, report)
	}
}

// checkIndexes reports single indexes, and the first of each list, that their tables do not have.
func (c *crate) checkIndexes(ctx context.Context, t *storedValue, report func(model.Problem)) error {
	e := &t.r.typ().info().elem
	var buf [256]model.Value
	for i := range t.starts {
		n := t.leafNode(ctx, i)
		a, isArray := n.Value.(*plainArray)
		if !isArray && n.Type != valueRep.Name() { // reps are checked where they are found
			for _, p := range n.Problems {
				report(p)
			}
		}
		for first := int64(0); isArray && first < a.count; {
			n, err := a.Read(ctx, first, buf[:])
			for k, v := range buf[:n] {
				if p, wrong := badExpression(e, v, a.src.Span(a.off+(first+int64(k))*e.size(), e.size())); wrong {
					report(p)
					return nil
				}
			}
			if err != nil {
				if ctx.Err() != nil {
					return ctx.Err()
				}
				report(problemAt(err, a.src.Span(a.off, a.count*e.size())))
				break
			}
			first += int64(n)
		}
	}
	return nil
}

// badExpression is the problem of a value of the type of path expressions that is none.
func badExpression(e *elem, v model.Value, at model.Span) (p model.Problem, wrong bool) {
	text, ok := v.(model.Text)
	if !ok || e.name != types[typePathExpression].name {
		return p, false
	}
	byteAt, want, ok := usda.CheckPathExpression(string(text))
	if ok {
		return p, false
	}
	return model.Problemf(model.Malformed, "usdc.value.path-expression", at, "readers make no path expression of %q: wrong from its byte %d on",
		string(text), byteAt).Want(want, foundAt(string(text), byteAt)), true
}

// foundAt returns the character at a byte of a text, in words.
func foundAt(text string, at int) string {
	for _, c := range text[min(at, len(text)):] {
		return strconv.QuoteRune(c)
	}
	return "the end"
}

// checkKeys reports keys of a dictionary that are repeated, and those whose index leads nowhere.
func (c *crate) checkKeys(ctx context.Context, t *storedValue, report func(model.Problem)) error {
	seen := map[string]bool{}
	c.leaves(grammar.NewReading(ctx, grammar.Near), t.r, func(l *grammar.Leaf) bool {
		if l.Field.Entries != "strings" {
			return true
		}
		key, err := c.str(ctx, uint32(l.Bits))
		at := c.src.Span(l.Off, l.Len)
		if err != nil {
			report(problemAt(asEmpty(err), at))
		} else if seen[key] {
			report(repeatedKey(key, at))
		}
		seen[key] = true
		return true
	})
	return nil
}

func repeatedKey(key string, at model.Span) model.Problem {
	return model.Problemf(model.Suspicious, "usdc.value.repeated-key", at, "the key %q is repeated; the last one wins", key)
}
