package odin

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"slices"

	"cutaway/decoders/odin/change"
	"cutaway/decoders/odin/entry"
	"cutaway/decoders/odin/kind"
	"cutaway/decoders/odin/object"
	"cutaway/decoders/odin/udon"
	"cutaway/decoders/odin/unity"
	"cutaway/model"
)

// A target is a value that is to be changed.
type target struct {
	udon.Variable
	p *payload
	o *openedPayload
}

// maxChanged bounds the files that are written with a change: the new one is held in memory and read back.
const maxChanged = 256 << 20

// change returns how the value of a node can be changed in a new file, or the reason why it cannot.
func (d *document) change(ctx context.Context, at *model.Place) (*model.Change, error) {
	t, err := d.target(ctx, at)
	switch {
	case err != nil:
		return nil, err
	case d.src.Size() > maxChanged:
		return nil, fmt.Errorf("the file has more than %d MB", maxChanged>>20)
	case t.p.field != nil && t.p.field.Code == unity.Scalar && !t.p.field.Nodes:
		return nil, errors.New("it is in the changes of a prefab, which Unity writes itself")
	case t.o.bad >= 0 || t.o.gzip != nil && t.o.gzip.fault != nil:
		return nil, errors.New("the payload is damaged: what cannot be decoded would be lost")
	}
	text, err := change.Text(ctx, t.o.s, t.Entry)
	if err != nil {
		return nil, err
	}
	if t.p.field != nil && t.p.field.Carrier.Signed {
		t.Notes = append(t.Notes, "The file has a signature of the program, which will not fit any more.")
	}
	return &model.Change{Path: t.Path, Text: text, Notes: t.Notes, Make: func(ctx context.Context, text string) ([]byte, error) {
		splices, err := change.To(ctx, t.o.s, t.Entry, kind.OfType(t.Type), text)
		if err != nil {
			return nil, err
		}
		b, err := t.file(ctx, d.src, splices)
		if err != nil {
			return nil, err
		}
		if err := d.readBack(ctx, b, t.p, splices); err != nil {
			return nil, fmt.Errorf("the new file does not read back as wanted, so it is not written: %w", err)
		}
		return b, nil
	}}, nil
}

// target returns the value that a node stands for. Of a slot of the heap that is the component's public variable of that name if the
// file has one.
func (d *document) target(ctx context.Context, at *model.Place) (t target, err error) {
	down := at.Segments()
	view := down[0].Path()
	for _, p := range d.payloads {
		if root := p.root(view); root != at.Path() && !isBelow(at.Path(), root) {
			continue
		}
		if t.o, err = p.open(ctx); err != nil {
			return t, err
		}
		t.p = p
		if down = down[1:]; d.inCarrier() {
			down = down[1:]
		}
		break
	}
	if t.p == nil || len(down) == 0 {
		return t, errors.New("it has no value: select a variable, a slot of the heap or a value")
	}
	switch view {
	case udon.View:
		v, ok := t.o.udon.VariableAt(ctx, down)
		if !ok {
			return t, errors.New("it has no value: select a variable or a slot of the heap")
		}
		t.Variable = v
		return d.winner(ctx, t)
	case entry.View, object.View:
		i, ok := t.p.entryIn(view)(at)
		if !ok {
			return t, errors.New("it has no value of its own")
		}
		t.Path, t.Entry = at.Path(), i-1
		return t, nil
	}
	return t, errors.New("values are changed in the trees of objects, entries and Udon programs")
}

// isBelow reports whether a path is below another.
func isBelow(path, above string) bool {
	return len(path) > len(above) && path[:len(above)] == above && path[len(above)] == '/'
}

// winner returns the public variable that wins over a slot of the heap, or the slot if no component has one.
func (d *document) winner(ctx context.Context, t target) (target, error) {
	if !t.Slot {
		t.Notes = append(t.Notes, "The component's value wins over that of the program's heap.",
			"The next compile writes the program again; this is the component's and stays.")
		return t, nil
	}
	var all []target
	for _, p := range d.payloads {
		o, err := p.open(ctx)
		if err != nil {
			continue
		}
		for _, v := range o.udon.PublicNamed(ctx, t.Names) {
			all = append(all, target{v, p, o})
		}
	}
	switch len(all) {
	case 0:
		return t, nil
	case 1:
		won, err := d.winner(ctx, all[0])
		won.Notes = append([]string{"A component has a public variable of this name, so that is changed instead of the heap."}, won.Notes...)
		return won, err
	}
	return t, fmt.Errorf("%d components have a public variable %s, which wins over the heap: select the one to be changed, such as %s", len(all), all[0].Names[0], all[0].Path)
}

// file returns the bytes of the file with changed values: those of the stream, in the codes that the file has around them.
func (t *target) file(ctx context.Context, file *model.Source, splices []change.Splice) ([]byte, error) {
	src := t.o.s.Source()
	b, err := src.Bytes(ctx, 0, src.Size())
	if err != nil {
		return nil, err
	}
	b = change.Apply(b, 0, splices)
	if t.o.gzip != nil {
		in := t.o.gzip.in
		if b, err = deflated(ctx, in, b); err != nil {
			return nil, err
		}
		if src = in.Source; src.Same(file) {
			return replaced(ctx, file, in, b)
		}
	}
	if src.Same(file) {
		return b, nil
	}
	return replaced(ctx, file, t.p.field.Value, t.p.field.Code.Encode(b))
}

// replaced returns the bytes of a source with others instead of a range.
func replaced(ctx context.Context, src *model.Source, at model.Span, now []byte) ([]byte, error) {
	b, err := src.Bytes(ctx, 0, src.Size())
	if err != nil {
		return nil, err
	}
	return slices.Concat(b[:at.Off], now, b[at.End():]), nil
}

// deflated returns bytes as gzip data with the header of other gzip data.
func deflated(ctx context.Context, like model.Span, b []byte) ([]byte, error) {
	was, err := like.Source.Bytes(ctx, like.Off, like.Len)
	if err != nil {
		return nil, err
	}
	r, err := gzip.NewReader(bytes.NewReader(was))
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	w.Header = r.Header
	if _, err := w.Write(b); err != nil {
		return nil, err
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

// readBack reads a new file and returns how it differs from the opened one beyond the splices of a payload, or nil.
func (d *document) readBack(ctx context.Context, b []byte, changed *payload, splices []change.Splice) error {
	after := &document{src: model.NewFileSource(d.src.Title(), model.BytesReader(b))}
	if _, err := after.find(ctx, model.NoFiles{}); err != nil {
		return err
	}
	if len(after.payloads) != len(d.payloads) {
		return fmt.Errorf("there are %d payloads instead of %d", len(after.payloads), len(d.payloads))
	}
	for k, p := range d.payloads {
		before, err := p.open(ctx)
		if err != nil {
			continue // it could not be read before
		}
		now, err := after.payloads[k].open(ctx)
		if err != nil {
			return err
		}
		var wanted []change.Splice
		if p == changed {
			wanted = splices
		}
		if err := change.Differs(ctx, before.s, now.s, wanted); err != nil {
			return fmt.Errorf("payload %d: %w", k, err)
		}
	}
	return nil
}
