package usdatext

import (
	"context"
	"slices"

	"cutaway/model"
)

const samplesField = "timeSamples"

// timeline returns a track for each attribute with time samples. It keeps their times, which would otherwise need
// another pass over the text.
func (l *layer) timeline(ctx context.Context, progress model.Progress) ([]model.Track, error) {
	x, err := l.load(ctx, progress)
	if err != nil {
		return nil, err
	}
	var tracks []model.Track
	for k, i := range x.sampled {
		progress.Report(int64(k), int64(len(x.sampled)), "reading times")
		fields := l.fieldsOf(ctx, i)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		at := slices.IndexFunc(fields, func(n model.Node) bool { return n.Name == samplesField })
		if at < 0 {
			continue
		}
		if rows, some := fields[at].Children.(*sampleRows); some {
			tracks = append(tracks, model.Track{Name: l.path(i), Path: l.scenePath(ctx, i) + "/" + samplesField, Count: rows.Count, Read: moments(rows.places)})
		}
	}
	return tracks, nil
}

// moments returns a function that reads the times of samples.
func moments(places []sampleSpan) func(context.Context, int64, []model.Moment) (int, error) {
	times := make([]float64, len(places))
	for i := range places {
		times[i] = places[i].time
	}
	return func(ctx context.Context, first int64, dst []model.Moment) (int, error) {
		n := max(min(int64(len(dst)), int64(len(times))-first), 0)
		for i := range n {
			dst[i] = model.Moment{Time: times[first+i], Index: first + i}
		}
		return int(n), ctx.Err()
	}
}
