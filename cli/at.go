package cli

import (
	"fmt"

	"cutaway/model"
)

type atVerb struct {
	File   string      `arg:"" help:"The file."`
	Offset *byteOffset `arg:"" optional:"" help:"The byte's offset, decimal or 0x…; it may also stand as FILE:OFFSET."`
	JSON   bool        `name:"json" help:"Print one JSON object a line for each node."`
	Source string      `placeholder:"NAME" help:"The source that the offset counts in (default: the file); a derived one has its path as name, as in the spans of \"tree --json\"."`
	fileFlags
}

// Help implements kong.HelpProvider.
func (*atVerb) Help() string {
	return examples("at suzanne.usdc 0x58", "at --json suzanne.usdc 88",
		"at suzanne.usdc 12 --source layout/TOKENS/text@inflated")
}

func (v *atVerb) run(s *session) error {
	d, err := v.open(s, v.File)
	if err != nil {
		return err
	}
	defer d.shut()
	off := d.target.Offset
	switch {
	case d.target.Path != "":
		return wrongUsage("at wants an offset, not the path %q", d.target.Path)
	case v.Offset != nil && off >= 0:
		return wrongUsage("there are two offsets, %#x and %#x", off, int64(*v.Offset))
	case v.Offset != nil:
		off = int64(*v.Offset)
	case off < 0:
		return wrongUsage("at wants an offset: cutaway at FILE OFFSET")
	}
	src := d.Source()
	if v.Source != "" {
		if src, err = d.SourceByName(s.ctx, v.Source); err != nil {
			return wrongUsage("there is no source %q (a derived one is named as in the spans of \"tree --json\"): %w", v.Source, err)
		}
	}
	leaf, err := d.over(s, src, off)
	if err != nil {
		return err
	}
	err = s.nodes(v.JSON, func(write func(*model.Place) error) error {
		for _, p := range leaf.Segments() {
			if err := write(p); err != nil {
				return err
			}
		}
		return nil
	})
	if help := leaf.Node.Help; err == nil && help != "" && !v.JSON {
		fmt.Fprintf(s.out, "\n%s: %s\n", s.style.Strong(oneLine(leaf.Node.Name)), oneLine(help))
	}
	return err
}
