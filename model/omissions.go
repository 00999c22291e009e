package model

import (
	"slices"
	"sync"
)

// An Omission is a value that an export leaves out, and why, in words that go on from its path.
type Omission struct {
	Path   string // of the node; "" for the whole export
	Reason string
}

// MostOmissions is how many omissions of each kind are kept; the others are only counted.
const MostOmissions = 1000

// Omissions collects what an export leaves out. It may be used by several goroutines. A nil one keeps nothing.
type Omissions struct {
	mu            sync.Mutex
	lost, reduced omitted
}

type omitted struct {
	first   []Omission
	count   int64
	reasons []OmissionReason
}

// An OmissionReason is a reason of some omissions.
type OmissionReason struct {
	First Omission // with that reason
	Count int64
}

func (o *omitted) add(path, reason string) {
	one := Omission{Path: path, Reason: reason}
	if o.count++; len(o.first) < MostOmissions {
		o.first = append(o.first, one)
	}
	switch i := slices.IndexFunc(o.reasons, func(r OmissionReason) bool { return r.First.Reason == reason }); {
	case i >= 0:
		o.reasons[i].Count++
	case len(o.reasons) < mostReasons:
		o.reasons = append(o.reasons, OmissionReason{one, 1})
	}
}

// mostReasons is how many different reasons are told apart: each omission is compared with them.
const mostReasons = 32

// Lose records a value that the form can hold and that the reference's writer would have written.
func (o *Omissions) Lose(path, reason string) {
	if o == nil {
		return
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	o.lost.add(path, reason)
}

// Reduce records what a flag, a documented default or the form itself leaves out.
func (o *Omissions) Reduce(path, reason string) {
	if o == nil {
		return
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	o.reduced.add(path, reason)
}

// Lost returns the first MostOmissions values that were lost, and the number of all.
func (o *Omissions) Lost() ([]Omission, int64) { return o.list(func() *omitted { return &o.lost }) }

// Reduced returns the first MostOmissions reductions, and the number of all.
func (o *Omissions) Reduced() ([]Omission, int64) {
	return o.list(func() *omitted { return &o.reduced })
}

// WhyReduced returns the different reasons of the reductions, as they came.
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
