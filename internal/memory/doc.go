// Package memory compares --max-memory with the memory that the program's process takes. For large and hostile files of
// every format, the peak, file pages not counted, must be at most one and a half times the limit. The memory that info
// on the built-in sample takes is added. The comparison is a test. make memory runs all cases and writes the figures
// into docs/robustness.md. The peak is that of RssAnon, sampled every millisecond, so that a shorter one may be missed.
package memory
