package ui

import (
	"context"
	"fmt"
	"maps"
	"strconv"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/widget"

	"cutaway/model"
)

// showOptions offers the settings that the document's format has for it.
func (s *session) showOptions() {
	chosen := make(map[string]string)
	form := widget.NewForm()
	for _, o := range s.doc.Options {
		form.AppendItem(&widget.FormItem{Text: o.Title, HintText: o.Help, Widget: optionWidget(o, func(v string) { chosen[o.Name] = v })})
	}
	s.w.showModal("Options of "+s.title(), nil, form, 460, modalButton{text: "Cancel"}, modalButton{text: "Apply", main: true, act: func() bool {
		if err := validOptions(s.doc.Options, chosen); err != nil {
			s.w.tell("options", err)
			return false
		}
		s.setOptions(chosen)
		return true
	}})
}

// optionWidget draws an option of any kind.
func optionWidget(o model.Option, set func(value string)) fyne.CanvasObject {
	switch o.Kind {
	case model.Choice:
		w := widget.NewSelect(o.Choices, nil)
		w.SetSelected(o.Value)
		w.OnChanged = set
		return w
	case model.Switch:
		w := widget.NewCheck("", nil)
		w.SetChecked(o.Value == "true")
		w.OnChanged = func(on bool) { set(strconv.FormatBool(on)) }
		return w
	}
	w := widget.NewEntry()
	w.SetText(o.Value)
	if o.Kind == model.Number {
		w.SetPlaceHolder(fmt.Sprintf("%d … %d", o.Min, o.Max))
	}
	w.OnChanged = set
	return w
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

// setOptions changes options of the document in the background and shows it as it is then, at the same node.
func (s *session) setOptions(chosen map[string]string) {
	if len(chosen) == 0 {
		return
	}
	doc := s.doc
	s.run(s.ctx, "applying options", func(ctx context.Context, _ model.Progress) (func(), error) {
		fresh := doc
		for name, value := range chosen {
			next, err := fresh.SetOption(ctx, name, value)
			if err != nil {
				return nil, err
			}
			fresh = next
		}
		return func() {
			options := maps.Clone(s.opts.Options)
			if options == nil {
				options = make(map[string]string)
			}
			maps.Copy(options, chosen)
			s.opts.Options = options // a reload keeps them
			path := ""
			if s.current != nil {
				path = s.current.Path()
			}
			s.keepSplits()
			s.adopt(fresh, nil)
			s.w.updateControls()
			if path != "" {
				s.goToAgain(path)
			}
		}, nil
	})
}

// goToAgain goes to a path that was there before, if it still is.
func (s *session) goToAgain(path string) {
	s.run(s.setOut(), "going to "+path, func(ctx context.Context, _ model.Progress) (func(), error) {
		p, err := s.doc.Lookup(ctx, path)
		if err != nil {
			return func() {}, ctx.Err()
		}
		p.Path()
		return func() { s.show(p, showing{tree: true, hex: true}) }, nil
	})
}
