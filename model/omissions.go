package model

import (
	"slices"
	"sync"
)

// An Omission is a value that an export leaves out, and the reason, in words that continue the path. The path is that
// of the node, or "" for the whole export. A card uses paths below its own node, and names of the format, which begin
// with a slash.
type Omission struct{ Path, Reason string }

// MostOmissions is the most omissions of each kind that are kept; others are only counted.
const MostOmissions = 1000

// Omissions collects the omissions of an export. It is safe for concurrent use. A nil one keeps nothing.
type Omissions struct {
	mu            sync.Mutex
	lost, reduced omitted
}

type omitted struct {
	first   []Omission
	count   int64
	reasons []OmissionReason
}

// An OmissionReason is a reason and the number of its omissions.
type OmissionReason struct {
	First Omission // the first with that reason
	Count int64
}

func (o *omitted) add(path, reason string) {
	one := Omission{Path: path, Reason: reason}
	if o.count++; len(o.first) < MostOmissions {
		o.first = append(o.first, one)
	}
	o.because(OmissionReason{one, 1})
}

// because adds omissions of a reason.
func (o *omitted) because(more OmissionReason) {
	switch i := slices.IndexFunc(o.reasons, func(r OmissionReason) bool { return r.First.Reason == more.First.Reason }); {
	case i >= 0:
		o.reasons[i].Count += more.Count
	case len(o.reasons) < mostReasons:
		o.reasons = append(o.reasons, more)
	}
}

// addAll adds the omissions of a card of the node at path.
func (o *omitted) addAll(more *omitted, path string) {
	below := func(one Omission) Omission {
		switch {
		case one.Path == "":
			one.Path = path
		case path != "" && one.Path[0] != '/':
			one.Path = path + "/" + one.Path
		}
		return one
	}
	o.count += more.count
	for _, one := range more.first[:min(len(more.first), MostOmissions-len(o.first))] {
		o.first = append(o.first, below(one))
	}
	for _, r := range more.reasons {
		r.First = below(r.First)
		o.because(r)
	}
}

// mostReasons is the most different reasons that are kept, since each omission is compared with all.
const mostReasons = 32

// Lose records a value that the output form can hold and that the reference's writer would have written.
func (o *Omissions) Lose(path, reason string) {
	if o == nil {
		return
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	o.lost.add(path, reason)
}

// Reduce records a value that is left out because of a flag, a documented default or the form itself.
func (o *Omissions) Reduce(path, reason string) {
	if o == nil {
		return
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	o.reduced.add(path, reason)
}

// Take adds the omissions of a card of the node at path. more must not be used afterwards.
func (o *Omissions) Take(more *Omissions, path string) {
	if o == nil {
		return
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	o.lost.addAll(&more.lost, path)
	o.reduced.addAll(&more.reduced, path)
}

// Lost returns the first MostOmissions lost values, and the number of all.
func (o *Omissions) Lost() ([]Omission, int64) { return o.list(func() *omitted { return &o.lost }) }

// Reduced returns the first MostOmissions reductions, and the number of all.
func (o *Omissions) Reduced() ([]Omission, int64) {
	return o.list(func() *omitted { return &o.reduced })
}

// WhyReduced returns the different reasons of the reductions, in the order of their first occurrence.
func (o *Omissions) WhyReduced() []OmissionReason {
	if o == nil {
		return nil
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	return slices.Clone(o.reduced.reasons)
}

func (o *Omissions) list(of func() *omitted) ([]Omission, int64) {
	if o == nil {
		return nil, 0
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	list := of()
	return list.first[:len(list.first):len(list.first)], list.count
}
