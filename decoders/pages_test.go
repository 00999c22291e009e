package decoders

import (
	"testing"

	"cutaway/decoders/decodertest"
	"cutaway/decoders/lang"
)

// formatPages are the pages on formats that have a description, by the name of the format.
var formatPages = map[string]string{"usdc": "usdc", "usdz": "usdc", "vrs": "vrs", "odin": "odin"}

// specification returns the description of a format, or nil if it has none.
func specification(t *testing.T, name string) *lang.Specification {
	t.Helper()
	for _, f := range All() {
		if f.Name != name || f.Specification == nil {
			continue
		}
		spec, err := f.Specification()
		if err != nil {
			t.Fatal(err)
		}
		return spec.(*lang.Specification)
	}
	return nil
}

// TestFormatPages: the pages of docs/formats have each record, table and rule of their formats' descriptions once, as the program reads
// them; -update writes them anew.
func TestFormatPages(t *testing.T) {
	texts := map[string]map[string]string{}
	for _, f := range All() {
		page, described := formatPages[f.Name], f.Specification != nil
		if described != (page != "") {
			t.Errorf("%s: described is %t, and its page in docs/formats is %q", f.Name, described, page)
		}
		if !described || page == "" {
			continue
		}
		if texts[page] == nil {
			texts[page] = map[string]string{"guide": lang.Guide}
		}
		for name, text := range specification(t, f.Name).Regions() {
			if texts[page][name] != "" {
				t.Errorf("%s: %s has two of %q", f.Name, page, name)
			}
			texts[page][name] = text
		}
	}
	for page, texts := range texts {
		decodertest.Regions(t, "../docs/formats/"+page+".md", texts)
	}
}
