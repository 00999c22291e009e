package verdicts

import (
	"bufio"
	"os"
	"strconv"
	"strings"
	"testing"

	"cutaway/decoders/decodertest"
	"cutaway/decoders/usdatext"
	"cutaway/model"
)

func TestMatrix(t *testing.T) {
	f, err := os.Open("../../testdata/usda/matrix.txt")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var out *bufio.Writer
	if name := os.Getenv("MATRIX_OUT"); name != "" {
		o, err := os.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		defer o.Close()
		out = bufio.NewWriter(o)
		defer out.Flush()
	}
	var text string
	var columns []string
	block := 0
	counts := map[byte][2]int{}
	s := bufio.NewScanner(f)
	s.Buffer(nil, 1<<20)
	for s.Scan() {
		what, rest, _ := strings.Cut(s.Text(), " ")
		if what == "#" {
			continue
		}
		quoted, err := strconv.QuotedPrefix(rest)
		if err != nil {
			t.Fatal(s.Text(), err)
		}
		word, _ := strconv.Unquote(quoted)
		switch what {
		case "text":
			text, columns = word, nil
			block++
		case "column":
			columns = append(columns, word)
		case "row":
			verdicts := strings.TrimSpace(rest[len(quoted):])
			if len(verdicts) != len(columns) {
				t.Fatal(s.Text())
			}
			for i, c := range columns {
				whole := strings.ReplaceAll(strings.ReplaceAll(text, "$column", c), "$row", word)
				report, err := decodertest.Open(t, usdatext.Format, "x.usda", model.BytesReader([]byte("#usda 1.0\n"+whole))).CheckAll(t.Context(), nil)
				if err != nil {
					t.Fatal(err)
				}
				n := counts[verdicts[i]]
				n[0]++
				if report.Sound() != (verdicts[i] == '+') {
					n[1]++
					if out != nil {
						first := ""
						for _, p := range report.Problems {
							if p.Kind.Severity() == model.Error {
								first = p.Error()
								break
							}
						}
						out.WriteString(string(verdicts[i]) + "\t" + strconv.Itoa(block) + "\t" + strconv.Quote(word) + "\t" + strconv.Quote(c) + "\t" + strconv.Quote(whole) + "\t" + first + "\n")
					}
				}
				counts[verdicts[i]] = n
			}
		}
	}
	t.Log(counts)
}
