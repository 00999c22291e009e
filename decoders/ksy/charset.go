package ksy

import (
	"fmt"
	"strings"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/htmlindex"
	"golang.org/x/text/encoding/ianaindex"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/encoding/unicode/utf32"
)

// charsets holds the encodings that golang.org/x/text does not index under the language's name.
var charsets = map[string]encoding.Encoding{
	"UTF-16LE": unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM), "UTF-16BE": unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM),
	"UTF-32LE": utf32.UTF32(utf32.LittleEndian, utf32.IgnoreBOM), "UTF-32BE": utf32.UTF32(utf32.BigEndian, utf32.IgnoreBOM),
	"IBM437": charmap.CodePage437, "IBM850": charmap.CodePage850, "IBM852": charmap.CodePage852, "IBM855": charmap.CodePage855,
	"IBM858": charmap.CodePage858, "IBM860": charmap.CodePage860, "IBM862": charmap.CodePage862, "IBM863": charmap.CodePage863,
	"IBM865": charmap.CodePage865, "IBM866": charmap.CodePage866, "IBM037": charmap.CodePage037, "IBM1047": charmap.CodePage1047,
	"IBM01140": charmap.CodePage1140, "ISO-8859-1": charmap.ISO8859_1, "ISO-8859-9": charmap.ISO8859_9, "ISO-8859-11": charmap.Windows874,
	"windows-31j": nil, "windows-949": nil,
}

// charset returns the encoding with the language's name.
func charset(name string) (encoding.Encoding, error) {
	if e := charsets[name]; e != nil {
		return e, nil
	}
	key := map[string]string{"windows-31j": "shift_jis", "SJIS": "shift_jis", "windows-949": "euc-kr", "x-mac-cyrillic": "x-mac-cyrillic"}[name]
	if key == "" {
		key = name
	}
	if e, err := htmlindex.Get(key); err == nil {
		return e, nil
	}
	if e, err := ianaindex.IANA.Encoding(key); err == nil && e != nil {
		return e, nil
	}
	return nil, fmt.Errorf("the encoding %q is not known", name)
}

// decode returns bytes as text. Invalid UTF-8 and ASCII are returned unchanged, for the value to show.
func decode(name string, b []byte) (string, error) {
	if n := strings.ToUpper(name); n == "UTF-8" || n == "ASCII" || n == "" {
		return string(b), nil
	}
	e, err := charset(canonicalName(name))
	if err != nil {
		return "", err
	}
	out, err := e.NewDecoder().Bytes(b)
	return string(out), err
}

// encode returns text as bytes.
func encode(name, text string) ([]byte, error) {
	if n := strings.ToUpper(name); n == "UTF-8" || n == "ASCII" {
		return []byte(text), nil
	}
	e, err := charset(canonicalName(name))
	if err != nil {
		return nil, err
	}
	return e.NewEncoder().Bytes([]byte(text))
}

// canonicalName returns the language's name of an encoding in an expression.
func canonicalName(name string) string {
	if known := canonical[encodingKey(name)]; known != "" {
		return known
	}
	return name
}
