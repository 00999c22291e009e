package card

import (
	"fmt"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/theme"

	"cutaway/model"
	"cutaway/model/profile"
	"cutaway/model/size"
	"cutaway/ui/cards"
	"cutaway/ui/kit"
	"cutaway/ui/look"
	"cutaway/ui/nodes"
	"cutaway/ui/phrase"
)

// stored says where the node's bytes are, how they are coded, and what of them the file could do without.
func (a *about) stored() Part {
	part, root := Part{Title: "Stored"}, a.place.Parent == nil
	if len(a.own) > 0 && a.own[0].Source != nil {
		part.Rows = a.where()
	} else {
		sections := profile.Sections(a.ctx, a.Doc, a.Doc.Source())
		part.late = func() []Row { return append(a.belowSize(a.place), rootStrip(a.Doc.Source(), sections, root)...) }
	}
	text := a.says.Stored
	if sum := a.got.sum; sum != nil && sum.array && sum.column != nil {
		text += " " + cards.Stored(sum.column, sum.size)
	}
	if a.node.Shared {
		text += " Several owners share these bytes."
	}
	if text = strings.TrimSpace(text + a.saving()); text != "" {
		part.Rows = append(part.Rows, Row{Text: text})
	}
	row := Row{Label: "opens as"}
	for k, der := range a.node.Derived {
		path := a.place.Path() + "@" + model.EscapeSegment(der.Name)
		text := der.Title
		if der.Codec != "" {
			text += " (" + der.Codec + ")"
		}
		row.Links = append(row.Links, Link{text, func() { a.host.GoTo(path) }}, Link{"in a tab of its own", func() { a.host.OpenDerived(a.place, k) }})
	}
	if len(row.Links) > 0 {
		part.Rows = append(part.Rows, row)
	}
	return part
}

// saving says in a sentence what the file could do without of the node and those below, if that is soon known.
func (a *about) saving() string {
	const readAtOnce = 4 << 20
	at := a.place
	if a.got.found.Array != nil {
		at = a.got.found.At
	} else if !a.node.IsGroup(a.ctx) || a.place.Parent == nil {
		return ""
	}
	whole := a.host.Size(a.place)
	if a.Doc.Far() || whole.AtLeast || max(whole.Whole, size.Of(&at.Node).Stored) > readAtOnce {
		return ""
	}
	bytes, err := size.SavingBelow(a.ctx, a.Doc, at)
	if err != nil || bytes == 0 {
		return ""
	}
	return " It could be about " + phrase.Bytes(bytes) + " less."
}

// where links to the node's bytes, with their share of the file and a strip of it.
func (a *about) where() (rows []Row) {
	n, places := nodes.Extent(a.own)
	first := a.own[0]
	text := fmt.Sprintf("%s at %s", phrase.Bytes(n), phrase.Hex(first.Off))
	if places > 1 {
		text = fmt.Sprintf("%s in %d places, first at %s", phrase.Bytes(n), places, phrase.Hex(first.Off))
	}
	share := ""
	if src := first.Source; src.Size() > 0 {
		share = shareText(float64(n)/float64(src.Size()), map[bool]string{true: "the file", false: src.Title()}[src.Same(a.Doc.Source())])
	}
	rows = append(rows, shareRow(text, share, func() fyne.CanvasObject { return kit.NewLink(text, true, func() { a.host.VisitSpan(first) }) }))
	sections, spans := profile.Sections(a.ctx, a.Doc, first.Source), a.own[:places]
	rows = append(rows, Row{Text: "strip", drawn: func() fyne.CanvasObject { return newStrip(first.Source, sections, spans) }})
	if places != len(a.own) || places > 1 {
		rows = append(rows, a.spans("", a.own[:min(len(a.own), fewSpans)])...)
	}
	return rows
}

// shareText is a part of something in percent.
func shareText(part float64, of string) string {
	switch percent := 100 * part; {
	case percent < 0.01:
		return "under 0.01 % of " + of
	case percent < 10:
		return fmt.Sprintf("%.2g %% of %s", percent, of)
	default:
		return fmt.Sprintf("%.3g %% of %s", percent, of)
	}
}

// belowSize says how much of the file a node takes with all below.
func (d *Pane) belowSize(p *model.Place) []Row {
	s := d.host.Size(p)
	text, share := "counting…", ""
	switch {
	case s.Known && s.Whole == 0:
		return nil
	case s.Known:
		text, share = phrase.Bytes(s.Whole), shareText(float64(s.Part), "the file")
		if s.AtMost {
			text = "at most " + text
		} else if s.AtLeast {
			text = "at least " + text
		}
		if p.Parent != nil {
			text += " in all"
		}
	}
	return []Row{shareRow(text, share, func() fyne.CanvasObject {
		return kit.NewLine(text, fyne.TextStyle{}, theme.ColorNameForeground, theme.SizeNameText)
	})}
}

// sectionInk returns the colour of a section, by its place among the largest.
func sectionInk(s *profile.Section, place int) fyne.ThemeColorName {
	if !s.Explained {
		return look.Share
	}
	return look.Sections[place%len(look.Sections)]
}

// rootStrip shows the sections of a file with their names, for the root of a view.
func rootStrip(src *model.Source, sections []profile.Section, root bool) []Row {
	if !root || len(sections) < 2 {
		return nil
	}
	return []Row{{Text: "strip", drawn: func() fyne.CanvasObject { return newStrip(src, sections, nil) }},
		{Text: "legend", drawn: func() fyne.CanvasObject { return newLegend(sections) }}}
}
