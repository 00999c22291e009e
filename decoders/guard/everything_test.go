package guard

import (
	"context"
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"cutaway/model"
)

// TestEverythingIsGuarded breaks every method and func that a document gives out, as the model's source lists them, and
// calls each through the guard.
func TestEverythingIsGuarded(t *testing.T) {
	Strict(false)
	for _, name := range interfacesOfModel(t) {
		of, listed := guardedInterfaces[name]
		switch {
		case unguarded[name] != "":
		case !listed:
			t.Errorf("model.%s has no wrapper here, nor a reason to have none", name)
		default:
			t.Run(name, func(t *testing.T) { callMethods(t, name, of) })
		}
	}
	for name, funcs := range funcsOfModel(t) {
		wrap, listed := guardedFuncs[name]
		switch {
		case unguarded[name] != "":
		case !listed:
			t.Errorf("the funcs %v of model.%s have no wrapper here, nor a reason to have none", funcs, name)
		default:
			t.Run(name, func(t *testing.T) { callFuncs(t, name, wrap) })
		}
	}
}

// unguarded names the types whose methods and funcs no decoder gives out bare, with the reason.
var unguarded = map[string]string{
	"Value":           "has no method to call",
	"Opener":          "given to decoders",
	"Files":           "given to decoders",
	"Reader":          "of a file, or made by package source",
	"Mapping":         "made by package source",
	"ScatteredReader": "made by package source",
	"ResidentReader":  "made by package source",
	"Format":          "Open and Detect are functions of this package",
	"Specification":   "of a Format: made of its records, with no file",
	"FileNames":       "of a Format: looks at texts, and at nodes behind the guard",
	"Entries":         "behind View.Find and Document.ReferencedBy",
	"UsedBy":          "behind View.Find and Document.ReferencedBy",
	"Links":           "behind View.Find and Document.ReferencedBy",
	"Tables":          "behind View.Find and Document.ReferencedBy",
	"Rows":            "behind Children",
	"Elements":        "behind Array",
	"Measurement":     "given to decoders",
	"WalkOptions":     "given to walks",
	"CheckOptions":    "given to checks",
	"Ranged":          "read behind Document.CheckData alone",
}

// behind is an interface behind the guard: typ is which, wrapped has it, and all that is inside panics.
type behind struct {
	typ     reflect.Type
	wrapped any
}

func card[C model.Card](broken C) behind {
	return behind{reflect.TypeFor[C](), guardCard(broken)}
}

func children[C model.Children](broken C) behind {
	return behind{reflect.TypeFor[C](), guardNode(model.Node{Children: broken}).Children}
}

func array[A model.Array](broken A) behind {
	return behind{reflect.TypeFor[A](), guardValue(broken)}
}

// A struct around a nil interface has its methods, and each of them panics.
var guardedInterfaces = map[string]behind{
	"Card":          card[model.Card](struct{ model.Card }{}),
	"Table":         card[model.Table](struct{ model.Table }{}),
	"Series":        card[model.Series](struct{ model.Series }{}),
	"Picture":       card[model.Picture](struct{ model.Picture }{}),
	"RawPicture":    card[model.RawPicture](struct{ model.RawPicture }{}),
	"Sound":         card[model.Sound](struct{ model.Sound }{}),
	"Shape":         card[model.Shape](struct{ model.Shape }{}),
	"DetailedShape": card[model.DetailedShape](struct{ model.DetailedShape }{}),
	"UprightShape":  card[model.UprightShape](struct{ model.UprightShape }{}),
	"Scene":         card[model.Scene](struct{ model.Scene }{}),
	"Media":         card[model.Media](struct{ model.Media }{}),
	"Copier":        card[model.Copier](struct{ model.Copier }{}),
	"Listing":       card[model.Listing](struct{ model.Listing }{}),
	"Words":         card[model.Words](struct{ model.Words }{}),
	"TokenWords":    card[model.TokenWords](struct{ model.TokenWords }{}),
	"Array":         array[model.Array](struct{ model.Array }{}),
	"Packed":        array[model.Packed](struct{ model.Packed }{}),
	"Located":       array[model.Located](struct{ model.Located }{}),
	"Children":      children[model.Children](struct{ model.Children }{}),
	"Pending":       children[model.Pending](struct{ anyPending }{}),
	"Finder":        children[model.Finder](struct{ model.Finder }{}),
	"Bulk":          children[model.Bulk](brokenBulk{}),
}

// anyPending has another name than its method.
type anyPending = model.Pending

// brokenBulk is Children whose functions the test breaks.
type brokenBulk struct{ model.Children }

func (brokenBulk) Bulk() *model.BulkFuncs { return brokenFuncs }

var brokenFuncs = new(model.BulkFuncs)

func callMethods(t *testing.T, name string, of behind) {
	if !reflect.TypeOf(of.wrapped).Implements(of.typ) {
		t.Fatalf("%T is no %s", of.wrapped, name)
	}
	for i := range of.typ.NumMethod() {
		method := of.typ.Method(i)
		if !method.IsExported() {
			continue
		}
		call(t, name+"."+method.Name, reflect.ValueOf(of.wrapped).MethodByName(method.Name), false)
	}
}

// guardedFuncs makes a struct with funcs, which the test breaks by the first function, and wraps it by the second.
var guardedFuncs = map[string]struct {
	broken any // a pointer
	wrap   func(broken any) (wrapped any)
}{
	"Document": {&model.Document{Sources: []*model.Source{model.NewFileSource("a", model.BytesReader("a"))}},
		func(d any) any { guardDocument(d.(*model.Document)); return d }},
	"Release":     {new(model.Release), func(r any) any { guardRelease(r.(*model.Release)); return r }},
	"Change":      {new(model.Change), func(c any) any { guardChange(c.(*model.Change)); return c }},
	"View":        {new(model.View), func(v any) any { guardView(v.(*model.View)); return v }},
	"Description": {new(model.Description), func(d any) any { guardDescription(d.(*model.Description)); return d }},
	"NameIndex":   {new(model.NameIndex), func(x any) any { return guardNames(x.(*model.NameIndex)) }},
	"Track":       {new(model.Track), func(track any) any { guardTrack(track.(*model.Track)); return track }},
	"Packing":     {new(model.Packing), func(p any) any { guardPacking(p.(*model.Packing)); return p }},
	"Derivation":  {new(model.Derivation), func(d any) any { return guardDerivation(d.(*model.Derivation)) }},
	"Pixels":      {new(model.Pixels), func(p any) any { return guardPixels(p.(*model.Pixels)) }},
	"Plane": {new(model.Plane), func(p any) any {
		return &guardPixels(&model.Pixels{Planes: []model.Plane{*p.(*model.Plane)}}).Planes[0]
	}},
	"BulkFuncs": {brokenFuncs, func(any) any { return guarded{brokenBulk{}}.Bulk() }},
	"Node": {new(model.Node), func(n any) any {
		node := guardNode(*n.(*model.Node))
		return &node
	}},
}

func callFuncs(t *testing.T, name string, of struct {
	broken any
	wrap   func(any) any
}) {
	broken := reflect.ValueOf(of.broken).Elem()
	each := func(v reflect.Value, do func(name string, f reflect.Value)) {
		for i := range v.NumField() {
			if field := v.Type().Field(i); field.IsExported() && field.Type.Kind() == reflect.Func {
				do(field.Name, v.Field(i))
			}
		}
	}
	each(broken, func(field string, f reflect.Value) {
		f.Set(reflect.MakeFunc(f.Type(), func([]reflect.Value) []reflect.Value { panic(field) }))
	})
	each(reflect.ValueOf(of.wrap(of.broken)).Elem(), func(field string, f reflect.Value) {
		call(t, name+"."+field, f, name == "BulkFuncs" || name == "Document" && strings.HasPrefix(field, "Check") && field != "Checksums") // the caller makes the nodes; Check reports its fault
	})
}

// call calls f, which has a panic behind the guard. Where f returns an error, it must be the fault.
func call(t *testing.T, what string, f reflect.Value, silent bool) {
	t.Helper()
	defer func() {
		if r := recover(); r != nil {
			t.Errorf("%s: the panic went on: %v", what, r)
		}
	}()
	var args []reflect.Value
	for i := range f.Type().NumIn() {
		switch in := f.Type().In(i); {
		case in == reflect.TypeFor[context.Context]():
			args = append(args, reflect.ValueOf(t.Context()))
		case in == reflect.TypeFor[model.Children]():
			args = append(args, reflect.ValueOf(guarded{brokenBulk{}}))
		case in.Kind() == reflect.Func:
			args = append(args, reflect.MakeFunc(in, func([]reflect.Value) (zeros []reflect.Value) {
				for k := range in.NumOut() {
					zeros = append(zeros, reflect.Zero(in.Out(k)))
				}
				return zeros
			}))
		default:
			args = append(args, reflect.Zero(in))
		}
	}
	results := f.Call(args)
	if len(results) == 0 || silent {
		return
	}
	if last := results[len(results)-1]; last.Type() == reflect.TypeFor[error]() {
		var p model.Problem
		if err, _ := last.Interface().(error); !errors.As(err, &p) || p.Rule != FaultRule {
			t.Errorf("%s: %v is no fault", what, err)
		}
	}
}

// eachType visits the exported types that the model's source declares.
func eachType(t *testing.T, visit func(name string, typ ast.Expr)) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("..", "..", "model", "*.go"))
	if err != nil || len(files) == 0 {
		t.Fatal(err, fs.ErrNotExist)
	}
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(f, func(n ast.Node) bool {
			if spec, is := n.(*ast.TypeSpec); is && spec.Name.IsExported() {
				visit(spec.Name.Name, spec.Type)
			}
			return true
		})
	}
}

func interfacesOfModel(t *testing.T) (names []string) {
	eachType(t, func(name string, typ ast.Expr) {
		if _, is := typ.(*ast.InterfaceType); is {
			names = append(names, name)
		}
	})
	return names
}

func funcsOfModel(t *testing.T) map[string][]string {
	found := make(map[string][]string)
	eachType(t, func(name string, typ ast.Expr) {
		s, is := typ.(*ast.StructType)
		if !is {
			return
		}
		for _, field := range s.Fields.List {
			if _, isFunc := field.Type.(*ast.FuncType); isFunc && len(field.Names) > 0 && field.Names[0].IsExported() {
				found[name] = append(found[name], field.Names[0].Name)
			}
		}
	})
	return found
}
