package ksy

import (
	"bytes"
	"compress/bzip2"
	"compress/flate"
	"compress/gzip"
	"compress/zlib"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math/bits"
	"slices"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/snappy"
	"github.com/klauspost/compress/zstd"
	"github.com/pierrec/lz4/v4"
	"github.com/ulikunitz/xz"
	"github.com/ulikunitz/xz/lzma"

	"cutaway/decoders/grammar"
	"cutaway/model"
	"cutaway/source"
)

// A transform converts the bytes of a processed field.
type transform struct {
	name string
	args []*grammar.Code
}

var _ grammar.Process = (*transform)(nil)

// process returns the process of a field, or nil.
func (c *compiler) process(f *Field) grammar.Process {
	if f.Process == nil {
		return nil
	}
	return &transform{f.Process.Name, c.exprs.Codes(f.Process.Args)}
}

func (t *transform) Codec() string { return t.name }

func (t *transform) Decode(s grammar.Scope, in model.Span) ([]byte, error) {
	ctx := s.Reading().Context()
	args := make([]grammar.Value, len(t.args))
	for i, arg := range t.args {
		v, err := arg.Eval(s)
		if err != nil {
			return nil, err
		}
		args[i] = v
	}
	b, err := grammar.SpanValue(in).Blob().Read(ctx)
	if err != nil {
		return nil, err
	}
	switch t.name {
	case "xor":
		return xor(ctx, b, args[0])
	case "rol", "ror":
		n, _ := args[0].Int()
		if t.name == "ror" {
			n = -n
		}
		return rotate(b, int(n%8)), nil
	}
	if program := programOf(t.name); program != nil {
		return runProgram(ctx, in, t.name, program, args, b)
	}
	open := codecs[t.name]
	if t.name == zlibProcess && len(args) > 0 {
		if open, err = containerOf(args[0]); err != nil {
			return nil, err
		}
	}
	if open != nil {
		r, err := open(b)
		if err != nil {
			return nil, err
		}
		return limited(ctx, in, r)
	}
	return nil, fmt.Errorf("the process %q is not one that this program has; --codec %s=PROGRAM names one that does it", t.name, t.name)
}

// codecs holds zlib and the processes of Kaitai Struct's library kaitai_compress.
var codecs = map[string]func(in []byte) (io.Reader, error){
	"zlib":                      openZlib,
	zlibProcess:                 openZlib,
	"kaitai.compress.gzip":      openGzip,
	"kaitai.compress.bz2":       func(in []byte) (io.Reader, error) { return bzip2.NewReader(bytes.NewReader(in)), nil },
	"kaitai.compress.brotli":    func(in []byte) (io.Reader, error) { return brotli.NewReader(bytes.NewReader(in)), nil },
	"kaitai.compress.lz4":       func(in []byte) (io.Reader, error) { return lz4.NewReader(bytes.NewReader(in)), nil },
	"kaitai.compress.zstd":      openZstd,
	"kaitai.compress.snappy":    openSnappy,
	"kaitai.compress.lzma":      openLZMA,
	"kaitai.compress.lzma_lzma": openLZMA,
	"kaitai.compress.lzma_xz":   openLZMA,
	"kaitai.compress.lzma_raw": func(in []byte) (io.Reader, error) {
		return lzma.Reader2Config{DictCap: maxWindow}.NewReader2(bytes.NewReader(in))
	},
}

// maxWindow is the greatest distance in bytes of a compressed back-reference.
const maxWindow = 64 << 20

// zlibProcess names the process whose first argument, in kaitai_compress, is the container: -1 for none, as in ZIP
// archives; 1 for zlib; 16 for gzip.
const zlibProcess = "kaitai.compress.zlib"

// containerOf returns the codec for the first argument of zlibProcess.
func containerOf(arg grammar.Value) (func(in []byte) (io.Reader, error), error) {
	switch n, _ := arg.Int(); n {
	case -1:
		return openDeflate, nil
	case 1:
		return openZlib, nil
	case 16:
		return openGzip, nil
	default:
		return nil, fmt.Errorf("%s knows the containers -1 (raw), 1 (zlib) and 16 (gzip), not %d", zlibProcess, n)
	}
}

func openDeflate(in []byte) (io.Reader, error) { return flate.NewReader(bytes.NewReader(in)), nil }

func openGzip(in []byte) (io.Reader, error) { return gzip.NewReader(bytes.NewReader(in)) }

func openZlib(in []byte) (io.Reader, error) { return zlib.NewReader(bytes.NewReader(in)) }

func openZstd(in []byte) (io.Reader, error) {
	return zstd.NewReader(bytes.NewReader(in), zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true), zstd.WithDecoderMaxWindow(maxWindow))
}

func openSnappy(in []byte) (io.Reader, error) {
	n, err := snappy.DecodedLen(in)
	if err != nil {
		return nil, err
	}
	const mostGain = 64 // greatest ratio of snappy
	if n > grammar.MaxBytes || n > mostGain*len(in) {
		return nil, fmt.Errorf("snappy claims %d bytes of %d", n, len(in))
	}
	out, err := snappy.Decode(nil, in)
	return bytes.NewReader(out), err
}

// openLZMA reads an .xz or .lzma stream, whichever it is.
func openLZMA(in []byte) (io.Reader, error) {
	const xzHead = 12 // size of the header before the first block
	if bytes.HasPrefix(in, []byte("\xfd7zXZ\x00")) {
		// The block begins with its size, flags, and LZMA2 as its only filter: 21 01 and the window as exponent and
		// mantissa.
		if i := bytes.Index(in[min(xzHead, len(in)):min(xzHead+64, len(in))], []byte{0x21, 0x01}); i >= 0 && xzHead+i+2 < len(in) {
			if e := in[xzHead+i+2]; int64(2|e&1)<<(e/2+11) > maxWindow {
				return nil, errWindow
			}
		}
		return xz.ReaderConfig{DictCap: 1 << 20, SingleStream: true}.NewReader(bytes.NewReader(in))
	}
	if len(in) >= 5 && binary.LittleEndian.Uint32(in[1:]) > maxWindow {
		return nil, errWindow
	}
	return lzma.NewReader(bytes.NewReader(in))
}

var errWindow = fmt.Errorf("it refers further back than %d bytes, which is this program's limit", maxWindow)

func rotate(b []byte, n int) []byte {
	out := make([]byte, len(b))
	for i, c := range b {
		out[i] = bits.RotateLeft8(c, n)
	}
	return out
}

func xor(ctx context.Context, b []byte, key grammar.Value) ([]byte, error) {
	var k []byte
	if blob := key.Blob(); blob != nil {
		var err error
		if k, err = blob.Read(ctx); err != nil {
			return nil, err
		}
	} else {
		n, _ := key.Int()
		k = []byte{byte(n)}
	}
	if len(k) == 0 {
		return nil, errors.New("the key of xor has no bytes")
	}
	out := make([]byte, len(b))
	for i, c := range b {
		out[i] = c ^ k[i%len(k)]
	}
	return out, nil
}

// limited reads the output of a codec, up to the limits of the engine and of memory. It returns the output before an
// error.
func limited(ctx context.Context, at model.Span, r io.Reader) ([]byte, error) {
	most := int(min(grammar.MaxBytes, source.CacheLimit()/3)) // the bytes are held twice for a moment
	var pieces [][]byte
	var piece []byte
	size := 0
	for {
		if len(piece) == cap(piece) {
			piece = make([]byte, 0, 64<<10)
			pieces = append(pieces, nil)
		}
		n, err := r.Read(piece[len(piece):cap(piece)])
		piece = piece[:len(piece)+n]
		pieces[len(pieces)-1], size = piece, size+n
		switch {
		case ctx.Err() != nil:
			return nil, ctx.Err()
		case size > most:
			return nil, model.Problemf(model.Limit, ruleLimit, at, "it comes to more than %d bytes, which is this program's limit; --max-memory raises it up to %d",
				most, grammar.MaxBytes)
		case errors.Is(err, io.EOF):
			return slices.Concat(pieces...), nil
		case err != nil:
			return slices.Concat(pieces...), err
		}
	}
}
