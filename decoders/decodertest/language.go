package decodertest

import (
	"slices"
	"strings"
	"testing"

	"cutaway/decoders/lang"
	"cutaway/model"
)

// Language builds the description of a format. It checks that the format lists the description's rules, and that at
// most functions Go functions are used in expressions, rules and looks. The log names them.
func Language(t testing.TB, f *model.Format, l *lang.Language, functions int) {
	t.Helper()
	if err := l.Build(); err != nil {
		t.Fatal(err)
	}
	for _, rule := range l.RuleList() {
		if !slices.ContainsFunc(f.Rules, func(r model.Rule) bool { return r.ID == rule.ID }) {
			t.Errorf("the format does not list the rule %s", rule.ID)
		}
	}
	named := l.Exceptions()
	if len(named) > functions {
		t.Errorf("%d functions of Go, and %d are allowed", len(named), functions)
	}
	t.Logf("%d functions of Go: %s", len(named), strings.Join(named, ", "))
}
