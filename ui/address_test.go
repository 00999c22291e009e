package ui

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/widget"

	"cutaway/assets"
)

// TestOpenAddress opens a file of a server, by a signed address from the clipboard too; what is secret in it is neither shown nor
// remembered. It waits for sockets, so it is in no bubble, like TestReuse.
func TestOpenAddress(t *testing.T) {
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/whole.usdc" {
			_, _ = w.Write(bytes.Repeat([]byte("no ranges"), 10_000))
			return
		}
		http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(assets.Sample))
	}))
	defer web.Close()
	b := newBench(t)
	opens := func(address string) *session {
		b.w.App.Clipboard().SetContent(address)
		b.w.openAddress()
		b.pressMain()
		n := len(b.w.sessions)
		b.until("the tab of "+address, func() bool { return n == len(b.w.sessions) && b.w.active != nil && len(b.w.active.object.Objects) > 0 })
		return b.w.active
	}
	s := opens(web.URL + "/sample.usdc#scene/Prototypes")
	b.until("the document", func() bool { return s.Pane != nil && s.Current() != nil })
	b.until("the node", func() bool { return s.Current().Path() == "scene/Prototypes" })
	if s.Doc.Format != "usdc" || s.Title() != "sample.usdc" {
		t.Errorf("%s: %s", s.Title(), s.Doc.Format)
	}
	if s.Hex.Shown.View.Profiled {
		t.Error("bytes of a server's file are fetched for the strip of entropy")
	}
	s = opens(web.URL + "/sample.usdc?sig=hush")
	b.until("the signed document", func() bool { return s.Pane != nil })
	if strings.Contains(s.Title()+b.w.Win.Title()+s.File(), "hush") {
		t.Errorf("the title %q or %q has the signature", s.Title(), b.w.Win.Title())
	}
	if recent := b.w.Store.RecentFiles(); len(recent) != 1 || recent[0][0] != web.URL+"/sample.usdc" {
		t.Errorf("the recent files are %q", recent)
	}
	if stored, err := os.ReadFile(b.w.Store.Path); err != nil || bytes.Contains(stored, []byte("hush")) {
		t.Errorf("stored: %v, %s", err, stored)
	}
	s = opens(web.URL + "/whole.usdc")
	b.until("that there are no ranges", func() bool { return s.Pane == nil && buttonWith(s.object, "Download (") != nil })
	buttonWith(s.object, "Download (").OnTapped()
	b.until("the whole", func() bool { return s.Pane != nil })
	if s.Doc.Source().Size() != 90_000 {
		t.Errorf("%d bytes", s.Doc.Source().Size())
	}
	if giveToWindow([]Target{{File: b.w.sessions[1].file}}) {
		t.Error("a signed address is handed over")
	}
}

// buttonWith is the button whose text begins so; nil: there is none.
func buttonWith(o fyne.CanvasObject, text string) *widget.Button {
	switch o := o.(type) {
	case *widget.Button:
		if strings.HasPrefix(o.Text, text) {
			return o
		}
	case *fyne.Container:
		for _, c := range o.Objects {
			if b := buttonWith(c, text); b != nil {
				return b
			}
		}
	}
	return nil
}
