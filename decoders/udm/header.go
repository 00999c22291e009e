package udm

import (
	"bytes"
	"context"
	"fmt"

	"cutaway/decoders/grammar"
	"cutaway/model"
)

// looksBinary reports whether a file is of the binary form: it has the identifier, or more bytes that no text has than a
// damaged text would.
func looksBinary(ctx context.Context, src *model.Source) bool {
	const look = 64
	head, err := src.Bytes(ctx, 0, min(src.Size(), look))
	if err != nil {
		return false
	}
	if bytes.HasPrefix(head, []byte(identifier)) {
		return true
	}
	return !isText(head)
}

func versionText(v uint32) string { return fmt.Sprint(v) }

// readHeader reads the header and finds the root property.
func (d *udm) readHeader(ctx context.Context) {
	const outside = -1 // the root lies in nothing
	r := d.newContext(d.src, outside, nil)
	d.file = d.plan.Record("UDM binary").Open(r.session, grammar.Whole(d.src), 0, grammar.IntValue(outside))
	if header := d.file.Inner(ctx, d.file.Record().Field(headerName)); header != nil {
		d.version = uint32(header.Uint(ctx, header.Record().Field("version")))
	}
	if o := d.file.Inner(ctx, d.file.Record().Field(rootName)); o != nil {
		d.root = valueOf(ctx, o).kept(ctx)
	}
}

// binaryRoot is the root of the layout of a binary file.
func (d *udm) binaryRoot(ctx context.Context) model.Node {
	return model.Node{
		Name: model.LayoutView, Type: d.file.Record().Title, Spans: []model.Span{d.src.Whole()}, Brief: "version " + versionText(d.version),
		Children: d.file.Children(ctx), Help: "header and root property, in the order of the file",
	}
}
