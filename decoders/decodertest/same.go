package decodertest

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"cutaway/model"
)

// Same compares the answers of two versions of a format for each file and for its mutants: every place of every view
// with its path, type, value, bytes, problems and links; the owners of bytes, the facts, the cards and the check's
// report. Use it while a description is rewritten and both versions exist.
func Same(t testing.TB, was, now *model.Format, files []File, opt MutateOptions) {
	t.Helper()
	times := mutateTimes(t)
	bad, jobs := 0, []mutation(nil)
	for i := range files {
		m := &mutant{format: was, file: files[i], opt: opt}
		m.same(t, now)
		jobs = append(jobs, m.mutations(times)...)
	}
	try := opt.Try
	if try == 0 {
		try = defaultTry
	}
	if try *= times; times == 0 || try > len(jobs) {
		try = len(jobs)
	}
	for i := range try {
		job := jobs[int(int64(i)*int64(len(jobs))/int64(try))]
		diff, err := job.differs(t.Context(), now)
		if err != nil || diff != "" {
			t.Errorf("%s, %s: %s %v", job.of.file.Name, job, diff, err)
			if bad++; bad == enough {
				return
			}
		}
	}
	t.Logf("%d of %d mutations of %d files", try, len(jobs), len(files))
}

// same compares the unchanged file.
func (m *mutant) same(t testing.TB, now *model.Format) {
	t.Helper()
	sound := mutation{of: m, off: int64(len(m.file.Data)), cut: true}
	if diff, err := sound.differs(t.Context(), now); err != nil || diff != "" {
		t.Errorf("%s: %s %v", m.file.Name, diff, err)
	}
}

// allPlaces describes all places of all views, and the owners of some bytes.
func allPlaces(ctx context.Context, doc *model.Document) (lines []string) {
	for _, v := range doc.Views {
		count := 0
		err := model.Walk(ctx, v.Place(ctx), model.WalkOptions{Resolve: true, Derived: true}, func(p *model.Place) error {
			if count++; count > maxWalked {
				return errEnough
			}
			lines = append(lines, describe(ctx, p)+" "+p.Node.Help)
			return nil
		})
		if err != nil && !errors.Is(err, errEnough) {
			lines = append(lines, err.Error())
		}
	}
	size := doc.Source().Size()
	for off := int64(0); off < size; off += max(size/maxSampled, 1) {
		p, n := doc.At(ctx, doc.Source(), off)
		if p != nil {
			lines = append(lines, fmt.Sprintf("%#x is of %s, %v", off, p.Path(), n))
		}
	}
	return lines
}

// differs returns the first line that differs between the answers for the mutant, or "". It compares only the first
// places of a large file.
func (m mutation) differs(ctx context.Context, now *model.Format) (diff string, err error) {
	var answers [2]string
	for i, f := range []*model.Format{m.of.format, now} {
		doc, err := open(ctx, f, m.of.file.Name, m.reader(), m.of.opt.Beside)
		if err != nil {
			answers[i] = err.Error()
			continue
		}
		lines := everything(ctx, doc)
		if size := len(m.of.file.Data); size <= smallFile || m.cut && m.off == int64(size) {
			lines = append(lines, allPlaces(ctx, doc)...)
		}
		answers[i] = strings.Join(lines, "\n")
		if err := doc.Close(); err != nil {
			return "", err
		}
	}
	return firstLine(answers[0], answers[1]), nil
}
