package cli

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"cutaway/scan"
)

const sparkJob = `
import sys
from pyspark import SparkContext
sc = SparkContext("local[2]", "scan")
sc.setLogLevel("ERROR")
for line in sc.textFile(sys.argv[1], 4).pipe(sys.argv[2]).collect():
    print(line)
sc.stop()
`

// TestSpark: spread over a local Spark as docs/use/many-files.md has it, a scan of testdata gives the lines of one process.
func TestSpark(t *testing.T) {
	if exec.Command("python3", "-c", "import pyspark").Run() != nil {
		t.Skip("without pyspark (pip install pyspark)")
	}
	if exec.Command("java", "-version").Run() != nil {
		t.Skip("without Java, which Spark runs on")
	}
	dir := t.TempDir()
	program := filepath.Join(dir, "cutaway")
	build := exec.Command("go", "build", "-tags", "headless", "-o", program, "..")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	root, err := filepath.Abs("../testdata")
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	if err := new(scan.Listing).Each([]string{root}, func(f scan.Name) error { names = append(names, f.File); return nil }); err != nil {
		t.Fatal(err)
	}
	list, job := filepath.Join(dir, "names"), filepath.Join(dir, "job.py")
	for file, text := range map[string]string{list: strings.Join(names, "\n") + "\n", job: sparkJob} {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	one := exec.Command(program, "scan", "--json", "-")
	one.Stdin = strings.NewReader(strings.Join(names, "\n"))
	want, err := one.Output()
	if len(want) == 0 {
		t.Fatal(err)
	}
	spark := exec.Command("python3", job, list, program+" scan --json --jobs 1 -")
	var errs bytes.Buffer
	spark.Stderr = &errs
	got, err := spark.Output()
	if err != nil {
		t.Fatalf("%v: %s", err, errs.String())
	}
	if a, b := timeless(want), timeless(got); !slices.Equal(a, b) || len(a) != len(names) {
		t.Errorf("%d files, %d lines of one process, %d of Spark, or other ones", len(names), len(a), len(b))
	}
}

var secondsTaken = regexp.MustCompile(`"seconds":[^,]+,`)

// timeless is the lines in order, without the time that each took.
func timeless(out []byte) []string {
	lines := strings.Split(strings.TrimSpace(secondsTaken.ReplaceAllString(string(out), "")), "\n")
	slices.Sort(lines)
	return lines
}
