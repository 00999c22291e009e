package window_test

import (
	"strings"
	"testing"

	"cutaway/ui/action"
	"cutaway/ui/window/windowtest"
)

// TestKeys: no two actions have the same key, none a key that cannot be read, and each action with a title is in the help.
func TestKeys(t *testing.T) {
	windowtest.Run(t, func(t *testing.T, b *windowtest.Bench) {
		b.Fake()
		help := make(map[string]bool)
		for _, k := range b.W.Keys() {
			help[k.Key] = true
		}
		taken := make(map[string]string)
		for _, g := range b.W.Actions.Groups {
			for _, a := range g.Actions {
				for key := range strings.FieldsSeq(a.Key) {
					name := action.Shortcut(key).ShortcutName()
					if other, is := taken[name]; is {
						t.Errorf("%s is the key of %q and of %q", key, a.Title, other)
					}
					taken[name] = a.Title
				}
				if a.Key != "" && !a.Quiet && !help[strings.Join(strings.Fields(a.Key), "   ")] {
					t.Errorf("the help lacks %s of %q", a.Key, a.Title)
				}
			}
		}
		if len(taken) < 70 {
			t.Errorf("only %d keys", len(taken))
		}
	})
}
