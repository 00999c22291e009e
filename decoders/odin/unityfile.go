package odin

import (
	"bytes"
	"context"
	"strings"

	"cutaway/decoders/odin/textio"
	"cutaway/model"
)

// Unity files in text form (chapter 11). They are read line by line: what is needed of them are the fields that carry
// Odin data, and the lists of objects beside them.

// payloadFields are the fields that carry bytes.
var payloadFields = map[string]struct {
	code    textCode
	objects string // the field with the objects that external references count
}{
	"SerializedBytes":                      {codeHex, "ReferencedUnityObjects"},
	"SerializedBytesString":                {codeBase64, "ReferencedUnityObjects"},
	"serializedProgramCompressedBytes":     {codeHex, "programUnityEngineObjects"},
	"serializedProgramBytesString":         {codeBase64, "programUnityEngineObjects"},
	"serializedPublicVariablesBytesString": {codeBase64, "publicVariablesUnityEngineObjects"},
}

const (
	nodesField   = "SerializationNodes"
	formatField  = "SerializedFormat"
	changesField = "PrefabModifications" // fragments of the JSON form
)

// yamlPayload is a field with Odin data.
type yamlPayload struct {
	carrier *carrier
	doc     int
	code    textCode
	line    int64 // offset of the line with the key
	value   model.Span
	lineEnd int64 // offset after the payload's last line
	nodes   bool  // value is the Nodes list
	twin    int   // how many fields of this name are before it in the object
}

// yamlDoc is one object of the file.
type yamlDoc struct {
	off   int64
	line  int // number of its first line, from 1 on
	class string
	head  string // "!u!114 &11400000"
}

// A yamlFile holds the objects and payloads of a Unity file.
type yamlFile struct {
	src       *model.Source
	docs      []yamlDoc
	payloads  []*yamlPayload
	conflicts []conflict // in their order
}

// conflict is a line that Git has put between two versions of a part of a file.
type conflict struct {
	at     model.Span
	number int // of the line, from 1 on
	text   string
}

func isStart(n *textio.Line) bool {
	return bytes.HasPrefix(n.Head, []byte("--- ")) || string(n.Head) == "---"
}

// isConflict reports whether a line is a conflict marker; those between the first and the last are told apart from text only
// where a conflict is open.
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

// yamlScan finds the payloads.
type yamlScan struct {
	f       *yamlFile
	w       *textio.Window
	l       textio.Lines
	lists   map[string][]external // of the present object
	list    string                // the list that is being read
	listAt  int                   // its indent
	nodes   *yamlPayload          // the Nodes list that is being read
	nodesAt int
	name    string
	owner   string
	format  string
	named   map[string]string // the names of the GameObjects so far by their id
	// override is the field that the next value is for, in the changes of a prefab's instance.
	override  string
	changes   *yamlPayload // the last fragment of PrefabModifications, while they are read
	inChanges bool
	changesAt int
	first     int // the first payload of the present object
}

// scanYAML reads a Unity file. It stops at limit bytes, unless limit is 0.
func scanYAML(ctx context.Context, src *model.Source, limit int64) (*yamlFile, error) {
	end := src.Size()
	if limit > 0 {
		end = min(end, limit)
	}
	w := textio.NewWindow(ctx, src, end, textio.PassAhead)
	s := &yamlScan{f: &yamlFile{src: src}, w: w, l: textio.Lines{Window: w}, named: map[string]string{}}
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
			s.f.docs = append(s.f.docs, yamlDoc{off: n.Off, line: number, head: strings.TrimSpace(strings.TrimPrefix(string(n.Head), "---"))})
			continue
		}
		s.addLine(&n)
	}
	s.finish()
	for _, p := range s.f.payloads {
		p.carrier.on = s.named[p.carrier.owner]
	}
	return s.f, nil
}

// addLine reads one line of an object.
func (s *yamlScan) addLine(n *textio.Line) {
	indent, item, key, valueAt := n.Key()
	if s.goesOn(n, indent, item) || len(s.f.docs) == 0 || key == "" {
		return
	}
	doc := &s.f.docs[len(s.f.docs)-1]
	if indent == 0 && doc.class == "" && valueAt >= n.End {
		doc.class = key
		return
	}
	value := strings.TrimSpace(s.w.Text(valueAt, min(n.End, valueAt+textio.HeadBytes)))
	if value != "" || !s.begin(key, n, indent) {
		s.field(key, value, n, valueAt)
	}
}

// goesOn adds a line to the Nodes list, PrefabModifications or list of objects that is open. It returns false if none is open or the
// line does not belong to it.
func (s *yamlScan) goesOn(n *textio.Line, indent int, item bool) bool {
	blank := len(bytes.TrimSpace(n.Head)) == 0
	if s.nodes != nil {
		// The list goes on while its items do, at its own indent, and what is below them; text may hold blank lines.
		if blank || indent > s.nodesAt+1 || item && indent-2 >= s.nodesAt {
			s.nodes.value.Len = n.Next - s.nodes.value.Off
			s.nodes.lineEnd = n.Next
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

// begin opens the Nodes list, PrefabModifications or list of objects that a line begins, or returns false if it begins none.
func (s *yamlScan) begin(key string, n *textio.Line, indent int) bool {
	switch {
	case key == nodesField:
		s.nodes = s.add(key, n, model.Span{Source: s.f.src, Off: n.Next})
		s.nodes.nodes = true
		s.nodesAt = indent
	case key == changesField:
		s.inChanges, s.changesAt = true, indent
	case listsObjects(key):
		s.list, s.listAt = key, indent
		s.setList(key, []external{})
	default:
		return false
	}
	return true
}

// listsObjects reports whether a field lists the objects that external references count.
func listsObjects(key string) bool {
	return strings.HasSuffix(key, "UnityObjects") || strings.HasSuffix(key, "UnityEngineObjects")
}

func (s *yamlScan) setList(key string, list []external) {
	if s.lists == nil {
		s.lists = map[string][]external{}
	}
	s.lists[key] = list
}

// field takes a field of one line.
func (s *yamlScan) field(key, value string, n *textio.Line, valueAt int64) {
	switch {
	case key == "m_Name":
		s.name = textio.Unquote(value)
	case key == "m_GameObject":
		_, id, _ := strings.Cut(value, "fileID: ")
		s.owner = strings.TrimRight(id, "} ")
	case key == formatField:
		s.format = value
	case key == "propertyPath":
		s.override = value[strings.LastIndexByte(value, '.')+1:]
	case key == "value":
		s.payload(s.override, n, valueAt)
		s.override = ""
	case listsObjects(key):
		s.setList(key, []external{})
	default:
		s.payload(key, n, valueAt)
	}
}

// payload notes a field with bytes, unless it is empty.
func (s *yamlScan) payload(key string, n *textio.Line, valueAt int64) {
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
	p := s.add(key, n, s.f.src.Span(from, to-from))
	p.code = how.code
}

// change adds a line of PrefabModifications to a fragment, or begins one.
func (s *yamlScan) change(n *textio.Line, indent int, item bool) {
	if item && (s.changes == nil || indent-2 == s.changesAt) {
		from := min(n.Off+int64(indent), n.End)
		s.changes = s.add(changesField, n, s.f.src.Span(from, n.End-from))
		s.changes.code = codeScalar
		return
	}
	s.changes.value.Len = n.End - s.changes.value.Off
	s.changes.lineEnd = n.Next
}

func (s *yamlScan) add(key string, n *textio.Line, value model.Span) *yamlPayload {
	p := &yamlPayload{carrier: &carrier{field: key}, doc: len(s.f.docs) - 1, line: n.Off, value: value, lineEnd: n.Next}
	s.f.payloads = append(s.f.payloads, p)
	return p
}

// maxListed bounds the objects that are kept of a carrier's list.
const maxListed = 1 << 20

// listItem takes a line of a list of objects; false where the line is none.
func (s *yamlScan) listItem(n *textio.Line, indent int, item bool) bool {
	list := s.lists[s.list]
	text := strings.TrimSpace(string(n.Head))
	switch {
	case item && indent-2 >= s.listAt:
		if len(list) < maxListed {
			list = append(list, external{strings.TrimPrefix(text, "- "), s.f.src.Span(n.Off, n.End-n.Off)})
		}
	case indent > s.listAt && len(list) > 0:
		last := &list[len(list)-1]
		last.text += " " + text
		last.span.Len = n.End - last.span.Off
	default:
		return false
	}
	s.lists[s.list] = list
	return true
}

// finish gives the payloads of an object what was found beside them. A Nodes list without items is none.
func (s *yamlScan) finish() {
	if n := len(s.f.docs); n > 0 && s.f.docs[n-1].class == "GameObject" && s.name != "" {
		if _, id, ok := strings.Cut(s.f.docs[n-1].head, "&"); ok {
			s.named[id] = s.name
		}
	}
	kept := s.f.payloads[:s.first]
	for _, p := range s.f.payloads[s.first:] {
		if p.value.Len == 0 {
			continue
		}
		doc := s.f.docs[p.doc]
		c := p.carrier
		c.class, c.name, c.owner, c.format = doc.class, s.name, s.owner, s.format
		if _, anchor, ok := strings.Cut(doc.head, " "); ok {
			c.anchor = anchor
		}
		objects := "ReferencedUnityObjects"
		if c.field == changesField {
			objects = "PrefabModificationsReferencedUnityObjects"
		}
		if how, ok := payloadFields[c.field]; ok {
			objects = how.objects
		}
		list := s.lists[objects]
		c.objects = externals{list, list != nil && len(list) < maxListed}
		for _, before := range kept[s.first:] {
			if before.carrier.field == c.field {
				p.twin++
			}
		}
		kept = append(kept, p)
	}
	s.f.payloads = kept
	s.first = len(kept)
	s.lists, s.list, s.nodes, s.name, s.owner, s.format, s.override = nil, "", nil, "", "", "", ""
	s.inChanges, s.changes = false, nil
}

// detectedYAML bounds how much of a Unity file is looked at to find a payload.
const detectedYAML = 32 << 20

func detectYAML(ctx context.Context, p *model.Probe) model.Detection {
	f, err := scanYAML(ctx, p.Source, detectedYAML)
	switch {
	case err != nil:
		return model.Detection{Reason: err.Error()}
	case len(f.payloads) == 0:
		return model.Detection{Confidence: 1, Reason: "a Unity file in text form, but no field in it carries OdinSerializer data"}
	}
	c := f.payloads[0].carrier
	return model.Detection{Confidence: 90, Reason: "a Unity file in text form whose field " + c.field + " carries OdinSerializer data"}
}

// isUnityYAML reports whether a text begins as Unity's YAML does.
func isUnityYAML(head []byte) bool {
	head = bytes.TrimPrefix(head, textio.ByteOrderMark)
	return bytes.HasPrefix(head, []byte("%YAML")) && bytes.Contains(head[:min(len(head), 512)], []byte("tag:unity3d.com")) ||
		bytes.HasPrefix(head, []byte("--- !u!"))
}
