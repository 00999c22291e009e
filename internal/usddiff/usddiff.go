// Package usddiff compares what the product's decoder shows of crates with what Pixar's usd-core reads from them:
// every path, type and value of the corpora and of scenes generated from a seed. The comparison is a test.
package usddiff

import (
	"os"
	"os/exec"
	"sync"
)

// Python is a Python interpreter that has usd-core, or "": that of the variable CUTAWAY_USD_PYTHON, of the folder where
// the project's machines have it, or of the path. Tests that want it skip where there is none.
var Python = sync.OnceValue(func() string {
	for _, p := range []string{os.Getenv("CUTAWAY_USD_PYTHON"), "/opt/ref/bin/python3", "python3"} {
		if p != "" && exec.Command(p, "-c", "from pxr import Sdf").Run() == nil {
			return p
		}
	}
	return ""
})

// NoPython is what a test says when it skips.
const NoPython = "no Python with usd-core: set CUTAWAY_USD_PYTHON"
