package usdc

import (
	"cutaway/decoders/lang"
	"cutaway/decoders/usdc/coding"
	"cutaway/decoders/usdc/table"
	"cutaway/decoders/usdc/value"
	"cutaway/model"
)

// rules lists the rules on tables, then those on values.
func rules() []model.Rule {
	return append(table.SectionLanguage.RuleList(), value.RecordLanguage.RuleList()...)
}

// specification describes the records of tables, then those of compressed buffers and of values.
func specification() (model.Specification, error) {
	return lang.Describe(table.SectionLanguage, coding.BufferLanguage, value.RecordLanguage)
}
