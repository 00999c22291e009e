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

// A Store keeps the marks of all files in a folder: a file for each document, by its identity, and one for each path,
// which says what was last seen there.
type Store struct{ folder string }

// Open is the store in the user's folder for what programs remember.
func Open() (*Store, error) {
	folder, err := StateFolder()
	if err != nil {
		return nil, err
	}
	return In(filepath.Join(folder, "marks")), nil
}

// StateFolder is the program's folder among those for what programs remember of the user's work. It may not be there yet.
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

// In is the store in a folder, which is made when something is kept.
func In(folder string) *Store { return &Store{folder} }

// Found says how the marks of a file were found.
type Found uint8

// How marks were found.
const (
	Nothing   Found = iota // there are none
	ByContent              // the file is as it was
	Elsewhere              // the file is as it was, but at another path
	ByPath                 // there was another file at its path: the marks may not fit
)

// keptMarks is the file of a document's marks.
type keptMarks struct {
	File  string `json:"file"` // where the document was seen last
	Marks []Mark `json:"marks"`
}

// lastSeen is the file that says what was last seen at a path.
type lastSeen struct {
	File     string `json:"file"`
	Identity string `json:"identity"`
}

// Load returns the marks of the document with an identity that is now the file of a name, and how they were found;
// was is the file's name before. Load keeps the new one.
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

// see keeps that a document with marks is at a path now, so that they are found there when its content changes. Where that
// cannot be kept, they are found all the same as long as it does not.
func (s *Store) see(identity, file string) {
	var before lastSeen
	if err := s.read(s.pathFile(file), &before); err == nil && before.Identity != identity {
		_ = s.write(s.pathFile(file), lastSeen{file, identity})
	}
}

// Update changes the marks of a document. It reads them anew, so that what another program kept meanwhile stays. Marks
// that were found by the path alone are taken over.
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

// Add keeps a mark, which gets an ID and a time where it has none.
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

// Remove takes the mark of an ID out.
func (s *Store) Remove(identity, file, id string) error {
	return s.Update(identity, file, func(list []Mark) ([]Mark, error) {
		left := slices.DeleteFunc(slices.Clone(list), func(m Mark) bool { return m.ID == id })
		if len(left) == len(list) {
			return nil, fmt.Errorf("there is no mark %q", id)
		}
		return left, nil
	})
}

// Seen reports whether marks of what was at a path were ever kept in the user's folder.
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

// absolute is the whole path of a file; an address is one.
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

// read reads a file of the store; one that is not there leaves v as it is.
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

// write writes a file of the store whole or not at all.
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
		_ = os.Remove(f.Name()) // it is of no use to anybody
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
