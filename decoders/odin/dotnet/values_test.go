package dotnet

import (
	"encoding/hex"
	"math"
	"testing"
)

// TestStrings is chapter 3: both widths, pairs and lone surrogates.
func TestStrings(t *testing.T) {
	for _, v := range []struct {
		hex  string
		wide bool
		want string
	}{
		{"68fc", false, "hü"}, {"55004400", true, "UD"}, {"3dd800de", true, "😀"},
		{"3dd8", true, "\xed\xa0\xbd"}, {"00de6100", true, "\xed\xb8\x80a"}, {"", true, ""},
	} {
		if got := DecodeText(unhexed(t, v.hex), v.wide); got != v.want {
			t.Errorf("%s is %q, want %q", v.hex, got, v.want)
		}
	}
}

// TestDates is the meanings of chapter 8.
func TestDates(t *testing.T) {
	for v, want := range map[int64]string{
		0:                                  "0001-01-01T00:00:00",
		637134336000000000:                 "2020-01-01T00:00:00",
		637134336000000000 | 1<<62:         "2020-01-01T00:00:00Z",
		637134336000000001 | math.MinInt64: "2020-01-01T00:00:00.0000001Z (local time)",
		3155378975999999999:                "9999-12-31T23:59:59.9999999",
	} {
		if got := DateTime(v); got != want {
			t.Errorf("%d is %s, want %s", v, got, want)
		}
	}
	for v, want := range map[int64]string{
		0: "00:00:00", 54000000000: "01:30:00", -1: "-00:00:00.0000001", 864000000000 * 3: "3.00:00:00",
		math.MinInt64: "-10675199.02:48:05.4775808",
	} {
		if got := TimeSpan(v); got != want {
			t.Errorf("%d is %s, want %s", v, got, want)
		}
	}
}

// unhexed returns the bytes of hex digits.
func unhexed(t *testing.T, s string) []byte {
	t.Helper()
	b, err := hex.DecodeString(s)
	if err != nil {
		t.Fatal(err)
	}
	return b
}
