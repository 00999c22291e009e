package quote

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
)

func TestPretty(t *testing.T) {
	long := strings.Repeat("x", 100)
	for text, want := range map[string]string{
		"no JSON":           "no JSON",
		"[broken":           "[broken",
		`{"a":[1,2,3]}`:     `{"a": [1, 2, 3]}`,
		` {"a":"\"}, x:"} `: `{"a": "\"}, x:"}`,
		`{"a":"` + long + `","b":[1,{"c":null}]}`: "{\n  \"a\": \"" + long + "\",\n  \"b\": [1, {\"c\": null}]\n}",
	} {
		got := Pretty(text)
		if got != want {
			t.Errorf("%s:\n%s\nwant\n%s", text, got, want)
		}
		var before, after any
		if json.Unmarshal([]byte(text), &before) == nil && (json.Unmarshal([]byte(got), &after) != nil || !reflect.DeepEqual(before, after)) {
			t.Errorf("%s is another value", got)
		}
	}
	if got := IndentJSON("{\"a\":1}\n{\"b\":\"" + long); got != "{\"a\": 1}\n{\n  \"b\": \""+long {
		t.Errorf("a line, and one that is cut: %q", got)
	}
}
