package vrs

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"cutaway/decoders/vrs/container"
	"cutaway/decoders/vrs/layout"
	"cutaway/decoders/vrs/media"
)

// Chapters 7.1 and 7.2: record formats.

// A blockType is the kind of a content block.
type blockType uint8

const (
	customBlock blockType = iota
	layoutBlock
	imageBlock
	audioBlock
	emptyBlock
)

var blockTypeNames = [...]string{"custom", "data_layout", "image", "audio", "empty"}

func (t blockType) String() string { return blockTypeNames[t] }

// block is one content block of a record format.
type block struct {
	typ     blockType
	text    string
	size    int64  // from "size="; unset
	name    string // of a custom format
	image   media.ImageSpec
	audio   media.AudioSpec
	unknown []string       // options that are not known
	foreign bool           // the first is no option but a kind of block, which readers take for custom
	defined bool           // of a foreign block: the stream has its data layout
	layout  *layout.Layout // of a data layout block, or nil if the stream has none
}

// recordFormat is the format of the records of one stream, type and version.
type recordFormat struct {
	kind    container.RecordType
	version uint32
	text    container.Tag
	blocks  []block
}

// parseFormat reads a record format text.
func parseFormat(text string) []block {
	var blocks []block
	for _, part := range strings.Split(text, "+") {
		blocks = append(blocks, parseBlock(part))
	}
	for len(blocks) > 0 && blocks[len(blocks)-1].typ == emptyBlock {
		blocks = blocks[:len(blocks)-1] // trailing empty blocks do not count
	}
	return blocks
}

func parseBlock(text string) block {
	b := block{text: text, size: container.Unset}
	parts := strings.Split(text, "/")
	for i, p := range parts {
		if p == "" && i > 0 { // an empty part ends the description
			parts = parts[:i]
			break
		}
	}
	b.typ = customBlock
	for t, name := range blockTypeNames {
		if parts[0] == name {
			b.typ = blockType(t)
		}
	}
	if parts[0] != b.typ.String() {
		b.unknown, b.foreign = append(b.unknown, parts[0]), true
	}
	options := parts[1:]
	if len(options) > 0 {
		if value, ok := strings.CutPrefix(options[0], "size="); ok {
			if n, ok := leadingNumber(value, 32); ok {
				b.size = n
			} else {
				b.unknown = append(b.unknown, options[0])
			}
			options = options[1:]
		}
	}
	switch b.typ {
	case imageBlock:
		b.imageOptions(options)
	case audioBlock:
		b.audioOptions(options)
	case customBlock:
		b.customOptions(options)
	default:
		b.unknown = append(b.unknown, options...)
	}
	return b
}

// leadingNumber reads a decimal number from the start of a text; what follows it is ignored. One of more bits is not a
// number.
func leadingNumber(s string, bits int) (int64, bool) {
	n := 0
	for n < len(s) && s[n] >= '0' && s[n] <= '9' {
		n++
	}
	v, err := strconv.ParseUint(s[:n], 10, bits)
	return int64(v), err == nil
}

// leadingFloat reads the longest number that a text begins with.
func leadingFloat(s string) (float64, bool) {
	for n := len(s); n > 0; n-- {
		if v, err := strconv.ParseFloat(s[:n], 64); err == nil {
			return v, true
		}
	}
	return 0, false
}

// options of a block, each counted the first time only.
type options struct {
	b    *block
	seen map[string]bool
}

// first reports whether the option key has not been met.
func (o *options) first(key string) bool {
	if o.seen == nil {
		o.seen = map[string]bool{}
	}
	was := o.seen[key]
	o.seen[key] = true
	return !was
}

// accepts reports whether an option that is well formed has not been met.
func (o *options) accepts(ok bool, key string) bool { return ok && o.first(key) }

func (o *options) reject(option string) { o.b.unknown = append(o.b.unknown, option) }

// number takes the value of an option of at most so many bits.
func (o *options) number(option, key, value string, bits int, to *int64) {
	n, ok := leadingNumber(value, bits)
	if !ok {
		o.reject(option)
	} else if o.first(key) {
		*to = n
	}
}

// format returns the number of the format that a block's description begins with, among names, or 0 if it has none.
func (o *options) format(list, names []string) int {
	if len(list) == 0 {
		return 0
	}
	f := slices.Index(names, list[0])
	if f <= 0 {
		o.reject(list[0])
	}
	return max(f, 0)
}

// numberOption is an option that is a number of at most so many bits.
type numberOption struct {
	bits int
	to   *int64
}

// each takes the options after the first, which is the format: numbers, and by take the others, which it returns false
// for if it does not know them. What is not assigned has no key.
func (o *options) each(list []string, numbers map[string]numberOption, take func(key, value string) (known bool)) {
	for _, option := range list[min(1, len(list)):] {
		key, value, assigned := strings.Cut(option, "=")
		if n, ok := numbers[key]; ok && assigned {
			o.number(option, key, value, n.bits, n.to)
			continue
		}
		if !assigned {
			key, value = "", option
		}
		if assigned && key == "" || !take(key, value) {
			o.reject(option)
		}
	}
}

func (b *block) imageOptions(list []string) {
	s := &b.image
	s.Quality, s.KeyIndex, s.FromRecord = media.NoQuality, container.Unset, -1
	o := &options{b: b}
	s.Format = media.ImageFormat(o.format(list, media.ImageFormatNames[:]))
	numbers := map[string]numberOption{"stride": {32, &s.Stride}, "stride_2": {32, &s.Stride2}, "keyframe_index": {32, &s.KeyIndex}}
	o.each(list, numbers, func(key, value string) (known bool) { return o.image(key, value) })
}

// image takes an option of an image that is no whole number. It returns false if it is not known.
func (o *options) image(key, value string) (known bool) {
	s := &o.b.image
	switch key {
	case "":
		w, h, ok := dimensions(value)
		if o.accepts(ok, "size") {
			s.Width, s.Height = w, h
		}
		return ok
	case "pixel":
		code := media.PixelFormatCode(value)
		if o.accepts(code != 0, key) {
			s.Pixels = code
		}
		return code != 0
	case "codec":
		if o.first(key) {
			s.Codec = unescapeCodec(value)
		}
		return true
	case "codec_quality":
		if n, ok := leadingNumber(value, 32); o.first(key) && ok && n <= media.MaxQuality {
			s.Quality = n
		}
		return true
	case "keyframe_timestamp":
		v, ok := leadingFloat(value)
		if o.accepts(ok, key) {
			s.KeyTime = v
		}
		return ok
	}
	return false
}

// dimensions reads "640x480".
func dimensions(s string) (w, h int64, ok bool) {
	left, right, ok := strings.Cut(s, "x")
	if !ok {
		return 0, 0, false
	}
	w, okW := leadingNumber(left, 32)
	h, okH := leadingNumber(right, 32)
	return w, h, okW && okH && fmt.Sprint(w) == left
}

// unescapeCodec replaces "%" and two hex digits by the byte.
func unescapeCodec(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '%' && i+2 < len(s) {
			if n, err := strconv.ParseUint(s[i+1:i+3], 16, 8); err == nil {
				b.WriteByte(byte(n))
				i += 2
				continue
			}
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

func (b *block) audioOptions(list []string) {
	s := &b.audio
	s.FromRecord = -1
	o := &options{b: b}
	s.Format = media.AudioFormat(o.format(list, media.AudioFormatNames[:]))
	numbers := map[string]numberOption{"channels": {8, &s.Channels}, "rate": {32, &s.Rate}, "samples": {32, &s.Count}, "stride": {8, &s.Stride}}
	o.each(list, numbers, func(key, value string) (known bool) {
		code := media.SampleFormatCode(value)
		if o.accepts(key == "" && code != 0, "format") {
			s.Samples = code
		}
		return key == "" && code != 0
	})
}

// customNameBytes may be in the name of a custom format besides letters and digits.
const customNameBytes = "_-*.,;:!@~#&|[]{}'"

func (b *block) customOptions(list []string) {
	o := &options{b: b}
	for _, option := range list {
		value, ok := strings.CutPrefix(option, "format=")
		if !ok {
			o.reject(option)
		} else if o.first("format") {
			b.name = strings.Map(func(c rune) rune {
				if c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z' || strings.ContainsRune(customNameBytes, c) {
					return c
				}
				return '_'
			}, value)
		}
	}
}

// static returns the size in bytes that the format text alone gives the block, or unset.
func (b *block) static() int64 {
	switch {
	case b.typ == emptyBlock:
		return 0
	case b.size != container.Unset:
		return b.size
	case b.typ == imageBlock && b.image.Format == media.RawImage && b.image.Sized():
		return b.image.Size()
	case b.typ == audioBlock && b.audio.Format == media.PcmAudio && b.audio.Samples > 0 && b.audio.Channels > 0 && b.audio.Count > 0:
		return b.audio.Frame() * b.audio.Count
	}
	return container.Unset
}

// formatKey is the name of the tag that holds the format of records.
func formatKey(kind container.RecordType, version uint32) string {
	return fmt.Sprintf("RF:%s:%d", kind, version)
}

// layoutKey is the name of the tag that holds the data layout of block n.
func layoutKey(kind container.RecordType, version uint32, n int) string {
	return fmt.Sprintf("DL:%s:%d:%d", kind, version, n)
}
