package data

import (
	"slices"

	"cutaway/decoders/usda"
	"cutaway/model"
)

// The rules of data.
const (
	ruleFaces       = "usd.data.face-counts"
	ruleIndex       = "usd.data.index"
	rulePrimvar     = "usd.data.primvar"
	ruleElementSize = "usd.data.element-size"
	ruleFinite      = "usd.data.not-finite"
	ruleType        = "usd.data.type"
	ruleTarget      = "usd.data.target"
	rulePath        = "usd.data.asset-path"
	ruleStage       = "usd.data.stage"
	ruleBinding     = "usd.data.binding"
)

// Rules are the rules of data, which each format of layers has.
var Rules = slices.Concat([]model.Rule{
	{ID: ruleFaces, Help: "faces or curves count other points than there are indices or points, or a negative number: readers draw none of them"},
	{ID: ruleIndex, Help: "an index is negative or has no point, face or value: readers draw nothing, or read past the end"},
	{ID: rulePrimvar, Help: "a primvar has another number of values than its interpolation needs: readers leave it out"},
	{ID: ruleElementSize, Help: "the elementSize of a primvar is less than 1, or does not divide its number of values"},
	{ID: ruleFinite, Help: "a point or transform is infinite or not a number"},
	{ID: ruleType, Help: "an attribute is of another type than its schema in usd-core says: readers do not find its value; where the type only has another role, a note"},
	{ID: ruleTarget, Help: "a connection or relationship leads to nothing in the layer, which has no other layers that could have it"},
	{ID: rulePath, Help: "an asset path has backslashes, or leads to a home folder; another absolute one is a note"},
	{ID: ruleStage, Help: "the first layer of a package, or with --root any, does not say upAxis, metersPerUnit or defaultPrim"},
	{ID: ruleBinding, Help: "a prim binds a material or skeleton without MaterialBindingAPI or SkelBindingAPI among its apiSchemas; usdchecker reports it"},
}, usda.WithTitles(advice))
