package model

import (
	"context"
	"fmt"
	"strings"
)

// A SchemaFinding is an error in a schema or description of the user.
type SchemaFinding struct {
	Schema  string `json:"schema"` // the file
	Path    string `json:"path"`   // in the file; empty where the text cannot be read at all
	Line    int    `json:"line"`   // from 1
	Column  int    `json:"column"` // from 1, in characters
	Message string `json:"message"`
	Warning bool   `json:"warning,omitempty"`
}

// String returns the finding in one line, as compilers write it.
func (f SchemaFinding) String() string {
	severity := "error"
	if f.Warning {
		severity = "warning"
	}
	return fmt.Sprintf("%s:%d:%d: %s: %s: %s", f.Schema, f.Line, f.Column, f.Path, severity, f.Message)
}

// ErrSchema is the error that a schema of the user cannot be used.
type ErrSchema struct {
	Findings []SchemaFinding // in the order of the text, including warnings
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

// A Description is a text that defines how a document is read, such as a Kaitai Struct description. It maps nodes to
// passages of the text.
type Description struct {
	Files    []DescriptionFile // the main one first
	Findings []SchemaFinding   // warnings
	// Of returns the passages of the text on the node at a path: that of its field, then that of the type of its
	// content, or none.
	Of func(ctx context.Context, path string) ([]Passage, error)
	// Next returns the path of the first node after the one at a path, in the order of the tree, that a line describes,
	// or "". After the last it returns the first. If the line describes a part of a record around the node, that part
	// takes precedence.
	Next func(ctx context.Context, file string, line int, after string, progress Progress) (path string, err error)
}

// A DescriptionFile is a file of a description.
type DescriptionFile struct {
	Name string // its path
	Text string // as of the time when the document was opened
}

// A Passage is a range of lines of a description's file, counted from 1, last line included.
type Passage struct {
	File        string
	First, Last int
}
