package export

import (
	"context"
	"encoding/hex"
	"errors"
	"io"
	"path/filepath"
	"strings"
	"time"
	"unicode/utf8"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"cutaway/model"
	"cutaway/model/export"
	"cutaway/model/export/quote"
	"cutaway/ui/phrase"
)

// Limits of the preview and of the counting of bytes.
const (
	previewBytes = 64 << 10
	previewDump  = 2 << 10 // of binary forms
	previewLines = 200
	previewLine  = 400 // characters
	previewPad   = 24  // round a line
	countFor     = 10 * time.Second
	sayEvery     = 100 * time.Millisecond
)

// request returns the request by the user's choices.
func (d *Dialog) request() *export.Request {
	r := &export.Request{Doc: d.Doc, Places: Copies(d.places), Whole: d.Whole.Checked, Elements: d.Elements.Checked, Depth: d.depth,
		Quick: !d.Check.Checked, Version: d.Version}
	if d.timed[d.Form] {
		r.Times = export.Times{From: strings.TrimSpace(d.From.Text), To: strings.TrimSpace(d.To.Text)}
	}
	if d.Form.Document && d.Notes != nil {
		r.Notes = d.Notes()
	}
	if d.Form.Rows {
		r.Rows = d.Some.Text
	}
	return r
}

// look makes a new preview and counts the bytes, in the background. It ends those of another choice.
func (d *Dialog) look() {
	d.looking.Stop()
	d.show(nil)
	d.total = 0
	d.allow()
	switch {
	case d.refused[d.Form] != "":
		d.Size.SetText("")
		d.say("This form does not suit what is selected: "+d.refused[d.Form]+".", widget.WarningImportance)
		return
	case d.Form.Document:
		d.show([]string{"A page for any browser, without scripts, to be attached to a bug:", "",
			"·  what it is, and its SHA-256", "·  problems, with the bytes around the first of them", "·  the selected nodes, if any", "·  facts", "·  your notes",
			"·  how its bytes are covered", "·  sizes by section and type, with a map of them"})
		d.Size.SetText("Size: known when all is checked; mostly some kilobytes")
		return
	}
	if d.many[d.Form] {
		d.show([]string{"Each becomes a file of its own, in the folder that is named below.", "", "The files are named by stream, number of the record, and time."})
		d.Size.SetText("Size: known when all are written")
		return
	}
	choice := d.looking.Next(d.Until)
	d.Size.SetText("Size: counting…")
	form, request, again := d.Form, d.request(), d.request()
	d.Tasks.Go(choice, "making a preview", func(ctx context.Context, _ model.Progress) func() {
		text, whole, err := form.Preview(ctx, request, previewBytes)
		lines := previewOf(form, text, whole || err != nil)
		d.Tasks.Show(choice, func() { d.previewed(lines, err) })
		switch {
		case err != nil:
			return nil
		case whole:
			return func() { d.counted(int64(len(text))) }
		case d.Doc.Far(): // counting would fetch everything
			return func() { d.Size.SetText("Size: known when it is written") }
		}
		return d.count(ctx, choice, form, again)
	})
}

// show shows lines in the preview, which scrolls sideways where they are long.
func (d *Dialog) show(lines []string) {
	longest := len("Preview ")
	for _, line := range lines {
		longest = max(longest, utf8.RuneCountInString(line))
	}
	letter := fyne.MeasureText("m", theme.TextSize(), fyne.TextStyle{Monospace: true}).Width
	d.preview.SetWidths([]float32{letter*float32(longest+1) + previewPad})
	d.Shown.Set(lines)
	d.preview.Recount()
}

func (d *Dialog) previewed(lines []string, err error) {
	if err != nil {
		d.say("This cannot be written: "+err.Error()+".", widget.DangerImportance)
		d.Size.SetText("")
	}
	d.show(lines)
	d.Log.Write("preview", d.Form.Name, len(lines))
}

// counted shows the exact size.
func (d *Dialog) counted(n int64) {
	d.total = n
	d.Size.SetText("Size: exactly " + phrase.Bytes(n))
}

// A guess holds the counted bytes and elements, and the number of all elements.
type guess struct{ bytes, elements, all int64 }

// text estimates the size. on adds that the counting continues.
func (g guess) text(on bool) string {
	text := "Size: more than " + phrase.Roughly(g.bytes)
	if g.elements > 0 && g.elements <= g.all {
		text = "Size: about " + phrase.Roughly(int64(float64(g.bytes)*float64(g.all)/float64(g.elements)))
	}
	if on {
		text += ", counting…"
	}
	return text
}

// count counts the bytes, but no longer than countFor, and shows its progress until the choice changes. It returns a function that shows
// the outcome.
func (d *Dialog) count(ctx, choice context.Context, form *export.Form, r *export.Request) func() {
	limited, cancel := context.WithTimeout(ctx, countFor)
	defer cancel()
	last := time.Now()
	var g guess
	r.Progress = func(done, all int64, what string) {
		if what == export.Writing {
			g.elements, g.all = done, all
		}
	}
	n, err := form.Size(limited, r, func(n int64) {
		if g.bytes = n; time.Since(last) > sayEvery {
			last = time.Now()
			text := g.text(true)
			d.Tasks.Show(choice, func() { d.Size.SetText(text) })
		}
	})
	switch {
	case err == nil:
		return func() { d.counted(n) }
	case limited.Err() != nil:
		return func() { d.Size.SetText(g.text(false)) }
	}
	return func() {
		d.Size.SetText("")
		d.say("This cannot be written: "+err.Error()+".", widget.DangerImportance)
	}
}

// previewOf returns the first lines of a form, or a dump of a binary form.
func previewOf(form *export.Form, b []byte, whole bool) []string {
	var lines []string
	if form.Binary {
		cut := len(b) > previewDump
		lines = strings.Split(strings.TrimSuffix(hex.Dump(b[:min(len(b), previewDump)]), "\n"), "\n")
		if cut || !whole {
			lines = append(lines, "…")
		}
		return lines
	}
	for !whole && len(b) > 0 && !utf8.Valid(b[max(0, len(b)-utf8.UTFMax):]) {
		b = b[:len(b)-1] // the last character was cut
	}
	text := string(b)
	if form.Extension == ".json" {
		text = quote.IndentJSON(text)
	}
	for line := range strings.Lines(text) {
		if len(lines) == previewLines {
			return append(lines, "…")
		}
		line = strings.ReplaceAll(strings.TrimSuffix(line, "\n"), "\t", "    ")
		if r := []rune(line); len(r) > previewLine {
			line = string(r[:previewLine]) + " …"
		}
		lines = append(lines, line)
	}
	if !whole {
		lines = append(lines, "…")
	}
	return lines
}

// copyAll copies the nodes in the form, unless that is too long.
func (d *Dialog) copyAll() {
	form, request := d.Form, d.request()
	d.Tasks.Go(d.Until, "copying as "+form.Title, func(ctx context.Context, _ model.Progress) func() {
		text, told, err := Copied(ctx, form, request)
		return func() {
			if err != nil {
				d.say(phrase.Sentence(err), widget.DangerImportance)
				return
			}
			d.App.Clipboard().SetContent(text)
			d.say(told+".", widget.MediumImportance)
		}
	})
}

// Start writes the file.
func (d *Dialog) Start() {
	path := d.Path.Text
	if d.Writing != nil || d.refused[d.Form] != "" || path == "" {
		return
	}
	if whole, err := filepath.Abs(path); err == nil {
		path = whole
	}
	d.looking.Stop()
	form, file := d.Form, d.host.File()
	written, cancel := context.WithCancel(d.Until)
	request := d.request()
	request.Omitted = &model.Omissions{}
	d.Writing = cancel
	d.allow()
	d.say("Writing…", widget.MediumImportance)
	if d.total > 0 {
		d.progress.SetValue(0)
		d.progress.Show()
	}
	d.Tasks.Always(written, "exporting to "+filepath.Base(path), func(ctx context.Context, progress model.Progress) func() {
		request.Progress = progress
		w := &countingWriter{said: func(n int64) { d.Tasks.Show(written, func() { d.wrote(n) }) }}
		err := writeExport(ctx, path, file, form, request, w)
		return func() { d.ended(path, w.n, request.Omitted, err) }
	}, func(err error) { d.ended(path, 0, nil, err) })
}

// wrote shows the progress of the writing.
func (d *Dialog) wrote(n int64) {
	d.say(phrase.Roughly(n)+" written…", widget.MediumImportance)
	if d.total > 0 {
		d.progress.SetValue(float64(n) / float64(d.total))
	}
}

// writeExport writes as the command line does.
func writeExport(ctx context.Context, path, open string, form *export.Form, r *export.Request, count *countingWriter) error {
	_, err := export.To(ctx, path, open, form, r, func(w io.Writer) io.Writer {
		count.w = w
		return count
	})
	return err
}

// A countingWriter reports the number of written bytes now and then.
type countingWriter struct {
	w    io.Writer
	n    int64
	last time.Time
	said func(n int64)
}

func (t *countingWriter) Write(p []byte) (int, error) {
	n, err := t.w.Write(p)
	t.n += int64(n)
	if time.Since(t.last) > sayEvery {
		t.last = time.Now()
		t.said(t.n)
	}
	return n, err
}

// ended closes the dialog once the file is whole, or else says why it is not.
func (d *Dialog) ended(path string, n int64, omitted *model.Omissions, err error) {
	d.Writing()
	d.Writing = nil
	d.progress.Hide()
	switch {
	case d.Until.Err() != nil:
	case err == nil:
		d.last.Dir = filepath.Dir(path)
		if !d.Form.Document {
			d.last.setForm(d.Form, d.media)
		}
		d.Log.Write("exported", path, n)
		d.hide()
		d.result(path, n, omitted)
	case errors.Is(err, context.Canceled):
		d.say("Cancelled; nothing was written.", widget.MediumImportance)
	default:
		d.Log.Write("not-exported", path, err)
		d.say(phrase.Sentence(err), widget.DangerImportance)
	}
	d.allow()
}
