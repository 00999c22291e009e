package cards_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"cutaway/ui/opening"
	"cutaway/ui/window/windowtest"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/widget"

	"cutaway/internal/vrsgen"
	"cutaway/ui/document"
	"cutaway/ui/kit"
	"cutaway/ui/picture"
)

// TestPicture: a record's picture has the numbers of its pixels; a click selects the bytes of one, letters choose planes.
func TestPicture(t *testing.T) {
	windowtest.Run(t, func(t *testing.T, b *windowtest.Bench) {
		s := b.Open(opening.Target{File: "../../testdata/vrs/pixels.vrs"})
		s.Pane.Nav.GoTo("streams/999-7/data/[0]") // rgb10
		b.At(s, "streams/999-7/data/[0]")
		b.Idle()
		card := b.Stage(s, "image")
		b.Until("the picture", func() bool { return strings.Contains(windowtest.Words(card), "0 black, 1023 white") })
		v := windowtest.First[*picture.View](card)
		test.TapAt(v, fyne.NewPos(v.Size().Width/2, v.Size().Height/2))
		if got := windowtest.Words(card); !strings.Contains(got, "R ") || !strings.Contains(got, "B ") {
			t.Errorf("of the pixel: %q", got)
		}
		off, n := s.Pane.Hex.Shown.View.Selection()
		if n != 6 {
			t.Fatalf("%d bytes of the pixel are marked", n)
		}
		v.TypedRune('c')
		v.TypedRune('c') // green
		b.Idle()
		v.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
		if at, n := s.Pane.Hex.Shown.View.Selection(); at != off+2 || n != 2 {
			t.Errorf("%d bytes from %+d on are marked for green", n, at-off)
		}
	})
}

// filmed makes a recording of some cameras of eight pictures each, a tenth of a second apart, each a hundredth later than the one
// before. The level of all pixels of picture i is i.
func filmed(t *testing.T, cameras int) string {
	f := &vrsgen.File{Index: vrsgen.AtEnd}
	for k := range uint16(cameras) {
		f.Streams = append(f.Streams, vrsgen.Stream{Type: 200, Instance: k + 1, VRS: []vrsgen.Tag{{Name: "RF:Data:1", Value: "image/raw/4x2/pixel=grey8"}}})
	}
	for i := range 8 {
		for k := range cameras {
			f.Records = append(f.Records, vrsgen.Record{Kind: vrsgen.Data, Stream: k, Version: 1, Time: float64(i)/10 + float64(k)/100,
				Payload: bytes.Repeat([]byte{byte(i)}, 8)})
		}
	}
	b, _ := f.Bytes()
	name := filepath.Join(t.TempDir(), "filmed.vrs")
	if err := os.WriteFile(name, b, 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

// TestPlay: pictures are played at the times of their records, also those of several streams, and the last one seen is selected.
// How a stream is turned is remembered.
func TestPlay(t *testing.T) {
	windowtest.Run(t, func(t *testing.T, b *windowtest.Bench) {
		s := b.Open(opening.Target{File: filmed(t, 2)})
		b.Until("times", func() bool { return len(s.Pane.Time.Tracks) > 0 })
		s.Pane.Nav.GoTo("streams/200-1/data/[1]")
		b.At(s, "streams/200-1/data/[1]")
		b.Idle()
		card := b.Stage(s, "image")
		b.Until("the picture", func() bool { return strings.Contains(windowtest.Words(card), "0 black, 255 white") })
		windowtest.First[*picture.View](card).TypedRune('r')
		if got := b.W.Shell.Store.Turns["streams/200-1/data"]; got != 1 {
			t.Errorf("remembered are %d turns", got)
		}
		windowtest.First[*picture.View](card).TypedRune('s')
		b.Until("both streams", func() bool { return strings.Contains(windowtest.Words(card), "   +10.0 ms") })

		began := time.Now()
		windowtest.First[*picture.View](card).TypedRune(' ')
		b.Until("a picture that is played", func() bool { return strings.Contains(windowtest.Words(card), "0.4 s   5 of 8") })
		if took := time.Since(began); took < 290*time.Millisecond || took > 400*time.Millisecond {
			t.Errorf("three tenths of a second took %v", took)
		}
		if s.Pane.Current().Path() != "streams/200-1/data/[1]" || s.Pane.Time.At.Moment.Time != 0.4 {
			t.Errorf("while it plays, %s is selected, and the bar is at %g", s.Pane.Current().Path(), s.Pane.Time.At.Moment.Time)
		}
		windowtest.First[*picture.View](card).TypedRune(' ')
		b.At(s, "streams/200-1/data/[4]")
		b.Idle()
		card = s.Pane.Stage.Object.Objects[0]
		b.Until("both streams again", func() bool { return strings.Contains(windowtest.Words(card), "   +10.0 ms") })
		if v := windowtest.First[*picture.View](card); v.Look.Turns != 1 {
			t.Error("the next record's picture is not turned")
		}
		windowtest.First[*picture.View](card).TypedRune(' ')
		b.At(s, "streams/200-1/data/[7]") // the last
	})
}

// TestPictureKeys: from record to record the keyboard stays in the picture, also when it is pressed before the picture is read; many
// streams side by side do not widen the window.
func TestPictureKeys(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const mostCameras = 36
		b := windowtest.New(t)
		s := b.Open(opening.Target{File: filmed(t, mostCameras)})
		b.Until("times", func() bool { return len(s.Pane.Time.Tracks) > 0 })
		s.Pane.Nav.GoTo("streams/200-1/data/[1]")
		b.At(s, "streams/200-1/data/[1]")
		b.Idle()
		s.Pane.Trees.FocusTree()
		card := func() fyne.CanvasObject { return s.Pane.Stage.Object.Objects[0] }
		s.Pane.Stage.ChooseForKeys("Image")
		keyed := func(where string) {
			t.Helper()
			b.Idle()
			if v := windowtest.First[*picture.View](card()); v == nil || b.W.Shell.Win.Canvas().Focused() != fyne.Focusable(v) {
				t.Errorf("%s the keyboard is in %T", where, b.W.Shell.Win.Canvas().Focused())
			}
		}
		keyed("at first")
		s.Pane.Time.Step(false, false)
		b.At(s, "streams/200-1/data/[2]")
		keyed("in the next record")

		s.Pane.Trees.FocusTree()
		s.Pane.Nav.GoTo("streams/200-1/data/[3]")
		b.At(s, "streams/200-1/data/[3]")
		s.Pane.Stage.ChooseForKeys("Image")
		keyed("chosen too early")

		windowtest.First[*picture.View](card()).TypedRune('s')
		b.Idle()
		least := b.W.Shell.Win.Content().MinSize().Width
		windowtest.First[*picture.View](card()).TypedRune('s')
		b.Idle()
		if one := b.W.Shell.Win.Content().MinSize().Width; least > one {
			t.Errorf("the window is at least %g wide with %d pictures, %g with one", least, mostCameras, one)
		}

		s.Pane.Nav.GoTo("streams/200-1")
		b.At(s, "streams/200-1")
		b.Idle()
		if b.W.Shell.Win.Canvas().Focused() != fyne.Focusable(s.Pane.Trees.Front(s.Pane.Trees.View())) {
			t.Errorf("without a picture the keyboard is in %T", b.W.Shell.Win.Canvas().Focused())
		}
	})
}

// TestRangeByHand: the range that was chosen by hand for a stream stands in the fields of its next picture, too. A stream alone is not
// shown side by side.
func TestRangeByHand(t *testing.T) {
	windowtest.Run(t, func(t *testing.T, b *windowtest.Bench) {
		s := b.Open(opening.Target{File: filmed(t, 1)})
		b.Until("times", func() bool { return len(s.Pane.Time.Tracks) > 0 })
		card := cardOf(b, s, "streams/200-1/data/[1]", "Image")
		v := windowtest.First[*picture.View](card)
		for range 2 {
			v.TypedRune('a')
			b.Idle()
		}
		fields := windowtest.Entries(card)
		fields[0].SetText("1")
		fields[1].SetText("7")
		fields[1].OnSubmitted("7")
		b.Idle()
		card = cardOf(b, s, "streams/200-1/data/[2]", "Image")
		if fields = windowtest.Entries(card); fields[0].Text != "1" || fields[1].Text != "7" || !strings.Contains(windowtest.Words(card), "1 black, 7 white") {
			t.Errorf("the next picture is drawn from %q to %q: %q", fields[0].Text, fields[1].Text, windowtest.Words(card))
		}
		windowtest.First[*picture.View](card).TypedRune('s')
		b.Idle()
		for part := range windowtest.All(card) {
			if button, is := part.(*kit.Button); is && button.Importance == widget.HighImportance {
				t.Error("one stream is shown side by side")
			}
		}
	})
}

// TestPlayHidden: what nobody sees does not go on.
func TestPlayHidden(t *testing.T) {
	windowtest.Run(t, func(t *testing.T, b *windowtest.Bench) {
		s := b.Open(opening.Target{File: filmed(t, 2)})
		b.Until("times", func() bool { return len(s.Pane.Time.Tracks) > 0 })
		s.Pane.Nav.GoTo("streams/200-1/data/[0]")
		b.At(s, "streams/200-1/data/[0]")
		b.Idle()
		card := b.Stage(s, "image")
		b.Until("the picture", func() bool { return strings.Contains(windowtest.Words(card), "0 black, 255 white") })
		windowtest.First[*picture.View](card).TypedRune(' ')
		b.Until("a picture that is played", func() bool { return strings.Contains(windowtest.Words(card), "2 of 8") })
		s.Pane.Stage.Choose(document.Sizes)
		time.Sleep(2 * time.Second)
		b.Idle()
		if s.Pane.Time.At.Moment.Time > 0.2 || s.Pane.Current().Path() != "streams/200-1/data/[0]" {
			t.Errorf("hidden, it went on to %g, and selected %s", s.Pane.Time.At.Moment.Time, s.Pane.Current().Path())
		}
	})
}

// TestTabAfterTime: after a time is gone to, a click on the tab of its picture gives that the keyboard, also while it is not read yet:
// Space plays.
func TestTabAfterTime(t *testing.T) {
	for _, read := range []bool{true, false} {
		windowtest.Run(t, func(t *testing.T, b *windowtest.Bench) {
			s := b.Open(opening.Target{File: filmed(t, 1)})
			b.Until("times", func() bool { return len(s.Pane.Time.Tracks) > 0 })
			cardOf(b, s, "streams/200-1/data/[1]", "Image")
			b.Shortcut(fyne.KeyG, fyne.KeyModifierShortcutDefault|fyne.KeyModifierShift)
			b.Type("0\n")
			b.Until("another record", func() bool { return s.Pane.Current().Path() != "streams/200-1/data/[1]" })
			if read {
				b.Idle()
			}
			b.ClickTab(s.Pane.Stage.Strip, s.Pane.Stage.Strip.Selected)
			b.Idle()
			v, is := b.W.Shell.Win.Canvas().Focused().(*picture.View)
			if !is {
				t.Fatalf("read %v: the keyboard is in %T", read, b.W.Shell.Win.Canvas().Focused())
			}
			before := s.Pane.Time.At
			v.TypedRune(' ')
			b.Until("the next picture", func() bool { return s.Pane.Time.At != before })
		})
	}
}
