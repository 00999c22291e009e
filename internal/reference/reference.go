// Package reference finds the Python interpreters that have the formats' own libraries, which tests compare with.
package reference

import (
	"os"
	"os/exec"
	"sync"
)

// A Library is a Python library of a format's makers.
type Library struct {
	Missing string // what a test says when it skips
	find    func() string
}

// The libraries that tests compare with.
var (
	USD      = library("CUTAWAY_USD_PYTHON", "pxr.Sdf", "usd-core")
	LightUSD = library("CUTAWAY_USD_PYTHON", "lightusd", "--pre lightusd")
	VRS      = library("CUTAWAY_VRS_PYTHON", "pyvrs", "vrs")
)

func library(variable, module, pip string) Library {
	return Library{"no Python with " + pip + " (pip install " + pip + "): set " + variable, sync.OnceValue(func() string {
		for _, p := range []string{os.Getenv(variable), "/opt/ref/bin/python3", "python3"} {
			if p != "" && exec.Command(p, "-c", "import "+module).Run() == nil {
				return p
			}
		}
		return ""
	})}
}

// Python returns an interpreter that has the library, or "": that of the variable, of the folder where the project's
// machines have it, or of the path.
func (l Library) Python() string { return l.find() }
