package marks

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
	"unicode/utf8"

	"cutaway/model"
)

// Description returns a draft of a Kaitai Struct description of a file: its magic, and the marks on its bytes as
// fields. A mark that overlaps earlier ones becomes an instance; bytes between marks become unnamed fields.
func Description(ctx context.Context, file string, src *model.Source, list []Mark) (string, error) {
	head, err := src.Bytes(ctx, 0, min(src.Size(), mostMagic))
	if err != nil {
		return "", err
	}
	d := &descriptionWriter{used: map[string]bool{}}
	d.meta(file)
	var on []Mark
	for _, m := range sorted(list) {
		if m.Source == src.Name() && m.Length > 0 && src.Holds(m.Offset, m.Length) {
			on = append(on, m)
		}
	}
	for _, m := range d.magic(head, on) {
		d.mark(&m)
	}
	if d.at < src.Size() {
		fmt.Fprintf(&d.text, "  - id: %s\n    size-eos: true\n", d.unique("rest"))
	}
	if d.instances.Len() > 0 {
		d.text.WriteString("instances:\n" + d.instances.String())
	}
	return d.text.String(), nil
}

// meta writes the id and the extension.
func (d *descriptionWriter) meta(file string) {
	ext := strings.TrimPrefix(strings.ToLower(filepath.Ext(file)), ".")
	id := cmp.Or(identifier(ext), identifier(strings.TrimSuffix(filepath.Base(file), filepath.Ext(file))), "unknown_format")
	fmt.Fprintf(&d.text, "meta:\n  id: %s\n  title: %s\n", id, quoted("Files like "+filepath.Base(file)))
	if ext != "" {
		fmt.Fprintf(&d.text, "  file-extension: %s\n", quoted(ext))
	}
	d.text.WriteString("  endian: le\nseq:\n")
}

// magic writes the magic: the bytes of the first mark if it has no type, or else those before the first mark. It
// returns the marks that remain.
func (d *descriptionWriter) magic(head []byte, on []Mark) []Mark {
	first := int64(len(head))
	if len(on) > 0 {
		first = on[0].Offset
	}
	if n := magicOf(head); len(n) > 0 && int64(len(n)) <= first {
		fmt.Fprintf(&d.text, "  - id: %s\n    contents: %s\n", d.unique("magic"), contents(n))
		d.at = int64(len(n))
		return on
	}
	if len(on) == 0 || first > 0 || on[0].Type != "" || on[0].Length > int64(len(head)) {
		return on
	}
	d.field(&on[0], []string{"contents: " + contents(head[:on[0].Length])})
	d.at = on[0].Length
	return on[1:]
}

// mostMagic is the most bytes of a magic.
const mostMagic = 16

// magicOf returns the magic of files of a format: the text that they begin with, or else their first four bytes.
func magicOf(head []byte) []byte {
	const least, binary = 3, 4
	n := 0
	for n < min(len(head), mostMagic/2) && head[n] > ' ' && head[n] < 0x7f {
		n++
	}
	if n < least {
		n = min(len(head), binary)
	}
	return head[:n]
}

// contents returns bytes in the syntax of a description.
func contents(b []byte) string {
	if utf8.Valid(b) && bytes.IndexFunc(b, func(r rune) bool { return r < ' ' || r > '~' }) < 0 {
		return quoted(string(b))
	}
	parts := make([]string, len(b))
	for i, c := range b {
		parts[i] = fmt.Sprintf("0x%02x", c)
	}
	return "[" + strings.Join(parts, ", ") + "]"
}

// quoted returns a text in the syntax of YAML, a superset of JSON.
func quoted(s string) string {
	b, _ := json.Marshal(s) // never fails for text
	return string(b)
}

// A descriptionWriter is an unfinished description.
type descriptionWriter struct {
	text, instances strings.Builder
	used            map[string]bool
	at              int64 // end of the sequence
}

// mark writes a mark as a field of the sequence, or as an instance.
func (d *descriptionWriter) mark(m *Mark) {
	keys, size := kaitaiType(m)
	if m.Offset < d.at {
		name := d.name(m)
		fmt.Fprintf(&d.instances, "  %s:\n    pos: %#x\n", name, m.Offset)
		d.rest(&d.instances, name, m, keys)
		return
	}
	if m.Offset > d.at {
		fmt.Fprintf(&d.text, "  - id: %s\n    size: %d\n", d.unique(fmt.Sprintf("unknown_%x", d.at)), m.Offset-d.at)
	}
	d.field(m, keys)
	d.at = m.Offset + size
}

// field writes a field of the sequence.
func (d *descriptionWriter) field(m *Mark, keys []string) {
	name := d.name(m)
	fmt.Fprintf(&d.text, "  - id: %s\n", name)
	d.rest(&d.text, name, m, keys)
}

// rest writes a field after its id.
func (d *descriptionWriter) rest(to *strings.Builder, name string, m *Mark, keys []string) {
	for _, key := range keys {
		fmt.Fprintf(to, "    %s\n", key)
	}
	if note := strings.TrimSpace(m.Text); note != "" && note != name {
		fmt.Fprintf(to, "    doc: %s\n", quoted(note))
	}
}

// name returns a field's name from a mark.
func (d *descriptionWriter) name(m *Mark) string {
	first, _, _ := strings.Cut(m.Text, "\n")
	name := identifier(first)
	if name == "" {
		name = fmt.Sprintf("at_%x", m.Offset)
	}
	return d.unique(name)
}

// unique returns a name that no field has yet.
func (d *descriptionWriter) unique(name string) string {
	free := name
	for k := 2; d.used[free]; k++ {
		free = name + "_" + strconv.Itoa(k)
	}
	d.used[free] = true
	return free
}

// mostName is the greatest length of a name from a note.
const mostName = 40

// identifier returns a name of small letters, digits and _ from a text, or "" if no characters remain.
func identifier(text string) string {
	var b strings.Builder
	for _, r := range strings.ToLower(text) {
		letter := r >= 'a' && r <= 'z'
		switch {
		case b.Len() == mostName:
		case letter || r >= '0' && r <= '9' && b.Len() > 0:
			b.WriteRune(r)
		case b.Len() > 0 && !strings.HasSuffix(b.String(), "_"):
			b.WriteByte('_')
		}
	}
	return strings.Trim(b.String(), "_")
}

// kaitaiType returns the type of a mark as keys of a description, and its number of bytes. Marks become bytes if the
// type does not fit or is f16, which Kaitai Struct lacks.
func kaitaiType(m *Mark) (keys []string, size int64) {
	raw := []string{fmt.Sprintf("size: %d", m.Length)}
	t, err := ParseType(m.Type)
	if m.Type == "" || err != nil {
		return raw, m.Length
	}
	if t.number == model.NoNumber {
		encoding := "UTF-8"
		switch {
		case t.wide && t.big:
			encoding = "UTF-16BE"
		case t.wide:
			encoding = "UTF-16LE"
		}
		return []string{"type: str", raw[0], "encoding: " + encoding}, m.Length
	}
	name := kaitaiNumbers[t.number]
	one := t.number.Size()
	if name == "" || m.Length < one || m.Length < t.Size() {
		return raw, m.Length
	}
	if one > 1 && t.big {
		name += "be"
	} else if one > 1 {
		name += "le"
	}
	keys = []string{"type: " + name}
	if !t.many {
		return keys, one
	}
	count := t.count
	if count == 0 {
		count = m.Length / one
	}
	return append(keys, "repeat: expr", fmt.Sprintf("repeat-expr: %d", count)), count * one
}

// kaitaiNumbers maps kinds of numbers to Kaitai Struct's types.
var kaitaiNumbers = map[model.NumberKind]string{
	model.NumberBool: "u1", model.NumberI8: "s1", model.NumberU8: "u1", model.NumberI16: "s2", model.NumberU16: "u2", model.NumberI32: "s4",
	model.NumberU32: "u4", model.NumberI64: "s8", model.NumberU64: "u8", model.NumberF32: "f4", model.NumberF64: "f8",
}
