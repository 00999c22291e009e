package search

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"cutaway/model"
)

// A Group is a kind of hit of a glance.
type Group int

// The groups, in display order.
const (
	GlanceNames Group = iota
	GlanceValues
	GlanceElements
	GlanceBytes
	groups
)

// Limits of a glance: how many hits of a group it keeps and counts.
const (
	glanced = 5
	counted = 1000
)

// A Seen is a hit of a glance: a node, or bytes if it has no path.
type Seen struct {
	Path     string
	Source   *model.Source // or nil
	Off, Len int64
	Text     string
	From, To int // the match in the text, or both 0
}

// A Part holds the hits of a group.
type Part struct {
	Hits  []Seen // the first
	Count int64
	More  bool // there are more than Count
	Done  bool
}

// A Glance looks for a text while a user types it, in decoded nodes. Its methods are safe for concurrent use.
type Glance struct {
	Doc      *model.Document
	View     *model.View
	Source   *model.Source
	Query    *Query   // or nil to find no nodes
	Pattern  *Pattern // or nil to find no bytes
	Elements bool     // search the elements of long arrays

	mu    sync.Mutex
	parts [groups]Part
}

// errCounted ends the search of a group.
var errCounted = errors.New("enough was counted")

// Parts returns the present hits by group.
func (g *Glance) Parts() []Part {
	g.mu.Lock()
	defer g.mu.Unlock()
	return slices.Clone(g.parts[:])
}

// done ends groups.
func (g *Glance) done(of ...Group) {
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, group := range of {
		g.parts[group].Done = true
	}
}

// FindBytes finds bytes.
func (g *Glance) FindBytes(ctx context.Context, progress model.Progress) {
	defer g.done(GlanceBytes)
	if g.Pattern == nil {
		return
	}
	_ = Bytes(ctx, g.Source, g.Pattern, 0, -1, progress, func(off, length int64) error { // the bytes before an error are found
		return g.add(GlanceBytes, func() Seen {
			return Seen{Source: g.Source, Off: off, Len: length, Text: Around(ctx, g.Source, off, length)}
		})
	})
}

// FindNodes finds names, then values and elements.
func (g *Glance) FindNodes(ctx context.Context, progress model.Progress) {
	defer g.done(GlanceNames, GlanceValues, GlanceElements)
	if g.Query == nil {
		return
	}
	_ = Names(ctx, g.Doc, g.View, g.Query, progress, func(ctx context.Context, h Hit) error { return g.node(ctx, GlanceNames, &h) })
	g.done(GlanceNames)
	start := g.View.Place(ctx)
	q, err := g.Query.Measured(ctx, g.Doc, start, progress)
	if err != nil {
		return
	}
	_, _ = Tree(ctx, start, q, TreeOptions{Elements: g.Elements, Progress: progress}, func(ctx context.Context, h Hit) error {
		switch {
		case h.Where == InName:
			return nil
		case h.Element:
			return g.node(ctx, GlanceElements, &h)
		}
		err := g.node(ctx, GlanceValues, &h)
		if g.Elements && !g.Parts()[GlanceElements].More {
			return nil // elements may follow
		}
		return err
	})
}

func (g *Glance) node(ctx context.Context, to Group, h *Hit) error {
	return g.add(to, func() Seen {
		s := Seen{Path: h.Path, Source: h.Source, Off: h.Off, Len: h.Len, Text: h.Text, From: h.From, To: h.To}
		if h.Where == InPath {
			s.Text, s.From, s.To = h.Place.Node.Brief, 0, 0
			if h.Place.Node.Value != nil {
				s.Text = model.Show(ctx, h.Place.Node.Value, shown)
			}
		}
		return s
	})
}

// add counts a hit, and keeps it if it is one of the first. The hits of a group come one after the other.
func (g *Glance) add(to Group, seen func() Seen) error {
	g.mu.Lock()
	part := &g.parts[to]
	part.More = part.Count == counted
	full, wanted := part.More, len(part.Hits) < glanced
	if !full {
		part.Count++
	}
	g.mu.Unlock()
	switch {
	case full:
		return errCounted
	case wanted:
		s := seen() // may read
		g.mu.Lock()
		part.Hits = append(part.Hits[:len(part.Hits):len(part.Hits)], s)
		g.mu.Unlock()
	}
	return nil
}

// Around returns bytes with their neighbours: in hexadecimal, then as text.
func Around(ctx context.Context, src *model.Source, off, length int64) string {
	const before, most, after = 4, 16, 8
	from := max(off-before, 0)
	shown := min(length, most)
	end := min(off+shown+after, src.Size())
	data := make([]byte, end-from)
	n, _ := src.ReadAt(ctx, data, from) // what cannot be read is not shown
	var hex, text strings.Builder
	for i, b := range data[:n] {
		switch at := from + int64(i); at {
		case off:
			hex.WriteString(" [")
			text.WriteByte('[')
		case off + shown:
			hex.WriteString("] ")
			text.WriteByte(']')
		default:
			hex.WriteByte(' ')
		}
		fmt.Fprintf(&hex, "%02x", b)
		if b < 0x20 || b > 0x7e {
			b = '.'
		}
		text.WriteByte(b)
	}
	if from+int64(n) <= off+shown {
		hex.WriteByte(']')
		text.WriteByte(']')
	}
	return strings.TrimSpace(hex.String()) + "   " + text.String()
}
