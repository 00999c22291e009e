package inspector

import (
	"context"
	"fmt"

	"cutaway/model"
	"cutaway/model/checksum"
	"cutaway/source"
	"cutaway/ui/phrase"
)

// find searches in the background for ranges whose checksum the selected bytes are.
func (p *sumsPane) find() {
	at := p.spans[0]
	p.run("looking for a checksum", "the bytes that it may be of", func(ctx context.Context, progress model.Progress) (func(), error) {
		r, err := checksum.Find(ctx, at, checksum.Candidates(ctx, p.Doc, at), progress)
		return func() {
			p.showFound(r, err != nil)
			p.Log.Write("checksum-of", at.Source.Name(), at.Off, at.Len, len(r.Matches))
		}, err
	})
	p.say("looking for what it is a checksum of")
}

// showFound lists the ranges whose checksum the selected bytes are, and the number of matches that chance would give.
func (p *sumsPane) showFound(r checksum.Result, cancelled bool) {
	rows := make([]SumRow, len(r.Matches))
	for i, m := range r.Matches {
		name := m.Algorithm
		if m.Order != "" {
			name += ", " + m.Order
		}
		rows[i] = SumRow{source.Checksum{Name: name, Value: phrase.Bytes(m.Len()) + "  ·  " + m.What}, m.Spans}
	}
	text := "none found"
	if len(rows) > 0 {
		text = model.Grouped(int64(len(rows))) + " found"
	}
	if chance := r.ByChance(int(p.Size())); chance >= 0.1 {
		text += fmt.Sprintf(", some %.0f by chance", max(chance, 1))
	}
	text += fmt.Sprintf(": %d checksums of %s", r.Algorithms, model.GroupedCount(int64(r.Tried), "range"))
	if r.Skipped > 0 {
		text += fmt.Sprintf("; %s not, with more than %s in all", model.GroupedCount(int64(r.Skipped), "range"), phrase.Roughly(checksum.MaxRead))
	}
	if cancelled {
		text += "; cancelled"
	}
	if len(rows) > 0 {
		p.show(rows)
	}
	p.say(text)
}
