package document

import (
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"cutaway/decoders"
	"cutaway/model"
	"cutaway/ui/kit"
	"cutaway/ui/look"
	"cutaway/ui/phrase"
)

// An alarm is the notice above the panes with the first error, or with a limit that left a part of the file out.
type alarm struct {
	shown fyne.CanvasObject // or nil before there is one
	head  *widget.Label
	text  *widget.Label
}

// raiseAlarm shows the first error or limit above the panes, until the user closes it or another notice takes its place.
func (s *Pane) raiseAlarm() {
	head, text, first := s.alarmText()
	if first == nil {
		return
	}
	switch a := &s.alarm; {
	case a.shown == nil:
		a.head, a.text = widget.NewLabel(head), widget.NewLabel(text)
		a.text.Wrapping, a.head.TextStyle.Bold = fyne.TextWrapWord, true
		icon, ground := fyne.Resource(theme.NewErrorThemedResource(theme.ErrorIcon())), look.Wrong
		if a.head.Importance = widget.DangerImportance; first.Kind == model.Limit {
			a.head.Importance, icon, ground = widget.WarningImportance, theme.NewWarningThemedResource(theme.WarningIcon()), theme.ColorNameHeaderBackground
		}
		there := widget.NewButton("Go there", func() {
			if _, _, first := s.alarmText(); first != nil {
				s.Nav.GoToProblem(*first, true)
			}
		})
		all := widget.NewButton("All problems", func() { s.Lists.ShowForKeys(ListProblems) })
		all.Importance = widget.LowImportance
		s.setNotice(ground, icon, kit.Border(nil, nil, a.head, nil, a.text), there, all)
		a.shown = s.Notice.Objects[0]
		s.Log.Write("alarm", first.Rule, first.Path)
	case slices.Contains(s.Notice.Objects, a.shown) && (head != a.head.Text || text != a.text.Text):
		a.head.SetText(head)
		a.text.SetText(text)
		s.Object.Refresh() // it may have more lines
	}
}

// alarmText returns the place and the text of the alarm, and its problem, or nil if the document has no error and met no limit.
func (s *Pane) alarmText() (head, text string, first *model.LocatedProblem) {
	found := s.Lists.Problems
	if first = found.FirstError(); first == nil {
		if first = found.FirstLimit(); first == nil {
			return "", "", nil
		}
		return "Not all of this file was read" + offsetText(first) + ".", alarmSentence(first) + " More is read by Edit › Settings › Limits.", first
	}
	head = "Damaged"
	if s.editor.Tried(s.Doc.Source()) != nil {
		head = "Damaged with the bytes tried"
	}
	text = alarmSentence(first)
	if found.Errors > 1 {
		text += " " + model.GroupedCount(int64(found.Errors), "error") + " in all."
	}
	return head + offsetText(first) + ".", text, first
}

// alarmSentence returns the message of a problem as a sentence.
func alarmSentence(p *model.LocatedProblem) string {
	return phrase.Capital(strings.TrimSuffix(p.Message, ".")) + "."
}

// offsetText returns " at 0x10", or "" if the problem has no place.
func offsetText(p *model.LocatedProblem) string {
	if p.Span.Source == nil {
		return ""
	}
	return " at " + phrase.Hex(p.Span.Off)
}

// errorText returns the place and message of a problem: " at 0x10 in layout/toc: it is cut off".
func errorText(p *model.LocatedProblem) string {
	text := offsetText(p)
	if where := p.Where(); where != "" {
		text += " in " + phrase.Short(where, 80)
	}
	return text + ": " + p.Message
}

// explainEmpty says over a tree that has nothing but its root why it is empty.
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
	first := s.pane.Lists.Problems.FirstError()
	switch {
	case s.Doc.Source() != nil && s.Doc.Source().Size() == 0:
		return "The file is empty."
	case first != nil && v.Name != model.LayoutView:
		return "Nothing of " + v.Title + " could be read, since the file is damaged" + errorText(first) + ".\nLayout shows what its bytes still are."
	case first != nil:
		return "Nothing could be read, since the file is damaged" + errorText(first) + "."
	case s.pane.Lists.Problems.Running != nil:
		return "Nothing is in " + v.Title + " so far; the file is being checked."
	case v.Name == model.LayoutView && s.Doc.Refused != nil:
		return whyRefused(&s.Doc.Refused.Cause)
	case v.Name == model.LayoutView:
		return "None of the known formats reads these bytes. A description of yours can: View › Format › New description…"
	}
	return "The file has nothing for " + v.Title + "."
}

// whyRefused says why no format fits, and what helps.
func whyRefused(c *model.Cause) string {
	switch f := decoders.ByName(c.Format); {
	case c.Hint != "":
		return phrase.Capital(c.Text) + ".\nWhat helps: " + c.Hint
	case f != nil:
		return phrase.Capital(c.Text) + ".\nView › Format › Open as… takes it for " + f.Title + " all the same."
	}
	return phrase.Capital(c.Text) + ".\nA description of yours can read it: View › Format › New description…"
}

// GoToFirstProblem selects the first problem that is known, errors before others, or shows the list where none is.
func (s *Pane) GoToFirstProblem() {
	_, _, first := s.alarmText()
	if found := s.Lists.Problems.Found; first == nil && len(found) > 0 {
		first = &found[0]
	}
	if first != nil {
		s.Nav.GoToProblem(*first, true)
	} else {
		s.Lists.ShowForKeys(ListProblems)
	}
}
