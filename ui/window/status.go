package window

import (
	"fmt"
	"math"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
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

	row     *fyne.Container
	Where   *widget.Label // the place, or for a while a notice
	place   string
	What    *widget.Label // the format of the file, and what was changed
	Verdict *Verdict
	Work    *fyne.Container
	Doing   *widget.Label
	Bar     *widget.ProgressBar
	Bars    fyne.CanvasObject // the bar in its place
	Cancel  *widget.Button
	task    *task.Task
}

// newStatus makes the bar; toProblem goes to the first problem of the file.
func newStatus(sh *shell.Shell, toProblem func()) *Status {
	s := &Status{shell: sh, Where: widget.NewLabel(""), What: widget.NewLabel(""), Verdict: newVerdict(toProblem), Doing: widget.NewLabel(""),
		Bar: widget.NewProgressBar()}
	s.Where.Truncation = fyne.TextTruncateEllipsis
	s.Where.TextStyle.Monospace = true
	s.Where.SizeName, s.What.SizeName, s.Doing.SizeName = theme.SizeNameCaptionText, theme.SizeNameCaptionText, theme.SizeNameCaptionText
	s.Cancel = widget.NewButtonWithIcon("Stop", theme.CancelIcon(), func() {
		if s.task != nil {
			s.task.Cancel()
		}
	})
	s.Cancel.Importance = widget.LowImportance
	s.Bars = container.NewCenter(container.NewGridWrap(fyne.NewSize(110, 18), s.Bar))
	s.Work = container.NewHBox(s.Doing, s.Bars, s.Cancel)
	s.Work.Hide()
	right := container.NewHBox(s.Work, s.What, kit.Padded(1, 1, 0, 0, s.Verdict.Object))
	s.row = kit.Border(nil, nil, nil, right, s.Where)
	s.Object = kit.NewBacked(theme.ColorNameHeaderBackground, kit.Padded(0, 0, 4, 8, s.row))
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

// showWhat says what the file is, and how sound; "" for no file.
func (s *Status) showWhat(text, sound string, worst fyne.ThemeColorName) {
	if text == s.What.Text && phrase.Capital(sound) == s.Verdict.Text && worst == s.Verdict.Worst {
		return
	}
	s.What.SetText(text)
	s.Verdict.set(sound, worst)
	s.row.Refresh()
}

// A Verdict is a button that says how sound a file is, after a dot in the colour of its worst problem.
type Verdict struct {
	*kit.Button
	Object *fyne.Container // the button in its frame
	Worst  fyne.ThemeColorName
}

var dot = fyne.NewStaticResource("dot.svg", []byte(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><circle cx="12" cy="12" r="6"/></svg>`))

func newVerdict(tap func()) *Verdict {
	v := &Verdict{Button: kit.IconButton(nil, "Go to the first problem", tap)}
	v.Object = container.NewStack(kit.NewPill(), kit.Padded(0, 0, 3, 8, kit.Dense(v.Button)))
	v.Object.Hide()
	return v
}

// set changes the text. "" hides the button.
func (v *Verdict) set(text string, worst fyne.ThemeColorName) {
	if v.Text, v.Worst = phrase.Capital(text), worst; text != "" {
		v.SetIcon(theme.NewColoredResource(dot, worst))
	}
	kit.SetVisible(v.Object, text != "")
}

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
