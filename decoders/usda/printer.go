package usda

import (
	"bufio"
	"context"
	"fmt"
	"strings"

	"cutaway/model"
)

// A printer writes lines of text, with comments on losses.
type printer struct {
	ctx     context.Context
	out     *bufio.Writer
	err     error
	indent  int
	opened  bool             // the last line opened a block
	lost    []string         // comments for the next line
	omitted *model.Omissions // losses, which comments repeat, and reductions
	at      string           // path of the current spec
	last    string           // the last reduction
}

// maxIndent is the deepest indentation of lines, in levels.
const maxIndent = 32

func (p *printer) text(s string) {
	if _, err := p.out.WriteString(s); err != nil && p.err == nil {
		p.err = err
	}
}

func (p *printer) bytes(b []byte) {
	if _, err := p.out.Write(b); err != nil && p.err == nil {
		p.err = err
	}
}

// ended reports whether writing has failed or was cancelled.
func (p *printer) ended() bool { return p.err != nil || p.ctx.Err() != nil }

// start begins a line, after comments on losses.
func (p *printer) start(s string) {
	p.flushLost()
	p.opened = false
	p.text(strings.Repeat("    ", min(p.indent, maxIndent)))
	p.text(s)
}

func (p *printer) line(s string) {
	p.start(s)
	p.text("\n")
}

func (p *printer) newline() { p.text("\n") }

func (p *printer) flushLost() {
	lost := p.lost
	p.lost = nil
	for _, s := range lost {
		p.line("# " + s)
	}
}

// lose records a loss of the current spec, also as a comment.
func (p *printer) lose(format string, args ...any) {
	reason := fmt.Sprintf(format, args...)
	p.omitted.Lose(p.at, reason)
	p.remark("not written: " + p.at + ": " + reason)
}

// remark writes a comment before the next line.
func (p *printer) remark(s string) {
	s = strings.ToValidUTF8(s, "\uFFFD")
	s = strings.Map(func(c rune) rune {
		if isControl(c) {
			return ' '
		}
		return c
	}, s)
	if len(s) > 400 {
		s = strings.ToValidUTF8(s[:400], "") + "…"
	}
	p.lost = append(p.lost, s)
}

// problems writes comments on the errors of a node.
func (p *printer) problems(n *model.Node, of string) {
	for i := range n.Problems {
		if found := &n.Problems[i]; found.Kind.Severity() == model.Error || found.Kind == model.Limit {
			what := "damaged"
			if found.Kind == model.Limit {
				what = "not read"
				p.omitted.Lose(p.at, of+": "+found.Message)
			}
			p.remark(what + ": " + p.at + ": " + of + ": " + found.Message)
		}
	}
}

// enter sets the path of the current spec; leave restores the previous one.
func (p *printer) enter(n *model.Node) (leave func()) {
	outer := p.at
	p.at = textOf(n)
	return func() { p.at = outer }
}

// reduceOnce records a reduction once per attribute, not for every sample.
func (p *printer) reduceOnce(reason string) {
	if reduction := p.at + ": " + reason; reduction != p.last {
		p.last = reduction
		p.omitted.Reduce(p.at, reason)
	}
}
