package values

import (
	"context"
	"errors"

	"cutaway/model"
)

// ShapeFacts holds the facts of a shape.
type ShapeFacts struct {
	Title     string
	Points    int64
	Parts     int64 // number of faces if closed, otherwise of lines; 0 if the shape has only points
	Closed    bool
	Low, High []model.Value // the least and the greatest finite coordinate by axis, or nil on an axis without any
	Bounds    []model.Value // two corners of a box around it, as stored, or nil
}

// SummarizeShape reads the points of a shape once. It calls each as Summarize does.
func SummarizeShape(ctx context.Context, s model.Shape, each func(*Stats)) (*ShapeFacts, error) {
	f := &ShapeFacts{Title: s.CardTitle()}
	points := s.Points(ctx)
	if points == nil {
		return f, errors.New("there are no points")
	}
	f.Points = points.Len()
	counts, _, closed := s.Parts(ctx)
	if counts != nil {
		f.Parts, f.Closed = counts.Len(), closed
	}
	if detailed, is := s.(model.DetailedShape); is {
		f.Bounds = corners(ctx, detailed.Bounds(ctx))
	}
	c, err := ArrayColumn(ctx, points)
	if err != nil {
		return f, err
	}
	known, err := Summarize(ctx, c, each)
	if known != nil {
		for k := range known.By {
			f.Low, f.High = append(f.Low, known.By[k].Min), append(f.High, known.By[k].Max)
		}
	}
	return f, err
}

// corners returns the first two elements of an array, or nil if it has fewer.
func corners(ctx context.Context, a model.Array) []model.Value {
	if a == nil || a.Len() < 2 {
		return nil
	}
	ends := make([]model.Value, 2)
	if n, err := a.Read(ctx, 0, ends); n < 2 || err != nil {
		return nil
	}
	return ends
}

// Object returns the facts as JSON.
func (f *ShapeFacts) Object() model.Object {
	var bounds model.Value
	if f.Bounds != nil {
		bounds = model.Seq(f.Bounds)
	}
	return model.Object{{Key: "shape", Value: model.Text(f.Title)}, {Key: "points", Value: model.Int(f.Points)}, {Key: "parts", Value: model.Int(f.Parts)},
		{Key: "closed", Value: model.Bool(f.Closed)}, {Key: "min", Value: model.Seq(f.Low)}, {Key: "max", Value: model.Seq(f.High)}, {Key: "bounds", Value: bounds}}
}

// PartsText returns the number of faces or lines in words, or "" if the shape has only points.
func (f *ShapeFacts) PartsText() string {
	switch {
	case f.Parts == 0:
		return ""
	case f.Closed:
		return model.GroupedCount(f.Parts, "face")
	}
	return model.GroupedCount(f.Parts, "line")
}
