package cli

import (
	"fmt"
	"strings"

	"cutaway/closure"
	"cutaway/decoders"
	"cutaway/model"
	"cutaway/model/export"
	"cutaway/model/releases"
	"cutaway/source/far"
)

// closureFlags are the flags of a check of the files that others name.
type closureFlags struct {
	Closure    bool     `group:"closure" help:"Check which files each file needs, in place of the file itself: sublayers, references, payloads, clips and assets, and what these need. List each once, with what is missing, broken or leads to itself."`
	Map        []string `group:"closure" sep:"none" placeholder:"PREFIX=DIR" help:"With --closure: look for addresses that begin with this in a folder, such as omniverse://host/=DIR. May be given several times."`
	SearchPath []string `group:"closure" sep:"none" placeholder:"DIR" help:"With --closure: look here too for paths that begin with neither ./ nor ../ nor /. May be given several times."`
	Addresses  bool     `group:"closure" help:"With --closure: look for http(s) addresses too."`
}

// places returns where files are looked for.
func (f *closureFlags) places() (p decoders.AssetPlaces, err error) {
	p.Addresses, p.Search = f.Addresses, f.SearchPath
	for _, m := range f.Map {
		of, ok := decoders.ParseAssetMap(m)
		if !ok {
			return p, wrongUsage("--map %s: write PREFIX=DIR", m)
		}
		p.Maps = append(p.Maps, of)
	}
	return p, nil
}

// given reports whether a flag was given that needs --closure.
func (f *closureFlags) given() bool {
	return len(f.Map) > 0 || len(f.SearchPath) > 0 || f.Addresses
}

// checkClosures lists what each file needs.
func (v *checkVerb) checkClosures(s *session) error {
	places, err := v.places()
	if err != nil {
		return err
	}
	open, err := v.prepare(s)
	if err != nil {
		return err
	}
	var worst error
	for i, file := range v.Files {
		if isFolder(file) {
			return wrongUsage("--closure works with files: %s is a folder", file)
		}
		if i > 0 && !v.JSON {
			fmt.Fprintln(s.out)
		}
		c := &closureList{v: v, s: s}
		t := decoders.ParseTarget(far.Keep(file), s.lib.exists)
		err := closure.Find(s.ctx, t, closure.Options{Open: open, Places: places, Progress: s.progress()}, c.add)
		if err != nil && s.ctx.Err() == nil && c.all.Files == 0 {
			err = unopened(file, t, err)
		}
		if s.ctx.Err() != nil {
			return s.ctx.Err()
		}
		if err == nil {
			err = c.sum()
		}
		if err != nil {
			worst = s.worse(worst, named(err, t.File))
		}
	}
	return worst
}

// A closureList prints the files that a file needs.
type closureList struct {
	v     *checkVerb
	s     *session
	all   closure.Sum
	tally export.Tally
	wrong []*closure.File
	above []*closure.File // the last one that was printed, and those above it
}

// add counts and prints one file, below the one that names it.
func (c *closureList) add(f *closure.File) error {
	c.all.Add(f)
	if f.Problem != nil {
		c.tally.Add(&f.Problem.Problem)
		c.wrong = append(c.wrong, f)
	}
	c.s.meter.clear()
	if c.v.JSON {
		return c.s.object(c.object(f))
	}
	const deepest = 40 // files in each other that are indented
	mark := ""
	if f.Problem != nil {
		severity := f.Problem.Kind.Severity()
		mark = c.s.style.Severity(severity, export.Mark(severity)+" ")
	}
	line := strings.Repeat("  ", min(f.Depth, deepest)) + mark + export.PathText(f.Name())
	var about []string
	for _, word := range []string{f.Arc, f.About(), c.outOfPlace(f)} {
		if word != "" {
			about = append(about, word)
		}
	}
	fmt.Fprintf(c.s.out, "%s  %s\n", line, c.s.style.Quiet(strings.Join(about, ", ")))
	return nil
}

// outOfPlace puts a file below the one that names it, or returns that one's name if other files stand between.
func (c *closureList) outOfPlace(f *closure.File) string {
	above := ""
	if f.Depth > 0 && (f.Depth > len(c.above) || c.above[f.Depth-1] != f.By) {
		above = "named by " + export.PathText(f.By.Name())
	}
	c.above = append(c.above[:min(f.Depth, len(c.above))], f)
	return above
}

// object returns the line of a file as JSON.
func (c *closureList) object(f *closure.File) model.Object {
	o := model.Object{{Key: "file", Value: model.Text(f.Name())}, {Key: "state", Value: model.Text(f.State)}, {Key: "arc"}, {Key: "asset"}, {Key: "title"}, {Key: "openedBy"}, {Key: "size"}}
	if f.Size >= 0 {
		o[6].Value = model.Int(f.Size)
	}
	if f.Title != "" {
		o[4].Value = model.Text(f.Title)
	}
	if len(f.Releases) > 0 {
		o[5].Value = model.Text(releases.OpenedBy(f.Releases))
	}
	chain := model.Seq{}
	for _, link := range f.Chain()[1:] {
		chain = append(chain, append(model.Object{{Key: "file", Value: model.Text(link.By.Name())}}, placeMembers(link.At)...))
	}
	if f.By != nil {
		o[2].Value, o[3].Value = model.Text(f.Arc), model.Text(f.Asset)
	}
	o = append(o, model.Member{Key: "chain", Value: chain})
	if f.Problem == nil {
		return append(o, model.Member{Key: "problem"})
	}
	p := model.Object{{Key: "rule", Value: model.Text(f.Problem.Rule)}, {Key: "kind", Value: model.Text(f.Problem.Kind.String())},
		{Key: "severity", Value: model.Text(f.Problem.Kind.Severity().String())}, {Key: "message", Value: model.Text(f.Problem.Message)}}
	return append(o, model.Member{Key: "problem", Value: append(p, placeMembers(model.LocatedSpan{Path: f.Problem.Path, Span: f.Problem.Span})...)})
}

func placeMembers(at model.LocatedSpan) model.Object {
	o := model.Object{{Key: "path", Value: export.JSONPath(at.Path)}, {Key: "source"}, {Key: "offset"}, {Key: "length"}}
	if at.Source != nil {
		o[1].Value, o[2].Value, o[3].Value = export.JSONPath(at.Source.Name()), model.Int(at.Off), model.Int(at.Len)
	}
	return o
}

// sum prints the files with problems, each with its chain, how many there are, and which releases open them all.
func (c *closureList) sum() error {
	c.s.count(c.tally)
	if c.v.JSON {
		o := model.Object{{Key: "files", Value: model.Int(c.all.Files)}}
		for _, state := range []closure.State{closure.Missing, closure.Broken, closure.Cycle, closure.Unknown} {
			o = append(o, model.Member{Key: string(state), Value: model.Int(c.all.Counts[state])})
		}
		o = append(o, model.Object{{Key: "sound", Value: model.Bool(c.tally.Errors == 0)}, {Key: "errors", Value: model.Int(c.tally.Errors)}, {Key: "warnings", Value: model.Int(c.tally.Warnings)},
			{Key: "openedBy", Value: model.Text(releases.OpenedBy(c.all.Releases))}, {Key: "needs", Value: model.Text(c.all.Needs)}}...)
		return c.s.object(o)
	}
	for _, f := range c.wrong {
		fmt.Fprintln(c.s.out)
		c.problem(f)
	}
	clean := "nothing is missing"
	if c.all.Counts[closure.Missing] > 0 {
		clean = "no error"
	}
	text := c.all.Counted()
	if by := c.all.OpenedBy(); by != "" {
		text += "; " + by
	}
	fmt.Fprintf(c.s.out, "\n%s\n%s\n", export.PathText(text), c.tally.Verdict(clean, c.s.style.Severity))
	return nil
}

// problem prints the problem of a file, and the chain of names that leads there.
func (c *closureList) problem(f *closure.File) {
	c.s.problemTitle(&f.Problem.Problem)
	if f.By == nil || f.Problem.Path != f.At.Path || f.Problem.Span != f.At.Span {
		c.s.placeOf(f.Problem)
		c.s.expectation(f.Problem)
	}
	for _, link := range f.Chain()[1:] {
		fmt.Fprintf(c.s.out, "    %s names %s at %s  %s\n", export.PathText(link.By.Name()), export.PathText(link.Asset), position(link.At.Span),
			export.Elide(export.PathText(link.At.Path), widestPath))
	}
}
