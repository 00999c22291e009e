// Package options shows the settings of a document in a bar and in a dialog.
package options

import (
	"fmt"
	"strconv"
	"unicode/utf8"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"cutaway/model"
	"cutaway/ui/files"
	"cutaway/ui/kit"
	"cutaway/ui/shell"
)

// Ask offers the settings that the document's format has for it, each with its help.
func (b *Bar) Ask() {
	chosen := make(map[string]string)
	form := widget.NewForm()
	for _, o := range b.doc.Options {
		w := b.OptionWidget(o, false, func(v string) { chosen[o.Name] = v })
		form.AppendItem(&widget.FormItem{Text: o.Title, HintText: o.Help, Widget: w})
	}
	b.ShowModal("Options of "+b.host.Title(), nil, form, 560, shell.Button{Text: "Cancel"}, shell.Button{Text: "Apply", Main: true, Act: func() bool {
		if err := ValidOptions(b.doc.Options, chosen); err != nil {
			b.Tell("options", err)
			return false
		}
		b.host.SetOptions(chosen)
		return true
	}})
}

// Host is what the options need of the tab of their document.
type Host interface {
	Title() string  // of the tab
	Folder() string // where files are asked for
	SetOptions(chosen map[string]string)
}

// Bar is the document's settings in a row above its panes, where each acts at once.
type Bar struct {
	*shell.Shell
	host   Host
	doc    *model.Document
	object fyne.CanvasObject
	Keys   map[string]fyne.Focusable // by option
}

// New makes the bar; nil where the document has no settings.
func New(sh *shell.Shell, host Host, doc *model.Document) *Bar {
	if len(doc.Options) == 0 || doc.SetOption == nil {
		return nil
	}
	b := &Bar{Shell: sh, host: host, doc: doc, Keys: make(map[string]fyne.Focusable)}
	row := container.NewHBox()
	for _, o := range doc.Options {
		label := widget.NewLabel(o.Title)
		label.Importance = widget.LowImportance
		w := b.OptionWidget(o, true, func(v string) {
			if err := ValidOptions(b.doc.Options, map[string]string{o.Name: v}); err != nil {
				b.Tell("options", err)
				return
			}
			b.host.SetOptions(map[string]string{o.Name: v})
		})
		if key := FirstFocusable(w); key != nil {
			b.Keys[o.Name] = key
		}
		row.Add(label)
		row.Add(kit.AtLeast(optionWidth, w))
	}
	row.Add(layout.NewSpacer())
	row.Add(kit.IconButton(theme.QuestionIcon(), "All options, and what they mean", b.Ask))
	b.object = kit.NewBacked(theme.ColorNameHeaderBackground, kit.Padded(2, 2, 4, 4, row))
	return b
}

// Object is the bar on the screen; nil: there is none.
func (b *Bar) Object() fyne.CanvasObject {
	if b == nil {
		return nil
	}
	return b.object
}

// Focused is the option that has the keyboard; "": none.
func (b *Bar) Focused() string {
	if b != nil {
		for name, key := range b.Keys {
			if b.Win.Canvas().Focused() == key {
				return name
			}
		}
	}
	return ""
}

// FocusOption gives an option the keyboard, if it takes it.
func (b *Bar) FocusOption(name string) {
	if b != nil && b.Keys[name] != nil {
		b.Focus(b.Keys[name])
	}
}

// optionWidth is the room of one option in the bar.
const optionWidth = 260

// FirstFocusable is the first widget in o that takes the keyboard, or nil.
func FirstFocusable(o fyne.CanvasObject) fyne.Focusable {
	if f, ok := o.(fyne.Focusable); ok {
		return f
	}
	if c, ok := o.(*fyne.Container); ok {
		for _, in := range c.Objects {
			if f := FirstFocusable(in); f != nil {
				return f
			}
		}
	}
	return nil
}

// OptionWidget draws an option of any kind. A live one tells of a value only when it is whole: a slider is let go,
// Enter pressed.
func (b *Bar) OptionWidget(o model.Option, live bool, set func(value string)) fyne.CanvasObject {
	switch o.Kind {
	case model.Choice:
		c := kit.NewSelect(o.Choices, nil)
		c.SetSelected(o.Value)
		c.OnChanged = set
		return c
	case model.Switch:
		c := kit.NewCheck("", nil)
		c.SetChecked(o.Value == "true")
		c.OnChanged = func(on bool) { set(strconv.FormatBool(on)) }
		return c
	case model.Number:
		return numberWidget(o, live, set)
	default:
		return b.fileWidget(o, live, set)
	}
}

// maxSlider is the longest range that a slider is for; a longer one is typed.
const maxSlider = 10_000

// numberWidget is a slider with its value, or a field where the range is too long for one.
func numberWidget(o model.Option, live bool, set func(value string)) fyne.CanvasObject {
	if o.Max-o.Min > maxSlider || o.Max <= o.Min {
		e := kit.NewEntry(nil)
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
	return kit.Border(nil, nil, nil, label, s)
}

// tellOf tells of what is typed in a field, as optionWidget says.
func tellOf(e *kit.Entry, live bool, set func(value string)) {
	if live {
		e.OnSubmitted = set
	} else {
		e.OnChanged = set
	}
}

// fileWidget is a field for a path, with a button that asks for a file.
func (b *Bar) fileWidget(o model.Option, live bool, set func(value string)) fyne.CanvasObject {
	e := kit.NewEntry(nil)
	e.SetText(o.Value)
	e.CursorColumn = utf8.RuneCountInString(o.Value) // the file's name is at the end
	e.SetPlaceHolder("automatic")
	tellOf(e, live, set)
	choose := kit.IconButton(theme.FolderOpenIcon(), "Choose a file", func() {
		files.Choose(b.Shell, "Choose a file: "+o.Title, b.host.Folder(), files.Kinds(o.Title, o.Choices), false, func(path string) {
			e.SetText(path)
			if live {
				set(path)
			}
		})
	})
	return kit.Border(nil, nil, nil, choose, e)
}

// ChooseFile asks for the file that an option is to be.
func (b *Bar) ChooseFile(o model.Option) {
	files.Choose(b.Shell, "Choose a file: "+o.Title, b.host.Folder(), files.Kinds(o.Title, o.Choices), false, func(path string) {
		b.host.SetOptions(map[string]string{o.Name: path})
	})
}

// ValidOptions checks the numbers.
func ValidOptions(options []model.Option, chosen map[string]string) error {
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
