package ui

import (
	"fyne.io/fyne/v2/theme"

	"cutaway/decoders"
	"cutaway/ui/compare"
	"cutaway/ui/files"
)

// compareWith asks for a file and shows what it and the session's have not in common.
func (s *session) compareWith() {
	if s.file == "" || s.buffer != nil {
		s.TellWords("Only a file can be compared", theme.InfoIcon(), "Save these bytes to a file first, and open that.")
		return
	}
	var opt decoders.OpenOptions
	opt.Options = s.opts
	files.Choose(s.Shell, "Compare "+s.Title()+" with", s.w.lastFolder(), fileKinds(), false, func(path string) {
		compare.Show(s.Shell, s.file, path, opt)
	})
}
