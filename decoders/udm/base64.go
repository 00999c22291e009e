package udm

import (
	"context"
	"io"

	"cutaway/decoders/udm/ascii"
	"cutaway/model"
	"cutaway/source"
)

// decodedName names the source that base64 data gives.
const decodedName = "decoded"

// base64Digit is the value of a character of base64, both alphabets (8.3); 255: it is none.
var base64Digit = func() (t [256]byte) {
	for i := range t {
		t[i] = 255
	}
	for i, c := range []byte("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/") {
		t[c] = byte(i)
	}
	t['-'], t['_'] = 62, 63
	return t
}()

// A base64Text is base64 data in a text, which is good up to an offset.
type base64Text struct {
	in     model.Span
	digits int64 // that are good, without padding and white space
	bad    int64 // offset of the first character that does not belong there, or -1 if there is none
	dense  bool  // the digits stand side by side
	last   int64 // offset of the last digit
	spare  bool  // the last digit has bits that make no byte
}

// measureBase64 looks through base64 data.
func measureBase64(ctx context.Context, in model.Span) (*base64Text, error) {
	b := &base64Text{in: in, bad: -1, dense: true}
	padded, spaced := false, false
	digit := byte(0)
	err := eachRun(ctx, in, func(off int64, run []byte) bool {
		for i, c := range run {
			switch {
			case ascii.IsSpace(int(c)):
				spaced = true
			case c == '=':
				padded = true
			case base64Digit[c] == 255 || padded:
				b.bad = off + int64(i)
				return false
			default:
				b.dense = b.dense && !spaced
				b.digits++
				digit, b.last = base64Digit[c], off+int64(i)
			}
		}
		return true
	})
	if err == nil && b.bad < 0 && b.digits%4 == 1 {
		b.bad = b.last
	}
	b.spare = digit&(1<<(b.digits*6%8)-1) != 0
	return b, err
}

// eachRun visits the bytes of a span run by run until visit returns false.
func eachRun(ctx context.Context, in model.Span, visit func(off int64, run []byte) bool) error {
	buf := make([]byte, min(in.Len, 64<<10))
	for off := in.Off; off < in.End(); off += int64(len(buf)) {
		if err := ctx.Err(); err != nil {
			return err
		}
		buf = buf[:min(int64(len(buf)), in.End()-off)]
		if _, err := in.Source.ReadFull(ctx, buf, off); err != nil {
			return err
		}
		if !visit(off, buf) {
			return nil
		}
	}
	return nil
}

// size returns the number of bytes that the good digits make.
func (b *base64Text) size() int64 { return b.digits * 6 / 8 }

// problem returns the problem of the data, or nil if there is none.
func (b *base64Text) problem(ctx context.Context) *model.Problem {
	if b.bad < 0 {
		if !b.spare {
			return nil
		}
		p := model.Problemf(model.Suspicious, ascii.RuleTextBase64Spare, b.in.Source.Span(b.last, 1), "the last digit of base64 data has bits that make no byte")
		return &p
	}
	p := model.Problemf(model.Malformed, ascii.RuleTextBase64, b.in.Source.Span(b.bad, 1),
		"base64 data is broken here; %s before it can be trusted", model.GroupedCount(b.size(), "byte")).Want("letters, digits, + and /, and = at the end", "")
	if c, err := b.in.Source.Bytes(ctx, b.bad, 1); err == nil {
		p.Found = ascii.Found(ctx, string(c))
	}
	return &p
}

// source makes the source with the decoded data.
func (b *base64Text) source(owner, title string) *model.Source {
	in, size := b.in, b.size()
	reader := source.Cached(size, func(ctx context.Context, w io.Writer) error { return decodeBase64(ctx, in, size, w) })
	return model.Derive(owner, decodedName, title, reader, model.Origin{
		Parent: in.Source, Spans: []model.Span{in}, Codec: "base64", Map: b,
	})
}

// decodeBase64 writes the first size bytes of decoded base64 data.
func decodeBase64(ctx context.Context, in model.Span, size int64, w io.Writer) error {
	var bits, have uint
	var failed error
	out := make([]byte, 0, 48<<10)
	err := eachRun(ctx, in, func(_ int64, run []byte) bool {
		for _, c := range run {
			d := base64Digit[c]
			if d == 255 {
				continue
			}
			bits = bits<<6 | uint(d)
			if have += 6; have >= 8 && size > 0 {
				have -= 8
				out = append(out, byte(bits>>have))
				size--
			}
		}
		_, failed = w.Write(out)
		out = out[:0]
		return failed == nil && size > 0
	})
	if err != nil {
		return err
	}
	return failed
}

var _ model.Mapping = (*base64Text)(nil)

// From returns the characters that make some bytes. A byte is made of two characters and the white space between them.
func (b *base64Text) From(ctx context.Context, off, length int64) ([]model.Piece, error) {
	end := min(off+length, b.size())
	if off < 0 || off >= end {
		return nil, ctx.Err()
	}
	in := b.in
	if b.dense {
		from, to := off/3*4+off%3, (end-1)/3*4+(end-1)%3+2
		in = in.Source.Span(in.Off+from, to-from)
	}
	return []model.Piece{{Off: off, Len: end - off, In: []model.Span{in}, Kind: "base64", Unit: in, CopyFrom: -1}}, ctx.Err()
}

// To returns the bytes that some characters make.
func (b *base64Text) To(ctx context.Context, off, length int64) ([]model.OutputRange, error) {
	from, to := max(off, b.in.Off)-b.in.Off, min(off+length, b.in.End())-b.in.Off
	if from >= to {
		return nil, ctx.Err()
	}
	first, end := int64(0), b.size()
	if b.dense {
		first, end = from/4*3+max(from%4-1, 0), min(end, (to-1)/4*3+min((to-1)%4+1, 3))
	}
	if first >= end {
		return nil, ctx.Err()
	}
	return []model.OutputRange{{Off: first, Len: end - first}}, ctx.Err()
}
