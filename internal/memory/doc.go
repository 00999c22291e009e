// Package memory holds what --max-memory promises against what the program's process takes: over large and hostile
// files of every format its peak of memory, file pages not counted, is at most one and a half times what it was told,
// beside what info on the built-in sample takes. The comparison is a test; make memory runs all of it and writes the
// figures into docs/robustness.md. The peak is that of RssAnon, looked at every millisecond, so that a shorter one may be missed.
package memory
