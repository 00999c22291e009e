// Command plain lists what makes the project's Go harder to read than need be: phrases and names (prose.go), large types and
// packages (sizes.go). TestCeilings holds the counts below those of ceilings.txt, which only fall.
//
//	plain [-c] [DIR…]    prints FILE:LINE: [what] text of each phrase and name, or with -c only counts
package main

import (
	"cmp"
	"flag"
	"fmt"
	"maps"
	"os"
	"slices"
)

func main() {
	counts := flag.Bool("c", false, "print counts alone, by kind and by folder")
	flag.Parse()
	hits, err := phrases(flag.Args())
	if err != nil {
		fmt.Fprintln(os.Stderr, "plain:", err)
		os.Exit(1)
	}
	if !*counts {
		for _, h := range hits {
			fmt.Println(h)
		}
		return
	}
	kinds, folders := make(map[string]int), make(map[string]int)
	for _, h := range hits {
		kinds[h.what]++
		folders[h.folder()]++
	}
	printCounts(kinds)
	fmt.Printf("%6d in all; folders:\n", len(hits))
	printCounts(folders)
}

func phrases(dirs []string) (hits []hit, err error) {
	if len(dirs) == 0 {
		dirs = []string{"."}
	}
	for _, dir := range dirs {
		err := eachFile(dir, func(name string, text []byte) { hits = append(hits, prose(name, text)...) })
		if err != nil {
			return nil, err
		}
	}
	return hits, nil
}

// printCounts prints the highest counts first.
func printCounts(of map[string]int) {
	keys := slices.SortedFunc(maps.Keys(of), func(a, b string) int { return cmp.Or(cmp.Compare(of[b], of[a]), cmp.Compare(a, b)) })
	for _, key := range keys {
		fmt.Printf("%6d %s\n", of[key], key)
	}
}
