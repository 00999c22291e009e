package udm

import (
	"context"
	"slices"

	"cutaway/decoders/udm/types"
	"cutaway/model"
)

// Meshes of assets: elements with vertices, which are vectors or structs with a vector "pos", and what joins them.

// mesh is an element with vertices as a shape.
type mesh struct {
	model.CardBase
	v datum
}

// meshCards are the card of an element that has vertices.
func meshCards(ctx context.Context, v datum) []model.Card {
	if v.kind() != types.Element {
		return nil
	}
	if b, ok := v.(*value); ok && b.many(ctx) {
		return nil // its children are found in the background
	}
	m := &mesh{model.CardBase{Title: "Shape"}, v}
	if m.Points(ctx) == nil {
		return nil
	}
	return []model.Card{m}
}

// child returns a child, or the zero value if there is none.
func (m *mesh) child(ctx context.Context, name string) shownDatum {
	c, err := m.v.contents(ctx, nil)
	if err != nil || c.find == nil {
		return shownDatum{}
	}
	i, ok := c.find(ctx, name)
	if !ok {
		return shownDatum{}
	}
	return c.at(ctx, i).datum.look(ctx)
}

// columns are the members of structs, each an array, or the array itself by the name of the child.
func columns(ctx context.Context, name string, d shownDatum) (list []model.NamedArray) {
	if d.rows == nil || d.rows.len(ctx) == 0 {
		return nil
	}
	if a, ok := d.rows.array(ctx).(model.Array); ok {
		return []model.NamedArray{{Name: name, Array: a}}
	}
	if cards := d.rows.cards(ctx); cards != nil {
		for _, card := range cards(ctx) {
			t, ok := card.(model.Table)
			if !ok {
				continue
			}
			for k, c := range t.Columns() {
				list = append(list, model.NamedArray{Name: c.Name, Array: &column{t: t, k: k}})
			}
		}
	}
	return list
}

var _ model.DetailedShape = (*mesh)(nil)

// Points returns the vertices.
func (m *mesh) Points(ctx context.Context) model.Array {
	list := columns(ctx, "pos", m.child(ctx, "vertices"))
	if i := slices.IndexFunc(list, func(a model.NamedArray) bool { return a.Name == "pos" }); i >= 0 {
		return list[i].Array
	}
	return nil
}

// Parts returns triangles, or lines where the geometry says so.
func (m *mesh) Parts(ctx context.Context) (counts, indices model.Array, closed bool) {
	corners := int64(3)
	if kind, ok := m.child(ctx, "geometryType").value.(model.Text); ok && kind == "Lines" {
		corners = 2
	}
	for _, name := range []string{"indices", "triangles"} {
		for _, a := range columns(ctx, name, m.child(ctx, name)) {
			each := &model.Elements{Type: "corners", Count: a.Array.Len() / corners, Make: func(context.Context, int64) (model.Value, error) {
				return model.Int(corners), nil
			}}
			return each, a.Array, corners == 3
		}
	}
	return nil, nil, false
}

// Bounds returns the corners of the box around the mesh, or nil if it has none.
func (m *mesh) Bounds(ctx context.Context) model.Array {
	c, err := m.v.contents(ctx, nil)
	if err != nil {
		return nil
	}
	i, ok := c.find(ctx, "bounds")
	if !ok {
		return nil
	}
	box := &mesh{v: c.at(ctx, i).datum}
	if box.v.kind() != types.Element {
		return nil
	}
	corners := []model.Value{box.child(ctx, "min").value, box.child(ctx, "max").value}
	if corners[0] == nil || corners[1] == nil {
		return nil
	}
	return &model.Elements{Type: types.Vec3.String(), Count: 2, Make: func(_ context.Context, i int64) (model.Value, error) { return corners[i], nil }}
}

// Arrays returns the other members of the vertices.
func (m *mesh) Arrays(ctx context.Context) (list []model.NamedArray) {
	for _, name := range []string{"vertices", "vertexWeights"} {
		for _, a := range columns(ctx, name, m.child(ctx, name)) {
			if a.Name != "pos" && a.Name != "vertices" {
				list = append(list, a)
			}
		}
	}
	return list
}

// column is a member of all structs of a table.
type column struct {
	model.ArrayBase
	t model.Table
	k int
}

var _ model.Located = (*column)(nil)

// Elem returns the type of the member.
func (c *column) Elem() string { return c.t.Columns()[c.k].Type }

// Len returns the number of rows.
func (c *column) Len() int64 {
	n, _ := c.t.Rows()
	return n
}

// rows reads rows from first on.
func (c *column) rows(ctx context.Context, first, n int64) ([][]model.Cell, error) {
	rows := make([][]model.Cell, max(min(n, c.Len()-first), 0))
	for i := range rows {
		rows[i] = make([]model.Cell, len(c.t.Columns()))
	}
	got, err := c.t.Read(ctx, first, rows)
	return rows[:got], err
}

// Read reads the member of some rows.
func (c *column) Read(ctx context.Context, first int64, dst []model.Value) (int, error) {
	rows, err := c.rows(ctx, first, int64(len(dst)))
	for i, row := range rows {
		dst[i] = row[c.k].Value
	}
	return len(rows), err
}

// At returns the bytes of the member in row i.
func (c *column) At(ctx context.Context, i int64) model.Span {
	if rows, err := c.rows(ctx, i, 1); err == nil && len(rows) == 1 && len(rows[0][c.k].Spans) > 0 {
		return rows[0][c.k].Spans[0]
	}
	return model.Span{}
}

// indexed is the path of the vertices that the corners of a mesh are numbers of.
func indexed(p *model.Place) string {
	if p.Parent == nil || p.Node.Name != "indices" && p.Node.Name != "triangles" {
		return ""
	}
	return p.Parent.Path() + "/vertices"
}
