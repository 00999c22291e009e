package udm

import (
	"bytes"
	"context"
	"fmt"

	"cutaway/decoders/read"
	"cutaway/model"
)

// The versions; the layout of what both have is the same (2.1).
const (
	firstVersion = 1
	lastVersion  = 2
)

// looksBinary tells the forms apart: by the identifier or, where it is missing, by bytes that no text has.
func looksBinary(ctx context.Context, src *model.Source) bool {
	const look = 64
	head, err := src.Bytes(ctx, 0, min(src.Size(), look))
	if err != nil {
		return false
	}
	if bytes.HasPrefix(head, []byte(identifier)) {
		return true
	}
	return bytes.ContainsFunc(head, func(c rune) bool { return c < ' ' && !isSpace(int(c)) })
}

func versionText(v uint32) string { return fmt.Sprint(v) }

// readHeader reads the header (chapter 2) and finds the root property.
func (d *udm) readHeader(ctx context.Context) {
	c := read.New(ctx, d.src, 0, d.src.Size(), ruleTruncated)
	good := true
	c.Group("header", "header", "", func() {
		id := c.Text("identifier", int64(len(identifier)), identifier)
		c.Check(id == identifier, ruleIdentifier, identifier, id, "this is not a binary UDM file")
		d.version = c.U32("version", "1 or 2; unrelated to assetVersion")
		good = c.Check(d.version >= firstVersion && d.version <= lastVersion, ruleVersion, "1 or 2", d.version,
			"this version of UDM is not known, so nothing behind it is decoded")
	})
	d.head = c.Nodes()
	at := c.Off()
	switch {
	case !c.Ok():
		return
	case !good:
		d.trail = rest(d.src, at, "bytes of a version that is not known", nil)
		return
	}
	t, err := d.src.Bytes(ctx, at, 1)
	if err != nil {
		r := read.New(ctx, d.src, at, d.src.Size(), ruleTruncated)
		r.U8("type", "the type of the root property: element")
		d.trail = r.Nodes()
		return
	}
	end, _ := d.extent(newWindow(ctx, d.src), typeID(t[0]), at+1, d.src.Size())
	d.root = &bin{d: d, src: d.src, typ: typeID(t[0]), off: at + 1, end: end, typed: true,
		at: (&where{name: d.src.LayoutPath()}).at(rootName)}
	d.trail = rest(d.src, end, "bytes behind the root property, which the engine does not read", func(at model.Span) model.Problem {
		return model.Problemf(model.Suspicious, ruleTrailing, at, "bytes follow the root property").
			Want("none", model.Counted(at.Len, "byte"))
	})
}

// rest is the bytes from off on, if there are any.
func rest(src *model.Source, off int64, help string, problem func(model.Span) model.Problem) []model.Node {
	at := src.Span(off, src.Size()-off)
	if at.Len == 0 {
		return nil
	}
	n := model.Node{Name: "rest", Type: "bytes", Role: model.Unknown, Value: model.Blob{Span: at}, Spans: []model.Span{at}, Help: help}
	if problem != nil {
		n.Problems = []model.Problem{problem(at)}
	}
	return []model.Node{n}
}

// binaryRoot is the root of the layout of a binary file. It is made anew only after the children of a heavy root were
// found, for what is wrong with them is told by the node of the root property.
func (d *udm) binaryRoot(ctx context.Context) model.Node {
	if d.root == nil || !d.root.heavy(ctx) {
		return d.layoutNode.Get(ctx, d.makeBinaryRoot)
	}
	return d.makeBinaryRoot(ctx)
}

func (d *udm) makeBinaryRoot(ctx context.Context) model.Node {
	nodes := append([]model.Node(nil), d.head...)
	if d.root != nil {
		n := d.root.node(ctx, rootName, nil)
		if d.root.typ != tElement {
			n.Problems = append(n.Problems, model.Problemf(model.Malformed, ruleRootType, n.Spans[0],
				"the root property is not an element").Want(tElement, typeText(d.root.typ)))
		} else {
			n.Problems = append(n.Problems, d.rootProblems(ctx, n.Spans[0])...)
		}
		nodes = append(nodes, n)
	}
	return model.Node{
		Name: model.LayoutView, Type: "UDM binary", Spans: []model.Span{d.src.Whole()}, Brief: "version " + versionText(d.version),
		Children: model.NewList(append(nodes, d.trail...)...), Help: "header and root property, as they stand in the file",
	}
}
