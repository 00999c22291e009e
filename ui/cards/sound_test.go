package cards_test

import (
	"strings"
	"testing"
	"testing/synctest"

	"cutaway/ui/opening"
	"cutaway/ui/window/windowtest"

	"fyne.io/fyne/v2"

	"cutaway/ui/kit"
)

// TestSoundWithoutPlayer: a stream's sound is drawn as a whole; where no program plays it, that is said and the export offered.
func TestSoundWithoutPlayer(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	synctest.Test(t, testSoundWithoutPlayer)
}

func testSoundWithoutPlayer(t *testing.T) {
	b := windowtest.New(t)
	s := b.Open(opening.Target{File: "../../testdata/vrs/audio.vrs"})
	s.Pane.Nav.GoTo("streams/999-7/data")
	b.At(s, "streams/999-7/data")
	b.Idle()
	card := b.Stage(s, "audio")
	if got := s.Pane.Stage.Kind(); got != "Sound" {
		t.Errorf("the sound is called %s", got)
	}
	b.Until("the curve", func() bool { return strings.Contains(windowtest.Words(card), "48,000 Hz") })
	tapTip(card, "Play, or stop")
	b.Until("the reason", func() bool {
		return strings.Contains(windowtest.Words(card), "Not played: no program that plays sound")
	})
	if !strings.Contains(windowtest.Words(card), "Export…") {
		t.Error("the export is not offered")
	}
}

// tapTip taps the button of a tip.
func tapTip(o fyne.CanvasObject, tip string) {
	switch o := o.(type) {
	case *fyne.Container:
		for _, c := range o.Objects {
			tapTip(c, tip)
		}
	case *kit.Button:
		if o.Tip == tip {
			o.OnTapped()
		}
	}
}
