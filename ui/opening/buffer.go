package opening

import "cutaway/model"

// A Buffer is bytes in a tab of their own that are no file: a part of another tab's document, or pasted ones.
type Buffer struct {
	Title string        // of the tab, and the name that detection sees
	Src   *model.Source // the bytes
	From  model.Span    // the same bytes in the other tab's document; its Source is nil for pasted ones
	Of    Tab           // whose they are; it may have been closed since
	lease *Lease        // keeps its document open; nil for pasted bytes
}

// A Tab is the tab whose document contains the bytes.
type Tab interface {
	Title() string
	Lease() *Lease
}

// NewBuffer returns the bytes of a span of a tab's document.
func NewBuffer(title string, at model.Span, of Tab) *Buffer {
	src := model.NewFileSource(title, model.NewWindow(at.Source, at.Off, at.Len))
	return &Buffer{Title: title, Src: src, From: at, Of: of, lease: of.Lease()}
}

// Take keeps the document with the bytes open for one more tab.
func (b *Buffer) Take() {
	if b != nil && b.lease != nil {
		b.lease.Take()
	}
}

// Drop ends the use that Take began.
func (b *Buffer) Drop() {
	if b != nil && b.lease != nil {
		b.lease.Drop()
	}
}

// Outer returns where bytes of a part are in the other tab's document, without a Source where they are in none.
func (b *Buffer) Outer(span model.Span) model.Span {
	if b == nil || b.From.Source == nil || span.Source == nil || span.Source.Origin() != nil {
		return model.Span{}
	}
	return b.From.Source.Span(b.From.Off+span.Off, span.Len)
}

// A Lease keeps a document open for the tabs that show it, or parts of its bytes. It belongs on the UI goroutine.
type Lease struct {
	Doc   *model.Document
	users int
}

// Take counts one more user.
func (l *Lease) Take() *Lease {
	l.users++
	return l
}

// Drop counts one user less, and closes the document after the last.
func (l *Lease) Drop() {
	if l == nil {
		return
	}
	if l.users--; l.users == 0 {
		// The tab is gone; what closing a file that was only read can report helps nobody.
		_ = l.Doc.Close()
	}
}
