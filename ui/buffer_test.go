package ui

import (
	"strings"
	"testing"
	"testing/synctest"

	"cutaway/decoders"
	"cutaway/model"
	"cutaway/ui/document"
	"cutaway/ui/uitest"
)

// tab waits until the tab in front has its document.
func (b *bench) tab() *session {
	b.Helper()
	s := b.w.active
	b.until("the bytes", func() bool { return s.Pane != nil && s.Pane.Current() != nil })
	return s
}

// TestReadings: pasted text is taken for what it looks like, and what does not fit says why.
func TestReadings(t *testing.T) {
	for _, c := range []struct{ text, way, bytes, why string }{
		{"50 58 52 2d", "hexadecimal digits", "PXR-", ""},
		{"0x50, 0x58,\n0x52, 0x2D", "hexadecimal digits", "PXR-", "not base64: ',' at character 5"},
		{`\x50\x58`, "hexadecimal digits", "PX", ""},
		{"UFhSLVVTREM=", "base64", "PXR-USDC", "not hexadecimal: 'U' is no digit"},
		{"UFhS\nLVVT\nREM", "base64", "PXR-USDC", ""},
		{"data:application/octet-stream;base64,_-8=", "base64", "\xff\xef", ""},
		{"50 5?", "text as it is (UTF-8)", "50 5?", "not hexadecimal: '?' is no digit"},
		{"505,", "text as it is (UTF-8)", "505,", "not hexadecimal: the number of digits, 3, is odd"},
		{"UFhSL", "text as it is (UTF-8)", "UFhSL", "not base64: it is cut short"},
		{"UFhS=", "text as it is (UTF-8)", "UFhS=", "not base64: its padding is wrong"},
		{"{\"a\": 1}", "text as it is (UTF-8)", "{\"a\": 1}", "not base64"},
	} {
		ways, why := readings(c.text)
		if len(ways) == 0 || ways[0].name != c.way || string(ways[0].bytes) != c.bytes || !strings.Contains(strings.Join(why, "\n"), c.why) {
			t.Errorf("%q: %v, %q", c.text, ways, why)
		}
	}
	if ways, _ := readings(" \n"); ways != nil {
		t.Errorf("nothing is taken for %v", ways)
	}
}

// TestClipboard: pasted bytes open in a tab of their own; nothing in the clipboard is said in words.
func TestClipboard(t *testing.T) { synctest.Test(t, testClipboard) }

func testClipboard(t *testing.T) {
	b := newBench(t)
	b.w.openClipboard()
	if b.w.Win.Canvas().Overlays().Top() == nil || len(b.w.sessions) != 0 {
		t.Fatal("nothing is told of an empty clipboard")
	}
	b.w.App.Clipboard().SetContent("00 01 02 03")
	b.w.openClipboard()
	b.pressMain()
	s := b.tab()
	if s.Title() != "Clipboard" || s.Pane.Doc.Source().Size() != 4 || s.isSample() || s.Pane.Details.Refused == nil {
		t.Errorf("%s of %d bytes", s.Title(), s.Pane.Doc.Source().Size())
	}
	s.reload()
	if again := b.tab(); again == s || again.Pane.Doc.Source().Size() != 4 {
		t.Error("pasted bytes cannot be reloaded")
	}
}

// TestDecodePart: bytes of a file become a document; they lead back, and outlive the tab that they are from.
func TestDecodePart(t *testing.T) { synctest.Test(t, testDecodePart) }

func testDecodePart(t *testing.T) {
	b := newBench(t)
	outer := b.open(Target{File: write(t, "a.bin", []byte(strings.Repeat("0123456789abcdef", 10)))})
	outer.Pane.Hex.Shown.View.Select(36, 20)
	outer.Pane.Actions.DecodeSelection()
	b.pressMain()
	s := b.tab()
	if got, _ := s.Pane.Doc.Source().Bytes(t.Context(), 0, 4); s.Pane.Doc.Source().Size() != 20 || string(got) != "4567" {
		t.Fatalf("%d bytes, first %q", s.Pane.Doc.Source().Size(), got)
	}
	s.Pane.Nav.GoToOffset(3)
	b.until("its origin", func() bool { return strings.Contains(s.Pane.Origin.OriginText, " ← 0x24+20 in a.bin") })
	s.Pane.Hex.Shown.View.Select(3, 2)
	s.Pane.Origin.ToOrigin(1)
	if off, n := outer.Pane.Hex.Shown.View.Selection(); b.w.active != outer || off != 39 || n != 2 {
		t.Errorf("the way up leads to %d+%d", off, n)
	}
	b.w.close(outer)
	if got, err := s.Pane.Doc.Source().Bytes(t.Context(), 0, 4); string(got) != "4567" {
		t.Errorf("after its tab is closed: %q, %v", got, err)
	}
	b.w.activate(s)
	s.Pane.Origin.ToOrigin(1)
	if b.w.Win.Canvas().Overlays().Top() == nil {
		t.Error("nothing is told of the closed tab")
	}
	b.w.close(s)
	if _, err := s.Pane.Doc.Source().Bytes(t.Context(), 0, 4); err == nil {
		t.Error("the file is still open")
	}
}

// TestOpenDerived: a source that is derived from a node opens in a tab of its own; the details and the tree offer it.
func TestOpenDerived(t *testing.T) { synctest.Test(t, testOpenDerived) }

func testOpenDerived(t *testing.T) {
	b := newBench(t)
	s, _ := b.fake()
	s.Pane.Nav.GoTo("layout/packed")
	b.at(s, "layout/packed")
	var link *document.DetailLink
	for _, r := range s.Pane.Details.Gather(t.Context(), s.Pane.Current()).Rows {
		if r.Label == "Opens as" {
			link = &r.Links[1]
		}
	}
	if link == nil || link.Text != "in a tab of its own" {
		t.Fatal("the details do not offer it")
	}
	link.Tap()
	b.until("the tab", func() bool { return b.w.active != s })
	inner := b.tab()
	if inner.Title() != "packed part" || inner.Pane.Doc.Source().Size() != 2*uitest.PackedLen {
		t.Errorf("%s of %d bytes", inner.Title(), inner.Pane.Doc.Source().Size())
	}
	inner.Pane.Nav.GoToOffset(10)
	b.until("its origin", func() bool {
		return len(inner.Pane.Origin.Origins) == 2 && inner.Pane.Origin.Origins[1][0].Off == uitest.PackedAt
	})
	if inner.Pane.Origin.Origins[0][0].Source.Origin() == nil {
		t.Error("the first level is not the derived source")
	}
}

// TestGivenAs: given bytes can be decoded as another format.
func TestGivenAs(t *testing.T) { synctest.Test(t, testGivenAs) }

func testGivenAs(t *testing.T) {
	b := newBench(t)
	b.w.openBuffer(&buffer{title: "x", src: model.NewFileSource("x", model.BytesReader("some bytes"))}, decoders.Options{})
	s := b.tab()
	b.w.openWith(s, decoders.Options{Format: decoders.PlainBytes, At: 5})
	again := b.tab()
	if again == s || again.Pane.Doc.Source().Size() != 5 || again.Pane.Details.Refused != nil {
		t.Errorf("%d bytes", again.Pane.Doc.Source().Size())
	}
}
