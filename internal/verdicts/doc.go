// Package verdicts compares what a check says of damaged files with what the formats' own libraries say: of those
// that a library complains about few may be sound here, and of those that it reads without complaint few may have
// errors here, each by a named rule. Formats without a library must show each change in their values or by a problem.
// The comparison is a test; make verdicts runs all of it and writes the figures into docs/robustness.md.
package verdicts
