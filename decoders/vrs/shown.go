package vrs

import (
	"cmp"
	"context"
	"math"
	"slices"

	"cutaway/decoders/vrs/container"
	"cutaway/model"
)

// The rows of the recording: file tags and streams without data, which a tree folds, then pictures, values, sound.

// A holding says what the data records of a stream hold.
type holding uint8

const (
	holdsNothing holding = iota // there are none
	holdsPictures
	holdsValues
	holdsSound
)

// kindsOf are the kinds of nodes of streams.
var kindsOf = [...]model.NodeKind{holdsNothing: model.DetailKind, holdsPictures: model.ShapeKind, holdsValues: model.ValueKind, holdsSound: model.ShapeKind}

// holdingOf returns what the data records of a stream hold, by their formats.
func (t *table) holdingOf(s *stream) holding {
	if t.count(s, container.DataRecord) == 0 {
		return holdsNothing
	}
	holds := holdsValues
	for _, f := range s.allFormats() {
		if f.kind != container.DataRecord {
			continue
		}
		switch {
		case slices.ContainsFunc(f.blocks, func(b block) bool { return b.typ == imageBlock }):
			return holdsPictures
		case slices.ContainsFunc(f.blocks, func(b block) bool { return b.typ == audioBlock }):
			holds = holdsSound
		}
	}
	return holds
}

// order sorts the streams for their rows, by their holding. The type with the most bytes comes first.
func (t *table) order() {
	t.holds = make([]holding, len(t.streams))
	t.rows = make([]int, len(t.streams))
	bytes := map[int32]int64{}
	for i := range t.N() {
		bytes[t.ID(i).Typ] += t.End(i) - t.Off[i]
	}
	for i, s := range t.streams {
		t.holds[i], t.rows[i] = t.holdingOf(s), i
	}
	slices.SortStableFunc(t.rows, func(a, b int) int {
		return cmp.Or(cmp.Compare(t.holds[a], t.holds[b]), cmp.Compare(bytes[t.streams[b].id.Typ], bytes[t.streams[a].id.Typ]))
	})
}

// idle returns the number of streams without data; their rows are the first.
func (t *table) idle() int64 {
	n := int64(0)
	for _, h := range t.holds {
		if h == holdsNothing {
			n++
		}
	}
	return n
}

// rows says how a tree shows nodes of the streams view.
type rows struct{ *recording }

// summary returns the words beside the name of a stream or of a record in a stream, or "" for other nodes.
func (r rows) summary(_ context.Context, n *model.Node) string {
	if at, ok := n.Value.(model.Float64); ok && isRecordType[n.Type] {
		if rounded := math.Round(float64(at)*1e9) / 1e9; !math.IsInf(rounded, 0) { // 1.14, whose nearest double is 1.1400000000000001
			return container.SecondsText(rounded)
		}
		return container.SecondsText(float64(at))
	}
	if t, i := r.stream(n); i >= 0 {
		return t.summary(i)
	}
	return ""
}

// stream returns the table of records, or nil while they are not known, and the number of the stream whose node n is, or -1.
func (r rows) stream(n *model.Node) (t *table, i int) {
	if t = r.table.Made(); t == nil || n.Type != streamType {
		return t, -1
	}
	return t, t.streamNamed(n.Name)
}

// label returns the name of a stream for a person, or "" for other nodes.
func (r rows) label(_ context.Context, n *model.Node) string {
	if t, i := r.stream(n); i >= 0 {
		return t.labels()[i]
	}
	return ""
}

// kind returns what a person takes a stream for.
func (r rows) kind(_ context.Context, n *model.Node) model.NodeKind {
	if t, i := r.stream(n); i >= 0 {
		return kindsOf[t.holds[i]]
	}
	return model.AnyKind
}

// fold folds what is beside the data: of the recording its tags and the streams without any, of a stream all but the data records,
// which are shown as the stream's own.
func (r rows) fold(ctx context.Context, n *model.Node) model.Fold {
	fold := model.Fold{Through: -1}
	if t := r.table.Made(); t != nil && n.Type == recordingType {
		if tags, idle := r.rowsOfTags(), t.idle(); tags+idle > 0 && idle < int64(len(t.streams)) {
			fold.Fields, fold.Title = tags+idle, foldTitle(tags > 0, idle)
		}
		return fold
	}
	if t, i := r.stream(n); i >= 0 && t.holds[i] != holdsNothing {
		fold.Fields, _ = n.Children.Len(ctx)
		for k := range fold.Fields {
			if c := n.Children.At(ctx, k); c.Name == groupName(container.DataRecord) {
				fold.Through = k
			}
		}
		fold.Title = model.GroupedCount(fold.Fields-1, "other part")
	}
	return fold
}

// foldTitle names the folded rows of the recording.
func foldTitle(tags bool, idle int64) string {
	switch {
	case idle == 0:
		return fileTagsName
	case !tags:
		return model.GroupedCount(idle, "stream") + " without data"
	}
	return fileTagsName + ", " + model.GroupedCount(idle, "stream") + " without data"
}

// shows returns the records that stand for a stream, and for the recording those of its first stream.
func (r rows) shows(_ context.Context, p *model.Place) (path string, beside bool) {
	n := &p.Node
	t, i := r.stream(n)
	if t == nil {
		return "", false
	}
	if n.Type == recordingType && t.idle() < int64(len(t.rows)) {
		i, beside = t.rows[t.idle()], true
	}
	if i < 0 || t.holds[i] == holdsNothing {
		return "", false
	}
	path = groupPath(t.streams[i].id, container.DataRecord)
	if t.holds[i] == holdsPictures {
		path += "/" + model.IndexName(0)
	}
	return path, beside
}
