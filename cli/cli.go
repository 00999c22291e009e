// Package cli is the headless half of Cutaway: the verbs info, tree, at, search, check, stats, values, scan, diff, timeline, notes, export,
// formats and completion. Results go to standard output, as text for people or as JSON (docs/json.md); messages and progress
// go to standard error.
package cli

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"reflect"
	"regexp"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/alecthomas/kong"

	"cutaway/model"
	"cutaway/model/export"
	"cutaway/source/far"
)

// The exit statuses of every verb.
const (
	StatusSound      = 0 // no error met
	StatusErrors     = 1 // errors met; with --strict, warnings too
	StatusUnreadable = 2 // the file cannot be read, or no format fits
	StatusFailed     = 3 // wrong usage, or an export failed, or the work was cancelled
	StatusLossy      = 4 // an export lacks values that its form could have held
)

// grammar is the command line. The comments that people see are the help tags; docs/command-line.md says more.
type grammar struct {
	Info       infoVerb       `cmd:"" help:"Say what a file is: format, version, size and facts."`
	Tree       treeVerb       `cmd:"" help:"Print the decoded tree, or a part of it."`
	At         atVerb         `cmd:"" help:"Say what the byte at an offset is: the nodes from the root down to it."`
	Search     searchVerb     `cmd:"" help:"Search the tree for words and numbers, or the bytes for a pattern."`
	Check      checkVerb      `cmd:"" help:"Decode everything, list all problems and how the bytes are covered."`
	Stats      statsVerb      `cmd:"" help:"Add up bytes by section, type or subtree."`
	Values     valuesVerb     `cmd:"" help:"Describe the values of an array or column: range, mean, distribution, hash."`
	Scan       scanVerb       `cmd:"" help:"Look at many files, or all in folders, several at a time: a line for each."`
	Diff       diffVerb       `cmd:"" help:"Compare two files, or two nodes, by what they hold; or their bytes."`
	Timeline   timelineVerb   `cmd:"" help:"Describe the times in a file: rate, gaps, records out of order, counters that jump."`
	Notes      notesVerb      `cmd:"" help:"List, add and remove bookmarks and notes, which are kept in a folder of yours, never in the file."`
	Export     exportVerb     `cmd:"" help:"Write nodes to a file: tables, text, bytes, pictures, sound and more."`
	Formats    formatsVerb    `cmd:"" help:"List the known formats."`
	Completion completionVerb `cmd:"" help:"Print a completion script for a shell."`

	NewWindow bool             `group:"all" help:"With files and no verb: open a window of their own."`
	Color     string           `group:"all" enum:"auto,always,never" default:"auto" placeholder:"WHEN" help:"Colour the text: auto (on a terminal, unless NO_COLOR is set), always or never."`
	Progress  bool             `group:"all" help:"Show progress on standard error although it is no terminal."`
	Version   kong.VersionFlag `group:"all" help:"Print the version."`
}

// verbNames are the commands of grammar, in its order.
var verbNames = commands(reflect.TypeFor[grammar]())

// commands lists the fields of a struct that are commands, as kong names them.
func commands(g reflect.Type) []string {
	var names []string
	for _, f := range reflect.VisibleFields(g) {
		if _, isCommand := f.Tag.Lookup("cmd"); isCommand {
			names = append(names, strings.ToLower(f.Name))
		}
	}
	return names
}

// flagGroups are the flags that several verbs have.
var flagGroups = kong.Groups{"closure": "Flags for the files that a file needs", "all": "Flags of every verb", "files": "Flags for folders and many files", "file": "Flags of every verb with a file"}

// A verb is a parsed command, ready to run; its help is paragraphs and examples.
type verb interface {
	kong.HelpProvider
	run(s *session) error
}

// A session holds the state of one run of a verb.
type session struct {
	ctx      context.Context
	lib      library
	version  string // of Cutaway
	out      *bufio.Writer
	terminal bool // the output is looked at while it is made
	errs     io.Writer
	style    export.Style
	meter    *meter
	model    *kong.Application

	json   bool // the output is JSON
	strict bool
	why    bool         // print each format's reason for files that no format fits
	failOn failOn       // the least problem that makes the exit status of files other than 0
	missed bool         // a file that should have opened did not, or a package lacks its layer
	tally  export.Tally // problems met
	unread []error      // why files that were opened could not be read to their ends
	ending func() int   // returns a verb's own exit status, or nil if problems decide it
}

// count adds problems that count for the exit status.
func (s *session) count(t export.Tally) {
	s.tally.Errors += t.Errors
	s.tally.Warnings += t.Warnings
	s.tally.Notes += t.Notes
}

func (s *session) status() int {
	if s.ending != nil {
		return s.ending()
	}
	if s.missed {
		return s.lower(StatusUnreadable)
	}
	return s.statusOfFound(s.tally)
}

// statusOfFound returns the exit status for the problems of files that were read.
func (s *session) statusOfFound(found export.Tally) int {
	warned := s.failOn == failWarning || s.failOn == "" && s.strict
	if found.Errors > 0 || warned && found.Warnings > 0 {
		return s.lower(StatusErrors)
	}
	return StatusSound
}

// lower is an exit status of files as the user has it count.
func (s *session) lower(status int) int {
	if s.failOn == failNever && status <= StatusUnreadable || s.failOn == failUnread && status == StatusErrors {
		return StatusSound
	}
	return status
}

// failure is an error that fixes the exit status.
type failure struct {
	status int
	err    error
}

func (f *failure) Error() string { return f.err.Error() }
func (f *failure) Unwrap() error { return f.err }

func wrongUsage(format string, args ...any) error {
	return &failure{StatusFailed, fmt.Errorf(format, args...)}
}

func unreadable(err error) error { return &failure{StatusUnreadable, err} }

// Main runs the command line args (without the program's name) and returns the exit status. version is the
// program's. When ctx ends, what was found so far is printed and the status is StatusFailed.
func Main(ctx context.Context, version string, args []string, stdout, stderr io.Writer) int {
	const usual = 256 << 20 // unless --max-memory says otherwise
	decoderLibrary{}.limitCache(usual)
	return run(ctx, decoderLibrary{}, version, args, stdout, stderr)
}

// newParser reads the command line into g.
func newParser(g *grammar, version string, options ...kong.Option) *kong.Kong {
	return kong.Must(g, append(options, kong.Name("cutaway"), kong.Description(description),
		kong.Vars{"version": "cutaway " + version}, flagGroups, kong.PostBuild(formsOf), kong.ConfigureHelp(kong.HelpOptions{Compact: true}))...)
}

// otherVerbs leaves the verbs out that args don't begin with: to build their flags takes longer than a small job.
func otherVerbs(args []string) kong.Option {
	if len(args) == 0 || args[0] == "completion" || !slices.Contains(verbNames, args[0]) {
		return kong.IgnoreFields()
	}
	var fields []string
	for _, name := range verbNames {
		if name != args[0] {
			fields = append(fields, strings.ToUpper(name[:1])+name[1:])
		}
	}
	return kong.IgnoreFields(`^grammar\.(` + strings.Join(fields, "|") + `)$`)
}

func run(ctx context.Context, lib library, version string, args []string, stdout, stderr io.Writer) (status int) {
	defer func() {
		if r := recover(); r != nil {
			say(stderr, fmt.Sprintf("internal fault: %v", r))
			_, _ = stderr.Write(debug.Stack()) // a failed write cannot be reported
			status = StatusUnreadable
		}
	}()
	var g grammar
	helped, ofDiff := false, len(args) > 0 && args[0] == diffName
	counted := &countingWriter{w: stdout}
	parser := newParser(&g, version, otherVerbs(args), kong.Writers(counted, stderr), kong.Exit(func(int) { helped = true }))
	parsed, err := parser.Parse(args)
	switch {
	case counted.err != nil:
		err = cannotWrite(counted.err, ofDiff)
		say(stderr, err.Error())
		return statusOf(err)
	case helped:
		return StatusSound
	case err != nil:
		return usageError(stderr, err, ofDiff)
	}
	if g.NewWindow {
		return usageError(stderr, fmt.Errorf("%s is for files alone: a verb opens no window", NewWindowFlag), false)
	}
	out := bufio.NewWriterSize(counted, 64<<10)
	s := &session{ctx: ctx, lib: lib, version: version, out: out, errs: stderr, terminal: isTerminal(stdout), model: parser.Model}
	s.json = wantsJSON(parsed)
	s.style.Colour = g.Color == "always" || g.Color == "auto" && wantsColour(stdout)
	s.meter = newMeter(stderr, g.Progress)
	err = parsed.Selected().Target.Addr().Interface().(verb).run(s)
	s.meter.clear()
	_ = out.Flush() // counted keeps the error
	if counted.err != nil && ctx.Err() == nil {
		err = cannotWrite(counted.err, ofDiff)
	}
	return s.conclude(err, counted.n > 0)
}

// wantsJSON reports whether the command line asks for JSON, however it writes the flag.
func wantsJSON(c *kong.Context) bool {
	for _, f := range c.Flags() {
		if f.Name == "json" {
			wanted, _ := c.FlagValue(f).(bool)
			return wanted
		}
	}
	return false
}

// cannotWrite is the failure that the output does not take what is written.
func cannotWrite(err error, ofDiff bool) error {
	f := &failure{StatusFailed, fmt.Errorf("cannot write the output: %w", err)}
	if ofDiff {
		f.status = statusTrouble
	}
	return f
}

// countingWriter knows whether anything was written, and what kept it from being written.
type countingWriter struct {
	w   io.Writer
	n   int64
	err error
}

func (c *countingWriter) Write(p []byte) (int, error) {
	n, err := c.w.Write(p)
	c.n += int64(n)
	if err != nil {
		c.err = err
	}
	return n, err
}

// say prints a message on standard error.
func (s *session) say(format string, args ...any) { say(s.errs, fmt.Sprintf(format, args...)) }

// say prints a message on standard error, with what would move a terminal's cursor escaped.
func say(stderr io.Writer, text string) {
	fmt.Fprintf(stderr, "cutaway: %s\n", lines(text))
}

// lines returns a text whose lines can all be printed.
func lines(text string) string {
	all := strings.Split(text, "\n")
	for i := range all {
		all[i] = oneLine(context.Background(), all[i])
	}
	return strings.Join(all, "\n")
}

// withName returns a message with the name of a file as PathText has it, so that no part looks like a line of ours.
func withName(text, name string) string {
	if shown := export.PathText(name); shown != name {
		text = strings.ReplaceAll(text, name, shown)
		text = strings.ReplaceAll(text, filepath.Base(name), export.PathText(filepath.Base(name)))
	}
	return text
}

// ofFile is an error whose message is withName.
type ofFile struct {
	error
	name string
}

func (e *ofFile) Error() string { return withName(e.error.Error(), e.name) }
func (e *ofFile) Unwrap() error { return e.error }

// named is an error that may have the name of a file in its message.
func named(err error, name string) error {
	if err == nil {
		return nil
	}
	return &ofFile{err, name}
}

// conclude prints err and returns its exit status. printed reports whether output came before it.
func (s *session) conclude(err error, printed bool) int {
	for _, lost := range s.unread {
		if err == nil || s.ctx.Err() == nil && !strings.Contains(err.Error(), errors.Unwrap(lost).Error()) {
			s.say("%s", lost)
		}
	}
	switch {
	case err == nil && len(s.unread) > 0:
		return s.lower(StatusUnreadable)
	case err == nil:
		return s.status()
	case s.ctx.Err() != nil && printed:
		s.say("cancelled; what was found so far is above")
		return s.cancelled()
	case s.ctx.Err() != nil:
		s.say("cancelled; nothing was written")
		return s.cancelled()
	}
	if schema := new(model.ErrSchema); s.json && errors.As(err, &schema) {
		s.schemaFindings(schema)
	}
	s.say("%s", s.message(err))
	if s.ending != nil {
		return statusOf(err)
	}
	return s.lower(statusOf(err))
}

// message returns the text of an error, with each format's reason if the user asked why no format fits.
func (s *session) message(err error) string {
	text := err.Error()
	if refused := new(model.ErrUnrecognized); s.why && errors.As(err, &refused) {
		text += "\n" + refused.Reasons()
	}
	return text
}

// cancelled is the exit status of work that was cancelled.
func (s *session) cancelled() int {
	if s.ending != nil {
		return statusTrouble
	}
	return StatusFailed
}

// schemaFindings prints what is wrong in a schema as JSON, an object a line.
func (s *session) schemaFindings(e *model.ErrSchema) {
	lines := json.NewEncoder(s.out)
	for _, f := range e.Findings {
		_ = lines.Encode(f) // flushing the output reports a failed write
	}
	_ = s.out.Flush()
}

// addresses are those in a message, which may have what is secret.
var addresses = regexp.MustCompile(`(?i)https?://[^\s"]+`)

// usageError prints a mistake of the command line and returns the exit status.
func usageError(stderr io.Writer, err error, ofDiff bool) int {
	say(stderr, addresses.ReplaceAllStringFunc(err.Error(), far.Shown))
	var parse *kong.ParseError
	command := ""
	if errors.As(err, &parse) && parse.Context != nil && parse.Context.Selected() != nil {
		command = " " + parse.Context.Selected().Name
	}
	fmt.Fprintf(stderr, "Try: cutaway%s --help\n", command)
	if ofDiff {
		return statusTrouble
	}
	return StatusFailed
}

// NewWindowFlag asks for a window of its own.
const NewWindowFlag = "--new-window"

// CutNewWindow takes the flag for a window of its own out of the command line, and reports whether it was set.
func CutNewWindow(args []string) (rest []string, alone bool) {
	rest = slices.DeleteFunc(slices.Clone(args), func(a string) bool { return a == NewWindowFlag })
	return rest, len(rest) < len(args)
}

// WindowTargets reports whether args ask for the window: they are empty, or only files, some of these after --with. A
// name that is neither a verb nor looks like a file is left to the command line, which says so.
func WindowTargets(args []string, exists func(string) bool) bool {
	if len(args) == 0 {
		return true
	}
	if slices.Contains(verbNames, args[0]) {
		return false
	}
	for i := 0; i < len(args); i++ {
		switch a := args[i]; {
		case i > 0 && a == WithFlag && i+1 < len(args):
			i++
		case i > 0 && strings.HasPrefix(a, WithFlag+"="):
		case strings.HasPrefix(a, "-"):
			return false
		}
	}
	return exists(args[0]) || strings.ContainsAny(args[0], `./\#:[`)
}

// WithFlag is the flag before a file that is opened with the one before it, as one document.
const WithFlag = "--with"

// progress returns the receiver of progress of long work.
func (s *session) progress() model.Progress { return s.meter.report }
