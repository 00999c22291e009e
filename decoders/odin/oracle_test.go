package odin

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"io"
	"math"
	"regexp"
	"strings"
	"unicode/utf16"
)

// An oracle reads files by the format's page alone, with no code of the decoder: what it says of a file is a list of facts, one for each
// entry, and one for each line or token around them.
type oracle struct {
	facts []string
	b     []byte
	at    int
}

// errOracle is the panic of an oracle that cannot go on.
type errOracle string

// oracleFacts returns the facts of a file.
func oracleFacts(b []byte) (facts []string, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("the oracle: %v", r)
		}
	}()
	o := &oracle{}
	o.file(b)
	return o.facts, nil
}

func (o *oracle) say(format string, args ...any) {
	o.facts = append(o.facts, fmt.Sprintf(format, args...))
}

// The fields of Unity files (chapter 11).
var (
	hexField    = regexp.MustCompile(`^(\s*(?:SerializedBytes|serializedProgramCompressedBytes): )([0-9a-f]+)(\s*)$`)
	base64Field = regexp.MustCompile(`^(\s*(?:SerializedBytesString|serializedProgramBytesString|serializedPublicVariablesBytesString|value): )([A-Za-z0-9+/]{8,}=*)(\s*)$`)
	jsonToken   = regexp.MustCompile(`"(?:[^"\\]|\\.)*"|[{}\[\],:]|[^\s{}\[\],:"]+`)
)

func (o *oracle) file(b []byte) {
	switch {
	case bytes.HasPrefix(b, []byte("%YAML")):
		for line := range strings.SplitAfterSeq(string(b), "\n") {
			if m := hexField.FindStringSubmatch(line); m != nil {
				inner, err := hex.DecodeString(m[2])
				o.inside(m[1]+"…"+m[3], inner, err)
			} else if m := base64Field.FindStringSubmatch(line); m != nil {
				inner, err := base64.StdEncoding.DecodeString(m[2])
				o.inside(m[1]+"…"+m[3], inner, err)
			} else {
				o.say("line %s", line)
			}
		}
	case bytes.HasPrefix(b, []byte{0x1f, 0x8b}):
		r, err := gzip.NewReader(bytes.NewReader(b))
		if err != nil {
			panic(err)
		}
		o.say("gzip by system %d, %q", r.OS, r.Name)
		inner, err := io.ReadAll(r)
		o.inside("gzip", inner, err)
	case len(b) > 0 && (b[0] == '{' || b[0] == '"' || b[0] == 0xef):
		for _, token := range jsonToken.FindAllString(string(b), -1) {
			o.say("token %s", token)
		}
	default:
		o.b, o.at = b, 0
		for o.at < len(o.b) {
			o.entry()
		}
	}
}

func (o *oracle) inside(around string, b []byte, err error) {
	if err != nil {
		panic(err)
	}
	o.say("field %s", around)
	o.file(b)
}

// take returns the next n bytes.
func (o *oracle) take(n int) []byte {
	if n < 0 || o.at+n > len(o.b) {
		panic(errOracle(fmt.Sprintf("%d bytes at %#x", n, o.at)))
	}
	o.at += n
	return o.b[o.at-n : o.at]
}

func (o *oracle) int32() int32 { return int32(binary.LittleEndian.Uint32(o.take(4))) }

func (o *oracle) text() string {
	wide := o.take(1)[0] != 0
	n := int(o.int32())
	if !wide {
		return "narrow " + fmt.Sprint([]rune(string(o.take(n))))
	}
	units := make([]uint16, n)
	for i := range units {
		units[i] = binary.LittleEndian.Uint16(o.take(2))
	}
	return fmt.Sprintf("%q", string(utf16.Decode(units)))
}

// entry reads an entry (chapter 2).
func (o *oracle) entry() {
	id := int(o.take(1)[0])
	name := ""
	named := id >= 1 && id <= 4 && id%2 == 1 || id >= 0x09 && id <= 0x2e && id%2 == 1 || id == 0x32
	if named {
		name = o.text() + " "
	}
	if named && id != 0x32 {
		id++ // as the unnamed form
	}
	switch id {
	case 2, 4:
		typ := ""
		switch tag := o.take(1)[0]; tag {
		case 0x2f:
			typ = fmt.Sprintf("type %d = ", o.int32())
			typ += o.text()
		case 0x30:
			typ = fmt.Sprintf("type %d", o.int32())
		case 0x2e:
			typ = "no type"
		default:
			panic(errOracle(fmt.Sprintf("type tag %#x", tag)))
		}
		if id == 2 {
			typ += fmt.Sprintf(", node %d", o.int32())
		}
		o.say("%snode, %s", name, typ)
	case 5, 7:
		o.say("end %d", id)
	case 6:
		o.say("array of %d", binary.LittleEndian.Uint64(o.take(8)))
	case 8:
		n, size := int(o.int32()), int(o.int32())
		o.say("%d elements of %d bytes: % x", n, size, o.take(n*size))
	case 0x0a, 0x0c:
		o.say("%sreference %d to %d", name, id, o.int32())
	case 0x0e, 0x24, 0x2a:
		o.say("%s16 bytes %#x: % x", name, id, o.take(16))
	case 0x10, 0x12:
		o.say("%sint8 %d", name, o.take(1)[0])
	case 0x14, 0x16, 0x26:
		o.say("%sint16 %#x %d", name, id, binary.LittleEndian.Uint16(o.take(2)))
	case 0x18, 0x1a:
		o.say("%sint32 %#x %d", name, id, o.int32())
	case 0x1c, 0x1e:
		o.say("%sint64 %#x %d", name, id, int64(binary.LittleEndian.Uint64(o.take(8))))
	case 0x20:
		o.say("%sfloat %v", name, math.Float32frombits(uint32(o.int32())))
	case 0x22:
		o.say("%sdouble %v", name, math.Float64frombits(binary.LittleEndian.Uint64(o.take(8))))
	case 0x28, 0x32, 0x33:
		o.say("%sstring %s", name, o.text())
	case 0x2c:
		o.say("%sboolean %d", name, o.take(1)[0])
	case 0x2e:
		o.say("%snull", name)
	default:
		panic(errOracle(fmt.Sprintf("entry id %#x at %#x", id, o.at-1)))
	}
}
