package model

import (
	"context"
	"fmt"
	"strings"
)

// A SchemaFinding is something wrong in a schema or description that the user gave.
type SchemaFinding struct {
	Schema  string `json:"schema"` // the file
	Path    string `json:"path"`   // in the file; empty where the text cannot be read at all
	Line    int    `json:"line"`   // from 1
	Column  int    `json:"column"` // from 1, in characters
	Message string `json:"message"`
	Warning bool   `json:"warning,omitempty"`
}

// String is the finding on one line, as compilers write it.
func (f SchemaFinding) String() string {
	severity := "error"
	if f.Warning {
		severity = "warning"
	}
	return fmt.Sprintf("%s:%d:%d: %s: %s: %s", f.Schema, f.Line, f.Column, f.Path, severity, f.Message)
}

// ErrSchema says that a schema that the user gave cannot be used, and why.
type ErrSchema struct {
	Findings []SchemaFinding // in the order of the text; warnings too
}

func (e *ErrSchema) Error() string {
	var lines []string
	for _, f := range e.Findings {
		if !f.Warning {
			lines = append(lines, f.String())
		}
	}
	return strings.Join(lines, "\n")
}

// A Description is a text that a document is read by, such as a Kaitai Struct description, and the origin of each node in the text.
type Description struct {
	Files    []DescriptionFile // the main one first
	Findings []SchemaFinding   // warnings
	// Of returns the passages of the text on the node at a path: those of its field, then of the type of its content,
	// or none.
	Of func(ctx context.Context, path string) ([]Passage, error)
	// Next returns the path of the first node after the one at a path, in the order of the tree, that a line describes. The first one
	// comes after the last; if a line describes a part of a record that the node is in, that part comes first. It may return "".
	Next func(ctx context.Context, file string, line int, after string, progress Progress) (path string, err error)
}

// DescriptionFile is one file of a description.
type DescriptionFile struct {
	Name string // its path
	Text string // as it was when the document was opened
}

// Passage is some lines of a file of a description, from 1; the last is included.
type Passage struct {
	File        string
	First, Last int
}
