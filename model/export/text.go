package export

import (
	"context"
	"io"

	"cutaway/model"
)

// Text writes the node at p for reading: its listing or words card, or else its value if that is text, or else the node
// and its descendants as an indented tree.
func Text(ctx context.Context, w io.Writer, r *Request, p *model.Place) (Tally, error) {
	if p.Node.Cards != nil {
		for _, card := range p.Node.Cards(ctx) {
			switch card.(type) {
			case model.Listing, model.Words:
				r.limits(p)
				return Tally{}, Card(ctx, w, r, p, card)
			}
		}
	}
	if s, ok := p.Node.Value.(model.Text); ok && p.Node.Children == nil {
		r.limits(p)
		return Tally{}, textLine(w, string(s))
	}
	t := NewTree(ctx, w, TextOptions{request: r})
	err := Walk(ctx, p, r.walk(), r.Depth == 0, r.limited(ctx, t.Write))
	if ferr := t.Flush(); err == nil {
		err = ferr
	}
	return t.Tally(), err
}

// A lineWriter tracks whether its output ends in a line feed.
type lineWriter struct {
	io.Writer
	last byte
}

func (w *lineWriter) Write(p []byte) (int, error) {
	if len(p) > 0 {
		w.last = p[len(p)-1]
	}
	return w.Writer.Write(p)
}

// end writes a line feed unless the output ends in one.
func (w *lineWriter) end() error {
	if w.last == '\n' {
		return nil
	}
	return textLine(w.Writer, "")
}

// textLine writes s, and a line feed unless it ends in one.
func textLine(w io.Writer, s string) error {
	if s == "" || s[len(s)-1] != '\n' {
		s += "\n"
	}
	_, err := io.WriteString(w, s)
	return err
}

func listing(ctx context.Context, w io.Writer, l model.Listing) error {
	window := make([]model.Line, Window)
	var buf []byte
	for first := int64(0); ; {
		if err := ctx.Err(); err != nil {
			return err
		}
		n, err := l.Read(ctx, first, window)
		buf = buf[:0]
		for i := range n {
			buf = append(append(buf, window[i].Text...), '\n')
		}
		if _, werr := w.Write(buf); werr != nil {
			return werr
		}
		if err != nil || n == 0 {
			return err
		}
		first += int64(n)
	}
}
