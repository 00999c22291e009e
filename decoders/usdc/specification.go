package usdc

import (
	"slices"

	"cutaway/decoders/lang"
	"cutaway/decoders/usda/data"
	"cutaway/decoders/usdc/coding"
	"cutaway/decoders/usdc/table"
	"cutaway/decoders/usdc/value"
	"cutaway/model"
)

// rules lists the rules on tables, on values, and on data.
func rules() []model.Rule {
	return slices.Concat(table.SectionLanguage.RuleList(), value.RecordLanguage.RuleList(), data.Rules)
}

// specification describes the records of tables, then those of compressed buffers and of values.
func specification() (model.Specification, error) {
	return lang.Describe(table.SectionLanguage, coding.BufferLanguage, value.RecordLanguage)
}
