package description

import (
	"strings"
	"testing"
)

func TestEditor(t *testing.T) {
	for setting, want := range map[string]string{"": "", "kate": "kate|/a b.ksy", "kate -l {line}": "kate|-l|7|/a b.ksy", "code -g {file}:{line}": "code|-g|/a b.ksy:7"} {
		if got := strings.Join(editor(setting, "/a b.ksy", 7), "|"); got != want {
			t.Errorf("%q is %s, want %s", setting, got, want)
		}
	}
}
