package usdc

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"cutaway/model"
)

func TestDump(t *testing.T) {
	files, _ := filepath.Glob(corpus + "/*.usd*")
	made, _ := filepath.Glob(corpus + "/made/*")
	for _, f := range append(files, made...) {
		if filepath.Ext(f) == ".usdz" {
			continue
		}
		b, _ := os.ReadFile(f)
		d := openBytes(t, f, b)
		r, err := d.CheckAll(context.Background(), nil)
		if err != nil {
			t.Error(err)
		}
		p, _ := (&crate{}).before(1, 1), 0
		_ = p
		fmt.Println(filepath.Base(f), len(r.Problems), r.Tiling)
		for _, p := range r.Problems {
			fmt.Println("   ", p.Path, p.Rule, p.Kind, p.Span, p.Problem)
		}
		n := 0
		err = model.Walk(context.Background(), d.View("scene").Place(), model.WalkOptions{Resolve: true}, func(p *model.Place) error { n++; 
			if os.Getenv("DUMP") != "" { fmt.Println(p.Path(), p.Node.Type, model.Show(p.Node.Value, 60), p.Node.Spans) }
			return nil })
		fmt.Println("   scene", n, err)
		n = 0
		err = model.Walk(context.Background(), d.View("paths").Place(), model.WalkOptions{Resolve: true}, func(p *model.Place) error { n++; 
			if os.Getenv("DUMP") != "" { fmt.Println(p.Path(), p.Node.Type, model.Show(p.Node.Value, 60), p.Node.Spans) }
return nil })
		fmt.Println("   paths", n, err)
	}
}
