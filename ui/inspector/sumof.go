package inspector

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"cutaway/model"
	"cutaway/model/checksum"
	"cutaway/source"
	"cutaway/ui/phrase"
	"cutaway/ui/task"
)

// find searches in the background for ranges whose checksum the selected bytes are.
func (p *sumsPane) find() {
	within := p.latest.Next(p.Ctx)
	p.Running = true
	p.runs++
	run, at := p.runs, p.spans[0]
	p.say("looking for what it is a checksum of")
	told := time.Now()
	p.Tasks.Always(within, "looking for a checksum", func(ctx context.Context, progress model.Progress) func() {
		all := checksum.Candidates(ctx, p.Doc, at)
		r, err := checksum.Find(ctx, at, all, func(done, of int64, unit string) {
			progress(done, of, unit)
			if time.Since(told) > task.ShownAfter {
				told = time.Now()
				p.Tasks.Show(ctx, func() {
					if p.Running {
						p.say(fmt.Sprintf("%d %% of %s", done*100/max(of, 1), phrase.Bytes(of)))
					}
				})
			}
		})
		return func() {
			if run != p.runs || !slices.Equal([]model.Span{at}, p.spans) || p.Ctx.Err() != nil {
				return // other bytes are selected by now
			}
			p.Running = false
			if err != nil && !errors.Is(err, context.Canceled) {
				p.say("not found out: " + err.Error())
				return
			}
			p.showFound(r, err != nil)
			p.Log.Write("checksum-of", at.Source.Name(), at.Off, at.Len, len(r.Matches))
		}
	}, p.failed(run))
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
