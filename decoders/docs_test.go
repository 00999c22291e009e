package decoders

import (
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"

	"cutaway/decoders/decodertest"
	"cutaway/model"
)

// TestProblemsPage: docs/problems.md lists every rule of every format; -update writes it anew.
func TestProblemsPage(t *testing.T) {
	decodertest.Golden(t, "../docs/problems.md", func(w io.Writer) error {
		var b strings.Builder
		b.WriteString(`# Problems

Each problem ends in the rule that is broken, in brackets. Search this page for it. [use/damaged.md](use/damaged.md) says what to do. The
formats write the lists (` + "`make golden`" + `). The kind of a problem fixes its severity:

| kind | means | severity |
| --- | --- | --- |
| truncated | bytes are missing | error |
| malformed | bytes are wrong | error |
| suspicious | legal, but odd | warning |
| assumed | the format's rule is not known for sure | note |
| limit | a bound of this program's was met, so that not all was read | warning |
| unread | a disk or server did not give the bytes, which says nothing of what they are | warning |

A file is sound when it has no error, and was read to its end. A rule can be reported with different kinds, as the case is.

## All formats

| rule | means |
| --- | --- |
| ` + "`source.read`" + ` | bytes of the file could not be read: a disk or server failed, or the file has changed or shrunk since it was opened |
| ` + "`source.derive`" + ` | bytes could not be made of others, such as those of a member of a package |
| ` + "`value.unreadable`" + ` | elements of a value could not be read when they were written |
| ` + "`assets.missing`" + ` | a file that a layer names is not there (` + "`check --assets`, `--closure`" + `) |
| ` + "`assets.broken`" + ` | a file that a layer names is there, but it has no content, or does not open |
| ` + "`assets.search-path`" + ` | a file that a layer names is not beside it; renderers look in places of their own |
| ` + "`assets.cycle`" + ` | a file needs itself, by those that it names (` + "`check --closure`" + `) |
| ` + "`assets.unknown`" + ` | a file that a layer names was not looked for: its name is an address or an expression, or a plugin reads it |
`)
		for _, f := range All() {
			if len(f.Rules) == 0 {
				continue
			}
			standard := slices.ContainsFunc(f.Rules, func(r model.Rule) bool { return r.Clause != "" })
			fmt.Fprintf(&b, "\n## %s\n\n| rule | means |", f.Title)
			if standard {
				b.WriteString(" clause |\n| --- ")
			} else {
				b.WriteString("\n")
			}
			b.WriteString("| --- | --- |\n")
			for _, r := range f.Rules {
				fmt.Fprintf(&b, "| `%s` | %s |", r.ID, strings.ReplaceAll(r.Help, "|", `\|`))
				if standard {
					if fmt.Fprintf(&b, " %s", r.Clause); r.Forbidden || r.Discouraged {
						b.WriteString("; OpenUSD takes it")
					}
					b.WriteString(" |")
				}
				b.WriteString("\n")
			}
		}
		_, figures, _ := strings.Cut(readDoc(t, "usda/data/README.md"), "\n\n")
		_, err := io.WriteString(w, b.String()+"\n"+figures)
		return err
	})
}

func readDoc(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// formatTable is a row for each format that has files: what it is, its extensions and how far it is decoded. Of many
// extensions the first three stand for all.
func formatTable() string {
	var b strings.Builder
	b.WriteString("| format | files | depth |\n| --- | --- | --- |\n")
	for _, f := range All() {
		extensions := f.Extensions()
		if len(extensions) == 0 {
			continue
		}
		if len(extensions) > 5 {
			extensions = append(extensions[:3:3], "…")
		}
		fmt.Fprintf(&b, "| %s | %s | %s |\n", f.Title, strings.Join(extensions, ", "), f.Depth)
	}
	return b.String()
}

// TestReadmeNamesFormats: the table on the first page is that of the formats; -update writes it anew.
func TestReadmeNamesFormats(t *testing.T) {
	decodertest.Region(t, "../README.md", "formats", formatTable())
}

// TestFormatsPage: docs/formats.md has the table of formats and a chapter on each, with its name on the command line, its
// types and what about.md in its folder says; -update writes them anew.
func TestFormatsPage(t *testing.T) {
	var b strings.Builder
	b.WriteString(formatTable())
	for _, f := range All() {
		if len(f.Types) == 0 {
			continue
		}
		fmt.Fprintf(&b, "\n## %s (`%s`)\n\n", f.Title, f.Name)
		for _, kind := range f.Types {
			fmt.Fprintf(&b, "- %s: %s, `%s`\n", code(kind.Extensions), kind.Title, kind.MIME)
		}
		b.WriteString("\n" + readDoc(t, f.Name+"/about.md"))
	}
	decodertest.Region(t, "../docs/formats.md", "formats", b.String())
}

// code lists words as code.
func code(words []string) string { return "`" + strings.Join(words, "`, `") + "`" }

// cells are the cells of the rows of tables in text; code is without its quotes.
func cells(text string) [][]string {
	var rows [][]string
	for line := range strings.Lines(text) {
		if line, found := strings.CutPrefix(line, "| "); found {
			rows = append(rows, strings.Split(strings.TrimSuffix(strings.TrimSpace(strings.ReplaceAll(line, "`", "")), " |"), " | "))
		}
	}
	return rows
}

// TestTargets: every target of the Makefile is in the table of CONTRIBUTING.md.
func TestTargets(t *testing.T) {
	_, phony, _ := strings.Cut(readDoc(t, "../Makefile"), "\n.PHONY:")
	phony, _, _ = strings.Cut(phony, "\n")
	rows := cells(readDoc(t, "../CONTRIBUTING.md"))
	for target := range strings.FieldsSeq(phony) {
		if !slices.ContainsFunc(rows, func(row []string) bool { return row[0] == target || strings.HasPrefix(row[0], target+",") }) {
			t.Errorf("CONTRIBUTING.md does not name make %s", target)
		}
	}
}

// link is a link of a page: the file, and after # the heading.
var link = regexp.MustCompile(`\]\(([^)#]*)#?([^)]*)\)`)

// anchors lists the headings of a page as links name them.
func anchors(text string) map[string]bool {
	found, code := make(map[string]bool), false
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "```") {
			code = !code
		}
		if heading := strings.TrimLeft(line, "#"); heading != line && !code {
			found[anchor(strings.TrimSpace(heading))] = true
		}
	}
	return found
}

// anchor returns a heading as GitHub names it in links.
func anchor(heading string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case unicode.IsLetter(r) || unicode.IsDigit(r) || r == '-' || r == '_':
			return unicode.ToLower(r)
		case r == ' ':
			return '-'
		}
		return -1
	}, heading)
}

// pages lists the pages of the project.
func pages(t *testing.T) []string {
	t.Helper()
	pages := []string{"../README.md", "../CONTRIBUTING.md", "../CHANGELOG.md", "../SECURITY.md"}
	err := filepath.WalkDir("../docs", func(name string, _ fs.DirEntry, err error) error {
		if filepath.Ext(name) == ".md" {
			pages = append(pages, name)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return pages
}

// TestLinks: the pages, headings and pictures that pages link to are there, and docs/README.md leads to every page.
func TestLinks(t *testing.T) {
	const index = "../docs/README.md"
	indexed := make(map[string]bool)
	pages := pages(t)
	for _, page := range pages {
		for _, m := range link.FindAllStringSubmatch(readDoc(t, page), -1) {
			if strings.Contains(m[1], "://") {
				continue
			}
			to := page
			if m[1] != "" {
				to = filepath.Join(filepath.Dir(page), m[1])
			}
			if page == index {
				indexed[to] = true
			}
			switch _, err := os.Stat(to); {
			case err != nil:
				t.Errorf("%s links to %s, which is not there", page, m[1])
			case m[2] != "" && !anchors(readDoc(t, to))[m[2]]:
				t.Errorf("%s links to %s#%s, which is no heading", page, m[1], m[2])
			}
		}
	}
	for _, page := range pages {
		if in := filepath.Dir(page); page != index && (in == "../docs" || in == filepath.FromSlash("../docs/use")) && !indexed[page] {
			t.Errorf("%s does not lead to %s", index, page)
		}
	}
}

// Names in pages: a test, a make target, and as code a file or folder of the project.
var (
	testInPage   = regexp.MustCompile(`\b(?:Test|Benchmark)[A-Z]\w+`)
	targetInPage = regexp.MustCompile("`make ([a-z-]+)")
	pathInPage   = regexp.MustCompile("`((?:assets|bench|cli|decoders|e2e|hexview|internal|model|scan|source|testdata|tools|ui)/[\\w./-]+)`")
	testInCode   = regexp.MustCompile(`(?m)^func ((?:Test|Benchmark)[A-Z]\w*)\(`)
)

// TestNamesInPages: the tests, make targets, files and folders that pages name are there.
func TestNamesInPages(t *testing.T) {
	tests := make(map[string]bool)
	eachGoFile(t, func(name, _ string) {
		for _, m := range testInCode.FindAllStringSubmatch(readDoc(t, name), -1) {
			tests[m[1]] = true
		}
	})
	makefile := readDoc(t, "../Makefile")
	for _, page := range pages(t) {
		text := readDoc(t, page)
		if page == "../CHANGELOG.md" { // it tells of what was
			continue
		}
		for _, m := range testInPage.FindAllString(text, -1) {
			if !tests[m] {
				t.Errorf("%s names %s, which is no test", page, m)
			}
		}
		for _, m := range targetInPage.FindAllStringSubmatch(text, -1) {
			if !strings.Contains(makefile, "\n"+m[1]+":") {
				t.Errorf("%s names make %s, which is no target", page, m[1])
			}
		}
		for _, m := range pathInPage.FindAllStringSubmatch(text, -1) {
			if _, err := os.Stat("../" + m[1]); err != nil && !strings.HasPrefix(m[1], "model/vnd.") { // a MIME type
				t.Errorf("%s names %s, which is not there", page, m[1])
			}
		}
	}
}

// menuInPage is an item of a menu of the window that a page names, and what follows it.
var menuInPage = regexp.MustCompile(`\b(File|Edit|View|Go|Tools|Help) › ([A-Z][^|]{0,60})`)

// TestMenusInPages: the items of menus that pages name are in docs/keys.md.
func TestMenusInPages(t *testing.T) {
	_, keys, _ := strings.Cut(readDoc(t, "../docs/keys.md"), "\n## As Help")
	items := map[string][]string{"View": {"Format › Schema…"}} // an option of a document
	for menu := range strings.SplitSeq(keys, "\n## ") {
		title, table, _ := strings.Cut(menu, "\n")
		for _, row := range cells(table) {
			items[title] = append(items[title], row[0])
		}
	}
	met := 0
	for _, page := range pages(t) {
		if page == "../CHANGELOG.md" { // it tells of what was
			continue
		}
		for _, m := range menuInPage.FindAllStringSubmatch(strings.Join(strings.Fields(readDoc(t, page)), " "), -1) {
			met++
			if !slices.ContainsFunc(items[m[1]], func(item string) bool { return strings.HasPrefix(m[2], item) }) {
				t.Errorf("%s names %s, which is in no menu", page, m[0])
			}
		}
	}
	if met < 20 {
		t.Errorf("%d items of menus met", met)
	}
}

// regions are what commands and tests write into a page: each is between two comments. A transcript is after its command.
var regions = regexp.MustCompile(`(?s)<!-- .*? -->.*?<!-- .*? -->|(?m)^\$ cutaway [^\n]*\n(?s:.*?)^` + "```")

// TestWordsOfPages: pages are short. What is written by hand outside of docs/formats has a ceiling, and so has docs/architecture.md
// without its tables.
func TestWordsOfPages(t *testing.T) {
	all := 0
	for _, page := range pages(t) {
		inDocs, _ := filepath.Rel("../docs", page)
		switch name := filepath.ToSlash(inDocs); {
		case strings.HasPrefix(name, "../") || strings.HasPrefix(name, "formats/"):
			continue
		case name == "keys.md" || name == "settings.md" || name == "problems.md": // written by the program
			continue
		case name == "architecture.md":
			var text strings.Builder
			for line := range strings.Lines(readDoc(t, page)) {
				if !strings.HasPrefix(line, "|") {
					text.WriteString(line)
				}
			}
			if n, most := len(strings.Fields(text.String())), 4_000; n > most {
				t.Errorf("%s has %d words besides its tables, more than %d", page, n, most)
			}
		}
		all += len(strings.Fields(regions.ReplaceAllString(readDoc(t, page), "")))
	}
	for _, about := range All() {
		if len(about.Types) > 0 {
			all += len(strings.Fields(readDoc(t, about.Name+"/about.md")))
		}
	}
	t.Logf("%d words by hand", all)
	if most := 25_000; all > most {
		t.Errorf("that is more than %d", most)
	}
}
