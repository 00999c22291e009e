package window_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"cutaway/ui/opening"
	"cutaway/ui/window/windowtest"

	"fyne.io/fyne/v2"

	"cutaway/assets"
	"cutaway/model"
	"cutaway/model/marks"
	"cutaway/ui/nodes"
	searchpane "cutaway/ui/search"
	"cutaway/ui/uitest"
)

// TestNeeds: items of menus of which nothing can come are disabled until something can, and the list of actions says why.
func TestNeeds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		t.Setenv("XDG_STATE_HOME", t.TempDir())
		b := windowtest.New(t)
		s := b.Open(opening.Target{File: windowtest.WriteFile(t, "one.usdc", assets.Sample)})
		b.Idle()
		can := func(when string, want bool, labels ...string) {
			t.Helper()
			for _, l := range labels {
				if b.Menu(l).Disabled == want {
					t.Errorf("%s: %q can be chosen: %v", when, l, !want)
				}
			}
		}
		why := func(title, want string) {
			t.Helper()
			for _, a := range b.ActionsFor(title) {
				if strings.HasSuffix(a.Title, "› "+title) && a.Why != want {
					t.Errorf("the search says of %q: %q, want %q", title, a.Why, want)
				}
			}
			b.W.Find.Leave()
		}
		why("Compare with the tab before", "no other file is open")
		why("Next tab", "no other tab is open")
		can("no mark", false, "Next mark", "Previous mark", "Export marks…")
		why("Next mark", "there are no marks")
		can("no search", false, "Find next", "Find previous")
		can("nothing runs", false, "Stop running work")
		why("Compare node with the kept one", "no node is kept")
		can("times", true, "Go to time…", "Next tree")

		store, err := marks.Open()
		if err != nil {
			t.Fatal(err)
		}
		identity, err := marks.Identity(t.Context(), s.Pane.Doc)
		if err == nil {
			err = store.Add(identity, s.Subject.File, marks.Mark{Text: "the file"})
		}
		if err != nil {
			t.Fatal(err)
		}
		s.Reload()
		s = b.W.Active
		b.Until("the file again", func() bool { return s.Pane != nil && s.Pane.Current() != nil })
		b.Idle()
		can("a mark", true, "Next mark", "Previous mark", "Export marks…")
		b.Find(s, searchpane.Query{Text: "Arm"})
		b.Idle()
		can("a search", true, "Find next", "Find previous")
		b.W.Actions.Find("file.compare.keep").Do()
		why("Compare node with the kept one", "")
		why("Find next", "")

		other := b.Open(opening.Target{File: windowtest.WriteFile(t, "two.bin", []byte("nothing known"))})
		b.Idle()
		why("Compare with the tab before", "")
		can("plain bytes", false, "Go to time…", "Next of this track", "Next tree", "Find next")
		b.W.Pages.Close(other)
		b.Idle()
		why("Compare with the tab before", "no other file is open")
	})
}

// TestChangeValueTimely: whether the value of a node can be typed is told by what it is once it is decoded, by whatever that is done.
func TestChangeValueTimely(t *testing.T) {
	windowtest.Run(t, func(t *testing.T, b *windowtest.Bench) {
		doc := uitest.New()
		parts := model.NewLazy(func(context.Context, model.Progress) (model.Children, error) {
			return model.NewList(model.Node{Name: "part"}), nil
		})
		late := func(context.Context, int64) model.Node {
			n := model.Node{Name: "late", Type: "text", Children: parts, Spans: []model.Span{doc.Source().Span(0, 4)}}
			if !n.IsPending() {
				n.Value = model.Text("FAKE")
			}
			return n
		}
		doc.Views[0].Root = func(context.Context) model.Node {
			return model.Node{Name: "/", Children: &model.Rows{Count: 1, Make: late}}
		}
		b.W.Shell.Store.CheckLimit, b.W.Shell.Uncounted = -1, true // nothing else decodes it
		s := b.W.Add(opening.Subject{File: "fake.bin"})
		s.Show(doc.Document)
		s.Pane.Nav.GoTo("scene/late")
		b.At(s, "scene/late")
		b.Idle()
		if !b.Menu("Change value…").Disabled {
			t.Fatal("a value can be typed that is not decoded")
		}
		row := nodes.ItemOf(s.Pane.Current())
		if _, err := doc.Lookup(t.Context(), "scene/late/part"); err != nil {
			t.Fatal(err)
		}
		s.Pane.Known()
		b.Idle()
		if b.Menu("Change value…").Disabled {
			t.Error("it cannot be typed when it is decoded")
		}
		if !slices.ContainsFunc(s.Pane.Actions.NodeItems(row, nil), func(i *fyne.MenuItem) bool { return i.Label == "Change value…" }) {
			t.Error("its row does not offer it")
		}
	})
}
