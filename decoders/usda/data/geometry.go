package data

import (
	"maps"
	"math"
	"slices"
	"strings"

	"cutaway/model"
	"cutaway/model/values"
)

// allFinite reports whether the numbers of a value are neither infinite nor NaN.
func allFinite(v model.Value) bool {
	for _, n := range values.AppendComponents(nil, v) {
		if f, ok := model.FloatOf(n); ok && (math.IsNaN(f) || math.IsInf(f, 0)) {
			return false
		}
	}
	return true
}

// An array is the value of an attribute that does not change over time.
type array struct {
	model.Array
	path string
	node model.Node
}

// array returns the value of a property if that is an array without samples, or nil.
func (c *checker) array(s *spec, name string) *array {
	i, has := s.properties[name]
	if !has {
		return nil
	}
	n := s.kids.At(c.ctx, i)
	if c.kid(n.Children, "timeSamples").Name != "" {
		return nil
	}
	v := c.kid(n.Children, "default")
	a, is := v.Value.(model.Array)
	if !is {
		return nil
	}
	return &array{a, c.pathOf(model.EscapeSegment(n.InPath()), "default"), v}
}

// A shape holds the numbers that primvars are counted by; unknown ones are -1.
type shape struct{ faces, corners, points int64 }

// geometry checks the arrays of a spec against each other. Arrays with samples are left out.
func (c *checker) geometry(s *spec) error {
	of := shape{-1, -1, -1}
	points := c.array(s, "points")
	if points != nil {
		of.points = points.Len()
	}
	var err error
	switch s.typ {
	case "Mesh":
		err = c.mesh(s, &of)
	case "BasisCurves", "NurbsCurves", "HermiteCurves":
		err = c.curves(s, &of)
	case "Points":
		of.faces, of.corners = -1, of.points
	default:
		return nil
	}
	if err != nil {
		return err
	}
	return c.primvars(s, &of)
}

// mesh checks the faces of a mesh.
func (c *checker) mesh(s *spec, of *shape) error {
	counts, indices := c.array(s, "faceVertexCounts"), c.array(s, "faceVertexIndices")
	if counts != nil {
		of.faces = counts.Len()
	}
	if indices != nil {
		of.corners = indices.Len()
		if err := c.indices(indices, of.points, "point"); err != nil {
			return err
		}
	}
	if counts == nil {
		return nil
	}
	sum, err := c.counts(counts)
	if err != nil || !sum.whole || indices == nil || sum.sum == of.corners {
		return err
	}
	c.report(counts.path, model.Problemf(model.Suspicious, ruleFaces, counts.node.Span(), "the faces have %s, but there are %s",
		model.GroupedCount(sum.sum, "corner"), plural(of.corners, "index", "indices")).Want(of.corners, sum.sum))
	return nil
}

func plural(n int64, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return model.Grouped(n) + " " + many
}

// curves checks the counts of curves against their points.
func (c *checker) curves(s *spec, of *shape) error {
	counts := c.array(s, "curveVertexCounts")
	if counts == nil {
		return nil
	}
	of.faces, of.corners = counts.Len(), of.points
	sum, err := c.counts(counts)
	if err != nil || !sum.whole || of.points < 0 || sum.sum == of.points {
		return err
	}
	c.report(counts.path, model.Problemf(model.Suspicious, ruleFaces, counts.node.Span(), "the curves have %s, but there are %s",
		plural(sum.sum, "vertex", "vertices"), model.GroupedCount(of.points, "point")).Want(of.points, sum.sum))
	return nil
}

// mostLocated is the number of faulty arrays whose first fault is looked for; of others whose range is known, the array is the place.
const mostLocated = 3

// fault reports an element of an array.
func (c *checker) fault(a *array, x *summary, at int64, p model.Problem) {
	path := a.path
	if p.Span = a.node.Span(); !x.rough {
		path += "/" + model.IndexName(at)
		if e := model.ElementSpan(c.ctx, a.Array, at); e.Source != nil {
			p.Span = e
		}
	}
	c.report(path, p)
}

// look sums an array of integers, and reports one that is negative.
func (c *checker) look(a *array, limit int64, rule, thing string) (summary, error) {
	x, err := integersOf(c.ctx, a.Array, limit, c.located >= mostLocated)
	if err != nil || x.negative.at < 0 && x.above.at < 0 {
		return x, err
	}
	if c.located++; x.negative.at >= 0 {
		c.fault(a, &x, x.negative.at, model.Problemf(model.Suspicious, rule, model.Span{}, "%s is negative", thing).Want("at least 0", x.negative.value))
	}
	return x, nil
}

// counts sums an array of counts, and reports one that is negative.
func (c *checker) counts(counts *array) (summary, error) {
	sum, err := c.look(counts, math.MaxInt64, ruleFaces, "a count")
	sum.whole = sum.whole && sum.negative.at < 0
	return sum, err
}

// indices reports the first index that is negative, or that leads to none of the things that there are; of is -1 if their
// number is not known.
func (c *checker) indices(a *array, of int64, thing string) error {
	limit := of
	if of < 0 {
		limit = math.MaxInt64
	}
	x, err := c.look(a, limit, ruleIndex, "an index")
	if err == nil && x.above.at >= 0 {
		c.fault(a, &x, x.above.at, model.Problemf(model.Suspicious, ruleIndex, model.Span{}, "an index leads to %s %d, and there are %s",
			thing, x.above.value, model.GroupedCount(of, thing)).WantAtMost(of-1, x.above.value))
	}
	return err
}

// primvars checks the numbers of values of primvars.
func (c *checker) primvars(s *spec, of *shape) error {
	for _, name := range slices.Sorted(maps.Keys(s.properties)) {
		if !strings.HasPrefix(name, "primvars:") || strings.HasSuffix(name, ":indices") {
			continue
		}
		if err := c.primvar(s, name, of); err != nil {
			return err
		}
	}
	return nil
}

// primvar checks the number of values of a primvar, or of its indices, against its interpolation.
func (c *checker) primvar(s *spec, name string, of *shape) error {
	list := c.array(s, name)
	if list == nil {
		return nil
	}
	fields := s.kids.At(c.ctx, s.properties[name]).Children
	size := int64(1)
	if v, is := c.kid(fields, "elementSize").Value.(model.Int); is {
		size = int64(v)
	}
	if size < 1 || list.Len()%size != 0 {
		n := c.kid(fields, "elementSize")
		c.report(c.pathOf(model.EscapeSegment("."+name), "elementSize"), model.Problemf(model.Suspicious, ruleElementSize, n.Span(),
			"elements of %d values do not divide the %s of %s", size, model.GroupedCount(list.Len(), "value"), name).Want(model.GroupedCount(list.Len(), "value"), size))
		return nil
	}
	have, counted := list.Len()/size, list
	if _, indexed := s.properties[name+":indices"]; indexed {
		indices := c.array(s, name+":indices")
		if indices == nil {
			return nil
		}
		if err := c.indices(indices, have, "value"); err != nil {
			return err
		}
		have, counted = indices.Len(), indices
	}
	c.interpolated(s, name, of, counted, have, c.text(fields, "interpolation"))
	return nil
}

// interpolated reports a primvar whose number of values, or of indices, is not that of its interpolation.
func (c *checker) interpolated(s *spec, name string, of *shape, counted *array, have int64, interpolation string) {
	kind, want := model.Suspicious, of.needs(s.typ, interpolation)
	switch {
	case want < 0 || have == want || have == 0:
		return
	case interpolation == "constant":
		kind = model.Assumed // renderers may take the array for one value
	case interpolation == "":
		if interpolation = "constant, which it is without any"; have != of.points && have != of.corners && have != of.faces {
			kind = model.Assumed
		}
	}
	c.report(counted.path, model.Problemf(kind, rulePrimvar, counted.node.Span(), "%s has %s; its interpolation, %s, needs %s",
		name, model.GroupedCount(have, "value"), interpolation, model.Grouped(want)).Want(want, have))
}

// needs returns the number of values that an interpolation needs, or -1 if that is not known.
func (of *shape) needs(typ, interpolation string) int64 {
	switch interpolation {
	case "constant", "":
		return 1
	case "uniform":
		return of.faces
	case "vertex":
		return of.points
	case "varying":
		if typ == "Mesh" || typ == "Points" {
			return of.points
		}
	case "faceVarying":
		if typ == "Mesh" {
			return of.corners
		}
	}
	return -1
}
