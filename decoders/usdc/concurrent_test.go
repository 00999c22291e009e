package usdc

import (
	"context"
	"sync"
	"testing"

	"cutaway/internal/handgen"
	"cutaway/model"
)

// TestConcurrently asks one document for everything at once; it is meant for the race detector.
func TestConcurrently(t *testing.T) {
	d := handgen.OpenCorpus(t, Format, "made/scene-0.12.0.usdc")
	ctx := context.Background()
	var group sync.WaitGroup
	for range 3 {
		for _, v := range d.Views {
			group.Go(func() {
				err := model.Walk(ctx, v.Place(t.Context()), model.WalkOptions{Resolve: true, Derived: true}, func(p *model.Place) error {
					model.Show(t.Context(), p.Node.Value, 50)
					if p.Node.Refs != nil {
						p.Node.Refs(t.Context())
					}
					if v.Find != nil && p.Node.Span().Source != nil {
						if _, _, err := v.Find(ctx, p.Node.Span(), 100); err != nil {
							return err
						}
					}
					_, _, err := d.ReferencedBy(ctx, p, 10, nil)
					return err
				})
				if err != nil {
					t.Error(err)
				}
			})
		}
		group.Go(func() {
			if r, err := d.CheckAll(ctx, nil); err != nil || len(handgen.Damage(r)) > 0 {
				t.Error(r.Problems, err)
			}
		})
		group.Go(func() {
			for _, by := range d.StatKeys {
				if _, err := d.Stats(ctx, by, nil); err != nil {
					t.Error(err)
				}
			}
			if _, err := d.Facts(ctx, false, nil); err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
}
