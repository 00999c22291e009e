package cli

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"cutaway/decoders"
	"cutaway/model"
	"cutaway/model/export"
)

type formatsVerb struct {
	Name        string   `arg:"" optional:"" help:"Only this format."`
	Description bool     `help:"Print the records and rules of the format NAME as this program reads them, as Markdown or JSON."`
	KSY         bool     `name:"ksy" help:"With --description, print them as a Kaitai Struct description."`
	Formats     []string `sep:"none" placeholder:"DIR" help:"List the Kaitai Struct descriptions in this folder too; may be given several times."`
	JSON        bool     `name:"json" help:"Print one JSON object."`
}

func (*formatsVerb) Help() string {
	return `A * marks an extension that no other format uses: a file in a folder that has one should open. Kaitai
Struct descriptions of your folders follow the formats; one that is wrong is listed with its errors.

` +
		examples("formats", "formats --json", "formats usdz --description")
}

func (v *formatsVerb) run(s *session) error {
	formats := s.lib.formats()
	if v.Name != "" {
		formats = slices.DeleteFunc(slices.Clone(formats), func(f *model.Format) bool { return f.Name != v.Name })
		if len(formats) == 0 {
			return fmt.Errorf("there is no format %q; \"cutaway formats\" lists them", v.Name)
		}
	}
	if v.Description {
		return v.describe(s, formats)
	}
	s.lib.describe(v.Formats)
	descriptions := s.lib.descriptions()
	if v.JSON {
		return s.formatsJSON(formats, descriptions)
	}
	table := textTable{head: []string{"name", "format", "depth", "MIME type", "extensions (*: its own)"}}
	for _, f := range formats {
		owned, marked := f.Owned(), f.Extensions()
		for i, ext := range marked {
			if slices.Contains(owned, ext) {
				marked[i] += "*"
			}
		}
		table.add(f.Name, f.Title, f.Depth, f.MIME(), strings.Join(marked, " "))
	}
	table.write(s)
	if len(descriptions) == 0 {
		return nil
	}
	fmt.Fprintln(s.out)
	table = textTable{head: []string{"description", "title", "licence", "extensions", "file"}}
	var bad []decoders.Description
	for _, d := range descriptions {
		if d.Err != nil {
			bad = append(bad, d)
			continue
		}
		table.add(oneLine(s.ctx, d.Name), oneLine(s.ctx, d.Title), oneLine(s.ctx, d.Licence), oneLine(s.ctx, strings.Join(d.Extensions, " ")), export.PathText(d.File))
	}
	table.write(s)
	for _, d := range bad {
		fmt.Fprintf(s.out, "\n%s cannot be used:\n%s\n", export.PathText(d.File), lines(withName(d.Err.Error(), d.File)))
	}
	return nil
}

// describe prints the specification of the one format that is named.
func (v *formatsVerb) describe(s *session, formats []*model.Format) error {
	if v.Name == "" {
		return errors.New("--description is of one format: cutaway formats NAME --description")
	}
	f := formats[0]
	if f.Specification == nil {
		return fmt.Errorf("%s is read by code, not by a description", f.Name)
	}
	spec, err := f.Specification()
	if err != nil {
		return err
	}
	switch {
	case v.KSY:
		ksy, err := spec.KSY()
		if err != nil {
			return fmt.Errorf("%s has what Kaitai Struct cannot say:\n%w", f.Name, err)
		}
		_, err = io.WriteString(s.out, ksy)
		return err
	case v.JSON:
		return s.object(spec.Object())
	}
	return spec.WriteText(s.out)
}

// texts is a list of texts as a value.
func texts(list []string) model.Seq {
	values := model.Seq{}
	for _, text := range list {
		values = append(values, model.Text(text))
	}
	return values
}

func (s *session) formatsJSON(formats []*model.Format, descriptions []decoders.Description) error {
	var lines []model.Object
	for _, f := range formats {
		lines = append(lines, model.Object{
			{Key: "name", Value: model.Text(f.Name)},
			{Key: "title", Value: model.Text(f.Title)},
			{Key: "extensions", Value: texts(f.Extensions())},
			{Key: "mime", Value: model.Text(f.MIME())},
			{Key: "depth", Value: model.Text(f.Depth)},
			{Key: "owned", Value: texts(f.Owned())},
		})
	}
	var told []model.Object
	for _, d := range descriptions {
		extensions := model.Seq{}
		for _, e := range d.Extensions {
			extensions = append(extensions, model.Text("."+e))
		}
		o := model.Object{
			{Key: "file", Value: model.Text(d.File)},
			{Key: "name", Value: model.Text(d.Name)},
			{Key: "title", Value: model.Text(d.Title)},
			{Key: "licence", Value: model.Text(d.Licence)},
			{Key: "extensions", Value: extensions},
		}
		if d.Err != nil {
			o = append(o, model.Member{Key: "error", Value: model.Text(d.Err.Error())})
		}
		told = append(told, o)
	}
	_, err := fmt.Fprintf(s.out, "{\"formats\":%s,\"descriptions\":%s}\n", s.appendObjects(nil, lines), s.appendObjects(nil, told))
	return err
}
