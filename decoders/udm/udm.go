// Package udm decodes UDM, the property trees of the Pragma engine, in both forms: binary, versions 1 and 2, and ASCII.
//
// records.go describes the binary form beside chapters 2 to 7 of docs/formats/udm.md; looks.go has the functions that it names.
// The values are packed.go and structs.go, compressed and inflated (5, 6). Package ascii parses the text form (8), and text.go
// makes its nodes. asset.go makes the view by meaning of either form. write.go writes the ASCII form.
package udm

import (
	"context"
	"errors"

	"cutaway/decoders/grammar"
	"cutaway/decoders/lang"
	"cutaway/model"
	"cutaway/source"
)

const (
	formatName = "udm"
	identifier = "UDMB"
	rootName   = "root"
	assetView  = "asset"
)

var fileTypes = []model.FileType{
	{
		MIME: "application/x-udm", Title: "UDM of the Pragma engine, binary", Default: true,
		Extensions: []string{".udm_b", ".pmdl_b", ".pmap_b", ".pnav_b", ".pfmp_b", ".pmat_b", ".pptsys_b", ".pikr_b", ".psg_b"},
		Magic:      []model.Magic{{Text: identifier}},
	},
	{
		MIME: "text/x-udm", Title: "UDM of the Pragma engine, text", Parent: "text/plain",
		Extensions: []string{".udm", ".pmdl", ".pmap", ".pnav", ".pfmp", ".pmat", ".pptsys", ".pikr", ".psg", ".udms"},
	},
}

// Format is UDM.
var Format = &model.Format{
	Name:          formatName,
	Title:         "UDM of the Pragma engine",
	Types:         fileTypes,
	Keywords:      []string{"UDM"},
	Depth:         "binary and ASCII: every byte or token, values, the asset by property path, compressed arrays",
	Detect:        detect,
	Open:          open,
	Rules:         language.RuleList(),
	Specification: language.Describe,
	Forms:         []model.OwnForm{{Name: "ascii", Title: "UDM ASCII", Extension: ".udm", Help: "a node of a binary UDM file in the ASCII form", Words: asciiTitle.Title}},
}

// udm is an opened file.
type udm struct {
	src     *model.Source
	binary  bool
	version uint32
	plan    *lang.Plan
	file    *grammar.Object  // of a binary file
	root    *value           // of a binary file, or nil if there is none
	text    model.Once[text] // of an ASCII file
	layout  *model.Lazy      // of an ASCII file
	asset   *model.Lazy
	derived source.Derived
	targets model.Once[references]
	meshes  model.Once[bool]              // whether the asset has some
	many    model.Cache[position, *value] // with many children, which are few
	recent  model.Cache[position, *value] // others that were looked at lately
	doc     *model.Document

	layoutNode model.Memo[model.Node] // the root of the layout; of a text once its children are found
}

// open reads the header of a binary file; of a text nothing.
func open(ctx context.Context, req *model.OpenRequest) (*model.Document, error) {
	if req.Source == nil {
		return nil, errors.New("there is nothing to open")
	}
	d := &udm{src: req.Source, binary: looksBinary(ctx, req.Source), plan: language.For(nil)}
	d.recent.Limit = maxKept
	doc := &model.Document{
		Format: formatName, Title: "UDM text", Why: req.Why, Name: req.Name,
		Sources: []*model.Source{d.src},
		Views: []*model.View{
			{Name: assetView, Title: "Asset", Cards: []string{"Shape", "Plot", "Table", "Text"}, Root: d.assetRoot, Indexed: indexed, Intro: d.intro},
			{Name: model.LayoutView, Title: "Layout", Root: d.textRoot, Of: d.src},
		},
		Facts: d.facts, Stats: d.stats, StatKeys: []string{"type", "subtree"},
		Check: d.check, ReferencedBy: d.referencedBy, Named: d.named,
	}
	d.doc = doc
	d.asset = model.NewLazy(d.assetChildren)
	if d.binary {
		d.readHeader(ctx)
		doc.Version = versionText(d.version)
		doc.Title = "UDM binary " + doc.Version
		doc.Views[1].Root = d.binaryRoot
	} else {
		d.layout = model.NewLazy(d.textChildren)
	}
	return doc, nil
}
