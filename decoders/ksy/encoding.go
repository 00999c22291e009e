package ksy

import "strings"

// encodings maps the language's encoding names to their aliases.
var encodings = map[string]string{
	"ASCII": "us-ascii ansi_x3.4-1968 iso646-us iso_646.irv:1991 ibm367 cp367 csascii us", "UTF-8": "utf8 csutf8",
	"UTF-16BE": "utf16be utf_16be", "UTF-16LE": "utf16le utf_16le", "UTF-32BE": "utf32be utf_32be", "UTF-32LE": "utf32le utf_32le",
	"ISO-8859-1": "latin1 l1 ibm819 cp819", "ISO-8859-2": "latin2 l2", "ISO-8859-3": "latin3 l3", "ISO-8859-4": "latin4 l4",
	"ISO-8859-5": "cyrillic", "ISO-8859-6": "arabic", "ISO-8859-7": "greek", "ISO-8859-8": "hebrew", "ISO-8859-9": "latin5 l5",
	"ISO-8859-10": "latin6 l6", "ISO-8859-11": "tis-620", "ISO-8859-13": "latin7", "ISO-8859-14": "latin8", "ISO-8859-15": "latin9",
	"ISO-8859-16": "latin10", "windows-1250": "cp1250", "windows-1251": "cp1251", "windows-1252": "cp1252", "windows-1253": "cp1253",
	"windows-1254": "cp1254", "windows-1255": "cp1255", "windows-1256": "cp1256", "windows-1257": "cp1257", "windows-1258": "cp1258",
	"windows-874": "cp874", "IBM037": "cp037", "IBM437": "cp437 437", "IBM850": "cp850", "IBM852": "cp852", "IBM855": "cp855",
	"IBM858": "cp858", "IBM860": "cp860", "IBM862": "cp862", "IBM863": "cp863", "IBM865": "cp865", "IBM866": "cp866",
	"IBM1047": "cp1047", "IBM01140": "cp1140", "KOI8-R": "koi8r", "KOI8-U": "koi8u", "macintosh": "mac macroman",
	"x-mac-cyrillic": "maccyrillic", "SJIS": "shift_jis shift-jis ms_kanji csshiftjis", "windows-31j": "cp932 ms932",
	"EUC-JP": "eucjp", "ISO-2022-JP": "iso2022jp", "EUC-KR": "euckr", "windows-949": "cp949", "GBK": "cp936", "GB2312": "euc-cn",
	"GB18030": "gb-18030", "HZ-GB-2312": "hz", "Big5": "big-5 csbig5",
}

// canonical maps every name and alias, as an encodingKey, to its name.
var canonical = func() map[string]string {
	out := map[string]string{}
	for name, others := range encodings {
		out[encodingKey(name)] = name
		for _, other := range strings.Fields(others) {
			out[encodingKey(other)] = name
		}
	}
	return out
}()

// encodingKey returns a name without case and separators, so that iso8859-1 and ISO_8859-1 are equal.
func encodingKey(name string) string {
	return strings.Replace(strings.ReplaceAll(strings.ToLower(name), "_", "-"), "iso-8859", "iso8859", 1)
}

// encodingName returns the canonical name of an encoding, or the name as written if it is unknown.
func (r *typeReader) encodingName(n *node) string {
	text, ok := r.text(n)
	if !ok {
		return ""
	}
	name := canonical[encodingKey(text)]
	switch {
	case name == "":
		r.report.warn(n, "the encoding %q is not known", text)
		return text
	case name != text:
		r.report.warn(n, "the encoding's usual name is %q", name)
	}
	return name
}

// unitSize returns the bytes of a code unit of an encoding.
func unitSize(encoding string) int {
	switch {
	case strings.HasPrefix(encoding, "UTF-16"):
		return 2
	case strings.HasPrefix(encoding, "UTF-32"):
		return 4
	}
	return 1
}
