package usdc

import (
	"bytes"
	"context"
	"errors"

	"cutaway/decoders/usda"
	"cutaway/decoders/usdc/scene"
	"cutaway/model"
)

const (
	formatName = "usdc"
	magic      = "PXR-USDC"
	textMagic  = "#usda"
)

// Format is OpenUSD crate.
var Format = &model.Format{
	Name:  formatName,
	Title: "OpenUSD crate",
	Depth: "0.0.1 to 0.16.0: every byte, values, scene, paths",
	Types: []model.FileType{
		{
			MIME: "model/vnd.usdc", Title: "OpenUSD crate", Extensions: []string{".usdc"},
			Magic: []model.Magic{{Text: magic}}, Default: true,
		},
		{
			// Crate or text, which the name does not say; programs that show scenes come first.
			MIME: "model/vnd.usd", Title: "OpenUSD layer", Extensions: []string{".usd"}, UTI: "com.pixar.universal-scene-description",
			After: []string{"usdview", "f3d-plugin-usd", "io.github.f3d_app.f3d", "f3d", "org.blender.Blender", "blender"},
		},
	},
	Keywords:      []string{"USD", "USDC"},
	Detect:        detect,
	Open:          open,
	Rules:         rules(),
	Specification: specification,
	Files:         usda.Files,
}

// detect knows crates by their magic; a .usd file may be crate or text, so its name decides nothing.
func detect(_ context.Context, p *model.Probe) model.Detection {
	switch {
	case bytes.HasPrefix(p.Head, []byte(magic)):
		return model.Detection{Confidence: model.Sure, Reason: "begins with " + magic}
	case bytes.HasPrefix(p.Head, []byte(textMagic)):
		return model.Detection{Confidence: model.Guess - 1, Reason: "begins with " + textMagic + ": this is a USD layer as text, not a crate"}
	case bytes.HasPrefix(p.Head, []byte("PK\x03\x04")):
		return model.Detection{Reason: "begins with PK 03 04: this is a zip archive, as .usdz packages are, not a crate"}
	case len(p.Head) > 0 && len(p.Head) < len(magic) && bytes.HasPrefix([]byte(magic), p.Head):
		return model.Detection{Confidence: model.Guess - 1, Reason: "ends inside the magic " + magic}
	}
	return model.Detection{Reason: "no " + magic + " at the start"}
}

// open reads the bootstrap and the table of contents; all else is pending.
func open(ctx context.Context, req *model.OpenRequest) (*model.Document, error) {
	if req.Source == nil {
		return nil, errors.New("there is nothing to open")
	}
	d := newDocument(ctx, req.Source)
	return &model.Document{
		Format:  formatName,
		Version: d.crate.VersionText(),
		Title:   "USD crate " + d.crate.VersionText(),
		Why:     req.Why,
		Name:    req.Name,
		Sources: []*model.Source{d.crate.Src},
		Views: []*model.View{
			{Name: scene.View, Title: "Scene", Root: d.scene.Root, Find: d.links.Find(scene.View), Content: usda.SceneContent, Cards: usda.SceneCards, Summary: usda.SceneSummary, Fold: usda.SceneFold, Intro: usda.SceneIntro, Indexed: usda.Indexed, Timeline: d.scene.Timeline, Names: d.scene.Names()},
			{Name: scene.PathsView, Title: "Paths", Root: d.scene.PathTreeRoot, Find: d.links.Find(scene.PathsView)},
			{Name: model.LayoutView, Title: "Layout", Root: d.layoutRoot, Of: d.crate.Src},
		},
		Facts:        d.facts,
		Tables:       d.tablePaths(),
		Named:        usda.Named(scene.View, d.scene.Top, d.scene.Named),
		Stats:        d.stats,
		StatKeys:     []string{"section", "type", "subtree"},
		Check:        d.check,
		CheckData:    d.checkData,
		Releases:     d.releases,
		Judges:       usda.Judges(d.minor(), ""),
		ReferencedBy: d.links.ReferencedBy,
	}, nil
}
