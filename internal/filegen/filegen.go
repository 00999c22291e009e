// Package filegen writes large test files.
package filegen

import (
	"errors"
	"os"
)

// Whole writes a file that has its name only when it is whole.
func Whole(name string, write func(*os.File) error) error {
	f, err := os.Create(name + ".part")
	if err != nil {
		return err
	}
	err = errors.Join(write(f), f.Close())
	if err == nil {
		err = os.Rename(f.Name(), name)
	}
	if err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	return nil
}
