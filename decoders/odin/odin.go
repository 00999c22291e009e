// Package odin decodes the data of OdinSerializer: the binary and JSON forms, the Nodes list, the Unity files and gzip
// streams that carry them, and the Udon programs of VRChat. The chapters named in comments are those of
// docs/formats/odin.md.
package odin

import (
	"bytes"
	"cmp"
	"context"
	"slices"
	"strings"

	"cutaway/decoders/odin/entry"
	"cutaway/decoders/odin/object"
	"cutaway/decoders/odin/udon"
	"cutaway/decoders/odin/unity"
	"cutaway/model"
	"cutaway/model/crossref"
)

const formatName = "odin"

// Format is OdinSerializer data.
var Format = &model.Format{
	Name:  formatName,
	Title: "OdinSerializer data",
	Depth: "binary, JSON, inside Unity YAML: every byte, entries, objects, Udon programs",
	Types: []model.FileType{
		{MIME: "application/x-odinserializer", Title: "OdinSerializer data", Extensions: []string{".odin"}, Shared: []string{".odin"}},
		{MIME: "application/x-unity-bytes", Title: "Unity bytes", Extensions: []string{".bytes"}, Shared: []string{".bytes"}},
		{MIME: "application/x-unity-asset", Title: "Unity asset", Parent: "text/plain", Extensions: []string{".asset"}, Shared: []string{".asset"}},
		{MIME: "application/x-unity-prefab", Title: "Unity prefab", Parent: "text/plain", Extensions: []string{".prefab"}, Shared: []string{".prefab"}},
		{MIME: "application/x-unity-scene", Title: "Unity scene", Parent: "text/plain", Extensions: []string{".unity"}, Shared: []string{".unity"}},
	},
	Holds:         "Odin data",
	Keywords:      []string{"Odin"},
	Detect:        detect,
	Open:          open,
	Rules:         rules,
	Specification: entry.BinaryLanguage.Describe,
}

// A document is one opened file with its payloads, in the order of the file.
type document struct {
	crossref.Tables
	src      *model.Source
	payloads []*payload
	layout   func(context.Context) model.Node

	owners map[string]string // the names of GameObjects by the words for their carriers

	udonShown bool // there is an Udon view
}

// find finds the payloads of the file and returns its title.
func (d *document) find(ctx context.Context, files model.Files) (title string, err error) {
	head, err := d.src.Bytes(ctx, 0, min(d.src.Size(), model.ProbeSize))
	if err != nil {
		return "", err
	}
	if fileKindOf(head) == kindYAML {
		return "Unity file with OdinSerializer data", d.openYAML(ctx, files)
	}
	return d.openBytes(ctx)
}

// label names a payload by the GameObject that it belongs to, and a slot of an Udon heap by its symbol.
func (d *document) label(_ context.Context, n *model.Node) string {
	return cmp.Or(d.owners[n.Brief], udon.Label(n))
}

// open opens a file and finds its payloads.
func open(ctx context.Context, req *model.OpenRequest) (*model.Document, error) {
	d := &document{src: req.Source}
	title, err := d.find(ctx, req.Files)
	if err != nil {
		return nil, err
	}
	d.link()
	views := []*model.View{
		{Name: object.View, Title: "Objects", Root: d.objectsRoot, Find: d.Find(object.View), Cards: []string{"Plot", "Table"}, Intro: object.Intro},
		{Name: entry.View, Title: "Entries", Root: d.entriesRoot, Find: d.Find(entry.View)},
		{Name: model.LayoutView, Title: "Layout", Root: d.layout, Of: req.Source},
	}
	if d.udonShown = d.seemsUdon(ctx); d.udonShown {
		views = append([]*model.View{{Name: udon.View, Title: "Udon", Root: d.udonRoot, Find: d.Find(udon.View), Cards: []string{"Listing", "Table"}, Intro: udon.Intro, Shows: udon.Shows, Kind: udon.Kind, Summary: udon.Summary}}, views...)
	}
	for _, v := range views[:len(views)-1] { // the last is the layout
		v.Label = d.label
	}
	doc := &model.Document{
		Format: formatName, Title: title, Why: req.Why, Name: req.Name, Sources: []*model.Source{req.Source}, Views: views,
		Facts: d.facts, Check: d.check, Stats: d.stats, StatKeys: statKeys, Change: d.change,
	}
	doc.ReferencedBy = d.ReferencedBy
	if d.udonShown {
		doc.Named = d.named
	}
	return doc, nil
}

// named returns the path of the instruction that a program counter or a line of VRChat's log names, in the first program that has
// one there.
func (d *document) named(ctx context.Context, name string) (path string, ok bool) {
	counter, ok := udon.Counter(name)
	if !ok {
		return "", false
	}
	for _, p := range d.payloads {
		if o, err := p.open(ctx); err == nil {
			if path := o.udon.PathAt(ctx, counter); path != "" {
				return path, true
			}
		}
	}
	return "", false
}

// seemsUdon reports whether there may be a program or a table of variables: by the fields of a Unity file, or by a type
// name at the beginning of a payload.
func (d *document) seemsUdon(ctx context.Context) bool {
	for _, p := range d.payloads {
		if p.field != nil && (strings.HasPrefix(p.field.Carrier.Field, "serializedProgram") || strings.HasPrefix(p.field.Carrier.Field, "serializedPublicVariables")) {
			return true
		}
		head, err := p.head(ctx)
		if err != nil {
			continue
		}
		for _, name := range []string{udon.TypeProgram, udon.TypeVariables} {
			if bytes.Contains(head, []byte(name)) || bytes.Contains(head, []byte(strings.Join(strings.Split(name, ""), "\x00"))) {
				return true
			}
		}
	}
	return false
}

// head returns the first bytes of a payload.
func (p *payload) head(ctx context.Context) ([]byte, error) {
	if p.field != nil {
		return p.field.Beginning(ctx)
	}
	src := p.once.Made().s.Source()
	return src.Bytes(ctx, 0, min(src.Size(), model.ProbeSize))
}

// openBytes opens a file that is a stream, or gzip data of one.
func (d *document) openBytes(ctx context.Context) (title string, err error) {
	p := &payload{}
	o, err := p.once.Get(ctx, nil, func(ctx context.Context, _ model.Progress) (*openedPayload, error) { return p.openBytes(ctx, d.src) })
	if err != nil {
		return "", err
	}
	d.payloads = []*payload{p}
	d.layout = func(ctx context.Context) model.Node { return o.layout(ctx, model.LayoutView) }
	title = "OdinSerializer, " + o.s.Encoding()
	if o.gzip != nil {
		title += ", in gzip"
	}
	return title, nil
}

// openYAML finds the payloads of a Unity file.
func (d *document) openYAML(ctx context.Context, files model.Files) error {
	f, err := unity.Scan(ctx, d.src, 0)
	if err != nil {
		return err
	}
	f.Beside(files)
	d.owners = map[string]string{}
	byField := make(map[*unity.Field]*payload, len(f.Fields))
	var segments model.Segments
	for _, field := range f.Fields {
		p := &payload{name: segments.Add(field.Carrier.Field), field: field}
		d.payloads = append(d.payloads, p)
		if on := field.Carrier.On; on != "" {
			d.owners[field.Carrier.String()] = on
		}
		byField[field] = p
	}
	d.layout = func(context.Context) model.Node {
		return f.Layout(func(ctx context.Context, field *unity.Field) model.Node { return byField[field].fieldNode(ctx) })
	}
	return nil
}

// inCarrier reports whether the payloads are in a Unity file, each by a name of its own.
func (d *document) inCarrier() bool { return len(d.payloads) != 1 || d.payloads[0].field != nil }

// root returns the root of a view: that of the only stream, or the payloads of a Unity file.
func (d *document) root(view, help string, of func(o *openedPayload, name string) model.Node) model.Node {
	if !d.inCarrier() {
		return of(d.payloads[0].once.Made(), view)
	}
	return model.Node{Name: view, Type: "Unity file", Spans: []model.Span{d.src.Whole()}, Help: help,
		Children: &model.Rows{Count: int64(len(d.payloads)), ByName: d.payloadNamed, ByByte: d.payloadOver, Make: func(ctx context.Context, i int64) model.Node {
			p := d.payloads[i]
			o, err := p.open(ctx)
			if err != nil {
				unread := model.Node{Name: p.name, Type: "unreadable", Spans: []model.Span{p.field.Value}, Brief: p.field.Carrier.String()}
				return unread.Named(p.field.Carrier.Field)
			}
			n := of(o, p.name).Named(p.field.Carrier.Field)
			n.Brief = p.field.Carrier.String()
			if n.Span().Source != p.field.Value.Source {
				n.Spans = append(n.Spans, p.field.Value)
			}
			return n
		}}}
}

// payloadNamed finds a payload by its segment.
func (d *document) payloadNamed(_ context.Context, name string) (int64, bool) {
	i := slices.IndexFunc(d.payloads, func(p *payload) bool { return p.name == name })
	return int64(i), i >= 0
}

// payloadOver finds the payload over a byte of the file or of a source that derives from the file.
func (d *document) payloadOver(_ context.Context, src *model.Source, off int64) (int64, bool) {
	for i, p := range d.payloads {
		o := p.once.Made()
		if p.field.Value.Covers(src, off) || o != nil && o.s.Bounds().Covers(src, off) {
			return int64(i), true
		}
	}
	return 0, false
}

// entriesRoot returns the root of the view of entries.
func (d *document) entriesRoot(context.Context) model.Node {
	return d.root(entry.View, "the entries of each payload as they are written", func(o *openedPayload, name string) model.Node { return o.s.Root(name) })
}

// udonRoot returns the root of the Udon view.
func (d *document) udonRoot(context.Context) model.Node {
	return d.root(udon.View, "the programs and public variables of each payload", func(o *openedPayload, name string) model.Node { return o.udon.Root(name) })
}

// objectsRoot returns the root of the view of objects.
func (d *document) objectsRoot(context.Context) model.Node {
	return d.root(object.View, "the objects of each payload", func(o *openedPayload, name string) model.Node { return o.objects.Root(name) })
}
