package vrs

import (
	"slices"
	"strconv"
	"strings"
)

// labels returns the labels of all streams.
func (t *table) labels() []string {
	t.labelled.Do(func() {
		names, flavors := make([]string, len(t.streams)), make([]string, len(t.streams))
		for i, s := range t.streams {
			names[i], flavors[i] = s.name(), s.flavor()
		}
		t.labelTexts = labelsOf(names, flavors)
	})
	return t.labelTexts
}

// labelsOf returns a label for each of several streams, no two the same: its name without the words that all names have; with what
// its flavor has of its own, if streams of that name have several; with a number, if both are those of another stream.
func labelsOf(names, flavors []string) []string {
	labels := make([]string, len(names))
	for i := range names {
		labels[i] = shortName(names[i])
	}
	for _, same := range groupsOf(labels) {
		var of []string
		for _, i := range same {
			of = append(of, flavors[i])
		}
		own := len(commonPath(of))
		for _, i := range same {
			if rest := strings.Trim(flavors[i][own:], "/"); rest != "" && len(same) > 1 {
				labels[i] += " · " + rest
			}
		}
	}
	for _, same := range groupsOf(labels) {
		for k, i := range same {
			if len(same) > 1 {
				labels[i] += " " + strconv.Itoa(k+1)
			}
		}
	}
	return labels
}

// shortName returns the name of a type of streams without the words that say no more than that it is one.
func shortName(name string) string {
	words := strings.Fields(name)
	words = slices.DeleteFunc(words, func(w string) bool { return w == "Class" || w == "Data" || w == "Stream" })
	if len(words) == 0 {
		return name
	}
	return strings.Join(words, " ")
}

// groupsOf returns the numbers of equal texts, in the order of the first of each.
func groupsOf(texts []string) (groups [][]int) {
	at := map[string]int{}
	for i, text := range texts {
		k, known := at[text]
		if !known {
			k = len(groups)
			at[text], groups = k, append(groups, nil)
		}
		groups[k] = append(groups[k], i)
	}
	return groups
}

// commonPath returns the beginning that all paths share, up to a slash, or the path if all are equal.
func commonPath(paths []string) string {
	common := paths[0]
	for _, p := range paths[1:] {
		for !strings.HasPrefix(p, common) || len(p) > len(common) && common != "" && p[len(common)] != '/' && common[len(common)-1] != '/' {
			common = common[:strings.LastIndexByte(strings.TrimSuffix(common, "/"), '/')+1]
		}
	}
	return common
}
