package decodertest

import (
	"slices"
	"strings"
	"testing"

	"cutaway/decoders/lang"
	"cutaway/model"
)

// Language builds the description of a format. It checks that the format lists the description's rules, each with help for all
// breaches. At most functions Go functions may be used in expressions, rules and looks; the log names them.
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
	for _, rule := range f.Rules {
		if rule.Help == "" || strings.Contains(rule.Help, "{") {
			t.Errorf("the rule %s needs help: %q is for one breach", rule.ID, rule.Help)
		}
	}
	named := l.Exceptions()
	if len(named) > functions {
		t.Errorf("%d functions of Go, and %d are allowed", len(named), functions)
	}
	t.Logf("%d functions of Go: %s", len(named), strings.Join(named, ", "))
}
