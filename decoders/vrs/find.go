package vrs

import (
	"context"
	"strings"

	"cutaway/model"
)

// find returns the nodes of the streams view that own the bytes of a span, the deepest first.
func (r *recording) find(ctx context.Context, s model.Span) ([]string, error) {
	t, err := r.records(ctx, nil)
	if err != nil {
		return nil, err
	}
	if s.Source.Same(r.src) {
		if i, ok := t.over(s.Off); ok {
			return r.findInRecord(ctx, t, i, s)
		}
		return r.findInDescription(s.Off), nil
	}
	name, ok := strings.CutPrefix(s.Source.Name(), recordsPath+"/")
	if !ok {
		return r.findEntry(t, s), nil
	}
	name, _, _ = strings.Cut(name, "/")
	i, ok := model.ParseIndex(name)
	if !ok || i >= t.n() {
		return nil, nil
	}
	return r.findInRecord(ctx, t, i, s)
}

// findEntry is the record that an entry of the inflated index lists.
func (r *recording) findEntry(t *table, s model.Span) []string {
	if i := s.Off / infoSize; strings.HasPrefix(s.Source.Name(), entriesPath) && t.indexed && i < t.n() {
		return []string{r.inStream(t, i)}
	}
	return nil
}

// findInRecord is the field, else the block, else the record over the bytes.
func (r *recording) findInRecord(ctx context.Context, t *table, i int64, s model.Span) ([]string, error) {
	c, err := r.content(ctx, t, i)
	if err != nil {
		return nil, err
	}
	path := r.inStream(t, i)
	paths := []string{path}
	if !s.Source.Same(c.src) {
		return paths, nil
	}
	nodes := model.NewList(r.contentNodes(t, c)...)
	count, _ := nodes.Len(ctx)
	for k := range count {
		n := nodes.At(ctx, k)
		if !n.Span().Covers(s.Source, s.Off) {
			continue
		}
		block := path + "/" + model.EscapeSegment(n.Name)
		paths = append([]string{block}, paths...)
		if k < int64(len(c.blocks)) && c.blocks[k].data != nil {
			paths = append(fieldsOver(ctx, n.Children, block, s), paths...)
		}
	}
	return paths, nil
}

// fieldsOver are the fields of a block with a span over the bytes.
func fieldsOver(ctx context.Context, fields model.Children, block string, s model.Span) (paths []string) {
	count, _ := fields.Len(ctx)
	for f := range count {
		n := fields.At(ctx, f)
		for _, span := range n.Spans {
			if span.Covers(s.Source, s.Off) {
				paths = append(paths, block+"/"+model.EscapeSegment(n.Name))
				break
			}
		}
	}
	return paths
}

// findInDescription is the tag or stream over a byte of the description, or the record of an index entry.
func (r *recording) findInDescription(off int64) []string {
	t := r.table.Made()
	if x := r.index; x != nil && !x.compressed && t.indexed && x.infos.Covers(r.src, off) {
		if i := (off - x.infos.Off) / infoSize; i < t.n() {
			return []string{r.inStream(t, i)}
		}
	}
	if r.desc == nil {
		return nil
	}
	over := func(list tagList, path string) []string {
		for _, g := range list {
			if g.src == r.src && off >= g.off && off < g.end {
				return []string{path + "/" + model.EscapeSegment(named(g.name)), path}
			}
		}
		return nil
	}
	if found := over(r.desc.file, streamsView+"/"+fileTagsName); found != nil {
		return found
	}
	for _, s := range t.streams {
		path := streamPath(s.id)
		for _, found := range [][]string{over(s.user, path+"/"+userTagsName), over(s.vrs, path+"/"+vrsTagsName)} {
			if found != nil {
				return append(found, path)
			}
		}
	}
	for i := range r.desc.streams {
		if d := &r.desc.streams[i]; off >= d.off && off < d.end {
			return []string{streamPath(d.id)}
		}
	}
	return nil
}

// referencedBy lists what refers to a record: its entry in the index, and its place in its stream.
func (r *recording) referencedBy(ctx context.Context, p *model.Place, limit int, progress model.Progress) ([]model.Ref, int64, error) {
	path := p.Path()
	t, err := r.records(ctx, progress)
	if err != nil {
		return nil, 0, err
	}
	var refs []model.Ref
	add := func(ref model.Ref) {
		if len(refs) < limit {
			refs = append(refs, ref)
		}
	}
	count := int64(0)
	if name, ok := strings.CutPrefix(path, recordsPath+"/"); ok {
		name, _, _ = strings.Cut(name, "/")
		if i, ok := model.ParseIndex(name); ok && i < t.n() {
			count++
			add(model.Ref{Kind: "record", Path: r.inStream(t, i), Text: "in its stream"})
			if x := r.index; x != nil && t.indexed {
				entry := entriesPath
				if x.compressed {
					entry += "@" + inflatedName
				}
				count++
				add(model.Ref{Kind: "index entry", Path: entry + "/" + model.IndexName(i), Text: "in the index"})
			}
		}
		return refs, count, nil
	}
	for _, s := range t.streams {
		rest, ok := strings.CutPrefix(path, streamPath(s.id))
		if !ok || rest != "" && rest[0] != '/' {
			continue
		}
		n, err := r.referrers(ctx, t, s, strings.TrimPrefix(rest, "/"), limit, add)
		return refs, n, err
	}
	return nil, 0, nil
}

// referrers lists what refers to a stream, or to a configuration record of it: the records that it describes.
func (r *recording) referrers(ctx context.Context, t *table, s *stream, rest string, limit int, add func(model.Ref)) (int64, error) {
	group, name, _ := strings.Cut(rest, "/")
	name, _, _ = strings.Cut(name, "/")
	k, ok := model.ParseIndex(name)
	if rest == "" {
		return r.describers(s, add), nil
	}
	if group != groupName(configurationRecord) || !ok || k >= t.count(s, configurationRecord) {
		if i, known := r.recordAt(t, s, group, k); ok && known {
			add(model.Ref{Kind: "stream", Path: recordPath(i), Text: "in the file"})
			return 1, nil
		}
		return 0, nil
	}
	i := t.record(s, configurationRecord, k)
	add(model.Ref{Kind: "stream", Path: recordPath(i), Text: "in the file"})
	count := int64(1)
	data := t.group(s, dataRecord)
	first := t.atTime(data, t.time[i])
	for d := first; d < int64(len(data)); d++ {
		if at, _ := t.configurationFor(int64(data[d])); at != i {
			break
		}
		if d-first >= int64(limit) {
			count++ // not looked at: most records of a stream are alike
			continue
		}
		c, err := r.content(ctx, t, int64(data[d]))
		if err != nil {
			return count, err
		}
		for b := range c.blocks {
			if c.blocks[b].configuredBy() == i {
				count++
				add(model.Ref{Kind: "configuration", Path: r.inStream(t, int64(data[d]))})
			}
		}
	}
	return count, nil
}

// recordAt is the number of record k of a group by name.
func (r *recording) recordAt(t *table, s *stream, group string, k int64) (int64, bool) {
	for _, g := range groupNames {
		if g.name == group && k >= 0 && k < t.count(s, g.kind) {
			return t.record(s, g.kind, k), true
		}
	}
	return 0, false
}

// describers lists the descriptions of a stream.
func (r *recording) describers(s *stream, add func(model.Ref)) (count int64) {
	if r.desc == nil {
		return 0
	}
	for i := range r.desc.streams {
		if r.desc.streams[i].id == s.id {
			count++
			add(model.Ref{Kind: "stream", Path: model.LayoutView + "/description/streams/" + model.IndexName(int64(i)), Text: "in the description"})
		}
	}
	return count
}
