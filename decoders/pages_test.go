package decoders

import (
	"cmp"
	"testing"

	"cutaway/decoders/decodertest"
	"cutaway/decoders/decodertest/example"
	"cutaway/decoders/lang"
	"cutaway/model"
)

// otherPages are the pages of docs/formats that have not the name of their format.
var otherPages = map[string]string{"usdz": "usdc", "omnilive": "omni-live"}

// formatPage returns the name of the page of a format.
func formatPage(f *model.Format) string { return cmp.Or(otherPages[f.Name], f.Name) }

// specification returns the description of a format, or nil if it has none.
func specification(t *testing.T, f *model.Format) *lang.Specification {
	t.Helper()
	if f.Specification == nil {
		return nil
	}
	spec, err := f.Specification()
	if err != nil {
		t.Fatal(err)
	}
	return spec.(*lang.Specification)
}

// TestFormatPages: the pages of docs/formats have each record, table and rule of their formats' descriptions once, as the program reads
// them; -update writes them anew, and a page for a format that has none.
func TestFormatPages(t *testing.T) {
	parts, titles := map[string][]lang.PagePart{}, map[string]string{}
	for _, f := range All() {
		if spec := specification(t, f); spec != nil {
			page := formatPage(f)
			parts[page] = append(parts[page], spec.PageParts()...)
			titles[page] = cmp.Or(titles[page], spec.Title)
		}
	}
	for page, parts := range parts {
		decodertest.Regions(t, "../docs/formats/"+page+".md", titles[page], parts)
	}
}

// TestExamplePage: docs/adding-a-format.md shows a record of its format as a page has it.
func TestExamplePage(t *testing.T) {
	for _, part := range specification(t, example.Format).PageParts() {
		if part.Name == "record Station" {
			decodertest.Region(t, "../docs/adding-a-format.md", part.Name, part.Text)
		}
	}
}
