package verdict

import (
	"bytes"
	"context"
	"unicode/utf8"

	"cutaway/decoders/usdc/table"
	"cutaway/model"
)

// tokenForms holds the forms of elements of a path that tokens have. It lists the first MaxReported tokens that are not UTF-8.
type tokenForms struct {
	of      []table.ElementForm // by token
	notUTF8 []model.Span
}

// longWord bounds the tokens that are looked at as elements of paths; of longer ones only the text is checked.
const longWord = 64 << 10

// formsOf reads the text of all tokens once.
func formsOf(ctx context.Context, progress model.Progress, t *table.Tokens) (*tokenForms, error) {
	f := &tokenForms{of: make([]table.ElementForm, 0, t.Count)}
	all := t.Span()
	w := wordReader{tokenForms: f, src: all.Source, begin: all.Off, valid: true}
	buf := make([]byte, 64<<10)
	for at := w.begin; at < all.End(); {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		progress.Report(at, all.End(), "checking tokens")
		b := buf[:min(int64(len(buf)), all.End()-at)]
		if _, err := all.Source.ReadFull(ctx, b, at); err != nil {
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			break // reported with the tokens
		}
		w.read(b)
		at += int64(len(b))
	}
	if w.size() > 0 {
		w.end() // a last one without NUL
	}
	for int64(len(f.of)) < t.Count {
		f.of = append(f.of, table.FormNone)
	}
	return f, nil
}

// wordReader cuts text into tokens, in blocks.
type wordReader struct {
	*tokenForms
	src   *model.Source
	begin int64  // of the token
	past  int64  // bytes of the token that were checked and dropped
	part  []byte // the rest of the token, from blocks before
	valid bool   // so far
}

func (w *wordReader) size() int64 { return w.past + int64(len(w.part)) }

// read reads the next block.
func (w *wordReader) read(b []byte) {
	for len(b) > 0 {
		i := bytes.IndexByte(b, 0)
		if i < 0 {
			w.part = append(w.part, b...)
			if len(w.part) > longWord {
				w.drop()
			}
			return
		}
		if w.size() == 0 {
			w.add(table.FormOf(b[:i]), int64(i))
		} else {
			w.part = append(w.part, b[:i]...)
			w.end()
		}
		b = b[i+1:]
	}
}

// drop checks what there is of a long token, but for a last letter that may go on.
func (w *wordReader) drop() {
	n := len(w.part)
	for n > 0 && len(w.part)-n < utf8.UTFMax-1 && !utf8.FullRune(w.part[n-1:]) {
		n--
	}
	w.valid = w.valid && utf8.Valid(w.part[:n])
	w.past += int64(n)
	w.part = append(w.part[:0], w.part[n:]...)
}

// end ends a token that began in a block before.
func (w *wordReader) end() {
	form := table.FormOf(w.part)
	if w.past > 0 {
		if form = table.FormNone; !w.valid || !utf8.Valid(w.part) {
			form = table.FormNotUTF8
		}
	}
	w.add(form, w.size())
	w.past, w.part, w.valid = 0, w.part[:0], true
}

func (w *wordReader) add(form table.ElementForm, size int64) {
	w.of = append(w.of, form)
	if form == table.FormNotUTF8 && len(w.notUTF8) < table.MaxReported {
		w.notUTF8 = append(w.notUTF8, w.src.Span(w.begin, size))
	}
	w.begin += size + 1
}
