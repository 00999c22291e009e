package window

import (
	"fmt"
	"math"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"cutaway/ui/kit"
	"cutaway/ui/phrase"
	"cutaway/ui/shell"
	"cutaway/ui/task"
)

// Status is the bar at the bottom: where we are, what the file is, and what runs.
type Status struct {
	shell  *shell.Shell
	Object fyne.CanvasObject
	row    *fyne.Container
	Where  *widget.Label // the place, or for a while a notice
	place  string
	What   *verdict
	Sign   fyne.CanvasObject // that there are errors
	Work   *fyne.Container
	Doing  *widget.Label
	Bar    *widget.ProgressBar
	Bars   fyne.CanvasObject // the bar in its place
	Cancel *widget.Button
	task   *task.Task
}

// newStatus makes the bar; toProblem goes to the first problem of the file.
func newStatus(sh *shell.Shell, toProblem func()) *Status {
	s := &Status{shell: sh, Where: widget.NewLabel(""), What: newVerdict(toProblem), Doing: widget.NewLabel(""),
		Bar: widget.NewProgressBar()}
	s.Where.Truncation = fyne.TextTruncateEllipsis
	s.Where.TextStyle.Monospace = true
	s.Where.SizeName, s.What.SizeName, s.Doing.SizeName = theme.SizeNameCaptionText, theme.SizeNameCaptionText, theme.SizeNameCaptionText
	s.Cancel = widget.NewButtonWithIcon("Cancel", theme.CancelIcon(), func() {
		if s.task != nil {
			s.task.Cancel()
		}
	})
	s.Cancel.Importance = widget.LowImportance
	s.Bars = container.NewCenter(container.NewGridWrap(fyne.NewSize(110, 18), s.Bar))
	s.Work = container.NewHBox(s.Doing, s.Bars, s.Cancel)
	s.Work.Hide()
	s.Sign = container.NewCenter(widget.NewIcon(theme.NewErrorThemedResource(theme.ErrorIcon())))
	s.Sign.Hide()
	right := container.NewHBox(s.Sign, s.What, s.Work)
	s.row = kit.Border(nil, nil, nil, right, s.Where)
	s.Object = kit.NewBacked(theme.ColorNameHeaderBackground, kit.Padded(0, 0, 4, 4, s.row))
	return s
}

// timeLeft returns the time that work still takes, which did done of total in took, or "" where that is unknown or short.
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

// showWork shows the work that runs, or none.
func (s *Status) showWork(r task.State) {
	s.task = r.Task
	if r.Task == nil {
		s.Work.Hide()
		return
	}
	text := phrase.Short(r.Text, 60)
	if r.More > 0 {
		text += " (and more)"
	}
	// Each change repaints the window, which takes from the work that is waited for: no animation, and steps of 1 %.
	if r.Total > 0 {
		if done := math.Floor(100*float64(r.Done)/float64(r.Total)) / 100; done != s.Bar.Value {
			s.Bar.SetValue(done)
		}
		s.Bars.Show()
		text += timeLeft(time.Since(r.Task.Started()), r.Done, r.Total)
	} else {
		s.Bars.Hide()
		text += fmt.Sprintf("  ·  %d s", int(time.Since(r.Task.Started()).Seconds()))
	}
	if text != s.Doing.Text {
		s.Doing.SetText(text)
	}
	if !s.Work.Visible() {
		s.Work.Show()
	}
}

// showWhat says what the file is, and how sound.
func (s *Status) showWhat(text string, bad bool) {
	s.What.Importance = widget.MediumImportance
	if bad {
		s.What.Importance = widget.DangerImportance
	}
	s.What.SetText(text)
	if bad != s.Sign.Visible() {
		kit.SetVisible(s.Sign, bad)
		s.row.Refresh()
	}
}

// A verdict says what the file is and how sound; a click goes to the first problem.
type verdict struct {
	widget.Label
	tap func()
}

func newVerdict(tap func()) *verdict {
	v := &verdict{tap: tap}
	v.ExtendBaseWidget(v)
	return v
}

// Tapped goes to the first problem.
func (v *verdict) Tapped(*fyne.PointEvent) { v.tap() }

// Cursor is that of a link.
func (v *verdict) Cursor() desktop.Cursor { return desktop.PointerCursor }

// showWhere says where the user is.
func (s *Status) showWhere(place string) {
	s.place = place
	s.Where.SetText(place)
}

// NoticeStays is the time that a notice hides the place.
const NoticeStays = 8 * time.Second

// notify says something for a while where the place stands.
func (s *Status) notify(text string) {
	s.Where.SetText(text)
	time.AfterFunc(NoticeStays, func() {
		s.shell.Post(func() {
			if s.Where.Text == text {
				s.Where.SetText(s.place)
			}
		})
	})
}
