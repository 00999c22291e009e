package usda

import "testing"

func TestPaths(t *testing.T) {
	for s, want := range map[string]bool{
		"/": true, "": false, "/A": true, "A": true, "/A/B": true, "/A/": false, "//A": false, "/A.b": true, "/A.b:c": true,
		"/A.b:": false, "/A.b.c": false, "/A{v=x}": true, "/A{v=x}B": true, "/A{v=x}/B": false, "/A{v=}": true,
		"/A{v=x}{w=y}B.c": true, "/A.b[/C.d].e": true, "/A.b[/C": false, "/A b": false, "/größe": true, "/1": false, "/A\xff": false,
		".b": true, "/A.": false, "/A.b.expression": true, "/A/.b": false,
	} {
		if _, ok := ParsePath(s); ok != want {
			t.Errorf("%q is a path: %v, want %v", s, ok, want)
		}
	}
	p, _ := ParsePath("/A{v=x}B.c[/D].e")
	if want := (Path{true, 2, 1, "c", "/D", "e"}); p != want {
		t.Errorf("%+v, want %+v", p, want)
	}
}
