package export

import (
	"cutaway/model"
	"cutaway/model/size"
)

// The treemap of a report, in the units of its picture.
const (
	mapWidth, mapHeight = 1000, 460
	mapHead             = 15  // height of a title
	mapLeast            = 2   // the shortest side of a box
	mapNamed            = 40  // the least width of a box with a name
	mapLetter           = 6.2 // approximate width of a letter
	mapHues             = 8   // number of hues in report.css
	maxBoxes            = 4000
)

// measure computes the sizes of the nodes of the document's first view.
func (p *page) measure() {
	if p.stop == nil && len(p.doc.Views) > 0 {
		p.tree, p.stop = size.Measure(p.ctx, p.doc, p.doc.Views[0], size.Options{Progress: p.r.Progress})
	}
}

// treemap draws the nodes with areas in proportion to their bytes.
func (p *page) treemap() {
	if p.tree == nil || p.tree.Total == 0 {
		return
	}
	p.printf(`<section><h2>Where the bytes went</h2>
<svg class="map" viewBox="0 0 %d %d" role="img" aria-label="treemap of the file">`, mapWidth, mapHeight)
	boxes := size.Boxes(p.tree.Whole(), mapWidth, mapHeight, mapHead, mapLeast)
	for _, b := range boxes[:p.cut(len(boxes), maxBoxes, "rectangle")] {
		if b.Depth > 0 {
			p.box(&b)
		}
	}
	p.printf("</svg>\n<table><tr><th>Largest</th><th>Type</th><th class=\"number\">Bytes</th><th class=\"number\"></th></tr>")
	const listed = 20
	for _, n := range p.tree.Largest(p.tree.Whole(), listed) {
		p.printf(`<tr><td><code>%s</code></td><td>%s</td><td class="number">%s</td><td class="number">%s</td></tr>`,
			PathText(n.Path), n.Type, model.Grouped(n.Own), percentOf(n.Own, p.tree.Total))
	}
	p.printf("</table></section>")
}

func (p *page) box(b *size.Box) {
	class := "free"
	if !b.Node.IsFree() {
		class = "h" + string(rune('0'+b.Node.Hue(mapHues)))
	}
	p.printf(`<g><title>%s: %s, %s</title><rect class="%s" x="%.1f" y="%.1f" width="%.1f" height="%.1f"/>`,
		PathText(b.Node.Path), model.GroupedCount(b.Node.Stored, "byte"), percentOf(b.Node.Stored, p.tree.Total), class, b.X, b.Y, b.W, b.H)
	if room := int((b.W - 6) / mapLetter); b.W >= mapNamed && b.H >= mapHead && room > 2 {
		name := []rune(PathText(b.Node.Name))
		if len(name) > room {
			name = append(name[:room-1], '…')
		}
		p.printf(`<text x="%.1f" y="%.1f">%s</text>`, b.X+4, b.Y+mapHead-4, string(name))
	}
	p.printf("</g>")
}
