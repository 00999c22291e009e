package ui

import (
	"context"

	"cutaway/ui/treeview"
)

// newList makes a list whose column widths are remembered under name, and which is closed when ctx ends.
func (s *session) newList(ctx context.Context, name string, data treeview.Data, columns []treeview.Column) *treeview.Tree {
	t := treeview.NewList(data, columns)
	s.remember(ctx, name, t)
	return t
}

// remember gives a tree or list the widths that its columns had, and keeps them when they change. It closes it when ctx
// ends: that of what shows it, which must let go of it before the file is closed.
func (s *session) remember(ctx context.Context, name string, t *treeview.Tree) {
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
	context.AfterFunc(ctx, t.Close)
}
