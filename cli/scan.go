package cli

import (
	"encoding/csv"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"cutaway/model"
	"cutaway/model/export"
	"cutaway/scan"
)

type scanVerb struct {
	Paths    []string `arg:"" name:"path" help:"Files, folders with all below them, or - for names on standard input, a line each; a folder there is gone through too."`
	Null     bool     `short:"0" help:"Names on standard input end with a NUL, as find -print0 writes them, not with a line."`
	Deep     bool     `help:"Check every byte of each file, not only headers and indexes."`
	Jobs     int      `default:"0" placeholder:"N" help:"Files at a time (default: as many as there are processors)."`
	Fields   []string `placeholder:"FACTS" help:"Print these facts too: keys of info --json, such as streamList, also where they take a scan; tracks, for rates and gaps; paths of nodes, for their values."`
	Identity bool     `help:"Say of each file which content it has, for --since of a later scan."`
	Since    string   `placeholder:"FILE" help:"Compare with the output of an earlier scan with --json --identity in this file: each file is same, changed, new or gone. A file that is the same is not read again; one of more than 3 MiB must have the same time of modification too."`
	JSON     bool     `name:"json" help:"Print one JSON object a line for each file."`
	CSV      bool     `name:"csv" help:"Print a line of comma-separated values for each file."`
	folderFlags
	fileLimit
	fileFlags
}

func (*scanVerb) Help() string {
	return `The lines come in the order in which the files are done, and nothing is kept of a file once its line is
printed. A file that cannot be read, or takes too long, costs only its own line.

The exit status is that of the worst file. A file in a folder that no format knows does not count, unless it
should have opened and --deep or --fail-on is given.

` +
		examples("scan .", "scan --deep --csv sample.usdc recording.vrs", "scan --json --fields 'tracks,streams/file tags' recording.vrs",
			"find . -name '*.usdc' | cutaway scan --deep --json --timeout 1m -")
}

// run opens several files at once and prints each when it is done. Nothing is kept of a file after that.
func (v *scanVerb) run(s *session) error {
	opt, err := v.options(s)
	if err != nil {
		return err
	}
	out, worst, seen := v.printer(s), StatusSound, map[string]bool{}
	walk := &scanWalk{v: v, asked: map[string]bool{}}
	if walk.lookedAt, err = v.look(s); err != nil {
		return err
	}
	absent := slices.Clone(v.Fields)
	err = scan.Run(s.ctx, walk.names, opt, func(f *scan.File) error {
		worst = max(worst, v.status(s, f))
		walk.files++
		if f.Unopened == scan.Without {
			walk.without.Add(f.Name)
		}
		absent = slices.DeleteFunc(absent, func(key string) bool {
			return slices.ContainsFunc(f.Facts, func(m model.Member) bool { return m.Key == key && m.Value != nil })
		})
		if opt.Since != nil {
			seen[f.Name] = true
		}
		return out.line(f)
	})
	s.meter.clear()
	if err == nil {
		for _, f := range opt.Since.Missing(func(name string) bool { return seen[name] || !walk.covers(name) }) {
			err = errors.Join(err, out.line(f))
		}
	}
	if err == nil {
		err = out.end()
	}
	if err != nil {
		return err
	}
	walk.report(s, v.Paths)
	if len(absent) > 0 {
		s.say("no file has %s", strings.Join(absent, ", "))
	}
	s.ending = func() int { return worst }
	return nil
}

// options returns the options for opening files.
func (v *scanVerb) options(s *session) (opt scan.Options, err error) {
	open, err := v.prepare(s)
	switch {
	case err != nil:
		return opt, err
	case len(v.With) > 0 || v.From > 0 || v.Patch.patch != nil:
		return opt, wrongUsage("--with, --at and --patch are for one file; scan takes many")
	case v.JSON && v.CSV:
		return opt, wrongUsage("choose one of --json and --csv")
	case v.Null && !slices.Contains(v.Paths, "-"):
		return opt, wrongUsage("--null is for names on standard input: add - for them")
	}
	opt = scan.Options{Open: open, Opener: s.lib.open, Deep: v.Deep, Jobs: v.Jobs, Fields: v.Fields, Timeout: v.Timeout, Limit: "--timeout", Why: v.Why,
		Identity: v.Identity, By: s.version}
	if v.Since != "" {
		opt.Since, err = formerLines(v.Since)
	}
	return opt, err
}

// formerLines reads what scan --json --identity has printed.
func formerLines(name string) (scan.Former, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, wrongUsage("--since: %w", err)
	}
	defer func() { _ = f.Close() }() // it was only read
	former, err := scan.Read(f)
	if err != nil {
		return nil, wrongUsage("--since: %s: %w", name, err)
	}
	return former, nil
}

// A scanWalk lists the named files and remembers the names.
type scanWalk struct {
	v *scanVerb
	lookedAt
	asked map[string]bool // with --since: what was named
}

// names gives out the names of files: those that were named, and all that lie in folders.
func (w *scanWalk) names(give func(scan.Name) error) error {
	each := func(path string) error {
		if w.v.Since != "" {
			w.asked[filepath.Clean(path)] = true
		}
		return w.Each([]string{path}, give)
	}
	for _, path := range w.v.Paths {
		var err error
		if path == "-" {
			err = eachInput(w.v.Null, each)
		} else {
			err = each(path)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// covers reports whether a file was named, or a folder that it is or was in.
func (w *scanWalk) covers(file string) bool {
	for at := filepath.Clean(file); ; at = filepath.Dir(at) {
		if w.asked[at] {
			return true
		}
		if above := filepath.Dir(at); above == at || filepath.Base(at) == ".." {
			return false
		}
	}
}

// status returns a file's share of the exit status. A file in a folder that should have opened counts if every byte is checked, or
// if the user said so.
func (v *scanVerb) status(s *session, f *scan.File) int {
	switch {
	case f.Change == scan.Gone, f.Unopened.PassedOver(), v.allows(f):
		return StatusSound
	case f.Unopened == scan.Missed && !v.Deep && v.FailOn == "":
		return StatusSound
	case f.Failed != "", f.Headless && v.Deep:
		return s.lower(StatusUnreadable)
	}
	return s.statusOfFound(f.Found)
}

// allows reports whether a file that should have opened is a note only.
func (v *scanVerb) allows(f *scan.File) bool { return v.AllowPointers && isPointer(f.Cause) }

// scanPrinter prints a line for each file.
type scanPrinter struct {
	line func(f *scan.File) error
	end  func() error
}

func (v *scanVerb) printer(s *session) scanPrinter {
	switch {
	case v.JSON:
		return scanPrinter{func(f *scan.File) error {
			if err := s.object(f.Object()); err != nil {
				return err
			}
			return s.out.Flush()
		}, func() error { return nil }}
	case v.CSV:
		return v.csv(s)
	}
	var all, bad, failed int64
	return scanPrinter{func(f *scan.File) error {
		if f.Unopened == scan.Without {
			return nil // only their number is reported
		}
		all++
		switch {
		case f.Failed != "" && !f.Unopened.PassedOver() && !v.allows(f):
			failed++
		case f.Failed == "" && f.Change != scan.Gone && (f.Found.Errors > 0 || v.Strict && f.Found.Warnings > 0):
			bad++
		}
		fmt.Fprintln(s.out, v.text(s, f))
		return s.out.Flush()
	}, func() error {
		_, err := fmt.Fprintf(s.out, "%s, %s with problems, %s not read\n", model.GroupedCount(all, "file"), model.Grouped(bad), model.Grouped(failed))
		return err
	}}
}

// text is the file's line for people.
func (v *scanVerb) text(s *session, f *scan.File) string {
	name := export.PathText(f.Name)
	if f.Change != "" {
		name += "  " + s.style.Quiet(f.Change)
	}
	if f.Change == scan.Gone {
		return "  " + name
	}
	if f.Failed != "" {
		return v.unopened(s, f, name)
	}
	worst, mark := model.Note, " "
	switch {
	case f.Found.Errors > 0:
		worst = model.Error
	case f.Found.Warnings > 0:
		worst = model.Warning
	}
	clean := "no error in headers and indexes"
	if f.Checked {
		clean = "sound"
	}
	if worst > model.Note {
		mark = s.style.Severity(worst, export.Mark(worst))
	}
	line := fmt.Sprintf("%s %s  %s  %s  %s", mark, name, strings.TrimSpace(f.Format+" "+f.Version), model.GroupedCount(f.Size, "byte"), f.Found.Verdict(clean, s.style.Severity))
	if f.First != "" {
		line += "  " + s.style.Quiet(oneLine(s.ctx, f.First))
	}
	for _, key := range v.Fields {
		if i := slices.IndexFunc(f.Facts, func(m model.Member) bool { return m.Key == key }); i >= 0 && f.Facts[i].Value != nil {
			line += "  " + s.style.Quiet(key+"=") + oneLine(s.ctx, model.Show(s.ctx, f.Facts[i].Value, shownFact))
		}
	}
	return line
}

// unopened is the line of a file that does not open.
func (v *scanVerb) unopened(s *session, f *scan.File, name string) string {
	mark := s.style.Severity(model.Error, export.Mark(model.Error))
	switch {
	case f.Unopened.PassedOver():
		mark = " "
	case v.allows(f):
		mark = s.style.Severity(model.Note, export.Mark(model.Note))
	}
	line := mark + " " + name + "  " + s.style.Quiet(oneLine(s.ctx, firstLine(withName(f.Failed, f.Name))))
	for _, t := range f.Tried {
		line += "\n    " + s.style.Quiet(oneLine(s.ctx, t.Format+": "+t.Reason))
	}
	return line
}

// shownFact limits the bytes of a fact in a line of text.
const shownFact = 200

func firstLine(s string) string {
	line, _, _ := strings.Cut(s, "\n")
	return strings.TrimSuffix(line, ":")
}

// csv prints the keys of JSON as columns; of the facts those that were asked for.
func (v *scanVerb) csv(s *session) scanPrinter {
	w := csv.NewWriter(s.out)
	begun := false
	return scanPrinter{func(f *scan.File) error {
		head, row := f.Cells(s.ctx, v.Fields)
		if !begun {
			begun = true
			_ = w.Write(head) // Flush reports the same error
		}
		_ = w.Write(row)
		w.Flush()
		return errors.Join(w.Error(), s.out.Flush())
	}, func() error { return nil }}
}
