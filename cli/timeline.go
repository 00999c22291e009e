package cli

import (
	"context"
	"fmt"
	"strings"

	"cutaway/model"
	"cutaway/model/export"
	"cutaway/model/timeline"
)

type timelineVerb struct {
	File  string `arg:"" help:"The file; FILE#PATH selects the tracks at and below a node."`
	Drift string `placeholder:"A,B" help:"Print how the times of two tracks of one rate drift apart: tracks, or fields of records as TRACK:FIELD, in seconds or thousandths, millionths or billionths of one; all compares every field and track."`
	View  string `placeholder:"NAME" help:"The view whose times to describe (default: the first that has any)."`
	JSON  bool   `name:"json" help:"Print one JSON object a line for each track."`
	fileFlags
}

func (*timelineVerb) Help() string {
	return `A track is the records of a stream, or the time samples of an attribute. A gap is an interval of more
than 1.5 times the median. A counter is a field of integers that goes on by about the same from record
to record. It jumps where a step is farther from the median than 8 times the usual spread, a thousandth
of the median, and, from a median of 10 on, 1.

` +
		examples("timeline recording.vrs", "timeline --json moving.usdc", "timeline audio.vrs --drift '999-4 data,999-5 data'", "timeline --drift all audio.vrs")
}

func (v *timelineVerb) run(s *session) error {
	d, err := v.open(s, v.File)
	if err != nil {
		return err
	}
	defer d.shut()
	tracks, err := v.tracks(s, d)
	if err != nil {
		return err
	}
	if v.Drift != "" {
		return v.drift(s, d, tracks)
	}
	table := textTable{head: []string{"track", "count", "first", "last", "median", "gaps", "out of order", "jumps"}, right: numbers(7)}
	var worth []string
	for i := range tracks {
		f, err := v.facts(s, d, &tracks[i])
		if err != nil {
			return err
		}
		if v.JSON {
			if err := s.track(f); err != nil {
				return err
			}
			continue
		}
		table.add(oneLine(s.ctx, f.Track.Name), model.Grouped(f.Track.Count), seconds(f.First), seconds(f.Last), interval(f.Median),
			model.Grouped(int64(len(f.Gaps))), model.Grouped(int64(len(f.Unordered))), model.Grouped(int64(len(f.Jumps))))
		worth = append(worth, irregular(s.ctx, f)...)
	}
	switch {
	case v.JSON:
	case len(tracks) == 0:
		s.say("no times")
	default:
		table.write(s)
		for _, line := range worth {
			fmt.Fprintln(s.out, line)
		}
	}
	return nil
}

// tracks are those of the view, at and below the node that the target names.
func (v *timelineVerb) tracks(s *session, d *opened) ([]model.Track, error) {
	name := v.View
	if d.target.Path != "" && name == "" {
		name, _, _ = strings.Cut(d.target.Path, "/")
	}
	var view *model.View
	for _, each := range d.Views {
		if each.Timeline != nil && (name == "" || each.Name == name) {
			view = each
			break
		}
	}
	if view == nil {
		return nil, wrongUsage("%s has no known times", d.Title)
	}
	tracks, err := view.Timeline(s.ctx, s.progress())
	if err != nil || d.target.Path == "" {
		return tracks, err
	}
	at, err := d.start(s, v.View)
	if err != nil {
		return nil, err
	}
	var below []model.Track
	for _, t := range tracks {
		if strings.HasPrefix(t.Path+"/", at.Path()+"/") {
			below = append(below, t)
		}
	}
	return below, nil
}

func (v *timelineVerb) facts(s *session, d *opened, t *model.Track) (*timeline.Facts, error) {
	f, err := timeline.Of(s.ctx, t)
	if err != nil {
		return nil, err
	}
	p, err := d.Lookup(s.ctx, t.Path)
	if err != nil {
		return nil, err
	}
	f.Jumps, err = timeline.Counters(s.ctx, p)
	return f, err
}

// mostPrinted limits the gaps, jumps and unordered moments of a track in text.
const mostPrinted = 20

// irregular returns the lines on gaps, jumps and unordered moments of a track.
func irregular(ctx context.Context, f *timeline.Facts) []string {
	var lines []string
	found := f.Findings()
	for _, each := range found[:min(len(found), mostPrinted)] {
		lines = append(lines, fmt.Sprintf("%s: %s, %s", oneLine(ctx, each.What), oneLine(ctx, each.Text), export.PathText(each.Path)))
	}
	rest := len(found) - len(lines)
	if rest > 0 {
		lines = append(lines, fmt.Sprintf("%s more of %s; --json lists them", model.Grouped(int64(rest)), oneLine(ctx, f.Track.Name)))
	}
	return lines
}

// seconds writes a time; "" where there is none.
func seconds(t float64) string {
	if t != t {
		return ""
	}
	return model.FormatTime(t)
}

// interval writes a time between two others; "" where there is none.
func interval(t float64) string {
	const sure = 12 // digits: it was computed
	if t != t {
		return ""
	}
	return model.FormatDigits(t, sure)
}

// track prints a track as JSON, with its lists in full.
func (s *session) track(f *timeline.Facts) error {
	buf, err := export.AppendValue(s.ctx, nil, model.Object{
		{Key: "track", Value: model.Text(f.Track.Name)}, {Key: "path", Value: model.Text(f.Track.Path)},
		{Key: "count", Value: model.Int(f.Track.Count)}, {Key: "first", Value: orNull(f.First)}, {Key: "last", Value: orNull(f.Last)},
		{Key: "median", Value: orNull(f.Median)},
	})
	if err != nil {
		return err
	}
	buf = buf[:len(buf)-1]
	for _, list := range []struct {
		key  string
		gaps []timeline.Gap
	}{{"gaps", f.Gaps}, {"unordered", f.Unordered}} {
		var lines []model.Object
		for _, g := range list.gaps {
			lines = append(lines, model.Object{{Key: "from", Value: model.Float64(g.From)}, {Key: "to", Value: model.Float64(g.To)}, {Key: "path", Value: model.Text(g.Path)}})
		}
		buf = s.appendObjects(append(buf, `,"`+list.key+`":`...), lines)
	}
	var jumps []model.Object
	for _, j := range f.Jumps {
		jumps = append(jumps, model.Object{{Key: "field", Value: model.Text(j.Field)}, {Key: "from", Value: j.From}, {Key: "to", Value: j.To}, {Key: "path", Value: model.Text(j.Path)}})
	}
	buf = append(s.appendObjects(append(buf, `,"jumps":`...), jumps), "}\n"...)
	_, err = s.out.Write(buf)
	return err
}

// orNull is a number, or null where there is none.
func orNull(x float64) model.Value {
	if x != x {
		return nil
	}
	return model.Float64(x)
}

// drift prints how two tracks drift apart, or all tracks of one rate.
func (v *timelineVerb) drift(s *session, d *opened, tracks []model.Track) error {
	if v.Drift == "all" {
		var list []*model.Track
		for i := range tracks {
			list = append(list, &tracks[i])
		}
		found, err := timeline.Drifts(s.ctx, list, d.Lookup, s.progress())
		for _, each := range found {
			if err := v.tellDrift(s, each); err != nil {
				return err
			}
		}
		return err
	}
	first, second, two := strings.Cut(v.Drift, ",")
	if !two {
		return wrongUsage("--drift wants two tracks with a comma between them, or all")
	}
	a, err := v.timesOf(s, d, tracks, first)
	if err != nil {
		return err
	}
	b, err := v.timesOf(s, d, tracks, second)
	if err != nil {
		return err
	}
	found, err := timeline.Between(s.ctx, a, b)
	if err != nil {
		return wrongUsage("%w", err)
	}
	return v.tellDrift(s, found)
}

// timesOf is the track of a name, or a field of one, TRACK:FIELD.
func (v *timelineVerb) timesOf(s *session, d *opened, tracks []model.Track, name string) (*model.Track, error) {
	t, err := timeline.Find(tracks, name)
	of, field, both := strings.Cut(name, ":")
	if err == nil || !both {
		return t, asUsage(err)
	}
	if t, err = timeline.Find(tracks, of); err != nil {
		return nil, asUsage(err)
	}
	p, err := d.Lookup(s.ctx, t.Path)
	if err != nil {
		return nil, err
	}
	fields, err := timeline.Fields(s.ctx, t, p)
	if err != nil {
		return nil, err
	}
	if t, err = timeline.Find(fields, t.Name+":"+field); err != nil {
		return nil, wrongUsage("%w; its times: %s", err, trackNames(fields))
	}
	return t, nil
}

func asUsage(err error) error {
	if err == nil {
		return nil
	}
	return wrongUsage("%w", err)
}

func trackNames(tracks []model.Track) string {
	var names []string
	for i := range tracks {
		names = append(names, tracks[i].Name)
	}
	return strings.Join(append(names, "those of its records"), ", ")
}

func (v *timelineVerb) tellDrift(s *session, d *timeline.Drift) error {
	if v.JSON {
		return s.object(model.Object{{Key: "track", Value: model.Text(d.A.Name)}, {Key: "other", Value: model.Text(d.B.Name)},
			{Key: "pairs", Value: model.Int(d.Pairs)}, {Key: "offset", Value: model.Float64(d.Offset)},
			{Key: "drift", Value: model.Float64(d.Rate)}, {Key: "largest", Value: model.Float64(d.Largest)}})
	}
	found := d.Finding()
	fmt.Fprintln(s.out, oneLine(s.ctx, found.Of), oneLine(s.ctx, found.Text))
	return nil
}
