package card

import (
	"fmt"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/theme"

	"cutaway/model"
	"cutaway/model/profile"
	"cutaway/ui/kit"
	"cutaway/ui/look"
	"cutaway/ui/nodes"
	"cutaway/ui/phrase"
)

// stored shows the place of the node's bytes, their coding, and the bytes that the file does not need.
func (a *about) stored() Part {
	part, root := Part{Title: "Stored"}, a.place.Parent == nil
	if len(a.own) > 0 && a.own[0].Source != nil {
		part.Rows = a.where()
	} else {
		sections := a.sections(a.Doc.Source())
		part.late = func() []Row { return append(a.belowSize(a.place), rootStrip(a.Doc.Source(), sections, root)...) }
	}
	text := a.says.Stored
	at := a.place
	if sum := a.got.sum; sum != nil && sum.Array {
		text, at = text+" "+sum.Coding(), a.got.found.At
	}
	if a.node.Shared {
		text += " Several owners share these bytes."
	}
	whole := a.host.Size(a.place)
	if a.got.found.Array != nil || a.node.IsGroup(a.ctx) && !root && whole.Known && !whole.AtLeast { // what is not measured may be large
		text += " " + profile.Saving(a.ctx, a.Doc, at, whole.Whole)
	}
	if text = strings.Join(strings.Fields(text), " "); text != "" {
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

// where links to the node's bytes and draws a strip of their source.
func (a *about) where() (rows []Row) {
	_, places := nodes.Extent(a.own)
	src, spans := a.own[0].Source, a.own[:places]
	sections := a.sections(src)
	rows = append(rows, Row{Text: fmt.Sprint("bytes ", len(a.own), a.own[0].Off), drawn: func() fyne.CanvasObject { return a.Bytes(a.own) }},
		Row{Text: "strip", drawn: func() fyne.CanvasObject { return newStrip(src, sections, spans) }})
	if !src.Same(a.Doc.Source()) {
		rows = append(rows, Row{Text: "of " + src.Title()})
	}
	if places != len(a.own) || places > 1 {
		rows = append(rows, a.spans("", a.own[:min(len(a.own), fewSpans)])...)
	}
	return rows
}

// Bytes links to the bytes of a node, and says at the right which part of their source they are.
func (d *Pane) Bytes(own []model.Span) fyne.CanvasObject {
	n, places := nodes.Extent(own)
	first := own[0]
	text := fmt.Sprintf("%s at %s", phrase.Bytes(n), phrase.Hex(first.Off))
	if places > 1 {
		text = fmt.Sprintf("%s in %d places", phrase.Bytes(n), places)
	}
	share := profile.Share(float64(n) / float64(max(first.Source.Size(), 1)))
	return shared(kit.NewLink(text, true, func() { d.host.VisitSpan(first) }), share)
}

// shared shows a text, and a share at the right.
func shared(text fyne.CanvasObject, share string) fyne.CanvasObject {
	return kit.Border(nil, nil, nil, kit.NewLine(share, fyne.TextStyle{}, theme.ColorNameForeground, theme.SizeNameText), text)
}

// belowSize says how much of the file a node takes with all below.
func (d *Pane) belowSize(p *model.Place) []Row {
	s := d.host.Size(p)
	text, share := "counting…", ""
	switch {
	case s.Known && s.Whole == 0:
		return nil
	case s.Known:
		text, share = phrase.Bytes(s.Whole), profile.Share(float64(s.Part))
		if s.AtMost {
			text = "at most " + text
		} else if s.AtLeast {
			text = "at least " + text
		}
		if p.Parent != nil {
			text += " in all"
		}
	}
	return []Row{{Text: text + share, drawn: func() fyne.CanvasObject {
		return shared(kit.NewLine(text, fyne.TextStyle{}, theme.ColorNameForeground, theme.SizeNameText), share)
	}}}
}

// sections returns the uppermost parts of a source, the largest first, or none if there are many, or it is of a server.
func (a *about) sections(src *model.Source) []profile.Section {
	const most = 64
	if src == nil || a.Doc.Far() {
		return nil
	}
	list := profile.Sections(a.ctx, a.Doc, src, most+1)
	if len(list) > most {
		return nil
	}
	return list
}

// sectionInk returns the colour of a section, by its place among the largest.
func sectionInk(s *profile.Section, place int) fyne.ThemeColorName {
	if !s.Explained {
		return look.Share
	}
	return look.Section + fyne.ThemeColorName(rune('1'+min(place, 6)))
}

// rootStrip shows the sections of a file with their names, for the root of a view.
func rootStrip(src *model.Source, sections []profile.Section, root bool) []Row {
	if !root || len(sections) < 2 {
		return nil
	}
	return []Row{{Text: "strip", drawn: func() fyne.CanvasObject { return newStrip(src, sections, nil) }},
		{Text: "legend", drawn: func() fyne.CanvasObject { return newLegend(sections) }}}
}
