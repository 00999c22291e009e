package unity

import (
	"bytes"
	"context"
	"strings"

	"cutaway/decoders/odin/entry"
	"cutaway/decoders/odin/textio"
	"cutaway/model"
)

// payloadFields holds the fields that carry bytes.
var payloadFields = map[string]struct {
	code    Code
	objects string // the field with the objects that external references count
}{
	"SerializedBytes":                      {Hex, "ReferencedUnityObjects"},
	"SerializedBytesString":                {Base64, "ReferencedUnityObjects"},
	"serializedProgramCompressedBytes":     {Hex, "programUnityEngineObjects"},
	"serializedProgramBytesString":         {Base64, "programUnityEngineObjects"},
	"serializedPublicVariablesBytesString": {Base64, "publicVariablesUnityEngineObjects"},
}

const (
	nodesField   = "SerializationNodes"
	formatField  = "SerializedFormat"
	changesField = "PrefabModifications" // fragments of the JSON form
)

// isStart reports whether an object begins at a line.
func isStart(n *textio.Line) bool {
	return bytes.HasPrefix(n.Head, []byte("--- ")) || string(n.Head) == "---"
}

// isConflict reports whether a line is a conflict marker. Those between the first and the last of a conflict look like
// text, and count only while a conflict is open.
func isConflict(n *textio.Line, open bool) bool {
	marker, rest, _ := bytes.Cut(n.Head, []byte(" "))
	switch string(marker) {
	case "<<<<<<<", ">>>>>>>":
		return len(rest) > 0 || open
	case "=======", "|||||||":
		return open
	}
	return false
}

// A scanner finds the fields with Odin data.
type scanner struct {
	f       *File
	w       *textio.Window
	l       textio.Lines
	lists   map[string][]entry.External // of the current object
	list    string                      // the list that is being read
	listAt  int                         // its indent
	nodes   *Field                      // the Nodes list that is being read
	nodesAt int
	name    string
	owner   string
	format  string
	signed  bool
	named   map[string]string // the names of the GameObjects so far by their id
	// override is the field that the next value is for, in the changes of a prefab's instance.
	override  string
	changes   *Field // the last fragment of PrefabModifications, while they are read
	inChanges bool
	changesAt int
	first     int // the first payload of the current object
}

// Scan reads a Unity file. It stops at limit bytes, unless limit is 0.
func Scan(ctx context.Context, src *model.Source, limit int64) (*File, error) {
	end := src.Size()
	if limit > 0 {
		end = min(end, limit)
	}
	w := textio.NewWindow(ctx, src, end, textio.PassAhead)
	s := &scanner{f: &File{source: src}, w: w, l: textio.Lines{Window: w}, named: map[string]string{}}
	number, open := 0, false
	for n, ok := s.l.Next(); ok; n, ok = s.l.Next() {
		if number++; number%4096 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if isConflict(&n, open) {
			s.f.conflicts = append(s.f.conflicts, conflict{src.Span(n.Off, n.End-n.Off), number, string(n.Head)})
			open = n.Head[0] != '>'
		}
		if isStart(&n) {
			s.finish()
			s.f.objects = append(s.f.objects, object{off: n.Off, line: number, head: strings.TrimSpace(strings.TrimPrefix(string(n.Head), "---"))})
			continue
		}
		s.addLine(&n)
	}
	s.finish()
	s.f.indexObjects()
	for _, p := range s.f.Fields {
		p.Carrier.On = s.named[p.Carrier.owner]
		p.Carrier.Objects.Name = s.f.nameOf
	}
	return s.f, nil
}

// addLine reads one line of an object.
func (s *scanner) addLine(n *textio.Line) {
	indent, item, key, valueAt := n.Key()
	if s.goesOn(n, indent, item) || len(s.f.objects) == 0 || key == "" {
		return
	}
	doc := &s.f.objects[len(s.f.objects)-1]
	if indent == 0 && doc.class == "" && valueAt >= n.End {
		doc.class = key
		return
	}
	value := strings.TrimSpace(s.w.Text(valueAt, min(n.End, valueAt+textio.HeadBytes)))
	if value != "" || !s.begin(key, n, indent) {
		s.field(key, value, n, valueAt)
	}
}

// goesOn adds a line to the Nodes list, PrefabModifications or list of objects that is open. It returns false if none
// is open or the line ends it.
func (s *scanner) goesOn(n *textio.Line, indent int, item bool) bool {
	blank := len(bytes.TrimSpace(n.Head)) == 0
	if s.nodes != nil {
		// Items are at the indent of the list, their lines below. Text may have blank lines.
		if blank || indent > s.nodesAt+1 || item && indent-2 >= s.nodesAt {
			s.nodes.Value.Len = n.Next - s.nodes.Value.Off
			s.nodes.LineEnd = n.Next
			return true
		}
		s.nodes = nil
	}
	if s.inChanges {
		if item && indent-2 >= s.changesAt || s.changes != nil && (blank || indent > s.changesAt) {
			s.change(n, indent, item)
			return true
		}
		s.inChanges, s.changes = false, nil
	}
	if s.list != "" && s.listItem(n, indent, item) {
		return true
	}
	s.list = ""
	return false
}

// begin opens the Nodes list, PrefabModifications or list of objects that a line begins, or returns false if it begins
// none.
func (s *scanner) begin(key string, n *textio.Line, indent int) bool {
	switch {
	case key == nodesField:
		s.nodes = s.add(key, n, model.Span{Source: s.f.source, Off: n.Next})
		s.nodes.Nodes = true
		s.nodesAt = indent
	case key == changesField:
		s.inChanges, s.changesAt = true, indent
	case listsObjects(key):
		s.list, s.listAt = key, indent
		s.setList(key, []entry.External{})
	default:
		return false
	}
	return true
}

// listsObjects reports whether a field lists the objects that external references count.
func listsObjects(key string) bool {
	return strings.HasSuffix(key, "UnityObjects") || strings.HasSuffix(key, "UnityEngineObjects")
}

// setList keeps a list of objects of the current object.
func (s *scanner) setList(key string, list []entry.External) {
	if s.lists == nil {
		s.lists = map[string][]entry.External{}
	}
	s.lists[key] = list
}

// field reads a field of one line.
func (s *scanner) field(key, value string, n *textio.Line, valueAt int64) {
	switch {
	case key == "m_Name":
		s.name = textio.Unquote(value)
	case key == "m_GameObject":
		_, id, _ := strings.Cut(value, "fileID: ")
		s.owner = strings.TrimRight(id, "} ")
	case key == "serializedSignature":
		s.signed = value != ""
	case key == formatField:
		s.format = value
	case key == "propertyPath":
		s.override = value[strings.LastIndexByte(value, '.')+1:]
	case key == "value":
		s.addField(s.override, n, valueAt)
		s.override = ""
	case listsObjects(key):
		s.setList(key, []entry.External{})
	default:
		s.addField(key, n, valueAt)
	}
}

// addField adds a field with bytes, unless it is empty.
func (s *scanner) addField(key string, n *textio.Line, valueAt int64) {
	how, ok := payloadFields[key]
	if !ok {
		return
	}
	from, to := valueAt, n.End
	for to > from && s.w.Text(to-1, to) == " " {
		to--
	}
	if q := s.w.Text(from, min(from+1, to)); (q == `"` || q == "'") && to > from+1 && s.w.Text(to-1, to) == q {
		from, to = from+1, to-1
	}
	if to == from {
		return
	}
	p := s.add(key, n, s.f.source.Span(from, to-from))
	p.Code = how.code
}

// change adds a line of PrefabModifications to a fragment, or begins one.
func (s *scanner) change(n *textio.Line, indent int, item bool) {
	if item && (s.changes == nil || indent-2 == s.changesAt) {
		from := min(n.Off+int64(indent), n.End)
		s.changes = s.add(changesField, n, s.f.source.Span(from, n.End-from))
		s.changes.Code = Scalar
		return
	}
	s.changes.Value.Len = n.End - s.changes.Value.Off
	s.changes.LineEnd = n.Next
}

// add adds a field with a payload.
func (s *scanner) add(key string, n *textio.Line, value model.Span) *Field {
	p := &Field{Carrier: &Carrier{Field: key}, object: len(s.f.objects) - 1, Line: n.Off, Value: value, LineEnd: n.Next}
	s.f.Fields = append(s.f.Fields, p)
	return p
}

// maxListed bounds the objects that are kept of a carrier's list.
const maxListed = 1 << 20

// listItem adds a line to the list of objects that is open, or returns false if it does not belong to the list.
func (s *scanner) listItem(n *textio.Line, indent int, item bool) bool {
	list := s.lists[s.list]
	text := strings.TrimSpace(string(n.Head))
	switch {
	case item && indent-2 >= s.listAt:
		if len(list) < maxListed {
			list = append(list, entry.External{Text: strings.TrimPrefix(text, "- "), Span: s.f.source.Span(n.Off, n.End-n.Off)})
		}
	case indent > s.listAt && len(list) > 0:
		last := &list[len(list)-1]
		last.Text += " " + text
		last.Span.Len = n.End - last.Span.Off
	default:
		return false
	}
	s.lists[s.list] = list
	return true
}

// finish gives the payloads of an object what was found beside them. A Nodes list without items is none.
func (s *scanner) finish() {
	if n := len(s.f.objects); n > 0 {
		o := &s.f.objects[n-1]
		if o.name, o.owner = s.name, s.owner; o.class == "GameObject" && s.name != "" {
			s.named[o.id()] = s.name
		}
	}
	kept := s.f.Fields[:s.first]
	for _, p := range s.f.Fields[s.first:] {
		if p.Value.Len == 0 {
			continue
		}
		doc := s.f.objects[p.object]
		c := p.Carrier
		c.class, c.name, c.owner, c.Format, c.Signed = doc.class, s.name, s.owner, s.format, s.signed
		if _, anchor, ok := strings.Cut(doc.head, " "); ok {
			c.anchor = anchor
		}
		objects := "ReferencedUnityObjects"
		if c.Field == changesField {
			objects = "PrefabModificationsReferencedUnityObjects"
		}
		if how, ok := payloadFields[c.Field]; ok {
			objects = how.objects
		}
		list := s.lists[objects]
		c.Objects = entry.Externals{Objects: list, Whole: list != nil && len(list) < maxListed}
		for _, before := range kept[s.first:] {
			if before.Carrier.Field == c.Field {
				p.twin++
			}
		}
		kept = append(kept, p)
	}
	s.f.Fields = kept
	s.first = len(kept)
	s.lists, s.list, s.nodes, s.name, s.owner, s.format, s.override, s.signed = nil, "", nil, "", "", "", "", false
	s.inChanges, s.changes = false, nil
}

// detectedYAML bounds how much of a Unity file is looked at to find a payload.
const detectedYAML = 32 << 20

// Detect looks for a field with Odin data in the first 32 MB of a Unity file.
func Detect(ctx context.Context, p *model.Probe) model.Detection {
	f, err := Scan(ctx, p.Source, detectedYAML)
	switch {
	case err != nil:
		return model.Detection{Reason: err.Error()}
	case len(f.Fields) == 0:
		return model.Detection{Confidence: 1, Reason: "a Unity file in text form, but no field in it carries OdinSerializer data"}
	}
	c := f.Fields[0].Carrier
	return model.Detection{Confidence: 90, Reason: "a Unity file in text form whose field " + c.Field + " carries OdinSerializer data"}
}
