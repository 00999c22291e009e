package ui

import (
	"fmt"
	"math"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"cutaway/ui/kit"
	"cutaway/ui/phrase"
	"cutaway/ui/task"
)

// statusBar is the bar at the bottom: where we are, what the file is, and what runs.
type statusBar struct {
	object fyne.CanvasObject
	row    *fyne.Container
	where  *widget.Label // the place, or for a while a notice
	place  string
	what   *widget.Label
	sign   fyne.CanvasObject // that there are errors
	work   *fyne.Container
	doing  *widget.Label
	bar    *widget.ProgressBar
	bars   fyne.CanvasObject // the bar in its place
	cancel *widget.Button
	task   *task.Task
}

func newStatusBar() *statusBar {
	s := &statusBar{where: widget.NewLabel(""), what: widget.NewLabel(""), doing: widget.NewLabel(""),
		bar: widget.NewProgressBar()}
	s.where.Truncation = fyne.TextTruncateEllipsis
	s.where.TextStyle.Monospace = true
	s.where.SizeName, s.what.SizeName, s.doing.SizeName = theme.SizeNameCaptionText, theme.SizeNameCaptionText, theme.SizeNameCaptionText
	s.cancel = widget.NewButtonWithIcon("Cancel", theme.CancelIcon(), func() {
		if s.task != nil {
			s.task.Cancel()
		}
	})
	s.cancel.Importance = widget.LowImportance
	s.bars = container.NewCenter(container.NewGridWrap(fyne.NewSize(110, 18), s.bar))
	s.work = container.NewHBox(s.doing, s.bars, s.cancel)
	s.work.Hide()
	s.sign = container.NewCenter(widget.NewIcon(theme.NewErrorThemedResource(theme.ErrorIcon())))
	s.sign.Hide()
	right := container.NewHBox(s.sign, s.what, s.work)
	s.row = kit.Border(nil, nil, nil, right, s.where)
	s.object = kit.NewBacked(theme.ColorNameHeaderBackground, container.New(layout.NewCustomPaddedLayout(0, 0, 4, 4), s.row))
	return s
}

// timeLeft is how long work will take that did done of total in some time; "" where that is not known yet, or is soon over.
func timeLeft(took time.Duration, done, total int64) string {
	const least = 2 * time.Second
	if took < least || done <= 0 || done >= total {
		return ""
	}
	left := time.Duration(float64(took) * float64(total-done) / float64(done))
	switch {
	case left < least:
		return ""
	case left < 100*time.Second:
		return fmt.Sprintf("  ·  %d s left", int(left.Seconds()))
	case left < 100*time.Minute:
		return fmt.Sprintf("  ·  %d min left", int(left.Minutes()))
	}
	return fmt.Sprintf("  ·  %d h left", int(left.Hours()))
}

// show shows the work that runs, or none.
func (s *statusBar) show(r task.State) {
	s.task = r.Task
	if r.Task == nil {
		s.work.Hide()
		return
	}
	text := phrase.Short(r.Text, 60)
	if r.More > 0 {
		text += " (and more)"
	}
	// Each change repaints the window, which takes from the work that is waited for: no animation, and steps of 1 %.
	if r.Total > 0 {
		if done := math.Floor(100*float64(r.Done)/float64(r.Total)) / 100; done != s.bar.Value {
			s.bar.SetValue(done)
		}
		s.bars.Show()
		text += timeLeft(time.Since(r.Task.Started()), r.Done, r.Total)
	} else {
		s.bars.Hide()
		text += fmt.Sprintf("  ·  %d s", int(time.Since(r.Task.Started()).Seconds()))
	}
	if text != s.doing.Text {
		s.doing.SetText(text)
	}
	if !s.work.Visible() {
		s.work.Show()
	}
}
