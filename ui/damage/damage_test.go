package damage_test

import (
	"os"
	"strings"
	"testing"

	"cutaway/ui/document"
	"cutaway/ui/kit"
	"cutaway/ui/opening"
	"cutaway/ui/window/windowtest"
)

// TestDamage: the card of a damaged file is first in its strip and on its stage. It says what is left of the sections, which views
// open, and in which form these can be exported. What is whole shows its own cards. A sound file has no such card.
func TestDamage(t *testing.T) {
	windowtest.Run(t, func(t *testing.T, b *windowtest.Bench) {
		recording, err := os.ReadFile("../../testdata/vrs/audio.vrs")
		if err != nil {
			t.Fatal(err)
		}
		cut := windowtest.WriteFile(t, "cut.vrs", recording[:len(recording)-500])
		for file, want := range map[string][]string{
			"../../testdata/usdc/x-tokens-lz4-offset0.usdc": {"0 of 16 tokens left", "Scene", "Export what is left as USD text…"},
			cut: {"records", "Streams", "Export what is left as Recording (VRS)…"},
		} {
			s := b.Open(opening.Target{File: file})
			b.Until("the card", func() bool { return s.Pane.Stage.Kind() == document.Damage })
			if kinds := s.Pane.Stage.Kinds(); kinds[0] != document.Damage {
				t.Errorf("%s: the strip has %v", file, kinds)
			}
			text := ""
			b.Until("what is left", func() bool {
				text = windowtest.ShownTexts(s.Pane.Damage.Object()) + windowtest.Texts(s.Pane.Damage.Object())
				for o := range windowtest.All(s.Pane.Damage.Object()) {
					if button, is := o.(*kit.TextButton); is {
						text += button.Text + "\n"
					}
				}
				return strings.Contains(text, "What is left")
			})
			for _, one := range want {
				if !strings.Contains(text, one) {
					t.Errorf("%s: %q is not in %s", file, one, text)
				}
			}
			if file != cut {
				continue
			}
			for _, at := range [][2]string{{"streams/999-1/data", "Table"}, {"streams", document.Damage}} {
				s.Pane.Nav.GoTo(at[0])
				b.At(s, at[0])
				b.Idle()
				if kind := s.Pane.Stage.Kind(); kind != at[1] {
					t.Errorf("%s shows %s, of %v", at[0], kind, s.Pane.Stage.Kinds())
				}
			}
		}
		s := b.Open(opening.Target{File: "../../assets/sample.usdc"})
		b.Until("the check", func() bool { return s.Pane.Lists.Problems.Whole })
		if s.Pane.Stage.Has(document.Damage) {
			t.Error("a sound file is damaged")
		}
	})
}
