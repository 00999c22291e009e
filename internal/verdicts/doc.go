// Package verdicts compares the verdicts of a check on damaged files with those of the formats' own libraries. Of files
// that a library complains about, few may be sound here. Of files that it reads without complaint, few may have errors
// here, each by a named rule. Formats without a library must show each change in their values or by a problem. The
// comparison is a test. make verdicts runs all cases, and writes the figures into docs/robustness.md.
package verdicts
