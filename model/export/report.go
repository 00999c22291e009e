package export

import (
	"bufio"
	"context"
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"fmt"
	"html"
	"io"
	"strings"

	"cutaway/model"
	"cutaway/model/facttext"
	"cutaway/model/size"
)

// Limits of a report, so that a browser can show it. The report says what it omits.
const (
	maxReported  = 10_000 // problems
	maxExcerpts  = 100    // problems with an excerpt of bytes
	maxCovered   = 200    // sources
	maxStatLines = 200
	maxNodes     = 100
	maxSpans     = 10   // of a node
	maxShown     = 2000 // bytes of a text
)

// reportedStats are the keys of the statistics in a report.
var reportedStats = []string{"section", "type"}

//go:embed report.css
var reportStyle string

// Report writes a self-contained HTML page on the document: its identity, facts, problems with excerpts of bytes, and
// coverage of the sources; a treemap, sizes by section and type, and the places of r. It checks the document first,
// unless r is Quick. When ctx ends, it writes the findings so far, with a remark, and returns the context's error.
func Report(ctx context.Context, w io.Writer, r *Request) (Tally, error) {
	p := &page{Writer: bufio.NewWriterSize(w, flushAt), ctx: ctx, r: r, doc: r.Doc}
	err := p.find()
	if r.Quick {
		r.reduce(nil, "only what is known without decoding and checking the rest")
	}
	p.write()
	if ferr := p.Flush(); err == nil {
		err = ferr
	}
	return p.tally, err
}

// A page is an unfinished report. bufio keeps its error for the end.
type page struct {
	*bufio.Writer
	ctx context.Context
	r   *Request
	doc *model.Document

	check *model.Report
	tally Tally
	facts []model.Fact
	sums  []string // of the sources that are files
	stats map[string][]model.Stat
	tree  *size.Tree
	stop  error // the error that ended the search for findings
}

// find collects the contents of the report. It ends early only when ctx ends.
func (p *page) find() error {
	d, progress := p.doc, p.r.Progress
	if p.r.Quick {
		p.check, p.stop = d.Known(p.ctx)
	} else {
		p.check, p.stop = d.CheckAll(p.ctx, progress)
	}
	for i := range p.check.Problems {
		p.tally.Add(&p.check.Problems[i].Problem)
	}
	if p.stop == nil && d.Facts != nil {
		p.facts, p.stop = d.Facts(p.ctx, p.r.Quick, progress)
	}
	if p.r.Quick {
		return p.stop
	}
	p.stats = make(map[string][]model.Stat)
	for _, by := range reportedStats {
		if p.stop == nil {
			p.stats[by], _, p.stop = StatsBy(p.ctx, d, by, progress)
		}
	}
	p.measure()
	for _, src := range d.Sources {
		if p.stop == nil && src.Origin() == nil {
			var sum string
			sum, p.stop = p.hashOf(src)
			p.sums = append(p.sums, sum)
		}
	}
	return p.stop
}

// hashOf returns the SHA-256 of a source's bytes.
func (p *page) hashOf(src *model.Source) (string, error) {
	sum := sha256.New()
	done := int64(0)
	err := copySpan(p.ctx, writerTo(func(b []byte) error {
		done += int64(len(b))
		p.r.Progress.Report(done, src.Size(), "hashing")
		_, err := sum.Write(b)
		return err
	}), src.Whole())
	if err != nil && p.ctx.Err() == nil {
		p.r.lose(nil, "the SHA-256 of %s: %v", src.Title(), err)
		return "not known: " + err.Error(), nil
	}
	return hex.EncodeToString(sum.Sum(nil)), err
}

// printf writes a line, with texts among the arguments escaped.
func (p *page) printf(format string, args ...any) {
	for i, a := range args {
		if s, ok := a.(string); ok {
			args[i] = html.EscapeString(oneLine(p.ctx, s))
		}
	}
	fmt.Fprintf(p, format+"\n", args...)
}

// lines returns texts as lines.
func (p *page) lines(texts []string) htmlRaw {
	var b strings.Builder
	for i, text := range texts {
		if i > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(html.EscapeString(oneLine(p.ctx, text)))
	}
	return htmlRaw(b.String())
}

func (p *page) write() {
	d := p.doc
	p.printf(`<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>%s · Cutaway report</title>
<style>`, d.Name)
	_, _ = p.WriteString(reportStyle)
	p.printf(`</style>
</head>
<body>
<header>
<h1>%s</h1>
<p class="verdict %s">%s</p>
<p>%s, %s bytes. %s</p>
</header>`, d.Name, p.worst(), p.verdict(), d.Title, model.Grouped(p.size()), p.how())
	p.identity()
	p.problems()
	p.notes()
	p.nodes()
	p.factList()
	p.coverage()
	p.treemap()
	p.sizes()
	p.printf("<footer>%s</footer>\n</body>\n</html>", "Written by Cutaway "+p.r.Version+".")
}

// cut returns the number of things to show, and writes a remark if there are more.
func (p *page) cut(n, most int, what string) int {
	if n > most {
		p.r.reduce(nil, "only %s of %s", model.Grouped(int64(most)), model.GroupedCount(int64(n), what))
	}
	return min(n, most)
}

// shown returns a text of at most maxShown bytes, and records whether it was cut.
func (p *page) shown(text string) string {
	if len(text) > maxShown {
		p.r.reduce(nil, "only the beginnings of texts and values of more than %s bytes", model.Grouped(maxShown))
	}
	return text
}

func (p *page) size() int64 {
	var sum int64
	for _, src := range p.doc.Sources {
		if src.Origin() == nil {
			sum += src.Size()
		}
	}
	return sum
}

// how returns a remark on the extent of the examination.
func (p *page) how() string {
	switch {
	case p.stop != nil && p.ctx.Err() != nil:
		return "The check was cancelled: this is what was found till then."
	case p.stop != nil:
		return "The check could not be ended: " + p.stop.Error()
	case p.r.Quick:
		return "Only what is known without decoding everything was looked at."
	}
	return "Every byte was checked."
}

// worst returns the CSS class of the verdict.
func (p *page) worst() string {
	switch {
	case p.tally.Errors > 0:
		return "error"
	case p.tally.Warnings > 0:
		return "warning"
	case p.stop != nil || p.r.Quick:
		return "note"
	}
	return "sound"
}

func (p *page) verdict() string {
	clean := "Sound"
	if p.stop != nil || p.r.Quick {
		clean = "No error found so far"
	}
	return p.tally.Verdict(clean, func(_ model.Severity, text string) string { return text })
}

func (p *page) identity() {
	d := p.doc
	p.printf("<section><h2>Identity</h2>\n<table class=\"pairs\">")
	row := func(key, value string) {
		if value != "" {
			p.printf(`<tr><th>%s</th><td>%s</td></tr>`, key, value)
		}
	}
	row("Format", d.Format)
	row("Version", d.Version)
	row("Recognised because", d.Why)
	k := 0
	for _, src := range d.Sources {
		if src.Origin() != nil {
			continue
		}
		of := ""
		if len(d.Sources) > 1 {
			of = " of " + src.Title()
		}
		row("Size"+of, model.Grouped(src.Size())+" bytes")
		for _, seg := range src.Segments() {
			if seg.Missing {
				row("Part "+seg.File, "missing")
			} else {
				row("Part "+seg.File, fmt.Sprintf("%s bytes, joined at %#x", model.Grouped(seg.Length), seg.Start))
			}
		}
		if k < len(p.sums) {
			p.printf(`<tr><th>%s</th><td class="mono">%s</td></tr>`, "SHA-256"+of, p.sums[k])
		}
		k++
	}
	for _, o := range d.Options {
		row("Option "+o.Name, o.Value)
	}
	p.printf("</table></section>")
}

// htmlRaw is HTML that must not be escaped.
type htmlRaw string

func (p *page) factList() {
	if len(p.facts) == 0 {
		return
	}
	p.printf("<section><h2>Facts</h2>\n<table class=\"pairs\">")
	for _, f := range p.facts {
		if f.Key == "version" {
			continue // shown above
		}
		switch shown := facttext.Show(p.ctx, &f, maxShown); {
		case shown.Table != nil:
			p.printf("<tr><th>%s</th><td>", f.Title)
			p.table(shown.Table)
			p.printf("</td></tr>")
		case f.Value == nil:
			p.printf(`<tr><th>%s</th><td class="quiet">not known without a scan</td></tr>`, f.Title)
		case len(shown.Lines) > 0:
			for _, line := range shown.Lines {
				p.shown(line)
			}
			p.printf(`<tr><th>%s</th><td class="lines">%s</td></tr>`, f.Title, p.lines(shown.Lines))
		}
	}
	p.printf("</table></section>")
}

// table writes the rows of a fact, with numbers aligned right.
func (p *page) table(t *facttext.Table) {
	p.printf(`<div class="scroll"><table><tr>`)
	cell := func(tag string, i int, text string) {
		class := htmlRaw("")
		if t.Right[i] {
			class = ` class="number"`
		}
		p.printf("<%[1]s%[2]s>%[3]s</%[1]s>", htmlRaw(tag), class, text)
	}
	for i, h := range t.Head {
		cell("th", i, h)
	}
	p.printf("</tr>")
	for _, row := range t.Rows[:p.cut(len(t.Rows), maxStatLines, "row")] {
		p.printf("<tr>")
		for i, text := range row {
			cell("td", i, text)
		}
		p.printf("</tr>")
	}
	p.printf("</table></div>")
	if more := len(t.Rows) - maxStatLines; more > 0 {
		p.printf("<p>… and %s more</p>", model.Grouped(int64(more)))
	}
}
