package kind

import (
	"encoding/hex"
	"strings"
	"testing"

	"cutaway/model"
)

// TestScalars is the layouts of chapter 6.
func TestScalars(t *testing.T) {
	for _, v := range []struct {
		kind Kind
		hex  string
		want string
	}{
		{Decimal, "00 00 01 00 | 06 00 00 00 | 39 6C 36 2F | 81 9F 4E B1", "12345678901234567890.5"},
		{Decimal, "00 00 02 80 | 00 00 00 00 | 01 00 00 00 | 00 00 00 00", "-0.01"},
		{Decimal, "00 00 00 00 | ff ff ff ff | ff ff ff ff | ff ff ff ff", "79228162514264337593543950335"},
		{GUID, "33 22 11 00 55 44 77 66 88 99 AA BB CC DD EE FF", "00112233-4455-6677-8899-aabbccddeeff"},
		{Boolean, "00", "false"}, {Boolean, "01", "true"}, {Boolean, "02", "2"},
		{Char, "ac20", "€"}, {Char, "00d8", `\xed\xa0\x80`},
		{SByte, "f8", "-8"}, {Byte, "c8", "200"}, {Short, "80c1", "-16000"}, {UShort, "60ea", "60000"},
		{Int, "ffffffff", "-1"}, {UInt, "ffffffff", "4294967295"}, {Long, "ffffffffffffffff", "-1"},
		{ULong, "ffffffffffffffff", "18446744073709551615"}, {Float, "0000807f", "Infinity"}, {Double, "000000000000f8ff", "NaN"},
	} {
		b := unhexed(t, v.hex)
		if got := model.Show(t.Context(), v.kind.Scalar().Decode(b, false), 100); got != v.want {
			t.Errorf("%s %s is %q, want %q", v.kind, v.hex, got, v.want)
		}
		if size := v.kind.Scalar().Size(); size != int64(len(b)) {
			t.Errorf("%s has %d bytes, want %d", v.kind, size, len(b))
		}
	}
}

// TestIDs is the table of chapter 2.
func TestIDs(t *testing.T) {
	for id := range 256 {
		c := Codes[id]
		switch {
		case id == 0 || id == 0x2f || id == 0x30 || id > 0x33:
			if c.Kind != Invalid {
				t.Errorf("%#02x is an entry: %s", id, c.Name)
			}
		case c.Kind == Invalid:
			t.Errorf("%#02x is no entry", id)
		case id >= 9 && id <= 0x2e && c.Named != (id%2 == 1), id == 0x32 && !c.Named, id == 0x33 && c.Named:
			t.Errorf("%#02x: named is %t", id, c.Named)
		}
	}
	for id, name := range map[byte]string{
		1: "NamedStartOfReferenceNode", 4: "UnnamedStartOfStructNode", 6: "StartOfArray", 8: "PrimitiveArray", 9: "NamedInternalReference",
		0x0c: "UnnamedExternalReferenceByIndex", 0x23: "NamedDecimal", 0x28: "UnnamedString", 0x2a: "UnnamedGuid", 0x2e: "UnnamedNull",
		0x31: "EndOfStream", 0x32: "NamedExternalReferenceByString",
	} {
		if Codes[id].Name != name {
			t.Errorf("%#02x is %s, want %s", id, Codes[id].Name, name)
		}
	}
}

func unhexed(t *testing.T, s string) []byte {
	t.Helper()
	b, err := hex.DecodeString(strings.NewReplacer(" ", "", "|", "").Replace(s))
	if err != nil {
		t.Fatal(err)
	}
	return b
}
