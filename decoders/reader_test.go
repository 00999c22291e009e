package decoders

import (
	"cmp"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"cutaway/decoders/lang"
)

// TestReader compares the descriptions of formats with the pages that specify them, written by hand from other sources: ../shared/formats.
// Every table and block of code of such a page is in testdata/reader, and so is what differs on purpose. A row that names a field has its
// offset, its size and its type. Every field of a record is in a row, or listed with a reason; every rule is in a statement, has the
// chapter that it is from, or is listed. A line of a list that says nothing new is an error.
func TestReader(t *testing.T) {
	lists, err := filepath.Glob("testdata/reader/*.txt")
	if err != nil || len(lists) == 0 {
		t.Fatal("no lists", err)
	}
	for _, list := range lists {
		page := strings.TrimSuffix(filepath.Base(list), ".txt")
		t.Run(page, func(t *testing.T) {
			r := newReader(t, page, specifiedBy(t, page))
			r.read(readDoc(t, list))
			r.finish()
			for _, wrong := range r.wrong {
				t.Error(wrong)
			}
			t.Logf("%d rows and statements are in the description, %d left out; %d fields and rules are not on the page", r.count.rows, r.count.left, r.count.extra)
		})
	}
}

// specifiedBy returns a page of ../shared/formats.
func specifiedBy(t *testing.T, page string) string {
	t.Helper()
	text, err := os.ReadFile("../../shared/formats/" + page + ".md")
	if err != nil {
		t.Skip("without ../shared/formats")
	}
	return string(text)
}

// TestReaderSees: a page that says something else than the description is wrong.
func TestReaderSees(t *testing.T) {
	for _, change := range []struct{ page, from, to string }{
		{"vrs", "| 28 | u32 | uncompressedSize", "| 29 | u32 | uncompressedSize"},
		{"vrs", "| 28 | u32 | uncompressedSize", "| 28 | i32 | uncompressedSize"},
		{"vrs", "| 28 | u32 | uncompressedSize", "| 28 | u32 | plainSize"},
		{"vrs", "u8 recordType @12", "u8 recordType @13"},
		{"vrs", "| `Point2Df` `Point3Df` `Point4Df` | 8 12 16", "| `Point2Df` `Point3Df` `Point4Df` | 8 12 20"},
		{"vrs", "* recordType in 1..4;", "* recordType in 1..4; formatVersion > 0;"},
		{"usdc", "| 16 | 8 | i64 offset", "| 16 | 8 | u64 offset"},
		{"usdc", "| 16 | 8 | i64 offset", "| 16 | 4 | i64 offset"},
		{"usdc", "| 24 | 64 | reserved", "| 24 | 64 | reserved |\n| 88 | 8 | i64 more"},
		{"usdc", "| 15 | matrix4d | 128", "| 15 | matrix4d | 64"},
		{"usdc", "| 5 | mapperArg | | 11 | variantSet", "| 5 | mapperArg | | 11 | variants"},
		{"usdc", "+18 u32 compressed size", "+20 u32 compressed size"},
		{"odin", "| StartOfArray | int64 length", "| StartOfArray | int32 length"},
		{"odin", "| 47 | 2F | TypeName |", "| 47 | 2F | NameOfType |"},
		{"odin", "int32 count, int32 bytes per element", "int64 count, int32 bytes per element"},
	} {
		text := specifiedBy(t, change.page)
		if !strings.Contains(text, change.from) {
			t.Errorf("%s.md has no %q", change.page, change.from)
			continue
		}
		r := newReader(t, change.page, strings.Replace(text, change.from, change.to, 1))
		r.read(readDoc(t, "testdata/reader/"+change.page+".txt"))
		r.finish()
		if len(r.wrong) == 0 {
			t.Errorf("%s.md: %q for %q is not seen", change.page, change.to, change.from)
		}
	}
}

// A block is a table, some lines of code, or a paragraph of a page.
type block struct {
	chapter string
	kind    string // "table", "code" or "text"
	head    string // the row of titles, or the first line
	rows    [][]string
	listed  bool
}

// A reader compares a page with the descriptions of the formats that it specifies.
type reader struct {
	page   string
	wrong  []string
	blocks []*block
	fields map[string][]*lang.DescribedField // by "Record.field"
	tables map[string]*lang.DescribedTable
	rules  map[string][]*lang.DescribedRule // by id
	known  map[string]bool                  // rules that a format lists
	met    map[string]bool                  // fields and rules that a line names
	// lacking are the rows of tables that the page does not have.
	lacking map[string]bool

	at      *block // whose rows the lines that follow list
	record  string // whose fields the rows name
	checks  bool   // the rows are statements about sound files
	typed   bool   // the types of the row are those of the fields
	rowsMet map[int]bool
	count   struct{ rows, left, extra int }
}

func newReader(t *testing.T, page, text string) *reader {
	r := &reader{page: page, blocks: blocksOf(text), fields: map[string][]*lang.DescribedField{}, tables: map[string]*lang.DescribedTable{},
		rules: map[string][]*lang.DescribedRule{}, known: map[string]bool{}, met: map[string]bool{}, lacking: map[string]bool{}}
	for _, f := range All() {
		spec := specification(t, f)
		if spec == nil || formatPage(f) != page {
			continue
		}
		for _, rule := range f.Rules {
			r.known[rule.ID] = true
		}
		for i := range spec.Tables {
			r.tables[spec.Tables[i].Name] = &spec.Tables[i]
		}
		for i := range spec.Rules {
			r.rules[spec.Rules[i].ID] = append(r.rules[spec.Rules[i].ID], &spec.Rules[i])
		}
		for i := range spec.Records {
			record := &spec.Records[i]
			for k := range record.Fields {
				if f := &record.Fields[k]; f.Case == "" && f.Value == "" {
					name := record.Name + "." + f.Name
					r.fields[name] = append(r.fields[name], f)
				}
			}
		}
	}
	return r
}

func (r *reader) fail(format string, args ...any) {
	r.wrong = append(r.wrong, fmt.Sprintf(format, args...))
}

var headingOfPage = regexp.MustCompile(`^#+ (?:(\d+(?:\.\d+)*)\.? )?(.*)`)

// blocksOf takes a page apart. A heading without a number is of the chapter above it, with its words.
func blocksOf(text string) (blocks []*block) {
	chapter, number := "", ""
	var now *block
	code := false
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		trimmed := strings.TrimSpace(line)
		kind := "text"
		switch {
		case strings.HasPrefix(trimmed, "```"):
			code, now = !code, nil
			continue
		case code:
			kind = "code"
		case strings.HasPrefix(trimmed, "|"):
			kind = "table"
		case trimmed == "" || trimmed == "---":
			now = nil
			continue
		default:
			if m := headingOfPage.FindStringSubmatch(line); m != nil {
				if chapter = m[1]; chapter == "" {
					chapter = strings.TrimSpace(number + " " + m[2])
				} else {
					number = chapter
				}
				now = nil
				continue
			}
			if regexp.MustCompile(`^(\*|-|\d+\.) `).MatchString(trimmed) {
				now = nil
			}
		}
		if now == nil || now.kind != kind {
			now = &block{chapter: chapter, kind: kind}
			blocks = append(blocks, now)
		}
		now.add(trimmed)
	}
	return blocks
}

func (b *block) add(line string) {
	switch b.kind {
	case "table":
		row := strings.Split(strings.ReplaceAll(strings.TrimSuffix(strings.TrimPrefix(line, "|"), "|"), `\|`, "\x00"), "|")
		for i := range row {
			row[i] = strings.TrimSpace(strings.ReplaceAll(row[i], "\x00", "|"))
		}
		if b.head == "" {
			b.head = strings.Join(row, " | ")
		}
		if strings.Trim(strings.Join(row, ""), "-:") != "" {
			b.rows = append(b.rows, row)
		}
	case "code":
		if b.head == "" {
			b.head = line
		}
		b.rows = append(b.rows, []string{line})
	case "text":
		b.head = strings.TrimSpace(b.head + " " + line)
	}
}

// inline is a field in a sentence: "+4 u16 version needed" or "f64 timestamp @0".
var inline = regexp.MustCompile(`\+(\d+) ([uif]\d+) ([\w -]*\w)|\b([uif]\d+) (\w+) @(\d+)`)

// layout returns the rows of a block that lay fields out, with the cells offset, type and name.
func (b *block) layout() (rows [][]string) {
	switch b.kind {
	case "table":
		titles := b.rows[0]
		column := func(row []string, names ...string) string {
			for i, title := range titles {
				if i < len(row) && slices.Contains(names, title) {
					return strings.Trim(row[i], "`")
				}
			}
			return ""
		}
		for _, row := range b.rows[1:] {
			rows = append(rows, []string{column(row, "offset", "off"), strings.Join(row, " | "), column(row, "name"), column(row, "size")})
		}
	case "code":
		for _, row := range b.rows {
			rows = append(rows, []string{"", row[0], "", ""})
		}
	case "text":
		for _, m := range inline.FindAllStringSubmatch(b.head, -1) {
			rows = append(rows, []string{m[1] + m[6], m[2] + m[4] + " " + m[3] + m[5], m[3] + m[5], ""})
		}
		if rows == nil {
			rows = [][]string{{"", b.head, "", ""}}
		}
	}
	return rows
}

// statements returns what a block says of sound files, piece by piece.
func (b *block) statements() (rows [][]string) {
	add := func(of, text string) {
		for piece := range strings.SplitSeq(text, "; ") {
			rows = append(rows, []string{"", strings.TrimSpace(of + piece), "", ""})
		}
	}
	if b.kind != "table" {
		add("", strings.TrimSuffix(b.head, "."))
		return rows
	}
	for _, row := range b.rows[1:] {
		add(row[0]+": ", row[1])
	}
	return rows
}

// read reads a list. Its lines are
//
//	table CHAPTER TITLES → RECORD    rows are the record's fields of those names; those that are not follow, indented
//	table CHAPTER TITLES → table T   rows are those of a table of the description
//	table CHAPTER TITLES – REASON    it is no layout
//	code, text                       as table, by the first words
//	check CHAPTER WORDS              what it says of sound files follows, indented
//	  WORDS → Record.field, rule     a row or statement, by its first words, and what it is in the description; "Record.field + 8" for a
//	                                 row whose offsets begin 8 bytes before the record; ≈ for → where the row has types of other things
//	  WORDS – REASON                 one that is left out
//	extra Record.field – REASON      a field, or what is left of a record, that the page does not have
//	extra row TABLE NUMBER – REASON  a row that the page does not have
//	rule ID – REASON                 a rule that the page does not have, or all such as usdc.children.*
func (r *reader) read(list string) {
	for i, line := range strings.Split(list, "\n") {
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		words, target, found := strings.Cut(line, " → ")
		reason := ""
		if r.typed = found; !found {
			words, target, found = strings.Cut(line, " ≈ ")
		}
		if !found {
			words, reason, _ = strings.Cut(line, " – ")
		}
		kind, rest, _ := strings.Cut(words, " ")
		where := fmt.Sprintf("testdata/reader/%s.txt:%d", r.page, i+1)
		switch {
		case strings.HasPrefix(line, "  "):
			r.row(where, strings.TrimSpace(words), target, reason)
		case kind == "extra":
			r.extra(where, rest, reason)
		case kind == "rule":
			r.extraRule(where, rest, reason)
		default:
			r.endBlock()
			r.begin(where, kind, rest, target, reason)
		}
	}
	r.endBlock()
}

// begin looks for the block that a line names, the first that is not listed yet.
func (r *reader) begin(where, kind, words, target, reason string) {
	r.at, r.record, r.checks, r.rowsMet = nil, target, kind == "check", map[int]bool{}
	at := slices.IndexFunc(r.blocks, func(b *block) bool {
		rest, ok := strings.CutPrefix(words, b.chapter+" ")
		return (ok && strings.HasPrefix(b.head, rest) || words == b.chapter) && (kind == b.kind || kind == "check") && !b.listed
	})
	if at < 0 {
		r.fail("%s: no such block, or it is listed", where)
		return
	}
	b := r.blocks[at]
	b.listed = true
	if reason != "" {
		r.count.left++
		return
	}
	r.at = b
	if name, ok := strings.CutPrefix(target, "table "); ok {
		r.compareTable(where, b, name)
		for i := range r.rowsOf() {
			r.rowsMet[i] = false // need not be listed
		}
	}
}

var numberedInText = regexp.MustCompile(`\b(\d+) ([A-Z]\w+)`)

// numbered returns the rows of a table of numbers, names and perhaps sizes, whose columns may be there twice. "9 / 10" and "Named / UnnamedX"
// are two rows.
func (b *block) numbered() (rows [][3]string) {
	if b.kind == "text" {
		for _, m := range numberedInText.FindAllStringSubmatch(b.head, -1) {
			rows = append(rows, [3]string{m[1], m[2]})
		}
		return rows
	}
	titles := b.rows[0]
	for i, title := range titles {
		name := i + 1
		for name < len(titles) && !strings.Contains(titles[name], "name") {
			name++
		}
		if name == len(titles) || name > i+1 && titles[i+1] != "hex" || title == "hex" {
			continue
		}
		for _, row := range b.rows[1:] {
			size := ""
			if name+1 < len(titles) && (titles[name+1] == "Elem" || titles[name+1] == "size") {
				size = strings.ReplaceAll(row[name+1], "var", "-1")
			}
			of := strings.Split(row[name], " / ")
			for k, number := range strings.Split(row[i], " / ") {
				if _, err := strconv.Atoi(number); err != nil || k >= len(of) {
					continue
				}
				label := strings.Trim(of[k], "`")
				if k+1 < len(of) {
					label += strings.TrimPrefix(of[k+1], "Unnamed")
				}
				rows = append(rows, [3]string{number, label, size})
			}
		}
	}
	return rows
}

var storedAs = regexp.MustCompile(`^(\w+) \((?:(\d+) )?[uif](\d+)\)$`)

// compareSizes compares a table of names, in the first column, and their sizes with the types of a table of the description.
func (r *reader) compareSizes(where string, b *block, table *lang.DescribedTable) {
	sizes := map[string]string{}
	for _, row := range table.Rows {
		if m := storedAs.FindStringSubmatch(row[len(row)-1]); m != nil {
			count, _ := strconv.Atoi(cmp.Or(m[2], "1"))
			bits, _ := strconv.Atoi(m[3])
			sizes[m[1]] = strconv.Itoa(count * bits / 8)
		}
	}
	for _, row := range b.rows[1:] {
		size := strings.Fields(strings.ReplaceAll(row[1], "/", " "))
		for i, name := range strings.Fields(strings.NewReplacer("`", "", "/", " ").Replace(row[0])) {
			if want := size[min(i, len(size)-1)]; sizes[name] != want {
				r.fail("%s: %s has %s bytes on the page, %q here", where, name, want, sizes[name])
			}
			r.count.rows++
			delete(sizes, name)
		}
	}
	if len(sizes) > 0 {
		r.fail("%s: the page has not %v", where, sizes)
	}
}

// compareTable compares a table of numbers and names, which may be in columns side by side, with one of the description.
func (r *reader) compareTable(where string, b *block, name string) {
	table := r.tables[name]
	if table == nil {
		r.fail("%s: no table %s", where, name)
		return
	}
	rows := b.numbered()
	if rows == nil {
		r.compareSizes(where, b, table)
		return
	}
	met := map[string]bool{}
	for _, numbered := range rows {
		number, label, size := numbered[0], numbered[1], numbered[2]
		at := slices.IndexFunc(table.Rows, func(of []string) bool { return of[0] == number })
		if at < 0 {
			r.fail("%s: the table %s has no row %s", where, name, number)
			continue
		}
		met[number] = true
		r.count.rows++
		if !slices.ContainsFunc(table.Rows[at], func(cell string) bool { return cell != "" && strings.HasPrefix(label, cell) }) {
			r.fail("%s: row %s is %q on the page, %q here", where, number, label, table.Rows[at])
		}
		if i := slices.Index(table.Columns, "size"); i >= 0 && size != "" && table.Rows[at][i] != "0" && table.Rows[at][i] != size {
			r.fail("%s: %s has %s bytes on the page, %s here", where, label, size, table.Rows[at][i])
		}
	}
	for _, row := range table.Rows {
		if !met[row[0]] {
			r.lacking["row "+name+" "+row[0]] = true
		}
	}
}

// rowsOf returns the rows that the lines after the block's list.
func (r *reader) rowsOf() [][]string {
	if r.checks {
		return r.at.statements()
	}
	return r.at.layout()
}

// row compares a row with the fields or rules that a line says it is.
func (r *reader) row(where, words, target, reason string) {
	if r.at == nil {
		return
	}
	at := -1
	for i, row := range r.rowsOf() {
		if strings.HasPrefix(strings.TrimSpace(row[1]), words) && !r.rowsMet[i] {
			at = i
			break
		}
	}
	if at < 0 {
		r.fail("%s: the page has no such row", where)
		return
	}
	r.rowsMet[at] = true
	row := r.rowsOf()[at]
	if r.named(row) != "" {
		r.fail("%s: the row is found by its name", where)
	}
	if reason != "" {
		r.count.left++
		return
	}
	targets := strings.Split(target, ", ")
	var types []string
	for _, name := range targets {
		if r.known[name] {
			r.met[name] = true
			r.count.rows++
			continue
		}
		if len(targets) > 1 { // the sizes of all
			row[0], row[3] = "", ""
		}
		types = append(types, r.compare(where, row, name)...)
	}
	for _, of := range typesIn(row[1]) {
		if r.typed && len(types) > 0 && !slices.Contains(types, of) {
			r.fail("%s: %s on the page, %s here", where, of, strings.Join(types, ", "))
		}
	}
}

// named returns the field of the block's record that a row names, or "".
func (r *reader) named(row []string) string {
	if name := r.record + "." + row[2]; row[2] != "" && r.fields[name] != nil {
		return name
	}
	return ""
}

// endBlock compares the rows that name a field, and reports those that no line lists.
func (r *reader) endBlock() {
	if r.at == nil {
		return
	}
	for i, row := range r.rowsOf() {
		_, met := r.rowsMet[i]
		switch name := r.named(row); {
		case met:
		case name != "":
			where := r.page + ".md, chapter " + r.at.chapter
			if types, here := typesIn(row[1]), r.compare(where, row, name); len(types) == 1 && len(here) > 0 && !slices.Contains(here, types[0]) {
				r.fail("%s: %s is %s on the page, %s here", where, name, types[0], strings.Join(here, ", "))
			}
		default:
			r.fail("%s.md, chapter %s: %q is not in the list", r.page, r.at.chapter, row[1])
		}
	}
	r.at = nil
}

var (
	typeInRow   = regexp.MustCompile(`\b([uif]|u?int)(8|16|32|64)\b`)
	bytesOfText = regexp.MustCompile(`^(\d+) bytes`)
)

// typesIn returns the scalars that a text names, such as u32 for "uint32".
func typesIn(text string) (types []string) {
	for _, m := range typeInRow.FindAllStringSubmatch(text, -1) {
		types = append(types, strings.TrimSuffix(m[1], "nt")[:1]+m[2])
	}
	return types
}

// compare compares a row with a field, where it begins and its size, and returns the types that the field may have.
func (r *reader) compare(where string, row []string, name string) []string {
	name, after, _ := strings.Cut(name, " + ")
	base, _ := strconv.ParseInt(after, 10, 64)
	fields := r.fields[name]
	if fields == nil {
		r.fail("%s: no field or rule %q", where, name)
		return nil
	}
	r.met[name] = true
	r.count.rows++
	f := fields[0]
	if off, err := strconv.ParseInt(row[0], 10, 64); err == nil && f.Offset >= 0 && off != f.Offset+base {
		r.fail("%s: %s is at %d on the page, at %d here", where, name, off, f.Offset+base)
	}
	size := int64(-1)
	var here []string // of all fields of that name, which are in different cases
	for _, f := range fields {
		here = append(here, typesIn(f.Type)...)
	}
	if m := bytesOfText.FindStringSubmatch(f.Type); m != nil {
		size, _ = strconv.ParseInt(m[1], 10, 64)
	} else if len(here) == 1 && !strings.Contains(f.Type, "×") {
		size, _ = strconv.ParseInt(here[0][1:], 10, 64)
		size /= 8
	}
	if n, err := strconv.ParseInt(row[3], 10, 64); err == nil && size >= 0 && n != size {
		r.fail("%s: %s has %d bytes on the page, %d here", where, name, n, size)
	}
	return here
}

// extra marks fields that only the description has.
func (r *reader) extra(where, name, reason string) {
	n := 0
	if r.lacking[name] {
		delete(r.lacking, name)
		n++
	}
	for field := range r.fields {
		if field != name && !strings.HasPrefix(field, name+".") {
			continue
		}
		if r.met[field] {
			if field == name {
				r.fail("%s: the page has it", where)
			}
			continue
		}
		r.met[field] = true
		n++
	}
	if r.count.extra += n; n == 0 || reason == "" {
		r.fail("%s: %d such fields; the reason is %q", where, n, reason)
	}
}

// extraRule marks rules that only the description has.
func (r *reader) extraRule(where, id, reason string) {
	n := 0
	for of := range r.rules {
		if like, err := path.Match(id, of); err == nil && like && !r.met[of] && !r.isInChapter(of) {
			r.met[of] = true
			n++
		}
	}
	if r.count.extra += n; n == 0 || reason == "" {
		r.fail("%s: %d such rules; the reason is %q", where, n, reason)
	}
}

var (
	numberInRule = regexp.MustCompile(`0x[0-9a-fA-F]+|\d+`)
	numberInPage = regexp.MustCompile(`\b(?:0x)?[0-9a-fA-F]+\b`)
)

// isInChapter reports whether a rule names the chapter that it is from, which has all of its numbers.
func (r *reader) isInChapter(id string) bool {
	for _, rule := range r.rules[id] {
		if rule.Clause == "" {
			return false
		}
		numbers := map[int64]bool{0: true, 1: true}
		for _, b := range r.blocks {
			if b.chapter != rule.Clause && !strings.HasPrefix(b.chapter, rule.Clause+".") && !strings.HasPrefix(b.chapter, rule.Clause+" ") {
				continue
			}
			for _, digits := range numberInPage.FindAllString(fmt.Sprint(b.head, b.rows), -1) {
				for _, base := range []int{0, 10, 16} {
					if n, err := strconv.ParseInt(digits, base, 64); err == nil {
						numbers[n] = true
					}
				}
			}
		}
		for _, digits := range numberInRule.FindAllString(rule.Holds, -1) {
			if n, err := strconv.ParseInt(digits, 0, 64); err == nil && !numbers[n] {
				return false
			}
		}
	}
	return len(r.rules[id]) > 0
}

// finish reports what no line of the list has met.
func (r *reader) finish() {
	for _, b := range r.blocks {
		if !b.listed && b.kind != "text" {
			r.fail("the %s %q of chapter %s is not in the list", b.kind, b.head, b.chapter)
		}
	}
	for name := range r.fields {
		if !r.met[name] {
			r.fail("the page has no %s", name)
		}
	}
	for row := range r.lacking {
		r.fail("the page has no %s", row)
	}
	for id := range r.rules {
		if !r.met[id] && !r.isInChapter(id) {
			r.fail("the page has no rule %s", id)
		}
	}
}
