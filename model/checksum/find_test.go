package checksum

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"strings"
	"testing"

	"cutaway/model"
)

// chunked is a file with a magic and two chunks of a length, a type, data that another source is derived from, and a checksum.
func chunked(file []byte) (*model.Document, *model.Source) {
	src := model.NewFileSource("x", model.BytesReader(file))
	leaf := func(name string, off, n int64) model.Node {
		return model.Node{Name: name, Spans: []model.Span{src.Span(off, n)}}
	}
	chunk := func(name string, off int64) model.Node {
		n := leaf(name, off, 116)
		data := leaf("data", off+8, 100)
		data.Derived = []*model.Derivation{{Name: "twice", Open: func(context.Context) (*model.Source, model.Node, error) {
			plain := model.Derive("layout/"+name+"/data", "twice", "twice", model.BytesReader(bytes.Repeat(file[off+8:off+108], 2)), model.Origin{Parent: src})
			return plain, model.Node{Name: "twice", Spans: []model.Span{plain.Whole()}}, nil
		}}}
		n.Children = model.NewList(leaf("length", off, 4), leaf("type", off+4, 4), data, leaf("crc", off+108, 8))
		return n
	}
	root := leaf("x", 0, src.Size())
	root.Children = model.NewList(leaf("magic", 0, 4), chunk("a", 4), chunk("b", 120))
	return &model.Document{Sources: []*model.Source{src}, Views: []*model.View{{Name: model.LayoutView,
		Root: func(context.Context) model.Node { return root }, Of: src}}}, src
}

func file() []byte {
	b := make([]byte, 236)
	for i := range b {
		b[i] = byte(i * i >> 3)
	}
	return b
}

// TestFind: each checksum is found over the bytes that it is of, in its order.
func TestFind(t *testing.T) {
	for _, c := range []struct {
		algorithm, order, what string
		put                    func(b []byte) int64 // puts the checksum, of 4 bytes, and returns where
	}{
		{"CRC-32/ISO-HDLC", "big endian", "from layout/a/type to it", func(b []byte) int64 {
			binary.BigEndian.PutUint32(b[112:], crc32.ChecksumIEEE(b[8:112]))
			return 112
		}},
		{"CRC-32/ISCSI", "little endian", "layout/b/data", func(b []byte) int64 {
			binary.LittleEndian.PutUint32(b[228:], crc32.Checksum(b[128:228], crc32.MakeTable(crc32.Castagnoli)))
			return 228
		}},
		{"CRC-32/ISO-HDLC", "little endian", "layout/a/data@twice", func(b []byte) int64 {
			binary.LittleEndian.PutUint32(b[112:], crc32.ChecksumIEEE(bytes.Repeat(b[12:112], 2)))
			return 112
		}},
		{"CRC-32/ISO-HDLC", "little endian", "x with zeros in its place", func(b []byte) int64 {
			clear(b[232:236])
			binary.LittleEndian.PutUint32(b[232:], crc32.ChecksumIEEE(b))
			return 232
		}},
		{"CRC-32/ISO-HDLC", "little endian", "x without it", func(b []byte) int64 {
			binary.LittleEndian.PutUint32(b[4:], crc32.ChecksumIEEE(append(bytes.Clone(b[:4]), b[8:]...)))
			return 4
		}},
		{"CRC-32/ISO-HDLC", "big endian", "right before it", func(b []byte) int64 {
			binary.BigEndian.PutUint32(b[200:], crc32.ChecksumIEEE(b[190:200]))
			return 200
		}},
		{"CRC-32/ISO-HDLC", "little endian", "right after it", func(b []byte) int64 {
			binary.LittleEndian.PutUint32(b[150:], crc32.ChecksumIEEE(b[154:171]))
			return 150
		}},
		{"sum of bytes", "big endian", "x before it", func(b []byte) int64 {
			sum := uint32(0)
			for _, c := range b[:232] {
				sum += uint32(c)
			}
			binary.BigEndian.PutUint32(b[232:], sum)
			return 232
		}},
	} {
		b := file()
		off := c.put(b)
		doc, src := chunked(b)
		at := src.Span(off, 4)
		r, err := Find(t.Context(), at, Candidates(t.Context(), doc, at), nil)
		if err != nil {
			t.Fatal(err)
		}
		var found []string
		ok := false
		for _, m := range r.Matches {
			ok = ok || m.Algorithm == c.algorithm && m.Order == c.order && m.What == c.what
			found = append(found, m.Algorithm+", "+m.Order+": "+m.What)
		}
		if !ok {
			t.Errorf("%s, %s of %s is not found; found: %s", c.algorithm, c.order, c.what, strings.Join(found, "; "))
		}
	}
}

// TestFindBounds: what is too long is counted, not read; the context ends it; a random value is nothing.
func TestFindBounds(t *testing.T) {
	doc, src := chunked(file())
	at := src.Span(112, 4)
	all := Candidates(t.Context(), doc, at)
	for i := range all {
		for k := range i {
			if all[k].What == all[i].What && all[k].Len() == all[i].Len() {
				t.Errorf("%s is there twice", all[i].What)
			}
		}
	}
	huge := Candidate{Spans: []model.Span{{Source: src, Off: 0, Len: MaxRead + 1}}, What: "huge"}
	r, err := Find(t.Context(), at, append(all, huge), nil)
	if err != nil || r.Skipped != 1 || r.Tried != len(all) || len(r.Matches) > 0 {
		t.Errorf("%d tried, %d skipped, %d found, %v; want %d, 1, 0", r.Tried, r.Skipped, len(r.Matches), err, len(all))
	}
	if _, err := Find(t.Context(), model.NewFileSource("zeros", model.BytesReader(make([]byte, 9))).Span(2, 4), nil, nil); err == nil {
		t.Error("zeros are looked for")
	}
	ctx, end := context.WithCancel(t.Context())
	end()
	if _, err := Find(ctx, at, all, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("after the end of the context: %v", err)
	}
}
