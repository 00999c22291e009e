package usddiff

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"

	"cutaway/decoders/usda"
	"cutaway/model"
	"cutaway/model/export"
)

const faults = "../../../shared/corpus/faults/usd/"

// TestFaults: the text of small files on which the program was once wrong, and how many warnings they have. Nothing of them is lost.
func TestFaults(t *testing.T) {
	if !exists(faults) {
		t.Skip("no ../shared: the files that were once read wrongly are not looked at")
	}
	for _, test := range []struct {
		file     string
		warnings bool
		text     string // lines of the layer's text, without blanks at their ends
	}{
		{"07-explicit-items-bit-only.usdc", false, `custom rel material:binding = </Looks/M>`},
		{"11-variant-twice.usda", true, "\"high\" (\npayload = @p.usda@</second>\n) {"},
		{"variant-twice.usda", true, "\"x\" {\ndouble a = 2\ndouble b = 1\n}\n" +
			"}\nvariantSet \"v\" = {\n\"x\" {\n}\n\"x\" (\npayload = @second.usda@</P>\nkind = \"first\"\ndoc = \"d2\"\n) {\ndouble c = 2\n}"},
		{"12-path-value.usda", false, `r a = </dora>`},
		{"token-path-value.usda", false, `token outputs:surface = </B.outputs:s>`},
		{"13-unregistered-bool.usdc", false, `autopl = false`},
		{"17-times-as-double-array.usdc", true, "1: 2.5,\n3: 4.5,"},
		{"array-edit-in-samples.usda", false, `1: edit [append 1],`},
		{"array-edit-in-samples.usdc", false, `1: edit [append 1],`},
		{"variant-expression.usda", false, "string \"v\" = \"`${X}`\""},
		{"export-header-1.3.usdc", false, "#usda 1.3\n"},
		{"export-type-with-dot.usda", false, `def Foo.Bar "A"`},
		{"unknown-section-same-start.usdc", true, `string "foo" = "eggs"`},
		{"asset-array-index-out-of-range.usdc", true, `asset[] array = [@Hello/World@, @@]`},
		{"strict-178_invalid_typeName.usda", false, `Some::EnumValue a2 = UnknownValue`},
		{"09-render-settings.usda", false, `renderSettingsPrimPath = "/Render/s"`},
		{"09-render-settings.usdc", false, `renderSettingsPrimPath = "/Render/s"`},
		{"duration-1.4.usda", false, `duration d = 4`},
	} {
		doc, report := open(t, faults+test.file, "")
		warned := false
		for _, p := range report.Problems {
			switch p.Kind.Severity() {
			case model.Error:
				t.Errorf("%s: %v", test.file, p.Problem)
			case model.Warning:
				warned = true
			}
		}
		if warned != test.warnings {
			t.Errorf("%s: problems %v, want some: %v", test.file, report.Problems, test.warnings)
		}
		var b bytes.Buffer
		omitted := &model.Omissions{}
		if err := export.Words(t.Context(), &b, omitted, doc.View("scene").Place(t.Context()), usda.CardTitle); err != nil {
			t.Errorf("%s: %v", test.file, err)
		}
		if lost, _ := omitted.Lost(); len(lost) > 0 {
			t.Errorf("%s: lost %v", test.file, lost)
		}
		if text := unindented(b.String()); !strings.Contains(text, test.text) {
			t.Errorf("%s: %s\nis not in its text:\n%s", test.file, test.text, text)
		}
		doc.Close()
	}
}

func unindented(text string) string {
	lines := strings.Split(text, "\n")
	for i := range lines {
		lines[i] = strings.TrimSpace(lines[i])
	}
	return strings.Join(lines, "\n")
}

// TestFaultsInTwoForms: what a text and a crate say alike is the same.
func TestFaultsInTwoForms(t *testing.T) {
	if !exists(faults) {
		t.Skip("no ../shared: the files that were once read wrongly are not looked at")
	}
	for _, pair := range [][2]string{
		{"09-render-settings.usda", "09-render-settings.usdc"}, {"array-edit-in-samples.usda", "array-edit-in-samples.usdc"},
		{"17-source.usda", "17-times-as-double-array.usdc"},
	} {
		if changes := compared(t, filepath.Join(faults, pair[0]), filepath.Join(faults, pair[1])); len(changes) > 0 {
			t.Errorf("%s and %s differ: %q", pair[0], pair[1], changes)
		}
	}
}
