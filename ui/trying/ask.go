package trying

import (
	"context"
	"errors"
	"fmt"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"

	"cutaway/model"
	"cutaway/model/inspect"
	"cutaway/ui/kit"
	"cutaway/ui/phrase"
	"cutaway/ui/shell"
)

// longestTyped is the maximum length of the bytes of a value that can be typed.
const longestTyped = 64 << 10

// A change holds the bytes that encode a typed value.
type change struct {
	at       int64 // in the file
	was, now []byte
}

// ChangeValue asks for another value of a node and replaces the node's bytes by its encoding in the type of the field.
func (e *Editor) ChangeValue(p *model.Place) {
	if p == nil || !CanType(&p.Fresh(e.ctx).Node) {
		return
	}
	p = p.Fresh(e.ctx) // it may have been selected before it was decoded
	text, _ := Text(p.Node.Value)
	span := p.Node.Span()
	at, err := e.fileOffset(span.Source, span.Off, span.Len)
	if err != nil {
		e.Warn(phrase.Sentence(err))
		return
	}
	opens, patch := e.host.Opens(), e.Patch()
	says := func(ctx context.Context, c change, want model.Value) bool {
		doc, err := opens(ctx, patch.Put(c.at, c.now, c.was))
		if err != nil {
			return false
		}
		again, err := doc.Lookup(ctx, p.Path())
		ok := err == nil && Says(again.Node.Value, want)
		_ = doc.Close() // it was only read
		return ok
	}
	what := fmt.Sprintf("%s, %s at %s. The file is never written.", p.Node.Type, phrase.Bytes(span.Len), phrase.Hex(span.Off))
	e.askForValue("Change "+p.Label(), what, text, nil, func(ctx context.Context, text string, _ bool) (change, error) {
		return changeOf(ctx, p.Node.Value, span, at, text, says)
	})
}

// changeOf finds the bytes that give a node the typed value. It tries the possible encodings, and says reports
// whether the file then decodes to that value. at is the offset of the node's bytes in the file.
func changeOf(ctx context.Context, v model.Value, span model.Span, at int64, text string, says func(context.Context, change, model.Value) bool) (change, error) {
	if span.Len > longestTyped {
		return change{}, errors.New("it is too long: type over its bytes")
	}
	was, err := span.Source.Bytes(ctx, span.Off, span.Len)
	if err != nil {
		return change{}, err
	}
	list, want, err := Encodings(v, was, span.Mask, text)
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
	case len(list) == 1: // with these bytes the field may have another type or path
		return change{at, was, list[0]}, nil
	}
	return change{}, errors.New("no bytes are found by which it has this value: type over them")
}

// ChangeReading asks for the value that a row of the inspector should read, and replaces the bytes by its encoding.
func (e *Editor) ChangeReading(src *model.Source, at int64, row inspect.Row) {
	if !CanRead(row.Name) {
		e.shell.Notify(row.Name + " cannot be typed: type over the bytes")
		return
	}
	var orders []string
	if row.Ordered {
		orders = []string{"Little endian", "Big endian"}
	}
	off, err := e.fileOffset(src, at, 1)
	if err != nil {
		e.Warn(phrase.Sentence(err))
		return
	}
	what := fmt.Sprintf("At %s in %s. The file is never written.", phrase.Hex(at), src.Title())
	e.askForValue("Change "+row.Name, what, "", orders, func(ctx context.Context, text string, big bool) (change, error) {
		now, err := Reading(row.Name, big, text)
		if err != nil {
			return change{}, err
		}
		was, err := src.Bytes(ctx, at, int64(len(now)))
		return change{off, was, now}, err
	})
}

// askForValue asks for a value and, if orders are given, for one of them. It makes the change that find returns.
func (e *Editor) askForValue(title, what, text string, orders []string, find func(ctx context.Context, text string, big bool) (change, error)) {
	help, told := widget.NewLabel(what), widget.NewLabel("")
	help.Wrapping, told.Wrapping = fyne.TextWrapWord, fyne.TextWrapWord
	told.Importance = widget.DangerImportance
	order := kit.NewSelect(orders, nil)
	order.SetSelectedIndex(0)
	var m *shell.Modal
	value := kit.NewEntry(func() { m.Hide() })
	value.SetText(text)
	act := func() bool {
		typed, big := value.Text, orders != nil && order.Selected == orders[1]
		e.tasks.Go(e.ctx, "changing a value", func(ctx context.Context, _ model.Progress) func() {
			c, err := find(ctx, typed, big)
			return func() {
				if err != nil {
					told.SetText(phrase.Sentence(err))
					return
				}
				m.Hide()
				e.On = true
				e.Put(c.at, c.was, c.now)
				e.host.Decode()
			}
		})
		return false
	}
	box := container.NewVBox(help, value)
	if orders != nil {
		box.Add(order)
	}
	box.Add(told)
	m = e.shell.ShowModal(title, nil, box, 460, shell.Button{Text: "Cancel"}, shell.Button{Text: "Change", Main: true, Act: act})
	e.shell.Focus(value)
	value.TypedShortcut(&fyne.ShortcutSelectAll{})
}
