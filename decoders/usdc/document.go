// Package usdc decodes OpenUSD crate files (.usdc and binary .usd), versions 0.0.1 to 0.16.0.
//
// Its rooms follow the chapters of the specification. Package coding has compressed buffers and coded integers (5), table the
// structural sections (3 to 9), value the values (10 to 13). Package scene has prims and properties, verdict what readers do not take.
// This package joins them to a document.
package usdc

import (
	"context"

	"cutaway/decoders/usdc/scene"
	"cutaway/decoders/usdc/table"
	"cutaway/decoders/usdc/value"
	"cutaway/model"
)

// A document is one opened crate.
type document struct {
	crate  *table.Crate
	values *value.Values
	scene  *scene.Scene
	root   model.Children // of the layout
	links  links
}

// newDocument reads the bootstrap and the table of contents and lays out the file; sections and values are pending.
func newDocument(ctx context.Context, src *model.Source) *document {
	d := &document{crate: table.Open(ctx, src)}
	d.values = value.New(d.crate)
	d.scene = scene.New(d.crate, d.values)
	d.layOut()
	d.link()
	return d
}
