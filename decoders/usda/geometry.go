package usda

import (
	"context"
	"errors"
	"math"
	"strings"

	"cutaway/model"
)

// Geometry remembers whether a layer has shapes.
type Geometry struct{ has model.Once[bool] }

// scene is the card of a layer with geometry.
type scene struct {
	model.CardBase
	root model.Children
}

var _ model.Scene = (*scene)(nil)

// Limits of looking for shapes.
const (
	mostPrims     = 1 << 20 // prims of a scene, with those of each instance
	mostTried     = 5000    // prims that are looked at for whether there is a shape
	mostInstances = 10_000  // of an instancer
	mostNested    = 256     // prims in each other
)

var errEnough = errors.New("enough shapes")

// SceneCards are the kinds of cards that specs of a scene may have.
var SceneCards = []string{"Shape", "Plot", "Table", CardTitle}

// Cards returns the card of a layer if one of its prims has geometry. The children are those of the layer's root.
func (g *Geometry) Cards(ctx context.Context, root model.Children) []model.Card {
	if lazy, is := root.(model.Pending); is && lazy.Pending() {
		return nil
	}
	has, err := g.has.Get(ctx, nil, func(ctx context.Context, _ model.Progress) (*bool, error) {
		t := &traversal{ctx: ctx, root: root, time: math.NaN(), left: mostTried, give: func(model.Placed) error { return errEnough }}
		has := errors.Is(t.run(), errEnough)
		return &has, ctx.Err()
	})
	if err != nil || !*has {
		return nil
	}
	return []model.Card{&scene{model.CardBase{Title: "Shape"}, root}}
}

// ZUp reports whether the layer's up axis is Z.
func (s *scene) ZUp(ctx context.Context) bool {
	return kid(ctx, s.root, "upAxis").Value == model.Text("Z")
}

// Shapes gives the shapes of the prims that are defined, active, visible and for no special purpose.
func (s *scene) Shapes(ctx context.Context, time float64, give func(model.Placed) error) (timed bool, err error) {
	t := &traversal{ctx: ctx, root: s.root, time: time, left: mostPrims, give: give}
	err = t.run()
	return t.timed, err
}

// A traversal visits the prims of a layer with what they inherit.
type traversal struct {
	ctx   context.Context
	root  model.Children
	time  float64
	timed bool
	left  int // prims that may still be visited
	give  func(model.Placed) error
}

// An inherited state is that of the prims above.
type inherited struct {
	to      matrix
	path    string // in the scene
	purpose string
	color   []float64
	depth   int
	shown   string // the path that stands for all below, of an instancer, or ""
}

// run visits the prims below the root.
func (t *traversal) run() error {
	return t.visitBelow(prim{{kids: t.root}}, inherited{to: identity})
}

// visitBelow visits the prims below a prim.
func (t *traversal) visitBelow(p prim, in inherited) error {
	if in.depth++; in.depth > mostNested {
		return nil
	}
	for _, c := range p.children(t.ctx) {
		of := in
		of.path = strings.TrimPrefix(in.path+"/"+model.EscapeSegment(c.name), "/")
		if err := t.visit(compose(t.ctx, t.root, c.specs), of); err != nil {
			return err
		}
	}
	return t.ctx.Err()
}

// number returns the components of a property, or otherwise if it has none.
func (t *traversal) number(p prim, property string, otherwise ...float64) []float64 {
	v := p.value(t.ctx, property, t.time)
	t.timed = t.timed || v.timed
	if list := v.numbers(); list != nil {
		return list
	}
	return otherwise
}

// word returns the text of a property, or "".
func (t *traversal) word(p prim, property string) string {
	v := p.value(t.ctx, property, t.time)
	t.timed = t.timed || v.timed
	text, _ := v.at.(model.Text)
	return string(text)
}

// isDefined reports whether a prim is one, and not only a class or said more of.
func isDefined(ctx context.Context, p prim) bool {
	for _, s := range p {
		if v := kid(ctx, s.kids, "specifier").Value; v != nil {
			if word := model.Show(ctx, v, 16); word != "over" {
				return word == "def"
			}
		}
	}
	return false
}

// visit gives the shape of a prim, and those below it.
func (t *traversal) visit(p prim, in inherited) error {
	if t.left--; t.left < 0 || len(p) == 0 {
		return nil
	}
	if !isDefined(t.ctx, p) || p.field(t.ctx, "active").Value == model.Bool(false) || t.word(p, ".visibility") == "invisible" {
		return nil
	}
	if in.purpose == "" || in.purpose == "default" {
		in.purpose = t.word(p, ".purpose")
	}
	if in.purpose == "guide" || in.purpose == "proxy" {
		return nil
	}
	in.to = t.transform(p, in.to)
	if c := t.color(p); c != nil {
		in.color = c
	}
	typ := p.text(t.ctx, "typeName")
	if typ == "PointInstancer" {
		return t.instances(p, in)
	}
	if s := t.shape(p, typ); s != nil {
		placed := model.Placed{Shape: s, Kind: kindOf(typ), To: in.to, Color: in.color, Paths: []string{in.shown}}
		if in.shown == "" {
			placed.Paths = []string{p.definer(t.ctx), in.path}
		}
		if err := t.give(placed); err != nil {
			return err
		}
	}
	return t.visitBelow(p, in)
}

// definer returns the path of the spec that says the type of a prim.
func (p prim) definer(ctx context.Context) string {
	for _, s := range p {
		if kid(ctx, s.kids, "typeName").Name != "" {
			return s.path
		}
	}
	return p[0].path
}

// kindOf returns the word for a type of shapes.
func kindOf(typ string) string {
	if strings.HasSuffix(typ, "Curves") {
		return "curves"
	}
	return strings.ToLower(typ[:1]) + typ[1:]
}

// color returns the one colour of a prim, or nil.
func (t *traversal) color(p prim) []float64 {
	a, is := p.value(t.ctx, ".primvars:displayColor", t.time).at.(model.Array)
	if !is || a.Len() != 1 {
		return nil
	}
	var one [1]model.Value
	if n, _ := a.Read(t.ctx, 0, one[:]); n == 1 {
		if c := floats(one[0]); len(c) == 3 {
			return c
		}
	}
	return nil
}

// transform returns the transform of a prim in the scene, given that of the prims above.
func (t *traversal) transform(p prim, above matrix) matrix {
	order := texts(t.ctx, p.value(t.ctx, ".xformOpOrder", t.time).at)
	m := identity
	for i := len(order) - 1; i >= 0; i-- {
		name, inverted := strings.CutPrefix(order[i], "!invert!")
		if name == "!resetXformStack!" {
			return m
		}
		op := operation(name, t.number(p, "."+name))
		if inverted {
			op = op.inverse()
		}
		m = m.times(op)
	}
	return m.times(above)
}

// pointBased are the types of prims that are drawn by their points.
var pointBased = map[string]bool{"Mesh": true, "Points": true, "BasisCurves": true, "NurbsCurves": true, "HermiteCurves": true, "NurbsPatch": true, "TetMesh": true}

// shape returns the shape of a prim of a type, or nil if it has none.
func (t *traversal) shape(p prim, typ string) model.Shape {
	if s := t.simple(p, typ); s != nil {
		return s
	}
	s := &Shape{model.CardBase{Title: "Shape"}, p, t.root, t.time}
	if !pointBased[typ] || s.array(t.ctx, ".points") == nil {
		return nil
	}
	t.timed = t.timed || p.value(t.ctx, ".points", t.time).timed
	return s
}

// instances gives the shapes of the instances of an instancer.
func (t *traversal) instances(p prim, in inherited) error {
	if in.depth++; in.depth > mostNested {
		return nil
	}
	var prototypes []prim
	for _, path := range internal(t.ctx, t.root, kid(t.ctx, p.field(t.ctx, ".prototypes").Children, "targetPaths").Children) {
		s, ok := find(t.ctx, t.root, path)
		if !ok {
			prototypes = append(prototypes, nil)
			continue
		}
		prototypes = append(prototypes, compose(t.ctx, t.root, []site{s}))
	}
	if in.shown == "" {
		in.shown = in.path
	}
	indices, scales, turns, places := t.rows(p, ".protoIndices"), t.rows(p, ".scales"), t.rows(p, ".orientations"), t.rows(p, ".positions")
	for i, row := range indices {
		index := -1
		if len(row) == 1 {
			index = int(row[0])
		}
		if index < 0 || index >= len(prototypes) || prototypes[index] == nil {
			continue
		}
		m := operation("xformOp:scale", nth(scales, i)).times(operation("xformOp:orient", nth(turns, i))).times(operation("xformOp:translate", nth(places, i)))
		of := in
		of.to = m.times(in.to)
		if err := t.visit(prototypes[index], of); err != nil {
			return err
		}
	}
	return t.ctx.Err()
}

// nth returns row i, or nil if there are fewer.
func nth(rows [][]float64, i int) []float64 {
	if i < len(rows) {
		return rows[i]
	}
	return nil
}

// rows returns the components of the elements of an array of an instancer.
func (t *traversal) rows(p prim, property string) (rows [][]float64) {
	v := p.value(t.ctx, property, t.time)
	t.timed = t.timed || v.timed
	a, is := v.at.(model.Array)
	if !is {
		return nil
	}
	buf := make([]model.Value, min(a.Len(), mostInstances))
	n, _ := a.Read(t.ctx, 0, buf)
	for _, v := range buf[:n] {
		rows = append(rows, floats(v))
	}
	return rows
}
