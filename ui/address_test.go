package ui

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync/atomic"
	"testing"
	"time"

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
	b.until("the document", func() bool { return s.Pane != nil && s.Pane.Current() != nil })
	b.until("the node", func() bool { return s.Pane.Current().Path() == "scene/Prototypes" })
	if s.Pane.Doc.Format != "usdc" || s.Title() != "sample.usdc" {
		t.Errorf("%s: %s", s.Title(), s.Pane.Doc.Format)
	}
	if s.Pane.Hex.Shown.View.Profiled {
		t.Error("bytes of a server's file are fetched for the strip of entropy")
	}
	s = opens(web.URL + "/sample.usdc?sig=hush")
	b.until("the signed document", func() bool { return s.Pane != nil })
	if strings.Contains(s.Title()+b.w.Win.Title()+s.File(), "hush") {
		t.Errorf("the title %q or %q has the signature", s.Title(), b.w.Win.Title())
	}
	if recent := settings.There(b.w.Store.RecentNames()); len(recent) != 1 || recent[0][0] != web.URL+"/sample.usdc" {
		t.Errorf("the recent files are %q", recent)
	}
	if stored, err := os.ReadFile(b.w.Store.Path); err != nil || bytes.Contains(stored, []byte("hush")) {
		t.Errorf("stored: %v, %s", err, stored)
	}
	s = opens(web.URL + "/whole.usdc")
	b.until("that there are no ranges", func() bool { return s.Pane == nil && buttonWith(s.object, "Download (") != nil })
	if said := texts(s.object); strings.Contains(said, "--download") || !strings.Contains(said, "temporary file") {
		t.Errorf("the page says %s", said)
	}
	buttonWith(s.object, "Download (").OnTapped()
	b.until("the whole", func() bool { return s.Pane != nil })
	if s.Pane.Doc.Source().Size() != 90_000 {
		t.Errorf("%d bytes", s.Pane.Doc.Source().Size())
	}
	s = opens(web.URL + "/slow.usdc")
	b.until("that there are no ranges", func() bool { return s.Pane == nil && buttonWith(s.object, "Download (") != nil })
	buttonWith(s.object, "Download (").OnTapped()
	b.until("a part of it", func() bool { return b.w.status.bars.Visible() && b.w.status.bar.Value > 0.4 })
	b.w.status.cancel.OnTapped()
	b.until("that it was cancelled", func() bool { return buttonWith(s.object, "Try again") != nil })
	if said := words(s.object); strings.Contains(said, "context canceled") || !strings.Contains(said, "was not opened") {
		t.Errorf("a cancelled download: %s", said)
	}
	if giveToWindow([]Target{{File: b.w.sessions[1].file}}) {
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
	plain, err := storage.ParseURI(web.URL + "/sample.usdc")
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range []struct {
		uri  fyne.URI
		want string
	}{{plain, web.URL + "/sample.usdc"}, {storage.NewFileURI("https://host/a b.usdc?sig=a+b"), "https://host/a%20b.usdc?sig=a%2Bb"},
		{storage.NewFileURI("/tmp/sample.usdc"), ""}, {storage.NewFileURI("sample.usdc"), ""}} {
		if got := addressOf(k.uri); got != k.want {
			t.Errorf("%s: %q, want %q", k.uri, got, k.want)
		}
	}
	b := newBench(t)
	b.w.dropped([]fyne.URI{storage.NewFileURI(web.URL + "/sample.usdc?sig=hush")})
	s := b.w.active
	b.until("the document", func() bool { return s.Pane != nil && s.Pane.Doc != nil })
	if strings.Contains(s.File(), "hush") {
		t.Errorf("%q is %q", s.Title(), s.File())
	}
	s.look()
	if len(s.Pane.Notice.Objects) != 0 {
		t.Error("said to have changed before it has")
	}
	s.OpenPart("a part", s.Pane.Doc.Source().Span(8<<20, 5<<20))
	part := b.w.active
	b.until("the part", func() bool { return part != s && part.Pane != nil && part.Pane.Doc != nil })
	if !s.Pane.Doc.Far() || !part.Pane.Doc.Far() {
		t.Error("the file, or a part of it, is not far")
	}
	changed.Store(true)
	// Not in the first, middle or last MiB, which marks know a file by.
	if _, err := s.Pane.Doc.Source().Bytes(t.Context(), 4<<20, 9); err == nil {
		t.Fatal("the change is not noticed")
	}
	s.look()
	if len(s.Pane.Notice.Objects) != 1 {
		t.Error("not said to have changed")
	}
	if _, err := part.Pane.Doc.Source().Bytes(t.Context(), 3<<20, 9); err == nil {
		t.Fatal("the change is not noticed in the part")
	}
	part.look()
	if len(part.Pane.Notice.Objects) != 1 {
		t.Error("the part is not said to have changed")
	}
}
