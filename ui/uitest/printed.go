package uitest

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"cutaway/cli"
)

// Printed runs a verb of the command line and returns the objects that it prints as JSON, to compare them with the
// window's. The timeline of a file without times is empty.
func Printed[T any](t *testing.T, args ...string) (list []T) {
	t.Helper()
	var out, errs bytes.Buffer
	status := cli.Main(t.Context(), "", append(args, "--json"), &out, &errs)
	if args[0] == "timeline" && strings.Contains(errs.String(), "no known times") {
		return nil
	}
	if status > 1 {
		t.Fatalf("%s: status %d, %s", args, status, errs.String())
	}
	for d := json.NewDecoder(&out); d.More(); {
		var one T
		if err := d.Decode(&one); err != nil {
			t.Fatal(err)
		}
		list = append(list, one)
	}
	return list
}
