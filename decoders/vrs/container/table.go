package container

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"sort"
	"sync"

	"cutaway/model"
	"cutaway/source"
)

// A RecordTable holds 24 bytes of each record, in the order of the file.
type RecordTable struct {
	Off    []int64
	Time   []float64
	key    []uint32         // number of the stream, and the record type in the low bits
	counts []uint32         // records of each key
	sorted sync.Once        // makes order
	order  []uint32         // record numbers by stream, type, time and place
	start  []uint32         // where the records of each key begin in order
	IDs    []StreamID       // by number
	ends   map[int64]int64  // ends of records that the next one does not follow
	Extra  []nonUserPart    // what else lies between the records
	named  map[string]int64 // parts of extra by the name that they were added with
	Last   int64            // end of the last record
	byID   map[StreamID]int // numbers of the streams

	Indexed  bool // record i is entry i of the index
	Short    bool // it has only the first records, since memory has no room for more
	Problems []model.Problem
}

const keyTypeBits = 3

// nonUserPart is a part of the run of records that is no user record.
type nonUserPart struct {
	Before   int64 // records in front
	Name     string
	Off, End int64
	Make     func() model.Node
}

func newTable(room int64) *RecordTable {
	return &RecordTable{
		Off: make([]int64, 0, room), Time: make([]float64, 0, room), key: make([]uint32, 0, room),
		ends: map[int64]int64{}, named: map[string]int64{}, byID: map[StreamID]int{},
	}
}

// maxRecords returns the most records of a table. Half of the memory that is allowed is for the table; a check takes as much again, and
// a few MiB for any recording.
func maxRecords() int64 {
	const besides, each = 8 << 20, 24
	return max(source.CacheLimit()-besides, source.CacheLimit()/2) / (2 * each)
}

// representative is after how many records those that follow are taken to be as long.
const representative = 1024

// grow makes room for records when there is none, for all that there may be as those so far fill the run up to pos.
func (t *RecordTable) grow(pos, first, last, most int64) {
	n := t.N()
	if n < int64(cap(t.Off)) {
		return
	}
	room := int64(representative)
	if n >= representative {
		all := int64(float64(n) * float64(last-first) / float64(pos-first) * 1.05)
		room = min(max(all, n+n/4), most) + 64
	}
	t.Off, t.Time, t.key = roomFor(t.Off, room), roomFor(t.Time, room), roomFor(t.key, room)
}

// roomFor is a slice with room for so many. That of slices.Grow would be cleared, by which memory that stays unused is taken.
func roomFor[T any](s []T, room int64) []T { return append(make([]T, 0, room), s...) }

// unread ends a table that has as many records as it may have; those from off on are not listed.
func (w *Walker) unread(t *RecordTable, off int64) {
	at := w.Src.Span(off, w.Last-off)
	t.Short = true
	p := model.Problemf(model.Limit, ruleRecordsLimit, at, "only the first records are listed, which is as many as memory allows; --max-memory raises it")
	p.Expected = fmt.Sprintf("at most %s", model.GroupedCount(t.N(), "record"))
	t.addExtra("unread records", off, w.Last, func(name string) model.Node {
		n := BytesNode(name, at, model.Unknown, "records that are not listed")
		n.Problems = []model.Problem{p}
		return n
	})
}

// N returns the number of records.
func (t *RecordTable) N() int64 { return int64(len(t.Off)) }

// size returns the number of records that would take the memory of the table. Other bytes take that of many: their problem has a text.
func (t *RecordTable) size() int64 {
	const each = 16
	return t.N() + each*int64(len(t.Extra)+len(t.Problems))
}

// add appends a record.
func (t *RecordTable) add(off int64, size uint32, kind RecordType, id StreamID, time float64) {
	if n := t.N(); n > 0 && t.Last != off {
		t.ends[n-1] = t.Last
	}
	number := t.number(id)
	t.Off = append(t.Off, off)
	t.Time = append(t.Time, time)
	key := uint32(number)<<keyTypeBits | uint32(kind)
	t.key = append(t.key, key)
	t.counts[key]++
	t.Last = off + int64(size)
}

// number is the number of a stream, which is given at its first record.
func (t *RecordTable) number(id StreamID) int {
	if n := len(t.key); n > 0 && t.IDs[t.key[n-1]>>keyTypeBits] == id {
		return int(t.key[n-1] >> keyTypeBits) // streams often come in runs
	}
	for i := range min(len(t.IDs), fewStreams) {
		if t.IDs[i] == id {
			return i
		}
	}
	number, known := t.byID[id]
	if !known {
		number = len(t.IDs)
		t.byID[id] = number
		t.IDs = append(t.IDs, id)
		t.counts = append(t.counts, make([]uint32, 1<<keyTypeBits)...)
	}
	return number
}

// fewStreams is up to how many streams are sooner compared than looked up.
const fewStreams = 8

// End returns the end of record i.
func (t *RecordTable) End(i int64) int64 {
	if e, ok := t.ends[i]; ok {
		return e
	}
	if i+1 < t.N() {
		return t.Off[i+1]
	}
	return t.Last
}

// Kind returns the type of record i.
func (t *RecordTable) Kind(i int64) RecordType { return RecordType(t.key[i] & (1<<keyTypeBits - 1)) }

// ID returns the stream of record i.
func (t *RecordTable) ID(i int64) StreamID { return t.IDs[t.key[i]>>keyTypeBits] }

// Ordinal returns the number of the stream of record i.
func (t *RecordTable) Ordinal(i int64) int64 { return int64(t.key[i] >> keyTypeBits) }

// info is record i as the index lists it.
func (t *RecordTable) info(i int64) Info {
	return Info{t.Time[i], uint32(t.End(i) - t.Off[i]), t.Kind(i), t.ID(i)}
}

// counted sets where the records of each key begin in order, which is made when it is first asked for.
func (t *RecordTable) counted() {
	keys := len(t.IDs)<<keyTypeBits + 1
	t.start = make([]uint32, keys+1)
	for k, n := range t.counts {
		t.start[k+1] = t.start[k] + n
	}
	t.start[keys] = t.start[keys-1]
}

// sort orders the records by stream, type, time and place (chapter 5.3).
func (t *RecordTable) sort() {
	t.order = make([]uint32, len(t.key))
	next := slices.Clone(t.start)
	for i, k := range t.key {
		t.order[next[k]] = uint32(i)
		next[k]++
	}
	for k := range len(t.start) - 1 {
		group := t.order[t.start[k]:t.start[k+1]]
		if !t.inOrder(group) {
			slices.SortFunc(group, func(a, b uint32) int { return cmp.Or(cmp.Compare(t.Time[a], t.Time[b]), cmp.Compare(a, b)) })
		}
	}
}

// inOrder reports whether records, which are in the order of the file, are in that of their times too.
func (t *RecordTable) inOrder(group []uint32) bool {
	for k := 1; k < len(group); k++ {
		if !(t.Time[group[k-1]] <= t.Time[group[k]]) {
			return false
		}
	}
	return true
}

// Group is the numbers of a stream's records of one type, by time.
func (t *RecordTable) Group(ordinal int64, kind RecordType) []uint32 {
	if ordinal == Unset {
		return nil
	}
	t.sorted.Do(t.sort)
	k := ordinal<<keyTypeBits | int64(kind)
	return t.order[t.start[k]:t.start[k+1]]
}

// Count returns the number of records of a type of a stream.
func (t *RecordTable) Count(ordinal int64, kind RecordType) int64 {
	if ordinal == Unset {
		return 0
	}
	return int64(t.counts[ordinal<<keyTypeBits|int64(kind)])
}

// Position is the place of record i in its group.
func (t *RecordTable) Position(i int64) int64 {
	group := t.Group(t.Ordinal(i), t.Kind(i))
	return int64(sort.Search(len(group), func(k int) bool {
		g := int64(group[k])
		return t.Time[g] > t.Time[i] || t.Time[g] == t.Time[i] && g >= i
	}))
}

// AtTime is the place in a group of the first record at or after a time.
func (t *RecordTable) AtTime(group []uint32, time float64) int64 {
	return int64(sort.Search(len(group), func(k int) bool { return t.Time[group[k]] >= time }))
}

// ConfigurationFor is the number of the latest configuration record of the stream of record i that is not newer; -1
// where there is none: newer reports whether there are others.
func (t *RecordTable) ConfigurationFor(i int64) (record int64, newer bool) {
	group := t.Group(t.Ordinal(i), ConfigurationRecord)
	k := sort.Search(len(group), func(k int) bool { return t.Time[group[k]] > t.Time[i] })
	if k == 0 {
		return -1, len(group) > 0
	}
	return int64(group[k-1]), false
}

// RecordAt returns the record that has the byte at off of the file.
func (t *RecordTable) RecordAt(off int64) (int64, bool) {
	i := int64(sort.Search(len(t.Off), func(i int) bool { return t.Off[i] > off })) - 1
	return i, i >= 0 && off < t.End(i)
}

// addExtra adds what lies after the records so far.
func (t *RecordTable) addExtra(name string, off, end int64, node func(name string) model.Node) {
	t.named[name]++
	if count := t.named[name]; count > 1 {
		name += " " + model.Grouped(count)
	}
	t.Extra = append(t.Extra, nonUserPart{t.N(), name, off, end, func() model.Node { return node(name) }})
}

func sameBits(a, b float64) bool { return math.Float64bits(a) == math.Float64bits(b) }
