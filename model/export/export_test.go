package export

import (
	"testing"

	"cutaway/model"
)

func TestVerdict(t *testing.T) {
	plain := func(_ model.Severity, text string) string { return text }
	for _, c := range []struct {
		kinds []model.Kind
		want  string
	}{
		{nil, "sound"},
		{[]model.Kind{model.Suspicious, model.Assumed}, "sound, 1 warning, 1 note"},
		{[]model.Kind{model.Limit}, "sound as far as it was read: 1 limit met, 1 warning"},
		{[]model.Kind{model.Limit, model.Truncated, model.Malformed}, "2 errors, 1 warning"},
	} {
		var tally Tally
		for _, kind := range c.kinds {
			tally.Add(&model.Problem{Kind: kind})
		}
		if got := tally.Verdict("sound", plain); got != c.want {
			t.Errorf("%v: %s, want %s", c.kinds, got, c.want)
		}
	}
}
