package cli

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"

	"cutaway/model"
	"cutaway/model/export"
)

type exportVerb struct {
	File     string   `arg:"" help:"The file; FILE#PATH names a node, FILE:OFFSET the deepest node over a byte."`
	Paths    []string `arg:"" name:"path" optional:"" help:"The nodes to write (default: the one that FILE names, else the format's first view; the layout for raw and decoded)."`
	As       string   `enum:"json,csv,text,raw,decoded,usda,ascii" default:"json" placeholder:"FORM" help:"json (the node and all below it), csv (arrays and tables), text, raw (the bytes as stored), decoded (the bytes after decoding), usda (a live layer as USD text) or ascii (a node of a binary UDM file in the ASCII form)."`
	Out      string   `short:"o" placeholder:"OUT" help:"The file to write, under a temporary name until it is whole (default: standard output)."`
	Whole    bool     `help:"With json: write sequences whole, not only the first 64 elements of long ones."`
	Elements bool     `help:"With json and text: write the elements of arrays as nodes too."`
	Depth    int      `default:"-1" placeholder:"N" help:"With json and text: write N levels below each node only; 0 writes the node alone."`
	fileFlags
}

// Help implements kong.HelpProvider.
func (*exportVerb) Help() string {
	return examples("export suzanne.usdc scene/World/Mesh/.points --as csv -o points.csv",
		"export suzanne.usdc scene/World -o world.json", "export recording.vrs 'streams/1201-1/data/[0]' --as decoded -o payload.bin",
		"export suzanne.usdc layout/TOKENS --as raw | xxd | head")
}

func (v *exportVerb) run(s *session) error {
	d, err := v.open(s, v.File)
	if err != nil {
		return err
	}
	defer d.shut()
	places, err := v.places(s, d)
	if err != nil {
		return err
	}
	if v.Out == "" || v.Out == "-" {
		if s.terminal {
			s.meter.quiet()
		}
		return s.exported(v.write(s, s.out, places))
	}
	return s.exported(writeFile(v.Out, d.files(), func(w io.Writer) error { return v.write(s, w, places) }))
}

// exported makes an export that failed a failure, whatever went wrong.
func (s *session) exported(err error) error {
	if err == nil || s.ctx.Err() != nil {
		return err
	}
	return &failure{StatusFailed, fmt.Errorf("the export failed: %w", err)}
}

func (v *exportVerb) places(s *session, d *opened) ([]*model.Place, error) {
	if len(v.Paths) == 0 {
		view := ""
		if d.target.Path == "" && (v.As == "raw" || v.As == "decoded") {
			view = model.LayoutView
		}
		p, err := d.start(s, view)
		return []*model.Place{p}, err
	}
	if d.target.Path != "" || d.target.Offset >= 0 {
		return nil, wrongUsage("name the nodes behind the file or with it, not both")
	}
	var places []*model.Place
	for _, path := range v.Paths {
		p, err := d.lookup(s, "", path)
		if err != nil {
			return nil, err
		}
		places = append(places, p)
	}
	return places, nil
}

func (v *exportVerb) write(s *session, w io.Writer, places []*model.Place) error {
	walk := model.WalkOptions{Resolve: true, Derived: true, Elements: v.Elements, Depth: max(v.Depth, 0), Progress: s.progress()}
	switch v.As {
	case "json":
		found, err := export.Nested(s.ctx, w, places, export.JSONOptions{Walk: walk, Whole: v.Whole, Alone: v.Depth == 0})
		s.met(found)
		return err
	case "csv":
		for _, p := range places {
			s.met(ownProblems(p))
		}
		return export.CSV(s.ctx, w, places)
	}
	for _, p := range places {
		s.met(ownProblems(p))
		if err := v.writeOne(s, w, p, walk); err != nil {
			return err
		}
	}
	return nil
}

// ownProblems counts the problems of a node itself.
func ownProblems(p *model.Place) export.Tally {
	var t export.Tally
	for i := range p.Node.Problems {
		t.Add(&p.Node.Problems[i])
	}
	return t
}

func (v *exportVerb) writeOne(s *session, w io.Writer, p *model.Place, walk model.WalkOptions) error {
	switch v.As {
	case "raw":
		return export.Raw(s.ctx, w, p)
	case "decoded":
		return export.Decoded(s.ctx, w, p)
	case "usda":
		return export.Words(s.ctx, w, p, "USDA")
	case "ascii":
		return export.Words(s.ctx, w, p, "as ASCII")
	}
	found, err := export.Text(s.ctx, w, p, walk, export.TextOptions{Alone: v.Depth == 0})
	s.met(found)
	return err
}

// writeFile writes the file at path under a temporary name beside it, which becomes path when all is written and
// is removed when not. It refuses to write over a file that is open.
func writeFile(path string, open []string, write func(io.Writer) error) error {
	for _, file := range open {
		if same(path, file) {
			return fmt.Errorf("%s is a file that is read; it is never changed", path)
		}
	}
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return fmt.Errorf("cannot write %s: it is a folder", path)
	}
	tmp, err := createBeside(path)
	if err != nil {
		return fmt.Errorf("cannot write %s: %w", path, reason(err))
	}
	err = write(tmp)
	if cerr := tmp.Close(); err == nil {
		err = cerr
	}
	if err == nil {
		if err = reason(os.Rename(tmp.Name(), path)); err != nil {
			err = fmt.Errorf("cannot write %s: %w", path, err)
		}
	}
	if err != nil {
		return errors.Join(err, os.Remove(tmp.Name()))
	}
	return nil
}

// reason is err without the temporary name, which says nothing to the person.
func reason(err error) error {
	var link *os.LinkError
	var file *fs.PathError
	switch {
	case errors.As(err, &link):
		return link.Err
	case errors.As(err, &file):
		return file.Err
	}
	return err
}

func same(a, b string) bool {
	ia, err := os.Stat(a)
	if err != nil {
		return false
	}
	ib, err := os.Stat(b)
	return err == nil && os.SameFile(ia, ib)
}

// createBeside makes a new file in the folder of path, with the permissions of any new file.
func createBeside(path string) (*os.File, error) {
	dir, base := filepath.Split(path)
	for range 100 {
		name := filepath.Join(dir, "."+base+".cutaway-"+strconv.FormatUint(rand.Uint64(), 36))
		f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
		if !errors.Is(err, fs.ErrExist) {
			return f, err
		}
	}
	return nil, fmt.Errorf("no free temporary name beside %s", path)
}
