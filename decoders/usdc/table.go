package usdc

import (
	"context"

	"cutaway/decoders/read"
	"cutaway/model"
)

// maxListed bounds the problems that one node lists.
const maxListed = 1000

// sectionTable is what every section has once it is loaded.
type sectionTable struct {
	nodes   []model.Node // they tile the section
	buffers []*buffer    // that are compressed, in the order of the file
	known   bool         // the section is there and says how many entries it has
	count   uint64       // the number of entries that it says
	claimed int64        // the same, as far as indexes can reach
}

func (l *sectionTable) table() *sectionTable { return l }

// claim notes the count that was just read.
func (l *sectionTable) claim(r *read.Cursor, count uint64) {
	l.known, l.count, l.claimed = r.Ok(), count, int64(min(count, none))
}

// has tells whether entry i is in the table; without a table nothing can be said against it.
func (l *sectionTable) has(i uint32) bool { return !l.known || i == none || int64(i) < l.claimed }

// checkInts puts a problem on node for each of the coded indexes that is not in the table; what names an entry.
func (l *sectionTable) checkInts(ctx context.Context, node *model.Node, list *intList, indexes []uint32, what string) {
	for i, index := range indexes {
		if !l.has(index) && len(node.Problems) < maxListed {
			node.Problems = append(node.Problems, problemAt(outOfRange(what, index, l.claimed), list.place(ctx, int64(i))))
		}
	}
}

// eachRecord calls do for n records of size bytes from off on, reading many at a time.
func eachRecord(ctx context.Context, src *model.Source, off, size, n int64, do func(i int64, b []byte)) error {
	const run = 64 << 10
	buf := make([]byte, min(n, max(run/size, 1))*size)
	for i := int64(0); i < n; {
		if err := ctx.Err(); err != nil {
			return err
		}
		b := buf[:min(int64(len(buf)), (n-i)*size)]
		if _, err := src.ReadFull(ctx, b, off+i*size); err != nil {
			return err
		}
		for ; len(b) > 0; b = b[size:] {
			do(i, b[:size])
			i++
		}
	}
	return nil
}

// readFailure makes an error of reading, which is not the context's, a problem of node.
func readFailure(ctx context.Context, err error, node *model.Node, rule string) error {
	if err == nil || ctx.Err() != nil {
		return err
	}
	node.Problems = append(node.Problems, model.AsProblem(err, rule, node.Span()))
	return nil
}

// finish adds the bytes of a section that its content did not use and returns all its nodes.
func finish(r *read.Cursor, name string) []model.Node {
	rest, ok := leftover(r.Source(), r.Off(), r.End(), "usdc.section.leftover", "section "+name)
	if !ok || !r.Ok() {
		return r.Nodes()
	}
	for _, n := range r.Nodes() {
		for _, p := range n.Problems {
			if p.Kind.Severity() == model.Error {
				rest.Problems = nil // damage told already kept the bytes from being used
			}
		}
	}
	r.Add(rest)
	return r.Nodes()
}
