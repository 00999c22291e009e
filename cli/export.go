package cli

import (
	"fmt"
	"io"
	"strings"

	"github.com/alecthomas/kong"

	"cutaway/decoders"
	"cutaway/model"
	"cutaway/model/export"
)

type exportVerb struct {
	File     string   `arg:"" help:"The file; FILE#PATH names a node, FILE:OFFSET the deepest node over a byte."`
	Paths    []string `arg:"" name:"path" optional:"" help:"The nodes to write (default: the one that FILE names, else the format's first view; the layout for raw and decoded)."`
	As       string   `enum:"FORMS" default:"json" placeholder:"FORM" help:"What to write: FORMS."`
	Out      string   `short:"o" placeholder:"OUT" help:"The file to write, under a temporary name until it is whole (default: standard output)."`
	Whole    bool     `help:"With json and yaml: write sequences whole, not only the first 64 elements of long ones."`
	Elements bool     `help:"With json, yaml and text: write the elements of arrays as nodes too."`
	Depth    int      `default:"-1" placeholder:"N" help:"With json, yaml and text: write N levels below each node only; 0 writes the node alone."`
	From     string   `placeholder:"S" help:"Of streams: from which second on, as the file has it; +S after the first item, -S before the last."`
	To       string   `placeholder:"S" help:"Of streams: up to which second."`
	Rows     string   `placeholder:"A:B" help:"With csv, npy and parquet: write the rows A up to B, which is not among them; A: is from A on, :B the first B, A one row, several with commas between them."`
	Quick    bool     `help:"With html: report only what is in headers and indexes, without decoding and checking the rest."`
	CSVSafe  bool     `name:"csv-safe" help:"With csv: put a ' before texts that begin with = + - @, which spreadsheets would compute."`
	Lossy    bool     `help:"End with 0 although values were lost; they are still reported."`
	JSON     bool     `name:"json" help:"With -o: print one JSON object of what was written and what was left out."`
	fileFlags

	form *export.Form
}

// forms lists the values of --as.
var forms = export.FormsOf(decoders.All())

// formsOf fills in the forms that there are. kong's own variables would be looked for in the help of every flag, which takes
// half of the start.
func formsOf(k *kong.Kong) error {
	var names, help []string
	for _, f := range forms {
		names = append(names, f.Name)
		help = append(help, f.Name+" ("+f.Help+")")
	}
	for _, verb := range k.Model.Children {
		for _, flag := range verb.Flags {
			if flag.Enum == "FORMS" {
				flag.Enum = strings.Join(names, ",")
				flag.Help = strings.Replace(flag.Help, "FORMS", strings.Join(help, ", "), 1)
			}
		}
	}
	return nil
}

func (*exportVerb) Help() string {
	return `What an export leaves out is said on standard error. "lost" is what the form could have held; the exit
status is then 4. "reduced" is what a flag, a default or the form itself leaves out. An export that
cannot be what was asked for fails with status 3 and writes no file.

Where csv, c, go or python is asked of a node without an array, or png or wav of one without a picture or sound,
that of its children is taken if only one has one.

` +
		examples("export sample.usdc scene/Prototypes/Leg/.points --as csv -o points.csv",
			"export sample.usdc scene/Workshop -o workshop.json", "export recording.vrs 'streams/999-1/data/[0]' --as png -o frame.png",
			"export sample.usdc scene/Prototypes/Leg/.points scene/Prototypes/Leg/.normals --as c -o mesh.h",
			"export sample.usdc layout/TOKENS --as raw | xxd | head", "export broken.vrs --as html -o report.html")
}

func (v *exportVerb) run(s *session) error {
	v.form = forms.ByName(v.As)
	if err := v.agrees(); err != nil {
		return err
	}
	d, err := v.open(s, v.File)
	if err != nil {
		return err
	}
	defer d.shut()
	places, err := v.places(s, d)
	if err != nil {
		return err
	}
	r := &export.Request{Doc: d.Document, Places: places, Whole: v.Whole, Elements: v.Elements, Depth: v.Depth, Quick: v.Quick,
		Version: s.version, Times: export.Times{From: v.From, To: v.To}, Rows: v.Rows, Safe: v.CSVSafe, Omitted: &model.Omissions{}, Progress: s.progress()}
	if r.Times != (export.Times{}) && !v.form.Timed(s.ctx, places) {
		return wrongUsage("--from and --to choose pictures, sound, records and rows that begin with a time, not what %s writes here", v.As)
	}
	if v.form.Name == "html" {
		if r.Notes, err = s.reportNotes(d); err != nil && s.ctx.Err() == nil {
			s.meter.clear()
			s.say("the report is without notes: %v", err)
		}
	}
	var found export.Tally
	if v.toOutput() {
		if s.terminal {
			s.meter.quiet()
		}
		found, err = v.form.Write(s.ctx, s.out, r)
	} else {
		found, err = export.To(s.ctx, v.Out, d.target.File, v.form, r, func(w io.Writer) io.Writer { return w })
	}
	s.count(found)
	if err != nil {
		return s.exported(named(err, v.Out))
	}
	return v.account(s, r.Omitted)
}

func (v *exportVerb) toOutput() bool { return v.Out == "" || v.Out == "-" }

// agrees refuses flags that are not for the form, or not for one another.
func (v *exportVerb) agrees() error {
	if _, err := export.ParseRows(v.Rows); err != nil {
		return wrongUsage("%w", err)
	}
	switch {
	case v.Rows != "" && !v.form.Rows:
		return wrongUsage("--rows chooses rows of csv, npy and parquet, not of %s", v.As)
	case v.CSVSafe && v.As != "csv":
		return wrongUsage("--csv-safe is for csv, not for %s", v.As)
	case v.JSON && v.toOutput():
		return wrongUsage("with --json, standard output is for what was left out: name a file for the data with -o")
	}
	return nil
}

// account prints the lost and the reduced values, and returns the exit status.
func (v *exportVerb) account(s *session, o *model.Omissions) error {
	s.meter.clear()
	for _, line := range export.LostLines(o) {
		s.say("lost: %s", line)
	}
	for _, line := range export.ReducedLines(o, v.hint) {
		s.say("reduced: %s", line)
	}
	if v.JSON {
		fmt.Fprintf(s.out, "%s\n", export.AppendOmissions(nil, v.Out, v.As, o))
	}
	if _, lost := o.Lost(); lost > 0 && !v.Lossy {
		s.ending = func() int { return StatusLossy }
	}
	return nil
}

// hint says which flag leaves nothing out.
func (v *exportVerb) hint(o model.Omission) string {
	if export.IsShortened(o) {
		return " (--whole writes all)"
	}
	return ""
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
		if v.form.Document && d.isWhole() {
			return nil, nil
		}
		view := ""
		if d.target.Path == "" && v.form.Layout {
			view = model.LayoutView
		}
		p, err := d.start(s, view)
		return []*model.Place{p}, err
	}
	if !d.isWhole() {
		return nil, wrongUsage("name the nodes after the file or with it, not both")
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
