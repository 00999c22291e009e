package scan

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"

	"cutaway/model"
	"cutaway/model/export"
)

// Object returns the file's line as JSON, with the keys of docs/json.md. Keys about the content are present if it is
// known.
func (f *File) Object() model.Object {
	text := func(s string) model.Value {
		if s == "" {
			return nil
		}
		return model.Text(s)
	}
	o := model.Object{{Key: "file", Value: model.Text(f.Name)}, {Key: "format", Value: text(f.Format)}, {Key: "version", Value: text(f.Version)}, {Key: "size", Value: nil}}
	if f.Size >= 0 {
		o[3].Value = model.Int(f.Size)
	}
	facts := f.Facts
	if facts == nil {
		facts = model.Object{}
	}
	o = append(o, model.Object{{Key: "sound", Value: Sound(f.Checked, &f.Found)}, {Key: "errors", Value: model.Int(f.Found.Errors)}, {Key: "warnings", Value: model.Int(f.Found.Warnings)},
		{Key: "first", Value: text(f.First)}, {Key: "facts", Value: facts}, {Key: "seconds", Value: model.Float64(f.Seconds)}, {Key: "failed", Value: text(f.Failed)},
		{Key: "limits", Value: model.Int(f.Found.Limits)}}...)
	o = append(o, CauseMembers(f.Cause, f.Tried)...)
	if f.Identified {
		o = append(o, model.Object{{Key: "identity", Value: text(f.Identity)}, {Key: "modified", Value: text(f.Modified)}, {Key: "by", Value: text(f.By)}}...)
	}
	if f.Change != "" {
		o = append(o, model.Member{Key: "change", Value: text(f.Change)})
	}
	return o
}

// CauseMembers returns the members of a line with the reason why no format fits, or null values if one does.
func CauseMembers(c *model.Cause, tried []model.Tried) model.Object {
	o := model.Object{{Key: "cause"}, {Key: "hint"}}
	if c == nil {
		return o
	}
	o[0].Value = model.Text(c.ID)
	if advice := c.Advice(); advice != "" {
		o[1].Value = model.Text(advice)
	}
	if tried != nil {
		list := model.Seq{}
		for _, t := range tried {
			list = append(list, model.Object{{Key: "format", Value: model.Text(t.Format)}, {Key: "reason", Value: model.Text(t.Reason)}})
		}
		o = append(o, model.Member{Key: "tried", Value: list})
	}
	return o
}

// Sound reports whether a fully checked file has no error. It is nil if unknown, for example if a limit left bytes
// unread.
func Sound(checked bool, found *export.Tally) model.Value {
	if !checked || found.Limits > 0 && found.Errors == 0 {
		return nil
	}
	return model.Bool(found.Errors == 0)
}

// Cells returns the line as cells of a table, and their titles. These are the keys of JSON, with those of fields in
// place of the facts.
func (f *File) Cells(ctx context.Context, fields []string) (head, row []string) {
	cell := func(value model.Value) string {
		if t, ok := value.(model.Text); ok {
			return string(t)
		}
		if value == nil {
			return ""
		}
		text, _ := export.AppendValue(ctx, nil, value) // facts are in memory
		return string(text)
	}
	for _, m := range f.Object() {
		if m.Key != "facts" && m.Key != "tried" {
			head, row = append(head, m.Key), append(row, cell(m.Value))
		}
	}
	for _, key := range fields {
		var value model.Value
		if i := slices.IndexFunc(f.Facts, func(m model.Member) bool { return m.Key == key }); i >= 0 {
			value = f.Facts[i].Value
		}
		head, row = append(head, key), append(row, cell(value))
	}
	return head, row
}

// A line is a decoded line of JSON.
type line struct {
	File, Format, Version    text
	Size                     *int64
	Sound                    *bool
	Errors, Warnings, Limits int64
	First                    text
	Facts                    json.RawMessage
	Seconds                  float64
	Failed                   text
	Identity, Modified, By   text

	// Only written by the window.
	Notes  int64
	Titles map[string]string
}

// text is a text as written by Object, with invalid UTF-8 in base64.
type text string

func (t *text) UnmarshalJSON(b []byte) error {
	var inner struct{ Base64 []byte }
	if len(b) == 0 || b[0] != '{' {
		return json.Unmarshal(b, (*string)(t))
	}
	err := json.Unmarshal(b, &inner)
	*t = text(inner.Base64)
	return err
}

// maxLine is the most bytes of a line.
const maxLine = 16 << 20

// Read reads lines written by Object. The error names the line.
func Read(r io.Reader) (Former, error) {
	former := Former{}
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, maxLine)
	n := 0
	for lines.Scan() {
		n++
		if len(bytes.TrimSpace(lines.Bytes())) == 0 {
			continue
		}
		f, err := readLine(lines.Bytes())
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", n, err)
		}
		former[f.Name] = f
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("line %d: %w", n+1, err)
	}
	return former, nil
}

func readLine(b []byte) (*File, error) {
	var l line
	if err := json.Unmarshal(b, &l); err != nil {
		return nil, err
	}
	if l.File == "" {
		return nil, errors.New(`no "file"`)
	}
	f := &File{Name: string(l.File), Format: string(l.Format), Version: string(l.Version), Size: -1, Checked: l.Sound != nil, First: string(l.First), Seconds: l.Seconds,
		Failed: string(l.Failed), Found: export.Tally{Errors: l.Errors, Warnings: l.Warnings, Notes: l.Notes, Limits: l.Limits}, Titles: l.Titles, Identified: l.By != "" || l.Identity != "",
		Identity: string(l.Identity), Modified: string(l.Modified), By: string(l.By)}
	if l.Size != nil {
		f.Size = *l.Size
	}
	if len(l.Facts) == 0 {
		return f, nil
	}
	dec := json.NewDecoder(bytes.NewReader(l.Facts))
	dec.UseNumber()
	facts, err := readValue(dec, 0)
	if err != nil {
		return nil, fmt.Errorf("facts: %w", err)
	}
	f.Facts, _ = facts.(model.Object)
	return f, nil
}

// readValue reads a JSON value and keeps the order of keys.
func readValue(dec *json.Decoder, depth int) (model.Value, error) {
	const deepest = 100
	token, err := dec.Token()
	if err != nil {
		return nil, err
	}
	switch t := token.(type) {
	case string:
		return model.Text(t), nil
	case bool:
		return model.Bool(t), nil
	case json.Number:
		return number(t.String()), nil
	case json.Delim:
		if depth >= deepest {
			return nil, fmt.Errorf("more than %d values inside one another", deepest)
		}
		if t == '[' {
			return readList(dec, depth+1)
		}
		return readObject(dec, depth+1)
	}
	return nil, nil
}

func number(text string) model.Value {
	if n, err := strconv.ParseInt(text, 10, 64); err == nil {
		return model.Int(n)
	}
	if x, err := strconv.ParseFloat(text, 64); err == nil {
		return model.Float64(x)
	}
	return model.Float64(math.NaN())
}

func readList(dec *json.Decoder, depth int) (model.Value, error) {
	list := model.Seq{}
	for dec.More() {
		v, err := readValue(dec, depth)
		if err != nil {
			return nil, err
		}
		list = append(list, v)
	}
	_, err := dec.Token()
	return list, err
}

func readObject(dec *json.Decoder, depth int) (model.Value, error) {
	o := model.Object{}
	for dec.More() {
		key, err := dec.Token()
		if err != nil {
			return nil, err
		}
		v, err := readValue(dec, depth)
		if err != nil {
			return nil, err
		}
		o = append(o, model.Member{Key: fmt.Sprint(key), Value: v})
	}
	_, err := dec.Token()
	return o, err
}
