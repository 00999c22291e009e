package hexview

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"strings"

	"cutaway/model"
)

// A CopyFormat is a way to write bytes as text.
type CopyFormat struct {
	Name  string // identifier: "hex"
	Title string // for menus
	write func(b *strings.Builder, p []byte)
}

// CopyFormats lists the formats, that of Ctrl+C first.
var CopyFormats = []CopyFormat{
	{"hex", "Hex", writeHex},
	{"text", "Text", writeText},
	{"c", "C array", writeC},
	{"go", "Go slice", writeGo},
	{"base64", "Base64", writeBase64},
}

// CopyLimit is the most bytes that can be copied; more need an export.
const CopyLimit = 4 << 20

// Copy returns ranges of src, one after another, as text in a format. It fails, with an error for the user, if the
// format is unknown, if the ranges are empty or exceed CopyLimit, or if bytes cannot be read.
func Copy(ctx context.Context, src *model.Source, format string, ranges ...Range) (string, error) {
	f, err := formatByName(format)
	if err != nil {
		return "", err
	}
	var length int64
	for _, r := range ranges {
		if length += r.Len; r.Len > CopyLimit || length > CopyLimit {
			return "", fmt.Errorf("more than %d MiB are selected, which is the most that can be copied: export them instead", CopyLimit>>20)
		}
	}
	if src == nil || length <= 0 {
		return "", errors.New("no bytes are selected")
	}
	p := make([]byte, 0, length)
	for _, r := range ranges {
		part, err := src.Bytes(ctx, r.Off, r.Len)
		if err != nil {
			return "", fmt.Errorf("the %d bytes at %#x cannot be read: %w", r.Len, r.Off, err)
		}
		p = append(p, part...)
	}
	var b strings.Builder
	f.write(&b, p)
	return b.String(), nil
}

func formatByName(name string) (CopyFormat, error) {
	for _, f := range CopyFormats {
		if f.Name == name {
			return f, nil
		}
	}
	return CopyFormat{}, fmt.Errorf("%q is no way to copy bytes", name)
}

const hexDigits = "0123456789abcdef"

func writeHex(b *strings.Builder, p []byte) {
	b.Grow(3 * len(p))
	for i, c := range p {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteByte(hexDigits[c>>4])
		b.WriteByte(hexDigits[c&15])
	}
}

// writeText writes bytes as UTF-8. Invalid bytes become U+FFFD, and zero bytes, which end a text on some clipboards,
// dots.
func writeText(b *strings.Builder, p []byte) {
	b.WriteString(strings.ReplaceAll(strings.ToValidUTF8(string(p), "\uFFFD"), "\x00", "."))
}

func writeC(b *strings.Builder, p []byte) {
	fmt.Fprintf(b, "const unsigned char data[%d] = {\n", len(p))
	writeElements(b, p)
	b.WriteString("};\n")
}

func writeGo(b *strings.Builder, p []byte) {
	b.WriteString("var data = []byte{\n")
	writeElements(b, p)
	b.WriteString("}\n")
}

// writeElements writes twelve bytes a line, in gofmt's style.
func writeElements(b *strings.Builder, p []byte) {
	const perLine = 12
	b.Grow(6 * len(p))
	for i, c := range p {
		if i%perLine == 0 {
			b.WriteByte('\t')
		}
		b.WriteString("0x")
		b.WriteByte(hexDigits[c>>4])
		b.WriteByte(hexDigits[c&15])
		b.WriteByte(',')
		if i%perLine == perLine-1 || i == len(p)-1 {
			b.WriteByte('\n')
		} else {
			b.WriteByte(' ')
		}
	}
}

func writeBase64(b *strings.Builder, p []byte) {
	b.WriteString(base64.StdEncoding.EncodeToString(p))
}
