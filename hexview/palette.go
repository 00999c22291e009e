package hexview

import "image/color"

// Colors is the colours that the view paints with, for legends, and for tests that look at pixels. Text on every fill
// has a contrast of 4.5 at least.
type Colors struct {
	Background     color.RGBA
	Even, Odd      color.RGBA // fills of fields, alternating
	Hover          color.RGBA // fill of what the pointer is over
	Selected       color.RGBA // fill of the selected node's bytes
	Picked         color.RGBA // fill of bytes selected by hand
	Parent         color.RGBA // outline of the parent's bytes
	Mapped         color.RGBA // dotted line below mapped bytes
	Error, Warning color.RGBA // underlines of problems
	Note           color.RGBA
	Cursor         color.RGBA // box around the cursor's byte
}
