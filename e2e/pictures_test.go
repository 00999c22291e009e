//go:build e2e

package e2e

import (
	"context"
	"encoding/json"
	"fmt"
	"html/template"
	"image"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

// A gallery is pictures of the window in one look: every pane, dialog, menu, empty and error state.
type gallery struct {
	Theme         string // as the settings have it
	Scale         int
	Width, Height int      // in units of the canvas
	Pictures      []string // their names, for the index
}

func (g *gallery) String() string {
	return fmt.Sprintf("%s-%dx-%dx%d", strings.ReplaceAll(g.Theme, " ", "-"), g.Scale, g.Width, g.Height)
}

// TestPictures makes build/pictures with its index, when CUTAWAY_PICTURES is set: "all", or a part of the names of looks. "docs"
// makes those of the pages in docs.
func TestPictures(t *testing.T) {
	want := os.Getenv("CUTAWAY_PICTURES")
	if want == "" {
		t.Skip("make pictures makes them")
	}
	if want == "docs" {
		picturesOfPages(t)
		return
	}
	galleries := []*gallery{{Theme: "light", Scale: 1, Width: 1360, Height: 860}, {Theme: "dark", Scale: 1, Width: 1360, Height: 860},
		{Theme: "light", Scale: 1, Width: 640, Height: 480}, {Theme: "dark", Scale: 2, Width: 640, Height: 480},
		{Theme: "high contrast light", Scale: 1, Width: 1024, Height: 700}, {Theme: "high contrast dark", Scale: 1, Width: 1024, Height: 700},
		{Theme: "light", Scale: 2, Width: 1280, Height: 800}, {Theme: "dark", Scale: 1, Width: 2560, Height: 1440}}
	if err := os.MkdirAll(filepath.Join(pictures, "pictures"), 0o755); err != nil {
		t.Fatal(err)
	}
	made := 0
	for _, g := range galleries {
		if want == "all" || strings.Contains(g.String(), want) {
			made++
			t.Run(g.String(), g.make)
		}
	}
	if made == 0 {
		t.Fatalf("no look has %q in its name; there are %v", want, galleries)
	}
	for _, g := range galleries { // those of an earlier run too
		found, err := filepath.Glob(filepath.Join(pictures, "pictures", g.String()+"-*.png"))
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range found {
			g.Pictures = append(g.Pictures, strings.TrimSuffix(filepath.Base(path), ".png"))
		}
	}
	index, err := os.Create(filepath.Join(pictures, "pictures", "index.html"))
	if err == nil {
		err = template.Must(template.New("").Parse(`<!doctype html><meta charset="utf-8"><title>Cutaway, seen</title>
<style>body{font:14px sans-serif}figure{display:inline-block;margin:6px}img{width:420px;border:1px solid #999}</style>
{{range .}}{{if .Pictures}}<h2>{{.}}</h2>{{range .Pictures}}<figure><a href="{{.}}.png"><img loading="lazy" src="{{.}}.png"></a><figcaption>{{.}}</figcaption></figure>
{{end}}{{end}}{{end}}`)).Execute(index, galleries)
	}
	if err != nil {
		t.Fatal(err)
	}
	if err := index.Close(); err != nil {
		t.Fatal(err)
	}
}

// seen is a window of which pictures are made.
type seen struct {
	*desktop
	*gallery
	screen *screen
	files  string // the name of what is open
}

// make makes the pictures of one look.
func (g *gallery) make(t *testing.T) {
	empty, noise := filepath.Join(t.TempDir(), "empty.usdc"), filepath.Join(t.TempDir(), "unknown.dat")
	for name, text := range map[string]string{empty: "", noise: strings.Repeat("what is this? \x00\x01\x02", 200)} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	g.sample(t)
	g.others(t)
	for _, f := range []struct{ name, file, path, tabs string }{
		{"usdc", "../testdata/usdc/made-0.0.1.usdc", "layout/bootstrap/tocOffset", ""},
		{"points", sample, points, "2 6 7 8 9 0"},
		{"mesh", sample, "scene/Prototypes/Leg", "8 9"},
		{"vrs", "../testdata/vrs/index-in-front.vrs", "streams/999-1/data/[0]/data_layout/number", "6 8 9"},
		{"camera", recording(t)[0], "streams/204-1/data/[12]", "8"},
		{"audio", "../testdata/vrs/audio.vrs", "streams/999-1/data", "8 9"},
		{"udm", "../testdata/udm/twin.udm_b", "asset/assetData/uint16", ""},
		{"odin", "../testdata/odin/every-entry.odin", "", ""},
		{"omnilive", "../testdata/omnilive/world.oodf", "commands/[1]/parentId", ""},
		{"flatbuffer", "../testdata/flatbuffer/stall.mrkt", "layout/0x3c/colour", ""},
		{"damaged", "../testdata/udm/x-cut-in-half.udm_b", "", ""},
		{"unknown", noise, "", ""}, {"empty", empty, "", ""}, {"picture", "../testdata/ksy/picture.png", "", ""},
	} {
		t.Run(f.name, func(t *testing.T) {
			s := g.open(t, f.name, f.file)
			s.shot("opened")
			if f.path != "" {
				s.goTo(f.path)
				s.shot("selected")
			}
			for _, tab := range strings.Fields(f.tabs) {
				s.key("alt+" + tab)
				s.shot("tab-" + tab)
			}
			s.key("ctrl+i")
			s.shot("inspector")
			s.key("ctrl+k")
			s.shot("problems")
		})
	}
}

// others are the tabs of a comparison and of a folder.
func (g *gallery) others(t *testing.T) {
	versions := versions(t)
	s := g.open(t, "compare", versions...)
	s.act("Compare with the tab before")
	s.wait("compared")
	s.shot("compared")
	s.key("F8")
	s.shot("change")
	s = g.open(t, "folder", "../testdata/vrs")
	s.wait("looked")
	s.shot("files")
}

// act does the action that the search field finds by a title.
func (s *seen) act(title string) {
	s.t.Helper()
	s.key("ctrl+shift+p")
	s.waitFor("field", func(e event) bool { return e.fields[0] == "search" })
	s.do("type", "--delay", "8", title)
	s.rest()
	s.answer(func() { s.key("Return") })
}

// sample goes through the menus and dialogs over the built-in sample.
func (g *gallery) sample(t *testing.T) {
	s := g.open(t, "window")
	s.shot("welcome")
	for _, menu := range []string{"f", "e", "v", "g", "t", "h"} {
		s.key("alt+" + menu)
		s.shot("menu-" + menu)
		s.key("Escape")
	}
	for _, d := range []struct{ name, keys string }{{"actions", "ctrl+shift+p"}, {"settings", "ctrl+comma"}, {"keys", "ctrl+slash"}, {"open-as", "ctrl+shift+o"},
		{"mark", "ctrl+b"}, {"export", "ctrl+shift+e"}} {
		s.answer(func() { s.key(d.keys) })
		s.shot("dialog-" + d.name)
		s.key("Escape")
		s.rest()
	}
	for i, title := range []string{"About Cutaway", "Open address", "Open from clipboard", "Save report", "Gaps and drift", "Second place", "Full stage"} {
		s.act(title)
		s.shot(fmt.Sprintf("action-%d-%s", i+1, strings.ReplaceAll(strings.ToLower(title), " ", "-")))
		s.key("Escape")
		s.rest()
	}
	s.key("ctrl+f")
	s.waitFor("field", func(e event) bool { return e.fields[0] == "search" })
	s.do("type", "--delay", "8", "no such words")
	s.key("Return")
	s.shot("search-nothing")
	s.key("Escape")
	s.key("ctrl+shift+f")
	s.waitFor("field", func(e event) bool { return e.fields[0] == "filter" })
	s.do("type", "--delay", "8", "leg")
	s.shot("filter")
	s.key("Escape", "ctrl+l")
	s.do("type", "--delay", "8", "nowhere/at all")
	s.key("Return")
	s.shot("refused")
	s.key("Escape", "ctrl+w")
	s.shot("no-file")
}

// open opens a window in the gallery's look.
func (g *gallery) open(t *testing.T, name string, files ...string) *seen {
	t.Helper()
	theme := "light"
	if strings.Contains(g.Theme, "dark") {
		theme = "dark"
	}
	// The screen is of twice the size whatever the scale: the largest window fits.
	d := newDesktop(t, look{theme, 2})
	d.scale = g.Scale
	d.env = append(d.env, "FYNE_SCALE="+strconv.Itoa(g.Scale))
	folder := filepath.Join(filepath.Dir(d.log), "cutaway")
	text, err := json.Marshal(map[string]any{"theme": g.Theme, "width": g.Width, "height": g.Height})
	if err == nil {
		err = os.MkdirAll(folder, 0o700)
	}
	if err == nil {
		err = os.WriteFile(filepath.Join(folder, "window.json"), text, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	d.open(program, "· (Cutaway|files)$", files...)
	s := &seen{desktop: d, gallery: g, screen: d.screen(), files: name}
	d.do("windowsize", d.window, strconv.Itoa(g.Width*g.Scale), strconv.Itoa(g.Height*g.Scale))
	s.rest()
	return s
}

// answer does something and waits until the screen shows it, or for a while where it never does: a busy machine takes its time.
func (s *seen) answer(do func()) {
	s.t.Helper()
	all := image.Rect(0, 0, s.Width*s.Scale, s.Height*s.Scale)
	was, err := s.screen.pixels(all)
	do()
	const most = 8 * time.Second
	for start := time.Now(); err == nil && time.Since(start) < most; time.Sleep(20 * time.Millisecond) {
		var now uint64
		if now, err = s.screen.pixels(all); now != was {
			return
		}
	}
	if err != nil {
		s.t.Fatal(err)
	}
}

// rest waits until nothing has changed on the screen for a while. What never rests, such as a cursor, is seen as it is.
func (s *seen) rest() {
	s.t.Helper()
	const quiet, most = time.Second, 5 * time.Second
	all := image.Rect(0, 0, s.Width*s.Scale, s.Height*s.Scale)
	start := time.Now()
	same, was := start, uint64(0)
	for time.Since(same) < quiet && time.Since(start) < most {
		now, err := s.screen.pixels(all)
		if err != nil {
			s.t.Fatal(err)
		}
		if now != was {
			same, was = time.Now(), now
		}
		time.Sleep(20 * time.Millisecond)
	}
}

// shot keeps a picture of the window in build.
func (s *seen) shot(name string) {
	s.t.Helper()
	s.keep(filepath.Join(pictures, "pictures", s.String()+"-"+s.files+"-"+name+".png"))
}

// keep writes a picture of the window, with options of ImageMagick.
func (s *seen) keep(path string, options ...string) {
	s.t.Helper()
	s.rest()
	ctx, stop := context.WithTimeout(context.Background(), patience)
	defer stop()
	cmd := exec.CommandContext(ctx, "/usr/bin/import", append(append([]string{"-window", s.window}, options...), path)...)
	cmd.Env = s.env
	if out, err := cmd.CombinedOutput(); err != nil {
		s.t.Fatalf("import: %v %s", err, out)
	}
}

// picturesOfPages makes the pictures that pages in docs show.
func picturesOfPages(t *testing.T) {
	descriptions, err := filepath.Abs("../testdata/ksy")
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("CUTAWAY_FORMATS", descriptions)
	g := &gallery{Theme: "light", Scale: 1, Width: 1240, Height: 800}
	for _, p := range []struct {
		name  string
		files []string
		path  string // of the node to select
		do    func(s *seen)
	}{
		{"window", []string{sample}, points + "/[1]/[0]", func(s *seen) { s.key("ctrl+i") }},
		{"damaged", []string{"../testdata/udm/x-cut-in-half.udm_b"}, "", func(s *seen) { s.key("ctrl+k", "alt+shift+p") }},
		{"search", []string{sample}, "", func(s *seen) {
			s.key("ctrl+f")
			s.waitFor("field", func(e event) bool { return e.fields[0] == "search" })
			s.do("type", "--delay", "8", "oak")
			s.key("Return")
		}},
		{"values", []string{sample}, points, func(s *seen) { s.key("alt+3") }},
		{"times", recording(t)[:1], "streams/204-1/data/[12]", func(s *seen) { s.key("alt+1") }},
		{"sizes", []string{sample}, "", func(s *seen) { s.key("alt+5") }},
		{"export", []string{sample}, points, func(s *seen) { s.answer(func() { s.key("ctrl+shift+e") }) }},
		{"compare", versions(t), "", func(s *seen) {
			s.act("Compare with the tab before")
			s.wait("compared")
			s.key("F8")
		}},
		{"change", []string{sample}, "layout/bootstrap/version/minor", func(s *seen) {
			s.key("ctrl+shift+y")
			s.do("type", "--delay", "50", "0a")
		}},
		{"notes", []string{sample}, "layout/bootstrap/version", func(s *seen) { s.answer(func() { s.key("ctrl+b") }) }},
		{"describe", []string{"../testdata/ksy/picture.png"}, "fields/chunks/[0]/body", func(s *seen) { s.key("ctrl+shift+d") }},
		{"folder", []string{"../testdata/vrs"}, "", func(s *seen) {
			s.wait("looked")
		}},
	} {
		t.Run(p.name, func(t *testing.T) {
			s := g.open(t, p.name, p.files...)
			if p.path != "" {
				s.goTo(p.path)
			}
			p.do(s)
			s.keep("png8:../docs/pictures/"+p.name+".png", "+dither", "-colors", "96", "-strip")
		})
	}
}
