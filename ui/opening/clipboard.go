package opening

import (
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"

	"cutaway/model"
	"cutaway/ui/phrase"
)

// A reading is a way to decode text into bytes.
type reading struct {
	name  string // "hexadecimal digits"
	bytes []byte
}

// readings lists the ways to take text for bytes, the likeliest first; the last is the text itself. why says, for each way that does
// not fit, where it fails.
func readings(text string) (ways []reading, why []string) {
	if strings.TrimSpace(text) == "" {
		return nil, nil
	}
	if b, err := readHex(text); err == nil {
		ways = append(ways, reading{"hexadecimal digits", b})
	} else {
		why = append(why, "not hexadecimal: "+err.Error())
	}
	if b, err := readBase64(text); err == nil {
		ways = append(ways, reading{"base64", b})
	} else {
		why = append(why, "not base64: "+err.Error())
	}
	return append(ways, reading{"text as it is (UTF-8)", []byte(text)}), why
}

// hexNoise matches the signs around hexadecimal digits in dumps and source code.
var hexNoise = regexp.MustCompile(`0[xX]|\\x|[\s,;:{}\[\]_-]`)

// readHex decodes hexadecimal digits as dumps and source code have them: "50 58", "0x50, 0x58", `\x50\x58`.
func readHex(text string) ([]byte, error) {
	digits := hexNoise.ReplaceAllString(text, "")
	for _, c := range digits {
		if !strings.ContainsRune("0123456789abcdefABCDEF", c) {
			return nil, fmt.Errorf("%q is no digit", c)
		}
	}
	switch {
	case digits == "":
		return nil, fmt.Errorf("there are no digits")
	case len(digits)%2 != 0:
		return nil, fmt.Errorf("the number of digits, %s, is odd", model.Grouped(int64(len(digits))))
	}
	return hex.DecodeString(digits)
}

// readBase64 reads base64 of both alphabets, with or without padding, broken into lines or not, also as a data URL.
func readBase64(text string) ([]byte, error) {
	if strings.HasPrefix(text, "data:") {
		if _, rest, ok := strings.Cut(text, ";base64,"); ok {
			text = rest
		}
	}
	text = strings.NewReplacer("-", "+", "_", "/").Replace(strings.Join(strings.Fields(text), ""))
	body := strings.TrimRight(text, "=")
	if len(text)-len(body) > 2 || len(text) != len(body) && len(text)%4 != 0 {
		return nil, fmt.Errorf("its padding is wrong")
	}
	b, err := base64.RawStdEncoding.DecodeString(body)
	if at, ok := err.(base64.CorruptInputError); ok {
		c, _ := utf8.DecodeRuneInString(body[min(int(at), len(body)):])
		if c != utf8.RuneError && !base64Digit(c) {
			return nil, fmt.Errorf("%q at character %s", c, model.Grouped(int64(at)+1))
		}
		return nil, fmt.Errorf("it is cut short")
	}
	return b, err
}

func base64Digit(c rune) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '+' || c == '/'
}

// headText returns how many bytes there are and which are the first.
func headText(b []byte) string {
	const shown = 12
	text := phrase.Bytes(int64(len(b))) + ":  " + fmt.Sprintf("% x", b[:min(len(b), shown)])
	if len(b) > shown {
		text += " …"
	}
	return text
}
