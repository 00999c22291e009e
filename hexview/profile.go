package hexview

import (
	"fmt"
	"image/color"

	"fyne.io/fyne/v2"

	"cutaway/model/inspect"
)

// ProfileParts is the number of parts in the profile of a source.
const ProfileParts = 1024

// packedEntropy is the entropy in bits per byte of compressed or encrypted bytes, or more.
const packedEntropy = 7.5

// A kindOfBytes is the most frequent kind of bytes in a part, an index of Colors.Bytes.
type kindOfBytes uint8

const (
	mostZero kindOfBytes = iota
	mostText
	mostLow
	mostHigh
	packed
	kindsOfBytes
)

// SetProfile shows the profile of the source, in parts of equal length as from inspect.Profiles: a bar for each, as
// long as its entropy, in the colour of its most frequent kind of bytes. It requires Profiled. SetSource removes the
// profile.
func (v *View) SetProfile(parts []inspect.Profile) {
	v.scene.profile = parts
	v.redraw()
}

// kindOf returns the most frequent kind of bytes in a part.
func kindOf(p inspect.Profile) kindOfBytes {
	if p.Entropy >= packedEntropy {
		return packed
	}
	kind, most := mostZero, p.Zero
	for i, share := range [...]float32{p.Text, p.Low, p.High} {
		if share > most {
			kind, most = mostText+kindOfBytes(i), share
		}
	}
	return kind
}

// bytesColors returns the colours of the kinds of bytes on the strip's background.
func (p *palette) bytesColors(fg, primary, danger, warning color.RGBA) {
	for k, c := range [kindsOfBytes]color.RGBA{mostZero: mix(p.track, fg, 0.3), mostText: primary, mostLow: mix(warning, fg, 0.2),
		mostHigh: mix(danger, warning, 0.5), packed: mix(fg, primary, 0.25)} {
		p.bytes[k] = contrastTo(c, p.track, visible)
	}
}

// partAt returns the part of the profile at a line of the strip.
func (s *scene) partAt(y int) int { return min(y*len(s.profile)/max(s.grid.h, 1), len(s.profile)-1) }

// paintProfile paints the profile strip.
func (p *painter) paintProfile(s *scene) {
	g := s.grid
	if len(s.profile) == 0 || g.profile.len() == 0 {
		return
	}
	room := g.profile.len() - 2*g.line
	for y := range g.h {
		part := s.profile[s.partAt(y)]
		if !part.Known {
			continue
		}
		wide := max(g.line, int(part.Entropy/8*float32(room)+0.5))
		from := g.profile.from + g.line
		p.rect(span{from, from + wide}, span{y, y + 1}, p.palette.bytes[kindOf(part)])
	}
}

// hoverProfile shows the composition of the bytes at a line of the strip.
func (v *View) hoverProfile(y int, pos fyne.Position) {
	if v.scene.grid == nil { // not painted yet
		return
	}
	v.tip.pos = pos
	v.tip.turn++
	v.explain(v.tip.turn, v.scene.profileText(y), Range{})
}

// profileText describes the composition of the bytes at a line of the strip.
func (s *scene) profileText(y int) string {
	if len(s.profile) == 0 || y < 0 {
		return ""
	}
	i := s.partAt(y)
	part := s.profile[i]
	from, to := inspect.PartOf(i, len(s.profile), s.strip.size)
	text := fmt.Sprintf("%#x … %#x\n", from, to-1)
	if !part.Known {
		return text + "not read"
	}
	text += fmt.Sprintf("entropy %.2f of 8 bits per byte", part.Entropy)
	if part.Entropy >= packedEntropy {
		text += ": as if compressed"
	}
	for _, share := range []struct {
		of   float32
		name string
	}{{part.Zero, "zero bytes"}, {part.Text, "ASCII text"}, {part.Low, "other bytes below 0x80"}, {part.High, "bytes from 0x80 on"}} {
		if share.of > 0 {
			text += fmt.Sprintf("\n%.0f %% %s", 100*share.of, share.name)
		}
	}
	return text
}
