package cli

import (
	"fmt"
	"strings"

	"cutaway/model"
	"cutaway/model/export"
	sizes "cutaway/model/size"
)

// sizes prints how many bytes each node of a view takes.
func (v *statsVerb) sizes(s *session, d *opened) error {
	view, err := v.view(d)
	if err != nil {
		return err
	}
	opt := sizes.Options{Least: int64(v.Least), Progress: s.progress()}
	if v.JSON {
		opt.Each = func(path string, n *sizes.Node) error { return s.object(sizeObject(path, n.Size)) }
	}
	t, err := sizes.Measure(s.ctx, d.Document, view, opt)
	if err != nil {
		return err
	}
	s.meter.clear()
	if !v.JSON {
		return printSizes(s, t, int64(v.Least))
	}
	for _, p := range t.Free {
		o := append(sizeObject(p.Path, sizes.Size{Own: p.Size, Stored: p.Size, Logical: p.Size}), model.Member{Key: "role", Value: model.Text(p.Role.String())})
		if err := s.object(o); err != nil {
			return err
		}
	}
	return nil
}

func sizeObject(path string, n sizes.Size) model.Object {
	return model.Object{{Key: "path", Value: export.JSONPath(path)}, {Key: "own", Value: model.Int(n.Own)},
		{Key: "stored", Value: model.Int(n.Stored)}, {Key: "logical", Value: model.Int(n.Logical)}}
}

const (
	shownSizes = 200 // lines of text at most
	shownPart  = 500 // a node is printed that has one part of so many
)

// printSizes prints the largest nodes as an indented table, of at least so many bytes where that is not 0, and what none of
// them has.
func printSizes(s *session, t *sizes.Tree, least int64) error {
	table := textTable{head: []string{"node", "own", "stored", "%", "logical"}, right: numbers(4)}
	if least == 0 {
		least = max(t.Total/shownPart, 1)
	}
	var add func(n *sizes.Node, depth int)
	add = func(n *sizes.Node, depth int) {
		if len(table.rows) >= shownSizes || depth > 0 && n.Stored < least {
			return
		}
		name := n.Name
		if depth == 0 {
			name = n.Path
		}
		table.add(strings.Repeat("  ", depth)+oneLine(s.ctx, name), model.Grouped(n.Own), model.Grouped(n.Stored), percentOf(n.Stored, t.Total), model.Grouped(n.Logical))
		for _, c := range n.Children {
			add(c, depth+1)
		}
	}
	add(t.Root, 0)
	for _, p := range t.Free {
		name := "(" + export.PathText(p.Path)
		if p.Role != model.Explained {
			name += ", " + p.Role.String()
		}
		table.add(name+")", model.Grouped(p.Size), model.Grouped(p.Size), percentOf(p.Size, t.Total), model.Grouped(p.Size))
	}
	table.add("total", "", model.Grouped(t.Total), "", "")
	table.write(s)
	return nil
}

func percentOf(n, all int64) string { return fmt.Sprintf("%.1f", 100*float64(n)/float64(max(all, 1))) }

// view is the view that --view names, or the format's first.
func (v *statsVerb) view(d *opened) (*model.View, error) {
	if v.View == "" {
		return d.Views[0], nil
	}
	if view := d.View(v.View); view != nil {
		return view, nil
	}
	return nil, d.noView(v.View)
}

// savings prints what the file could do without.
func (v *statsVerb) savings(s *session, d *opened) error {
	view, err := v.view(d)
	if err != nil {
		return err
	}
	list, err := sizes.Savings(s.ctx, d.Document, view, s.progress())
	s.meter.clear()
	for i := range list {
		one := &list[i]
		if v.JSON {
			paths := make(model.Seq, len(one.Paths))
			for k, path := range one.Paths {
				paths[k] = export.JSONPath(path)
			}
			o := model.Object{{Key: "saving", Value: model.Text(one.Kind)}, {Key: "bytes", Value: model.Int(one.Bytes)},
				{Key: "count", Value: model.Int(one.Count)}, {Key: "text", Value: model.Text(one.Text)}, {Key: "paths", Value: paths}}
			if err := s.object(o); err != nil {
				return err
			}
			continue
		}
		fmt.Fprintf(s.out, "%s  %s\n", s.style.Strong(fill(one.Kind+": "+model.Grouped(one.Bytes)+" bytes", 32)), oneLine(s.ctx, one.Text))
		for _, path := range one.Paths {
			fmt.Fprintf(s.out, "    %s\n", oneLine(s.ctx, export.PathText(path)))
		}
		if more := one.Count - int64(len(one.Paths)); more > 0 && one.Kind != sizes.NeverChanges {
			fmt.Fprintf(s.out, "    and %s more\n", model.Grouped(more))
		}
	}
	if len(list) == 0 && err == nil && !v.JSON {
		fmt.Fprintln(s.out, "nothing to be saved was found")
	}
	return err
}
