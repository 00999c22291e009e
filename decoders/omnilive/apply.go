package omnilive

import (
	"cmp"
	"context"
	"math"
	"slices"
	"sort"

	"cutaway/decoders/flatbuffer"
	"cutaway/model"
	"cutaway/source"
)

// setField is a field or time sample of a section. A section has its settings in the order of the deltas.
type setField struct {
	origin
	key    string
	time   float64
	sample bool
	erases bool
	over   int32 // the number, among the section's, of the one that overwrote it; none
}

// live reports whether the setting holds at the end.
func (s *setField) live() bool { return s.over == none && !s.erases }

// result is the layer that deltas make, and what came of their commands.
type result struct {
	layer    *layer
	outcomes [][]outcome // by delta and command
	remarks  []map[int64]commandRemark
	dropped  []int64 // settings of missing sections, by delta
}

// changedSection is a section that a diff named, with the place that it wants.
type changedSection struct {
	section int32
	order   uint64
	index   int64 // of the command
}

// applier applies one delta after another.
type applier struct {
	*layer
	d       *delta
	r       *flatbuffer.Reader
	number  int32 // of the delta
	remarks map[int64]commandRemark
	index   int64 // of the command
	diffed  []changedSection
	placed  map[int32]int // section to its number in diffed
	report  model.Progress
}

// apply applies the deltas in their order. The error is ctx's.
func apply(ctx context.Context, deltas []*delta, progress model.Progress) (*result, error) {
	res := &result{layer: newLayer()}
	for i, d := range deltas {
		a := &applier{d: d, number: int32(i), remarks: make(map[int64]commandRemark), report: progress}
		outcomes := make([]outcome, d.commands.n)
		res.outcomes, res.remarks, res.dropped = append(res.outcomes, outcomes), append(res.remarks, a.remarks), append(res.dropped, 0)
		if d.bind == nil {
			continue
		}
		a.r = d.carrier.buffer.Reader(ctx)
		err := a.start(ctx, res, i == 0)
		a.layer = res.layer
		if err == nil {
			err = a.commands(ctx, outcomes)
		}
		if err == nil {
			res.dropped[i], err = a.settings(ctx)
		}
		d.carrier.buffer.Release(a.r)
		if err != nil {
			return nil, err
		}
	}
	for n := range res.layer.nodes {
		res.layer.compact(int32(n))
	}
	return res, nil
}

// start empties the layer for a diff from scratch, and reports whether a first delta needs a base that is not at hand. The
// error is ctx's.
func (a *applier) start(ctx context.Context, res *result, first bool) (err error) {
	switch {
	case a.d.isDiff && a.d.baseVersion == 0:
		res.layer = newLayer()
	case first:
		var whole bool
		whole, err = a.createsRoot(ctx)
		res.layer.unknown = !whole
	}
	return err
}

func (a *applier) createsRoot(ctx context.Context) (bool, error) {
	for i := range a.d.commands.n {
		if i&1023 == 0 && ctx.Err() != nil {
			return false, ctx.Err()
		}
		if c := a.d.command(a.r, i); c.kind == createSection && c.sectionID == rootID && c.parentID == 0 {
			return true, nil
		}
	}
	return false, nil
}

// sectionMemory is about what a section takes, in bytes, with its name and what finds it.
const sectionMemory = 330

// mostSections returns the most sections that a layer may have.
func mostSections() int { return int(source.CacheLimit() * 3 / 4 / sectionMemory) }

func (a *applier) commands(ctx context.Context, outcomes []outcome) error {
	most := mostSections()
	a.nodes = slices.Grow(a.nodes, min(len(outcomes), most))
	for i := range outcomes {
		if len(a.nodes) > most {
			for k := range outcomes[i:] {
				outcomes[i+k] = beyondLimit
			}
			break
		}
		if i&1023 == 0 {
			if err := ctx.Err(); err != nil {
				return err
			}
			a.report.Report(int64(i), int64(len(outcomes)), "applying commands")
		}
		a.index = int64(i)
		c := a.d.command(a.r, a.index)
		outcomes[i] = a.command(&c)
	}
	a.placeDiffed()
	return nil
}

func (a *applier) remark(r commandRemark) { a.remarks[a.index] |= r }

// command applies one command.
func (a *applier) command(c *command) outcome {
	if c.kind < 0 {
		return unreadable
	}
	a.remarkOn(c)
	if !a.d.isDiff && isDiffCommand(c) {
		return diffOnly
	}
	switch c.kind {
	case createSection:
		return a.create(c)
	case moveSection:
		return a.move(c)
	case reorderChildren:
		return a.reorder(c)
	case diffChangeSection:
		return a.change(c)
	}
	return a.delete(c)
}

func isDiffCommand(c *command) bool {
	return c.kind == diffChangeSection || c.kind == diffDeleteSection
}

// remarkOn notes oddities of a command by itself, whether or not it can be applied.
func (a *applier) remarkOn(c *command) {
	if a.d.isDiff && !isDiffCommand(c) {
		a.remark(notInDiff)
	}
	if (c.kind == createSection || c.kind == diffChangeSection) && int(c.sectionType) >= len(specTypes) {
		a.remark(oddSpecType)
	}
	if c.kind == diffChangeSection && !c.named {
		a.remark(nameNotSet)
	}
	if (c.kind == createSection || c.kind == moveSection) && c.name == "" && c.sectionID != rootID && c.sectionType != specExpression {
		a.remark(withoutName)
	}
	if c.kind == reorderChildren && c.listID >= childrenLists {
		a.remark(listOutOfRange)
	}
}

// isRootRule reports whether id and parent break the rule that the root is 1 with parent 0.
func isRootRule(id, parent uint64) bool { return (id == rootID) != (parent == 0) }

func (a *applier) create(c *command) outcome {
	switch {
	case c.sectionID == 0:
		return zeroID
	case isRootRule(c.sectionID, c.parentID):
		return rootRule
	}
	if c.sectionID == rootID {
		if a.isAlive(a.find(rootID)) {
			return nameExists
		}
		a.makeRoot(c)
		return applied
	}
	if a.find(c.sectionID) != none {
		return idReused
	}
	if c.parentID == c.sectionID {
		return cycle
	}
	parent := a.meet(c.parentID)
	switch {
	case !a.isAlive(parent):
		return parentMissing
	case a.named(parent, c.name, none) != none:
		return nameExists
	}
	n := a.add(section{id: c.sectionID, specType: c.sectionType, parent: none, madeBy: origin{a.number, a.index}})
	a.attach(n, parent, c.name)
	return applied
}

// makeRoot makes the root, also a second time after it was deleted.
func (a *applier) makeRoot(c *command) {
	a.add(section{id: rootID, name: c.name, specType: c.sectionType, parent: none, madeBy: origin{a.number, a.index}})
}

// living is the node of a section, or why there is none that a command can change.
func (a *applier) living(id uint64) (int32, outcome) {
	if id == 0 {
		return none, zeroID
	}
	n := a.meet(id)
	switch {
	case n == none:
		return none, noSuchNode
	case a.nodes[n].deleted:
		return none, alreadyDeleted
	}
	return n, applied
}

func (a *applier) delete(c *command) outcome {
	n, failed := a.living(c.sectionID)
	if failed != applied {
		return failed
	}
	a.remove(n)
	return applied
}

func (a *applier) move(c *command) outcome {
	if c.sectionID == 0 || c.parentID == 0 {
		return zeroID
	}
	if c.sectionID == rootID {
		return isRoot
	}
	n, failed := a.living(c.sectionID)
	if failed != applied {
		return failed
	}
	rename := c.parentID == c.oldParentID
	parent := a.nodes[n].parent
	if !rename || parent == none {
		parent = a.meet(c.parentID)
	}
	switch {
	case !a.isAlive(parent):
		a.remove(n)
		return deletesParentGone
	case a.under(parent, n):
		return cycle
	case a.named(parent, c.name, n) != none:
		a.remove(n)
		return deletesNameExists
	}
	if rename && a.nodes[n].parent == parent {
		a.dropName(n)
		a.nodes[n].name = c.name
		a.addName(n)
		return applied
	}
	a.detach(n)
	a.attach(n, parent, c.name)
	return applied
}

// reorder permutes, for each kind, the places of the listed children.
func (a *applier) reorder(c *command) outcome {
	n, failed := a.living(c.sectionID)
	if failed != applied {
		return failed
	}
	seen := make(map[uint64]bool)
	order := make(map[uint32][]int32) // by kind
	size := a.d.bind.childrenList.ElementSize()
	for i := range c.list.n {
		id, _ := a.r.Number(c.list.first+size*i, size)
		if seen[id] {
			a.remark(listedTwice)
			continue
		}
		seen[id] = true
		k := a.find(id)
		if !a.isAlive(k) || a.nodes[k].parent != n {
			continue
		}
		kind := childKind(a.nodes[k].specType)
		order[kind] = append(order[kind], k)
	}
	kids := a.nodes[n].kids
	for _, with := range order {
		places := make([]int32, len(with))
		for i, k := range with {
			places[i] = a.nodes[k].pos
		}
		slices.Sort(places)
		for i, k := range with {
			a.nodes[k].pos = places[i]
			kids[places[i]] = childEntry{k, a.nodes[k].stamp}
		}
	}
	return applied
}

// change applies DiffChangeSection: it creates or overwrites.
func (a *applier) change(c *command) outcome {
	switch {
	case c.sectionID == 0:
		return zeroID
	case isRootRule(c.sectionID, c.parentID):
		return rootRule
	case c.parentID == c.sectionID:
		return cycle
	}
	n := a.find(c.sectionID)
	if c.sectionID == rootID {
		if !a.isAlive(n) {
			a.makeRoot(c)
			return applied
		}
		s := &a.nodes[n]
		s.specType, s.name, s.base = c.sectionType, c.name, false
		return applied
	}
	parent := a.meet(c.parentID)
	if !a.isAlive(parent) {
		a.remark(lateParent)
		return parentMissing
	}
	if a.isAlive(n) && a.under(parent, n) {
		return cycle
	}
	if !a.isAlive(n) {
		n = a.add(section{id: c.sectionID, specType: c.sectionType, parent: none, madeBy: origin{a.number, a.index}})
		a.attach(n, parent, c.name)
	} else {
		s := &a.nodes[n]
		s.specType, s.base = c.sectionType, false
		if s.parent == parent {
			a.dropName(n)
			s.name = c.name
			a.addName(n)
		} else {
			a.detach(n)
			a.attach(n, parent, c.name)
		}
	}
	if a.placed == nil {
		a.placed = make(map[int32]int)
	}
	if i, again := a.placed[n]; again {
		a.diffed[i].section = none
	}
	a.placed[n] = len(a.diffed)
	a.diffed = append(a.diffed, changedSection{n, c.order, a.index})
	return applied
}

// placeDiffed puts the sections that a diff named among their siblings, and looks for names that clash.
func (a *applier) placeDiffed() {
	byParent := make(map[int32][]changedSection)
	var parents []int32
	for _, c := range a.diffed {
		if !a.isAlive(c.section) {
			continue
		}
		parent := a.nodes[c.section].parent
		if byParent[parent] == nil {
			parents = append(parents, parent)
		}
		byParent[parent] = append(byParent[parent], c)
	}
	for _, parent := range parents {
		if parent != none {
			a.placeAmong(parent, byParent[parent])
		}
	}
	clashing := make(map[nameKey]bool)
	for i := len(a.diffed) - 1; i >= 0; i-- {
		n := a.diffed[i].section
		if !a.isAlive(n) {
			continue
		}
		key := nameKey{a.nodes[n].parent, a.nodes[n].name}
		if len(a.twins[key]) > 0 && !clashing[key] {
			clashing[key] = true
			a.index = a.diffed[i].index
			a.remark(nameClash)
		}
	}
}

// placeAmong puts, for each kind of children, the named ones at max(order, one after the last one put), or at the
// end.
func (a *applier) placeAmong(parent int32, named []changedSection) {
	slices.SortStableFunc(named, func(x, y changedSection) int { return cmp.Compare(x.order, y.order) })
	isNamed := make(map[int32]bool, len(named))
	for _, c := range named {
		isNamed[c.section] = true
	}
	others := make(map[uint32][]int32)
	var kinds []uint32
	note := func(n int32) uint32 {
		kind := childKind(a.nodes[n].specType)
		if !slices.Contains(kinds, kind) {
			kinds = append(kinds, kind)
		}
		return kind
	}
	for _, n := range a.live(parent) {
		kind := note(n)
		if !isNamed[n] {
			others[kind] = append(others[kind], n)
		}
	}
	put := make(map[uint32][]changedSection)
	for _, c := range named {
		kind := note(c.section)
		put[kind] = append(put[kind], c)
	}
	var kids []childEntry
	for _, kind := range kinds {
		rest := others[kind]
		list := make([]int32, 0, len(rest)+len(put[kind]))
		for _, c := range put[kind] {
			for uint64(len(list)) < c.order && len(rest) > 0 {
				list, rest = append(list, rest[0]), rest[1:]
			}
			list = append(list, c.section)
		}
		for _, n := range append(list, rest...) {
			kids = append(kids, childEntry{n, a.nodes[n].stamp})
		}
	}
	a.nodes[parent].kids, a.nodes[parent].stale = kids, 0
	for i, k := range kids {
		a.nodes[k.section].pos = int32(i)
	}
}

// orderedSetting is a setting with its place in the order of setting.
type orderedSetting struct {
	order  uint64
	index  uint32
	sample bool
}

// settings sets the fields and time samples of the delta, and returns how many have no section.
func (a *applier) settings(ctx context.Context) (dropped int64, err error) {
	d := a.d
	list := make([]orderedSetting, 0, d.fields.n+d.samples.n)
	sorted := true
	for _, sample := range []bool{false, true} {
		n := d.fields.n
		if sample {
			n = d.samples.n
		}
		for i := range n {
			if i&1023 == 0 && ctx.Err() != nil {
				return 0, ctx.Err()
			}
			s, _ := d.setting(a.r, sample, i)
			sorted = sorted && (len(list) == 0 || list[len(list)-1].order <= s.order)
			list = append(list, orderedSetting{s.order, uint32(i), sample})
		}
	}
	if !sorted {
		sort.SliceStable(list, func(i, k int) bool { return list[i].order < list[k].order })
	}
	for i, o := range list {
		if i&1023 == 0 {
			if err := ctx.Err(); err != nil {
				return dropped, err
			}
			a.report.Report(int64(i), int64(len(list)), "setting fields")
		}
		s, ok := d.setting(a.r, o.sample, int64(o.index))
		if !ok {
			continue
		}
		n := a.meet(s.sectionID)
		if !a.isAlive(n) {
			dropped++
			continue
		}
		a.set(n, &s, o)
	}
	return dropped, nil
}

// indexedSettings is from how many settings of one section on they are found through a map.
const indexedSettings = 32

// set notes a setting on a section and marks the one that it overwrites.
func (a *applier) set(n int32, s *setting, o orderedSetting) {
	sec := &a.nodes[n]
	x := setField{
		origin: origin{a.number, int64(o.index)}, key: s.key, time: s.time, sample: o.sample, erases: s.empty(), over: none,
	}
	if before := a.holding(n, x.target()); before != none {
		sec.settings[before].over = int32(len(sec.settings))
	}
	if index := a.last[n]; index != nil {
		index[x.target()] = int32(len(sec.settings))
	}
	sec.settings = append(sec.settings, x)
}

// holding is the number of the setting of a section that holds for a target; none.
func (a *applier) holding(n int32, t target) int32 {
	list := a.nodes[n].settings
	index := a.last[n]
	if index == nil && len(list) >= indexedSettings {
		index = make(map[target]int32)
		for i := range list {
			if list[i].over == none {
				index[list[i].target()] = int32(i)
			}
		}
		a.last[n] = index
	}
	if index != nil {
		if i, ok := index[t]; ok {
			return i
		}
		return none
	}
	for i := range list {
		if list[i].over == none && list[i].target() == t {
			return int32(i)
		}
	}
	return none
}

// target identifies the thing that a setting sets: a field by its name, or a sample by the bits of its time. -0 is 0, and all NaNs
// are one.
type target struct {
	sample bool
	key    string
	time   uint64
}

func (s *setField) target() target {
	switch {
	case !s.sample:
		return target{key: s.key}
	case s.time == 0:
		return target{sample: true}
	case math.IsNaN(s.time):
		return target{sample: true, time: math.Float64bits(math.NaN())}
	}
	return target{sample: true, time: math.Float64bits(s.time)}
}
