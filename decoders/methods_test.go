package decoders

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"strconv"
	"strings"
	"testing"
)

// mostMethods is how many methods a type of the window may have, with those that it has by embedding.
const mostMethods = 60

// moreMethods are types that have more, and how many at most: none may get more.
var moreMethods = map[string]int{"ui/treeview.Tree": 111} // a widget; what it fetches, seeks and picks should be types of their own

// A counted type is what a count of methods needs of a type.
type counted struct {
	methods  int
	embedded []string // by folder and name, such as "ui/shell.Shell"
}

// TestMethods: no type of the window has so many methods that nobody can say what it is.
func TestMethods(t *testing.T) {
	types := make(map[string]*counted)
	of := func(dir, name string) *counted {
		key := dir + "." + name
		if types[key] == nil {
			types[key] = &counted{}
		}
		return types[key]
	}
	eachGoFile(t, func(name, rel string) {
		if !strings.HasPrefix(rel, "ui/") || strings.HasSuffix(rel, "_test.go") {
			return
		}
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		dir, imported := path.Dir(rel), importedBy(f)
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncDecl:
				if n.Recv != nil {
					of(dir, nameOf(n.Recv.List[0].Type, dir, imported)[len(dir)+1:]).methods++
				}
			case *ast.TypeSpec:
				s, is := n.Type.(*ast.StructType)
				for i := 0; is && i < len(s.Fields.List); i++ {
					if field := s.Fields.List[i]; len(field.Names) == 0 {
						c := of(dir, n.Name.Name)
						c.embedded = append(c.embedded, nameOf(field.Type, dir, imported))
					}
				}
			}
			return true
		})
	})
	var all func(c *counted) int
	all = func(c *counted) int {
		sum := c.methods
		for _, e := range c.embedded {
			if types[e] != nil {
				sum += all(types[e])
			}
		}
		return sum
	}
	if len(types) < 100 {
		t.Errorf("only %d types", len(types))
	}
	for name, c := range types {
		if n := all(c); n > max(mostMethods, moreMethods[name]) {
			t.Errorf("%s has %d methods, %d of its own; a type of the window may have %d", name, n, c.methods, max(mostMethods, moreMethods[name]))
		}
	}
}

// importedBy returns the folders of ours that a file imports, by the names that it has for them.
func importedBy(f *ast.File) map[string]string {
	imported := make(map[string]string)
	for _, spec := range f.Imports {
		name, err := strconv.Unquote(spec.Path.Value)
		ours, is := strings.CutPrefix(name, module+"/")
		switch {
		case err != nil || !is:
		case spec.Name != nil:
			imported[spec.Name.Name] = ours
		default:
			imported[path.Base(ours)] = ours
		}
	}
	return imported
}

// nameOf returns a type by its folder and name, where it is one of ours.
func nameOf(e ast.Expr, dir string, imported map[string]string) string {
	switch e := e.(type) {
	case *ast.Ident:
		return dir + "." + e.Name
	case *ast.StarExpr:
		return nameOf(e.X, dir, imported)
	case *ast.IndexExpr:
		return nameOf(e.X, dir, imported)
	case *ast.IndexListExpr:
		return nameOf(e.X, dir, imported)
	case *ast.SelectorExpr:
		if in, is := e.X.(*ast.Ident); is {
			return imported[in.Name] + "." + e.Sel.Name
		}
	}
	return ""
}
