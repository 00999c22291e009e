package cli

import (
	"cmp"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"cutaway/decoders"
	"cutaway/model"
	"cutaway/model/export"
	"cutaway/source/far"
)

type scanVerb struct {
	Paths   []string      `arg:"" name:"path" help:"Files, folders with all below them, or - for names on standard input, a line each."`
	Deep    bool          `help:"Check every byte of each file; without it, what headers and indexes tell."`
	Jobs    int           `default:"0" placeholder:"N" help:"Files at a time (default: as many as there are processors)."`
	Fields  []string      `placeholder:"FACTS" help:"Give these facts too, by the keys of info --json, such as tags or streamList, also where they take a scan."`
	Timeout time.Duration `default:"0" placeholder:"TIME" help:"Give up a file after this long, such as 30s or 5m (default: never)."`
	JSON    bool          `name:"json" help:"Print one JSON object a line for each file."`
	CSV     bool          `name:"csv" help:"Print a line of comma-separated values for each file."`
	fileFlags
}

// Help implements kong.HelpProvider.
func (*scanVerb) Help() string {
	return examples("scan .", "scan --deep --csv sample.usdc recording.vrs", "scan --json --fields tags sample.usdc recording.vrs",
		"find . -name '*.usdc' | cutaway scan --deep --json --timeout 1m -")
}

// scanned is what is known of one file.
type scanned struct {
	file            string
	format, version string
	size            int64 // -1: not known
	sound           model.Value
	found           export.Tally
	first           string // the first error; without one the first warning
	facts           model.Object
	seconds         float64
	failed          string // why the file could not be read to its end
	status          int
}

// run opens several files at once and prints each when it is done. Nothing is kept of a file after that.
func (v *scanVerb) run(s *session) error {
	opt, err := v.prepare(s)
	switch {
	case err != nil:
		return err
	case len(v.With) > 0 || v.From > 0 || v.Patch.patch != nil:
		return wrongUsage("--with, --at and --patch are for one file; scan takes many")
	case v.JSON && v.CSV:
		return wrongUsage("choose one of --json and --csv")
	}
	ctx, stop := context.WithCancel(s.ctx)
	defer stop()
	names, done := make(chan namedFile), make(chan *scanned)
	var listing error
	go func() {
		defer close(names)
		listing = v.list(ctx, names)
	}()
	var workers sync.WaitGroup
	for range cmp.Or(max(v.Jobs, 0), runtime.GOMAXPROCS(0)) {
		workers.Go(func() {
			for name := range names {
				select {
				case done <- v.scan(ctx, s, name, opt):
				case <-ctx.Done():
				}
			}
		})
	}
	go func() {
		workers.Wait()
		close(done)
	}()
	out, worst, writing := v.printer(s), StatusSound, error(nil)
	for f := range done {
		if writing != nil {
			continue // the workers end
		}
		worst = max(worst, f.status)
		if writing = out.line(f); writing != nil {
			stop()
		}
	}
	s.meter.clear()
	if err := errors.Join(writing, out.end(), s.ctx.Err(), listing); err != nil {
		return err
	}
	s.ending = func() int { return worst }
	return nil
}

// list hands out the names of files: those that were named, and all that lie in folders.
func (v *scanVerb) list(ctx context.Context, names chan<- namedFile) error {
	give := func(name namedFile) error {
		select {
		case names <- name:
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	for _, path := range v.Paths {
		list := func(give func(namedFile) error) error { return eachFile([]string{path}, give) }
		if path == "-" {
			list = eachLine
		}
		if err := list(give); err != nil {
			return err
		}
	}
	return nil
}

// scan looks at one file.
func (v *scanVerb) scan(ctx context.Context, s *session, name namedFile, opt decoders.OpenOptions) *scanned {
	began := time.Now()
	f := &scanned{file: far.Keep(name.name), size: -1}
	defer far.Forget(f.file)
	if v.Timeout > 0 {
		limited, stop := context.WithTimeoutCause(ctx, v.Timeout, fmt.Errorf("given up after %s (--timeout)", v.Timeout))
		defer stop()
		ctx = limited
	}
	if err := v.look(ctx, s, f, opt); err != nil {
		if ctx.Err() != nil {
			err = context.Cause(ctx)
		}
		f.failed = err.Error()
		if !name.passedOver(err) {
			f.status = StatusUnreadable
		}
	}
	if f.status == StatusSound && (f.found.Errors > 0 || v.Strict && f.found.Warnings > 0) {
		f.status = StatusErrors
	}
	f.seconds = time.Since(began).Seconds()
	return f
}

func (v *scanVerb) look(ctx context.Context, s *session, f *scanned, opt decoders.OpenOptions) error {
	d, err := s.lib.open(ctx, decoders.ParseTarget(f.file, s.lib.exists), opt)
	if err != nil {
		if info, statErr := os.Stat(f.file); statErr == nil && info.Mode().IsRegular() {
			f.size = info.Size()
		}
		return err
	}
	defer func() { _ = d.Close() }() // it was only read
	f.format, f.version, f.size = d.Format, d.Version, size(d)
	if f.facts, err = v.factsOf(ctx, d); err != nil {
		return err
	}
	if !v.Deep {
		return knownProblems(ctx, d, 0, f.add)
	}
	_, err = d.CheckFound(ctx, nil, func(p model.LocatedProblem) { f.add(&p.Problem) })
	if err == nil {
		f.sound = model.Bool(f.found.Errors == 0)
	}
	return err
}

// add counts a problem.
func (f *scanned) add(p *model.Problem) {
	severity := p.Kind.Severity()
	if severity == model.Error && f.found.Errors == 0 || severity == model.Warning && f.found.Errors+f.found.Warnings == 0 {
		f.first = p.Message
	}
	f.found.Add(p)
}

// factsOf are the facts that are one value and are known without a scan, and those that were asked for.
func (v *scanVerb) factsOf(ctx context.Context, d *model.Document) (model.Object, error) {
	var facts model.Object
	if d.Facts == nil {
		return nil, nil
	}
	list, err := d.Facts(ctx, true, nil)
	if err != nil {
		return nil, err
	}
	if slices.ContainsFunc(list, func(f model.Fact) bool { return f.Value == nil && f.Scan && slices.Contains(v.Fields, f.Key) }) {
		if list, err = d.Facts(ctx, false, nil); err != nil {
			return nil, err
		}
	}
	for _, fact := range list {
		_, isList := fact.Value.(model.Seq)
		_, isObject := fact.Value.(model.Object)
		if slices.Contains(v.Fields, fact.Key) || fact.Value != nil && !isList && !isObject {
			facts = append(facts, model.Member{Key: fact.Key, Value: fact.Value})
		}
	}
	return facts, nil
}

// scanPrinter prints a line for each file.
type scanPrinter struct {
	line func(f *scanned) error
	end  func() error
}

func (v *scanVerb) printer(s *session) scanPrinter {
	switch {
	case v.JSON:
		return scanPrinter{func(f *scanned) error {
			if err := s.object(f.object()); err != nil {
				return err
			}
			return s.out.Flush()
		}, func() error { return nil }}
	case v.CSV:
		return v.csv(s)
	}
	var all, bad, failed int64
	return scanPrinter{func(f *scanned) error {
		all++
		if f.failed != "" {
			failed++
		} else if f.status != StatusSound {
			bad++
		}
		fmt.Fprintln(s.out, f.text(s))
		return s.out.Flush()
	}, func() error {
		_, err := fmt.Fprintf(s.out, "%s, %s with problems, %s not read\n", model.GroupedCount(all, "file"), model.Grouped(bad), model.Grouped(failed))
		return err
	}}
}

// object is the file's line in JSON.
func (f *scanned) object() model.Object {
	text := func(s string) model.Value {
		if s == "" {
			return nil
		}
		return model.Text(s)
	}
	o := model.Object{{Key: "file", Value: model.Text(f.file)}, {Key: "format", Value: text(f.format)}, {Key: "version", Value: text(f.version)}, {Key: "size", Value: nil}}
	if f.size >= 0 {
		o[3].Value = model.Int(f.size)
	}
	facts := f.facts
	if facts == nil {
		facts = model.Object{}
	}
	return append(o, model.Object{{Key: "sound", Value: f.sound}, {Key: "errors", Value: model.Int(f.found.Errors)}, {Key: "warnings", Value: model.Int(f.found.Warnings)},
		{Key: "first", Value: text(f.first)}, {Key: "facts", Value: facts}, {Key: "seconds", Value: model.Float64(f.seconds)}, {Key: "failed", Value: text(f.failed)}}...)
}

// text is the file's line for people.
func (f *scanned) text(s *session) string {
	name := export.PathText(f.file)
	if f.failed != "" {
		mark := " "
		if f.status != StatusSound {
			mark = s.style.Severity(model.Error, export.Mark(model.Error))
		}
		return mark + " " + name + "  " + s.style.Quiet(oneLine(s.ctx, firstLine(f.failed)))
	}
	worst, mark := model.Note, " "
	switch {
	case f.found.Errors > 0:
		worst = model.Error
	case f.found.Warnings > 0:
		worst = model.Warning
	}
	clean := "no error in headers and indexes"
	if f.sound != nil {
		clean = "sound"
	}
	if worst > model.Note {
		mark = s.style.Severity(worst, export.Mark(worst))
	}
	line := fmt.Sprintf("%s %s  %s  %s  %s", mark, name, strings.TrimSpace(f.format+" "+f.version), model.GroupedCount(f.size, "byte"), f.found.Verdict(clean, s.style.Severity))
	if f.first != "" {
		line += "  " + s.style.Quiet(oneLine(s.ctx, f.first))
	}
	return line
}

func firstLine(s string) string {
	line, _, _ := strings.Cut(s, "\n")
	return strings.TrimSuffix(line, ":")
}

// csv prints the keys of JSON as columns; of the facts those that were asked for.
func (v *scanVerb) csv(s *session) scanPrinter {
	w := csv.NewWriter(s.out)
	begun := false
	cell := func(value model.Value) string {
		if t, ok := value.(model.Text); ok {
			return string(t)
		}
		if value == nil {
			return ""
		}
		text, _ := export.AppendValue(s.ctx, nil, value) // facts are in memory
		return string(text)
	}
	return scanPrinter{func(f *scanned) error {
		var head, row []string
		for _, m := range f.object() {
			if m.Key != "facts" {
				head, row = append(head, m.Key), append(row, cell(m.Value))
			}
		}
		for _, key := range v.Fields {
			var value model.Value
			if i := slices.IndexFunc(f.facts, func(m model.Member) bool { return m.Key == key }); i >= 0 {
				value = f.facts[i].Value
			}
			head, row = append(head, key), append(row, cell(value))
		}
		if !begun {
			begun = true
			_ = w.Write(head) // Flush's error tells of it too
		}
		_ = w.Write(row)
		w.Flush()
		return errors.Join(w.Error(), s.out.Flush())
	}, func() error { return nil }}
}
