package decoders

import (
	"slices"
	"testing"
)

func TestParseTarget(t *testing.T) {
	files := []string{"a.usdc", "odd#name.usdc", "colon:16", "b[1].usdz", "p.usdz", "dir/p.usdz", "all[x]#y:3"}
	exists := func(name string) bool { return slices.Contains(files, name) }
	for arg, want := range map[string]Target{
		"a.usdc":                      {File: "a.usdc", Offset: -1},
		"a.usdc#layout/TOKENS":        {File: "a.usdc", Path: "layout/TOKENS", Offset: -1},
		"a.usdc#":                     {File: "a.usdc", Offset: -1},
		"a.usdc:88":                   {File: "a.usdc", Offset: 88},
		"a.usdc:0x58":                 {File: "a.usdc", Offset: 0x58},
		"a.usdc:0X58":                 {File: "a.usdc", Offset: 0x58},
		"a.usdc:-3":                   {File: "a.usdc:-3", Offset: -1},
		"a.usdc:+3":                   {File: "a.usdc:+3", Offset: -1},
		"a.usdc:":                     {File: "a.usdc:", Offset: -1},
		"a.usdc:0x":                   {File: "a.usdc:0x", Offset: -1},
		"a.usdc:99999999999999999999": {File: "a.usdc:99999999999999999999", Offset: -1},
		"a.usdc#scene/a:b":            {File: "a.usdc", Path: "scene/a:b", Offset: -1},
		"a.usdc#scene/a:16":           {File: "a.usdc", Path: "scene/a:16", Offset: -1},
		"odd#name.usdc":               {File: "odd#name.usdc", Offset: -1},
		"odd#name.usdc#scene":         {File: "odd#name.usdc", Path: "scene", Offset: -1},
		"colon:16":                    {File: "colon:16", Offset: -1},
		"colon:16:0x10":               {File: "colon:16", Offset: 16},
		`C:\files\a.usdc`:             {File: `C:\files\a.usdc`, Offset: -1},
		"p.usdz[a/b.usdc]":            {File: "p.usdz", Inner: "a/b.usdc", Offset: -1},
		"p.usdz[a.usdc]:0x10":         {File: "p.usdz", Inner: "a.usdc", Offset: 16},
		"p.usdz[a.usdc]#scene/A[0]":   {File: "p.usdz", Inner: "a.usdc", Path: "scene/A[0]", Offset: -1},
		"p.usdz[in[1].usdc]":          {File: "p.usdz", Inner: "in[1].usdc", Offset: -1},
		"p.usdz[q.usdz[a.usdc]]":      {File: "p.usdz", Inner: "q.usdz[a.usdc]", Offset: -1},
		"b[1].usdz":                   {File: "b[1].usdz", Offset: -1},
		"b[1].usdz[c[2].usdc]":        {File: "b[1].usdz", Inner: "c[2].usdc", Offset: -1},
		"all[x]#y:3":                  {File: "all[x]#y:3", Offset: -1},
		"none.usdz[a.usdc]":           {File: "none.usdz", Inner: "a.usdc", Offset: -1},
		"none[]":                      {File: "none[]", Offset: -1},
		"[a]":                         {File: "[a]", Offset: -1},
		"#x":                          {File: "#x", Offset: -1},
		":5":                          {File: ":5", Offset: -1},
		"":                            {Offset: -1},
		"https://h/a.usdc":            {File: "https://h/a.usdc", Offset: -1},
		"http://h:80":                 {File: "http://h:80", Offset: -1},
		"http://h/a.usdc:16":          {File: "http://h/a.usdc:16", Offset: -1},
		"http://h/a.usdc#scene/A[0]":  {File: "http://h/a.usdc", Path: "scene/A[0]", Offset: -1},
		"HTTP://[::1]/p.usdz[d/a]#x":  {File: "HTTP://[::1]/p.usdz", Inner: "d/a", Path: "x", Offset: -1},
		"https://u:p@h/p.usdz?s=1[a]": {File: "https://h/p.usdz?…", Inner: "a", Offset: -1},
	} {
		got := ParseTarget(arg, exists)
		if got != want {
			t.Errorf("%q: got %+v, want %+v", arg, got, want)
		}
		if again := ParseTarget(got.String(), exists); again != got {
			t.Errorf("%q: written as %q, which reads as %+v", arg, got.String(), again)
		}
	}
}
