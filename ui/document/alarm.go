package document

import (
	"fmt"
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"cutaway/model"
	"cutaway/ui/kit"
	"cutaway/ui/phrase"
)

// alarm is the line above the panes that tells of the first error.
type alarm struct {
	shown fyne.CanvasObject // nil: no error is known yet
	text  *widget.Label
}

// raiseAlarm tells of the first error above the panes, until that is closed or something else is told there.
func (s *Pane) raiseAlarm() {
	first, a := s.Details.Problems.FirstError(), &s.alarm
	if first == nil {
		return
	}
	text := "The file is damaged"
	if s.Tried(s.Doc.Source()) != nil {
		text = "With the bytes tried the file is damaged"
	}
	if n := s.Details.Problems.Errors; n > 1 {
		text += fmt.Sprintf(", %s, the first", model.GroupedCount(int64(n), "error"))
	}
	text += ": " + errorText(first)
	switch {
	case a.shown == nil:
		a.text = widget.NewLabel(text)
		a.text.Importance = widget.DangerImportance
		there := widget.NewButton("Go there", func() {
			if first := s.Details.Problems.FirstError(); first != nil {
				s.GoToProblem(*first, true)
			}
		})
		all := widget.NewButton("All problems", s.ShowProblems)
		all.Importance = widget.LowImportance
		s.SetNotice(theme.NewErrorThemedResource(theme.ErrorIcon()), a.text, there, all)
		a.shown = s.Notice.Objects[0]
		s.Log.Write("alarm", first.Rule, first.Path)
	case slices.Contains(s.Notice.Objects, a.shown) && text != a.text.Text:
		a.text.SetText(text)
	}
}

// errorText is what is wrong and where.
func errorText(p *model.LocatedProblem) string {
	text := p.Message
	if p.Span.Source != nil {
		text += " at " + phrase.Hex(p.Span.Off)
	}
	if where := p.Where(); where != "" {
		text += " in " + phrase.Short(where, 80)
	}
	return text
}

// explainEmpty says over a tree that has nothing but its root why that is so.
func (s *Trees) explainEmpty() {
	v := s.view
	if v == nil || len(s.TreeBox.Objects) == 0 {
		return
	}
	text := ""
	if t := s.Tree(v); s.TreeBox.Objects[0] == t && t.Bare() {
		text = s.whyEmpty(v)
	}
	switch {
	case text == "" && len(s.TreeBox.Objects) == 1:
		return
	case text == "":
		s.TreeBox.Objects = s.TreeBox.Objects[:1]
	default:
		s.TreeBox.Objects = []fyne.CanvasObject{s.TreeBox.Objects[0], container.NewVScroll(kit.Centered(kit.Message(text)))}
	}
	s.TreeBox.Refresh()
}

// whyEmpty says why a view has nothing but its root.
func (s *Trees) whyEmpty(v *model.View) string {
	first := s.pane.Details.Problems.FirstError()
	switch {
	case s.Doc.Source() != nil && s.Doc.Source().Size() == 0:
		return "The file is empty."
	case first != nil && v.Name != model.LayoutView:
		return "Nothing of " + v.Title + " could be read, since the file is damaged: " + errorText(first) + ".\nLayout shows what its bytes still are."
	case first != nil:
		return "Nothing could be read: " + errorText(first) + "."
	case s.pane.Details.Problems.Running != nil:
		return "Nothing is in " + v.Title + " so far; the file is being checked."
	case v.Name == model.LayoutView:
		return "Nothing is known of what these bytes are."
	}
	return "The file has nothing for " + v.Title + "."
}
