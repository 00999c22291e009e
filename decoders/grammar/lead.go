package grammar

import "cutaway/model"

// A lead is a number in the head of a record: the number of bytes from the end of that head to the end of the record. The head
// has a fixed size. Lists of such records are measured by these numbers alone.
type lead struct {
	head      int64 // bytes of the head
	at, width int64 // range of the number in the head
	big       bool
}

// findLead returns the lead of a record, or nil if it has none. The record is built but for its sizes.
func (r *Record) findLead() *lead {
	last := r.sequence - 1
	if last < 1 || !r.alone || r.Choice != nil || r.SizedBy != "" || r.BigEndian != nil {
		return nil
	}
	size := r.Fields[last].leadSize()
	if size == nil {
		return nil
	}
	var found *lead
	for i, f := range r.Fields[:last] {
		t, ok := f.Of.(*Scalar)
		if !ok || !f.plain() || t.order == inherited {
			return nil
		}
		if t.kind == unsigned && size.field.slot == i+1 && size.field == r.FieldCode(f).field {
			found = &lead{at: r.offsets[i], width: t.size, big: t.order == big}
		}
	}
	if found != nil {
		found.head = r.offsets[last]
	}
	return found
}

// leadSize returns the code of the size of a field that is left out, if at all, where it is empty. It returns nil if reading the field
// may fail inside.
func (f *Field) leadSize() *Code {
	x := f.Extent
	if x == nil || x.ToEnd || x.HasPad || x.Terminator != nil || f.Repeat != nil || f.Process != nil || f.Skip || f.Exact || f.mayStop() || f.Condition != nil && !f.NotEmpty {
		return nil
	}
	switch f.Of.(type) {
	case *Opaque, *Record, *call: // a record inside is read when somebody looks
		size, _ := x.Size.(*Code)
		return size
	}
	return nil
}

// leadOf returns the lead of the elements, or nil if they have to be read to be measured.
func (l *List) leadOf() *lead {
	f := l.field
	if f.Extent != nil || f.Process != nil || f.Skip || f.mayStop() || f.Repeat.Until != nil || l.owner.depth >= MaxDepth {
		return nil
	}
	switch of := l.of.(type) {
	case *Record:
		return of.lead
	case *call:
		return of.lead
	}
	return nil
}

// jump returns where the element at an offset ends, if its head says so and the bytes hold it.
func (l *List) jump(r *Reading, at int64) (end int64, ok bool) {
	k := l.lead
	if k == nil || k.head > l.stream.End-at {
		return 0, false
	}
	b, err := r.bytes(l.stream.Source, at+k.at, k.width)
	if err != nil {
		return 0, false
	}
	n := model.UintOf(b, k.big)
	at += k.head
	return at + int64(n), n <= uint64(l.stream.End-at)
}

// batch is the number of elements that are measured before others see them, and after which progress is reported.
const batch = 1 << 14

// skim measures elements by their heads, from element i at an offset on, as far as that is possible, or to element n if it is not
// negative. It returns the element after them and its offset.
func (l *List) skim(r *Reading, i, at, n int64) (int64, int64) {
	for ok := l.lead != nil && r.visit == nil; ok; {
		first := i
		var marks []int64
		l.mu.Lock()
		every := l.every
		l.mu.Unlock()
		for i != l.limit && i-first < batch && (n < 0 || i < n) && r.step(i) {
			var end int64
			if end, ok = l.jump(r, at); !ok {
				break
			}
			if i%every == 0 {
				marks = append(marks, at)
			}
			i, at = i+1, end
		}
		ok = ok && i-first == batch
		l.mu.Lock()
		for k, at := range marks {
			l.mark((first+every-1)/every*every+int64(k)*every, at)
		}
		if i > first {
			l.known, l.end = i, at
		}
		l.mu.Unlock()
		r.report(l, at)
	}
	return i, at
}
