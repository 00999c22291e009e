package checksum

import "testing"

// Every CRC gives the check value of the catalogue, in whatever pieces it is written.
func TestCRCs(t *testing.T) {
	seen := map[string]bool{}
	for i := range CRCs {
		c := &CRCs[i]
		h := c.begin(c.newTable())
		h.write([]byte("1234"))
		h.write([]byte("56789"))
		if got := h.sum(); got != c.Check || seen[c.Name] {
			t.Errorf("%s of 123456789 is %#x, want %#x", c.Name, got, c.Check)
		}
		seen[c.Name] = true
	}
}

// The others give what their definitions or their makers' examples do.
func TestOthers(t *testing.T) {
	for _, c := range []struct {
		size       int
		name, text string
		want       uint64
	}{
		{4, "Adler-32", "Wikipedia", 0x11e60398}, {2, "Fletcher-16", "abcde", 0xc8f0}, {2, "Fletcher-16", "abcdefgh", 0x0627},
		{4, "Fletcher-32", "abcde", 0xf04fc729}, {4, "Fletcher-32", "abcdef", 0x56502d2a}, {8, "Fletcher-64", "abcde", 0xc8c6c527646362c6},
		{8, "Fletcher-64", "abcdefgh", 0x312e2b28cccac8c6}, {4, "FNV-1a (32 bits)", "foobar", 0xbf9cf968}, {4, "FNV-1 (32 bits)", "foobar", 0x31f0b262},
		{8, "FNV-1a (64 bits)", "foobar", 0x85944171f73967e8}, {8, "FNV-1 (64 bits)", "foobar", 0x340d8765a4dda9c2}, {8, "xxHash64", "", 0xef46db3751d8e999},
		{2, "Internet checksum (RFC 1071)", "\x00\x01\xf2\x03\xf4\xf5\xf6\xf7", 0x220d},
		{1, "sum of bytes", "\xff\x03", 0x02}, {1, "XOR of bytes", "\xf0\x3c", 0xcc}, {2, "negated sum of bytes", "\x01", 0xffff},
		{2, "sum of little-endian words", "\x01\x02\x03", 0x0204}, {2, "XOR of big-endian words", "\x01\x02\x03", 0x0202},
	} {
		h := begin(t, c.size, c.name)
		h.write([]byte(c.text))
		if got := h.sum() & (1<<(8*c.size) - 1); got != c.want {
			t.Errorf("%s of %q is %#x, want %#x", c.name, c.text, got, c.want)
		}
	}
	h := begin(t, 2, "BSD sum")
	want := uint16(0)
	for _, b := range []byte("hello, world") {
		want = want>>1 + want&1<<15 + uint16(b)
		h.write([]byte{b})
	}
	if got := h.sum(); got != uint64(want) {
		t.Errorf("BSD sum is %#x, want %#x", got, want)
	}
}

func begin(t *testing.T, size int, name string) hash {
	t.Helper()
	for _, a := range Of(size) {
		if a.Name == name {
			return a.begin()
		}
	}
	t.Fatalf("no %s of %d bytes", name, size)
	return nil
}
