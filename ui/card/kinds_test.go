package card_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2/widget"

	"cutaway/model"
	"cutaway/ui/opening"
	"cutaway/ui/window/windowtest"
)

// headings are the titles of parts in their order.
var headings = []string{"PROBLEMS", "WHAT IT IS", "VALUES", "STATISTICS", "OVER ALL RECORDS", "INSIDE", "WHERE THE BYTES ARE", "STORED", "LINKS", "NOTES",
	"HOW THE FILE SAYS IT"}

// icons are the icons of the kinds of nodes.
var icons = map[string]string{"scene": "group", "mesh": "shape", "array": "value", "timed": "value", "recording": "group", "stream": "shape", "record": "shape",
	"field": "value", "UDM mesh": "shape", "object": "group", "program": "group", "instruction": "code", "command": "group", "table": "group",
	"described field": "value", "unknown": "detail", "damaged": "group"}

// TestKinds holds the title, the sentence and the parts of the cards of sixteen kinds of nodes.
func TestKinds(t *testing.T) {
	windowtest.Run(t, func(t *testing.T, b *windowtest.Bench) {
		mesh := filepath.Join(t.TempDir(), "mesh.udm")
		text := `$string assetType "PCOL"
"assetData"
{
	$array vertices [vec3;3][[0,0,0][1,0,0][0,2,0]]
	$array triangles [uint16;3][0,1,2]
}
$uint32 assetVersion 1
`
		if err := os.WriteFile(mesh, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		for _, c := range []struct{ what, file, schema, path, title, sentence, parts string }{
			{"scene", "../../assets/sample.usdc", "", "scene",
				"sample.usdc",
				"A USD scene of 4 prims: Prototypes, Workshop, _Machine … It says of itself: “A robot arm at work on a table: the sample that Cutaway has built in”.",
				"WHAT IT IS, WHERE THE BYTES ARE, STORED, HOW THE FILE SAYS IT"},
			{"mesh", "../../assets/sample.usdc", "", "scene/Workshop/Robot/Base/Shell",
				"Shell",
				"Mesh of 84 points, 60 faces, under Base.",
				"VALUES, STATISTICS, STORED, LINKS, HOW THE FILE SAYS IT"},
			{"array", "../../assets/sample.usdc", "", "scene/Workshop/Robot/Base/Shell/.points",
				".points",
				"The 84 points of the mesh Shell: x, y and z of each, in its own space.",
				"VALUES, STATISTICS, STORED, LINKS, HOW THE FILE SAYS IT"},
			{"timed", "../../assets/sample.usdc", "", "scene/Workshop/Robot/Base/UpperArm/.xformOp:rotateY",
				".xformOp:rotateY",
				"Turns the xform UpperArm about Y: 49 samples, every 2 from 0 to 96.",
				"VALUES, STATISTICS, STORED, LINKS, HOW THE FILE SAYS IT"},
			{"recording", "../../testdata/vrs/pixels.vrs", "", "streams",
				"Recording of 26 streams",
				"Made 2023-11-14. 52 records, 26 with data.",
				"WHAT IT IS, WHERE THE BYTES ARE, STORED, HOW THE FILE SAYS IT"},
			{"stream", "../../testdata/vrs/audio.vrs", "", "streams/999-1",
				"Unit Test 1",
				"Stream 999-1: 2 records with data, flavor made.",
				"STORED, LINKS, HOW THE FILE SAYS IT"},
			{"record", "../../testdata/vrs/audio.vrs", "", "streams/999-1/data/[1]",
				"Unit Test 1, record 1",
				"Sound and 4 fields, at 1 s.",
				"VALUES, STORED, LINKS, HOW THE FILE SAYS IT"},
			{"field", "../../testdata/vrs/audio.vrs", "", "streams/999-1/data/[1]/data_layout/audio_sample_rate",
				"audio_sample_rate",
				"Field of type uint32_t, of Unit Test 1, record 1.",
				"VALUES, STATISTICS, STORED, LINKS, HOW THE FILE SAYS IT"},
			{"UDM mesh", mesh, "", "asset/assetData",
				"assetData",
				"Mesh of 3 points, 1 face, in asset.",
				"VALUES, STATISTICS, STORED, LINKS, HOW THE FILE SAYS IT"},
			{"object", "../../testdata/odin/object.odin", "", "objects/[0]/list",
				"list",
				"List<int> of 2 elements, in objects [0].",
				"VALUES, STORED, LINKS, HOW THE FILE SAYS IT"},
			{"program", "../../testdata/odin/program.odin", "", "udon/program",
				"program",
				"Udon program of 12 instructions, 4 heap slots, 2 symbols.",
				"VALUES, INSIDE, STORED, LINKS, HOW THE FILE SAYS IT"},
			{"instruction", "../../testdata/odin/program.odin", "", "udon/program/code/0x0010",
				"PUSH flag",
				"Puts the number of the variable flag on the stack.",
				"VALUES, STORED, LINKS, HOW THE FILE SAYS IT"},
			{"command", "../../testdata/omnilive/world.oodf", "", "commands/[1]",
				"CreateSection /World",
				"CreateSection made /World, a Prim. Applied.",
				"VALUES, STORED, LINKS, HOW THE FILE SAYS IT"},
			{"table", "../../testdata/flatbuffer/stall.mrkt", "", "fields/offer/inside",
				"inside",
				"Crate: 1 of 3 fields written, in offer.",
				"VALUES, STORED, LINKS, HOW THE FILE SAYS IT"},
			{"described field", "../../testdata/ksy/tone.wav", "../../testdata/ksy/wav.ksy", "fields/len",
				"len",
				"A number of 4 bytes, little endian, in wav_file.",
				"VALUES, STORED, LINKS, HOW THE FILE SAYS IT"},
			{"unknown", "../../testdata/ksy/README.md", "", "layout",
				"README.md",
				"494 bytes of no known format. They look like text/plain; charset=utf-8 (.txt).",
				"WHAT IT IS, STORED, HOW THE FILE SAYS IT"},
			{"damaged", "../../testdata/usdc/x-tokens-lz4-offset0.usdc", "", "layout/TOKENS/text",
				"text",
				"Compressed text, 0 of 16 tokens left in TOKENS. The tokens, each with a NUL after it, compressed.",
				"PROBLEMS, VALUES, STORED, LINKS, HOW THE FILE SAYS IT"},
		} {
			s := b.Open(opening.Target{File: c.file})
			if c.schema != "" {
				s.ReadBy(c.schema)
				b.Until("the fields", func() bool {
					return b.W.Active.Pane != nil && b.W.Active.Pane.Current() != nil && b.W.Active.Pane.Trees.View().Name == "fields"
				})
				s = b.W.Active
			}
			s.Pane.Nav.GoTo(c.path)
			b.At(s, c.path)
			var lines, parts []string
			isWanted := func() bool {
				return lines[0] == c.title && lines[1] == c.sentence && strings.Join(parts, ", ") == c.parts
			}
			for range 20 { // sizes are counted by and by
				b.Idle()
				b.CardWords(s) // unfolds all
				lines, parts = strings.Split(windowtest.Texts(s.Pane.Side.Card.Rows), "\n"), nil
				for _, line := range lines[2:] {
					if slices.Contains(headings, line) {
						parts = append(parts, line)
					}
				}
				if isWanted() {
					break
				}
			}
			if icon := windowtest.First[*widget.Icon](s.Pane.Side.Card.Rows); !strings.HasSuffix(icon.Resource.Name(), icons[c.what]+".svg") {
				t.Errorf("%s has the icon %s, not that of a %s", c.what, icon.Resource.Name(), icons[c.what])
			}
			if !isWanted() {
				t.Errorf("%s:\n%q, %q, %q\nwant\n%q, %q, %q", c.what, lines[0], lines[1], strings.Join(parts, ", "), c.title, c.sentence, c.parts)
			}
			for _, line := range lines[:slices.Index(lines, headings[len(headings)-1])] {
				if c.path != model.LayoutView && (strings.Contains(line, "pseudoRoot") || strings.Contains(line, "@0x")) {
					t.Errorf("%s: a person reads %q", c.what, line)
				}
			}
		}
	})
}

// TestAgain: a card that is filled again stays as it is, so that nothing moves under the pointer, and so does its text that is selected.
func TestAgain(t *testing.T) {
	windowtest.Run(t, func(t *testing.T, b *windowtest.Bench) {
		s := b.Open(opening.Target{File: "../../assets/sample.usdc"})
		s.Pane.Nav.GoTo("scene/Workshop/Robot/Base/Shell/.points")
		b.At(s, "scene/Workshop/Robot/Base/Shell/.points")
		b.Idle()
		c := s.Pane.Side.Card
		before := slices.Clone(c.Rows.Objects)
		c.Again()
		if !slices.Equal(before, c.Rows.Objects) {
			t.Error("lines that stay the same are made anew")
		}
		b.CardWords(s) // unfolds all
		kept := 0
		for _, o := range before {
			if slices.Contains(c.Rows.Objects, o) {
				kept++
			}
		}
		if kept != len(before) || len(c.Rows.Objects) <= len(before) {
			t.Errorf("%d of %d lines stay when parts are unfolded, which has %d", kept, len(before), len(c.Rows.Objects))
		}
		s.Pane.Nav.GoTo("scene/Workshop/Robot/Base/Shell/.normals")
		b.At(s, "scene/Workshop/Robot/Base/Shell/.normals")
		b.Idle()
		for _, o := range c.Rows.Objects[:2] {
			if slices.Contains(before, o) {
				t.Error("the card of another node has lines of the one before")
			}
		}
	})
}

// TestMoment: the card of an attribute has its value at the selected time, which moves with it.
func TestMoment(t *testing.T) {
	windowtest.Run(t, func(t *testing.T, b *windowtest.Bench) {
		const attribute = "scene/Workshop/Robot/Base/UpperArm/.xformOp:rotateY"
		s := b.Open(opening.Target{File: "../../assets/sample.usdc"})
		for sample, want := range map[string]string{"[4]": "at 8", "[12]": "at 24"} {
			s.Pane.Nav.GoTo(attribute + "/timeSamples/" + sample)
			b.At(s, attribute+"/timeSamples/"+sample)
			b.Until("the time", func() bool { return s.Pane.Time.At != nil && s.Pane.Time.At.Path() == s.Pane.Current().Path() })
			s.Pane.Nav.GoTo(attribute)
			b.At(s, attribute)
			b.Until(want, func() bool { return strings.Contains(windowtest.Texts(s.Pane.Side.Card.Rows), want+"\n") })
			if text := windowtest.Texts(s.Pane.Side.Card.Rows); want == "at 24" && !strings.Contains(text, "at 24\n50\n") {
				t.Errorf("the value at 24: %s", text)
			}
		}
	})
}

// TestUsed: the card names what uses a node, and how often the file refers to the node; what a record leaves out is grey.
func TestUsed(t *testing.T) {
	windowtest.Run(t, func(_ *testing.T, b *windowtest.Bench) {
		for _, c := range []struct{ file, path, want string }{
			{"../../assets/sample.usdc", "scene/Workshop/Looks/Oak", "used by\nLeg_0.material:binding\n"},
			{"../../assets/sample.usdc", "scene/Workshop/Robot/Base/Shell/.points", "used by\n.faceVertexIndices (240)\n2 references in the file"},
			{"../../testdata/vrs/audio.vrs", "streams/999-1/data/[1]", "described by\nData version 2\n"},
			{"../../testdata/flatbuffer/stall.mrkt", "fields/offer/inside", "apples\nnot written\n"},
		} {
			s := b.Open(opening.Target{File: c.file})
			s.Pane.Nav.GoTo(c.path)
			b.At(s, c.path)
			b.Until(c.want, func() bool { return strings.Contains(windowtest.Texts(s.Pane.Side.Card.Rows), c.want) })
		}
	})
}

// TestClause: the card names the clause of the standard of a node and of a problem, and says where the verdicts part.
func TestClause(t *testing.T) {
	windowtest.Run(t, func(_ *testing.T, b *windowtest.Bench) {
		for _, c := range []struct{ file, path, want string }{
			{"x-ok-trailing-bytes.usdc", "scene", "verdicts\nOpenUSD: sound; the AOUSD Core Specification: refused\n"},
			{"x-ok-trailing-bytes.usdc", "layout/PATHS/jumps", "clause\n16.3.8.4.5.3 Jump Array\n"},
			{"x-tokens-lz4-offset0.usdc", "layout/TOKENS/text", "rule\nusdc.compress.lz4\nclause\n16.3.7.1 LZ4 Compression\n"},
		} {
			s := b.Open(opening.Target{File: "../../testdata/usdc/" + c.file})
			s.Pane.Lists.Problems.Check()
			s.Pane.Nav.GoTo(c.path)
			b.At(s, c.path)
			b.Until(c.want, func() bool {
				b.CardWords(s) // unfolds all
				return strings.Contains(windowtest.Texts(s.Pane.Side.Card.Rows), c.want)
			})
		}
	})
}
