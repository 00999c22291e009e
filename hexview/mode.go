package hexview

import (
	"math"
	"strconv"

	"cutaway/model"
)

// A Mode controls how bytes are shown. Its zero value shows as many bytes in a row as fit, as two hexadecimal digits
// each, hexadecimal offsets, and ASCII text.
type Mode struct {
	// RowWidth is the number of bytes in a row: a multiple of 4 and of Group, at most 128, or 0 for as many as fit.
	RowWidth int `json:"row_width,omitempty"`
	// Group is the number of bytes shown together: 1, 2, 4 or 8; 0 means 1.
	Group int `json:"group,omitempty"`
	// Number is the kind of number of a group.
	Number Number `json:"number,omitempty"`
	// BigEndian is the byte order of numbers, otherwise little-endian.
	BigEndian bool `json:"big_endian,omitempty"`
	// DecimalOffsets shows decimal offsets.
	DecimalOffsets bool `json:"decimal_offsets,omitempty"`
	// HideProfile hides the strip of entropy and kinds of bytes.
	HideProfile bool `json:"no_entropy,omitempty"`
	// Fold shows each fold of SetFolds as one row.
	Fold bool `json:"fold,omitempty"`
	// Encoding is the encoding of the text column.
	Encoding Encoding `json:"text_encoding,omitempty"`
}

// A Number is the kind of number that a group of bytes is shown as.
type Number string

// The kinds of numbers. Bytes are two digits each, in file order; all others are numbers in the mode's byte order.
// There is no Float of one byte; one of two bytes is IEEE 754 half precision.
const (
	Bytes    Number = ""
	Hex      Number = "hex"
	Unsigned Number = "unsigned"
	Signed   Number = "signed"
	Float    Number = "float"
)

// normal returns the mode with unknown values replaced by zero values.
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

// Unfolded returns the mode without folds, for comparing bytes side by side.
func (m Mode) Unfolded() Mode {
	m.Fold = false
	return m
}

// unit returns the number that the bytes of a row are a multiple of.
func (m Mode) unit() int { return max(4, m.Group) }

// numberChars holds the number of characters per byte in a group of 1, 2, 4 and 8. The longest number of the kind fits,
// and each byte has its own part of the cell. It is 0 if there is no such number.
var numberChars = map[Number][4]int{
	Bytes:    {2, 2, 2, 2},
	Hex:      {2, 2, 2, 2},
	Unsigned: {3, 3, 3, 3},
	Signed:   {4, 3, 3, 3},
	Float:    {0, 5, 4, 3},
}

// chars returns the number of characters per byte.
func (m Mode) chars() int {
	i := 0
	for 1<<i < m.Group {
		i++
	}
	return numberChars[m.Number][i]
}

// reversed reports whether the bytes of a group are shown in reverse: the digits of a little-endian number.
func (m Mode) reversed() bool { return m.Number == Hex && !m.BigEndian && m.Group > 1 }

// digits reports whether each byte is shown as two digits.
func (m Mode) digits() bool { return m.Number == Bytes || m.Number == Hex }

// format appends the number in the bytes of a whole group.
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

// appendFloat appends the shortest text of a float of size bytes, or for one of two bytes four digits if that is too
// long.
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
