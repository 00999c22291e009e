package cli

import (
	"fmt"
	"strings"

	"cutaway/model"
)

type formatsVerb struct {
	JSON bool `name:"json" help:"Print one JSON object."`
}

// Help implements kong.HelpProvider.
func (*formatsVerb) Help() string { return examples("formats", "formats --json") }

func (v *formatsVerb) run(s *session) error {
	formats := s.lib.formats()
	if v.JSON {
		return s.formatsJSON(formats)
	}
	table := textTable{head: []string{"name", "format", "depth", "MIME type", "extensions"}, left: 5}
	for _, f := range formats {
		table.add(f.Name, f.Title, f.Depth, f.MIME(), strings.Join(f.Extensions(), " "))
	}
	table.write(s)
	return nil
}

func (s *session) formatsJSON(formats []*model.Format) error {
	var lines []model.Object
	for _, f := range formats {
		extensions := model.Seq{}
		for _, e := range f.Extensions() {
			extensions = append(extensions, model.Text(e))
		}
		lines = append(lines, model.Object{
			{Key: "name", Value: model.Text(f.Name)},
			{Key: "title", Value: model.Text(f.Title)},
			{Key: "extensions", Value: extensions},
			{Key: "mime", Value: model.Text(f.MIME())},
			{Key: "depth", Value: model.Text(f.Depth)},
		})
	}
	_, err := fmt.Fprintf(s.out, "{\"formats\":%s}\n", s.appendObjects(nil, lines))
	return err
}
