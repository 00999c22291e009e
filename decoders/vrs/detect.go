package vrs

import (
	"context"
	"strings"

	"cutaway/decoders/vrs/container"
	"cutaway/model"
)

// likely is the confidence in a chain of records without a header.
const likely = 60

// detect looks for the signature of chapter 2, else for a chain of records: a later part of a recording.
func detect(ctx context.Context, p *model.Probe) model.Detection {
	if container.HasMagic(p.Head) {
		return model.Detection{Confidence: model.Sure, Reason: "begins with " + container.MagicFront}
	}
	if strings.HasPrefix(string(p.Head), container.MagicFront) {
		return model.Detection{Confidence: model.Guess + 10, Reason: "begins with " + container.MagicFront + ", though cord is missing at byte 72"}
	}
	if container.StartsChain(ctx, p.Source) {
		return model.Detection{Confidence: likely, Reason: "begins with a chain of records, like a later part of a recording"}
	}
	if container.NamedLater(p.Name) {
		return model.Detection{Confidence: model.Guess, ByName: true, Reason: "named like a later part of a recording"}
	}
	return model.Detection{Reason: "no " + container.MagicFront + " at the start, and no chain of records"}
}
