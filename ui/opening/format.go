package opening

import (
	"strings"

	"cutaway/decoders"
	"cutaway/ui/files"
	"cutaway/ui/kit"
)

// formatSelect lets the user choose a format.
type formatSelect struct {
	choice  *kit.Select
	options []decoders.Options // by choice
}

// newFormatSelect offers the formats, then the descriptions of the user's folders.
func newFormatSelect(automatic bool) *formatSelect {
	f := &formatSelect{}
	var names []string
	add := func(name string, opts decoders.Options) {
		names, f.options = append(names, name), append(f.options, opts)
	}
	if automatic {
		add("Automatic: as what they look like", decoders.Options{})
	}
	for _, one := range decoders.All() {
		if !one.Slow { // which wants to know the description
			add(one.Title, decoders.Options{Format: one.Name})
		}
	}
	for _, d := range decoders.Descriptions() {
		switch {
		case d.Err != nil:
			continue
		case d.Licence != "":
			d.Title += " (" + d.Licence + ")"
		}
		add(d.Title, ByDescription(d.File))
	}
	f.choice = kit.NewSelect(names, nil)
	f.choice.SetSelectedIndex(0)
	return f
}

// chosen returns how the file is to be opened.
func (f *formatSelect) chosen() decoders.Options { return f.options[f.choice.SelectedIndex()] }

// formatTitle returns a format's name for people.
func formatTitle(name string) string {
	if f := decoders.ByName(name); f != nil {
		return f.Title
	}
	return name
}

// FileKinds are all files, those of a known format, and those of each format.
func FileKinds() []files.Kind {
	known := files.Kind{Title: "Files of known formats"}
	kinds := []files.Kind{{Title: "All files"}, known}
	for _, f := range decoders.All() {
		if endings := f.Extensions(); len(endings) > 0 {
			kinds = append(kinds, files.Kind{Title: f.Title + " (" + strings.Join(endings, " ") + ")", Endings: endings})
			kinds[1].Endings = append(kinds[1].Endings, endings...)
		}
	}
	return kinds
}
