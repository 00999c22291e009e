package ui

import (
	"context"
	"errors"
	"fmt"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"

	"cutaway/model"
	"cutaway/model/inspect"
	"cutaway/ui/inspector"
	"cutaway/ui/kit"
	"cutaway/ui/phrase"
	"cutaway/ui/shell"
	"cutaway/ui/trying"
)

// longestTyped is the most bytes of a value that is typed.
const longestTyped = 64 << 10

// change is bytes that say what was typed.
type change struct {
	at       int64 // in the file
	was, now []byte
}

// ChangeValue asks for another value of a node and puts the bytes in place of its own that say it, in the type of the field.
func (s *session) ChangeValue(p *model.Place) {
	if p == nil || !trying.CanType(&p.Fresh(s.ctx).Node) {
		return
	}
	p = p.Fresh(s.ctx) // it may have been selected before it was decoded
	text, _ := trying.Text(p.Node.Value)
	span := p.Node.Span()
	at, err := s.fileOffset(span.Source, span.Off, span.Len)
	if err != nil {
		s.warn(phrase.Sentence(err))
		return
	}
	target, opts, patch := s.target, s.tryOptions(), s.edits.Patch()
	says := func(ctx context.Context, c change, want model.Value) bool {
		doc, err := s.openDocument(ctx, target, opts, patch.Put(c.at, c.now, c.was), nil)
		if err != nil {
			return false
		}
		again, err := doc.Lookup(ctx, p.Path())
		ok := err == nil && trying.Says(again.Node.Value, want)
		_ = doc.Close() // only what it says was asked
		return ok
	}
	what := fmt.Sprintf("%s, %s at %s. The file is never written.", p.Node.Type, phrase.Bytes(span.Len), phrase.Hex(span.Off))
	s.askForValue("Change "+p.Label(), what, text, nil, func(ctx context.Context, text string, _ bool) (change, error) {
		return changeOf(ctx, p.Node.Value, span, at, text, says)
	})
}

// changeOf finds the bytes by which a node has the value that was typed: of those that may say it, the first by which the file
// is decoded so. at is where the node's bytes are in the file.
func changeOf(ctx context.Context, v model.Value, span model.Span, at int64, text string, says func(context.Context, change, model.Value) bool) (change, error) {
	if span.Len > longestTyped {
		return change{}, errors.New("it is too long: type over its bytes")
	}
	was, err := span.Source.Bytes(ctx, span.Off, span.Len)
	if err != nil {
		return change{}, err
	}
	list, want, err := trying.Encodings(v, was, span.Mask, text)
	if err != nil {
		return change{}, err
	}
	for _, now := range list {
		if c := (change{at, was, now}); says(ctx, c, want) {
			return c, nil
		}
	}
	switch {
	case ctx.Err() != nil:
		return change{}, ctx.Err()
	case len(list) == 1: // the field may be another with it, or at another path
		return change{at, was, list[0]}, nil
	}
	return change{}, errors.New("no bytes are found by which it has this value: type over them")
}

// ChangeReading asks for what a row of the inspector should read, and puts the bytes there that say it.
func (s *session) ChangeReading(at inspector.Place, row inspect.Row) {
	if !trying.CanRead(row.Name) {
		s.Notify(row.Name + " cannot be typed: type over the bytes")
		return
	}
	var orders []string
	if row.Ordered {
		orders = []string{"Little endian", "Big endian"}
	}
	off, err := s.fileOffset(at.Source, at.Off, 1)
	if err != nil {
		s.warn(phrase.Sentence(err))
		return
	}
	what := fmt.Sprintf("At %s in %s. The file is never written.", phrase.Hex(at.Off), at.Source.Title())
	s.askForValue("Change "+row.Name, what, "", orders, func(ctx context.Context, text string, big bool) (change, error) {
		now, err := trying.Reading(row.Name, big, text)
		if err != nil {
			return change{}, err
		}
		was, err := at.Source.Bytes(ctx, at.Off, int64(len(now)))
		return change{off, was, now}, err
	})
}

// askForValue asks for a value, and for one of the byte orders where there are any, and makes the change that find gives.
func (s *session) askForValue(title, what, text string, orders []string, find func(ctx context.Context, text string, big bool) (change, error)) {
	help, told := widget.NewLabel(what), widget.NewLabel("")
	help.Wrapping, told.Wrapping = fyne.TextWrapWord, fyne.TextWrapWord
	told.Importance = widget.DangerImportance
	order := widget.NewRadioGroup(orders, nil)
	order.Horizontal, order.Required = true, true
	if orders != nil {
		order.SetSelected(orders[0])
	}
	var m *shell.Modal
	value := kit.NewEntry(func() { m.Hide() })
	value.SetText(text)
	act := func() bool {
		typed, big := value.Text, orders != nil && order.Selected == orders[1]
		s.tasks.Go(s.ctx, "changing a value", func(ctx context.Context, _ model.Progress) func() {
			c, err := find(ctx, typed, big)
			return func() {
				if err != nil {
					told.SetText(phrase.Sentence(err))
					return
				}
				m.Hide()
				s.edits.On = true
				s.edits.Put(c.at, c.was, c.now)
				s.tried()
			}
		})
		return false
	}
	value.OnSubmitted = func(string) { act() }
	box := container.NewVBox(help, value)
	if orders != nil {
		box.Add(order)
	}
	box.Add(told)
	m = s.ShowModal(title, nil, box, 460, shell.Button{Text: "Cancel"}, shell.Button{Text: "Change", Main: true, Act: act})
	s.Focus(value)
	value.TypedShortcut(&fyne.ShortcutSelectAll{})
}
