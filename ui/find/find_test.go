package find_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"

	"cutaway/ui/find"
	"cutaway/ui/window/windowtest"
)

func press(f *find.Field, keys ...fyne.KeyName) {
	for _, key := range keys {
		f.Entry.TypedKey(&fyne.KeyEvent{Name: key})
	}
}

// listed is the rows of a field: the group where one begins, and the titles.
func listed(f *find.Field) string {
	var all []string
	for _, r := range f.Data.All() {
		if r.Group != "" {
			all = append(all, r.Group+":")
		}
		all = append(all, r.Title)
	}
	return strings.Join(all, " ")
}

// TestGroups: names come before values, these before bytes and actions, five each; “all” lists the others below the tree.
func TestGroups(t *testing.T) {
	windowtest.Run(t, func(t *testing.T, b *windowtest.Bench) {
		s := b.Sample()
		f := b.W.Find
		for text, want := range map[string]string{
			"leg":     `Names: Leg Leg_0 Leg_1 Leg_2 Leg_3 Values: Leg A turned leg. Leg_0 </Prototypes/Leg> /Prototypes/Leg all 11 Elements: ☐ Search the elements of arrays Bytes:`,
			"treemap": "Elements: ☐ Search the elements of arrays Actions: View › Cards › Sizes",
			"/(/":     "Wider: /(/ is no regular expression",
		} {
			b.Seek(text)
			if got := listed(f); !strings.HasPrefix(got, want) {
				t.Errorf("%s: %s\nwant %s", text, got, want)
			}
		}
		b.Seek("leg")
		press(f, slices.Repeat([]fyne.KeyName{fyne.KeyDown}, 10)...)
		press(f, fyne.KeyReturn)
		p := s.Pane.Lists.Search
		b.Until("all values", func() bool { return p.Run != nil && p.Run.Over && p.Run.Hits.Len() >= 11 })
		if f.Shown() || b.W.Shell.Win.Canvas().Focused() != p.List {
			t.Errorf("the list below the field is shown: %v; %T has the keyboard", f.Shown(), b.W.Shell.Win.Canvas().Focused())
		}
	})
}

// TestEnter: Enter goes to the best hit, also before it is found, and F3 goes on from there; the tree has the keyboard then.
func TestEnter(t *testing.T) {
	windowtest.Run(t, func(t *testing.T, b *windowtest.Bench) {
		s := b.Sample()
		f, p := b.W.Find, s.Pane.Lists.Search
		f.Open("leg")
		press(f, fyne.KeyReturn)
		b.At(s, "scene/Prototypes/Leg")
		if f.Shown() || b.W.Shell.Win.Canvas().Focused() != s.Pane.Trees.Front(s.Pane.Trees.View()) {
			t.Errorf("the list is shown: %v; %T has the keyboard", f.Shown(), b.W.Shell.Win.Canvas().Focused())
		}
		if p.Run != nil || !p.Sought() {
			t.Error("everything is searched before it is asked for")
		}
		s.Pane.FindNext(false)
		b.At(s, "scene/Workshop/Table/Leg_0")
		s.Pane.FindNext(false)
		b.At(s, "scene/Workshop/Table/Leg_1")
		b.Seek("leg")
		press(f, fyne.KeyDown, fyne.KeyDown, fyne.KeyDown, fyne.KeyReturn)
		b.At(s, "scene/Workshop/Table/Leg_2")
		s.Pane.FindNext(true)
		b.At(s, "scene/Workshop/Table/Leg_1")
		b.Seek("/outputs:[a-z]+/")
		s.Pane.Trees.Views.Choose(len(s.Pane.Doc.Views) - 1)
		b.Seek("50 58 52 2d")
		press(f, fyne.KeyReturn)
		b.Until("the bytes", func() bool { _, n := s.Pane.Hex.Shown.View.Selection(); return n == 4 })
	})
}

// TestElements: elements of arrays are found only once the switch is on, which stays.
func TestElements(t *testing.T) {
	windowtest.Run(t, func(t *testing.T, b *windowtest.Bench) {
		s := b.Sample()
		f := b.W.Find
		found := func(want bool) {
			t.Helper()
			b.Seek("value:-0.9")
			if got := strings.Contains(listed(f), "Elements: [0] = "); got != want {
				t.Errorf("elements are found: %v, want %v: %s", got, want, listed(f))
			}
		}
		found(false)
		for i, r := range f.Data.All() {
			if strings.HasPrefix(r.Title, "☐") {
				press(f, slices.Repeat([]fyne.KeyName{fyne.KeyDown}, i)...)
			}
		}
		press(f, fyne.KeyReturn)
		b.Idle()
		if !strings.Contains(listed(f), "☑") || !s.Pane.Lists.Search.Want().Elements {
			t.Errorf("the switch is not on: %s", listed(f))
		}
		press(f, fyne.KeyEscape)
		found(true)
	})
}

// TestActions: Ctrl+Shift+P lists actions alone, those used last first; a comparison is no action.
func TestActions(t *testing.T) {
	windowtest.Run(t, func(t *testing.T, b *windowtest.Bench) {
		s, doc := b.Fake()
		close(doc.Gate)
		f, canvas := b.W.Find, b.W.Shell.Win.Canvas()
		b.Shortcut(fyne.KeyP, fyne.KeyModifierShortcutDefault|fyne.KeyModifierShift)
		if canvas.Focused() != f.Entry || f.Entry.Text != ">" || len(f.Acts) < 100 {
			t.Fatalf("%T has the keyboard, with %q and %d actions", canvas.Focused(), f.Entry.Text, len(f.Acts))
		}
		f.Entry.SetText("> next tr")
		b.Idle()
		if len(f.Acts) == 0 || f.Acts[0].Title != "View › Next tree" || f.Data.All()[0].Detail != "Ctrl+T" {
			t.Fatalf("finds %v", f.Acts)
		}
		view, before := s.Pane.Trees.View(), f.Entry
		press(f, fyne.KeyReturn)
		b.Idle()
		if s.Pane.Trees.View() == view || f.Shown() || before.Text != "" {
			t.Error("the action is not done, or the list stays")
		}
		if first := b.ActionsFor("")[0].Title; first != "View › Next tree" {
			t.Errorf("%q comes first", first)
		}
		press(f, fyne.KeyEscape)
		if f.Shown() || canvas.Focused() == f.Entry {
			t.Error("Escape does not close the list")
		}
		b.Seek(">96.5")
		if got := listed(f); !strings.Contains(got, "Names:") && !strings.Contains(got, "Values:") {
			t.Errorf("values above a number: %s", got)
		}
		b.Seek("> xqzv")
		if got := listed(f); got != "Nothing has these words" {
			t.Errorf("nonsense finds %s", got)
		}
	})
}

// TestOffers: what queries may say is offered where nothing is typed, and for a word that begins so.
func TestOffers(t *testing.T) {
	windowtest.Run(t, func(t *testing.T, b *windowtest.Bench) {
		b.Fake()
		f := b.W.Find
		b.Seek("")
		if got := listed(f); !strings.HasPrefix(got, "Query: name: type:") {
			t.Errorf("for nothing: %s", got)
		}
		b.Seek("lamp ty")
		if got := listed(f); !strings.HasSuffix(got, "Query: type:") {
			t.Errorf("for lamp ty: %s", got)
		}
		b.Seek("/")
		press(f, fyne.KeyUp)
		b.Shortcut(fyne.KeyP, fyne.KeyModifierShortcutDefault)
		if f.Entry.Text != "name:" || f.Entry.CursorColumn != 5 {
			t.Errorf("Ctrl+P: %q, the cursor is at %d", f.Entry.Text, f.Entry.CursorColumn)
		}
	})
}

// TestWider: where nothing is found, Enter searches what is decompressed too if the text looks like bytes.
func TestWider(t *testing.T) {
	windowtest.Run(t, func(t *testing.T, b *windowtest.Bench) {
		s := b.Sample()
		b.Seek("74 69 6d 65 43 6f 64 65 73")
		if got := listed(b.W.Find); !strings.Contains(got, "Wider: Search the bytes of everything") {
			t.Fatal(got)
		}
		press(b.W.Find, fyne.KeyReturn)
		p := s.Pane.Lists.Search
		b.Until("the bytes", func() bool { return p.Run != nil && p.Run.Over })
		if f, ok := p.Run.Hits.At(0); !ok || !strings.HasSuffix(f.Source, "@inflated") {
			t.Errorf("found at %+v", f)
		}
	})
}

// TestPlace: the list is below its field and in the window, whatever the window's size.
func TestPlace(t *testing.T) {
	windowtest.Run(t, func(t *testing.T, b *windowtest.Bench) {
		b.Sample()
		for _, size := range []fyne.Size{fyne.NewSize(640, 480), fyne.NewSize(1360, 860), fyne.NewSize(2560, 1400)} {
			b.W.Shell.Win.Resize(size)
			b.Seek("leg")
			at, drop := b.W.Find.Dropped()
			field := fyne.CurrentApp().Driver().AbsolutePositionForObject(b.W.Find.Entry)
			if at.X < 0 || at.X+drop.Width > size.Width || at.Y < field.Y+b.W.Find.Entry.Size().Height || at.Y+drop.Height > size.Height || drop.Height < 200 {
				t.Error(fmt.Sprint(size, ": the list is at ", at, ", large ", drop, ", below ", field))
			}
			press(b.W.Find, fyne.KeyEscape)
		}
	})
}
