// Package assets holds the files that are built into the program.
package assets

import _ "embed"

// Sample is a small USD file to look at before any other is opened; sample.py made it.
//
//go:embed sample.usdc
var Sample []byte

// Icon is the program's icon, an SVG picture.
//
//go:embed icon.svg
var Icon []byte

// IconPNG is the same in pixels, for windows: to draw the other one takes a twentieth of the start.
//
//go:embed icon.png
var IconPNG []byte
