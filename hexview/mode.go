package hexview

import (
	"math"
	"strconv"

	"cutaway/model"
)

// Mode is how bytes are shown. Its zero value: as many bytes in a row as fit, each as two hexadecimal digits, offsets in
// hexadecimal, text as ASCII.
type Mode struct {
	// RowWidth is the bytes in a row: a multiple of 4, of whole groups, up to 128, or 0 for as many as fit.
	RowWidth int `json:"row_width,omitempty"`
	// Group is how many bytes are shown together: 1, 2, 4 or 8; 0 is 1.
	Group int `json:"group,omitempty"`
	// Number is what a group is shown as.
	Number Number `json:"number,omitempty"`
	// BigEndian is the byte order of numbers; else they are little-endian.
	BigEndian bool `json:"big_endian,omitempty"`
	// DecimalOffsets has the offsets of rows written in decimal.
	DecimalOffsets bool `json:"decimal_offsets,omitempty"`
	// HideProfile hides the strip of entropy and kinds of bytes.
	HideProfile bool `json:"no_entropy,omitempty"`
	// Fold shows what SetFolds says as one row each.
	Fold bool `json:"fold,omitempty"`
	// Encoding is what the text column shows bytes as.
	Encoding Encoding `json:"text_encoding,omitempty"`
}

// Number is what a group of bytes is shown as.
type Number string

// The kinds of numbers. Bytes are two digits each, in the order of the file; all others are numbers in the mode's byte
// order. There is no Float of one byte; one of two bytes is IEEE 754's half precision.
const (
	Bytes    Number = ""
	Hex      Number = "hex"
	Unsigned Number = "unsigned"
	Signed   Number = "signed"
	Float    Number = "float"
)

// normal is a mode that can be shown: what is not known becomes its zero value.
func (m Mode) normal() Mode {
	switch m.Group {
	case 2, 4, 8:
	default:
		m.Group = 1
	}
	if m.chars() == 0 {
		m.Number = Bytes
	}
	m.RowWidth = min(max(m.RowWidth/m.unit()*m.unit(), 0), maxColumns)
	return m
}

// Unfolded is the mode without folds, for bytes beside others.
func (m Mode) Unfolded() Mode {
	m.Fold = false
	return m
}

// unit is what the bytes of a row are a multiple of.
func (m Mode) unit() int { return max(4, m.Group) }

// numberChars is how many characters a byte takes in a group of 1, 2, 4 and 8, so that the longest number fits; 0: there
// is no such number. That of a group is a multiple of its bytes, so that each byte has its own part of the number's cell.
var numberChars = map[Number][4]int{
	Bytes:    {2, 2, 2, 2},
	Hex:      {2, 2, 2, 2},
	Unsigned: {3, 3, 3, 3},
	Signed:   {4, 3, 3, 3},
	Float:    {0, 5, 4, 3},
}

// chars is how many characters a byte takes.
func (m Mode) chars() int {
	i := 0
	for 1<<i < m.Group {
		i++
	}
	return numberChars[m.Number][i]
}

// reversed reports whether the bytes of a group are shown from the last to the first: the digits of a little-endian number.
func (m Mode) reversed() bool { return m.Number == Hex && !m.BigEndian && m.Group > 1 }

// digits reports whether each byte is shown as two digits.
func (m Mode) digits() bool { return m.Number == Bytes || m.Number == Hex }

// format appends the number that the bytes of a whole group are.
func (m Mode) format(dst, b []byte) []byte {
	u := model.UintOf(b, m.BigEndian)
	switch m.Number {
	case Signed:
		unused := 64 - 8*len(b)
		return strconv.AppendInt(dst, int64(u<<unused)>>unused, 10)
	case Float:
		return appendFloat(dst, u, len(b))
	}
	return strconv.AppendUint(dst, u, 10)
}

// appendFloat writes a float of so many bytes as the shortest text that gives it again; one of two bytes with four digits
// where that would not fit.
func appendFloat(dst []byte, u uint64, size int) []byte {
	switch size {
	case 2:
		f := float64(model.Half(u).Float())
		start := len(dst)
		if dst = strconv.AppendFloat(dst, f, 'g', -1, 32); len(dst)-start > 10 {
			dst = strconv.AppendFloat(dst[:start], f, 'g', 4, 32)
		}
		return dst
	case 4:
		return strconv.AppendFloat(dst, float64(math.Float32frombits(uint32(u))), 'g', -1, 32)
	}
	return strconv.AppendFloat(dst, math.Float64frombits(u), 'g', -1, 64)
}
