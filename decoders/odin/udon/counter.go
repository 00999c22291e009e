package udon

import (
	"context"
	"regexp"
	"sort"
	"strconv"
	"strings"
)

// logged matches a program counter: "pc 540", or what VRChat's log has on an exception of a program.
var logged = regexp.MustCompile(`(?i)(?:^\s*pc[\s:=]*|program counter was at:?\s*)(0x[0-9a-f]+|[0-9]+)`)

// Counter returns the program counter in a text: a few words, or a line of VRChat's log.
func Counter(text string) (address uint32, ok bool) {
	m := logged.FindStringSubmatch(text)
	if m == nil {
		return 0, false
	}
	return number(m[1])
}

// number reads an address in decimal, or in hexadecimal after 0x.
func number(text string) (uint32, bool) {
	base := 10
	if len(text) > 2 && strings.EqualFold(text[:2], "0x") {
		text, base = text[2:], 16
	}
	n, err := strconv.ParseUint(text, base, 32)
	return uint32(n), err == nil
}

// lineOver finds the instruction that has the byte at an address of the code.
func (p *program) lineOver(address uint32) (int64, bool) {
	i := sort.Search(len(p.lines), func(i int) bool { return p.lines[i] > address }) - 1
	return int64(i), i >= 0 && int(address) < len(p.code.bytes)
}

// LineAt returns the line of a program counter: a number alone, or in a text.
func (l *listing) LineAt(text string) (int64, bool) {
	address, ok := number(strings.TrimSpace(text))
	if !ok {
		if address, ok = Counter(text); !ok {
			return 0, false
		}
	}
	return l.p.lineOver(address)
}

// PathAt returns the path of the instruction at a program counter of the first program that has one there, or "".
func (u *Programs) PathAt(ctx context.Context, counter uint32) string {
	list, err := u.load(ctx, nil)
	if err != nil {
		return ""
	}
	for _, it := range list {
		if it.program == nil {
			continue
		}
		if i, ok := it.program.lineOver(counter); ok {
			return it.program.placePath(inCode, int(i))
		}
	}
	return ""
}
