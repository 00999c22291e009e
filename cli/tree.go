package cli

import (
	"slices"
	"strings"

	"cutaway/model"
	"cutaway/model/export"
)

type treeVerb struct {
	File     string   `arg:"" help:"The file; FILE#PATH begins at a node, FILE:OFFSET at the deepest node over a byte."`
	JSON     bool     `name:"json" help:"Print one JSON object a line for each node."`
	View     string   `placeholder:"NAME" help:"The view to print (default: the format's first)."`
	Elements bool     `help:"Print the elements of arrays as nodes too."`
	Whole    bool     `help:"With --json: print arrays and bytes in full, however long."`
	Fields   []string `placeholder:"KEY,…" help:"With --json: print these keys only, such as path,name,value."`
	Depth    int      `default:"-1" placeholder:"N" help:"Print N levels below the start only; 0 prints the start alone."`
	fileFlags
}

func (*treeVerb) Help() string {
	return `Each node is a line: name, value, type, offset and size. The bytes of an attribute are those of its
value; a group, such as a prim or a stream, has none of its own. Problems follow their node on lines of
their own. An @ before an offset means that the offset counts in a derived source, such as an inflated
section. The end of the line names that source, unless the node above is in it too.

The output is streamed, so memory does not grow with the file.

` +
		examples("tree sample.usdc", "tree --view layout --depth 2 sample.usdc",
			"tree --json recording.vrs | jq -r .path", "tree 'sample.usdc#scene/Workshop/Lamp'", "tree --elements 'sample.usdc:0x3280'")
}

func (v *treeVerb) run(s *session) error {
	d, err := v.open(s, v.File)
	if err != nil {
		return err
	}
	defer d.shut()
	start, err := d.start(s, v.View)
	if err != nil {
		return err
	}
	for _, key := range v.Fields {
		if !slices.Contains(export.NodeKeys, key) {
			return wrongUsage("a node has no key %q; there are %s", key, strings.Join(export.NodeKeys, ", "))
		}
	}
	if !v.JSON && (v.Whole || v.Fields != nil) {
		return wrongUsage("--whole and --fields go with --json")
	}
	opt := model.WalkOptions{Resolve: true, Derived: true, Elements: v.Elements, Fleeting: true, Depth: max(v.Depth, 0), Progress: s.progress()}
	return s.nodes(v.JSON, export.LineOptions{Whole: v.Whole, Keys: v.Fields}, func(write func(*model.Place) error) error {
		return export.Walk(s.ctx, start, opt, v.Depth == 0, write)
	})
}

// nodes prints the nodes that give hands to write, as lines of JSON or as a tree.
func (s *session) nodes(json bool, opt export.LineOptions, give func(write func(*model.Place) error) error) error {
	if s.terminal {
		s.meter.quiet()
	}
	var out interface {
		Write(*model.Place) error
		Flush() error
		Tally() export.Tally
	}
	if json {
		out = export.NewLines(s.ctx, s.out, opt)
	} else {
		t := export.NewTree(s.ctx, s.out, export.TextOptions{Style: s.style})
		t.Head()
		out = t
	}
	var written int64
	err := give(func(p *model.Place) error {
		if written++; written%4096 == 0 {
			s.meter.report(0, 0, model.Grouped(written)+" nodes")
		}
		return out.Write(p)
	})
	if ferr := out.Flush(); err == nil {
		err = ferr
	}
	s.count(out.Tally())
	return err
}
