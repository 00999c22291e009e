package export

import (
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"

	"cutaway/model"
)

// copyWindow is the number of bytes in a copied piece.
const copyWindow = 256 << 10

// ownBytes returns the principal bytes of the node at p that lie in a source.
func ownBytes(ctx context.Context, p *model.Place) []model.Span {
	return slices.DeleteFunc(slices.Clone(p.Node.PrincipalSpans(ctx)), func(s model.Span) bool { return s.Source == nil })
}

// Raw writes the principal bytes of the node at p as they are stored: all spans in their order.
func Raw(ctx context.Context, w io.Writer, p *model.Place) error {
	if why := noBytes(ctx, p); why != "" {
		return errors.New(why)
	}
	for _, s := range ownBytes(ctx, p) {
		if err := copySpan(ctx, w, s); err != nil {
			return err
		}
	}
	return nil
}

func copySpan(ctx context.Context, w io.Writer, s model.Span) error {
	buf := make([]byte, min(copyWindow, max(s.Len, 0)))
	for done := int64(0); done < s.Len; {
		if err := ctx.Err(); err != nil {
			return err
		}
		piece := buf[:min(int64(len(buf)), s.Len-done)]
		if _, err := s.Source.ReadFull(ctx, piece, s.Off+done); err != nil {
			return fmt.Errorf("%s at %#x: cannot read %d bytes: %w", s.Source.Name(), s.Off+done, len(piece), err)
		}
		if _, err := w.Write(piece); err != nil {
			return err
		}
		done += int64(len(piece))
	}
	return nil
}

// Decoded writes the bytes of the node at p after decoding. It writes the sources derived from the node, or else its
// value, or else the stored bytes. Texts and blobs are written unchanged and numbers little-endian: floats in their own
// width, integers in that of the array's type, or in 8 bytes.
func Decoded(ctx context.Context, w io.Writer, r *Request, p *model.Place) error {
	for k := range p.Node.Derived {
		root, err := p.Derive(ctx, k)
		if err != nil {
			return fmt.Errorf("%s: %w", PathText(p.Path()), err)
		}
		for i := range root.Node.Problems {
			if one := &root.Node.Problems[i]; one.Kind == model.Limit || one.Kind.Severity() == model.Error {
				r.lose(root, "%s", one.Message)
			}
		}
		if err := copySpan(ctx, w, root.Of.Whole()); err != nil {
			return err
		}
	}
	if len(p.Node.Derived) > 0 {
		return nil
	}
	switch v := p.Node.Value.(type) {
	case model.Text:
		_, err := io.WriteString(w, string(v))
		return err
	case model.Blob:
		return copySpan(ctx, w, v.Span)
	case model.Array:
		return decodedArray(ctx, w, r, p, v)
	}
	return Raw(ctx, w, p)
}

func decodedArray(ctx context.Context, w io.Writer, r *Request, p *model.Place, a model.Array) error {
	texts, names := false, false
	defer func() {
		if texts {
			r.reduce(p, "texts that follow one another, without where each ends")
		}
		if names {
			r.reduce(p, "%s", nameless)
		}
	}()
	window := make([]model.Value, Window)
	width := model.IntegerWidth(a.Elem())
	var buf []byte
	for first := int64(0); first < a.Len(); {
		n, err := readElements(ctx, a, first, window)
		buf = buf[:0]
		for i, v := range window[:n] {
			var ok bool
			if buf, ok = appendLE(buf, v, width, 0); !ok {
				return fmt.Errorf("element %d of the array, %s, cannot be written as bytes of type %s: export it as json",
					first+int64(i), model.ShowHeld(v, 40), cmp.Or(a.Elem(), "unknown"))
			}
			switch v := v.(type) {
			case model.Text:
				texts = true
			case model.Symbol:
				names = names || v.Name != ""
			}
		}
		if _, err := w.Write(buf); err != nil {
			return err
		}
		if err != nil {
			return err
		}
		first += int64(n)
	}
	return nil
}

// appendLE appends v little-endian, integers in width bytes.
func appendLE(dst []byte, v model.Value, width, depth int) ([]byte, bool) {
	switch v := v.(type) {
	case model.Bool:
		if v {
			return append(dst, 1), true
		}
		return append(dst, 0), true
	case model.Int:
		return appendInteger(dst, uint64(v), width), model.FitsInteger(v, width)
	case model.Uint:
		return appendInteger(dst, uint64(v), width), model.FitsInteger(v, width)
	case model.Symbol:
		return appendInteger(dst, uint64(v.Number), width), model.FitsInteger(model.Int(v.Number), width)
	case model.Half:
		return binary.LittleEndian.AppendUint16(dst, uint16(v)), true
	case model.Float32:
		return binary.LittleEndian.AppendUint32(dst, math.Float32bits(float32(v))), true
	case model.Float64:
		return binary.LittleEndian.AppendUint64(dst, math.Float64bits(float64(v))), true
	case model.Text:
		return append(dst, v...), true
	case model.Tuple:
		ok := depth < maxNesting
		for i := 0; ok && i < len(v); i++ {
			dst, ok = appendLE(dst, v[i], width, depth+1)
		}
		return dst, ok
	}
	return dst, false
}

func appendInteger(dst []byte, v uint64, width int) []byte {
	var b [8]byte
	binary.LittleEndian.PutUint64(b[:], v)
	return append(dst, b[:width]...)
}
