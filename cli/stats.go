package cli

import (
	"slices"
	"strings"

	"cutaway/model"
	"cutaway/model/export"
	"cutaway/scan"
)

type statsVerb struct {
	File    string    `arg:"" help:"The file, or PKG.usdz[INNER] for a member of a package."`
	By      string    `default:"section" placeholder:"KEY" help:"What to add up by: section, type or subtree (default section); some formats have more keys."`
	Tree    bool      `help:"Print how many bytes each node of a view takes, and the bytes that no node has."`
	Savings bool      `help:"List what the file could do without: equal values, samples that never change, plain arrays that would compress, texts that nothing names."`
	View    string    `placeholder:"NAME" help:"With --tree and --savings: the view (default: the format's first)."`
	Least   byteCount `placeholder:"SIZE" help:"With --tree: leave out nodes that have fewer bytes of the file with all below them; such as 64K or 1M."`
	JSON    bool      `name:"json" help:"Print one JSON object; with --tree and --savings one a line for each."`
	fileFlags
}

func (*statsVerb) Help() string {
	return `Stored bytes are those in the file, logical bytes those after decompression and expansion. Shared bytes
count once.

With --tree, each node has its own bytes, those with all below it, and the logical ones. The end lists the bytes
that no node of the view has, such as headers and padding, so the sum is the file's size.

` +
		examples("stats sample.usdc", "stats --by type recording.vrs", "stats --by subtree --json sample.usdc", "stats --tree sample.usdc", "stats --savings sample.usdc",
			"stats --tree --json --view layout sample.usdc | jq 'select(.stored>1e6)'", "stats --tree --json --least 1M sample.usdc")
}

func (v *statsVerb) run(s *session) error {
	d, err := v.open(s, v.File)
	if err != nil {
		return err
	}
	defer d.shut()
	if err := d.wholeFile("stats"); err != nil {
		return err
	}
	if v.Savings {
		return v.savings(s, d)
	}
	if v.Tree {
		return v.sizes(s, d)
	}
	list, err := v.list(s, d.Document)
	if list == nil && err != nil {
		return err
	}
	s.meter.clear()
	if v.JSON {
		if werr := s.statsJSON(list); err == nil {
			err = werr
		}
		return err
	}
	table := textTable{head: []string{v.By, "count", "stored", "logical"}, right: numbers(3)}
	total := model.Stat{Key: "total"}
	for _, l := range list {
		table.add(oneLine(s.ctx, l.Key), model.Grouped(l.Count), model.Grouped(l.Stored), model.Grouped(l.Logical))
		total.Count += l.Count
		total.Stored += l.Stored
		total.Logical += l.Logical
	}
	table.add(total.Key, model.Grouped(total.Count), model.Grouped(total.Stored), model.Grouped(total.Logical))
	table.write(s)
	return err
}

// decodedForStats limits the size in bytes of the parts of a file that are decoded only for their problems.
const decodedForStats = 1 << 20

// list takes the format's own statistics where it has them.
func (v *statsVerb) list(s *session, d *model.Document) ([]model.Stat, error) {
	if !slices.Contains(export.StatKeys, v.By) && !slices.Contains(d.StatKeys, v.By) {
		keys := slices.Clone(export.StatKeys)
		for _, k := range d.StatKeys {
			if !slices.Contains(keys, k) {
				keys = append(keys, k)
			}
		}
		return nil, wrongUsage("there are no statistics by %q; there are %s", v.By, strings.Join(keys, ", "))
	}
	list, found, err := export.StatsBy(s.ctx, d, v.By, s.progress())
	s.count(found)
	if err == nil { // the format's own statistics report no problems
		err = s.meetProblems(d)
	}
	return list, err
}

// meetProblems counts the problems of the small parts of a document, as far as that takes little time: of a small
// document all that a check finds.
func (s *session) meetProblems(d *model.Document) error {
	var found export.Tally
	err := scan.Known(s.ctx, d, decodedForStats, found.Add)
	if err == nil && d.Check != nil && size(d) <= decodedForStats {
		err = d.Check(s.ctx, s.progress(), func(_ string, p model.Problem) { found.Add(&p) })
	}
	s.count(found)
	return err
}

func (s *session) statsJSON(list []model.Stat) error {
	var lines []model.Object
	for _, l := range list {
		lines = append(lines, model.Object{
			{Key: "key", Value: model.Text(l.Key)},
			{Key: "count", Value: model.Int(l.Count)},
			{Key: "stored", Value: model.Int(l.Stored)},
			{Key: "logical", Value: model.Int(l.Logical)},
		})
	}
	buf := append(s.appendObjects([]byte(`{"by":`), lines), "}\n"...)
	_, err := s.out.Write(buf)
	return err
}
