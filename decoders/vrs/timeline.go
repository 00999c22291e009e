package vrs

import (
	"context"
	"slices"

	"cutaway/decoders/vrs/container"
	"cutaway/model"
)

// timeline returns a track for each stream and type of record that there are records of, those with data first.
func (r *recording) timeline(ctx context.Context, progress model.Progress) ([]model.Track, error) {
	t, err := r.records(ctx, progress)
	if err != nil {
		return nil, err
	}
	var data, others []model.Track
	for _, i := range t.rows {
		s, label := t.streams[i], t.labels()[i]
		for _, g := range groupNames {
			n := t.count(s, g.kind)
			track := model.Track{Name: s.id.String() + " " + g.name, Label: label + ", " + g.name, Path: groupPath(s.id, g.kind), Count: n, Unit: "s", Read: t.moments(s, g.kind)}
			switch {
			case n == 0 || g.kind == container.TagsRecord:
			case g.kind == container.DataRecord:
				track.Label = label
				data = append(data, track)
			default:
				others = append(others, track)
			}
		}
	}
	return append(data, others...), nil
}

// moments reads the times of a stream's records of a type in the order of the file.
func (t *table) moments(s *stream, kind container.RecordType) func(context.Context, int64, []model.Moment) (int, error) {
	group := t.group(s, kind)
	var byPlace []uint32 // positions in the group by place in the file, or nil if they are the same
	if !slices.IsSorted(group) {
		byPlace = make([]uint32, len(group))
		for k := range byPlace {
			byPlace[k] = uint32(k)
		}
		slices.SortFunc(byPlace, func(a, b uint32) int { return int(int64(group[a]) - int64(group[b])) })
	}
	return func(ctx context.Context, first int64, dst []model.Moment) (int, error) {
		n := max(min(int64(len(dst)), int64(len(group))-first), 0)
		for i := range n {
			k := first + i
			if byPlace != nil {
				k = int64(byPlace[k])
			}
			dst[i] = model.Moment{Time: t.Time[group[k]], Index: k}
		}
		return int(n), ctx.Err()
	}
}
