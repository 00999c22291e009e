// Package unity reads Unity files in text form, line by line: the fields that carry Odin data, and the lists of objects
// beside them. The chapters named in comments are those of docs/formats/odin.md.
package unity

import (
	"bytes"
	"context"
	"fmt"
	"sort"
	"strings"

	"cutaway/decoders/odin/entry"
	"cutaway/decoders/odin/textio"
	"cutaway/model"
)

// A Field is a field with Odin data.
type Field struct {
	Carrier *Carrier
	object  int // its number in the file
	Code    Code
	Line    int64      // offset of the line with the key
	Value   model.Span // the characters, without quotes
	LineEnd int64      // offset after the payload's last line
	Nodes   bool       // Value is the Nodes list
	twin    int        // number of fields of this name before it in the object
}

// An object is one object of the file.
type object struct {
	off   int64
	line  int // number of its first line, from 1 on
	class string
	head  string // "!u!114 &11400000"
	name  string // m_Name
	owner string // id of its GameObject
}

// id returns the id by which other objects name the object.
func (o *object) id() string {
	_, id, _ := strings.Cut(o.head, "&")
	id, _, _ = strings.Cut(id, " ") // "stripped" may follow
	return id
}

// A File holds the objects and payloads of a Unity file.
type File struct {
	source    *model.Source
	objects   []object
	Fields    []*Field
	conflicts []conflict // in their order
	known     names
}

// A conflict is a line that Git has put between two versions of a part of a file.
type conflict struct {
	at     model.Span
	number int // of the line, from 1 on
	text   string
}

// IsYAML reports whether a text begins as Unity's YAML does.
func IsYAML(head []byte) bool {
	head = bytes.TrimPrefix(head, textio.ByteOrderMark)
	return bytes.HasPrefix(head, []byte("%YAML")) && bytes.Contains(head[:min(len(head), 512)], []byte("tag:unity3d.com")) ||
		bytes.HasPrefix(head, []byte("--- !u!"))
}

// Title returns the title of a tab with the bytes of the payload.
func (f *Field) Title() string { return fmt.Sprintf("%s of %s", f.Carrier.Field, f.Carrier) }

// Decoded returns a source of the bytes that the characters of the payload stand for. bad is the position of the first
// character that is wrong, or -1.
func (f *Field) Decoded(ctx context.Context) (src *model.Source, bad int64, err error) {
	return decode(ctx, f.Path()+"/value", f.Title(), f.Code, f.Value)
}

// headChars is the number of characters that beginning decodes.
const headChars = 4096

// Beginning returns the first bytes of the payload, or none if it is text by itself.
func (f *Field) Beginning(ctx context.Context) ([]byte, error) {
	if f.Nodes || f.Code == Scalar {
		return nil, nil
	}
	chars, err := f.Value.Source.Bytes(ctx, f.Value.Off, min(f.Value.Len, headChars))
	head, _ := f.Code.decode(chars)
	return head, err
}

// Damage returns the problem of a payload whose character bad is wrong. size is the number of bytes that those before
// it stand for.
func (f *Field) Damage(ctx context.Context, bad, size int64) model.Problem {
	at := f.Value.Source.Span(f.Value.Off+bad, min(1, f.Value.Len-bad))
	kind, found := model.Malformed, "nothing more"
	if at.Len > 0 {
		b, _ := at.Source.Bytes(ctx, at.Off, at.Len)
		found = fmt.Sprintf("%q", b)
	}
	if f.Code.cutOff(ctx, f.Value, bad) {
		kind = model.Truncated
	}
	return model.Problemf(kind, ruleTextCode, at, "the %s text is damaged at character %d; the %d bytes before it are decoded", f.Code, bad, size).
		Want("a character of "+f.Code.String(), found)
}

// Path returns the path of the field in the layout.
func (f *Field) Path() string {
	return f.Value.Source.LayoutPath() + "/" + model.IndexName(int64(f.object)) + "/" + model.NthSegment(f.Carrier.Field, f.twin+1)
}

// fieldsOf returns the payloads of an object.
func (f *File) fieldsOf(doc int) []*Field {
	first := sort.Search(len(f.Fields), func(i int) bool { return f.Fields[i].object >= doc })
	end := sort.Search(len(f.Fields), func(i int) bool { return f.Fields[i].object > doc })
	return f.Fields[first:end]
}

// A Carrier is the Unity object that holds a payload.
type Carrier struct {
	class   string // "MonoBehaviour"
	anchor  string // "&11400000"
	name    string // m_Name
	owner   string // id of the GameObject that the component belongs to
	On      string // its name, or "" if the file lacks it
	Format  string // SerializedFormat, or ""
	Field   string // name of the field
	Signed  bool   // the object has a signature of its program
	Objects entry.Externals
}

// String names the carrier in a few words.
func (c *Carrier) String() string {
	parts := []string{c.class, c.anchor}
	switch {
	case c.name != "":
		parts = append(parts, c.name)
	case c.On != "":
		parts = append(parts, "on "+c.On)
	}
	return strings.Join(parts, " ")
}
