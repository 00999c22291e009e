package decoders

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"strings"
	"testing"
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
			if spec.Name == nil || spec.Name.Name != "." {
				continue
			}
			if spec.Path.Value != `"cutaway/decoders/lang"` || path.Base(rel) != "records.go" {
				t.Errorf("%s: a dot import is for records.go and package lang", rel)
			}
			tables++
			checkTable(t, rel, f)
		}
	})
	if tables == 0 {
		t.Error("no records.go is a table")
	}
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
