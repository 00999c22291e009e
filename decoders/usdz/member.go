package usdz

import (
	"context"
	"errors"
	"fmt"
	"path"
	"sync"

	"cutaway/model"
	"cutaway/source"
)

// A member holds the bytes of an entry as a source and as a document.
type member struct {
	p *pkg
	e *entry

	mu      sync.Mutex
	src     *model.Source
	doc     *model.Document
	refused *model.ErrUnrecognized // the error of all formats
	opened  bool
}

// derivable reports whether the bytes can be read and decompressed.
func (m *member) derivable() bool {
	return m.e.flags&flagEncrypted == 0 && (m.e.method == methodStored || m.e.method == methodDeflate)
}

func (m *member) ownerPath() string {
	return m.p.entryPath(m.e) + "/data"
}

func (m *member) derivation() *model.Derivation {
	name, codec := "member", model.StoredCodec
	if m.e.method == methodDeflate {
		name, codec = "inflated", "deflate"
	}
	return &model.Derivation{Name: name, Title: path.Base(m.e.name), Codec: codec, Open: func(ctx context.Context) (*model.Source, model.Node, error) {
		src := m.source(name, codec)
		doc, err := m.document(ctx)
		if err != nil {
			return nil, model.Node{}, err
		}
		if doc != nil {
			return src, m.layout(ctx, src, doc), nil
		}
		problems := m.inflateProblems(ctx, src)
		if m.refused != nil && opensFirst(m.e.name) && !m.isFirst() { // the first member reports this itself
			problems = append(problems, m.notALayer())
		}
		return src, model.Node{
			Name: m.e.name, Type: "bytes", Value: model.Blob{Span: src.Whole()}, Spans: []model.Span{src.Whole()},
			Problems: problems, Help: "no format of Cutaway's explains these bytes",
			Cards: func(context.Context) []model.Card { return imageCards(m.e.name, src) },
		}, nil
	}}
}

// isFirst reports whether the member is the package's first, whose views are those of the package.
func (m *member) isFirst() bool { return m.e == m.p.entries[0] && opensFirst(m.e.name) }

// notALayer returns the problem of a member that is named as a layer or package but is none.
func (m *member) notALayer() model.Problem {
	found := "no format that is known here"
	switch {
	case m.e.appleDouble:
		found = "an AppleDouble file of macOS"
	case m.e.isHollow():
		found = "no bytes"
	case m.refused != nil && m.refused.Cause.Text != "":
		found = m.refused.Cause.Text
	case m.doc != nil:
		found = m.doc.Title
	}
	return model.Problemf(model.Malformed, ruleNoLayer, m.stored(), "%q is named as a USD layer, and is none", m.e.name).
		Want("a layer or package of USD", found)
}

func (m *member) layout(ctx context.Context, src *model.Source, doc *model.Document) model.Node {
	n := doc.View(model.LayoutView).Root(ctx)
	if !m.isFirst() {
		n = innerNode(n)
	}
	n.Problems = append(n.Problems[:len(n.Problems):len(n.Problems)], m.inflateProblems(ctx, src)...)
	if opensFirst(m.e.name) && !isUSD(doc) && !m.isFirst() {
		n.Problems = append(n.Problems, m.notALayer())
	}
	return n
}

// inflateProblems returns the reasons why a deflated member is shorter than its size.
func (m *member) inflateProblems(ctx context.Context, src *model.Source) []model.Problem {
	r, ok := src.Reader().(*source.CachedReader)
	if !ok {
		return nil
	}
	good, err := r.Good(ctx)
	if err == nil {
		return nil
	}
	if model.KindOf(err) == model.Unread {
		return []model.Problem{model.AsProblem(err, ruleInflate, m.stored())}
	}
	return []model.Problem{model.Problemf(model.Malformed, ruleInflate, m.stored(), "%q does not inflate: %v", m.e.name, err).
		Want(fmt.Sprintf("%d bytes", m.e.inflated), fmt.Sprintf("%d bytes", good))}
}

func (m *member) stored() model.Span { return m.p.src.Span(m.e.data, m.e.dataEnd-m.e.data) }

// source returns the member's bytes in the package's document.
func (m *member) source(name, codec string) *model.Source {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.src == nil {
		origin := model.Origin{Parent: m.p.src, Spans: []model.Span{m.stored()}, Codec: codec}
		origin.Member = !m.isFirst()
		if m.e.method == methodStored {
			origin.Map = source.NewStoredMapping(m.stored())
		} else {
			origin.Map = source.NewFrameMapping(source.Unit{In: m.stored(), OutLen: int64(m.e.inflated)})
		}
		m.src = model.Derive(m.ownerPath(), name, path.Base(m.e.name), m.reader(), origin)
	}
	return m.src
}

// reader returns the member's uncompressed bytes.
func (m *member) reader() model.Reader {
	if m.e.method == methodStored {
		return model.NewWindow(m.p.src, m.e.data, m.e.dataEnd-m.e.data)
	}
	return source.Inflated(m.p.src.Span(m.e.data, m.e.dataEnd-m.e.data), m.claimed(), source.CopyDeflate)
}

// maxDeflateRatio is a little more than the greatest ratio of deflate.
const maxDeflateRatio = 1040

// claimed returns the uncompressed size, limited to what the compressed bytes can hold.
func (m *member) claimed() int64 {
	return min(int64(m.e.inflated), (m.e.dataEnd-m.e.data)*maxDeflateRatio)
}

// document opens the member, once. It returns nil if no format recognises the member.
func (m *member) document(ctx context.Context) (*model.Document, error) {
	d := m.derivation()
	src := m.source(d.Name, d.Codec)
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.opened || m.e.appleDouble || m.e.isHollow() {
		return m.doc, nil
	}
	doc, err := m.p.opener.Open(ctx, src, m.e.name)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	var unknown *model.ErrUnrecognized
	if err != nil && !errors.As(err, &unknown) {
		return nil, err
	}
	m.doc, m.refused, m.opened = doc, unknown, true
	return m.doc, nil
}

// openAlone opens the member as a document with the member as its only source.
func (m *member) openAlone(ctx context.Context) (*model.Document, error) {
	if !m.derivable() {
		return nil, fmt.Errorf("%q cannot be opened: it is %s", m.e.name, m.obstacle())
	}
	name := path.Base(m.e.name)
	src := model.NewFileSource(name, m.reader())
	if m.e.appleDouble || m.e.isHollow() {
		return m.plain(src, name), nil
	}
	doc, err := m.p.opener.Open(ctx, src, name)
	var unknown *model.ErrUnrecognized
	if errors.As(err, &unknown) && !isLayer(m.e.name) {
		return m.plain(src, name), nil
	}
	return doc, err
}

// plain returns the document of a member without a format, such as an image, which can be viewed and exported.
func (m *member) plain(src *model.Source, name string) *model.Document {
	return &model.Document{
		Format: "bytes", Title: "plain bytes", Name: name, Why: "a member of a package that no format here explains",
		Sources: []*model.Source{src},
		Views: []*model.View{{Name: model.LayoutView, Title: "Layout", Of: src, Root: func(context.Context) model.Node {
			return model.Node{
				Name: model.LayoutView, Type: "bytes", Role: model.Unknown, Value: model.Blob{Span: src.Whole()}, Spans: []model.Span{src.Whole()},
				Help:  "no format explains these bytes",
				Cards: func(context.Context) []model.Card { return imageCards(name, src) },
			}
		}}},
	}
}

func (m *member) obstacle() string {
	if m.e.flags&flagEncrypted != 0 {
		return "encrypted"
	}
	return "compressed by " + methodName(m.e.method)
}
