package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"cutaway/decoders"
	"cutaway/model"
	"cutaway/model/export"
	"cutaway/scan"
)

type checkVerb struct {
	Files    []string `arg:"" name:"file" help:"The files, folders with all below them, or PKG.usdz[INNER] for a member of a package."`
	JSON     bool     `name:"json" help:"Print one JSON object for each file."`
	Coverage bool     `help:"List how the bytes of each derived source are covered, and the ranges that nothing points at."`
	Assets   bool     `help:"Look for the files that the asset paths of all layers name, where usd-core looks. Warn of each that is missing (assets.missing) or holds nothing (assets.broken); one that a renderer looks for in its own search path is a note."`
	For      string   `placeholder:"RELEASE" help:"Of USD files, report the first thing that this release of OpenUSD does not read (usd.release): 24.05, or a program that has one inside, such as \"Blender 4.2\"."`
	By       string   `enum:"openusd,standard" default:"openusd" placeholder:"JUDGE" help:"Of USD files, count and judge by openusd (so unless given) or by standard, the AOUSD Core Specification: what OpenUSD takes and the standard forbids is an error."`
	Each     bool     `help:"Print every problem; otherwise equal ones are one, with the first three places, and those that follow from another are counted below it."`
	Fold     bool     `help:"With --json, print equal problems as one, with their number and the first three places."`
	NoData   bool     `help:"Leave out the rules of data (usd.data.…), which read the values of USD layers."`
	Root     bool     `help:"Of USD layers, note what one that is opened by itself should say: upAxis, metersPerUnit, defaultPrim. The first layer of a package is one."`
	All      bool     `help:"Of folders, print every file in full, not only those with problems; so does --coverage."`
	closureFlags
	folderFlags
	fileLimit
	fileFlags
}

func (*checkVerb) Help() string {
	return `A file is sound when it has no error. Of several files each is checked, also where one cannot be read;
the exit status is the worst. Of a folder, the files are checked that a format knows or should know;
those with problems are printed, and a count of each kind.

Of a package, the default layer is checked as the package's own, and each other member as a document of its own.
A problem in a member begins with the member in brackets: [look.usda]#scene/Look.

With --closure, what is printed are the files that the file needs, then what is wrong with them, each with the chain
of names that leads to it. A layer that is missing or broken is an error, another asset a warning.

` +
		examples("check recording.vrs", "check --json sample.usdc | jq .problems", "check --strict sample.usdc recording.vrs", "check --coverage sample.usdc", "check --assets .", "check --for 25.11 sample.usdc", "check --closure package.usdz")
}

// run checks file after file; one that cannot be opened does not keep the others from being checked.
func (v *checkVerb) run(s *session) error {
	if err := v.Patch.ofOne(v.Files...); err != nil {
		return err
	}
	switch {
	case v.Closure:
		return v.checkClosures(s)
	case v.given():
		return wrongUsage("--map, --search-path and --addresses are for --closure")
	}
	looked, err := v.look(s)
	if err != nil {
		return err
	}
	c := &checkedFiles{v: v, s: s, many: len(v.Files) > 1 || isFolder(v.Files[0]), looked: looked}
	if err = c.looked.Each(v.Files, c.check); err == nil {
		c.sum()
		c.looked.report(s, v.Files)
	}
	return cmp.Or(err, c.worst)
}

// worse returns the one of two errors with the worse exit status, and reports the other at once.
func (s *session) worse(worst, err error) error {
	if worst == nil {
		return err
	}
	if statusOf(err) > statusOf(worst) {
		worst, err = err, worst
	}
	s.say("%s", s.message(err))
	return worst
}

// statusOf is the exit status of an error.
func statusOf(err error) int {
	f := &failure{status: StatusFailed}
	if !errors.As(err, &f) && model.KindOf(err) == model.Unread {
		return StatusUnreadable
	}
	return f.status
}

// check checks a file, as one of files.
func (v *checkVerb) check(s *session, file string, files *checkedFiles) error {
	d, err := v.open(s, file)
	if err != nil {
		return err
	}
	defer d.shut()
	if err := d.wholeFile("check"); err != nil {
		return err
	}
	c := &checked{files: files}
	c.judges, c.by = d.Judges, v.By
	if c.Report, err = d.CheckWith(s.ctx, s.progress(), model.CheckOptions{NoData: v.NoData, Root: v.Root}); c.Report == nil {
		return err
	}
	if d.Checksums != nil && err == nil {
		c.sums, err = d.sum(s)
	}
	if v.Assets && err == nil {
		wrong, aerr := d.wrongAssets(s.ctx)
		c.Problems, err = append(c.Problems, wrong...), aerr
	}
	if wrong := c.judgeFor(s, d, v.For); wrong != nil {
		return wrong
	}
	s.meter.clear()
	if files.many && v.JSON && err != nil {
		return err // in the file's line
	}
	s.missed = s.missed || d.Headless != nil
	c.unread = model.FailedRead(d.Document) != nil
	c.whole = err == nil && !c.unread
	if files.many {
		c.file = file
	}
	return cmp.Or(err, v.report(s, c))
}

// judgeFor adds the releases that open the document, and what the named one does not read.
func (c *checked) judgeFor(s *session, d *opened, name string) error {
	openedBy, refused, err := d.judgeFor(s.ctx, name, c.files.many, s.progress())
	c.openedBy, c.Problems = openedBy, append(c.Problems, refused...)
	return err
}

// sum returns the checksums that the format's own tools give.
func (o *opened) sum(s *session) (sums checksums, cancelled error) {
	sums.list, sums.err = o.Checksums(s.ctx, s.progress())
	if cancelled = s.ctx.Err(); cancelled != nil {
		sums.err = nil // the check as a whole reports that it was cancelled
	}
	return sums, cancelled
}

// report counts and prints the findings of a check.
func (v *checkVerb) report(s *session, c *checked) error {
	c.tally()
	s.count(c.found)
	c.files.count(c)
	err := v.print(s, c)
	if c.unread {
		return err // missing members tile nothing
	}
	for _, fault := range c.Tiling {
		s.say("a fault of the decoder, not of the file: %s", fault)
	}
	return err
}

// A checked holds the findings of a check of one file.
type checked struct {
	*model.Report
	file     string // empty if it is the only one
	sums     checksums
	found    export.Tally
	openedBy string // releases that open the file, or ""
	whole    bool   // all of the file was looked at
	files    *checkedFiles

	unread bool // some bytes could not be read

	judges   []model.Judge
	by       string   // name of the judge that counts
	verdicts []string // of the judges
}

// tally counts the problems, by the judge that was asked for.
func (c *checked) tally() {
	strict := slices.ContainsFunc(c.judges, func(j model.Judge) bool { return j.Strict && j.Name == c.by })
	c.verdicts = decoders.Verdicts(c.judges, c.Problems)
	for i := range c.Problems {
		p := &c.Problems[i].Problem
		p.Kind = decoders.KindBy(strict, p)
		c.found.Add(p)
	}
}

func (v *checkVerb) print(s *session, c *checked) error {
	switch {
	case v.JSON:
		return s.checkJSON(c)
	case c.files.brief:
		c.files.print(c)
		return nil
	}
	c.files.space(false)
	if c.file != "" {
		fmt.Fprintln(s.out, s.style.Strong(export.PathText(c.file)))
	}
	s.checkText(c, v.Coverage)
	return nil
}

// checkJSON prints one object; of several files it names which.
func (s *session) checkJSON(c *checked) error {
	buf := []byte{'{'}
	if c.file != "" {
		buf, _ = export.AppendValue(s.ctx, append(buf, `"file":`...), model.Text(c.file)) // text is in memory
		buf = append(buf, ',')
	}
	buf = append(buf, `"problems":[`...)
	buf, err := s.problemsJSON(buf, c)
	if err != nil {
		return err
	}
	sound, _ := export.AppendValue(s.ctx, nil, scan.Sound(c.whole, &c.found)) // it is in memory
	buf = fmt.Appendf(buf, `],"sound":%s,"errors":%d,"warnings":%d,"limits":%d,"coverage":`, sound, c.found.Errors, c.found.Warnings, c.found.Limits)
	var lines []model.Object
	for _, of := range c.Coverage {
		lines = append(lines, model.Object{
			{Key: "source", Value: export.JSONPath(of.Source.Name())},
			{Key: "size", Value: model.Int(of.Size)},
			{Key: "explained", Value: model.Int(of.Explained)},
			{Key: "padding", Value: model.Int(of.Padding)},
			{Key: "unreferenced", Value: model.Int(of.Unreferenced)},
			{Key: "unknown", Value: model.Int(of.Unknown)},
			{Key: "pending", Value: model.Int(of.Pending)},
			{Key: "shared", Value: model.Int(of.Shared)},
		})
	}
	buf = s.appendObjects(buf, lines)
	if c.Members > 0 {
		buf = fmt.Appendf(buf, `,"members":%d`, c.Members)
	}
	if len(c.judges) > 0 {
		buf, _ = export.AppendValue(s.ctx, append(buf, `,"verdicts":`...), c.verdictsObject()) // it is in memory
	}
	if c.openedBy != "" {
		buf, _ = export.AppendValue(s.ctx, append(buf, `,"openedBy":`...), model.Text(c.openedBy)) // text is in memory
	}
	if c.sums.list != nil {
		buf, _ = export.AppendValue(s.ctx, append(buf, `,"checksums":`...), c.sums.list) // they are in memory
	}
	if c.sums.err != nil {
		buf, _ = export.AppendValue(s.ctx, append(buf, `,"checksumsFailed":`...), model.Text(c.sums.err.Error())) // text is in memory
	}
	buf = append(buf, "}\n"...)
	_, err = s.out.Write(buf)
	return err
}

// checkText prints how the bytes are covered, then the problems, then the verdict.
func (s *session) checkText(c *checked, all bool) {
	table := textTable{head: []string{"source", "size", "explained", "padding", "unreferenced", "unknown", "pending", "shared"}, right: numbers(7)}
	for _, row := range coverageRows(c.Report, all) {
		of := row.Coverage
		table.add(row.name, model.Grouped(of.Size), model.Grouped(of.Explained), model.Grouped(of.Padding), model.Grouped(of.Unreferenced),
			model.Grouped(of.Unknown), model.Grouped(of.Pending), model.Grouped(of.Shared))
	}
	table.write(s)
	if all {
		s.unreferenced(c.Report)
	}
	if c.Members > 0 {
		fmt.Fprintf(s.out, "%s checked too\n", model.GroupedCount(int64(c.Members), "other member"))
	}
	if c.openedBy != "" {
		fmt.Fprintf(s.out, "opened by %s\n", c.openedBy)
	}
	fmt.Fprintln(s.out)
	if len(c.sums.list) > 0 || c.sums.err != nil {
		c.sums.write(s)
	}
	s.problems(c)
	if len(c.Problems) > 0 {
		fmt.Fprintln(s.out)
	}
	fmt.Fprintln(s.out, c.verdict(s))
	if other := c.otherVerdict(); other != "" {
		fmt.Fprintln(s.out, other)
	}
}

// verdict says how the check has ended.
func (c *checked) verdict(s *session) string {
	if c.whole {
		return c.found.Verdict("sound", s.style.Severity)
	}
	return "not checked to the end; so far: " + c.found.Verdict("no problem", s.style.Severity)
}

// checksums are those that a format's own tools give, and why there are no more.
type checksums struct {
	list model.Object
	err  error
}

func (c checksums) write(s *session) {
	if len(c.list) > 0 {
		table := textTable{head: []string{"checksum", "xxHash64"}, right: numbers(1)}
		for _, m := range c.list {
			table.add(export.PathText(m.Key), model.Show(s.ctx, m.Value, len("0123456789abcdef")))
		}
		table.write(s)
	}
	if c.err != nil {
		fmt.Fprintln(s.out, oneLine(s.ctx, c.err.Error()))
	}
	fmt.Fprintln(s.out)
}

// coverageRow is a line of the table: a source, or all sources that one codec made.
type coverageRow struct {
	model.Coverage
	name    string
	sources int
}

// coverageRows adds up the sources that are derived by the same codec, unless all are wanted.
func coverageRows(r *model.Report, all bool) []*coverageRow {
	var rows []*coverageRow
	byCodec := map[string]*coverageRow{}
	for _, c := range r.Coverage {
		codec := ""
		if origin := c.Source.Origin(); origin != nil && !all {
			codec = origin.Codec
		}
		row := byCodec[codec]
		if row == nil || codec == "" {
			row = &coverageRow{name: export.PathText(c.Source.Name())}
			rows, byCodec[codec] = append(rows, row), row
		}
		if row.sources++; row.sources > 1 {
			row.name = fmt.Sprintf("%s sources by %s", model.Grouped(int64(row.sources)), codec)
		}
		row.Size += c.Size
		row.Add(c)
	}
	return rows
}

// unreferenced lists the ranges that nothing points at.
func (s *session) unreferenced(r *model.Report) {
	if len(r.Unreferenced) == 0 {
		return
	}
	fmt.Fprintln(s.out, "\nunreferenced")
	for _, p := range r.Unreferenced {
		fmt.Fprintf(s.out, "    %s  %s\n", position(p.Span), export.Elide(export.PathText(p.Path), widestPath))
	}
}

// widestPath limits the characters of a path in text; JSON has the whole path.
const widestPath = 1000

// position describes a span, with the file of a source that is spread over several.
func position(at model.Span) string {
	if at.Source == nil {
		return "no place"
	}
	where := fmt.Sprintf("%#x (%d), %s", at.Off, at.Off, model.GroupedCount(at.Len, "byte"))
	for _, seg := range at.Source.Segments() {
		if at.Off >= seg.Start && at.Off < seg.Start+seg.Length {
			where += fmt.Sprintf(", %s at %#x", export.PathText(seg.File), at.Off-seg.Start)
		}
	}
	if at.Source.Origin() != nil {
		where += " of " + export.PathText(at.Source.Name())
	}
	return where
}

func orNothing(ctx context.Context, s string) string {
	if s == "" {
		return "nothing"
	}
	return oneLine(ctx, s)
}

func oneLine(ctx context.Context, s string) string { return model.Show(ctx, model.Text(s), len(s)+1) }
