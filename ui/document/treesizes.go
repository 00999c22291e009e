package document

import (
	"cutaway/model"
	"cutaway/ui/nodes"
	"cutaway/ui/treeview"
)

// columns are those of the trees: with sizes when they are wanted.
func (s *Pane) columns() []treeview.Column {
	columns := nodes.ColumnsFor(s.Doc)
	if s.Store.TreeSizes {
		nodes.ShowSizes(columns)
	}
	return columns
}

// ShowSizes follows the choice of whether trees have columns of sizes.
func (s *Pane) ShowSizes() {
	for _, t := range s.allTrees() {
		t.SetColumns(s.columns())
		t.SetWidths(s.Store.Columns["tree"])
	}
	s.sizes.Store(s.Store.TreeSizes)
	s.measure()
	s.Measured()
}

// measure measures the view that is shown, when its tree has columns for that.
func (s *Pane) measure() {
	if s.Store.TreeSizes && s.view != nil {
		s.Details.Sizes.Want(s.view)
	}
}

// SizesOf is where the bytes of the file went, as far as that is known. It is safe on every goroutine.
func (s *Pane) SizesOf(p *model.Place) (is nodes.Sizes) {
	if s.sizes.Load() {
		is = s.Details.Sizes.Of(p)
		is.Shown = true
	}
	return is
}

// Measured follows the measuring of a view.
func (s *Pane) Measured() {
	for _, t := range s.allTrees() {
		t.Invalidate()
	}
	for name, data := range s.sorted {
		if column, _ := data.Sorting.By(); column >= 0 {
			data.SortAgain(s.trees[name].OpenItems())
		}
	}
}

// Sorted is what the whole tree of a view shows, in its order.
func (s *Pane) Sorted(v *model.View) *nodes.Data {
	s.Tree(v)
	return s.sorted[v.Name]
}
