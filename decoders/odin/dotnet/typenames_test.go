package dotnet

import (
	"strings"
	"testing"
)

// TestTypeNames is chapter 12.
func TestTypeNames(t *testing.T) {
	for name, want := range map[string]string{
		"System.Int32, mscorlib":                                "int",
		"System.Int32[][], mscorlib":                            "int[][]",
		"System.Int32[,], mscorlib":                             "int[,]",
		"System.Int32[,][], mscorlib":                           "int[][,]",
		"System.String":                                         "string",
		"Demo.Outer+Inner, Assembly-CSharp":                     "Demo.Outer.Inner",
		"System.Nullable`1[[System.Int32, mscorlib]], mscorlib": "int?",
		"System.Collections.Generic.Dictionary`2[[System.String, mscorlib],[System.Int32[], mscorlib]], mscorlib": "System.Collections.Generic.Dictionary<string, int[]>",
		"A`1+B`1[[System.Int32, m],[System.Single, m]], m":                                                        "A<int>.B<float>",
		"A.List`1, m": "A.List<>",
		"System.Int32, mscorlib, Version=4.0.0.0, Culture=neutral, PublicKeyToken=b77a5c561934e089": "int",
		"Demo.<Run>d__7|2_0, Assembly-CSharp":                                                       "Demo.<Run>d__7|2_0",
		"not [ a type":                                                                              "not [ a type",
		"":                                                                                          "",
	} {
		if got := Readable(name); got != want {
			t.Errorf("%q is %q, want %q", name, got, want)
		}
	}
	if Readable(strings.Repeat("A`1[[", 500)) == "" {
		t.Error("deep arguments give nothing")
	}
}

// TestShortTypes writes types without namespaces.
func TestShortTypes(t *testing.T) {
	for name, want := range map[string]string{
		"System.Int32, mscorlib":                           "int",
		"System.Type[], mscorlib":                          "Type[]",
		"Demo.Outer+Inner, Assembly-CSharp":                "Outer.Inner",
		"Demo.A`1+B`1[[Demo.C, m],[System.Single, m]], m":  "A<C>.B<float>",
		"System.Nullable`1[[Demo.Point, m]], mscorlib":     "Point?",
		"Demo.List`1[[Demo.List`1[[Demo.X, m]], m]][,], m": "List<List<X>>[,]",
		"not [ a type": "not [ a type",
		"":             "",
	} {
		if got := Short(name); got != want {
			t.Errorf("%q is %q, want %q", name, got, want)
		}
	}
}
