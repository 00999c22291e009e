package usdc

import (
	"context"

	"cutaway/model"
)

const samplesField = "timeSamples"

// timeline is a track for each attribute with time samples.
func (c *crate) timeline(ctx context.Context, progress model.Progress) ([]model.Track, error) {
	x, err := c.sceneIndex(ctx, progress)
	if err != nil {
		return nil, err
	}
	is := map[uint32]bool{} // whether a field is of time samples
	var tracks []model.Track
	for item := range x.paths.items() {
		if item&(1<<16-1) == 0 {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			progress.Report(item, x.paths.items(), "looking for samples")
		}
		fields := x.group(int32(item))
		for i, f := range fields {
			sampled, known := is[f]
			if !known {
				name, err := c.fieldName(ctx, f)
				sampled = err == nil && name == samplesField
				is[f] = sampled
			}
			if sampled {
				tracks = append(tracks, x.track(ctx, int32(item), fields, int64(i)))
			}
		}
	}
	return tracks, nil
}

// track is the times of the samples that field i of an item's spec has.
func (x *scene) track(ctx context.Context, item int32, fields []uint32, i int64) model.Track {
	path := x.path(ctx, item) + "/" + model.EscapeSegment(x.fieldName(ctx, fields, i))
	t := model.Track{Name: x.paths.itemText(ctx, item), Path: path}
	if samples := x.fieldNode(ctx, fields, i).Children; samples != nil {
		t.Count, _ = samples.Len(ctx)
	}
	t.Read = func(ctx context.Context, first int64, dst []model.Moment) (int, error) {
		samples := x.fieldNode(ctx, fields, i).Children
		for k := range dst {
			at := first + int64(k)
			if at >= t.Count {
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
