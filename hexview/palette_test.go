package hexview

import (
	"image/color"
	"strings"
	"testing"
)

// someSections are colours of sections.
var someSections = [Tones]color.Color{
	color.NRGBA{0x5e, 0x8f, 0xd6, 0xff}, color.NRGBA{0xc7, 0x94, 0x46, 0xff}, color.NRGBA{0x9a, 0x7b, 0xdc, 0xff}, color.NRGBA{0xcf, 0x6f, 0xb4, 0xff},
	color.NRGBA{0x55, 0xb0, 0x7a, 0xff}, color.NRGBA{0x3f, 0xa6, 0xb5, 0xff}, color.NRGBA{0x7a, 0x84, 0x94, 0xff},
}

// The colours of Fyne's own theme.
var (
	lightColors = themeColors{
		background: color.NRGBA{0xff, 0xff, 0xff, 0xff},
		foreground: color.NRGBA{0x56, 0x56, 0x56, 0xff},
		primary:    color.NRGBA{0x29, 0x6f, 0xf6, 0xff},
		danger:     color.NRGBA{0xf4, 0x43, 0x36, 0xff},
		warning:    color.NRGBA{0xff, 0x98, 0x00, 0xff},
		sections:   someSections,
	}
	darkColors = themeColors{
		background: color.NRGBA{0x17, 0x17, 0x18, 0xff},
		foreground: color.NRGBA{0xf3, 0xf3, 0xf3, 0xff},
		primary:    color.NRGBA{0x29, 0x6f, 0xf6, 0xff},
		danger:     color.NRGBA{0xf4, 0x43, 0x36, 0xff},
		warning:    color.NRGBA{0xff, 0x98, 0x00, 0xff},
		sections:   someSections,
	}
)

func TestContrast(t *testing.T) {
	for name, colors := range map[string]themeColors{
		"light": lightColors,
		"dark":  darkColors,
		"grey": {
			background: color.NRGBA{0x80, 0x80, 0x80, 0xff}, foreground: color.NRGBA{0x88, 0x88, 0x88, 0xff},
			primary: color.NRGBA{0x7f, 0x80, 0x85, 0xff}, danger: color.NRGBA{0x90, 0x80, 0x80, 0xff},
			warning: color.NRGBA{0x90, 0x90, 0x80, 0xff},
		},
		"black on white": {
			background: color.White, foreground: color.Black, primary: color.NRGBA{0x00, 0x3e, 0x8a, 0xff},
			danger: color.NRGBA{0x8a, 0x0f, 0x0a, 0xff}, warning: color.NRGBA{0x5c, 0x36, 0x00, 0xff},
		},
		"white on black": {
			background: color.Black, foreground: color.White, primary: color.NRGBA{0x9c, 0xca, 0xff, 0xff},
			danger: color.NRGBA{0xff, 0x8c, 0x85, 0xff}, warning: color.NRGBA{0xe6, 0xb4, 0x50, 0xff},
		},
	} {
		p := newPalette(colors)
		least := readable
		if strings.Contains(name, " on ") {
			least = enhanced
		}
		for f := range p.inks {
			for i, c := range p.inks[f] {
				if got := contrast(c, p.fills[f]); got < least {
					t.Errorf("%s: text %d on fill %d has a contrast of %.2f, want %v", name, i, f, got, least)
				}
			}
			for i, c := range p.flaws[f] {
				if got := contrast(c, p.fills[f]); got < visible {
					t.Errorf("%s: line of severity %d on fill %d has a contrast of %.2f, want %v", name, i, f, got, visible)
				}
			}
		}
		for what, c := range map[string]color.RGBA{"strip": p.Strip, "mapped": p.Mapped, "kept": p.Kept, "cursor": p.Cursor} {
			if got := contrast(c, p.Background); got < visible {
				t.Errorf("%s: %s has a contrast of %.2f, want %v", name, what, got, visible)
			}
		}
	}
}
