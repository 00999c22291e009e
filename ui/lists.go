package ui

import (
	"context"

	"cutaway/ui/treeview"
)

// newList makes a list whose column widths are remembered under name.
func (s *session) newList(name string, data treeview.Data, columns []treeview.Column) *treeview.Tree {
	t := treeview.NewList(data, columns)
	s.remember(name, t)
	return t
}

// remember gives a tree or list the widths that its columns had, and keeps them when they change.
func (s *session) remember(name string, t *treeview.Tree) {
	t.SetPost(s.w.post)
	defaults := t.Widths()
	t.SetWidths(s.w.store.Columns[name])
	t.OnColumns = func(widths []float32) {
		for i := range widths {
			if widths[i] == defaults[i] {
				widths[i] = 0 // not the user's choice, and another file may want another width
			}
		}
		s.w.store.Columns[name] = widths
		s.w.save()
	}
	context.AfterFunc(s.ctx, t.Close)
}
