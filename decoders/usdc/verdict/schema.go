package verdict

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"cutaway/decoders/usdc/table"
	"cutaway/model"
)

// A knownField is a field whose value readers take to be of one of the types.
type knownField struct {
	types  []table.ValueType
	lists  childList // children whose list its value is
	strict bool      // readers complain about another type; else they go on without the field
	paths  uint16    // forms that the paths in its list can have, as bits, or 0 if any
	owner  uint8     // the type of the specs that have it, or 0 if any
}

// Types of specs whose fields name others.
const (
	attribute    = 1
	relationship = 8
)

// childList is the kind of children that a field lists.
type childList uint8

const (
	listsNone childList = iota
	listsPrims
	listsProperties
	listsVariantSets
	listsVariants
)

// knownFields are the fields by their names (14).
var knownFields = func() map[string]*knownField {
	all := map[string]*knownField{
		"primChildren":       {types: []table.ValueType{table.TypeTokenVector}, lists: listsPrims},
		"properties":         {types: []table.ValueType{table.TypeTokenVector}, lists: listsProperties},
		"variantSetChildren": {types: []table.ValueType{table.TypeTokenVector}, lists: listsVariantSets},
		"variantChildren":    {types: []table.ValueType{table.TypeTokenVector}, lists: listsVariants},
	}
	for names, types := range map[string][]table.ValueType{
		"primOrder propertyOrder":              {table.TypeTokenVector},
		"specifier":                            {table.TypeSpecifier},
		"variability":                          {table.TypeVariability},
		"permission":                           {table.TypePermission},
		"typeName kind defaultPrim colorSpace": {table.TypeToken},
		"custom active hidden instanceable":    {table.TypeBool},
		"timeSamples":                          {table.TypeTimeSamples},
		"spline":                               {table.TypeSpline},
		"targetPaths connectionPaths inheritPaths": {table.TypePathListOp},
		"specializes":                          {table.TypePathListOp},
		"targetChildren connectionChildren":    {table.TypePathVector},
		"references":                           {table.TypeReferenceListOp},
		"payload":                              {table.TypePayload, table.TypePayloadListOp},
		"apiSchemas":                           {table.TypeTokenListOp},
		"variantSetNames":                      {table.TypeStringListOp},
		"variantSelection":                     {table.TypeVariantSelectionMap},
		"customData customLayerData assetInfo": {table.TypeDictionary},
		"documentation comment":                {table.TypeString},
		"startTimeCode endTimeCode":            {table.TypeDouble},
		"timeCodesPerSecond framesPerSecond":   {table.TypeDouble},
		"subLayers":                            {table.TypeStringVector},
		"subLayerOffsets":                      {table.TypeLayerOffsetVector},
		"layerRelocates":                       {table.TypeRelocates},
	} {
		for name := range strings.FieldsSeq(names) {
			all[name] = &knownField{types: types}
		}
	}
	for _, name := range []string{"documentation", "inheritPaths", "specializes", "references", "payload", "spline",
		"subLayerOffsets", "variantSelection"} {
		all[name].strict = true
	}
	for name, of := range map[string]knownField{
		"targetPaths":        {owner: relationship, paths: 1<<table.PathPrim | 1<<table.PathProperty | 1<<table.PathRelational | 1<<table.PathMapper},
		"connectionPaths":    {owner: attribute, paths: 1<<table.PathPrim | 1<<table.PathProperty | 1<<table.PathRelational},
		"targetChildren":     {owner: relationship},
		"connectionChildren": {owner: attribute},
		"inheritPaths":       {paths: 1 << table.PathPrim},
		"specializes":        {paths: 1 << table.PathPrim},
	} {
		all[name].owner, all[name].paths = of.owner, of.paths
	}
	return all
}()

// fieldNames finds the known fields among those of a crate, by the tokens of their names.
type fieldNames struct {
	crate *table.Crate
	found []uint8 // by token: 0 not looked at, 1 no known field, else its place in known, from 2 on
	known []*knownField
}

func newFieldNames(crate *table.Crate, tokens int64) *fieldNames {
	return &fieldNames{crate: crate, found: make([]uint8, tokens)}
}

// lookUp returns the known field with a token for its name, or nil if there is none.
func (f *fieldNames) lookUp(ctx context.Context, token uint32) *knownField {
	if int64(token) >= int64(len(f.found)) {
		return nil
	}
	if f.found[token] == 0 {
		f.found[token] = 1
		if text, err := f.crate.TokenAt(ctx, token); err == nil && knownFields[text] != nil && len(f.known) < 250 {
			f.known = append(f.known, knownFields[text])
			f.found[token] = uint8(len(f.known) + 1)
		}
	}
	if k := f.found[token]; k > 1 {
		return f.known[k-2]
	}
	return nil
}

// wrongField returns the problem of a field whose value is not of the type that readers take it for, or none of that type.
func wrongField(name string, k *knownField, r table.Rep, span model.Span) (model.Problem, bool) {
	placed := r.Placement()
	if !slices.Contains(k.types, r.Type()) || placed == table.PlacedArray || placed == table.PlacedEdit {
		kind, what := model.Suspicious, "readers go on without it"
		if k.strict {
			kind, what = model.Malformed, "readers take it for another"
		}
		var want []string
		for _, t := range k.types {
			want = append(want, t.String())
		}
		return model.Problemf(kind, "usdc.fields.type", span, "the field %s has a value of type %s: %s", name, r.TypeName(), what).
			Want(strings.Join(want, " or "), r.TypeName()), true
	}
	switch values := r.Type().Info().Values; {
	case values != nil && int64(r.Low()) >= int64(len(values)):
		return model.Problemf(model.Malformed, "usdc.fields.value", span, "the field %s has no value %d", name, r.Low()).
			Want(fmt.Sprintf("below %d", len(values)), r.Low()), true
	case r.Type() == table.TypeSpline && placed == table.PlacedSmall:
		return model.Problemf(model.Malformed, "usdc.fields.value", span,
			"the field %s is marked as inlined: readers make a spline of no type of it", name), true
	}
	return model.Problem{}, false
}
