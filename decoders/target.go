package decoders

import (
	"strconv"
	"strings"

	"cutaway/source/far"
)

// A Target is a place in a file as written by users: FILE, FILE#PATH, FILE:OFFSET or PKG[INNER], which may be followed
// by #PATH or :OFFSET.
type Target struct {
	File   string
	Inner  string // the member of a package, or ""; a member of a member is "inner[inner]"
	Path   string // of a node, or ""
	Offset int64  // byte offset in the file or member, or -1
}

// ParseTarget parses an argument. exists reports whether a file has a name: one with '#', ':' or '[' in its name takes
// precedence. A path has no '#', so the last one begins it; offsets are decimal or 0x…. In an http(s) address # begins
// a path, and ':' no offset; its secrets are kept by far.Keep and are no part of the target.
func ParseTarget(arg string, exists func(file string) bool) Target {
	t := Target{File: arg, Offset: -1}
	if far.IsAddress(arg) {
		address, path, _ := strings.Cut(far.Keep(arg), "#")
		t.File, t.Path = address, path
		if outer, inner, ok := far.SplitMember(address); ok {
			t.File, t.Inner = outer, inner
		}
		return t
	}
	if exists(arg) {
		return t
	}
	if i := strings.LastIndexByte(arg, '#'); i > 0 {
		t.File, t.Path = arg[:i], arg[i+1:]
	} else if i := strings.LastIndexByte(arg, ':'); i > 0 {
		if off, ok := ParseOffset(arg[i+1:]); ok {
			t.File, t.Offset = arg[:i], off
		}
	}
	if !exists(t.File) {
		if outer, inner, ok := SplitMember(t.File, exists); ok {
			t.File, t.Inner = outer, inner
		}
	}
	return t
}

// SplitMember splits "outer[inner]" at the first bracket whose outer part exists, or else at the first.
func SplitMember(s string, exists func(outer string) bool) (outer, inner string, ok bool) {
	if !strings.HasSuffix(s, "]") {
		return "", "", false
	}
	first := -1
	for i := 1; i < len(s)-1; i++ {
		if s[i] != '[' {
			continue
		}
		if first < 0 {
			first = i
		}
		if exists(s[:i]) {
			first = i
			break
		}
	}
	if first < 0 || first+1 == len(s)-1 {
		return "", "", false
	}
	return s[:first], s[first+1 : len(s)-1], true
}

// ParseOffset parses a byte offset, decimal or 0x….
func ParseOffset(s string) (int64, bool) {
	base := 10
	if hex, ok := strings.CutPrefix(strings.ToLower(s), "0x"); ok {
		s, base = hex, 16
	}
	if s == "" || s[0] == '+' || s[0] == '-' {
		return 0, false
	}
	off, err := strconv.ParseInt(s, base, 64)
	return off, err == nil
}

// String returns the target in the syntax of ParseTarget.
func (t Target) String() string {
	s := t.File
	if t.Inner != "" {
		s += "[" + t.Inner + "]"
	}
	switch {
	case t.Path != "":
		s += "#" + t.Path
	case t.Offset >= 0:
		s += ":0x" + strconv.FormatInt(t.Offset, 16)
	}
	return s
}
