package scan

import (
	"fmt"
	"path"
	"regexp"
	"strings"
)

// Ignore excludes files and folders by patterns in the syntax of .gitignore. A nil one excludes nothing.
type Ignore struct{ rules []ignoreRule }

type ignoreRule struct {
	of      *regexp.Regexp // of a path with slashes, relative to the walked folder
	folders bool           // the rule is about folders only
	back    bool           // the rule includes what an earlier one excludes
}

// NewIgnore parses patterns; the last that matches counts.
func NewIgnore(patterns ...string) (*Ignore, error) {
	ig := &Ignore{}
	for _, pattern := range patterns {
		r := ignoreRule{}
		rest := strings.TrimRight(pattern, " \t\r\n")
		if rest, r.back = strings.CutPrefix(rest, "!"); !r.back {
			rest = strings.TrimPrefix(rest, `\`)
		}
		rest, r.folders = strings.CutSuffix(rest, "/")
		if rest == "" {
			return nil, fmt.Errorf("%q is no pattern: write it as a line of .gitignore", pattern)
		}
		if !strings.Contains(rest, "/") {
			rest = "**/" + rest
		}
		of, err := regexp.Compile("^" + ignoreExpression(strings.TrimPrefix(rest, "/")) + "$")
		if err != nil {
			return nil, fmt.Errorf("%q is no pattern: write it as a line of .gitignore", pattern)
		}
		r.of = of
		ig.rules = append(ig.rules, r)
	}
	return ig, nil
}

// ignoreExpression returns a pattern as a regular expression.
func ignoreExpression(p string) string {
	var b strings.Builder
	for p != "" {
		switch rest := p[1:]; {
		case strings.HasPrefix(p, "**/") && (b.Len() == 0 || strings.HasSuffix(b.String(), "/")):
			b.WriteString("(?:.*/)?")
			p = p[3:]
		case p == "**" && strings.HasSuffix(b.String(), "/"):
			b.WriteString(".+")
			p = ""
		case p[0] == '*':
			b.WriteString("[^/]*")
			p = strings.TrimLeft(p, "*")
		case p[0] == '?':
			b.WriteString("[^/]")
			p = rest
		case p[0] == '[' && strings.Contains(rest[min(1, len(rest)):], "]"):
			end := 1 + strings.Index(rest[1:], "]")
			set := rest[:end]
			if set[0] == '!' {
				set = "^" + set[1:]
			}
			b.WriteString("[" + strings.ReplaceAll(set, "[", `\[`) + "]")
			p = rest[end+1:]
		case p[0] == '\\' && rest != "":
			b.WriteString(regexp.QuoteMeta(rest[:1]))
			p = rest[1:]
		default:
			b.WriteString(regexp.QuoteMeta(p[:1]))
			p = rest
		}
	}
	return b.String()
}

// LeavesOut reports whether a file or folder is excluded. name is its path relative to the walked folder, with slashes.
// Its parent must not be excluded.
func (ig *Ignore) LeavesOut(name string, folder bool) bool {
	if ig == nil {
		return false
	}
	out := false
	for _, r := range ig.rules {
		if (folder || !r.folders) && r.of.MatchString(path.Clean(name)) {
			out = !r.back
		}
	}
	return out
}
