package cli

import (
	"fmt"
	"io"
	"strings"

	"github.com/alecthomas/kong"
)

// Manual writes the manual page of the program, in the language of man, from the same model as the help. date is
// year-month-day.
func Manual(w io.Writer, version, date string) error {
	var g grammar
	root := newParser(&g, version).Model.Node
	m := &manual{}
	m.line(".TH CUTAWAY 1 \"%s\" %s", date, roffArg("Cutaway "+version))
	m.line(".SH NAME\ncutaway \\- explore binary formats byte by byte")
	m.line(".SH SYNOPSIS\n.B cutaway\n[\\fIFILE\\fR ...]\n.br\n.B cutaway\n\\fIVERB\\fR [\\fIflags\\fR] \\fIFILE\\fR ...")
	m.line(".SH DESCRIPTION")
	m.words(root.Help, true)
	m.flags(".SH FLAGS", root)
	m.line(".SH VERBS")
	for _, verb := range root.Leaves(true) {
		m.line(".SS %s", roff(verb.Summary()))
		m.words(verb.Help, true)
		for _, p := range verb.Positional {
			m.line(".TP\n\\fI%s\\fR\n%s", roff(strings.ToUpper(p.Name)), roff(p.Help))
		}
		m.flags("", verb)
		m.words(verb.Detail, false)
	}
	m.line(".SH ENVIRONMENT")
	m.line(".TP\n.B NO_COLOR\nNo colours, unless they are asked for by \\fB\\-\\-color\\fR.")
	m.line(".SH FILES")
	m.line(".TP\n.I $XDG_CONFIG_HOME/cutaway/window.json\nWhat the window remembers: recent files, sizes, settings.")
	_, err := io.WriteString(w, m.String())
	return err
}

// manual is a page that is being written.
type manual struct{ strings.Builder }

func (m *manual) line(format string, args ...any) { fmt.Fprintf(m, format+"\n", args...) }

// words writes paragraphs; indented lines are kept as they are. first says that they are right below a heading.
func (m *manual) words(text string, first bool) {
	for i, paragraph := range strings.Split(strings.TrimSpace(text), "\n\n") {
		switch {
		case paragraph == "":
		case strings.HasPrefix(paragraph, "  "):
			m.line(".PP\n.RS 4\n.nf\n%s\n.fi\n.RE", roff(strings.ReplaceAll(paragraph, "\n  ", "\n")[2:]))
		case first && i == 0:
			m.line("%s", roff(paragraph))
		default:
			m.line(".PP\n%s", roff(paragraph))
		}
	}
}

// flags writes the flags of a node that are its own, below a heading if there are any.
func (m *manual) flags(heading string, n *kong.Node) {
	for _, f := range n.Flags {
		if f.Hidden {
			continue
		}
		if heading != "" {
			m.line("%s", heading)
			heading = ""
		}
		name := "\\fB\\-\\-" + roff(f.Name) + "\\fR"
		if f.Short != 0 {
			name = "\\fB\\-" + string(f.Short) + "\\fR, " + name
		}
		if !f.IsBool() {
			name += " \\fI" + roff(f.FormatPlaceHolder()) + "\\fR"
		}
		m.line(".TP\n%s\n%s", name, roff(f.Help))
	}
}

// roff writes text so that it appears on the page as it is.
func roff(text string) string {
	text = strings.NewReplacer(`\`, `\e`, "-", `\-`, "…", `\&...`).Replace(text)
	lines := strings.Split(text, "\n")
	for i, l := range lines {
		if strings.HasPrefix(l, ".") || strings.HasPrefix(l, "'") {
			lines[i] = `\&` + l
		}
	}
	return strings.Join(lines, "\n")
}

// roffArg is text as one argument of a macro.
func roffArg(text string) string { return `"` + strings.ReplaceAll(roff(text), `"`, `\(dq`) + `"` }
