package udm

import (
	"bytes"
	"context"
	"fmt"

	"cutaway/decoders/grammar"
	"cutaway/decoders/udm/types"
	"cutaway/model"
)

// The versions; the layout of what both have is the same (2.1).
const (
	firstVersion = 1
	lastVersion  = 2
)

// looksBinary tells the forms apart: by the identifier or, where it is missing, by more bytes that no text has than a
// damaged one would.
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

// newFileRecord describes a file: the header (chapter 2) and the root property.
func newFileRecord() *grammar.Record {
	version := grammar.F("version", grammar.U32, "of the format, 1 or 2; unrelated to assetVersion").
		Check(ruleVersion, func(_ grammar.Scope, v grammar.Value) bool { return knownVersion(v) }, "1 or 2",
			"this version of UDM is not known, so nothing after it is decoded")
	header := grammar.F(headerName, grammar.NewRecord("header",
		grammar.F("identifier", grammar.UTF8, identifier).Sized(grammar.Const(int64(len(identifier)))).
			Check(ruleIdentifier, func(_ grammar.Scope, v grammar.Value) bool { return v.String() == identifier }, identifier, "this is not a binary UDM file"),
		version), "")
	good := func(s grammar.Scope) bool {
		h, _ := s.Value(header)
		v, _ := s.In(h.Object()).Value(version)
		return knownVersion(v)
	}
	root := grammar.F(rootName, propertyType(), "").
		If(grammar.When(func(s grammar.Scope) bool { return good(s) && left(s) > 0 })).
		CheckBy(find(func(s grammar.Scope, v grammar.Value) (model.Problem, bool) { return rootTypeProblem(s, v.Object()) })).
		Shown(showRoot)
	missing := grammar.F(typeName, grammar.U8, "the type of the root property: element").
		If(grammar.When(func(s grammar.Scope) bool { return good(s) && s.Pos() == headerSize }))
	rest := grammar.F(restName, grammar.Raw, "bytes after the root property, which the engine does not read").ToEnd().Unknown().If(some).
		CheckBy(find(func(s grammar.Scope, v grammar.Value) (model.Problem, bool) {
			return model.Problemf(model.Suspicious, ruleTrailing, model.Span{}, "bytes follow the root property").
				Want("none", model.Counted(v.Blob().Len(), "byte")), good(s)
		})).
		Shown(func(s grammar.Scope, _ grammar.Value, n *model.Node) {
			if !good(s) {
				n.Help = "bytes of a version that is not known"
			}
		})
	return &grammar.Record{Title: "UDM binary", Fields: []*grammar.Field{header, root, missing, rest}}
}

// headerSize is the number of bytes before the root property.
const headerSize = 8

func knownVersion(v grammar.Value) bool {
	n, _ := v.Int()
	return n >= firstVersion && n <= lastVersion
}

// readHeader reads the header and finds the root property.
func (d *udm) readHeader(ctx context.Context) {
	r := d.newRoom(d.src, -1, nil)
	d.file = fileRecord.Open(&r.session, grammar.Whole(d.src), 0)
	if header := d.file.Inner(ctx, fileRecord.Field(headerName)); header != nil {
		d.version = uint32(header.Uint(ctx, header.Record().Field("version")))
	}
	if o := d.file.Inner(ctx, fileRecord.Field(rootName)); o != nil {
		d.root = childOf(ctx, o).kept(ctx)
	}
}

// binaryRoot is the root of the layout of a binary file.
func (d *udm) binaryRoot(ctx context.Context) model.Node {
	return model.Node{
		Name: model.LayoutView, Type: fileRecord.Title, Spans: []model.Span{d.src.Whole()}, Brief: "version " + versionText(d.version),
		Children: d.file.Children(ctx), Help: "header and root property, in the order of the file",
	}
}

// rootTypeProblem says that the root is not an element.
func rootTypeProblem(s grammar.Scope, o *grammar.Object) (model.Problem, bool) {
	if o == nil {
		return model.Problem{}, false
	}
	v := childOf(s.Reading().Context(), o)
	return model.Problemf(model.Malformed, ruleRootType, v.span(), "the root property is not an element").
		Want(types.Element, types.Text(v.typ)), v.typ != types.Element
}

// showRoot completes the node of the root property.
func showRoot(s grammar.Scope, of grammar.Value, n *model.Node) {
	v := showValue(s, of, n, nil)
	switch {
	case v == nil:
	case v.typ == types.Element:
		n.Problems = append(n.Problems, v.d.rootProblems(s.Reading().Context(), n.Spans[0])...)
	case !v.o.OK(): // the engine asks for the rules of what is whole
		p, _ := rootTypeProblem(s, v.o)
		n.Problems = append(n.Problems, p)
	}
}
