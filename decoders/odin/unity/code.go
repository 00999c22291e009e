package unity

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/hex"
	"io"
	"slices"
	"strings"

	"cutaway/decoders/odin/textio"
	"cutaway/model"
	"cutaway/source"
)

// A Code is a way to write bytes as characters.
type Code uint8

// The codes.
const (
	Hex Code = iota
	Base64
	Scalar // a YAML scalar that is text by itself
)

// String names the code.
func (c Code) String() string { return [...]string{"hex", "base64", "YAML scalar"}[c] }

// Encode returns the characters of bytes.
func (c Code) Encode(b []byte) []byte {
	if c == Hex {
		return hex.AppendEncode(nil, b)
	}
	return base64.StdEncoding.AppendEncode(nil, b)
}

// bits returns the number of bits that a character stands for, and the number of characters of a group of whole bytes.
func (c Code) bits() (bits, group int64) {
	if c == Hex {
		return 4, 2
	}
	return 6, 4
}

// decodeHex decodes up to the first character that is no digit. bad is its position, or -1.
func decodeHex(chars []byte) (out []byte, bad int64) {
	out = make([]byte, len(chars)/2)
	n, err := hex.Decode(out, chars[:len(chars)/2*2])
	bad = int64(2 * n)
	switch {
	case err == nil && len(chars)%2 == 0:
		return out, -1
	case err != nil && isHex(chars[bad]):
		bad++
	}
	return out[:n], bad
}

// isHex reports whether a character is a hexadecimal digit.
func isHex(c byte) bool { return c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'f' }

// isBase64 reports whether a character stands for 6 bits of base64.
func isBase64(c byte) bool {
	return c|0x20 >= 'a' && c|0x20 <= 'z' || c >= '0' && c <= '9' || c == '+' || c == '/'
}

// decodeBase64 decodes up to the first damaged group. bad is the position of the first wrong character, or -1.
func decodeBase64(chars []byte) (out []byte, bad int64) {
	out = make([]byte, base64.StdEncoding.DecodedLen(len(chars)))
	n, err := base64.StdEncoding.Strict().Decode(out, chars)
	if err == nil {
		return out[:n], -1
	}
	if at, ok := err.(base64.CorruptInputError); ok {
		bad = min(int64(at), int64(len(chars)))
	}
	good := bad / 4 * 4
	n, _ = base64.StdEncoding.Decode(out, chars[:good])
	return out[:n], bad
}

// decode decodes characters up to the first wrong one. It returns the position of that one, or -1.
func (c Code) decode(chars []byte) ([]byte, int64) {
	switch c {
	case Hex:
		return decodeHex(chars)
	case Base64:
		return decodeBase64(chars)
	}
	return []byte(textio.Unfold(string(chars))), -1
}

// scalarMapping links the bytes of a YAML scalar with its text. If it has escapes or several lines, each byte is linked
// with all of the text.
func scalarMapping(ctx context.Context, in model.Span, size int64) (model.Mapping, error) {
	chars, err := in.Source.Bytes(ctx, in.Off, in.Len)
	if err != nil {
		return nil, err
	}
	if at := strings.Index(string(chars), textio.Unfold(string(chars))); at >= 0 && size > 0 {
		return source.NewStoredMapping(in.Source.Span(in.Off+int64(at), size)), nil
	}
	return source.NewFrameMapping(source.Unit{In: in, OutLen: size}), nil
}

// cutOff reports whether the text only lacks characters at its end: the last group, from bad on, is short but well
// formed.
func (c Code) cutOff(ctx context.Context, at model.Span, bad int64) bool {
	_, chars := c.bits()
	if at.Len%chars == 0 || bad < at.Len/chars*chars {
		return false
	}
	rest, err := at.Source.Bytes(ctx, at.Off+bad, at.Len-bad)
	if err != nil {
		return false
	}
	return !slices.ContainsFunc(rest, func(b byte) bool {
		if c == Hex {
			return !isHex(b)
		}
		return !isBase64(b)
	})
}

// A textMapping links decoded bytes to their characters.
type textMapping struct {
	code Code
	in   model.Span // the characters
	size int64      // decoded bytes
}

// From returns the characters that a range of bytes is decoded from.
func (m *textMapping) From(_ context.Context, off, length int64) ([]model.Piece, error) {
	off, end := max(off, 0), min(off+length, m.size)
	if off >= end {
		return nil, nil
	}
	bits, _ := m.code.bits()
	from, to := 8*off/bits, (8*end+bits-1)/bits
	in := m.in.Source.Span(m.in.Off+from, to-from)
	return []model.Piece{{Off: off, Len: end - off, In: []model.Span{in}, Kind: "literal", Unit: in, CopyFrom: -1}}, nil
}

// To returns the bytes that a range of characters stands for.
func (m *textMapping) To(_ context.Context, off, length int64) ([]model.OutputRange, error) {
	from, to := max(off-m.in.Off, 0), min(off+length-m.in.Off, m.in.Len)
	if from >= to {
		return nil, nil
	}
	bits, _ := m.code.bits()
	first, last := from*bits/8, min((to*bits-1)/8, m.size-1)
	if first > last {
		return nil, nil
	}
	return []model.OutputRange{{Off: first, Len: last - first + 1}}, nil
}

// decodedBlock is the number of characters that are decoded at once.
const decodedBlock = 64 << 10

// decodeAll decodes characters block by block. bad is the position of the first that is wrong, or -1.
func (c Code) decodeAll(ctx context.Context, in model.Span, w io.Writer) (bad int64, err error) {
	block := int64(decodedBlock)
	if c == Scalar {
		block = in.Len
	}
	for off := int64(0); off < in.Len; off += block {
		chars, err := in.Source.Bytes(ctx, in.Off+off, min(block, in.Len-off))
		if err != nil {
			return 0, err
		}
		out, bad := c.decode(chars)
		if _, err := w.Write(out); err != nil {
			return 0, err
		}
		if end := off + int64(len(chars)); bad < 0 && c == Base64 && end < in.Len && bytes.IndexByte(chars, '=') >= 0 {
			bad = int64(len(chars)) // nothing may follow padding
		}
		if bad >= 0 {
			return off + bad, nil
		}
	}
	return -1, nil
}

// decode returns a source of the bytes that characters stand for, derived from the node at owner. bad is the position
// of the first character that is wrong, or -1.
func decode(ctx context.Context, owner, title string, code Code, in model.Span) (src *model.Source, bad int64, err error) {
	var size textio.Counter
	if bad, err = code.decodeAll(ctx, in, &size); err != nil {
		return nil, 0, err
	}
	reader := source.Cached(int64(size), func(ctx context.Context, w io.Writer) error {
		_, err := code.decodeAll(ctx, in, w)
		return err
	})
	origin := model.Origin{Parent: in.Source, Spans: []model.Span{in}, Codec: code.String(), Map: &textMapping{code, in, int64(size)}}
	if code == Scalar {
		if origin.Map, err = scalarMapping(ctx, in, int64(size)); err != nil {
			return nil, 0, err
		}
	}
	return model.Derive(owner, "decoded", title, reader, origin), bad, nil
}
