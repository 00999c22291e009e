package marks

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"cutaway/model"
)

// Where returns the place of a mark: the path of a node, the bytes of a source, or the file.
func (m *Mark) Where() string {
	switch {
	case m.Path != "":
		return m.Path
	case m.Source != "":
		return fmt.Sprintf("%s:%#x+%d", m.Source, m.Offset, m.Length)
	}
	return "the file"
}

// Object returns a mark as the JSON object that Read reads. value is that of its bytes, or nil; gone means that its
// node or range no longer exists.
func (m *Mark) Object(value model.Value, gone bool) model.Object {
	o := model.Object{
		{Key: "path", Value: model.Text(m.Path)}, {Key: "source", Value: model.Text(m.Source)},
		{Key: "offset", Value: model.Int(m.Offset)}, {Key: "length", Value: model.Int(m.Length)},
		{Key: "text", Value: model.Text(m.Text)}, {Key: "colour", Value: model.Text(m.Colour)},
		{Key: "type", Value: model.Text(m.Type)}, {Key: "made", Value: model.Text(m.Made.Format(time.RFC3339))},
		{Key: "id", Value: model.Text(m.ID)},
	}
	if value != nil {
		o = append(o, model.Member{Key: "value", Value: value})
	}
	if gone {
		o = append(o, model.Member{Key: "gone", Value: model.Bool(true)})
	}
	return o
}

// Read reads marks, a JSON object each. The error names the invalid one.
func Read(in io.Reader) (list []Mark, err error) {
	decoder := json.NewDecoder(bufio.NewReader(in))
	for {
		var m Mark
		err := decoder.Decode(&m)
		if err == nil && m.Colour != "" {
			err = m.Check()
		}
		switch {
		case errors.Is(err, io.EOF):
			return list, nil
		case err != nil:
			return nil, fmt.Errorf("mark %d: %w", len(list)+1, err)
		}
		list = append(list, m)
	}
}
