package usda

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"cutaway/model"
)

// The words for how a layer names files.
const (
	arcSubLayer  = "sublayer"
	arcReference = "reference"
	arcPayload   = "payload"
	arcClip      = "clip"
	arcAsset     = "asset"
)

// arcOf returns the word for how a place names files.
func arcOf(at *model.Place) string {
	const far = 4 // from the path of a reference to its field
	if at.Node.Name == "subLayers" {
		return arcSubLayer
	}
	named := at.Node.Name == "assetPath"
	for p, up := at.Parent, 0; p != nil; p, up = p.Parent, up+1 {
		switch {
		case p.Node.Type == "prim" || strings.HasPrefix(p.Node.Name, "."):
			return arcAsset
		case named && up < far && p.Node.Name == "references":
			return arcReference
		case named && up < far && p.Node.Name == "payload":
			return arcPayload
		case p.Node.Name == "clips":
			return arcClip
		}
	}
	return arcAsset
}

// variablesOf returns the texts among the expression variables of a layer.
func variablesOf(ctx context.Context, view *model.Place) map[string]string {
	if view.Node.Children == nil {
		return nil
	}
	list := kid(ctx, view.Node.Children, "expressionVariables").Children
	if list == nil {
		return nil
	}
	variables := map[string]string{}
	n, _ := list.Len(ctx)
	for i := range n {
		v := list.At(ctx, i)
		if text, is := v.Value.(model.Text); is {
			variables[v.Name] = string(text)
		}
	}
	return variables
}

// expand returns the text that an expression stands for, which is a quoted text or a variable. Other names are unchanged.
func expand(name string, variables map[string]string) (string, error) {
	const deepest = 16 // variables in each other
	return expandIn(name, variables, deepest)
}

func expandIn(name string, variables map[string]string, left int) (string, error) {
	inner, is := strings.CutPrefix(name, "`")
	if !is {
		return name, nil
	}
	text, ok := inQuotes(strings.TrimSuffix(inner, "`"))
	switch {
	case left == 0:
		return "", errors.New("the variables of " + name + " stand for each other")
	case !ok:
		return "", fmt.Errorf("%s calls functions, which are not evaluated", name)
	}
	return filled(text, variables, left-1)
}

// inQuotes returns the text in quotes, or a variable alone. ok is false for other expressions.
func inQuotes(s string) (text string, ok bool) {
	s = strings.TrimSpace(s)
	if strings.HasPrefix(s, "${") {
		return s, strings.IndexByte(s, '}') == len(s)-1
	}
	if len(s) < 2 || s[0] != s[len(s)-1] || s[0] != '"' && s[0] != '\'' {
		return "", false
	}
	return s[1 : len(s)-1], !strings.Contains(s[1:len(s)-1], s[:1])
}

// filled returns a text with the values of its variables.
func filled(s string, variables map[string]string, left int) (string, error) {
	var b strings.Builder
	for {
		before, rest, found := strings.Cut(s, "${")
		b.WriteString(before)
		if !found {
			return b.String(), nil
		}
		name, after, closed := strings.Cut(rest, "}")
		value, known := variables[name]
		switch {
		case !closed:
			return "", fmt.Errorf("the name of a variable in %q does not end", s)
		case !known:
			return "", fmt.Errorf("the variable %s has no value here", name)
		}
		value, err := expandIn(value, variables, left)
		if err != nil {
			return "", err
		}
		b.WriteString(value)
		s = after
	}
}
