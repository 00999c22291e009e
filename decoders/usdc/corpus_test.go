package usdc

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"cutaway/decoders/decodertest"
	"cutaway/internal/handgen"
	"cutaway/model"
)

// row is a line of the table of files in SOURCES.md.
var row = regexp.MustCompile(`(?m)^\| (\S+\.usdc?) \| (\d+) \|(?:.*\| | )(\d+)/(\d+)/(\d+)[ ,].*$`)

// TestCounts compares paths, specs and fields with what the corpus says of each file that its reference decodes.
func TestCounts(t *testing.T) {
	text, err := os.ReadFile(handgen.Corpus() + "/SOURCES.md")
	if err != nil {
		t.Skipf("the corpus is not here: %v", err)
	}
	known := map[string][]string{}
	for _, m := range row.FindAllStringSubmatch(string(text), -1) {
		known[filepath.Base(m[1])] = m[3:6]
	}
	if len(known) < 60 {
		t.Fatalf("only %d files are listed", len(known))
	}
	for _, f := range handgen.Files(t) {
		want, ok := known[filepath.Base(f.Name)]
		if !ok {
			continue
		}
		d := handgen.Open(t, Format, f.Name, f.Data)
		facts, err := d.Facts(context.Background(), false, nil)
		if err != nil {
			t.Fatal(err)
		}
		for i, key := range []string{"paths", "specs", "fields"} {
			k := slices.IndexFunc(facts, func(f model.Fact) bool { return f.Key == key })
			if n, _ := strconv.ParseUint(want[i], 10, 64); facts[k].Value != model.Uint(n) {
				t.Errorf("%s: fact %s is %v, want %d", f.Name, key, facts[k].Value, n)
			}
		}
	}
}

// stem is a file's base name without its ending.
func stem(name string) string {
	base := filepath.Base(name)
	return strings.TrimSuffix(base, filepath.Ext(base))
}

// damaged says what each damaged file of the corpus has first: rule, kind, and the path of the node.
var damaged = map[string]string{
	"080-corrupt":             "usdc.tokens.compressed-size truncated layout/TOKENS/compressedSize",
	"x-array-cints-huge":      "usdc.array.count malformed layout/values/0x4d8",
	"x-array-cints-short":     "usdc.integers.truncated truncated layout/values/0x4d8/integers@inflated/integers",
	"x-array-code-x":          "usdc.array.code malformed layout/values/0x4d8",
	"x-array-count-huge":      "usdc.array.past-end truncated layout/values/0x4d8",
	"x-array-lut-oob":         "usdc.array.table-index malformed layout/values/0x4d8/integers@inflated",
	"x-bad-magic":             "usdc.bootstrap.magic malformed layout/bootstrap/magic",
	"x-cut-in-half":           "usdc.bootstrap.toc-offset truncated layout/bootstrap/tocOffset",
	"x-cut-in-toc":            "usdc.toc.count truncated layout/toc/count",
	"x-dict-3000-deep":        "usdc.value.depth limit layout/values/0xdcf8",
	"x-dict-doubling-40":      "usdc.value.expansion malformed layout/values/0x7a8",
	"x-dict-in-itself":        "usdc.value.cycle malformed layout/values/0x4d8",
	"x-dict-key-oob":          "usdc.index.string-out-of-range suspicious layout/values/0x4d8/[0].key",
	"x-empty":                 "usdc.bootstrap.truncated truncated layout/bootstrap/magic",
	"x-field-token-oob":       "usdc.index.token-out-of-range malformed layout/FIELDS/names",
	"x-fieldset-field-oob":    "usdc.index.field-out-of-range malformed layout/FIELDSETS/indexes",
	"x-fieldset-unterminated": "usdc.fieldsets.unterminated malformed layout/FIELDSETS/indexes",
	"x-jump-negative":         "usdc.value.jump malformed layout/values/0x4d8",
	"x-jump-zero":             "usdc.value.jump malformed layout/values/0x4d8",
	"x-old-sibling-cycle":     "usdc.paths.item-repeated malformed layout/PATHS/items",
	"x-old-sibling-negative":  "usdc.paths.sibling-offset malformed layout/PATHS/items",
	"x-old-sibling-outside":   "usdc.paths.sibling-offset malformed layout/PATHS/items",
	"x-only-bootstrap":        "usdc.bootstrap.toc-offset truncated layout/bootstrap/tocOffset",
	"x-path-count-huge":       "usdc.paths.count malformed layout/PATHS/encodedCount",
	"x-path-index-oob":        "usdc.index.path-out-of-range malformed layout/PATHS/pathIndexes",
	"x-path-index-twice":      "usdc.paths.index-repeated malformed layout/PATHS/pathIndexes",
	"x-path-jump-minus3":      "usdc.paths.unreached malformed layout/PATHS/jumps",
	"x-path-jump-oob":         "usdc.paths.walk malformed layout/PATHS/jumps",
	"x-path-no-end":           "usdc.paths.walk malformed layout/PATHS/jumps",
	"x-path-token-oob":        "usdc.index.token-out-of-range malformed layout/PATHS/elementTokenIndexes",
	"x-rep-inlined-quat":      "usdc.rep.cannot-inline suspicious layout/FIELDS/reps@inflated/[70]",
	"080-stale-version-bytes": "usdc.paths.element malformed layout/SPECS/pathIndexes@inflated/integers/[2]",
	"x-rep-past-end":          "usdc.rep.past-end truncated layout/FIELDS/reps@inflated/[70]",
	"x-rep-type-0":            "usdc.rep.unknown-type malformed layout/FIELDS/reps@inflated/[70]",
	"x-rep-type-200":          "usdc.rep.unknown-type malformed layout/FIELDS/reps@inflated/[70]",
	"x-samples-in-itself":     "usdc.value.cycle malformed layout/values/0x4e8",
	"x-samples-times-int":     "usdc.samples.times-type malformed layout/values/0x4d8",
	"x-section-missing":       "usdc.toc.section-missing malformed layout/toc",
	"x-section-outside":       "usdc.toc.section-out-of-file malformed layout/toc/sections/[4]",
	"x-short87":               "usdc.bootstrap.toc-offset truncated layout/bootstrap/tocOffset",
	"x-spec-path-oob":         "usdc.index.path-out-of-range malformed layout/SPECS/pathIndexes",
	"x-spec-path-twice":       "usdc.specs.path-repeated malformed layout/SPECS/pathIndexes",
	"x-spec-set-inside":       "usdc.specs.field-set malformed layout/SPECS/fieldSetIndexes",
	"x-spec-type-0":           "usdc.specs.type malformed layout/SPECS/types",
	"x-spec-type-12":          "usdc.specs.type malformed layout/SPECS/types",
	"x-toc-count-huge":        "usdc.toc.count truncated layout/toc/count",
	"x-toc-negative":          "usdc.bootstrap.toc-offset malformed layout/bootstrap/tocOffset",
	"x-toc-past-end":          "usdc.bootstrap.toc-offset truncated layout/bootstrap/tocOffset",
	"x-tokens-bomb":           "usdc.tokens.size malformed layout/TOKENS/size",
	"x-tokens-chunks-200":     "usdc.compress.chunk-count malformed layout/TOKENS/text",
	"x-tokens-lz4-offset0":    "usdc.compress.lz4 malformed layout/TOKENS/text",
	"x-tokens-no-nul":         "usdc.tokens.no-nul malformed layout/TOKENS/text",
	"x-tokens-too-few":        "usdc.tokens.too-few malformed layout/TOKENS/text",
	"x-version-0.3":           "usdc.bootstrap.version malformed layout/bootstrap/version",
	"x-version-0.99":          "usdc.bootstrap.version malformed layout/bootstrap/version",
	"x-version-1.0":           "usdc.bootstrap.version malformed layout/bootstrap/version",
}

// TestProblems compares the errors of each file with the one damage that was done to it.
func TestProblems(t *testing.T) {
	for _, f := range handgen.Files(t) {
		base := filepath.Base(f.Name)
		want, isDamaged := damaged[stem(f.Name)]
		r := handgen.CheckAll(t, handgen.Open(t, Format, f.Name, f.Data))
		var errors []string
		for _, p := range handgen.Damage(r) {
			if p.Kind.Severity() > model.Note {
				errors = append(errors, fmt.Sprintf("%s %s %s", p.Rule, p.Kind, p.Path))
			}
			if p.Span.Source == nil {
				t.Errorf("%s: %s has no place", f.Name, p.Rule)
			}
		}
		switch {
		case !isDamaged && len(errors) > 0:
			t.Errorf("%s is sound, but: %s", f.Name, strings.Join(errors, "; "))
		case isDamaged && !slices.Contains(errors, want):
			t.Errorf("%s: want %s, found: %s", f.Name, want, strings.Join(errors, "; "))
		case !isDamaged && strings.HasPrefix(base, "x-") && !strings.HasPrefix(base, "x-ok-"):
			t.Errorf("%s is damaged, but not in the table", f.Name)
		}
	}
}

// TestInvariants checks on every file what must hold of all documents.
func TestInvariants(t *testing.T) {
	for _, f := range handgen.Files(t) {
		t.Run(filepath.Base(f.Name), func(t *testing.T) {
			decodertest.Invariants(t, Format, func() *model.Document { return handgen.Open(t, Format, f.Name, f.Data) })
		})
	}
}
