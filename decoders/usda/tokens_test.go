package usda

import (
	"fmt"
	"strings"
	"testing"
)

// TestTokens: keywords (k), types (t), names (n), values (v), what leads elsewhere (>) and comments (#) stand out; a broken line ends.
func TestTokens(t *testing.T) {
	for line, want := range map[string]string{
		`#usda 1.0`:      "##usda 1.0",
		`def Mesh "M" (`: `kdef v"M"`,
		`    point3f[] points = [(0, -1.5e-3, 2)]`:     "tpoint3f npoints v0 v-1.5e-3 v2",
		`    uniform token info:id = "x" # why`:        `kuniform ttoken ninfo:id v"x" ## why`,
		`    prepend references = @./a.usd@</World/A>`: "kprepend nreferences >@./a.usd@ ></World/A>",
		`    rel material:binding = </Looks/M>`:        "krel nmaterial:binding ></Looks/M>",
		`    bool a = true`:                            "tbool na vtrue",
		`    string s = 'it\'s'`:                       `tstring ns v'it\'s'`,
		`    string s = """one`:                        `tstring ns v"""one`,
		`    asset f = @@@a@b@@@`:                      "tasset nf >@@@a@b@@@",
		`    double x.timeSamples = {`:                 "tdouble nx ntimeSamples",
		`        1.5: 3,`:                              "v1.5 v3",
		`<not closed @neither`:                         ">@neither",
		``:                                             "",
	} {
		var got []string
		last := 0
		for _, k := range Tokens(line) {
			if k.From < last || k.To <= k.From || k.To > len(line) {
				t.Fatalf("%q: %+v after %d", line, k, last)
			}
			last = k.To
			got = append(got, fmt.Sprintf("%c%s", "#nvtk>"[k.Kind], line[k.From:k.To]))
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%q has %q, want %q", line, got, want)
		}
	}
}

func FuzzTokens(f *testing.F) {
	f.Add(`def "a" (1.5 = @x@ <y> """z`)
	f.Fuzz(func(t *testing.T, line string) {
		last := 0
		for _, k := range Tokens(line) {
			if k.From < last || k.To <= k.From || k.To > len(line) {
				t.Fatalf("%+v after %d", k, last)
			}
			last = k.To
		}
	})
}
