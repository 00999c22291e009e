package export

import (
	"bytes"
	"context"
	"encoding/xml"
	"errors"
	"io"
	"regexp"
	"strings"
	"testing"

	"cutaway/model"
	"cutaway/model/export/exporttest"
)

func report(t *testing.T, r *Request) (string, Tally) {
	t.Helper()
	var b bytes.Buffer
	tally, err := Common.ByName("html").Write(ctx, &b, r)
	if err != nil {
		t.Fatal(err)
	}
	balanced(t, b.Bytes())
	return b.String(), tally
}

// balanced reports whether every element of a page is closed.
func balanced(t *testing.T, page []byte) {
	t.Helper()
	d := xml.NewDecoder(bytes.NewReader(page))
	d.Strict, d.AutoClose, d.Entity = false, xml.HTMLAutoClose, xml.HTMLEntity
	var open []string
	for {
		token, err := d.Token()
		if err == io.EOF {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		switch token := token.(type) {
		case xml.StartElement:
			open = append(open, token.Name.Local)
		case xml.EndElement:
			if len(open) == 0 || open[len(open)-1] != token.Name.Local {
				t.Fatalf("</%s> ends %v", token.Name.Local, open)
			}
			open = open[:len(open)-1]
		}
	}
	if len(open) > 0 {
		t.Errorf("%v is never ended", open)
	}
}

var spaces = regexp.MustCompile(`\s+`)

// wantParts tells which of the parts a page does not have, whatever its line breaks.
func wantParts(t *testing.T, page string, parts ...string) {
	t.Helper()
	flat := spaces.ReplaceAllString(strings.ReplaceAll(page, "\n<", "<"), " ")
	for _, part := range parts {
		if !strings.Contains(flat, spaces.ReplaceAllString(part, " ")) {
			t.Errorf("there is no %q in\n%s", part, page)
		}
	}
}

func TestReport(t *testing.T) {
	d := exporttest.Sample(model.Malformed, model.Suspicious)
	d.Title, d.Version, d.Why = "Fake 1.2", "1.2", "begins with FAKE"
	d.Facts = func(_ context.Context, quick bool, _ model.Progress) ([]model.Fact, error) {
		f := model.Fact{Key: "n", Title: "Records", Scan: true}
		if !quick {
			f.Value = model.Int(7)
		}
		return []model.Fact{f, {Key: "s", Title: "Sections", Value: model.Seq{model.Object{{Key: "name", Value: model.Text("HEAD")}, {Key: "size", Value: model.Int(8)}}}},
			{Key: "a", Title: "Assets", Value: model.Seq{model.Text("a.png"), model.Text("b\nc.png")}}}, nil
	}
	at, err := d.Lookup(ctx, "layout/header/magic")
	if err != nil {
		t.Fatal(err)
	}
	got, tally := report(t, &Request{Doc: d, Places: []*model.Place{at}, Version: "1.2 (abc)",
		Notes: []Note{{Where: "file:0x0+4", Text: "the <magic>\nof two lines", Colour: "green", Type: "text", Value: model.Text("FAKE")}}})
	if tally != (Tally{Errors: 1, Warnings: 1}) {
		t.Errorf("tally %+v", tally)
	}
	wantParts(t, got, `<title>test.bin · Cutaway report</title>`, `<p class="verdict error">1 error, 1 warning</p>`, "Fake 1.2, 40 bytes. Every byte was checked.",
		"<th>Recognised because</th><td>begins with FAKE</td>", `<th>SHA-256</th><td class="mono">5faa4eec3611556812c2d74b437c8c49add3f910f10063d801441f7d75cd5e3b</td>`,
		`<th>Records</th><td class="lines">7</td>`, `<td>HEAD</td><td class="number">8</td>`,
		`the count is odd<br>expected <b>an even number</b>, found <b>3</b><br><code class="quiet">fake.malformed</code>`,
		`<span class="mono">0x5 (5)</span>, 3 bytes<br><code>layout/header/count</code>`,
		`<span class="quiet">00000000</span> 00 01 02 03 04 <mark>05 06 07</mark> 08 09`, ` !"#$%&amp;'`,
		`<th>Assets</th><td class="lines">a.png`+"\n"+`b\nc.png</td>`,
		`<td class="lines"><span class="mark green"></span>the &lt;magic&gt;`+"\n"+`of two lines</td><td>text FAKE</td>`,
		`<code>file</code>`, `<div class="explained" style="flex-grow:32" title="explained 80 %"></div>`,
		`<code>layout/pac%2Fked@inflated</code>`, "<h2>Where the bytes went</h2>", "<title>layout/points: 16 bytes, 40 %</title>",
		"<h2>Sizes by section</h2>", "<h2>Sizes by type</h2>",
		"<h3><code>layout/header/magic</code></h3>", "<footer>Written by Cutaway 1.2 (abc).</footer>")
	quick, _ := report(t, &Request{Doc: d, Quick: true})
	wantParts(t, quick, "without decoding everything", "not known without a scan", "1 error, 1 warning")
	if strings.Contains(quick, "SHA-256") || strings.Contains(quick, "Sizes by") {
		t.Error("a quick report has what takes a scan")
	}
}

// Nothing of a file can become a part of the page's code.
func TestReportEscapes(t *testing.T) {
	const evil = `</td><script>alert(1)</script>&"'`
	src := bytesSource([]byte(evil))
	problem := model.Problemf(model.Malformed, evil, src.Span(0, 3), "%s", evil).Want(evil, evil)
	d := &model.Document{Format: evil, Name: evil, Title: evil, Why: evil, Version: evil, Sources: []*model.Source{src}, Options: []model.Option{{Name: evil, Value: evil}},
		Facts: func(context.Context, bool, model.Progress) ([]model.Fact, error) {
			return []model.Fact{{Title: evil, Value: model.Text(evil)}, {Title: evil, Value: model.Seq{model.Object{{Key: evil, Value: model.Text(evil)}}}}}, nil
		},
		Views: []*model.View{{Name: "layout", Of: src, Root: func(context.Context) model.Node {
			return model.Node{Name: evil, Type: evil, Value: model.Text(evil), Help: evil, Spans: []model.Span{src.Whole()}, Problems: []model.Problem{problem}}
		}}}}
	got, _ := report(t, &Request{Doc: d, Places: []*model.Place{d.Views[0].Place(t.Context())}})
	if strings.Contains(got, "<script") || strings.Count(got, "alert(1)") < 10 {
		t.Errorf("got %s", got)
	}
}

// What is very much is bounded, and said to be.
func TestReportIsBounded(t *testing.T) {
	src := bytesSource(make([]byte, 16))
	var many []model.Problem
	for i := range maxReported + 5 {
		many = append(many, model.Problemf(model.Suspicious, "x.y", src.Span(int64(i), 1), "problem %d", i))
	}
	d := &model.Document{Sources: []*model.Source{src}, Views: []*model.View{{Name: "layout", Of: src, Root: func(context.Context) model.Node {
		return model.Node{Name: "layout", Spans: []model.Span{src.Whole()}, Problems: many}
	}}}}
	got, tally := report(t, &Request{Doc: d})
	if tally.Warnings != maxReported+5 || strings.Count(got, `class="severity"`) != maxReported {
		t.Errorf("%+v, %d lines", tally, strings.Count(got, `class="severity"`))
	}
	wantParts(t, got, "and 5 more", "the bytes end here", "Sound, 10,005 warnings")
}

// A report that is cancelled is a whole page of what was found, and is told as cancelled.
func TestReportCancelled(t *testing.T) {
	d := exporttest.Sample(model.Malformed)
	stopping, cancel := context.WithCancel(ctx)
	defer cancel()
	check := func(context.Context, model.Progress, func(string, model.Problem)) error {
		cancel()
		return stopping.Err()
	}
	d.Check = check
	var b bytes.Buffer
	_, err := Report(stopping, &b, &Request{Doc: d})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	balanced(t, b.Bytes())
	wantParts(t, b.String(), "The check was cancelled", "the count is odd", "1 error")
}

func TestReportTellsWriteErrors(t *testing.T) {
	full := errors.New("disk full")
	_, err := Report(ctx, writerFunc(func([]byte) (int, error) { return 0, full }), &Request{Doc: exporttest.Sample()})
	if !errors.Is(err, full) {
		t.Errorf("got %v", err)
	}
}

func TestPercent(t *testing.T) {
	for want, of := range map[string][2]int64{"0 %": {0, 5}, "100 %": {5, 5}, "< 0.1 %": {1, 1 << 40}, "> 99.9 %": {1<<40 - 1, 1 << 40}, "33.3 %": {1, 3}} {
		if got := percentOf(of[0], of[1]); got != want {
			t.Errorf("%v: %s, want %s", of, got, want)
		}
	}
}
