package search

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"cutaway/model"
)

// everyMatch returns what a pattern finds, as offset+length.
func everyMatch(t *testing.T, p *Pattern, data []byte) (all []string) {
	t.Helper()
	src := model.NewFileSource("f", model.BytesReader(data))
	err := Bytes(t.Context(), src, p, 0, -1, nil, func(off, length int64) error {
		all = append(all, fmt.Sprintf("%d+%d", off, length))
		return nil
	})
	if err != nil {
		t.Error(err)
	}
	return all
}

// TestKinds: regular expressions, several texts and ranges of numbers are found, each in the form that it has.
func TestKinds(t *testing.T) {
	data := []byte("leg_1 leg_22 \xff\xd8\xffé oak\x00\x00\x00\x00\x3f\x00\x00\x80\xbf o\x00a\x00k\x00")
	for _, c := range []struct {
		text string
		form Form
		want string
		as   Form
	}{
		{"/leg_[0-9]+/", Auto, "0+5 6+6", Regexp},
		{"leg_.", Regexp, "0+5 6+5", Regexp},
		{`/\xff[\xd0-\xdf]/`, Auto, "13+2", Regexp},
		{"/é/", Auto, "16+2", Regexp},
		{`"oak" "leg"`, Auto, "0+3 6+3 19+3 32+6", UTF8},
		{`"oak"`, Auto, "19+3 32+6", UTF8},
		{"f32:0.4..0.6", Auto, "23+4", F32LE},
		{"0.4..0.6", F32LE, "23+4", F32LE},
		{"<-0.9 ", F32LE, "27+4", F32LE},
		{"0.5 -1", F32LE, "23+8", F32LE},
		{"0.4..0.6 <0", F32LE, "23+8", F32LE},
		{"u8:>0xd0", Auto, "13+1 14+1 15+1", U8},
		{"utf16:oak", Auto, "32+6", UTF16LE},
	} {
		p, err := ParsePattern(c.text, c.form, PatternOptions{})
		if err != nil {
			t.Errorf("%s: %v", c.text, err)
			continue
		}
		if got := strings.Join(everyMatch(t, p, data), " "); c.text == "<-0.9 " {
			if !strings.Contains(got, c.want) {
				t.Errorf("%s: found at %s, without %s", c.text, got, c.want)
			}
		} else if got != c.want {
			t.Errorf("%s as %s: found at %s, want %s", c.text, c.form, got, c.want)
		}
		var off, length int
		if _, err := fmt.Sscanf(c.want, "%d+%d", &off, &length); err != nil || p.FormOf(data[off:off+length]) != c.as {
			t.Errorf("%s: is found as %s, want %s", c.text, p.FormOf(data[off:off+length]), c.as)
		}
	}
}

// TestKindsWrong: what cannot be searched for is refused in words.
func TestKindsWrong(t *testing.T) {
	for text, want := range map[string]string{
		"/a*/": "matches no bytes at all", "/^a/": "look at what is around", `/a\b/`: "look at what is around", "/(/": "is no regular expression",
		"u8:5..": "", "u8:9..1": "ends before it begins", "u8:>x": "comes a number", "f32:1..x": "a number at each end",
	} {
		_, err := ParsePattern(text, Auto, PatternOptions{})
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
}

// TestExpressionAcrossBlocks: the matches of an expression are the same wherever blocks end.
func TestExpressionAcrossBlocks(t *testing.T) {
	p, err := ParsePattern("/<[a-z]+>?/", Auto, PatternOptions{})
	if err != nil {
		t.Fatal(err)
	}
	data := make([]byte, 2*blockSize)
	var want []string
	for _, k := range []struct{ at, n int }{{3, 5}, {blockSize - 2, 40}, {blockSize + longestMatch - 30, 60}, {len(data) - 4, 2}} {
		copy(data[k.at:], "<"+strings.Repeat("x", k.n)+">")
		want = append(want, fmt.Sprintf("%d+%d", k.at, k.n+2))
	}
	long := blockSize + 4*longestMatch
	copy(data[long:], "<"+strings.Repeat("y", 2*longestMatch))
	want = slices.Insert(want, 3, fmt.Sprintf("%d+%d", long, longestMatch))
	if got := everyMatch(t, p, data); !slices.Equal(got, want) {
		t.Errorf("found at %v, want %v", got, want)
	}
}
