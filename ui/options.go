package ui

import (
	"context"
	"fmt"
	"maps"
	"strconv"
	"unicode/utf8"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"cutaway/model"
	"cutaway/ui/document"
	"cutaway/ui/kit"
	"cutaway/ui/shell"
)

// showOptions offers the settings that the document's format has for it, each with its help.
func (s *session) showOptions() {
	chosen := make(map[string]string)
	form := widget.NewForm()
	for _, o := range s.Doc.Options {
		w := s.w.optionWidget(o, false, func(v string) { chosen[o.Name] = v })
		form.AppendItem(&widget.FormItem{Text: o.Title, HintText: o.Help, Widget: w})
	}
	s.ShowModal("Options of "+s.Title(), nil, form, 560, shell.Button{Text: "Cancel"}, shell.Button{Text: "Apply", Main: true, Act: func() bool {
		if err := validOptions(s.Doc.Options, chosen); err != nil {
			s.Tell("options", err)
			return false
		}
		s.setOptions(chosen)
		return true
	}})
}

// optionBar is the document's settings in a row above its panes, where each acts at once; nil where it has none.
func (s *session) optionBar(doc *model.Document) fyne.CanvasObject {
	if len(doc.Options) == 0 || doc.SetOption == nil {
		return nil
	}
	row := container.NewHBox()
	s.optionKeys = make(map[string]fyne.Focusable)
	for _, o := range doc.Options {
		label := widget.NewLabel(o.Title)
		label.Importance = widget.LowImportance
		w := s.w.optionWidget(o, true, func(v string) {
			if err := validOptions(s.Doc.Options, map[string]string{o.Name: v}); err != nil {
				s.Tell("options", err)
				return
			}
			s.setOptions(map[string]string{o.Name: v})
		})
		if key := firstFocusable(w); key != nil {
			s.optionKeys[o.Name] = key
		}
		row.Add(label)
		row.Add(kit.AtLeast(optionWidth, w))
	}
	row.Add(layout.NewSpacer())
	row.Add(kit.IconButton(theme.QuestionIcon(), s.showOptions))
	return kit.NewBacked(theme.ColorNameHeaderBackground, container.New(layout.NewCustomPaddedLayout(2, 2, 4, 4), row))
}

// optionWidth is the room of one option in the bar.
const optionWidth = 260

// firstFocusable is the first widget in o that takes the keyboard, or nil.
func firstFocusable(o fyne.CanvasObject) fyne.Focusable {
	if f, ok := o.(fyne.Focusable); ok {
		return f
	}
	if c, ok := o.(*fyne.Container); ok {
		for _, in := range c.Objects {
			if f := firstFocusable(in); f != nil {
				return f
			}
		}
	}
	return nil
}

// optionWidget draws an option of any kind. A live one tells of a value only when it is whole: a slider is let go,
// Enter pressed.
func (w *Window) optionWidget(o model.Option, live bool, set func(value string)) fyne.CanvasObject {
	switch o.Kind {
	case model.Choice:
		c := widget.NewSelect(o.Choices, nil)
		c.SetSelected(o.Value)
		c.OnChanged = set
		return c
	case model.Switch:
		c := widget.NewCheck("", nil)
		c.SetChecked(o.Value == "true")
		c.OnChanged = func(on bool) { set(strconv.FormatBool(on)) }
		return c
	case model.Number:
		return numberWidget(o, live, set)
	default:
		return w.fileWidget(o, live, set)
	}
}

// maxSlider is the longest range that a slider is for; a longer one is typed.
const maxSlider = 10_000

// numberWidget is a slider with its value, or a field where the range is too long for one.
func numberWidget(o model.Option, live bool, set func(value string)) fyne.CanvasObject {
	if o.Max-o.Min > maxSlider || o.Max <= o.Min {
		e := widget.NewEntry()
		e.SetText(o.Value)
		e.SetPlaceHolder(fmt.Sprintf("%d … %d", o.Min, o.Max))
		tellOf(e, live, set)
		return e
	}
	s := widget.NewSlider(float64(o.Min), float64(o.Max))
	s.Step = 1
	text := func(v int64) string { return fmt.Sprintf("%*d of %d", len(fmt.Sprint(o.Max)), v, o.Max) }
	now, err := strconv.ParseInt(o.Value, 10, 64)
	if err != nil {
		now = o.Max
	}
	s.Value = float64(now)
	label := widget.NewLabel(text(now))
	label.TextStyle.Monospace = true
	s.OnChanged = func(v float64) { label.SetText(text(int64(v))) }
	s.OnChangeEnded = func(v float64) { set(strconv.FormatInt(int64(v), 10)) }
	return container.NewBorder(nil, nil, nil, label, s)
}

// tellOf tells of what is typed in a field, as optionWidget says.
func tellOf(e *widget.Entry, live bool, set func(value string)) {
	if live {
		e.OnSubmitted = set
	} else {
		e.OnChanged = set
	}
}

// fileWidget is a field for a path, with a button that asks for a file.
func (w *Window) fileWidget(o model.Option, live bool, set func(value string)) fyne.CanvasObject {
	e := widget.NewEntry()
	e.SetText(o.Value)
	e.CursorColumn = utf8.RuneCountInString(o.Value) // the file's name is at the end
	e.SetPlaceHolder("automatic")
	tellOf(e, live, set)
	choose := kit.IconButton(theme.FolderOpenIcon(), func() {
		w.choose("Choose a file: "+o.Title, o.Choices, false, func(path string) {
			e.SetText(path)
			if live {
				set(path)
			}
		})
	})
	return container.NewBorder(nil, nil, nil, choose, e)
}

// chooseOption asks for the file that an option is to be.
func (s *session) chooseOption(o model.Option) {
	s.w.choose("Choose a file: "+o.Title, o.Choices, false, func(path string) { s.setOptions(map[string]string{o.Name: path}) })
}

// validOptions checks the numbers.
func validOptions(options []model.Option, chosen map[string]string) error {
	for _, o := range options {
		v, changed := chosen[o.Name]
		if o.Kind != model.Number || !changed {
			continue
		}
		n, err := strconv.ParseInt(v, 10, 64)
		if err != nil || n < o.Min || n > o.Max {
			return fmt.Errorf("%s is a number from %d to %d, not %q", o.Title, o.Min, o.Max, v)
		}
	}
	return nil
}

// setOptions changes options of the document in the background and shows it as it is then, at the same node. A newer
// change ends an older one that is under way.
func (s *session) setOptions(chosen map[string]string) {
	if len(chosen) == 0 {
		return
	}
	doc := s.Doc
	s.tasks.Try(s.setting.Next(s.ctx), "applying options", func(ctx context.Context, _ model.Progress) (func(), error) {
		fresh := doc
		for name, value := range chosen {
			next, err := fresh.SetOption(ctx, name, value)
			if err != nil {
				return nil, err
			}
			fresh = next
		}
		return func() { s.changeTo(fresh, chosen) }, nil
	})
}

// changeTo shows the document that changed options made, as the one before it was shown.
func (s *session) changeTo(fresh *model.Document, chosen map[string]string) {
	options := maps.Clone(s.opts.Options)
	if options == nil {
		options = make(map[string]string)
	}
	maps.Copy(options, chosen)
	s.opts.Options = options // a reload keeps them
	path, view, tab := "", s.View().Name, s.Details.Front
	if s.Current() != nil {
		path = s.Current().Path()
	}
	focused := s.focusedOption()
	s.keepDividers()
	s.showDocument(fresh, nil)
	s.w.updateControls()
	s.w.updateTabs()
	s.w.showWhat()
	if v := fresh.View(view); v != nil && v != s.View() {
		s.ShowView(v, true)
	}
	if tab < document.FixedTabs {
		s.Details.Choose(tab)
	}
	if key := s.optionKeys[focused]; key != nil {
		s.Focus(key)
	}
	if path != "" {
		s.GoToAgain(path)
	}
}

// focusedOption is the option of the bar that has the keyboard.
func (s *session) focusedOption() string {
	for name, key := range s.optionKeys {
		if s.Win.Canvas().Focused() == key {
			return name
		}
	}
	return ""
}
