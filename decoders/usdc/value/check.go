package value

import (
	"context"
	"slices"
	"strconv"
	"unicode/utf8"

	"cutaway/decoders/grammar"
	"cutaway/decoders/usda"
	"cutaway/decoders/usdc/coding"
	"cutaway/decoders/usdc/table"
	"cutaway/model"
)

// Check reports what a walk over the layout does not see of values: problems of the fields' reps, of elements
// that are indexes, and between the parts of TimeSamples, splines and array edits.
func (vs *Values) Check(ctx context.Context, progress model.Progress, report func(path string, p model.Problem)) error {
	if err := vs.checkReps(ctx, progress, report); err != nil {
		return err
	}
	scan, err := vs.Scan(ctx, progress)
	if err != nil {
		return err
	}
	for _, p := range scan.problems {
		if vs.crate.RegionAt(p.Span.Off) == nil {
			report(vs.crate.Layout, p)
		}
	}
	for _, p := range scan.cut {
		report(vs.crate.Layout, p)
	}
	check := valueCheck{values: vs, pass: grammar.NewReading(ctx, grammar.Near), timesDone: map[int64]bool{}}
	for _, r := range scan.hidden {
		if err := check.value(ctx, r, func(p model.Problem) { report(vs.crate.Layout, p) }); err != nil {
			return err
		}
	}
	for _, r := range scan.coded {
		if err := check.coded(ctx, r, func(p model.Problem) { report(vs.crate.ValuePath(r.Payload()), p) }); err != nil {
			return err
		}
	}
	for i, t := range scan.Tiles {
		if i&0xFF == 0 {
			progress.Report(int64(i), int64(len(scan.Tiles)), "values")
			if err := ctx.Err(); err != nil {
				return err
			}
		}
		if !t.Begins() {
			continue
		}
		here := func(p model.Problem) { report(vs.crate.ValuePath(t.Off), p) }
		if err := check.value(ctx, t.Rep, here); err != nil {
			return err
		}
	}
	return nil
}

// checkReps reports the problems of the fields' reps.
func (vs *Values) checkReps(ctx context.Context, progress model.Progress, report func(path string, p model.Problem)) error {
	fields, err := vs.crate.Fields(ctx, progress)
	if err != nil {
		return err
	}
	told := 0
	return fields.EachRep(ctx, func(i int64, r table.Rep) {
		if i&0xFFF == 0 {
			progress.Report(i, fields.Count, "fields")
		}
		if told >= table.MaxReported {
			return
		}
		for _, p := range vs.ownProblems(ctx, r, fields.RepSpan(i)) {
			told++
			report(vs.crate.Entries.FieldRef(uint32(i)).Path, p)
		}
	})
}

// ownProblems returns the problems of a rep at a span, and of the index that it holds.
func (vs *Values) ownProblems(ctx context.Context, r table.Rep, span model.Span) []model.Problem {
	problems := vs.crate.RepProblems(r, span)
	if s := r.Type().Info().Elem.Scalar; s >= table.ScalarString && r.Placement() == table.PlacedInRep {
		v, err := vs.crate.Indexed(ctx, s, false, r.Low())
		if err != nil {
			problems = append(problems, coding.ProblemAt(err, inlinedSpan(r, span)))
		} else if p, wrong := badText(r.TypeName(), v, inlinedSpan(r, span)); wrong {
			problems = append(problems, p)
		}
	}
	return problems
}

// valueCheck checks the values of a crate one by one.
type valueCheck struct {
	values    *Values
	pass      *grammar.Reading
	timesDone map[int64]bool // the times that were checked already, by their offsets
}

// value reports the problems of one value.
func (v *valueCheck) value(ctx context.Context, r table.Rep, report func(model.Problem)) error {
	check := v.checkOf(r)
	if check == nil {
		return nil
	}
	t := v.values.readStored(v.pass, v.values.crate.Normal(r))
	defer t.object.Release(v.pass)
	return check(ctx, t, report)
}

// checkOf returns the check of values of the kind of r, or nil if there is none.
func (v *valueCheck) checkOf(r table.Rep) func(ctx context.Context, t *storedValue, report func(model.Problem)) error {
	placed, typ := r.Placement(), r.Type()
	switch {
	case placed == table.PlacedEdit:
		return v.edit
	case typ == table.TypeSpline:
		return v.spline
	case typ == table.TypeDictionary && placed == table.PlacedAt:
		return v.values.checkKeys
	case typ == table.TypeUnregisteredValue && placed == table.PlacedAt, typ == table.TypeUnregisteredValueListOp:
		return v.unregistered
	case typ == table.TypeTimeSamples:
		return v.samples
	case typ == table.TypeReferenceListOp, typ == table.TypePayload, typ == table.TypePayloadListOp:
		return v.arcs
	case typ.Info().Elem.Scalar >= table.ScalarString:
		return v.values.checkIndexes
	case typ == table.TypeBool && placed == table.PlacedArray:
		return v.values.checkBools
	}
	return nil
}

// coded reports that integers of a compressed array are missing.
func (v *valueCheck) coded(ctx context.Context, r table.Rep, report func(model.Problem)) error {
	t := v.values.readStored(v.pass, v.values.crate.Normal(r))
	defer t.object.Release(v.pass)
	e := v.values.elementsOf(ctx, t)
	if e.coded.Len == 0 || e.count == 0 {
		return nil
	}
	_, err := v.values.codedElements(ctx, e).each(ctx, e.count-1, 1, func(_, _ int64) error { return nil })
	if err != nil && ctx.Err() == nil {
		report(coding.ProblemAt(err, e.coded))
	}
	return ctx.Err()
}

func (v *valueCheck) edit(ctx context.Context, t *storedValue, report func(model.Problem)) error {
	n := new(model.Node)
	v.values.fillEdit(ctx, n, t)
	reportBelow(ctx, n, 3, report) // instructions, repetitions, arguments
	return nil
}

func (v *valueCheck) spline(ctx context.Context, t *storedValue, report func(model.Problem)) error {
	n := new(model.Node)
	(&nodes{values: v.values, r: t.r, depth: 1}).fillSpline(ctx, n, t)
	reportBelow(ctx, n, 1, report)
	return nil
}

func (v *valueCheck) samples(ctx context.Context, t *storedValue, report func(model.Problem)) error {
	s := v.values.samplesOf(ctx, t)
	for _, p := range s.problems {
		report(p)
	}
	at := s.timesRep.Payload()
	if s.times.count == 0 || v.timesDone[at] {
		return nil
	}
	v.timesDone[at] = true
	return v.values.checkTimes(ctx, s.times, report)
}

// arcs reports asset paths of references and payloads that readers refuse, and indexes that their tables do not have.
func (v *valueCheck) arcs(ctx context.Context, t *storedValue, report func(model.Problem)) error {
	v.values.Leaves(grammar.NewReading(ctx, grammar.Near), t.r, func(l *grammar.Leaf) bool {
		if l.Field != nil && l.Field.Name == "assetPath" {
			text, _ := v.values.crate.StringAt(ctx, uint32(l.Bits)) // what is lost is reported at its place
			if p, wrong := badText(table.TypeAsset.String(), model.Text(text), v.values.crate.Src.Span(l.Off, l.Len)); wrong {
				report(p)
			}
		}
		return true
	})
	return v.values.checkIndexes(ctx, t, report)
}

// unregistered reports values that an UnregisteredValue cannot hold.
func (v *valueCheck) unregistered(ctx context.Context, t *storedValue, report func(model.Problem)) error {
	v.values.Leaves(grammar.NewReading(ctx, grammar.Near), t.r, func(l *grammar.Leaf) bool {
		if l.Field != nil && l.Field.Entries == "values" {
			if p, wrong := v.values.badUnregistered(table.Rep(l.Bits), v.values.crate.Src.Span(l.Off, l.Len)); wrong {
				report(p)
			}
		}
		return true
	})
	return nil
}

// checkBools reports the first byte of each array that is neither 0 nor 1.
func (vs *Values) checkBools(ctx context.Context, t *storedValue, report func(model.Problem)) error {
	at := vs.elementsOf(ctx, t).plain
	err := table.EachRun(ctx, at, 1, func(off int64, b []byte) bool {
		i := slices.IndexFunc(b, func(b byte) bool { return b > 1 })
		if i >= 0 {
			report(oddBool(b[i], vs.crate.Src.Span(off+int64(i), 1)))
		}
		return i < 0
	})
	if ctx.Err() != nil {
		return err
	}
	return nil // what cannot be read is a problem of the array
}

// oddBool returns the problem of a byte that stands for true but is not 1.
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
func (vs *Values) checkIndexes(ctx context.Context, t *storedValue, report func(model.Problem)) error {
	e := &t.r.Type().Info().Elem
	var buf [256]model.Value
	for i := range t.starts {
		n := t.leafNode(ctx, i)
		a, isArray := n.Value.(*plainArray)
		if !isArray && n.Type != table.ValueRep.Name() { // reps are checked where they are found
			for _, p := range n.Problems {
				report(p)
			}
		}
		for first := int64(0); isArray && first < a.count; {
			n, err := a.Read(ctx, first, buf[:])
			for k, v := range buf[:n] {
				if p, wrong := badText(e.Name, v, a.src.Span(a.off+(first+int64(k))*e.Size(), e.Size())); wrong {
					report(p)
					return nil
				}
			}
			if err != nil {
				if ctx.Err() != nil {
					return ctx.Err()
				}
				report(coding.ProblemAt(err, a.src.Span(a.off, a.count*e.Size())))
				break
			}
			first += int64(n)
		}
	}
	return nil
}

// badText returns the problem of an asset path with control characters, or of a path expression that is none.
func badText(typ string, v model.Value, at model.Span) (p model.Problem, wrong bool) {
	text, ok := v.(model.Text)
	switch {
	case !ok:
		return p, false
	case typ == table.TypeAsset.String():
		if usda.IsAssetPath(string(text)) || !utf8.ValidString(string(text)) { // other text is a problem of its token
			return p, false
		}
		return model.Problemf(model.Malformed, "usdc.value.asset-path", at, "readers refuse the asset path %q", string(text)).
			Want("no control characters", "some"), true
	case typ != table.TypePathExpression.String():
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
func (vs *Values) checkKeys(ctx context.Context, t *storedValue, report func(model.Problem)) error {
	seen := map[string]bool{}
	vs.Leaves(grammar.NewReading(ctx, grammar.Near), t.r, func(l *grammar.Leaf) bool {
		if l.Field.Entries != "strings" {
			return true
		}
		key, err := vs.crate.StringAt(ctx, uint32(l.Bits))
		at := vs.crate.Src.Span(l.Off, l.Len)
		if err != nil {
			report(coding.ProblemAt(table.AsEmpty(err), at))
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
