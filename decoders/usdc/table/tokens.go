package table

import (
	"bytes"
	"context"
	"fmt"
	"sort"
	"sync"

	"cutaway/decoders/usdc/coding"
	"cutaway/model"
	"cutaway/source"
)

const (
	// tokenStep is the distance of the tokens whose beginnings are kept; the others are found from there.
	tokenStep = 16
	// mostText bounds the text of one token that is taken as a value, where memory allows it; the bytes after it are only
	// shown.
	mostText = 16 << 20
	// shortText bounds the texts and paths that are kept.
	shortText = 256
)

// Tokens is the token table (chapter 6).
type Tokens struct {
	Section
	Count   int64         // tokens that exist
	starts  []int64       // starts[k] is where token k·tokenStep begins in src
	src     *model.Source // holds the text: inflated, or the file
	limit   int64         // the most tokens that are looked for
	end     int64         // of the last token, its NUL included
	textEnd int64         // of the text
	cut     bool          // the text ends too early, which is reported where it is read

	problems []model.Problem // of the text, after those of its compression
	texts    cache[string]   // short ones
}

// Tokens loads the token table; the error is that of the context, damage leaves a shorter table.
func (c *Crate) Tokens(ctx context.Context, progress model.Progress) (*Tokens, error) {
	return c.tokenTable.Get(ctx, progress, c.loadTokens)
}

func (c *Crate) loadTokens(ctx context.Context, progress model.Progress) (*Tokens, error) {
	t := &Tokens{limit: min(coding.MostEntries(c.Size), maxTable("TOKENS"))}
	if !t.open(ctx, c, "TOKENS") {
		return t, nil
	}
	text := t.field("text")
	if text == nil {
		return t, nil
	}
	text.Value = nil
	size, at := t.object.Uint(ctx, t.object.Record().Field("size")), text.Span()
	if c.Compressed() {
		return t, t.readCompressed(ctx, progress, text, size)
	}
	t.src = c.Src
	err := t.scan(ctx, progress, at.Off, at.End(), uint64(at.Len) < size)
	t.describe(text, at)
	text.Problems = append(text.Problems, t.problems...)
	t.finish()
	return t, err
}

func (t *Tokens) readCompressed(ctx context.Context, progress model.Progress, text *model.Node, size uint64) error {
	b := &coding.Buffer{Setting: t.setting("text"), Exact: true, Limit: int64(size)}
	t.buffers = []*coding.Buffer{b}
	b.Read(ctx, text.Span(), false)
	if most := source.MaxLZ4Output(text.Span().Len); size > uint64(most) {
		claim := t.field("size")
		claim.Problems = append(claim.Problems, model.Problemf(model.Malformed, "usdc.tokens.size", claim.Span(),
			"%d bytes of text cannot come from %d compressed bytes", size, text.Span().Len).WantAtMost(most, size))
		b.Limit, b.Exact = most, false
	}
	b.Root = func(context.Context, *coding.Inflated) (model.Node, error) {
		root := model.Node{Name: coding.InflatedName, Spans: []model.Span{t.src.Whole()}, Problems: t.problems}
		t.describe(&root, t.src.Whole())
		return root, nil
	}
	in, err := b.Inflate(ctx)
	if err != nil {
		return err
	}
	t.src = in.Src
	if err := t.scan(ctx, progress, 0, t.src.Size(), len(in.Problems) > 0); err != nil {
		return err
	}
	text.Brief = t.left(t.Count, "token", "tokens")
	err = b.Complete(ctx, text)
	text.Problems = append(text.Problems, t.problems...)
	t.finish()
	return err
}

// scan finds the beginnings of the tokens in [lo, hi) of t.src. damaged says that the end is missing, which is reported
// elsewhere.
func (t *Tokens) scan(ctx context.Context, progress model.Progress, lo, hi int64, damaged bool) error {
	t.end, t.textEnd, t.cut = lo, hi, damaged
	if possible := t.claimed <= hi-lo; possible && t.claimed > t.limit { // else the text ends before the last: each has a NUL
		t.cut = true
		t.problems = append(t.problems, model.Problemf(model.Limit, "usdc.tokens.too-many", t.src.Span(lo, hi-lo),
			"only so many tokens are looked for: this program's limit follows from the size of the file and from --max-memory").WantAtMost(t.limit, t.count))
	}
	t.limit = min(t.limit, t.claimed)
	last, next := byte(0), lo
	err := EachRun(ctx, t.src.Span(lo, hi-lo), 1, func(off int64, b []byte) bool {
		progress.Report(off-lo, hi-lo, "tokens")
		t.split(b, off)
		last, next = b[len(b)-1], off+int64(len(b))
		return true
	})
	if err != nil && ctx.Err() != nil {
		return err
	}
	if err != nil {
		t.problems = append(t.problems, model.AsProblem(err, "usdc.tokens.read", t.src.Span(next, hi-next)))
		t.cut = true
	}
	if !t.cut {
		t.checkEnd(last)
	}
	return nil
}

// split notes the tokens that end in b, which is at off.
func (t *Tokens) split(b []byte, off int64) {
	for at := 0; t.Count < t.limit; {
		i := bytes.IndexByte(b[at:], 0)
		if i < 0 {
			return
		}
		t.add(off + int64(at+i) + 1)
		at += i + 1
	}
}

// add notes a token that begins at t.end and ends, its NUL included, at end.
func (t *Tokens) add(end int64) {
	if t.Count%tokenStep == 0 {
		t.starts = append(t.starts, t.end)
	}
	t.Count++
	t.end = end
}

func (t *Tokens) checkEnd(last byte) {
	if last != 0 {
		t.problems = append(t.problems, model.Problemf(model.Malformed, "usdc.tokens.no-nul", t.src.Span(t.textEnd-1, 1),
			"the text does not end with a NUL").Want(0, last))
		if t.Count < t.claimed {
			t.add(t.textEnd)
		}
	}
	if uint64(t.Count) < t.count {
		t.problems = append(t.problems, model.Problemf(model.Malformed, "usdc.tokens.too-few", t.src.Span(t.textEnd, 0),
			"the text ends before the last token").Want(fmt.Sprintf("%d tokens", t.count), fmt.Sprintf("%d tokens", t.Count)))
	}
}

// maxText returns the most bytes of one token that are taken as a value.
func maxText() int64 { return min(mostText, max(source.CacheLimit()/16, 64<<10)) }

// Text returns the text of token i, or the beginning of a very long one. Its errors are problems without a span.
func (t *Tokens) Text(ctx context.Context, i uint32) (string, error) {
	switch {
	case int64(i) < t.Count:
	case t.Holds(i):
		return "", t.lostEntry("token", i)
	default:
		return "", outOfRange("token", i, t.claimed)
	}
	if kept := t.texts.get(i); kept != nil {
		return *kept, nil
	}
	lo, hi, err := t.bounds(ctx, int64(i))
	if err != nil {
		return "", err
	}
	b, err := t.src.Bytes(ctx, lo, min(hi-lo, maxText()))
	if err != nil {
		return "", err
	}
	text := string(bytes.TrimSuffix(b, []byte{0}))
	if len(text) <= shortText {
		t.texts.store(i, text)
	}
	return text, nil
}

// textWindow is the text that is read at once while looking for a token.
type textWindow [1024]byte

var textWindows = sync.Pool{New: func() any { return new(textWindow) }}

// ends visits the ends of the tokens from number i on, their NULs included, until visit returns false. i is a
// multiple of tokenStep.
func (t *Tokens) ends(ctx context.Context, i int64, visit func(end int64) bool) error {
	buf := textWindows.Get().(*textWindow)
	defer textWindows.Put(buf)
	near := t.end // most are found before the next beginning that is kept
	if next := i/tokenStep + 1; next < int64(len(t.starts)) {
		near = t.starts[next]
	}
	for off := t.starts[i/tokenStep]; off < t.end; {
		if off >= near {
			near = t.end
		}
		b := buf[:min(int64(len(buf)), near-off)]
		if _, err := t.src.ReadFull(ctx, b, off); err != nil {
			return err
		}
		for at := 0; at < len(b); {
			k := bytes.IndexByte(b[at:], 0)
			if k < 0 {
				break
			}
			at += k + 1
			if !visit(off + int64(at)) {
				return nil
			}
		}
		off += int64(len(b))
	}
	visit(t.end) // of a last token without NUL
	return nil
}

// bounds finds token i < n, its NUL included.
func (t *Tokens) bounds(ctx context.Context, i int64) (lo, hi int64, err error) {
	first := i - i%tokenStep
	hi = t.starts[first/tokenStep]
	err = t.ends(ctx, first, func(end int64) bool {
		lo, hi = hi, end
		first++
		return first <= i
	})
	return lo, hi, err
}

// Find returns the token over the byte at off of src.
func (t *Tokens) Find(ctx context.Context, src *model.Source, off int64) (i int64, ok bool) {
	if src != t.src || t.Count == 0 || off < t.starts[0] || off >= t.end {
		return 0, false
	}
	i = int64(sort.Search(len(t.starts), func(k int) bool { return t.starts[k] > off })-1) * tokenStep
	err := t.ends(ctx, i, func(end int64) bool {
		if off < end {
			return false
		}
		i++
		return true
	})
	return i, err == nil && i < t.Count
}

// describe makes n the node of the text, with a child for each token.
func (t *Tokens) describe(n *model.Node, at model.Span) {
	n.Type, n.Value, n.Brief = "text", nil, t.left(t.Count, "token", "tokens")
	rows := &model.Rows{Count: t.Count, Make: t.node, ByByte: t.Find}
	rest, ok := coding.Leftover(t.src, t.end, at.End(), "usdc.tokens.leftover", "the tokens' text")
	if t.cut {
		rest.Problems = nil
	}
	switch {
	case ok && t.Count > 0:
		n.Children = model.Concat(rows, model.NewList(rest))
	case ok:
		n.Children = model.NewList(rest)
	case t.Count > 0:
		n.Children = rows
	}
}

func (t *Tokens) node(ctx context.Context, i int64) model.Node {
	n := model.Node{Name: model.IndexName(i), Type: "token"}
	lo, hi, err := t.bounds(ctx, i)
	n.Spans = []model.Span{t.src.Span(lo, hi-lo)}
	text, textErr := t.Text(ctx, uint32(i))
	if err == nil {
		err = textErr
	}
	if err != nil {
		n.Problems = []model.Problem{coding.ProblemAt(err, n.Spans[0])}
		return n
	}
	n.Value = model.Text(text)
	if most := maxText(); hi-lo-1 > most {
		n.Problems = append(n.Problems, model.Problemf(model.Limit, "usdc.limit.text", n.Spans[0],
			"only the beginning of the token is taken as text, which is as much as memory allows; --max-memory raises it, up to %s",
			model.GroupedCount(mostText, "byte")).WantAtMost(most, hi-lo-1))
	}
	return n
}

// Span returns the bytes of all tokens, each with its NUL; none if there are no tokens.
func (t *Tokens) Span() (s model.Span) {
	if t.Count == 0 {
		return s
	}
	return t.src.Span(t.starts[0], t.end-t.starts[0])
}
