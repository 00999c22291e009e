package export

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"

	"github.com/parquet-go/parquet-go"

	"cutaway/model"
)

// rowsInGroup is the number of rows in a row group, which is buffered until it is full.
const rowsInGroup = 1 << 14

// Parquet writes the rows of CSV as typed columns. Cells may be missing.
func Parquet(ctx context.Context, w io.Writer, r *Request, p *model.Place) error {
	g, err := gridOf(ctx, r, p)
	if err != nil {
		return err
	}
	types, err := parquetTypes(ctx, g)
	if err != nil {
		return err
	}
	schema := columnsInOrder{Group: parquet.Group{}}
	for k, name := range g.columns {
		for n := 2; schema.Group[name] != nil; n++ {
			name = g.columns[k] + "~" + strconv.Itoa(n)
		}
		schema.Group[name] = parquet.Optional(types[k].node)
		schema.names = append(schema.names, name)
	}
	out := parquet.NewWriter(w, parquet.NewSchema("table", schema), parquet.MaxRowsPerRowGroup(rowsInGroup), parquet.Compression(&parquet.Snappy))
	row := make(parquet.Row, len(types))
	err = eachRow(ctx, g, r.Progress, func(cells []model.Value) error {
		for k := range types {
			row[k] = parquet.NullValue().Level(0, 0, k)
			if v := cell(cells, k); v != nil {
				made, ok := types[k].value(ctx, v)
				if !ok {
					return fmt.Errorf("%s: %s cannot be read whole, or is of another type than the values before it: write the table as csv", g.columns[k],
						model.Show(ctx, v, 40))
				}
				row[k] = made.Level(0, 1, k)
			}
		}
		_, err := out.WriteRows([]parquet.Row{row})
		return err
	})
	if err != nil {
		return err
	}
	return out.Close()
}

// columnsInOrder is a group with columns in the order of the table, not of their names.
type columnsInOrder struct {
	parquet.Group
	names []string
}

func (c columnsInOrder) Fields() []parquet.Field {
	byName := map[string]parquet.Field{}
	for _, f := range c.Group.Fields() {
		byName[f.Name()] = f
	}
	fields := make([]parquet.Field, len(c.names))
	for i, name := range c.names {
		fields[i] = byName[name]
	}
	return fields
}

// A parquetType is the type of a column, with a function that writes a cell and refuses one of another type.
type parquetType struct {
	node  parquet.Node
	value func(ctx context.Context, v model.Value) (parquet.Value, bool)
}

// parquetTypes returns the types of the first cells with values; columns without any are text.
func parquetTypes(ctx context.Context, g *grid) ([]parquetType, error) {
	types := make([]parquetType, len(g.columns))
	left, looked := len(types), 0
	err := eachRow(ctx, g, nil, func(row []model.Value) error {
		looked++
		for k := range types {
			if v := cell(row, k); v != nil && types[k].node == nil {
				types[k] = parquetTypeOf(v)
				left--
			}
		}
		if left == 0 || looked == textRows {
			return errEnough
		}
		return nil
	})
	if err != nil && !errors.Is(err, errEnough) {
		return nil, err
	}
	for k := range types {
		if types[k].node == nil {
			types[k] = parquetTypeOf(model.Text(""))
		}
	}
	return types, nil
}

func parquetTypeOf(v model.Value) parquetType {
	number := func(node parquet.Node, value func(v model.Value) (parquet.Value, bool)) parquetType {
		return parquetType{node, func(_ context.Context, v model.Value) (parquet.Value, bool) { return value(v) }}
	}
	switch v.(type) {
	case model.Bool:
		return number(parquet.Leaf(parquet.BooleanType), func(v model.Value) (parquet.Value, bool) {
			b, ok := v.(model.Bool)
			return parquet.BooleanValue(bool(b)), ok
		})
	case model.Int:
		return number(parquet.Int(64), func(v model.Value) (parquet.Value, bool) {
			n, ok := v.(model.Int)
			return parquet.Int64Value(int64(n)), ok
		})
	case model.Uint:
		return number(parquet.Uint(64), func(v model.Value) (parquet.Value, bool) {
			n, ok := v.(model.Uint)
			return parquet.Int64Value(int64(n)), ok
		})
	case model.Half, model.Float32:
		return number(parquet.Leaf(parquet.FloatType), func(v model.Value) (parquet.Value, bool) {
			switch v := v.(type) {
			case model.Half:
				return parquet.FloatValue(v.Float()), true
			case model.Float32:
				return parquet.FloatValue(float32(v)), true
			}
			return parquet.Value{}, false
		})
	case model.Float64:
		return number(parquet.Leaf(parquet.DoubleType), func(v model.Value) (parquet.Value, bool) {
			f, ok := v.(model.Float64)
			return parquet.DoubleValue(float64(f)), ok
		})
	}
	return parquetType{parquet.String(), func(ctx context.Context, v model.Value) (parquet.Value, bool) {
		switch v := v.(type) {
		case model.Text:
			return parquet.ByteArrayValue([]byte(v)), true
		case model.Symbol:
			return parquet.ByteArrayValue([]byte(symbolText(v))), true
		}
		e := encoder{ctx: ctx, whole: true}
		e.value(v, 0)
		return parquet.ByteArrayValue(e.buf), e.unread == nil
	}}
}
