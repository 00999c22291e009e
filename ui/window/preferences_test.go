package window_test

import (
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"cutaway/ui/action"
	"cutaway/ui/opening"
	"cutaway/ui/window/windowtest"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"cutaway/ui/settings"
)

// TestSettings: whatever is set is in the file that remembers under the key that the table has, and is set again by the next
// start; setting it back leaves no trace.
func TestSettings(t *testing.T) {
	windowtest.Run(t, func(t *testing.T, b *windowtest.Bench) {
		b.Open(opening.Target{File: "../../assets/sample.usdc"})
		saved := func() map[string]any {
			time.Sleep(time.Second)
			b.Idle()
			text, err := os.ReadFile(b.W.Shell.Store.Path)
			if err != nil {
				t.Fatal(err)
			}
			all := make(map[string]any)
			if err := json.Unmarshal(text, &all); err != nil {
				t.Fatal(err)
			}
			return all
		}
		for _, s := range b.W.Settings() {
			if s.Key == "reuse_window" {
				continue // it listens to other processes; TestReuse has it
			}
			switch {
			case s.Choices != nil:
				if !s.Choices[0].Holds() && s.Key != "number" {
					t.Errorf("%s: the first choice does not hold at first", s.Key)
				}
				last := s.Choices[len(s.Choices)-1]
				last.Choose()
				if !last.Holds() || s.Choices[0].Holds() {
					t.Errorf("%s: %s does not hold when it is chosen, or not alone", s.Key, last.Title)
				}
			case s.Switch != nil:
				was := s.Switch.On()
				s.Switch.Set(!was)
				if s.Switch.On() == was {
					t.Errorf("%s stays as it was", s.Key)
				}
			case s.Text.Lines:
				dir := t.TempDir()
				if err := s.Text.Set(dir + "\n\n"); s.Key == "formats" && (err != nil || s.Text.Get() != dir) {
					t.Errorf("%s is %q, %v", s.Key, s.Text.Get(), err)
				} else if s.Key == "codecs" && (err == nil || s.Text.Get() != "") {
					t.Errorf("%s takes what names no program: %q", s.Key, s.Text.Get())
				}
				if s.Key == "codecs" {
					continue // nothing holds
				}
			default:
				if err := s.Text.Set("kate"); err != nil {
					t.Error(err)
				}
			}
			b.Idle()
			if all := saved(); all[s.Key] == nil {
				t.Errorf("%s is not remembered", s.Key)
			}
		}
		if next := settings.Load(b.W.Shell.Store.Path); next.CheckBytes() != 16<<30 || next.CacheBytes() != 4<<30 || next.Text != 1.5 {
			t.Errorf("the next start has %+v", next)
		}
		b.W.Setting("cache").Choices[0].Choose() // is of the process
		b.Idle()
	})
}

// TestSettingsDialog: by keyboard alone a setting is found by its words and changed, what is set holds at once, and the dialog
// fits into a small window.
func TestSettingsDialog(t *testing.T) {
	windowtest.Run(t, func(t *testing.T, b *windowtest.Bench) {
		b.Open(opening.Target{File: "../../assets/sample.usdc"})
		c := b.W.Shell.Win.Canvas()
		b.Menu("Settings…").Action()
		press := func(keys ...fyne.KeyName) {
			for _, k := range keys {
				if c.Focused() == nil {
					t.Fatalf("nothing has the keyboard for %s", k)
				}
				c.Focused().TypedKey(&fyne.KeyEvent{Name: k})
				b.Idle()
			}
		}
		d := b.W.Preferences
		test.Type(d.Find, "black white")
		b.Idle()
		press(fyne.KeyDown, fyne.KeyLeft)
		if b.W.Shell.Store.Choice != "high contrast dark" {
			t.Errorf("the theme is %q", b.W.Shell.Store.Choice)
		}
		c.Focus(d.Find)
		d.Find.SetText("last time")
		press(fyne.KeyReturn, fyne.KeyReturn)
		if !b.W.Shell.Store.NoTabs || b.W.Setting("no_tabs").Switch.On() {
			t.Error("the tabs of the last time still come back, or the setting says so")
		}
		c.Focus(d.Find)
		d.Find.SetText("")
		for range 40 { // down to the last ones, which come into sight
			c.FocusNext()
			b.Idle()
			if f, ok := c.Focused().(fyne.CanvasObject); ok {
				at := fyne.CurrentApp().Driver().AbsolutePositionForObject(f)
				if bottom := at.Y + f.Size().Height; at.Y < 0 || bottom > c.Size().Height+1 {
					t.Errorf("%T has the keyboard at %v of %v", f, at, c.Size())
				}
			}
		}
		for _, size := range []fyne.Size{{Width: 640, Height: 480}, {Width: 480, Height: 360}} {
			b.W.Shell.Win.Resize(size)
			b.Idle()
			top := c.Overlays().Top()
			for _, o := range test.LaidOutObjects(top) {
				at := fyne.CurrentApp().Driver().AbsolutePositionForObject(o)
				if o.Visible() && o == fyne.CanvasObject(d.Find) && (at.X < 0 || at.X+o.Size().Width > size.Width) {
					t.Errorf("the search is at %v with %v of %v", at, o.Size(), size)
				}
			}
		}
		c.Focus(d.Find)
		press(fyne.KeyEscape)
		if c.Overlays().Top() != nil {
			t.Error("Escape does not close the settings")
		}
		b.W.ShowPalette()
		if got := len(b.W.Palette.Data.All()); got == 0 {
			t.Fatal("the palette is empty")
		}
		for _, setting := range b.W.Settings() {
			b.W.Palette.Entry.SetText(setting.Title)
			if !slices.ContainsFunc(b.W.Palette.Data.All(), func(a action.Hit) bool { return strings.Contains(a.Title, "› "+setting.Title) }) {
				t.Errorf("the palette does not find %s", setting.Title)
			}
		}
		b.W.Palette.Entry.SetText("")
		press(fyne.KeyEscape)
	})
}
