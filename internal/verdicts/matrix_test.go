package verdicts

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"

	"cutaway/decoders/decodertest"
	"cutaway/decoders/usdatext"
	"cutaway/internal/reference"
	"cutaway/model"
)

// matrixFile holds what matrix.py prints.
const matrixFile = "../../testdata/usda/matrix.txt"

// Of a hundred texts of the matrix that usd-core refuses so many may be sound here, and of a hundred that it reads so many
// may have errors here.
const matrixMissed, matrixInvented = 0.5, 2

// strictHere holds why texts that usd-core reads have errors here, by a part of the row or column.
var strictHere = []struct{ part, reason string }{
	{"[[1]]", "a list in the list of an array, which it flattens"},
	{"rel a[</B>]", "a target in brackets, which it drops"},
	{`\0`, "a NUL in a text, where it ends the text"},
	{`"v" = {"$row" {}}`, "a variant without name, which it drops, or with the name of a dot"},
	{"..", "a relocate from the root, which it drops"},
	{"{1: 1$row}", "a comment after the last knot of a spline, which hides the end of the line from it"},
}

// A matrixCase is a text of the matrix and usd-core's verdict.
type matrixCase struct {
	text, row, column string
	reads             bool
}

// eachCase calls visit for each text of the matrix.
func eachCase(t *testing.T, visit func(c matrixCase)) {
	data, err := os.ReadFile(matrixFile)
	if err != nil {
		t.Fatal(err)
	}
	var text string
	var columns []string
	lines := bufio.NewScanner(bytes.NewReader(data))
	for lines.Scan() {
		what, rest, _ := strings.Cut(lines.Text(), " ")
		if what == "#" {
			continue
		}
		quoted, err := strconv.QuotedPrefix(rest)
		if err != nil {
			t.Fatalf("%s: %v", lines.Text(), err)
		}
		word, _ := strconv.Unquote(quoted)
		switch what {
		case "text":
			text, columns = word, nil
		case "column":
			columns = append(columns, word)
		case "row":
			for i, column := range columns {
				whole := strings.ReplaceAll(strings.ReplaceAll(text, "$column", column), "$row", word)
				visit(matrixCase{"#usda 1.0\n" + whole, word, column, rest[len(quoted)+1:][i] == '+'})
			}
		}
	}
}

// TestMatrix holds the verdicts on combinations of USD's fields, types and words beside those of usd-core.
func TestMatrix(t *testing.T) {
	refuses, missed, reads, invented := 0, 0, 0, 0
	eachCase(t, func(c matrixCase) {
		report, err := decodertest.Open(t, usdatext.Format, "x.usda", model.BytesReader([]byte(c.text))).CheckAll(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		switch {
		case !c.reads && report.Sound():
			missed++
			t.Logf("missed   %q", c.text)
		case c.reads && !report.Sound():
			invented++
			if c.reason() == "" {
				t.Errorf("invented %q: %v", c.text, report.Problems)
			}
		}
		if c.reads {
			reads++
		} else {
			refuses++
		}
	})
	figures := "`testdata/usda/matrix.txt` has usd-core's verdict on each of its fields and types with every kind of value, and on each word\n" +
		"of the syntax where it does not belong."
	figures += fmt.Sprintf(" Of %s texts that it refuses, %d (%.2f %%) are sound here.\nOf %s that it reads, %d (%.2f %%) have errors here, for what is in them:\n",
		model.Grouped(int64(refuses)), missed, percent(missed, refuses), model.Grouped(int64(reads)), invented, percent(invented, reads))
	for _, s := range strictHere {
		figures += "\n- " + s.reason
	}
	t.Log("\n" + figures)
	if percent(missed, refuses) > matrixMissed || percent(invented, reads) > matrixInvented {
		t.Errorf("more than %v and %v %%", matrixMissed, matrixInvented)
	}
	if *tries == everything && !t.Failed() {
		upToDate(t)
		(&format{name: "matrix"}).write(t, figures+"\n")
	}
}

// reason returns why a text has errors here, or "" if no reason is known.
func (c *matrixCase) reason() string {
	for _, s := range strictHere {
		if strings.Contains(c.row, s.part) || strings.Contains(c.column, s.part) {
			return s.reason
		}
	}
	return ""
}

// upToDate fails unless matrix.py prints the file that is stored.
func upToDate(t *testing.T) {
	python := reference.USD.Python()
	if python == "" {
		t.Skip(reference.USD.Missing)
	}
	printed, err := exec.Command(python, "matrix.py").Output()
	if err != nil {
		t.Fatal(err)
	}
	if stored, err := os.ReadFile(matrixFile); err != nil || !bytes.Equal(stored, printed) {
		t.Errorf("%s is not what matrix.py prints (%v)", matrixFile, err)
	}
}
