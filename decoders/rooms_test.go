package decoders

import (
	"cmp"
	"fmt"
	"go/parser"
	"go/token"
	"html"
	"io"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"cutaway/decoders/decodertest"
)

// A graph maps names to the names that they import.
type graph map[string]map[string]bool

func (g graph) add(from, to string) {
	if g[from] == nil {
		g[from] = make(map[string]bool)
	}
	if to != "" && to != from {
		g[from][to] = true
	}
}

// from returns what can be reached from a name, with the name itself.
func (g graph) from(name string) map[string]bool {
	reached := map[string]bool{name: true}
	for next := []string{name}; len(next) > 0; next = next[1:] {
		for to := range g[next[0]] {
			if !reached[to] {
				reached[to] = true
				next = append(next, to)
			}
		}
	}
	return reached
}

// only returns the part of a graph whose names satisfy keep.
func (g graph) only(keep func(string) bool) graph {
	part := make(graph)
	for name, imports := range g {
		if keep(name) {
			part.add(name, "")
			for to := range imports {
				if keep(to) {
					part.add(name, to)
				}
			}
		}
	}
	return part
}

// height returns the length of the longest way down from a name. The graph must have no cycles.
func (g graph) height(name string) int {
	height := 0
	for to := range g[name] {
		height = max(height, 1+g.height(to))
	}
	return height
}

// direct reports whether an import is not implied by others.
func (g graph) direct(from, to string) bool {
	for other := range g[from] {
		if other != to && g.from(other)[to] {
			return false
		}
	}
	return true
}

// rows lists the names by their height, the highest first.
func (g graph) rows() [][]string {
	var rows [][]string
	for _, name := range slices.Sorted(maps.Keys(g)) {
		h := g.height(name)
		for len(rows) <= h {
			rows = append(rows, nil)
		}
		rows[h] = append(rows[h], name)
	}
	slices.Reverse(rows)
	return rows
}

// importsOf returns what a Go file imports of ours.
func importsOf(t *testing.T, name string) []string {
	t.Helper()
	f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ImportsOnly)
	if err != nil {
		t.Fatal(err)
	}
	var list []string
	for _, spec := range f.Imports {
		imported, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			t.Fatal(err)
		}
		if ours, found := strings.CutPrefix(imported, module+"/"); found {
			list = append(list, ours)
		}
	}
	return list
}

// importsOfProgram returns what the packages of the program import of ours, tests left out.
func importsOfProgram(t *testing.T) graph {
	all := make(graph)
	eachGoFile(t, func(name, rel string) {
		if strings.HasSuffix(rel, "_test.go") {
			return
		}
		all.add(path.Dir(rel), "")
		for _, ours := range importsOf(t, name) {
			all.add(path.Dir(rel), ours)
		}
	})
	reached := all.from(".")
	return all.only(func(name string) bool { return reached[name] })
}

// areaOf returns the folder of the project that a package is in.
func areaOf(name string) string {
	area, _, _ := strings.Cut(name, "/")
	return area
}

// The measures of the picture, in pixels.
const (
	pictureWidth = 1200
	rowWidth     = 1000 // longer rows go on below
	boxHeight    = 24
	boxGap       = 10
	rowGap       = 16
	areaPad      = 14
	areaTitle    = 20
	areaGap      = 28
)

// A rect is a part of the picture.
type rect struct{ x, y, w, h int }

// A roomsPicture draws the areas of the program, each with its packages: what a box imports is below it.
type roomsPicture struct {
	imports graph
	areas   graph
	help    map[string]string // of packages, from the table of rooms
	at      map[string]rect   // areas end in a slash
	height  int
}

// label returns the name of a package without that of its area.
func label(name string) string { return strings.TrimPrefix(name, areaOf(name)+"/") }

func boxWidth(name string) int { return 8*utf8.RuneCountInString(label(name)) + 16 }

// wrapped divides the names of a row into lines of at most rowWidth.
func wrapped(row []string) [][]string {
	lines := [][]string{nil}
	for _, name := range row {
		last := len(lines) - 1
		if lineWidth(append(lines[last], name)) > rowWidth {
			lines, last = append(lines, nil), last+1
		}
		lines[last] = append(lines[last], name)
	}
	return lines
}

// lineWidth returns the width of boxes side by side.
func lineWidth(line []string) int {
	w := -boxGap
	for _, name := range line {
		w += boxWidth(name) + boxGap
	}
	return w
}

// place puts the areas of each level side by side, the levels below each other.
func (p *roomsPicture) place() {
	y := 0
	for _, level := range p.areas.rows() {
		sizes, width, tallest := make([]rect, len(level)), -areaGap, 0
		for i, area := range level {
			sizes[i] = p.boxes(area, rect{})
			width, tallest = width+sizes[i].w+areaGap, max(tallest, sizes[i].h)
		}
		x := (pictureWidth - width) / 2
		for i, area := range level {
			p.at[area+"/"] = p.boxes(area, rect{x, y, sizes[i].w, 0})
			x += sizes[i].w + areaGap
		}
		y += tallest + areaGap
	}
	p.height = y - areaGap
}

// boxes places the packages of an area in a rectangle, and returns the one that they need.
func (p *roomsPicture) boxes(area string, in rect) rect {
	rows, y := p.imports.only(func(name string) bool { return areaOf(name) == area }).rows(), in.y+areaTitle
	need := rect{in.x, in.y, 0, 0}
	for _, row := range rows {
		for _, line := range wrapped(row) {
			x := in.x + (in.w-lineWidth(line))/2
			for _, name := range line {
				p.at[name] = rect{x, y, boxWidth(name), boxHeight}
				x += boxWidth(name) + boxGap
			}
			need.w = max(need.w, lineWidth(line)+2*areaPad)
			y += boxHeight + boxGap
		}
		y += rowGap
	}
	need.h = y - rowGap - boxGap + areaPad - in.y
	return need
}

// lines writes a line for each import that no other implies.
func (p *roomsPicture) lines(w io.Writer, g graph, suffix, style string) {
	for _, from := range slices.Sorted(maps.Keys(g)) {
		for _, to := range slices.Sorted(maps.Keys(g[from])) {
			if a, b := p.at[from+suffix], p.at[to+suffix]; g.direct(from, to) {
				x1, y1, x2, y2 := a.x+a.w/2, a.y+a.h, b.x+b.w/2, b.y
				fmt.Fprintf(w, "<path d=\"M%d %dC%d %d %d %d %d %d\" %s/>\n", x1, y1, x1, y1+20, x2, y2-20, x2, y2, style)
			}
		}
	}
}

func (p *roomsPicture) write(w io.Writer) error {
	fmt.Fprintf(w, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="-8 -8 %d %d" font-family="sans-serif" font-size="12">
<defs><marker id="tip" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="9" markerHeight="9" orient="auto"><path d="M0 0L8 4L0 8z" fill="#3b6ea5"/></marker></defs>
<rect x="-8" y="-8" width="100%%" height="100%%" fill="#fff"/>
`, pictureWidth+16, p.height+16)
	p.lines(w, p.areas, "/", `fill="none" stroke="#3b6ea5" stroke-width="2" marker-end="url(#tip)"`)
	for _, area := range slices.Sorted(maps.Keys(p.areas)) {
		r := p.at[area+"/"]
		fmt.Fprintf(w, "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" rx=\"6\" fill=\"#eef3f9\" stroke=\"#3b6ea5\"/>\n", r.x, r.y, r.w, r.h)
		fmt.Fprintf(w, "<text x=\"%d\" y=\"%d\" font-weight=\"bold\" fill=\"#2a4d73\">%s</text>\n", r.x+8, r.y+14, cmp.Or(strings.Trim(area, "."), "main"))
		p.lines(w, p.imports.only(func(name string) bool { return areaOf(name) == area }), "", `fill="none" stroke="#a9bdd3"`)
	}
	for _, name := range slices.Sorted(maps.Keys(p.imports)) {
		r := p.at[name]
		fmt.Fprintf(w, "<g><title>%s</title><rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" rx=\"3\" fill=\"#fff\" stroke=\"#5d6b7a\"/>", html.EscapeString(p.help[name]), r.x, r.y, r.w, r.h)
		fmt.Fprintf(w, "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">%s</text></g>\n", r.x+r.w/2, r.y+16, label(name))
	}
	_, err := io.WriteString(w, "</svg>\n")
	return err
}

// TestRoomsPicture: docs/rooms.svg shows the packages of the program and what they import; -update draws it anew.
func TestRoomsPicture(t *testing.T) {
	p := &roomsPicture{imports: importsOfProgram(t), areas: make(graph), help: make(map[string]string), at: make(map[string]rect)}
	for from, imports := range p.imports {
		p.areas.add(areaOf(from), "")
		for to := range imports {
			p.areas.add(areaOf(from), areaOf(to))
		}
	}
	for area := range p.areas {
		for below := range p.areas[area] {
			if p.areas.from(below)[area] {
				t.Fatalf("%s imports %s, which leads back to it", area, below)
			}
		}
	}
	rooms := rooms(t)
	for name := range p.imports {
		room := roomOf(rooms, name)
		if room == nil {
			t.Fatalf("docs/architecture.md has no row for %s", name)
		}
		p.help[name] = room.help
	}
	p.place()
	decodertest.Golden(t, "../docs/rooms.svg", p.write)
}

// TestFormatsAreListedOnce: the format that a package holds is known to the program by a line of formats.go alone.
func TestFormatsAreListedOnce(t *testing.T) {
	held, listed := make(map[string]bool), make(map[string]bool)
	eachGoFile(t, func(name, rel string) {
		if strings.HasSuffix(rel, "_test.go") {
			return
		}
		if path.Dir(path.Dir(rel)) == "decoders" && strings.Contains(readDoc(t, name), "\nvar Format = &model.Format{") {
			held[path.Dir(rel)] = true
		}
		if path.Dir(rel) != "decoders" {
			return
		}
		for _, ours := range importsOf(t, name) {
			switch {
			case !strings.HasPrefix(ours, "decoders/") || ours == "decoders/guard":
			case rel == "decoders/formats.go":
				listed[ours] = true
			default:
				t.Errorf("%s imports %s: only formats.go lists formats", rel, ours)
			}
		}
	})
	if len(held) < 8 || !maps.Equal(held, listed) {
		t.Errorf("packages with a Format: %v; formats.go lists %v", slices.Sorted(maps.Keys(held)), slices.Sorted(maps.Keys(listed)))
	}
}
