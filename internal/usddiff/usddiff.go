// Package usddiff compares what the product's decoder shows of crates with what Pixar's usd-core reads from them:
// every path, type and value of the corpora and of scenes generated from a seed. The comparison is a test.
package usddiff

import "cutaway/internal/reference"

// Python returns a Python interpreter that has usd-core, or "". Tests that want it skip where there is none.
func Python() string { return reference.USD.Python() }

// NoPython is a test's reason to skip.
var NoPython = reference.USD.Missing
