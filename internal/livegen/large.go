package livegen

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"cutaway/internal/filegen"
)

// Commands returns a delta of n commands, about: prims in groups of 1,000 with an attribute each, some moved and deleted,
// and a field for every tenth.
func Commands(n int, unionVector bool) *Delta {
	d := &Delta{Commands: World(), UnionVector: unionVector}
	group := uint64(10)
	for i := 0; len(d.Commands) < n; i++ {
		id := uint64(1000 + 2*i)
		if i%1000 == 0 {
			group = uint64(1)<<40 + uint64(i)
			d.Commands = append(d.Commands, Command{Kind: Create, Parent: 10, Section: group, Name: fmt.Sprintf("Group_%d", i/1000), Type: 6})
		}
		d.Commands = append(d.Commands,
			Command{Kind: Create, Parent: group, Section: id, Name: fmt.Sprintf("Prim_%d", i), Type: 6},
			Command{Kind: Create, Parent: id, Section: id + 1, Name: "size", Type: 1})
		switch i % 10 {
		case 3:
			d.Commands = append(d.Commands, Command{Kind: Move, OldParent: group, Parent: 10, Section: id, Name: fmt.Sprintf("Moved_%d", i)})
		case 7:
			d.Commands = append(d.Commands, Command{Kind: Delete, Section: id})
		case 5:
			d.Settings = append(d.Settings, Setting{Section: id + 1, Key: "default", Value: Int(int32(i)), Order: uint32(i)})
		}
	}
	return d
}

// CommandsFile writes Commands to a file in a folder, unless it exists, and returns its name.
func CommandsFile(folder string, n int, unionVector bool) (string, error) {
	name := filepath.Join(folder, fmt.Sprintf("commands-%d-%t.oodf", n, unionVector))
	if _, err := os.Stat(name); err == nil {
		return name, nil
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return "", err
	}
	return name, filegen.Whole(name, func(f *os.File) error {
		_, err := f.Write(Commands(n, unionVector).Build())
		return err
	})
}

// SparseFile writes a multi-part file to a folder, unless it exists, and returns its name. Part 1 is an array of zeros
// of about size bytes, a hole in the file. Its elements are floats, or empty strings.
func SparseFile(folder string, size int64, strings bool) (string, error) {
	kind, header := "floats", Floats(uint64(size-10)/4)
	if strings {
		kind, header = "strings", Strings(uint64(size-10)/4)
	}
	name := filepath.Join(folder, fmt.Sprintf("sparse-%s-%d.ompf", kind, size))
	if _, err := os.Stat(name); err == nil {
		return name, nil
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return "", err
	}
	large := int64(len(header)) + (size-10)/4*4
	d := &Delta{Commands: World(), Settings: []Setting{
		{Section: 11, Key: "points", Value: make([]byte, 20), Size: uint64(large), Index: 1},
		{Section: 11, Key: "default", Value: Int(1), Order: 1},
	}}
	first := d.Build()
	return name, filegen.Whole(name, func(f *os.File) error {
		head := MultiPartHead("OMPF", int64(len(first)), large)
		at := offsets([]int64{int64(len(first)), large})
		_, err1 := f.WriteAt(head, 0)
		_, err2 := f.WriteAt(first, at[0])
		_, err3 := f.WriteAt(header, at[1])
		return errors.Join(err1, err2, err3, f.Truncate(at[1]+large))
	})
}
