package decoders

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"cutaway/decoders/decodertest"
	"cutaway/decoders/decodertest/example"
	"cutaway/model"
)

// TestRecordsAreTables: a file that reads as a table of package lang is named records.go, and has no func literal over a Scope and no
// init. What no expression says is a named function.
func TestRecordsAreTables(t *testing.T) {
	tables := 0
	eachGoFile(t, func(name, rel string) {
		if !strings.HasPrefix(rel, "decoders/") || strings.HasSuffix(rel, "_test.go") {
			return
		}
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Error(err)
			return
		}
		for _, spec := range f.Imports {
			isTable := spec.Path.Value == `"cutaway/decoders/lang"` && path.Base(rel) == "records.go"
			if isTable {
				tables++
				checkTable(t, rel, f)
			} else if spec.Name != nil && spec.Name.Name == "." {
				t.Errorf("%s: a dot import is for records.go and package lang", rel)
			}
		}
	})
	if tables == 0 {
		t.Error("no records.go is a table")
	}
}

// TestOnlyLanguagesDescribe: formats describe their records in package lang. Only lang, ksy and what compiles
// their expressions make descriptions of package grammar.
func TestOnlyLanguagesDescribe(t *testing.T) {
	descriptions := []string{"Record", "Field", "Extent", "Repeat", "Place", "Switch", "Choice", "Check",
		"Computed", "FixedCode", "IntCode", "BoolCode", "NumberCode", "Call", "Cases", "Within", "AsBytes"}
	made := map[string]int{}
	eachGoFile(t, func(name, rel string) {
		if !strings.HasPrefix(rel, "decoders/") || strings.HasSuffix(rel, "_test.go") {
			return
		}
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Error(err)
			return
		}
		ast.Inspect(f, func(n ast.Node) bool {
			var of ast.Expr
			switch n := n.(type) {
			case *ast.CompositeLit:
				of = n.Type
			case *ast.CallExpr:
				of = n.Fun
			}
			if sel, ok := of.(*ast.SelectorExpr); ok && slices.Contains(descriptions, sel.Sel.Name) {
				if from, ok := sel.X.(*ast.Ident); ok && from.Name == "grammar" {
					made[path.Dir(rel)]++
				}
			}
			return true
		})
	})
	for _, dir := range []string{"decoders/lang", "decoders/ksy", "decoders/formula"} {
		if made[dir] == 0 {
			t.Errorf("%s makes no descriptions", dir)
		}
		delete(made, dir)
	}
	for dir, n := range made {
		t.Errorf("%s makes %d descriptions of package grammar, which are for package lang", dir, n)
	}
}

// TestKSY: a description that is written as .ksy has the same leaves at the same bytes.
func TestKSY(t *testing.T) {
	spec, err := example.Format.Specification()
	if err != nil {
		t.Fatal(err)
	}
	ksy, err := spec.KSY()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	schema, file := filepath.Join(dir, "tide.ksy"), filepath.Join(dir, "two.tide")
	data := "TIDE\x01\x05\x00\x00\x02\x00\x00\x00" +
		"\x05Brest\x02\x00\x00\x00\x01\x00\x00\x00\x88\xff\x0b\x00\x02\x00\x00\x00\x54\x01\x03\x00\x04Oslo\x00\x00\x00\x00more"
	if err := errors.Join(os.WriteFile(schema, []byte(ksy), 0o600), os.WriteFile(file, []byte(data), 0o600)); err != nil {
		t.Fatal(err)
	}
	byKSY, err := OpenFile(t.Context(), file, OpenOptions{Options: Options{Options: map[string]string{"schema": schema}}})
	if err != nil {
		t.Fatalf("%v\n%s", err, ksy)
	}
	defer byKSY.Close()
	built := decodertest.Open(t, example.Format, "two.tide", model.BytesReader(data))
	want, got := leavesOf(t, built, model.LayoutView), leavesOf(t, byKSY, "fields")
	if len(want) < 20 || !slices.Equal(want, got) {
		t.Errorf("built in:\n%s\nby .ksy:\n%s", strings.Join(want, "\n"), strings.Join(got, "\n"))
	}
	usdz := All()[slices.IndexFunc(All(), func(f *model.Format) bool { return f.Name == "usdz" })]
	if spec, err = usdz.Specification(); err != nil {
		t.Fatal(err)
	}
	if _, err = spec.KSY(); err == nil || !strings.Contains(err.Error(), "local header.method is named by Go") {
		t.Errorf("usdz: %v", err)
	}
}

// leavesOf lists the leaves of a view, with their bytes.
func leavesOf(t *testing.T, doc *model.Document, view string) (list []string) {
	err := model.Walk(t.Context(), doc.View(view).Place(t.Context()), model.WalkOptions{Resolve: true, Elements: true}, func(p *model.Place) error {
		if n, _ := p.Len(t.Context()); n == 0 && p.Node.Span().Len > 0 {
			at := p.Node.Span()
			list = append(list, fmt.Sprintf("%s %d+%d/%x", strings.TrimPrefix(p.Path(), view+"/"), at.Off, at.Len, at.Mask))
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
	return list
}

func checkTable(t *testing.T, rel string, f *ast.File) {
	t.Helper()
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncDecl:
			if n.Recv == nil && n.Name.Name == "init" {
				t.Errorf("%s has an init", rel)
			}
		case *ast.FuncLit:
			for _, p := range n.Type.Params.List {
				if id, ok := p.Type.(*ast.Ident); ok && id.Name == "Scope" {
					t.Errorf("%s has a func literal over a Scope", rel)
				}
			}
		}
		return true
	})
}
