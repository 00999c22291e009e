package usda

import (
	_ "embed" // of the contents
	"slices"
	"strings"
	"sync"

	"cutaway/model"
)

// contents has a line for each clause about files of the AOUSD Core Specification 1.0.1: its number and title.
//
//go:embed contents.txt
var contents string

// Clause returns a clause of the standard with its title, "16.3.8.4.5.3 Jump Array", or "" if there is no such number.
func Clause(number string) string {
	if number == "" {
		return ""
	}
	_, rest, found := strings.Cut("\n"+contents, "\n"+number+" ")
	if !found {
		return ""
	}
	title, _, _ := strings.Cut(rest, "\n")
	return number + " " + title
}

// WithTitles gives the clauses of rules, which are numbers, their titles.
func WithTitles(rules []model.Rule) []model.Rule {
	for i := range rules {
		rules[i].Clause = Clause(rules[i].Clause)
	}
	return rules
}

// ClauseOf returns the clause that defines a field of a type of specs, or "" if the standard has no such field.
func ClauseOf(field, spec string) string { return fieldClauses()[fieldOf{field, specLetter(spec)}] }

type fieldOf struct {
	name string
	spec byte
}

// fieldClauses has the clauses of the fields of each kind of specs.
var fieldClauses = sync.OnceValue(func() map[fieldOf]string {
	all := map[fieldOf]string{}
	add := func(field, clauses string) {
		for number := range strings.FieldsSeq(clauses) {
			for spec, chapters := range chaptersOf {
				if slices.ContainsFunc(chapters, func(chapter string) bool { return strings.HasPrefix(number, chapter) }) {
					all[fieldOf{field, spec}] = Clause(number)
				}
			}
		}
	}
	for field, of := range metadata {
		add(field, of.clauses)
	}
	for field, clauses := range structure {
		add(field, clauses)
	}
	return all
})

// chaptersOf has the clauses with the fields of each kind of specs, by its letter.
var chaptersOf = map[byte][]string{'l': {"7.6.1."}, 'p': {"7.6.2.", "7.6.6."}, 'a': {"7.6.3.", "7.6.4."}, 'r': {"7.6.3.", "7.6.5."}}

// structure has the clauses of the fields that statements of text set by themselves.
var structure = map[string]string{
	"connectionChildren": "7.6.4.4", "connectionPaths": "7.6.4.2.3", "custom": "7.6.3.1.1", "default": "7.6.4.2.1",
	"primChildren": "7.6.1.1.1 7.6.2.2.1", "primOrder": "7.6.1.3.1 7.6.2.4.5", "properties": "7.6.2.2.2", "propertyOrder": "7.6.2.4.6",
	"specifier": "7.6.2.1.1", "spline": "7.6.4.2.4", "targetChildren": "7.6.5.2", "targetPaths": "7.6.5.1.1", "timeSamples": "7.6.4.2.2",
	"variability": "7.6.4.1.2", "variantChildren": "7.6.6.1.1", "variantSetChildren": "7.6.2.2.3",
}
