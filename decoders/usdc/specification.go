package usdc

import (
	"errors"
	"slices"

	"cutaway/decoders/usdc/table"
	"cutaway/decoders/usdc/value"
	"cutaway/model"
)

// rules lists the rules on tables, then those on values.
func rules() []model.Rule {
	return append(table.SectionLanguage.RuleList(), value.RecordLanguage.RuleList()...)
}

// specification describes the records of tables and those of values.
func specification() (*model.Specification, error) {
	all, err := table.SectionLanguage.Describe()
	if err != nil {
		return nil, err
	}
	values, err := value.RecordLanguage.Describe()
	if err != nil {
		return nil, err
	}
	all.Functions = append(all.Functions, values.Functions...)
	for _, t := range values.Tables {
		if !slices.ContainsFunc(all.Tables, func(known model.DescribedTable) bool { return known.Name == t.Name }) {
			all.Tables = append(all.Tables, t)
		}
	}
	all.Records, all.Rules = append(all.Records, values.Records...), append(all.Rules, values.Rules...)
	all.NoKSY = joinedErrors(all.NoKSY, values.NoKSY)
	return all, nil
}

// joinedErrors returns the errors that a was joined from, and those of b with another text.
func joinedErrors(a, b error) error {
	all, known := parts(a), map[string]bool{}
	for _, err := range all {
		known[err.Error()] = true
	}
	return errors.Join(append(all, slices.DeleteFunc(parts(b), func(err error) bool { return known[err.Error()] })...)...)
}

// parts returns the errors that err was joined from.
func parts(err error) []error {
	if many, ok := err.(interface{ Unwrap() []error }); ok {
		return slices.Clone(many.Unwrap())
	}
	return nil
}
