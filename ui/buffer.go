package ui

import (
	"fmt"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"cutaway/decoders"
	"cutaway/model"
	"cutaway/ui/kit"
	"cutaway/ui/phrase"
	"cutaway/ui/shell"
)

// buffer is bytes in a tab of their own that are no file: a part of another tab's document, or pasted ones.
type buffer struct {
	title string        // of the tab, and the name that detection sees
	src   *model.Source // the bytes
	from  model.Span    // the same bytes in the other tab's document; its Source is nil for pasted ones
	outer *session      // the other tab; it may have been closed since
	lease *lease        // keeps its document open; nil for pasted bytes
}

// lease keeps a document open for the tab that shows it and for those that show parts of it. It belongs on the UI
// goroutine.
type lease struct {
	doc   *model.Document
	users int
}

func (l *lease) take() *lease {
	l.users++
	return l
}

func (l *lease) drop() {
	if l.users--; l.users == 0 {
		// The tab is gone; what closing a file that was only read can report helps nobody.
		_ = l.doc.Close()
	}
}

// isSample reports whether the session shows the built-in sample.
func (s *session) isSample() bool { return s.file == "" && s.buffer == nil }

// openBuffer opens bytes in a tab of their own, as opts say.
func (w *Window) openBuffer(g *buffer, opts decoders.Options) {
	s := newSession(w, "")
	s.buffer, s.opts = g, opts
	if g.lease != nil {
		g.lease.take()
	}
	w.add(s)
	s.load(Target{})
}

// bufferOf is bytes of the session's document as bytes of their own.
func (s *session) bufferOf(title string, at model.Span) *buffer {
	src := model.NewFileSource(title, model.NewWindow(at.Source, at.Off, at.Len))
	return &buffer{title: title, src: src, from: at, outer: s, lease: s.lease}
}

// formatSelect lets the user choose a format.
type formatSelect struct {
	choice  *kit.Select
	options []decoders.Options // by choice
}

// newFormatSelect offers the formats, then the descriptions of the user's folders.
func newFormatSelect(automatic bool) *formatSelect {
	f := &formatSelect{}
	var names []string
	add := func(name string, opts decoders.Options) {
		names, f.options = append(names, name), append(f.options, opts)
	}
	if automatic {
		add("Automatic: as what they look like", decoders.Options{})
	}
	for _, one := range decoders.All() {
		if !one.Slow { // which wants to know the description
			add(one.Title, decoders.Options{Format: one.Name})
		}
	}
	for _, d := range decoders.Descriptions() {
		switch {
		case d.Err != nil:
			continue
		case d.Licence != "":
			d.Title += " (" + d.Licence + ")"
		}
		add(d.Title, byDescription(d.File))
	}
	f.choice = kit.NewSelect(names, nil)
	f.choice.SetSelectedIndex(0)
	return f
}

// chosen is how the file is to be opened.
func (f *formatSelect) chosen() decoders.Options { return f.options[f.choice.SelectedIndex()] }

// Outer is where bytes of a part are in the other tab's document.
func (s *session) Outer(span model.Span) model.Span {
	g := s.buffer
	if g == nil || g.from.Source == nil || span.Source == nil || span.Source.Origin() != nil {
		return model.Span{}
	}
	return g.from.Source.Span(g.from.Off+span.Off, span.Len)
}

// ShowOuter shows bytes in the tab that the session's bytes are from.
func (s *session) ShowOuter(at model.Span) {
	outer := s.buffer.outer
	for _, open := range s.w.sessions {
		if open == outer && outer.Pane != nil {
			s.w.activate(outer)
			outer.Pane.ShowSpan(at)
			return
		}
	}
	s.TellWords("That tab is closed", theme.InfoIcon(), "The bytes are from "+outer.Title()+", whose tab was closed.")
}

// DecodeSpan asks how bytes are to be decoded and opens them in a tab of their own.
func (s *session) DecodeSpan(at model.Span) {
	size := at.Source.Size()
	if at.Len = min(at.Len, size-at.Off); at.Len <= 0 {
		return
	}
	title := fmt.Sprintf("%s %#x+%d", at.Source.Title(), at.Off, at.Len)
	format := newFormatSelect(true)
	what := widget.NewLabel(fmt.Sprintf("%s at %s in %s. They open in a tab of their own.", phrase.Bytes(at.Len), phrase.Hex(at.Off), at.Source.Title()))
	what.Wrapping = fyne.TextWrapWord
	form := widget.NewForm(&widget.FormItem{Text: "Bytes", Widget: what}, &widget.FormItem{Text: "Format", Widget: format.choice})
	s.ShowModal("Decode bytes as", nil, form, 440, shell.Button{Text: "Cancel"}, shell.Button{Text: "Decode", Main: true, Act: func() bool {
		s.w.openBuffer(s.bufferOf(title, at), format.chosen())
		return true
	}})
}

// OpenPart opens bytes of the document in a tab of their own.
func (s *session) OpenPart(title string, at model.Span) {
	s.w.openBuffer(s.bufferOf(title, at), decoders.Options{})
}
