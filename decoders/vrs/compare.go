package vrs

import (
	"context"

	"cutaway/model"
)

// recordContent says what a node of the streams counts for when two recordings are compared: records are found by their
// times.
func recordContent(_ context.Context, p *model.Place) model.Content {
	if time, ok := p.Node.Value.(model.Float64); ok && isRecordType[p.Node.Type] {
		return model.Content{Key: model.FormatFloat(float64(time), 64)}
	}
	return model.Content{}
}

// isRecordType has the types of the nodes of records.
var isRecordType = func() map[string]bool {
	is := map[string]bool{}
	for _, g := range groupNames {
		is[g.kind.NodeType()] = true
	}
	return is
}()
