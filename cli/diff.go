package cli

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"

	"cutaway/decoders"
	"cutaway/model"
	"cutaway/model/diff"
	"cutaway/model/export"
	"cutaway/scan"
	"cutaway/source/far"
)

// The exit statuses of diff, which are those of other programs that compare.
const (
	statusSame      = 0
	statusDifferent = 1
	statusTrouble   = 2
)

// diffName is the verb whose exit statuses are not those of the others.
const diffName = "diff"

type diffVerb struct {
	A         string   `arg:"" help:"The first file, a node of it: FILE#PATH, the deepest node over a byte: FILE:OFFSET (with --bytes: all bytes from there on), or a folder."`
	B         string   `arg:"" help:"The second; of two folders the files of the same names are compared."`
	More      []string `arg:"" optional:"" name:"more" help:"More files: all are held side by side, byte by byte."`
	Together  bool     `help:"Compare the files side by side, byte by byte: which bytes are the same in all, vary, count up, give the length of their file, or are an offset in it."`
	View      string   `placeholder:"NAME" help:"The view to compare (default: the format's first); layout compares how the files are written."`
	Bytes     bool     `help:"Compare bytes; what was inserted or taken out is found."`
	Tolerance float64  `placeholder:"X" help:"Numbers that differ by no more than X are the same."`
	Stored    bool     `help:"Also report values that are the same but stored in another way."`
	Quiet     bool     `short:"q" help:"Print nothing; the exit status says whether they differ."`
	JSON      bool     `name:"json" help:"Print one JSON object a line for each change."`
	folderFlags
	fileLimit
	fileFlags
}

func (*diffVerb) Help() string {
	return `A change is a line: + added, - removed, ~ changed, > moved. Children are found by name, records and
samples by their time, other elements of lists by what they hold. The order in which a format writes
named things, its version and its compression make no difference.

Of two folders the files of the same names are compared. Files that no format knows are compared by their bytes.
Three files or more are held side by side, byte by byte.

Exit status: 0 the same, 1 different, 2 trouble.

` +
		examples("diff old.usdc new.usdc", "diff --json --tolerance 1e-6 old.usdc new.usdc", "diff --bytes old.usdc new.usdc",
			"diff --view layout old.usdc new.usdc", "diff 'recording.vrs#streams/999-1/data/[0]' 'recording.vrs#streams/999-2/data/[0]'", "diff first.sav second.sav third.sav")
}

// collectAt is by how many per cent memory may grow beyond what is in use until it is collected. It costs a twentieth of the time.
const collectAt = 25

// errDifferent ends a comparison that only asks whether there are differences.
var errDifferent = errors.New("they differ")

func (v *diffVerb) run(s *session) error {
	defer debug.SetGCPercent(debug.SetGCPercent(collectAt)) // the tables of two files are in memory, not of one
	v.A, v.B = far.Keep(v.A), far.Keep(v.B)
	d := &differences{s: s, v: v}
	s.ending = func() int {
		switch {
		case s.missed && s.failOn != failNever:
			return statusTrouble
		case d.total() > 0:
			return statusDifferent
		case d.limited:
			return statusTrouble
		}
		return statusSame
	}
	compare := v.compare
	if v.Together || len(v.More) > 0 {
		compare = v.together
	}
	err := v.Patch.ofOne(v.B)
	switch {
	case err != nil:
	case isFolder(v.A) && isFolder(v.B) && !v.Together && len(v.More) == 0:
		err = v.folders(s, d)
	default:
		err = v.limited(s, v.A, func() error { return compare(s, d) })
	}
	if errors.Is(err, errDifferent) {
		return nil
	}
	if err == nil {
		d.sum()
		return nil
	}
	return &failure{statusTrouble, err}
}

// fits reports flags that do not go together.
func (v *diffVerb) fits() error {
	if v.Bytes && (v.View != "" || v.Tolerance != 0 || v.Stored) {
		return wrongUsage("--bytes knows no nodes: leave out --view, --tolerance and --stored")
	}
	if v.Tolerance < 0 || math.IsNaN(v.Tolerance) {
		return wrongUsage("--tolerance %g: it is 0 or more", v.Tolerance)
	}
	return nil
}

func (v *diffVerb) compare(s *session, d *differences) error {
	if err := v.fits(); err != nil {
		return err
	}
	for _, side := range []*string{&v.A, &v.B} {
		if *side == "/dev/null" {
			*side = os.DevNull // git says so on Windows too
		}
	}
	if v.A == os.DevNull || v.B == os.DevNull {
		return d.alone(v.A, v.B)
	}
	errs := s.tally.Errors
	a, b, err := v.both(s, d)
	if err != nil {
		return err
	}
	defer a.shut()
	defer b.shut()
	if v.Bytes {
		return d.bytes(a, b)
	}
	from, to, err := v.sides(s, a, b)
	if err != nil {
		return err
	}
	if n := s.tally.Errors - errs; n > 0 {
		d.remark("the files have " + model.GroupedCount(n, "error") + "; what cannot be read is not compared")
	}
	opt := diff.Options{Tolerance: v.Tolerance, Stored: v.Stored, Progress: s.progress()}
	if err := diff.Trees(s.ctx, from, to, opt, d.change); err != nil {
		return err
	}
	return d.limits(a, b)
}

// limits reports limits that were met: nothing beyond them was compared.
func (d *differences) limits(docs ...*opened) error {
	for _, o := range docs {
		met, err := o.Limits(d.s.ctx)
		if err != nil {
			return err
		}
		if len(met) > 0 {
			d.limited = true
			d.s.meter.clear()
			d.remark(fmt.Sprintf("%s: what is beyond %s of this program was not compared; --max-memory raises it", export.PathText(o.target.File), model.GroupedCount(int64(len(met)), "limit")))
		}
	}
	return nil
}

// listFolders lists the files of two folders, by their names within them, and which of the two has each.
func (v *diffVerb) listFolders(s *session, d *differences) (names []string, sides [2]map[string]bool, err error) {
	listing, err := v.look(s)
	if err != nil {
		return nil, sides, err
	}
	d.looked = &listing
	for i, dir := range []string{v.A, v.B} {
		sides[i] = map[string]bool{}
		err := listing.Each([]string{dir}, func(f scan.Name) error {
			rel, err := filepath.Rel(dir, f.File)
			sides[i][rel] = true
			names = append(names, rel)
			return err
		})
		if err != nil {
			return nil, sides, err
		}
	}
	if passed := listing.Passed(); passed != "" {
		d.limited = true
		s.say("%s; what is there was not compared", passed)
	}
	slices.Sort(names)
	return slices.Compact(names), sides, nil
}

// folders compares the files of two folders that have the same names, and reports those that only one has.
func (v *diffVerb) folders(s *session, d *differences) error {
	names, sides, err := v.listFolders(s, d)
	if err != nil {
		return err
	}
	from, to := v.A, v.B
	defer func() {
		v.A, v.B = from, to
		if d.unknown > 0 {
			s.meter.clear()
			s.say("of %s no format knows both files; their bytes are compared", model.GroupedCount(d.unknown, "pair"))
		}
	}()
	var worst error // of files that cannot be read
	for _, name := range names {
		d.file, d.told = name, false
		v.A, v.B = filepath.Join(from, name), filepath.Join(to, name)
		if !sides[0][name] {
			v.A = os.DevNull
		}
		if !sides[1][name] {
			v.B = os.DevNull
		}
		was := *v
		err := v.limited(s, name, func() error { return v.comparePair(s, d) })
		*v = was // bytes are compared of some files only
		switch {
		case err == nil:
		case s.ctx.Err() != nil || !cannotOpen(err):
			return err
		default:
			worst = s.worse(worst, err)
		}
	}
	return worst
}

// comparePair compares two files of folders, or reports the only one.
func (v *diffVerb) comparePair(s *session, d *differences) error {
	for i, file := range []string{v.A, v.B} {
		if other := []string{v.B, v.A}[i]; other != os.DevNull || decoders.Owner(d.file) == nil {
			continue
		}
		flags := v.fileFlags
		flags.Patch, flags.orBytes = patchFile{}, true
		o, err := flags.open(s, file)
		if err != nil {
			return err
		}
		d.refused(o)
		o.shut()
	}
	return v.compare(s, d)
}

// refused reports a file of a folder that should have opened.
func (d *differences) refused(o *opened) {
	if d.looked == nil || o.Refused == nil {
		return
	}
	f := scan.Name{File: o.target.File, Found: true}
	if f.Unopened(o.Refused) != scan.Missed {
		return
	}
	d.s.missed = d.s.missed || !d.looked.allows(o.Refused)
	d.s.meter.clear()
	d.s.say("%s", d.s.message(unopened(f.File, o.target, named(o.Refused, f.File))))
}

// heading prints the name of the file that the changes are of, once.
func (d *differences) heading() {
	if d.file != "" && !d.told && !d.v.JSON && !d.v.Quiet {
		d.told = true
		fmt.Fprintln(d.s.out, d.s.style.Strong(export.PathText(d.file)))
	}
}

// ofFile adds the file to a change, where folders are compared.
func (d *differences) ofFile(o model.Object) model.Object {
	if d.file == "" {
		return o
	}
	if !slices.ContainsFunc(o, func(m model.Member) bool { return m.Key == "file" }) {
		o = append(o, model.Member{Key: "file", Value: model.Text(d.file)})
	}
	return append(o, model.Member{Key: "name", Value: model.Text(d.file)})
}

// both opens the two files: as bytes where that is asked for, or where no format knows one of them.
func (v *diffVerb) both(s *session, d *differences) (a, b *opened, err error) {
	flags := v.fileFlags
	if v.Bytes && v.node(v.A) == "" && v.node(v.B) == "" && flags.Format == "" {
		flags.Format = decoders.PlainBytes
	}
	flags.orBytes = v.View == "" && v.node(v.A) == "" && v.node(v.B) == ""
	plain := flags
	plain.Patch = patchFile{} // it is of the second file
	if a, err = plain.open(s, v.A); err != nil {
		return nil, nil, err
	}
	if b, err = flags.open(s, v.B); err != nil {
		a.shut()
		return nil, nil, err
	}
	d.sayRefused(s, a)
	if b.target.File != a.target.File {
		d.sayRefused(s, b)
	}
	if a.Refused != nil || b.Refused != nil {
		v.Bytes = true
		if d.unknown++; d.file == "" {
			d.remark("no format knows both files; their bytes are compared")
		}
	}
	return a, b, nil
}

// sayRefused says why no format takes a file, if none does.
func (d *differences) sayRefused(s *session, o *opened) {
	if o.Refused != nil && d.file == "" {
		s.say("%s", s.message(unopened(o.target.File, o.target, o.Refused)))
	}
	d.refused(o)
}

// node is the path in a file that an argument names.
func (v *diffVerb) node(arg string) string {
	return decoders.ParseTarget(arg, decoderLibrary{}.exists).Path
}

// sides are the places that are compared, in a view that both documents have.
func (v *diffVerb) sides(s *session, a, b *opened) (from, to diff.Side, err error) {
	view := v.View
	if view == "" && a.isWhole() && b.isWhole() {
		if view = diff.SharedView(a.Document, b.Document); view == "" {
			return from, to, wrongUsage("%s is %s and %s is %s, which have nothing to compare but bytes: add --bytes",
				v.A, a.Title, v.B, b.Title)
		}
	}
	if from, err = a.side(s, view); err == nil {
		to, err = b.side(s, view)
	}
	return from, to, err
}

func (o *opened) side(s *session, view string) (diff.Side, error) {
	p, err := o.start(s, view)
	if err != nil {
		return diff.Side{}, err
	}
	return diff.SideOf(o.Document, p), nil
}

// remark prints a remark on the comparison on standard error, with the file if many are compared.
func (d *differences) remark(text string) {
	if d.file != "" {
		text = export.PathText(d.file) + ": " + text
	}
	d.s.say("%s", text)
}

// differences prints what a comparison finds.
type differences struct {
	s       *session
	v       *diffVerb
	count   [4]int64  // by diff.Kind
	file    string    // of two folders; empty if two files are compared
	looked  *lookedAt // of folders
	told    bool      // that the changes are of file
	limited bool      // some of the files was not compared
	unknown int64     // pairs of files without a known format
}

func (d *differences) total() int64 { return d.count[0] + d.count[1] + d.count[2] + d.count[3] }

// add counts a change; an error ends the comparison.
func (d *differences) add(k diff.Kind) error {
	d.count[k]++
	if d.v.Quiet {
		return errDifferent
	}
	if d.v.A != os.DevNull && d.v.B != os.DevNull { // else the line names the file
		d.heading()
	}
	return nil
}

// sum prints how many changes there were, for people.
func (d *differences) sum() {
	if d.v.Quiet || d.v.JSON {
		return
	}
	d.s.meter.clear()
	var parts []string
	for _, k := range []diff.Kind{diff.Changed, diff.Added, diff.Removed, diff.Moved} {
		if n := d.count[k]; n > 0 {
			parts = append(parts, model.Grouped(n)+" "+k.String())
		}
	}
	switch {
	case parts == nil && d.limited:
		fmt.Fprintln(d.s.out, "the same content, as far as it was compared")
	case parts == nil && d.v.Bytes:
		fmt.Fprintln(d.s.out, "the same bytes")
	case parts == nil:
		fmt.Fprintln(d.s.out, "the same content")
	default:
		fmt.Fprintln(d.s.out, d.s.style.Quiet(strings.Join(parts, ", ")))
	}
}

// change prints a change of nodes.
func (d *differences) change(c *diff.Change) error {
	if err := d.add(c.Kind); err != nil {
		return err
	}
	if d.v.JSON {
		return d.s.object(d.ofFile(changeObject(c)))
	}
	d.s.meter.clear()
	sign := d.sign(c.Kind)
	node := c.A
	if node == nil {
		node = c.B
	}
	path := export.PathText(node.Path())
	if c.Kind == diff.Moved {
		path += " → " + export.PathText(c.B.Path())
	}
	line := sign + " " + path
	if what := d.what(c, node); what != "" {
		line += "  " + what
	}
	_, err := fmt.Fprintln(d.s.out, line)
	return err
}

func (d *differences) sign(k diff.Kind) string {
	switch k {
	case diff.Added:
		return d.s.style.Good(k.Sign())
	case diff.Removed:
		return d.s.style.Bad(k.Sign())
	}
	return d.s.style.Data(k.Sign())
}

// what says what a change is, after its path.
func (d *differences) what(c *diff.Change, node *model.Place) string {
	ctx := d.s.ctx
	words := []string{d.s.style.Quiet(oneLine(ctx, node.Node.Type))}
	switch {
	case c.Kind == diff.Moved:
	case c.Kind != diff.Changed:
		words = append(words, heldText(ctx, &node.Node))
	default:
		if c.A.Node.Type != c.B.Node.Type {
			words[0] += " → " + d.s.style.Quiet(oneLine(ctx, c.B.Node.Type))
		}
		words = append(words, diff.Describe(ctx, c, shownWidth))
	}
	return strings.TrimSpace(strings.Join(words, "  "))
}

// shownWidth is about how many characters of a value are printed.
const shownWidth = 60

// heldText returns the value of a node as text, or its words.
func heldText(ctx context.Context, n *model.Node) string {
	if words, ok := n.InWords(); ok {
		return oneLine(ctx, words)
	}
	return model.Show(ctx, n.Value, shownWidth)
}

// changeObject is a change in JSON.
func changeObject(c *diff.Change) model.Object {
	node := c.A
	if node == nil {
		node = c.B
	}
	o := model.Object{
		{Key: "change", Value: model.Text(c.Kind.String())},
		{Key: "path", Value: model.Text(node.Path())},
		{Key: "other", Value: nil},
		{Key: "type", Value: model.Text(node.Node.Type)},
		{Key: "before", Value: valueOf(c.A)},
		{Key: "after", Value: valueOf(c.B)},
		{Key: "elements"}, {Key: "first"}, {Key: "largest"},
	}
	if c.A != nil && c.B != nil && c.A.Path() != c.B.Path() {
		o[2].Value = model.Text(c.B.Path())
	}
	if e := c.Elements; e != nil {
		o[6].Value, o[7].Value = model.Int(e.Count), model.Int(e.First)
		o[8].Value = e.Largest()
	}
	if c.Kind == diff.Changed && c.A.Node.Type != c.B.Node.Type {
		o = append(o, model.Member{Key: "otherType", Value: model.Text(c.B.Node.Type)})
	}
	if c.Stored {
		o = append(o, model.Member{Key: "stored", Value: model.Seq{model.Int(diff.StoredIn(c.A)), model.Int(diff.StoredIn(c.B))}})
	}
	return o
}

func valueOf(p *model.Place) model.Value {
	if p == nil {
		return nil
	}
	return p.Node.Value
}

// alone prints that there is one file only: for difftools the other is the null device.
func (d *differences) alone(a, b string) error {
	kind, file := diff.Added, b
	if b == os.DevNull {
		kind, file = diff.Removed, a
	}
	if a == b {
		return nil
	}
	if _, err := os.Stat(file); err != nil {
		return unreadable(err)
	}
	if err := d.add(kind); err != nil {
		return err
	}
	if d.v.JSON {
		return d.s.object(d.ofFile(model.Object{{Key: "change", Value: model.Text(kind.String())}, {Key: "path", Value: model.Text("")}, {Key: "file", Value: model.Text(file)}}))
	}
	_, err := fmt.Fprintln(d.s.out, d.sign(kind)+" "+export.PathText(file))
	return err
}

// bytes compares the bytes of two files or nodes.
func (d *differences) bytes(a, b *opened) error {
	from, err := a.span(d.s)
	if err != nil {
		return err
	}
	to, err := b.span(d.s)
	if err != nil {
		return err
	}
	return diff.Bytes(d.s.ctx, from, to, d.s.progress(), d.byteRange(from.Source, to.Source))
}

// span is the bytes that the target names: those of a node, all from an offset on, or all.
func (o *opened) span(s *session) (model.Span, error) {
	src, off := o.Source(), o.target.Offset
	switch {
	case off > src.Size():
		return model.Span{}, outside(off, src, export.PathText(o.target.File))
	case off >= 0:
		return src.Span(off, src.Size()-off), nil
	case o.target.Path == "":
		return src.Whole(), nil
	}
	p, err := o.start(s, "")
	if err != nil {
		return model.Span{}, err
	}
	if len(p.Node.Spans) == 0 {
		return model.Span{}, wrongUsage("%s has no bytes of its own", export.PathText(p.Path()))
	}
	return p.Node.Span(), nil
}

// byteRange prints a difference of bytes.
func (d *differences) byteRange(a, b *model.Source) func(diff.Range) error {
	return func(r diff.Range) error {
		if err := d.add(r.Kind()); err != nil {
			return err
		}
		from, to := a.Span(r.OffA, r.LenA), b.Span(r.OffB, r.LenB)
		if d.v.JSON {
			return d.s.object(d.ofFile(rangeObject(&r, from, to)))
		}
		d.s.meter.clear()
		line := fmt.Sprintf("%s %#x", d.sign(r.Kind()), r.OffA)
		if r.OffA != r.OffB {
			line += fmt.Sprintf(" → %#x", r.OffB)
		}
		const few = 30
		size := model.GroupedCount(max(r.LenA, r.LenB), "byte")
		if r.Kind() == diff.Changed && r.LenA != r.LenB {
			size = fmt.Sprintf("%s → %s", model.Grouped(r.LenA), model.GroupedCount(r.LenB, "byte"))
		}
		line += "  " + d.s.style.Quiet(size)
		switch r.Kind() {
		case diff.Added:
			line += "  " + model.Show(d.s.ctx, model.Blob{Span: to}, few)
		case diff.Removed:
			line += "  " + model.Show(d.s.ctx, model.Blob{Span: from}, few)
		default:
			line += "  " + model.Show(d.s.ctx, model.Blob{Span: from}, few) + " → " + model.Show(d.s.ctx, model.Blob{Span: to}, few)
		}
		_, err := fmt.Fprintln(d.s.out, line)
		return err
	}
}

// rangeObject is a difference of bytes in JSON.
func rangeObject(r *diff.Range, from, to model.Span) model.Object {
	const few = 64
	from.Len, to.Len = min(from.Len, few), min(to.Len, few)
	o := model.Object{
		{Key: "change", Value: model.Text(r.Kind().String())},
		{Key: "path", Value: model.Text(from.Source.Name())},
		{Key: "other"},
		{Key: "type", Value: model.Text("bytes")},
		{Key: "before"}, {Key: "after"},
		{Key: "offset", Value: model.Int(r.OffA)}, {Key: "length", Value: model.Int(r.LenA)},
		{Key: "otherOffset", Value: model.Int(r.OffB)}, {Key: "otherLength", Value: model.Int(r.LenB)},
	}
	if to.Source.Name() != from.Source.Name() {
		o[2].Value = model.Text(to.Source.Name())
	}
	if r.LenA > 0 {
		o[4].Value = model.Blob{Span: from}
	}
	if r.LenB > 0 {
		o[5].Value = model.Blob{Span: to}
	}
	return o
}
