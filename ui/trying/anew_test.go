package trying_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fyne.io/fyne/v2"

	"cutaway/decoders"
	"cutaway/model"
	"cutaway/ui/kit"
	"cutaway/ui/opening"
	"cutaway/ui/window/windowtest"
)

// TestChangeAnew: a value of a format that writes files is asked for together with the name of the new file, which then has it. The
// dialog says what else the change means, and why a value does not fit.
func TestChangeAnew(t *testing.T) {
	windowtest.Run(t, func(t *testing.T, b *windowtest.Bench) {
		dir := t.TempDir()
		data, err := os.ReadFile("../../testdata/odin/gzip-in-hex.asset")
		if err != nil {
			t.Fatal(err)
		}
		file := filepath.Join(dir, "door.asset")
		if err := os.WriteFile(file, data, 0o600); err != nil {
			t.Fatal(err)
		}
		s := b.Open(opening.Target{File: file})
		ask := func(path string) fyne.CanvasObject {
			s.Pane.Nav.GoTo(path)
			b.At(s, path)
			b.Idle()
			b.Menu("Change value…").Action()
			b.Idle()
			return b.W.Shell.Win.Canvas().Overlays().Top()
		}
		const slot = "objects/serializedProgramCompressedBytes/[0]/UpdateOrder"
		top := ask(slot)
		if top == nil {
			t.Fatal("nothing is asked")
		}
		value := b.W.Shell.Win.Canvas().Focused().(*kit.Entry)
		if value.Text != "0" || !strings.Contains(windowtest.ShownTexts(top), "door-changed.asset") {
			t.Errorf("it asks %q with %q", windowtest.ShownTexts(top), value.Text)
		}
		value.SetText("many")
		b.PressMain()
		b.Until("the refusal", func() bool {
			return strings.Contains(windowtest.ShownTexts(top), "“many” does not fit") || strings.Contains(windowtest.ShownTexts(top), `"many" does not fit`)
		})
		value.SetText("7")
		b.PressMain()
		b.Until("the new file", func() bool { _, err := os.Stat(filepath.Join(dir, "door-changed.asset")); return err == nil })
		b.Idle()
		doc, err := decoders.OpenFile(t.Context(), filepath.Join(dir, "door-changed.asset"), decoders.OpenOptions{})
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = doc.Close() }()
		if p, err := doc.Lookup(t.Context(), slot); err != nil || p.Node.Value != model.Int(7) {
			t.Errorf("the new file: %v, %v", p, err)
		}
		if top := ask("objects/serializedProgramCompressedBytes/[0]/ByteCode"); top != nil {
			t.Errorf("the code is a value: %q", windowtest.ShownTexts(top))
		}
		b.Until("the reason", func() bool { return strings.Contains(windowtest.ShownTexts(s.Pane.Object), "only single values") })
	})
}
