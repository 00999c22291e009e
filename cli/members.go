package cli

import (
	"strings"

	"cutaway/decoders"
	"cutaway/model"
	"cutaway/model/export"
	"cutaway/model/search"
)

// inTree searches the tree at start. Where the command line names no node, a package's other members are searched too.
func (v *searchVerb) inTree(h *hits, start *model.Place, q *search.Query) error {
	below := func(doc *model.Document, at *model.Place) error {
		opt := search.TreeOptions{Elements: v.Elements, Derived: true, Resolve: true, Progress: h.s.progress()}
		q, err := q.Measured(h.s.ctx, doc, at, opt.Progress)
		if err == nil {
			_, err = search.Tree(h.s.ctx, at, q, opt, h.node)
		}
		return err
	}
	err := below(h.doc.Document, start)
	t := h.doc.target
	if err != nil || t.Path != "" || t.Offset >= 0 || v.View == model.LayoutView || len(h.doc.Members) == 0 {
		return err
	}
	m := members{h: h, view: v.View, below: below}
	if err := h.doc.EachMember(h.s.ctx, m.search); err != nil {
		return err
	}
	h.member = ""
	if h.file == "" { // of many files it would be too much
		m.report()
	}
	return nil
}

// members searches the members of a package.
type members struct {
	h        *hits
	view     string // of each; empty means the first
	below    func(doc *model.Document, at *model.Place) error
	searched []string
	bare     []string // without a tree
}

// search searches a member, if it could be opened.
func (m *members) search(full string, doc *model.Document, err error) error {
	if err != nil {
		m.bare = append(m.bare, full)
		return nil
	}
	view := doc.Views[0]
	if m.view != "" {
		view = doc.View(m.view)
	}
	switch {
	case doc.Format == decoders.PlainBytes || view == nil:
		m.bare = append(m.bare, full)
	case view.Name == model.LayoutView: // a package without a first layer holds only its members
	default:
		m.searched = append(m.searched, full)
		m.h.member = full
		return m.below(doc, view.Place(m.h.s.ctx))
	}
	return nil
}

// report prints on standard error which members were searched besides the first layer.
func (m *members) report() {
	say := func(names []string, what string) {
		const most = 4
		if len(names) == 0 {
			return
		}
		more := ""
		if len(names) > most {
			names, more = names[:most], ", …"
		}
		m.h.s.say("%s: %s%s", what, export.PathText(strings.Join(names, ", ")), more)
	}
	say(m.searched, "searched "+model.GroupedCount(int64(len(m.searched)), "other member"))
	say(m.bare, model.GroupedCount(int64(len(m.bare)), "member")+" without a tree, for --in bytes")
}
