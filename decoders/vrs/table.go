package vrs

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

// A recordTable holds 24 bytes of each record, in the order of the file.
type recordTable struct {
	off    []int64
	time   []float64
	key    []uint32         // number of the stream, and the record type in the low bits
	counts []uint32         // records of each key
	sorted sync.Once        // makes order
	order  []uint32         // record numbers by stream, type, time and place
	start  []uint32         // where the records of each key begin in order
	ids    []streamID       // by number
	ends   map[int64]int64  // ends of records that the next one does not follow
	extra  []nonUserPart    // what else lies between the records
	named  map[string]int64 // parts of extra by the name that they were added with
	last   int64            // end of the last record
	byID   map[streamID]int // numbers of the streams

	indexed  bool // record i is entry i of the index
	short    bool // it has only the first records, since memory has no room for more
	problems []model.Problem
}

const keyTypeBits = 3

// nonUserPart is a part of the run of records that is no user record.
type nonUserPart struct {
	before   int64 // records in front
	name     string
	off, end int64
	make     func() model.Node
}

func newTable(room int64) *recordTable {
	return &recordTable{
		off: make([]int64, 0, room), time: make([]float64, 0, room), key: make([]uint32, 0, room),
		ends: map[int64]int64{}, named: map[string]int64{}, byID: map[streamID]int{},
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
func (t *recordTable) grow(pos, first, last, most int64) {
	n := t.n()
	if n < int64(cap(t.off)) {
		return
	}
	room := int64(representative)
	if n >= representative {
		all := int64(float64(n) * float64(last-first) / float64(pos-first) * 1.05)
		room = min(max(all, n+n/4), most) + 64
	}
	t.off, t.time, t.key = roomFor(t.off, room), roomFor(t.time, room), roomFor(t.key, room)
}

// roomFor is a slice with room for so many. That of slices.Grow would be cleared, by which memory that stays unused is taken.
func roomFor[T any](s []T, room int64) []T { return append(make([]T, 0, room), s...) }

// unread ends a table that has as many records as it may have; those from off on are not listed.
func (w *walker) unread(t *recordTable, off int64) {
	at := w.src.Span(off, w.last-off)
	t.short = true
	p := model.Problemf(model.Limit, ruleRecordsLimit, at, "only the first records are listed, which is as many as memory allows; --max-memory raises it")
	p.Expected = fmt.Sprintf("at most %s", model.GroupedCount(t.n(), "record"))
	t.addExtra("unread records", off, w.last, func(name string) model.Node {
		n := bytesNode(name, at, model.Unknown, "records that are not listed")
		n.Problems = []model.Problem{p}
		return n
	})
}

func (t *recordTable) n() int64 { return int64(len(t.off)) }

// size returns the number of records that would take the memory of the table. Other bytes take that of many: their problem has a text.
func (t *recordTable) size() int64 {
	const each = 16
	return t.n() + each*int64(len(t.extra)+len(t.problems))
}

// add appends a record.
func (t *recordTable) add(off int64, size uint32, kind recordType, id streamID, time float64) {
	if n := t.n(); n > 0 && t.last != off {
		t.ends[n-1] = t.last
	}
	number := t.number(id)
	t.off = append(t.off, off)
	t.time = append(t.time, time)
	key := uint32(number)<<keyTypeBits | uint32(kind)
	t.key = append(t.key, key)
	t.counts[key]++
	t.last = off + int64(size)
}

// number is the number of a stream, which is given at its first record.
func (t *recordTable) number(id streamID) int {
	if n := len(t.key); n > 0 && t.ids[t.key[n-1]>>keyTypeBits] == id {
		return int(t.key[n-1] >> keyTypeBits) // streams often come in runs
	}
	for i := range min(len(t.ids), fewStreams) {
		if t.ids[i] == id {
			return i
		}
	}
	number, known := t.byID[id]
	if !known {
		number = len(t.ids)
		t.byID[id] = number
		t.ids = append(t.ids, id)
		t.counts = append(t.counts, make([]uint32, 1<<keyTypeBits)...)
	}
	return number
}

// fewStreams is up to how many streams are sooner compared than looked up.
const fewStreams = 8

// end returns the end of record i.
func (t *recordTable) end(i int64) int64 {
	if e, ok := t.ends[i]; ok {
		return e
	}
	if i+1 < t.n() {
		return t.off[i+1]
	}
	return t.last
}

func (t *recordTable) kind(i int64) recordType { return recordType(t.key[i] & (1<<keyTypeBits - 1)) }
func (t *recordTable) id(i int64) streamID     { return t.ids[t.key[i]>>keyTypeBits] }
func (t *recordTable) ordinal(i int64) int64   { return int64(t.key[i] >> keyTypeBits) }

// info is record i as the index lists it.
func (t *recordTable) info(i int64) info {
	return info{t.time[i], uint32(t.end(i) - t.off[i]), t.kind(i), t.id(i)}
}

// counted sets where the records of each key begin in order, which is made when it is first asked for.
func (t *recordTable) counted() {
	keys := len(t.ids)<<keyTypeBits + 1
	t.start = make([]uint32, keys+1)
	for k, n := range t.counts {
		t.start[k+1] = t.start[k] + n
	}
	t.start[keys] = t.start[keys-1]
}

// sort orders the records by stream, type, time and place (chapter 5.3).
func (t *recordTable) sort() {
	t.order = make([]uint32, len(t.key))
	next := slices.Clone(t.start)
	for i, k := range t.key {
		t.order[next[k]] = uint32(i)
		next[k]++
	}
	for k := range len(t.start) - 1 {
		group := t.order[t.start[k]:t.start[k+1]]
		if !t.inOrder(group) {
			slices.SortFunc(group, func(a, b uint32) int { return cmp.Or(cmp.Compare(t.time[a], t.time[b]), cmp.Compare(a, b)) })
		}
	}
}

// inOrder reports whether records, which are in the order of the file, are in that of their times too.
func (t *recordTable) inOrder(group []uint32) bool {
	for k := 1; k < len(group); k++ {
		if !(t.time[group[k-1]] <= t.time[group[k]]) {
			return false
		}
	}
	return true
}

// group is the numbers of a stream's records of one type, by time.
func (t *recordTable) group(ordinal int64, kind recordType) []uint32 {
	if ordinal == unset {
		return nil
	}
	t.sorted.Do(t.sort)
	k := ordinal<<keyTypeBits | int64(kind)
	return t.order[t.start[k]:t.start[k+1]]
}

// count returns the number of records of a type of a stream.
func (t *recordTable) count(ordinal int64, kind recordType) int64 {
	if ordinal == unset {
		return 0
	}
	return int64(t.counts[ordinal<<keyTypeBits|int64(kind)])
}

// position is the place of record i in its group.
func (t *recordTable) position(i int64) int64 {
	group := t.group(t.ordinal(i), t.kind(i))
	return int64(sort.Search(len(group), func(k int) bool {
		g := int64(group[k])
		return t.time[g] > t.time[i] || t.time[g] == t.time[i] && g >= i
	}))
}

// atTime is the place in a group of the first record at or after a time.
func (t *recordTable) atTime(group []uint32, time float64) int64 {
	return int64(sort.Search(len(group), func(k int) bool { return t.time[group[k]] >= time }))
}

// configurationFor is the number of the latest configuration record of the stream of record i that is not newer; -1
// where there is none: newer reports whether there are others.
func (t *recordTable) configurationFor(i int64) (record int64, newer bool) {
	group := t.group(t.ordinal(i), configurationRecord)
	k := sort.Search(len(group), func(k int) bool { return t.time[group[k]] > t.time[i] })
	if k == 0 {
		return -1, len(group) > 0
	}
	return int64(group[k-1]), false
}

// recordAt returns the record that has the byte at off of the file.
func (t *recordTable) recordAt(off int64) (int64, bool) {
	i := int64(sort.Search(len(t.off), func(i int) bool { return t.off[i] > off })) - 1
	return i, i >= 0 && off < t.end(i)
}

// addExtra adds what lies after the records so far.
func (t *recordTable) addExtra(name string, off, end int64, node func(name string) model.Node) {
	t.named[name]++
	if count := t.named[name]; count > 1 {
		name += " " + model.Grouped(count)
	}
	t.extra = append(t.extra, nonUserPart{t.n(), name, off, end, func() model.Node { return node(name) }})
}

func sameBits(a, b float64) bool { return math.Float64bits(a) == math.Float64bits(b) }
