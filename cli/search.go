package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"cutaway/model"
	"cutaway/model/export"
	"cutaway/model/search"
	"cutaway/scan"
	"cutaway/source/far"
)

type searchVerb struct {
	File       string   `arg:"" help:"The file, or a folder with all below it; FILE#PATH searches below a node and in its bytes, FILE:OFFSET in the deepest node over a byte."`
	Query      string   `arg:"" help:"What to search for. In the tree: words, numbers such as =0.5, >1e6 or 10..20, /regular expressions/, name:, type:, value:, path:, size:, total:. In bytes: a pattern, see --as."`
	More       []string `arg:"" optional:"" name:"more" help:"More files and folders."`
	In         string   `enum:"tree,bytes,all" default:"tree" placeholder:"WHERE" help:"Where to search: in the tree, in the bytes of the file and of all that is derived from it, or in both."`
	View       string   `placeholder:"NAME" help:"The view to search (default: the format's first)."`
	As         string   `default:"auto" placeholder:"FORM" help:"How a pattern of bytes is written: hex (50 58 ?? 2d), utf8, utf16le, utf16be, a number or range (0.5..0.7) as u8, i16, u32be, f32, f64 …, regexp, or auto (hex where it looks like it, else text as utf8 and as utf16le; /regexp/, f32:0.5)."`
	IgnoreCase bool     `help:"Ignore the case of the letters A to Z in a pattern of text."`
	Elements   bool     `help:"Search the elements of arrays longer than 16 too."`
	Max        int64    `placeholder:"N" help:"End after N hits (default: all)."`
	JSON       bool     `name:"json" help:"Print one JSON object a line for each hit."`
	folderFlags
	fileLimit
	fileFlags
}

func (*searchVerb) Help() string {
	return `Each hit is a line, printed as it is found. Of several files and of folders, the line begins with the
file; of a member of a package, with the member in brackets: [shape.usdc]#scene/Root. Where nothing is
found, standard error says "no match". The exit status depends on errors in the files, not on hits.

` +
		examples("search sample.usdc points", "search sample.usdc 'type:float3* >0.9'", "search sample.usdc 'value:*oak*' recording.vrs", "search --elements sample.usdc 'type:float3 >0.9'",
			"search --json recording.vrs name:image_width | jq -c .value", "search sample.usdc --in bytes '5058??2d'",
			"search 'sample.usdc#layout/TOKENS' --in bytes normals --ignore-case", "search dump.bin --format bytes --in bytes 0.5 --as f32")
}

// errEnough ends a search at the number of hits that --max allows.
var errEnough = errors.New("that is enough")

func (v *searchVerb) run(s *session) error {
	h := hits{s: s, json: v.JSON, max: v.Max}
	query, pattern, err := v.parse()
	if err != nil {
		return wrongUsage("%w", err)
	}
	if s.terminal {
		s.meter.quiet()
	}
	paths := append([]string{v.File}, v.More...)
	if err := v.Patch.ofOne(paths...); err != nil {
		return err
	}
	looked, err := v.look(s)
	if err != nil {
		return err
	}
	files := &searchedFiles{v: v, h: &h, query: query, pattern: pattern, many: len(paths) > 1 || isFolder(v.File), looked: looked}
	err = files.looked.Each(paths, files.search)
	if errors.Is(err, errEnough) {
		s.say("ended after %s; there may be more", model.GroupedCount(h.n, "hit"))
		return files.worst
	}
	if err == nil {
		files.looked.report(s, paths)
	}
	if err = cmp.Or(err, files.worst); err == nil && h.n == 0 && files.looked.files > 0 {
		s.say("no match")
	}
	return err
}

// searchedFiles is a search of several files.
type searchedFiles struct {
	v       *searchVerb
	h       *hits
	query   *search.Query
	pattern *search.Pattern
	many    bool
	looked  lookedAt
	worst   error // of files that do not open
}

// search searches a file; of several, one that does not open keeps no other from being searched.
func (l *searchedFiles) search(f scan.Name) error {
	s := l.h.s
	file := far.Keep(f.File)
	if l.many {
		l.h.file = file
	}
	err := l.v.limited(s, file, func() error { return l.v.inFile(l.h, f.File, l.query, l.pattern) })
	if l.many && s.ctx.Err() == nil && cannotOpen(err) {
		switch {
		case l.looked.passes(f, err):
			return nil
		case l.looked.allows(err):
			s.say("%s", s.message(err))
		default:
			l.worst = s.worse(l.worst, err)
		}
		err = nil
	}
	l.looked.files++
	return err
}

// inFile searches one file.
func (v *searchVerb) inFile(h *hits, file string, query *search.Query, pattern *search.Pattern) (err error) {
	s := h.s
	if h.doc, err = v.open(s, file); err != nil {
		return err
	}
	defer h.doc.shut()
	start, err := h.doc.start(s, v.View)
	if err != nil {
		if h.file != "" && s.ctx.Err() == nil {
			return nil // a view that other files have
		}
		return err
	}
	if query != nil {
		err = v.inTree(h, start, query)
	}
	if pattern != nil && err == nil {
		err = h.inBytes(s.ctx, start, pattern)
	}
	return err
}

// parse reads what is searched for in the tree and in bytes; nil where that is not asked for.
func (v *searchVerb) parse() (q *search.Query, p *search.Pattern, err error) {
	if v.Max < 0 {
		return nil, nil, fmt.Errorf("--max %d: it is a number of hits, 0 for all", v.Max)
	}
	form, err := search.ParseForm(v.As)
	if err != nil {
		return nil, nil, err
	}
	if v.In == "tree" && (form != search.Auto || v.IgnoreCase) {
		return nil, nil, errors.New("--as and --ignore-case are about bytes; add --in bytes or --in all")
	}
	if v.In != "bytes" {
		if q, err = search.ParseQuery(v.Query); err != nil {
			return nil, nil, err
		}
	}
	if v.In != "tree" {
		p, err = search.ParsePattern(v.Query, form, search.PatternOptions{IgnoreCase: v.IgnoreCase})
	}
	return q, p, err
}

// hits prints what a search finds.
type hits struct {
	s    *session
	doc  *opened
	json bool
	max  int64
	n    int64

	file   string // being searched; empty if it is the only one
	member string // the member of a package being searched; empty for the document that the command line names
}

// counted ends the search after the last hit that is wanted.
func (h *hits) counted(err error) error {
	if h.s.terminal && err == nil {
		err = h.s.out.Flush()
	}
	if h.n++; h.n == h.max && err == nil {
		return errEnough
	}
	return err
}

// inBytes searches all sources, or the bytes of the node that the command line names.
func (h *hits) inBytes(ctx context.Context, start *model.Place, p *search.Pattern) error {
	var err error
	if h.doc.isWhole() {
		err = search.EverySource(h.s.ctx, h.doc.Document, p, h.s.progress(), h.bytes)
	} else {
		err = h.inSpans(ctx, start.Node.Spans, p)
	}
	var unread *search.Unread
	if errors.As(err, &unread) {
		h.s.say("%s", unread)
		h.s.count(export.Tally{Errors: 1})
		err = nil
	}
	return err
}

func (h *hits) inSpans(ctx context.Context, spans []model.Span, p *search.Pattern) error {
	if len(spans) == 0 {
		return wrongUsage("the node has no bytes of its own; search in the layout, or in the whole file")
	}
	for _, at := range spans {
		err := search.Bytes(h.s.ctx, at.Source, p, at.Off, at.End(), h.s.progress(), func(off, length int64) error {
			return h.bytes(ctx, at.Source, off, length)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// node prints a hit in the tree.
func (h *hits) node(ctx context.Context, hit search.Hit) error {
	n := &hit.Place.Node
	var met export.Tally
	for i := range n.Problems {
		met.Add(&n.Problems[i])
	}
	h.s.count(met)
	if h.json {
		o := model.Object{
			{Key: "path", Value: export.JSONPath(hit.Path)}, {Key: "name", Value: model.Text(n.Name)},
			{Key: "type", Value: model.Text(n.Type)}, {Key: "value", Value: n.Value},
			{Key: "where", Value: model.Text(hit.Where)}, {Key: "text", Value: model.Text(hit.Text)},
		}
		if h.member != "" {
			o = append(o, model.Member{Key: "member", Value: model.Text(h.member)})
		}
		o = h.ofFile(o)
		return h.counted(h.line(o, n.Spans))
	}
	shown := hit.Text
	if hit.Where != search.InValue {
		shown = heldText(ctx, n)
	}
	path := hit.Path
	switch { // together with the file's name it opens the node
	case h.member != "":
		path = h.file + "[" + h.member + "]#" + path
	case h.file != "":
		path = h.file + "#" + path
	}
	return h.counted(h.print(ctx, path, n.Type, shown))
}

// bytes prints a hit in bytes, with the deepest layout node over its first one.
func (h *hits) bytes(ctx context.Context, src *model.Source, off, length int64) error {
	path, typ, value := "", "", ""
	at, err := h.doc.ResolveAt(h.s.ctx, src, off, nil)
	if h.s.ctx.Err() != nil {
		return h.s.ctx.Err()
	}
	if err == nil && at != nil { // a source without a layout still has bytes
		path, typ, value = at.Path(), at.Node.Type, heldText(ctx, &at.Node)
	}
	if h.json {
		return h.counted(h.s.object(h.ofFile(model.Object{
			{Key: "source", Value: export.JSONPath(src.Name())}, {Key: "offset", Value: model.Int(off)},
			{Key: "length", Value: model.Int(length)}, {Key: "path", Value: export.JSONPath(path)},
		})))
	}
	place := fmt.Sprintf("%s:%#x", src.Name(), off)
	if h.file != "" {
		place = h.file + "  " + place
	}
	return h.counted(h.print(ctx, place, export.PathText(path), typ, value))
}

// ofFile adds the file to a hit, where several are searched.
func (h *hits) ofFile(o model.Object) model.Object {
	if h.file != "" {
		o = append(o, model.Member{Key: "file", Value: model.Text(h.file)})
	}
	return o
}

// print writes a line: the place, and the type and value if they are known.
func (h *hits) print(ctx context.Context, place string, more ...string) error {
	_, err := h.s.out.WriteString(h.s.style.Strong(export.PathText(place)))
	for _, text := range more {
		if text != "" && err == nil {
			_, err = h.s.out.WriteString("  " + oneLine(ctx, text))
		}
	}
	if err == nil {
		err = h.s.out.WriteByte('\n')
	}
	return err
}

// line writes an object with spans.
func (h *hits) line(o model.Object, spans []model.Span) error {
	buf, err := export.AppendValue(h.s.ctx, nil, o)
	if h.s.ctx.Err() != nil {
		return h.s.ctx.Err()
	}
	if err != nil { // a value that cannot be read whole is written as far as it can
		h.s.count(export.Tally{Errors: 1})
	}
	var list []model.Object
	for _, at := range spans {
		span := model.Object{{Key: "source", Value: export.JSONPath(at.Source.Name())},
			{Key: "offset", Value: model.Int(at.Off)}, {Key: "length", Value: model.Int(at.Len)}}
		if at.Mask != 0 {
			span = append(span, model.Member{Key: "mask", Value: model.Uint(at.Mask)})
		}
		list = append(list, span)
	}
	buf = append(buf[:len(buf)-1], `,"spans":`...)
	_, err = h.s.out.Write(append(h.s.appendObjects(buf, list), "}\n"...))
	return err
}
