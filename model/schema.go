package model

import (
	"fmt"
	"strings"
)

// A SchemaFinding is something wrong in a schema or description that the user gave.
type SchemaFinding struct {
	Schema  string `json:"schema"` // the file
	Path    string `json:"path"`   // in it; empty where the text cannot be read at all
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
