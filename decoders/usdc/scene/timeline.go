package scene

import (
	"context"

	"cutaway/model"
)

// Timeline returns a track for each attribute with time samples.
func (s *Scene) Timeline(ctx context.Context, progress model.Progress) ([]model.Track, error) {
	x, err := s.Index(ctx, progress)
	if err != nil {
		return nil, err
	}
	sampled := x.fieldsNamed("timeSamples")
	some := false
	for f := int64(0); f < x.Fields.Count && !some; f++ {
		some = sampled.includes(ctx, uint32(f))
	}
	if !some {
		return nil, ctx.Err()
	}
	var tracks []model.Track
	for item := range x.Paths.Items() {
		if item&(1<<16-1) == 0 {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			progress.Report(item, x.Paths.Items(), "looking for samples")
		}
		fields := x.group(int32(item))
		for i, f := range fields {
			if sampled.includes(ctx, f) {
				tracks = append(tracks, x.track(ctx, int32(item), fields, int64(i)))
			}
		}
	}
	return tracks, nil
}

// track returns the times of the samples that field i of an item's spec has.
func (x *Index) track(ctx context.Context, item int32, fields []uint32, i int64) model.Track {
	_, segment := x.fieldName(ctx, fields, i)
	t := model.Track{Name: x.Paths.ItemText(ctx, item), Path: x.Path(ctx, item) + "/" + model.EscapeSegment(segment)}
	if samples := x.fieldNode(ctx, fields, i).Children; samples != nil {
		t.Count, _ = samples.Len(ctx)
	}
	t.Read = func(ctx context.Context, first int64, dst []model.Moment) (int, error) {
		samples := x.fieldNode(ctx, fields, i).Children
		if samples == nil { // the file has been closed meanwhile, or cannot be read any more
			return 0, ctx.Err()
		}
		count, _ := samples.Len(ctx)
		for k := range dst {
			at := first + int64(k)
			if at >= min(count, t.Count) {
				return k, nil
			}
			sample := samples.At(ctx, at)
			if sample.Children == nil {
				return k, ctx.Err()
			}
			time, ok := sample.Children.At(ctx, 0).Value.(model.Float64)
			if !ok || ctx.Err() != nil {
				return k, ctx.Err()
			}
			dst[k] = model.Moment{Time: float64(time), Index: at}
		}
		return len(dst), nil
	}
	return t
}
