package ui

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
)

// statusBar is the bar at the bottom: where we are, what the file is, and what runs.
type statusBar struct {
	object fyne.CanvasObject
	where  *widget.Label
	what   *widget.Label
	work   *fyne.Container
	doing  *widget.Label
	bar    *widget.ProgressBar
	busy   *widget.ProgressBarInfinite
	cancel *widget.Button
	job    *job
}

func newStatusBar() *statusBar {
	s := &statusBar{where: widget.NewLabel(""), what: widget.NewLabel(""), doing: widget.NewLabel(""),
		bar: widget.NewProgressBar(), busy: widget.NewProgressBarInfinite()}
	s.where.Truncation = fyne.TextTruncateEllipsis
	s.where.TextStyle.Monospace = true
	s.where.SizeName, s.what.SizeName, s.doing.SizeName = theme.SizeNameCaptionText, theme.SizeNameCaptionText, theme.SizeNameCaptionText
	s.busy.Stop()
	s.cancel = widget.NewButtonWithIcon("Cancel", theme.CancelIcon(), func() {
		if s.job != nil {
			s.job.cancel()
		}
	})
	s.cancel.Importance = widget.LowImportance
	bars := container.NewGridWrap(fyne.NewSize(110, 18), container.NewStack(s.bar, s.busy))
	s.work = container.NewHBox(s.doing, container.NewCenter(bars), s.cancel)
	s.work.Hide()
	right := container.NewHBox(s.what, s.work)
	row := container.NewBorder(nil, nil, nil, right, s.where)
	s.object = newBacked(theme.ColorNameHeaderBackground, container.New(layout.NewCustomPaddedLayout(0, 0, 4, 4), row))
	return s
}

// show shows the work that runs, or none.
func (s *statusBar) show(r running) {
	s.job = r.job
	if r.job == nil {
		s.busy.Stop()
		s.work.Hide()
		return
	}
	text := r.text
	if runes := []rune(text); len(runes) > 60 {
		text = string(runes[:40]) + "…" + string(runes[len(runes)-19:])
	}
	if r.more > 0 {
		text += " (and more)"
	}
	s.doing.SetText(text)
	if r.total > 0 {
		s.busy.Stop()
		s.busy.Hide()
		s.bar.Show()
		s.bar.SetValue(float64(r.done) / float64(r.total))
	} else {
		s.bar.Hide()
		s.busy.Show()
		s.busy.Start()
	}
	s.work.Show()
}
