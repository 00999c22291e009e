package opening_test

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"cutaway/ui/opening"
	"cutaway/ui/tab"
	"cutaway/ui/window"
	"cutaway/ui/window/windowtest"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/storage"

	"cutaway/assets"
	"cutaway/ui/settings"
)

// TestOpenAddress opens a file of a server, by a signed address from the clipboard too; what is secret in it is neither shown nor
// remembered. It waits for sockets, so it is in no bubble, like TestReuse.
func TestOpenAddress(t *testing.T) {
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/whole.usdc" {
			_, _ = w.Write(bytes.Repeat([]byte("no ranges"), 10_000))
			return
		}
		if r.URL.Path == "/slow.usdc" {
			w.Header().Set("Content-Length", "200000")
			_, _ = w.Write(make([]byte, 100_000))
			w.(http.Flusher).Flush()
			<-r.Context().Done()
			return
		}
		http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(assets.Sample))
	}))
	defer web.Close()
	b := windowtest.New(t)
	opens := func(address string) *tab.Tab {
		b.W.Shell.App.Clipboard().SetContent(address)
		b.W.Opener.AskAddress()
		b.PressMain()
		n := len(b.W.Pages.All)
		b.Until("the tab of "+address, func() bool { return n == len(b.W.Pages.All) && b.W.Active != nil && len(b.W.Active.Object.Objects) > 0 })
		return b.W.Active
	}
	s := opens(web.URL + "/sample.usdc#scene/Prototypes")
	b.Until("the document", func() bool { return s.Pane != nil && s.Pane.Current() != nil })
	b.Until("the node", func() bool { return s.Pane.Current().Path() == "scene/Prototypes" })
	if s.Pane.Doc.Format != "usdc" || s.Title() != "sample.usdc" {
		t.Errorf("%s: %s", s.Title(), s.Pane.Doc.Format)
	}
	if s.Pane.Hex.Shown.View.Profiled {
		t.Error("bytes of a server's file are fetched for the strip of entropy")
	}
	s = opens(web.URL + "/sample.usdc?sig=hush")
	b.Until("the signed document", func() bool { return s.Pane != nil })
	if strings.Contains(s.Title()+b.W.Shell.Win.Title()+s.Subject.File, "hush") {
		t.Errorf("the title %q or %q has the signature", s.Title(), b.W.Shell.Win.Title())
	}
	if recent := settings.There(b.W.Shell.Store.RecentNames()); len(recent) != 1 || recent[0][0] != web.URL+"/sample.usdc" {
		t.Errorf("the recent files are %q", recent)
	}
	if stored, err := os.ReadFile(b.W.Shell.Store.Path); err != nil || bytes.Contains(stored, []byte("hush")) {
		t.Errorf("stored: %v, %s", err, stored)
	}
	s = opens(web.URL + "/whole.usdc")
	b.Until("that there are no ranges", func() bool { return s.Pane == nil && windowtest.ButtonWith(s.Object, "Download (") != nil })
	if said := windowtest.Texts(s.Object); strings.Contains(said, "--download") || !strings.Contains(said, "temporary file") {
		t.Errorf("the page says %s", said)
	}
	windowtest.ButtonWith(s.Object, "Download (").OnTapped()
	b.Until("the whole", func() bool { return s.Pane != nil })
	if s.Pane.Doc.Source().Size() != 90_000 {
		t.Errorf("%d bytes", s.Pane.Doc.Source().Size())
	}
	s = opens(web.URL + "/slow.usdc")
	b.Until("that there are no ranges", func() bool { return s.Pane == nil && windowtest.ButtonWith(s.Object, "Download (") != nil })
	windowtest.ButtonWith(s.Object, "Download (").OnTapped()
	b.Until("a part of it", func() bool { return b.W.Status.Bars.Visible() && b.W.Status.Bar.Value > 0.4 })
	b.W.Status.Cancel.OnTapped()
	b.Until("that it was cancelled", func() bool { return windowtest.ButtonWith(s.Object, "Try again") != nil })
	if said := windowtest.Words(s.Object); strings.Contains(said, "context canceled") || !strings.Contains(said, "was not opened") {
		t.Errorf("a cancelled download: %s", said)
	}
	if window.Give([]opening.Target{{File: b.W.Pages.Tabs()[1].Subject.File}}) {
		t.Error("a signed address is handed over")
	}
}

// TestDroppedLinks: a link is opened as an address, as the driver hands it over too, and what is secret in it is not shown. A file
// that has changed on its server is said to have.
func TestDroppedLinks(t *testing.T) {
	var changed atomic.Bool
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("ETag", map[bool]string{false: `"a"`, true: `"b"`}[changed.Load()])
		http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(append(bytes.Clone(assets.Sample), make([]byte, 16<<20)...)))
	}))
	defer web.Close()
	b := windowtest.New(t)
	b.W.Dropped([]fyne.URI{storage.NewFileURI(web.URL + "/sample.usdc?sig=hush")})
	s := b.W.Active
	b.Until("the document", func() bool { return s.Pane != nil && s.Pane.Doc != nil })
	if strings.Contains(s.Subject.File, "hush") {
		t.Errorf("%q is %q", s.Title(), s.Subject.File)
	}
	s.Look()
	if len(s.Pane.Notice.Objects) != 0 {
		t.Error("said to have changed before it has")
	}
	s.OpenPart("a part", s.Pane.Doc.Source().Span(8<<20, 5<<20))
	part := b.W.Active
	b.Until("the part", func() bool { return part != s && part.Pane != nil && part.Pane.Doc != nil })
	if !s.Pane.Doc.Far() || !part.Pane.Doc.Far() {
		t.Error("the file, or a part of it, is not far")
	}
	changed.Store(true)
	// Not in the first, middle or last MiB, which marks know a file by.
	if _, err := s.Pane.Doc.Source().Bytes(t.Context(), 4<<20, 9); err == nil {
		t.Fatal("the change is not noticed")
	}
	s.Look()
	if len(s.Pane.Notice.Objects) != 1 {
		t.Error("not said to have changed")
	}
	if _, err := part.Pane.Doc.Source().Bytes(t.Context(), 3<<20, 9); err == nil {
		t.Fatal("the change is not noticed in the part")
	}
	part.Look()
	if len(part.Pane.Notice.Objects) != 1 {
		t.Error("the part is not said to have changed")
	}
}
