// Package usdz decodes .usdz packages: zip archives of USD layers and their assets, restricted so that members can be
// used in place (chapter 16 of docs/formats/usdc.md). The caller's Opener opens members as documents of their own; this
// package decodes the zip around them.
package usdz

import (
	"bytes"
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"cutaway/decoders/usda"
	"cutaway/model"
)

// Format describes .usdz packages.
var Format = &model.Format{
	Name:  "usdz",
	Title: "USD package",
	Depth: "every byte of the zip, members opened in place",
	Types: []model.FileType{{
		MIME: "model/vnd.usdz+zip", Title: "OpenUSD package", Extensions: []string{".usdz"},
		Parent: "application/zip", Default: true, UTI: "com.pixar.universal-scene-description-mobile",
	}},
	Keywords: []string{"USDZ"},
	Detect:   detect,
	Open:     open,
	Rules:    rules,
	Files:    usda.Files,

	Specification: language.Describe,
}

// Signatures of the zip's records, as bytes of the file.
var (
	localSignature   = []byte("PK\x03\x04")
	centralSignature = []byte("PK\x01\x02")
	endSignature     = []byte("PK\x05\x06")
	descriptorMark   = []byte("PK\x07\x08")
	appleDoubleMagic = []byte("\x00\x05\x16\x07") // not of a zip
)

// layerEndings are the extensions of layers; mediaEndings those of the other files that a package may hold.
var (
	layerEndings = []string{".usd", ".usda", ".usdc"}
	mediaEndings = []string{".usdz", ".png", ".jpg", ".jpeg", ".exr", ".avif", ".m4a", ".mp3", ".wav"}
)

func isLayer(name string) bool { return slices.Contains(layerEndings, ending(name)) }

// usdFormats are the names of the formats of layers and packages.
var usdFormats = []string{"usda", "usdc", "usdz"}

func isUSD(doc *model.Document) bool { return slices.Contains(usdFormats, doc.Format) }

// opensFirst reports whether readers open a package whose first member has that name.
func opensFirst(name string) bool { return isLayer(name) || ending(name) == ".usdz" }

func ending(name string) string { return strings.ToLower(path.Ext(name)) }

func detect(_ context.Context, p *model.Probe) model.Detection {
	named := ending(p.Name) == ".usdz"
	switch {
	case bytes.HasPrefix(p.Head, endSignature) && named:
		return model.Detection{Confidence: model.Sure, Reason: "an empty zip (PK 05 06) with the extension .usdz"}
	case !bytes.HasPrefix(p.Head, localSignature):
		return model.Detection{Reason: "no zip member (PK 03 04) at the start"}
	case named:
		return model.Detection{Confidence: model.Sure, Reason: "begins with a zip member (PK 03 04) and has the extension .usdz"}
	}
	first, ok := firstName(p.Head)
	if ok && opensFirst(first) {
		return model.Detection{Confidence: 90, Reason: fmt.Sprintf("a zip whose first member, %q, is a USD layer or package", first)}
	}
	return model.Detection{Confidence: 1, Reason: fmt.Sprintf("a zip, but its first member, %q, is no USD layer", first)}
}

// firstName returns the name of the member whose local header begins at head.
func firstName(head []byte) (string, bool) {
	header := language.For(nil).Record("local header")
	size := int(header.Number("extra length").End())
	if len(head) < size {
		return "", false
	}
	n := int(header.Number("name length").U16(head))
	if len(head) < size+n {
		return "", false
	}
	return string(head[size : size+n]), true
}
