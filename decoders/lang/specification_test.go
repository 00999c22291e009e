package lang_test

import (
	"testing"

	"cutaway/decoders/decodertest"
	. "cutaway/decoders/lang"
	"cutaway/model"
	"cutaway/model/export"
)

// everything has one of everything.
var everything = Specification{
	Name: "fake", Title: "Fake files", Known: []Term{{Name: "file.version", Help: "its version"}}, Functions: []Term{{Name: "double", Help: "twice"}},
	Tables: []DescribedTable{{Name: "kinds", Columns: []string{"number", "name"}, Rows: [][]string{{"1", "one|two"}}}},
	Records: []DescribedRecord{
		{Name: "Header", Help: "what comes first", Fields: []DescribedField{
			{Name: "magic", Type: "text in 4", Help: "FAKE"},
			{Name: "flags", Offset: 4, Type: "u8", Names: []string{"none", "", "both"}},
			{Name: "low", Level: 1, Offset: -1, Type: "bits 0 to 3"},
			{Name: "unused", Offset: 5, Type: "bytes in 3", Role: model.Padding},
			{Name: "kind", Offset: 8, Type: "u8", There: "file.version >= 2", Table: "kinds"},
			{Case: "kind = 1", Offset: -1},
			{Name: "next", Level: 1, Offset: -1, Type: "u32", Links: "entries"},
			{Name: "twice", Offset: -1, Value: "double(next)"}}},
		{Name: "List", Params: []string{"of", "count"}, Fields: []DescribedField{{Type: "Item × count"}}}},
	Rules: []DescribedRule{
		{ID: "fake.magic", On: []string{"Header.magic"}, Holds: `it == "FAKE"`, Says: "no fake file"},
		{ID: "fake.count", On: []string{"List", "Header.flags"}, Kind: model.Suspicious, If: "count > 1", Wanted: "few", Help: "there are many", Clause: "3"}},
}

func TestSpecification(t *testing.T) {
	decodertest.Golden(t, "testdata/description.txt", everything.WriteText)
	const want = `{"name":"fake","title":"Fake files","known":[{"name":"file.version","help":"its version"}],"functions":[{"name":"double","help":"twice"}],"tables":[{"name":"kinds","columns":["number","name"],"rows":[["1","one|two"]]}],` +
		`"records":[{"name":"Header","help":"what comes first","fields":[{"name":"magic","level":0,"offset":0,"type":"text in 4","help":"FAKE"},{"name":"flags","level":0,"offset":4,"type":"u8","names":["none","","both"]},` +
		`{"name":"low","level":1,"type":"bits 0 to 3"},{"name":"unused","level":0,"offset":5,"type":"bytes in 3","role":"padding"},{"name":"kind","level":0,"offset":8,"type":"u8","if":"file.version >= 2","table":"kinds"},` +
		`{"case":"kind = 1","level":0},{"name":"next","level":1,"type":"u32","links":"entries"},{"name":"twice","level":0,"value":"double(next)"}]},{"name":"List","params":["of","count"],"fields":[{"name":"","level":0,"offset":0,"type":"Item × count"}]}],` +
		`"rules":[{"id":"fake.magic","on":["Header.magic"],"kind":"malformed","holds":"it == \"FAKE\"","says":"no fake file"},{"id":"fake.count","on":["List","Header.flags"],"kind":"suspicious","if":"count > 1","wanted":"few","help":"there are many","clause":"3"}]}`
	if got, err := export.AppendValue(t.Context(), nil, everything.Object()); err != nil || string(got) != want {
		t.Errorf("%v, got  %s\nwant %s", err, got, want)
	}
}

// TestDescribeParts: what the languages of a format have in common is described once.
func TestDescribeParts(t *testing.T) {
	part := func(record string) *Language {
		return &Language{Name: "fake", Short: "short", Known: []Known{Know("file.version", "its version", func(n int64) int64 { return n })},
			Tables:  []*Table{NewTable("kinds", []string{"one"}, Label("name", func(s *string) string { return *s }))},
			Records: []*Record{NewRecord(record, F("kind", U8, "").NamedBy("kinds").If("file.version > 1"))}}
	}
	whole, err := Describe(part("Header"), part("List"))
	if err != nil {
		t.Fatal(err)
	}
	d := whole.(*Specification)
	if len(d.Known) != 1 || len(d.Tables) != 1 || len(d.Records) != 2 {
		t.Errorf("%d known values, %d tables, %d records", len(d.Known), len(d.Tables), len(d.Records))
	}
	const reasons = "depends on what the document knows: file.version\nHeader.kind needs \"file.version\"\nList.kind needs \"file.version\"\n" +
		"parts of the file have languages of their own"
	if _, err := d.KSY(); err == nil || err.Error() != reasons {
		t.Errorf("a .ksy lacks: %v", err)
	}
}
