// Package settings keeps the state of the window from one run to the next.
package settings

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"cutaway/hexview"
	"cutaway/internal/filelock"
	"cutaway/source/far"
	"cutaway/ui/look"
)

// MaxRecent is the number of recent files that are kept.
const MaxRecent = 12

// Store holds the state of the window from one run to the next, in a file of our own: Fyne's preferences are written
// in place, and another window may read half a file.
type Store struct {
	Path string `json:"-"` // "" remembers nothing

	look.Settings
	hexview.Mode // how bytes are shown

	Recent []string `json:"recent"` // paths; of several that are one document, joined
	Width  float32  `json:"width,omitempty"`
	Height float32  `json:"height,omitempty"`
	// TreeWide and CardWide are the widths that the user gave the columns of the tree and the card, or 0 for the window's choice.
	TreeWide float32 `json:"tree_wide,omitempty"`
	CardWide float32 `json:"card_wide,omitempty"`
	// StageSide, ListSide and InspectorSide are the shares of the height above the bytes, a list below the tree, and the inspector.
	StageSide     float64 `json:"stage_side,omitempty"`
	ListSide      float64 `json:"list_side,omitempty"`
	InspectorSide float64 `json:"inspector_side,omitempty"`
	InspectorOpen bool    `json:"inspector_open,omitempty"`
	// Arranged says what of the stage and the bytes is shown, by format: both where it has none.
	Arranged map[string]string    `json:"arranged,omitempty"`
	Columns  map[string][]float32 `json:"columns,omitempty"` // widths, by table
	Formats  []string             `json:"formats,omitempty"` // folders of descriptions
	Codecs   []string             `json:"codecs,omitempty"`  // programs that do a process, each NAME=PROGRAM [ARGUMENT…]
	Assets   []string             `json:"assets,omitempty"`  // where named files are looked for too: folders, or PREFIX=DIR
	Editor   string               `json:"editor,omitempty"`  // the program for descriptions, or "" for the system's

	// SecondBytes says that bytes are shown at two places, one below the other.
	SecondBytes bool `json:"second_bytes,omitempty"`
	// Turns is by how many quarters the pictures of a stream are turned, by the path of its records.
	Turns map[string]int `json:"turns,omitempty"`
	// TimeFolded says that only the head of the time bar is shown.
	TimeFolded bool     `json:"time_folded,omitempty"`
	Used       []string `json:"used,omitempty"`    // actions, the last first
	Tabs       []Tab    `json:"tabs,omitempty"`    // that are open in the window that keeps them, or were when it ended
	Tab        int      `json:"tab,omitempty"`     // the number of the one in front
	Closed     []Tab    `json:"closed,omitempty"`  // tabs that were closed, the last one last
	NoTabs     bool     `json:"no_tabs,omitempty"` // the tabs do not come back
	NoHello    bool     `json:"no_welcome,omitempty"`
	Reuse      bool     `json:"reuse_window,omitempty"` // a second start hands its files to a running window
	// CheckLimit is the size of the largest files that are checked in the background at opening, in MiB; 0 means 64, and a negative number none.
	CheckLimit int64 `json:"check_limit,omitempty"`
	// Cache is the limit of inflated data in memory, in MiB; 0 means 256.
	Cache int64 `json:"cache,omitempty"`

	// Damage says what could not be read at the start, or is "".
	Damage string `json:"-"`
	// Gather brings the state of the window up to date, or is nil.
	Gather func() `json:"-"`

	mu      sync.Mutex             // while the file is written
	lock    io.Closer              // held while the tabs in the file are this window's, else nil
	unsaved atomic.Pointer[[]byte] // the store to be written, or nil if it was
	failed  atomic.Pointer[error]  // why that could not be written, or nil if it was or the user knows

	changing sync.Mutex      // guards the two below; never held while a file is asked for
	changes  []func(*common) // to the common part that the file does not have yet
	merged   *common         // what the file had after the last write; nil once the store has it
}

// common is the part of the state that all windows share.
type common struct {
	recent []string
	reuse  bool
}

// Tab is a file in a tab as it was left.
type Tab struct {
	Files   []string          `json:"files"` // of one document, the first first
	Format  string            `json:"format,omitempty"`
	At      int64             `json:"at,omitempty"` // where the format begins
	Options map[string]string `json:"options,omitempty"`
	Path    string            `json:"path,omitempty"`  // of the selected node
	Open    []string          `json:"open,omitempty"`  // the paths of open branches, those above before those below
	Stand   json.RawMessage   `json:"stand,omitempty"` // the user's other places there, in the words of ui/document
	Place   int               `json:"place,omitempty"` // of a closed one: how many tabs were before it
}

// usualCheck and usualCache are in MiB.
const (
	usualCheck = 64
	usualCache = 256
)

// CheckBytes returns the size of the largest files that are checked in the background, in bytes.
func (s *Store) CheckBytes() int64 {
	if s.CheckLimit == 0 {
		return usualCheck << 20
	}
	return max(s.CheckLimit, -1) << 20
}

// CacheBytes returns the limit of inflated data in memory, in bytes.
func (s *Store) CacheBytes() int64 {
	if s.Cache <= 0 {
		return usualCache << 20
	}
	return s.Cache << 20
}

// Path returns the file of the store, or "" if the system has no folder for settings.
func Path() string {
	dir, err := os.UserConfigDir()
	if err != nil {
		return ""
	}
	return filepath.Join(dir, "cutaway", "window.json")
}

// Load reads what was remembered, key by key: what is wrong with one costs that one, is said by Damage, and the file as it was
// is kept beside. An absent file counts as empty.
func Load(path string) *Store {
	s := &Store{Path: path}
	if b, err := os.ReadFile(path); err == nil {
		if wrong := s.read(b); len(wrong) > 0 {
			s.Damage = damage(path, s.sibling(".damaged.json"), b, wrong)
		}
	}
	if s.Columns == nil {
		s.Columns = make(map[string][]float32)
	}
	return s
}

// read takes each key of a file that can be taken, and says what is wrong with the others.
func (s *Store) read(b []byte) (wrong []string) {
	if json.Unmarshal(b, s) == nil {
		return nil
	}
	*s = Store{Path: s.Path} // parts may have been taken
	var keys map[string]json.RawMessage
	if err := json.Unmarshal(b, &keys); err != nil {
		return []string{"it is no JSON object (" + err.Error() + ")"}
	}
	for _, key := range slices.Sorted(maps.Keys(keys)) {
		one, err := json.Marshal(map[string]json.RawMessage{key: keys[key]})
		if err != nil {
			return []string{err.Error()} // it has just been read
		}
		if err := json.Unmarshal(one, s); err == nil {
			continue
		} else if of := new(json.UnmarshalTypeError); errors.As(err, &of) {
			wrong = append(wrong, fmt.Sprintf("%s has a %s where %s is wanted", cmp.Or(of.Field, key), of.Value, of.Type))
		} else {
			wrong = append(wrong, key+": "+err.Error())
		}
	}
	return wrong
}

// damage moves a damaged file aside and returns a sentence for the user.
func damage(path, beside string, b []byte, wrong []string) string {
	text := fmt.Sprintf("Not all settings could be read from %s: %s. What is usual holds in their place.", path, strings.Join(wrong, "; "))
	if err := os.WriteFile(beside, b, 0o600); err != nil {
		return text + " The file could not be kept: " + err.Error()
	}
	return text + " The file as it was is kept as " + filepath.Base(beside) + "."
}

// Keep makes the tabs in the file this window's, unless another that runs has them; it reports whether they are. Of several
// windows the first has them, and when it has ended the next one that saves.
func (s *Store) Keep() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.lockTabs()
}

func (s *Store) lockTabs() bool {
	if s.lock == nil && s.Path != "" && os.MkdirAll(filepath.Dir(s.Path), 0o700) == nil {
		s.lock, _ = filelock.Try(s.sibling(".lock")) // nil where another one has it
	}
	return s.lock != nil || s.Path == ""
}

// alone keeps other windows, which may be other programs', from writing between a reading and a writing of the file, until
// done is called. A program that hangs there holds nobody up for long.
func (s *Store) alone() (done func()) {
	if os.MkdirAll(filepath.Dir(s.Path), 0o700) != nil {
		return func() {} // the writing will say why
	}
	held, err := filelock.Wait(s.sibling(".write.lock"), time.Second)
	if err != nil {
		return func() {} // better a change of another window lost than all of this one's
	}
	return func() { _ = held.Close() } // nothing was written
}

// sibling returns the name of a file beside the store.
func (s *Store) sibling(ext string) string {
	return strings.TrimSuffix(s.Path, filepath.Ext(s.Path)) + ext
}

// Save writes the store as it is now, in the background, and returns why that failed the last time. What all windows have in
// common stays as it is in the file.
func (s *Store) Save() error {
	if err := s.encode(); err != nil {
		return err
	}
	go s.writeUnsaved()
	return s.failure()
}

// End saves for the last time, before it returns, and leaves the tabs to the next window.
func (s *Store) End() error {
	err := s.encode()
	s.writeUnsaved()
	err = errors.Join(err, s.failure())
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.Path = ""; s.lock != nil { // what is saved yet is of a window that is no more
		err = errors.Join(err, s.lock.Close())
		s.lock = nil
	}
	return err
}

// encode notes the store as it is now for the next write.
func (s *Store) encode() error {
	if s.Gather != nil {
		s.Gather()
	}
	return s.note()
}

// note encodes the state that was gathered before.
func (s *Store) note() error {
	s.takeMerged()
	b, err := json.Marshal(s)
	if err == nil {
		s.unsaved.Store(&b)
	}
	return err
}

// takeMerged takes over the changes of other windows to the common part, as of the last write.
func (s *Store) takeMerged() {
	s.changing.Lock()
	defer s.changing.Unlock()
	if s.merged == nil {
		return
	}
	for _, do := range s.changes {
		do(s.merged)
	}
	s.Recent, s.Reuse, s.merged = s.merged.recent, s.merged.reuse, nil
}

// writeUnsaved writes what was noted last, if that was not done yet.
func (s *Store) writeUnsaved() {
	s.mu.Lock()
	defer s.mu.Unlock()
	b := s.unsaved.Swap(nil)
	if b == nil || s.Path == "" {
		return
	}
	defer s.alone()()
	var own Store
	err := json.Unmarshal(*b, &own)
	if err == nil {
		s.lockTabs()
		file := Load(s.Path)
		changes := s.merge(&own, file)
		if err = s.write(&own, file); err == nil {
			s.isMerged(&own, changes)
		}
	}
	if err != nil {
		s.failed.Store(&err)
	}
}

// merge sets what all windows have in common to what the file has, with this window's changes. It returns how many of those
// it made.
func (s *Store) merge(own, file *Store) int {
	s.changing.Lock()
	defer s.changing.Unlock()
	all := common{file.Recent, file.Reuse}
	for _, do := range s.changes {
		do(&all)
	}
	own.Recent, own.Reuse = all.recent, all.reuse
	return len(s.changes)
}

// isMerged forgets the first n changes, which are in the file now, and lets the store take what the file has.
func (s *Store) isMerged(own *Store, n int) {
	s.changing.Lock()
	defer s.changing.Unlock()
	s.changes = slices.Delete(s.changes, 0, n)
	s.merged = &common{slices.Clone(own.Recent), own.Reuse}
}

// failure returns, once, why a note could not be written.
func (s *Store) failure() error {
	if err := s.failed.Swap(nil); err != nil {
		return *err
	}
	return nil
}

// SetReuse remembers whether later starts use a running window.
func (s *Store) SetReuse(on bool) error { return s.change(func(c *common) { c.reuse = on }) }

// change changes what all windows have in common: of this store at once, of the file in the background. It returns why the last
// write failed.
func (s *Store) change(do func(*common)) error {
	s.changing.Lock()
	s.changes = append(s.changes, do)
	all := common{s.Recent, s.Reuse}
	do(&all)
	s.Recent, s.Reuse = all.recent, all.reuse
	s.changing.Unlock()
	if err := s.note(); err != nil {
		return err
	}
	go s.writeUnsaved()
	return s.failure()
}

// write writes own, a copy of the store, beside the file and renames it into place. Another window's tabs stay as the file has them.
func (s *Store) write(own, file *Store) error {
	if s.lock == nil {
		tabs, tab, closed := own.Tabs, own.Tab, own.Closed
		own.Tabs, own.Tab, own.Closed = file.Tabs, file.Tab, file.Closed
		defer func() { own.Tabs, own.Tab, own.Closed = tabs, tab, closed }()
	}
	b, err := json.MarshalIndent(own, "", "  ")
	if err != nil {
		return err
	}
	dir := filepath.Dir(s.Path)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	f, err := os.CreateTemp(dir, "window-*.json")
	if err != nil {
		return err
	}
	_, err = f.Write(b)
	err = errors.Join(err, f.Close())
	if err == nil {
		err = os.Rename(f.Name(), s.Path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	return nil
}

// RecentFile is a file that was opened, or several that were opened as one document, the first first.
type RecentFile []string

// recentSeparator is between the files of one document in the store.
const recentSeparator = "\n"

// Title is a short name.
func (r RecentFile) Title() string {
	if len(r) > 1 {
		return fmt.Sprintf("%s + %d", filepath.Base(r[0]), len(r)-1)
	}
	return filepath.Base(r[0])
}

// Opened puts a file, or several that are one document, at the head of the recent ones.
func (s *Store) Opened(path string, with ...string) error {
	all := append([]string{path}, with...)
	for i, p := range all {
		if abs, err := filepath.Abs(p); err == nil && !far.IsAddress(p) {
			all[i] = abs
		}
	}
	path = strings.Join(all, recentSeparator)
	return s.change(func(c *common) {
		others := slices.DeleteFunc(slices.Clone(c.recent), func(r string) bool { return r == path })
		c.recent = append([]string{path}, others...)
		c.recent = c.recent[:min(len(c.recent), MaxRecent)]
	})
}

// RecentNames lists the recent files, whether they still exist or not.
func (s *Store) RecentNames() (all []RecentFile) {
	for _, r := range s.Recent {
		all = append(all, strings.Split(r, recentSeparator))
	}
	return all
}

// There leaves out the files that do not exist any more. It asks the file system.
func There(all []RecentFile) []RecentFile {
	gone := func(path string) bool {
		_, err := os.Stat(path)
		return !far.IsAddress(path) && errors.Is(err, fs.ErrNotExist)
	}
	return slices.DeleteFunc(slices.Clone(all), func(r RecentFile) bool { return slices.ContainsFunc(r, gone) })
}
