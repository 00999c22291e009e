package inspect

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf16"

	"cutaway/model"
)

func wideText(s string, bigEndian bool) string {
	var b strings.Builder
	for _, u := range utf16.Encode([]rune(s)) {
		if bigEndian {
			b.WriteByte(byte(u >> 8))
			b.WriteByte(byte(u))
		} else {
			b.WriteByte(byte(u))
			b.WriteByte(byte(u >> 8))
		}
	}
	return b.String()
}

// TestTexts finds texts of each encoding, and none in what is too short; one over the end of a block is whole.
func TestTexts(t *testing.T) {
	data := "\x00\x01short\x00\x02a longer text\xff" + "Grüße, 日本語\x80" + wideText("little end", false) + "\x01\x02" + "\x03" +
		wideText("big ending", true) + "\x05"
	data += strings.Repeat("\x01", textBlock-len(data)-4) + "over the end\x00"
	var got []string
	next, err := Texts(t.Context(), model.NewFileSource("f", model.BytesReader([]byte(data))), 0, nil, func(x Text) bool {
		if int(x.Off+x.Len) > len(data) {
			t.Errorf("%+v is beyond the end", x)
		}
		got = append(got, fmt.Sprintf("%s %s", x.Encoding, x.Text))
		return true
	})
	want := "UTF-8 a longer text|UTF-8 Grüße, 日本語|UTF-16 LE little end|UTF-16 BE big ending|UTF-8 over the end"
	if strings.Join(got, "|") != want || err != nil || next != int64(len(data)) {
		t.Errorf("found %q up to %d, %v", got, next, err)
	}
}

// TestTextsGoOn goes on where it was stopped.
func TestTextsGoOn(t *testing.T) {
	src := model.NewFileSource("f", model.BytesReader([]byte("first text\x00second text\x00")))
	var got []string
	next := int64(0)
	for next < src.Size() {
		var err error
		if next, err = Texts(t.Context(), src, next, nil, func(x Text) bool {
			got = append(got, x.Text)
			return false
		}); err != nil {
			t.Fatal(err)
		}
	}
	if strings.Join(got, "|") != "first text|second text" {
		t.Errorf("%q", got)
	}
}
