package dotnet

import (
	"encoding/binary"
	"fmt"
	"math/big"
	"strconv"
	"strings"
	"time"
	"unicode/utf16"
	"unicode/utf8"
)

// The layouts of single values (chapters 3, 6 and 8).

// DecodeText decodes the characters of a string: UTF-16LE if wide, else Latin-1. A lone surrogate keeps its number in
// the three bytes that UTF-8 would give it, so that the text is not UTF-8 then but loses nothing.
func DecodeText(b []byte, wide bool) string {
	if !wide {
		var s strings.Builder
		for _, c := range b {
			s.WriteRune(rune(c))
		}
		return s.String()
	}
	units := make([]uint16, len(b)/2)
	for i := range units {
		units[i] = binary.LittleEndian.Uint16(b[2*i:])
	}
	return TextOfUnits(units)
}

// TextOfUnits decodes UTF-16 as decodeText does.
func TextOfUnits(units []uint16) string {
	out := make([]byte, 0, len(units))
	for i := 0; i < len(units); i++ {
		u := rune(units[i])
		if !utf16.IsSurrogate(u) {
			out = utf8.AppendRune(out, u)
			continue
		}
		if i+1 < len(units) {
			if r := utf16.DecodeRune(u, rune(units[i+1])); r != utf8.RuneError {
				out = utf8.AppendRune(out, r)
				i++
				continue
			}
		}
		out = append(out, 0xe0|byte(u>>12), 0x80|byte(u>>6)&0x3f|0x80, 0x80|byte(u)&0x3f)
	}
	return string(out)
}

// DecimalText writes the 16 bytes of a .NET decimal: flags, then the high, low and middle 32 bits of the magnitude.
func DecimalText(b []byte) string {
	flags := binary.LittleEndian.Uint32(b)
	scale := int(flags >> 16 & 0xff)
	magnitude := new(big.Int).SetUint64(uint64(binary.LittleEndian.Uint32(b[4:])))
	magnitude.Lsh(magnitude, 64)
	magnitude.Or(magnitude, new(big.Int).SetUint64(binary.LittleEndian.Uint64(b[8:])))
	digits := magnitude.String()
	if scale > 0 {
		if len(digits) <= scale {
			digits = strings.Repeat("0", scale-len(digits)+1) + digits
		}
		digits = digits[:len(digits)-scale] + "." + digits[len(digits)-scale:]
	}
	if flags>>31 != 0 {
		digits = "-" + digits
	}
	return digits
}

// GUIDText writes the 16 bytes of a GUID.
func GUIDText(b []byte) string {
	return fmt.Sprintf("%08x-%04x-%04x-%x-%x", binary.LittleEndian.Uint32(b), binary.LittleEndian.Uint16(b[4:]),
		binary.LittleEndian.Uint16(b[6:]), b[8:10], b[10:16])
}

const ticksPerSecond = 10_000_000 // of 100 ns

// DateTime writes the binary form of a .NET DateTime: bits 62 and 63 are the kind, the others ticks of 100 ns since
// the year 1. Local times are stored as UTC.
func DateTime(v int64) string {
	kind := uint64(v) >> 62
	ticks := int64(uint64(v) & (1<<62 - 1))
	if kind >= 2 && ticks > 1<<62-24*3600*ticksPerSecond {
		ticks -= 1 << 62 // a local time that lies before the year 1 as UTC
	}
	t := time.Date(1, 1, 1, 0, 0, 0, 0, time.UTC)
	t = t.AddDate(0, 0, int(ticks/(24*3600*ticksPerSecond)))
	rest := ticks % (24 * 3600 * ticksPerSecond)
	t = t.Add(time.Duration(rest) * 100)
	text := t.Format("2006-01-02T15:04:05.9999999")
	switch kind {
	case 1:
		return text + "Z"
	case 2, 3:
		return text + "Z (local time)"
	}
	return text
}

// TimeSpan writes ticks of 100 ns as .NET does: [-][d.]hh:mm:ss[.fffffff].
func TimeSpan(ticks int64) string {
	sign, n := "", uint64(ticks)
	if ticks < 0 {
		sign, n = "-", -n
	}
	seconds := n / ticksPerSecond
	two := func(v uint64) string {
		if v < 10 {
			return "0" + strconv.FormatUint(v, 10)
		}
		return strconv.FormatUint(v, 10)
	}
	text := two(seconds/3600%24) + ":" + two(seconds/60%60) + ":" + two(seconds%60)
	if days := seconds / 86400; days > 0 {
		text = strconv.FormatUint(days, 10) + "." + text
	}
	if f := n % ticksPerSecond; f > 0 {
		digits := strconv.FormatUint(f+ticksPerSecond, 10)[1:]
		text += "." + digits
	}
	return sign + text
}
