package inspect

import (
	"encoding/hex"
	"image/color"
	"strings"
	"testing"
)

// bytesOf reads hexadecimal digits with blanks.
func bytesOf(t *testing.T, digits string) []byte {
	t.Helper()
	b, err := hex.DecodeString(strings.ReplaceAll(digits, " ", ""))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// rowOf is the row of that name.
func rowOf(t *testing.T, b []byte, name string) Row {
	t.Helper()
	for _, r := range Read(b) {
		if r.Name == name {
			return r
		}
	}
	t.Fatalf("no row %s", name)
	return Row{}
}

// said is a value, or why there is none.
func said(v Value) string {
	if v.Text == "" {
		return "— " + v.Why
	}
	return v.Text
}

// TestRows: a vector or more for every row.
func TestRows(t *testing.T) {
	tested := make(map[string]bool)
	const no = "— outside 1980–2100"
	for _, k := range []struct {
		name, bytes, little, big string
		len                      int
	}{
		{"u8", "ff", "255   0xff", "", 1},
		{"i8", "80", "-128", "", 1},
		{"u16", "0102", "513   0x201", "258   0x102", 2},
		{"i16", "ff fe", "-257", "-2", 2},
		{"u24", "01 02 83", "8585729   0x830201", "66179   0x10283", 3},
		{"i24", "01 02 83", "-8191487", "66179", 3},
		{"u32", "78563412 00", "305419896   0x12345678", "2018915346   0x78563412", 4},
		{"i32", "fe ff ff ff", "-2", "-16777217", 4},
		{"u64", "0100000000000080", "9223372036854775809", "72057594037928064", 8},
		{"u64, hex", "0100000000000080", "0x8000000000000001", "0x100000000000080", 8},
		{"i64", "ffffffffffffff7f", "9223372036854775807", "-129", 8},
		{"half", "66 2e", "0.1", "1582", 2},
		{"half", "00 7c", "Infinity", "7.4e-06", 2},
		{"float", "cdcccc3d", "0.1", "-429492130", 4},
		{"float", "7fc00000", "6.9055e-41", "NaN", 4},
		{"double", "182d4454fb210940", "3.141592653589793", "3.207375630676366e-192", 8},
		{"bool", "00", "false", "", 1},
		{"bool", "01", "true", "", 1},
		{"bool", "02", "— neither 0 nor 1", "", 0},
		{"ULEB128", "e5 8e 26 ff", "624485   0x98765   3 bytes", "", 3},
		{"ULEB128", "00", "0   0x0   1 byte", "", 1},
		{"ULEB128", "ffffffffffffffffff01", "18446744073709551615   0xffffffffffffffff   10 bytes", "", 10},
		{"ULEB128", "ffffffffffffffffff02", "— more than 64 bits", "", 0},
		{"ULEB128", "80 80 80", "— the source ends inside it", "", 0},
		{"ULEB128", "80808080808080808080 00", "— more than 64 bits", "", 0},
		{"SLEB128", "c0 bb 78", "-123456   3 bytes", "", 3},
		{"SLEB128", "3f", "63   1 byte", "", 1},
		{"SLEB128", "40", "-64   1 byte", "", 1},
		{"SLEB128", "8080808080808080807f", "-9223372036854775808   10 bytes", "", 10},
		{"SLEB128", "ffffffffffffffffff00", "9223372036854775807   10 bytes", "", 10},
		{"SLEB128", "ffffffffffffffffff01", "— more than 64 bits", "", 0},
		{"SLEB128", "80 80", "— the source ends inside it", "", 0},
		{"SLEB128", "80808080808080808080 00", "— more than 64 bits", "", 0},
		{"UTF-8 character", "41", "'A'   U+0041", "", 1},
		{"UTF-8 character", "00", `'\x00'   U+0000`, "", 1},
		{"UTF-8 character", "e2 82 ac 20", "'€'   U+20AC", "", 3},
		{"UTF-8 character", "f0 9f 90 92", "'🐒'   U+1F412", "", 4},
		{"UTF-8 character", "ef bf bd", "'�'   U+FFFD", "", 3},
		{"UTF-8 character", "80", "— not UTF-8", "", 0},
		{"UTF-8 character", "e2 82", "— the source ends inside it", "", 0},
		{"UTF-8 text", "50 58 52 2d c3 a4 00 41", `"PXR-ä"   6 bytes`, "", 6},
		{"UTF-8 text", "41 0a 09 22", `"A\n\t\""   4 bytes`, "", 4},
		{"UTF-8 text", "01", "— no printable text", "", 0},
		{"UTF-8 text", strings.Repeat("78", 70), `"` + strings.Repeat("x", 64) + `"…   64 bytes`, "", 64},
		{"UTF-16 character", "41 00", "'A'   U+0041", "'䄀'   U+4100", 2},
		{"UTF-16 character", "3d d8 12 dc", "'🐒'   U+1F412", "'㷘'   U+3DD8", 4},
		{"UTF-16 character", "12 dc 41 00", "— half of a surrogate pair", "'ዜ'   U+12DC", 2},
		{"UTF-16 character", "3d d8", "— the source ends inside it", "'㷘'   U+3DD8", 2},
		{"UTF-16 text", "48 00 69 00 00 00", `"Hi"   4 bytes`, `"䠀椀"   4 bytes`, 4},
		{"UTF-16 text", "00 00", "— no printable text", "— no printable text", 0},
		{"Unix s, u32", "00e10b5e 00", "2020-01-01T00:00:00Z", no, 4},
		{"Unix s, i64", "00e10b5e00000000", "2020-01-01T00:00:00Z", no, 8},
		{"Unix ms, i64", "01e8665e6f010000", "2020-01-01T00:00:00.001Z", no, 8},
		{"Unix µs, i64", "0140fac1089b0500", "2020-01-01T00:00:00.000001Z", no, 8},
		{"Unix ns, i64", "01008ab9359ae515", "2020-01-01T00:00:00.000000001Z", no, 8},
		{"Unix ns, i64", "ffffffffffffffff", no, no, 0},
		{"Unix s, double", "41d782f840100000", no, "2020-01-01T00:00:00.25Z", 8},
		{"Unix s, double", "7ff8000000000000", no, no, 0},
		{"FILETIME", "0100056936c0d501", "2020-01-01T00:00:00.0000001Z", no, 8},
		{"FILETIME", "ffffffffffffffff", no, no, 0},
		{".NET ticks", "01007c8b4d8ed748", "2020-01-01T00:00:00.0000001Z", no, 8},
		{".NET ticks", "08d78e4d8b7c0000", no, "2020-01-01T00:00:00Z", 8},
		{"DOS time", "bd6c5d50", "2020-02-29T13:37:58 local", "2074-11-12T11:42:32 local", 4},
		{"DOS time", "bd6c5d52", "— not a date", "2074-11-12T11:42:36 local", 4},
		{"DOS time", "00000000", "— not a date", "— not a date", 0},
		{"RGBA, u8", "44 33 22 11", "#112233   alpha 68", "#443322   alpha 17", 4},
		{"ARGB, u8", "44 33 22 11", "#223344   alpha 17", "#332211   alpha 68", 4},
		{"RGB, float", "0000803f 0000003f 00000000", "1  0.5  0", "— not between 0 and 1", 12},
		{"RGB, float", "0000c07f 0000003f 00000000", "— not between 0 and 1", "— not between 0 and 1", 0},
		{"GUID", "00112233445566778899aabbccddeeff", "33221100-5544-7766-8899-aabbccddeeff", "00112233-4455-6677-8899-aabbccddeeff", 16},
	} {
		tested[k.name] = true
		r := rowOf(t, bytesOf(t, k.bytes), k.name)
		if got := said(r.Little); got != k.little {
			t.Errorf("%s of %s, little endian: %s, want %s", k.name, k.bytes, got, k.little)
		}
		if got := said(r.Big); r.Ordered && got != k.big {
			t.Errorf("%s of %s, big endian: %s, want %s", k.name, k.bytes, got, k.big)
		}
		if r.Len != k.len || r.Ordered != (k.big != "") {
			t.Errorf("%s of %s takes %d bytes, ordered %t", k.name, k.bytes, r.Len, r.Ordered)
		}
	}
	for _, r := range Read(nil) {
		if !tested[r.Name] {
			t.Errorf("%s is not tested", r.Name)
		}
	}
}

// TestEnd: with too few bytes a row says how many it takes, and how many there are.
func TestEnd(t *testing.T) {
	for n, want := range map[int]string{0: "the source ends here", 3: "only 3 of 16 bytes"} {
		r := rowOf(t, make([]byte, n), "GUID")
		if r.Little.Why != want || r.Big.Why != want || r.Len != 0 || r.Little.Text != "" {
			t.Errorf("%d bytes: %+v", n, r)
		}
	}
	names := Read(nil)
	for n := range Most + 2 {
		rows := Read(make([]byte, n))
		if len(rows) != len(names) {
			t.Fatalf("%d rows of %d bytes, %d of none", len(rows), n, len(names))
		}
		for i, r := range rows {
			if r.Name != names[i].Name || r.Len > n || (r.Little.Text == "") == (r.Little.Why == "") {
				t.Errorf("%d bytes: %+v", n, r)
			}
		}
	}
}

func TestColors(t *testing.T) {
	r := rowOf(t, []byte{1, 2, 3, 4}, "RGBA, u8")
	if r.Little.Color != (color.NRGBA{R: 4, G: 3, B: 2, A: 1}) || r.Big.Color != (color.NRGBA{R: 1, G: 2, B: 3, A: 4}) {
		t.Errorf("%+v", r)
	}
	half := bytesOf(t, "0000003f 00000000 0000803f")
	if c := rowOf(t, half, "RGB, float").Little.Color; c != (color.NRGBA{R: 188, G: 0, B: 255, A: 255}) {
		t.Errorf("linear 0.5, 0, 1 is shown as %v", c)
	}
	tiny := bytesOf(t, "01000000 00000000 00000000")
	if v := rowOf(t, tiny, "RGB, float").Little; v.Text != "" {
		t.Errorf("taken for a colour: %+v", v)
	}
}

// FuzzRead: no bytes make a reading fail, or take more than there are.
func FuzzRead(f *testing.F) {
	f.Add([]byte("PXR-USDC\x00\x08\x00\x00\x00\x00\x00\x00"))
	f.Fuzz(func(t *testing.T, b []byte) {
		for _, r := range Read(b) {
			if r.Len < 0 || r.Len > min(len(b), Most) || r.Ordered && (r.Big.Text == "") == (r.Big.Why == "") {
				t.Errorf("%+v", r)
			}
		}
	})
}
