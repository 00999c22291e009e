package export

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"cutaway/model"
)

func (p *page) problems() {
	p.printf("<section><h2>Problems</h2>")
	list := p.check.Problems
	if len(list) == 0 {
		p.printf("<p>None.</p></section>")
		return
	}
	p.printf("<table class=\"problems\"><tr><th>Severity</th><th>Problem</th><th>Where</th></tr>")
	for i := range list[:p.cut(len(list), maxReported, "problem")] {
		p.problem(&list[i], i < maxExcerpts)
	}
	p.printf("</table>")
	if more := len(list) - maxReported; more > 0 {
		p.printf("<p>… and %s more, which are left out here; <code>cutaway check</code> lists all.</p>", model.Grouped(int64(more)))
	}
	p.printf("</section>")
}

func (p *page) problem(pr *model.LocatedProblem, excerpt bool) {
	sev := pr.Kind.Severity()
	p.printf(`<tr class="%s"><td class="severity">%s %s<br><span class="quiet">%s</span></td><td>%s`, sev.String(), Mark(sev), sev.String(), pr.Kind.String(), pr.Message)
	if pr.Expected != "" || pr.Found != "" {
		p.printf(`<br>expected <b>%s</b>, found <b>%s</b>`, cmp.Or(pr.Expected, "nothing"), cmp.Or(pr.Found, "nothing"))
	}
	p.printf(`<br><code class="quiet">%s</code></td><td>`, pr.Rule)
	if s := pr.Span; s.Source != nil {
		p.printf(`<span class="mono">%s</span>, %s`, fmt.Sprintf("%#x (%d)", s.Off, s.Off), model.Counted(s.Len, "byte"))
		if s.Source.Origin() != nil || len(p.doc.Sources) > 1 {
			p.printf(`<br>of <code>%s</code>`, PathText(s.Source.Name()))
		}
	} else {
		p.printf(`no place`)
	}
	p.printf(`<br><code>%s</code></td></tr>`, PathText(pr.Where()))
	if excerpt && pr.Span.Source != nil && pr.Member == "" { // a member is closed by now
		p.printf(`<tr class="bytes"><td></td><td colspan="2">`)
		p.excerpt(pr.Span)
		p.printf(`</td></tr>`)
	}
}

// excerpt writes the bytes of a span and those around it as a dump, with the span's bytes marked.
func (p *page) excerpt(s model.Span) {
	const row, around, most = 16, 32, 12 * 16
	size := s.Source.Size()
	from := max(min(s.Off, size)-around, 0) / row * row
	to := min(size, (max(s.End(), s.Off)+around+row-1)/row*row, from+most)
	data, err := s.Source.Bytes(p.ctx, from, max(to-from, 0))
	if err != nil {
		p.r.lose(nil, "the bytes at %#x of %s: %v", from, s.Source.Name(), err)
		p.printf(`<p class="quiet">The bytes here cannot be read: %s</p>`, err.Error())
		return
	}
	p.printf(`<pre>`)
	for at := 0; at < len(data); at += row {
		line := data[at:min(at+row, len(data))]
		fmt.Fprintf(p, `<span class="quiet">%08x</span>  `, from+int64(at))
		p.dump(line, from+int64(at), s, func(b byte) string { return fmt.Sprintf("%02x", b) }, " ")
		fmt.Fprintf(p, "%*s", 3*(row-len(line))+2, "")
		p.dump(line, from+int64(at), s, func(b byte) string {
			if b < 0x20 || b >= 0x7f {
				return "."
			}
			return html1(b)
		}, "")
		_ = p.WriteByte('\n')
	}
	if s.End() > to && to < size {
		p.printf(`<span class="quiet">… and %s more</span>`, model.Counted(min(s.End(), size)-to, "byte"))
	}
	if s.Off >= size {
		p.printf(`<span class="quiet">%08x</span>  <mark>the bytes end here</mark>`, size)
	}
	p.printf(`</pre>`)
}

// html1 returns a printable character as HTML.
func html1(b byte) string {
	switch b {
	case '<':
		return "&lt;"
	case '>':
		return "&gt;"
	case '&':
		return "&amp;"
	}
	return string(rune(b))
}

// dump writes bytes separated by gap, with those of s marked.
func (p *page) dump(line []byte, at int64, s model.Span, show func(byte) string, gap string) {
	marked := false
	for i, b := range line {
		in := at+int64(i) >= s.Off && at+int64(i) < s.End()
		if marked && !in {
			_, _ = p.WriteString("</mark>")
		}
		if i > 0 {
			_, _ = p.WriteString(gap)
		}
		if in && !marked {
			_, _ = p.WriteString("<mark>")
		}
		marked = in
		_, _ = p.WriteString(show(b))
	}
	if marked {
		_, _ = p.WriteString("</mark>")
	}
}

func (p *page) coverage() {
	p.printf(`<section><h2>Space</h2>
<p class="legend"><span class="explained">explained by the format</span> <span class="padding">padding</span> <span class="unreferenced">unreferenced</span> <span class="unknown">unknown</span> <span class="pending">not decoded</span></p>
<table><tr><th>Source</th><th></th><th class="number">Size</th><th class="number">Explained</th><th class="number">Padding</th><th class="number">Unreferenced</th><th class="number">Unknown</th><th class="number">Not decoded</th></tr>`)
	list := p.check.Coverage
	for _, c := range list[:p.cut(len(list), maxCovered, "source")] {
		p.covered(PathText(c.Source.Name()), c)
	}
	if len(list) > maxCovered {
		rest := &model.Coverage{}
		for _, c := range list[maxCovered:] {
			rest.Size += c.Size
			rest.Add(c)
		}
		p.covered(fmt.Sprintf("%s more sources", model.Grouped(int64(len(list)-maxCovered))), rest)
	}
	p.printf("</table></section>")
}

func (p *page) covered(name string, c *model.Coverage) {
	p.printf(`<tr><td><code>%s</code></td><td class="wide"><div class="bar">`, name)
	parts := []struct {
		class string
		n     int64
	}{{"explained", c.Explained}, {"padding", c.Padding}, {"unreferenced", c.Unreferenced}, {"unknown", c.Unknown}, {"pending", c.Pending}}
	for _, part := range parts {
		if part.n > 0 {
			p.printf(`<div class="%s" style="flex-grow:%d" title="%s"></div>`, part.class, part.n, part.class+" "+percentOf(part.n, c.Size))
		}
	}
	p.printf(`</div></td><td class="number">%s</td>`, model.Grouped(c.Size))
	for _, part := range parts {
		share := ""
		if part.n > 0 {
			share = percentOf(part.n, c.Size)
		}
		p.printf(`<td class="number">%s<br><span class="quiet">%s</span></td>`, model.Grouped(part.n), share)
	}
	p.printf("</tr>")
}

// percentOf returns a share in percent. Small shares do not become 0.
func percentOf(n, all int64) string {
	if all <= 0 || n == 0 {
		return "0 %"
	}
	share := 100 * float64(n) / float64(all)
	switch {
	case share < 0.1:
		return "< 0.1 %"
	case n < all && share > 99.9:
		return "> 99.9 %"
	}
	return fmt.Sprintf("%.3g %%", share)
}

func (p *page) sizes() {
	for _, by := range reportedStats {
		list := p.stats[by]
		if len(list) == 0 {
			continue
		}
		p.printf(`<section><h2>Sizes by %s</h2>
<table><tr><th>%s</th><th></th><th class="number">Count</th><th class="number">Bytes stored</th><th class="number">Bytes decoded</th></tr>`, by, strings.ToUpper(by[:1])+by[1:])
		var most int64
		for _, l := range list {
			most = max(most, l.Stored, l.Logical)
		}
		if len(list) > maxStatLines {
			slices.SortStableFunc(list, func(a, b model.Stat) int { return cmp.Compare(max(b.Stored, b.Logical), max(a.Stored, a.Logical)) })
		}
		for _, l := range list[:p.cut(len(list), maxStatLines, by)] {
			width := 100 * float64(max(l.Stored, l.Logical)) / float64(max(most, 1))
			p.printf(`<tr><td>%s</td><td class="wide"><div class="share" style="width:%.1f%%"></div></td><td class="number">%s</td><td class="number">%s</td><td class="number">%s</td></tr>`,
				cmp.Or(l.Key, "(none)"), width, model.Grouped(l.Count), model.Grouped(l.Stored), model.Grouped(l.Logical))
		}
		p.printf("</table>")
		if more := len(list) - maxStatLines; more > 0 {
			p.printf("<p>… and %s smaller ones</p>", model.Grouped(int64(more)))
		}
		p.printf("</section>")
	}
}

// nodes writes the requested places.
func (p *page) nodes() {
	if len(p.r.Places) == 0 {
		return
	}
	p.printf("<section><h2>Nodes</h2>")
	for _, at := range p.r.Places[:p.cut(len(p.r.Places), maxNodes, "node")] {
		n := &at.Node
		p.printf("<h3><code>%s</code></h3>\n<table class=\"pairs\">", PathText(at.Path()))
		for _, row := range [][2]string{{"Type", n.Type}, {"Value", cmp.Or(p.shown(model.Show(p.ctx, n.Value, maxShown)), n.Brief)}, {"Help", n.Help}} {
			if row[1] != "" {
				p.printf("<tr><th>%s</th><td>%s</td></tr>", row[0], row[1])
			}
		}
		own := n.PrincipalSpans(p.ctx)
		for _, s := range own[:p.cut(len(own), maxSpans, "range")] {
			if s.Source != nil {
				p.printf(`<tr><th>Bytes</th><td><span class="mono">%s</span>, %s of <code>%s</code>`, fmt.Sprintf("%#x (%d)", s.Off, s.Off), model.Counted(s.Len, "byte"), PathText(s.Source.Name()))
				p.excerpt(s)
				p.printf("</td></tr>")
			}
		}
		if more := len(own) - maxSpans; more > 0 {
			p.printf("<tr><th>Bytes</th><td>… and %s more ranges</td></tr>", model.Grouped(int64(more)))
		}
		p.printf("</table>")
	}
	if more := len(p.r.Places) - maxNodes; more > 0 {
		p.printf("<p>… and %s more</p>", model.Grouped(int64(more)))
	}
	p.printf("</section>")
}

// notes writes the user's notes.
func (p *page) notes() {
	if len(p.r.Notes) == 0 {
		return
	}
	p.printf("<section><h2>Notes</h2>\n<table>\n<tr><th>Where</th><th>Note</th><th>Value</th></tr>")
	for _, n := range p.r.Notes {
		value := n.Gone
		if n.Value != nil {
			value = n.Type + " " + model.Show(p.ctx, n.Value, 80)
		}
		p.printf(`<tr><td><code>%s</code></td><td class="lines"><span class="mark %s"></span>%s</td><td>%s</td></tr>`, PathText(n.Where), n.Colour,
			p.lines(strings.Split(n.Text, "\n")), value)
	}
	p.printf("</table>\n</section>")
}
