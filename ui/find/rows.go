package find

import (
	"slices"
	"strings"

	"cutaway/model"
	"cutaway/model/search"
	"cutaway/ui/action"
	"cutaway/ui/phrase"
	searchpane "cutaway/ui/search"
)

// Row is a row of the list.
type Row struct {
	Group, Title, Detail string
	from, to             int    // the match in the title
	do                   func() // nil: it cannot be chosen
	stays                bool   // the list stays
	last                 bool   // Enter means it only where there is nothing else
}

var groupTitles = []string{search.GlanceNames: "Names", search.GlanceValues: "Values", search.GlanceElements: "Elements", search.GlanceBytes: "Bytes"}

// offers are the words of queries, and what they mean.
var offers = [][2]string{{"name:", "only names"}, {"type:", "types, such as type:point3*"}, {"value:", "only values"}, {"path:", "paths, such as path:World/Mesh"},
	{"total:>1M", "bytes in the file with all below"}, {"size:>1M", "own bytes"}, {"/leg_[0-9]/", "a regular expression, in bytes too"}, {"10..20", "numbers; among bytes f32:0.5..0.7"},
	{`"one" "two"`, "nodes with both, bytes with either"}, {">", "actions"}}

// shownActions is the number of actions that are listed beside other things.
const shownActions = 5

// rows lists what is found, in groups.
func (f *Field) rows() (all []Row) {
	text := strings.TrimSpace(f.Entry.Text)
	if f.waiting() && !f.late {
		return []Row{{Title: "Looking…"}}
	}
	group := func(title string, rows []Row) {
		if len(rows) > 0 {
			rows[0].Group = title
			all = append(all, rows...)
		}
	}
	if f.glance != nil && !f.onlyActions() {
		for g, title := range groupTitles {
			group(title, f.partRows(search.Group(g)))
		}
	}
	found := slices.ContainsFunc(all, func(r Row) bool { return !r.last })
	if found {
		bytes := f.glance.Asked
		bytes.Scope = searchpane.InAll
		if bytes.Check() == nil {
			title := ""
			if len(f.parts[search.GlanceBytes].Hits) == 0 {
				title = groupTitles[search.GlanceBytes]
			}
			row := f.widerRow(bytes)
			row.last = true
			group(title, []Row{row})
		}
	}
	group("Actions", f.actionRows())
	if f.glance != nil && !found && !f.waiting() {
		group("Wider", f.widerRows())
	}
	group("Query", f.offerRows(text))
	if len(all) == 0 && text != "" {
		all = append(all, Row{Title: "Nothing has these words"})
	}
	return all
}

// partRows lists the hits of a group.
func (f *Field) partRows(of search.Group) (rows []Row) {
	g, pane := f.glance, f.pane
	part := f.parts[of]
	for i := range part.Hits {
		seen := &part.Hits[i]
		q := g.Asked
		if of == search.GlanceBytes {
			q = g.All(of)
		}
		detail := seen.Path
		if detail == "" {
			detail = seen.Source.Title() + " " + phrase.Hex(seen.Off)
		}
		rows = append(rows, Row{Title: seen.Text, Detail: detail, from: seen.From, to: seen.To, do: func() { pane.Take(q, seen) }})
	}
	if count := int64(len(rows)); part.Count > count {
		title := "all " + model.Grouped(part.Count)
		switch {
		case part.More:
			title += "+"
		case !part.Done:
			title += "…"
		}
		rows = append(rows, Row{Title: title, Detail: "in the list below the tree", do: func() { pane.ShowAll(g.All(of)) }})
	}
	if of == search.GlanceElements && g.Query != nil {
		box := "☐"
		if g.Elements {
			box = "☑"
		}
		rows = append(rows, Row{Title: box + " Search the elements of arrays", stays: true, last: true, do: func() {
			q := pane.Want()
			q.Elements = !q.Elements
			pane.Set(q)
			f.look()
		}})
	}
	return rows
}

// actionRows lists the actions that fit: a few, or all where only they are asked for.
func (f *Field) actionRows() (rows []Row) {
	for i, a := range f.Acts {
		if i == shownActions && !f.onlyActions() {
			return append(rows, Row{Title: "all " + model.Grouped(int64(len(f.Acts))), stays: true, do: func() { f.Entry.SetText("> " + strings.TrimSpace(f.Entry.Text)) }})
		}
		rows = append(rows, f.actionRow(a))
	}
	return rows
}

func (f *Field) actionRow(a action.Hit) Row {
	if a.Why != "" {
		return Row{Title: a.Title + "  (" + a.Why + ")", Detail: a.Key}
	}
	return Row{Title: a.Title, Detail: a.Key, do: func() {
		f.Store.Used = a.Use(f.Store.Used)
		f.Save()
		f.Log.Write("action", a.Title)
		f.Entry.SetText("")
		a.Do()
	}}
}

// widerRows offers searches that look further.
func (f *Field) widerRows() (rows []Row) {
	for _, q := range f.glance.Wider() {
		rows = append(rows, f.widerRow(q))
	}
	if f.glance.Wrong != nil && len(rows) == 0 {
		rows = append(rows, Row{Title: f.glance.Wrong.Error()})
	}
	return rows
}

// widerRow offers a search of everything that is not decoded yet, or of all bytes.
func (f *Field) widerRow(q searchpane.Query) Row {
	title := "Search what is not decoded yet, elements too"
	if q.Scope == searchpane.InAll {
		title = "Search the bytes of everything, decompressed too"
	}
	pane := f.pane
	return Row{Title: title, do: func() { pane.ShowAll(q) }}
}

// offerRows offers words of queries that begin with what is typed.
func (f *Field) offerRows(text string) (rows []Row) {
	before := text[:strings.LastIndex(text, " ")+1]
	word := text[len(before):]
	for _, o := range offers {
		if o[0] != word && strings.HasPrefix(o[0], word) && (word != "" || before == "") {
			rows = append(rows, Row{Title: o[0], Detail: o[1], to: len(word), stays: true, last: true, do: func() { f.Open(before + o[0]) }})
		}
	}
	return rows
}
