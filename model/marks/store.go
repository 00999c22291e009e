package marks

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"cutaway/internal/filelock"
)

// A Store keeps the marks of all files in a folder. It has a file for each document, named by its identity, and one for
// each path, which holds the identity last seen there.
type Store struct{ folder string }

// Open returns the store in the user's folder for program state.
func Open() (*Store, error) {
	folder, err := StateFolder()
	if err != nil {
		return nil, err
	}
	return In(filepath.Join(folder, "marks")), nil
}

// StateFolder returns the program's folder for the user's state, which need not exist.
func StateFolder() (string, error) {
	base := os.Getenv("XDG_STATE_HOME")
	if base == "" || !filepath.IsAbs(base) {
		home, err := os.UserHomeDir()
		if err != nil {
			return "", err
		}
		switch runtime.GOOS {
		case "windows", "darwin":
			if base, err = os.UserConfigDir(); err != nil {
				return "", err
			}
		default:
			base = filepath.Join(home, ".local", "state")
		}
	}
	return filepath.Join(base, "cutaway"), nil
}

// In returns the store in a folder, which is created on the first write.
func In(folder string) *Store { return &Store{folder} }

// Found is the result of a search for marks.
type Found uint8

// The results of a search for marks.
const (
	Nothing   Found = iota // no marks exist
	ByContent              // the file is unchanged
	Elsewhere              // the file is unchanged, but at another path
	ByPath                 // another file was at its path: the marks may not fit
)

// keptMarks is the file with a document's marks.
type keptMarks struct {
	File  string `json:"file"` // where the document was seen last
	Marks []Mark `json:"marks"`
}

// lastSeen is the file with the identity last seen at a path.
type lastSeen struct {
	File     string `json:"file"`
	Identity string `json:"identity"`
}

// Load returns the marks of the document with an identity at a path, and how they were found; was is the file's
// previous path. Load records the new one.
func (s *Store) Load(identity, file string) (list []Mark, found Found, was string, err error) {
	file = absolute(file)
	var k keptMarks
	if err := s.read(s.marksFile(identity), &k); err != nil {
		return nil, Nothing, "", err
	}
	if len(k.Marks) > 0 {
		if k.File != file {
			s.see(identity, file)
			return sorted(k.Marks), Elsewhere, k.File, nil
		}
		return sorted(k.Marks), ByContent, k.File, nil
	}
	var before lastSeen
	if err := s.read(s.pathFile(file), &before); err != nil || before.Identity == "" || before.Identity == identity {
		return nil, Nothing, "", err
	}
	if err := s.read(s.marksFile(before.Identity), &k); err != nil || len(k.Marks) == 0 {
		return nil, Nothing, "", err
	}
	return sorted(k.Marks), ByPath, k.File, nil
}

// see records that a document with marks is at a path, so that its marks are found there when its content changes.
// Failures are ignored: marks of unchanged content are found by identity.
func (s *Store) see(identity, file string) {
	var before lastSeen
	if err := s.read(s.pathFile(file), &before); err == nil && before.Identity != identity {
		_ = s.write(s.pathFile(file), lastSeen{file, identity})
	}
}

// Update changes the marks of a document. It reads them again, so that changes of other programs are kept. Marks found
// only by path are adopted.
func (s *Store) Update(identity, file string, change func([]Mark) ([]Mark, error)) error {
	file = absolute(file)
	if err := os.MkdirAll(s.folder, 0o700); err != nil {
		return err
	}
	unlock, err := s.lock()
	if err != nil {
		return err
	}
	defer unlock()
	list, _, _, err := s.Load(identity, file)
	if err != nil {
		return err
	}
	if list, err = change(list); err != nil {
		return err
	}
	if err := s.write(s.marksFile(identity), keptMarks{file, list}); err != nil {
		return err
	}
	return s.write(s.pathFile(file), lastSeen{file, identity})
}

// Add adds marks. They get an ID and a time if they have none.
func (s *Store) Add(identity, file string, marks ...Mark) error {
	return s.Update(identity, file, func(list []Mark) ([]Mark, error) {
		for _, m := range marks {
			if m.Colour == "" {
				m.Colour = Colours[0]
			}
			if m.ID == "" {
				m.ID = newID()
			}
			if m.Made.IsZero() {
				m.Made = time.Now().Truncate(time.Second)
			}
			if err := m.Check(); err != nil {
				return nil, err
			}
			list = slices.DeleteFunc(list, func(old Mark) bool { return old.ID == m.ID })
			list = append(list, m)
		}
		return list, nil
	})
}

// Remove removes the mark with an ID.
func (s *Store) Remove(identity, file, id string) error {
	return s.Update(identity, file, func(list []Mark) ([]Mark, error) {
		left := slices.DeleteFunc(slices.Clone(list), func(m Mark) bool { return m.ID == id })
		if len(left) == len(list) {
			return nil, fmt.Errorf("there is no mark %q", id)
		}
		return left, nil
	})
}

// Seen reports whether the user's folder has ever had marks of a file at the path.
func Seen(file string) bool {
	s, err := Open()
	if err == nil {
		_, err = os.Stat(s.pathFile(absolute(file)))
	}
	return err == nil
}

func newID() string {
	var b [4]byte
	_, _ = rand.Read(b[:]) // never fails
	return hex.EncodeToString(b[:])
}

// absolute returns the absolute path of a file. Addresses are absolute.
func absolute(file string) string {
	if strings.Contains(file, "://") {
		return file
	}
	if full, err := filepath.Abs(file); err == nil {
		return full
	}
	return file
}

func (s *Store) marksFile(identity string) string { return filepath.Join(s.folder, identity+".json") }

func (s *Store) pathFile(file string) string {
	sum := sha256.Sum256([]byte(file))
	return filepath.Join(s.folder, "at-"+hex.EncodeToString(sum[:16])+".json")
}

// read reads a file of the store into v, which stays unchanged if the file does not exist.
func (s *Store) read(name string, v any) error {
	b, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err == nil {
		err = json.Unmarshal(b, v)
	}
	if err != nil {
		return fmt.Errorf("marks: %s: %w", name, err)
	}
	return nil
}

// write writes a file of the store atomically.
func (s *Store) write(name string, v any) error {
	b, err := json.MarshalIndent(v, "", "\t")
	if err != nil {
		return err
	}
	f, err := os.CreateTemp(s.folder, ".new-*")
	if err != nil {
		return err
	}
	_, err = f.Write(append(b, '\n'))
	if err == nil {
		err = f.Sync()
	}
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	if err == nil {
		err = os.Rename(f.Name(), name)
	}
	if err != nil {
		_ = os.Remove(f.Name()) // the incomplete file is useless
	}
	return err
}

// lock keeps other programs from changing marks until unlock is called.
func (s *Store) lock() (unlock func(), err error) {
	held, err := filelock.Wait(filepath.Join(s.folder, "store.lock"), 5*time.Second)
	if err != nil {
		return nil, fmt.Errorf("marks: no change of another program may come between: %w", err)
	}
	return func() { _ = held.Close() }, nil // nothing was written
}
