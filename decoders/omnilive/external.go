package omnilive

import (
	"bytes"
	"context"
	"crypto/sha1"
	"fmt"
	"io"
	"sync"

	"cutaway/model"
)

// largeValue is the least size of external values, in bytes.
const largeValue = 65535

// hashSize is the size of a SHA-1, in bytes.
const hashSize = sha1.Size

// hashes keeps the SHA-1 of runs of the file.
type hashes struct {
	mu   sync.Mutex
	sums map[[2]int64][hashSize]byte
}

// sum is the SHA-1 of a run of the file.
func (h *hashes) sum(ctx context.Context, at model.Span, progress model.Progress) ([hashSize]byte, error) {
	key := [2]int64{at.Off, at.Len}
	h.mu.Lock()
	got, ok := h.sums[key]
	h.mu.Unlock()
	if ok {
		return got, nil
	}
	hash := sha1.New()
	buf := make([]byte, min(at.Len, 1<<20))
	for done := int64(0); done < at.Len; {
		if err := ctx.Err(); err != nil {
			return got, err
		}
		n := min(int64(len(buf)), at.Len-done)
		if _, err := at.Source.ReadFull(ctx, buf[:n], at.Off+done); err != nil {
			if err == io.EOF {
				err = io.ErrUnexpectedEOF
			}
			return got, model.AsProblem(err, "omnilive.read", at)
		}
		_, _ = hash.Write(buf[:n])
		done += n
		progress.Report(done, at.Len, "hashing a large value")
	}
	hash.Sum(got[:0])
	h.mu.Lock()
	if h.sums == nil {
		h.sums = make(map[[2]int64][hashSize]byte)
	}
	h.sums[key] = got
	h.mu.Unlock()
	return got, nil
}

// externalValue is an external value: its bytes and its problems.
type externalValue struct {
	at       model.Span // without a source if no part has it
	path     string     // of the part
	matches  bool       // the hash is that of the bytes
	checked  bool       // the hash could be compared
	problems []model.Problem
}

// external finds the part of an external value; with check, its hash is compared. The error is ctx's.
func (d *delta) external(ctx context.Context, s *setting, check bool, progress model.Progress) (externalValue, error) {
	c := d.carrier
	var x externalValue
	place := c.buffer.Span(s.table, 4)
	if s.hasValue {
		place = c.buffer.Span(s.value.first, s.value.n)
	}
	tell := func(kind model.Kind, rule string, expected, found any, format string, args ...any) {
		x.problems = append(x.problems, model.Problemf(kind, rule, place, format, args...).Want(expected, found))
	}
	off, size := int64(0), int64(0)
	if s.index <= uint64(len(c.offsets)) {
		off, size = c.part(int64(s.index))
	}
	if s.index == 0 || size == 0 {
		want := "a part"
		if c.form == formMultiPart {
			want = fmt.Sprintf("1 to %d", len(c.offsets)-1)
		}
		tell(model.Malformed, "omnilive.external.parts", want, s.index, "the external value has no part: there is no part %d besides the FlatBuffer", s.index)
		return x, nil
	}
	x.at, x.path = c.src.Span(off, size), d.layout+"/"+partName(int64(s.index))
	if s.value.n != hashSize {
		tell(model.Malformed, "omnilive.external.hash-size", hashSize, s.value.n, "the hash of an external value has not 20 bytes")
	}
	switch {
	case s.size > uint64(size):
		tell(model.Malformed, "omnilive.external.size", s.size, size, "part %d is shorter than extValueSize says", s.index)
	case s.size < largeValue:
		tell(model.Suspicious, "omnilive.external.limit", "at least 65535", s.size, "a value this small is outside of the FlatBuffer")
	}
	if !check || s.value.n != hashSize {
		return x, nil
	}
	return x, d.compare(ctx, s, &x, tell, progress)
}

// compare holds the hash against the part, its first extValueSize bytes, and then the other parts.
func (d *delta) compare(ctx context.Context, s *setting, x *externalValue, tell func(model.Kind, string, any, any, string, ...any), progress model.Progress) error {
	want, err := d.carrier.src.Bytes(ctx, d.carrier.buffer.Whole().Off+s.value.first, hashSize)
	if err != nil {
		return nil
	}
	whole := x.at
	got, err := d.hashes.sum(ctx, whole, progress)
	if err != nil {
		return d.unreadable(ctx, x, err)
	}
	x.checked = true
	if bytes.Equal(got[:], want) {
		x.matches = true
		if s.size < uint64(whole.Len) {
			tell(model.Malformed, "omnilive.external.size", s.size, whole.Len, "part %d is longer than extValueSize says, and its hash is that of all of it", s.index)
		}
		return nil
	}
	if s.size > 0 && s.size < uint64(whole.Len) {
		short := whole
		short.Len = int64(s.size)
		if got, err = d.hashes.sum(ctx, short, progress); err != nil {
			return d.unreadable(ctx, x, err)
		}
		if bytes.Equal(got[:], want) {
			x.matches, x.at = true, short
			tell(model.Suspicious, "omnilive.external.padded", s.size, whole.Len, "part %d is longer than its value: %d bytes of padding follow", s.index, whole.Len-short.Len)
			return nil
		}
	}
	owner, err := d.ownerOf(ctx, want, progress)
	if err != nil {
		return d.unreadable(ctx, x, err)
	}
	if owner >= 0 {
		tell(model.Malformed, "omnilive.external.hash", fmt.Sprintf("%x", want), fmt.Sprintf("%x", got),
			"the hash is not that of part %d but of part %d: the index may not count part 0", s.index, owner)
		return nil
	}
	tell(model.Malformed, "omnilive.external.hash", fmt.Sprintf("%x", want), fmt.Sprintf("%x", got), "the SHA-1 of part %d is not the one that the field gives", s.index)
	return nil
}

func (d *delta) unreadable(ctx context.Context, x *externalValue, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	x.problems = append(x.problems, model.AsProblem(err, "omnilive.read", x.at))
	return nil
}

// maxOwners is the most parts that are hashed to find the owner of a wrong hash.
const maxOwners = 4096

// ownerOf returns the part that a hash belongs to, or -1 if none does.
func (d *delta) ownerOf(ctx context.Context, want []byte, progress model.Progress) (int64, error) {
	for k, i := range d.carrier.order {
		if k >= maxOwners {
			break
		}
		off, size := d.carrier.part(int64(i))
		got, err := d.hashes.sum(ctx, d.carrier.src.Span(off, size), progress)
		if err != nil {
			return -1, err
		}
		if bytes.Equal(got[:], want) {
			return int64(i), nil
		}
	}
	return -1, nil
}

// valueSpan returns the bytes of a setting's value in the file, without checking them.
func (d *delta) valueSpan(s *setting) model.Span {
	if s.external() {
		off, size := int64(0), int64(0)
		if s.index > 0 && s.index <= uint64(len(d.carrier.offsets)) {
			off, size = d.carrier.part(int64(s.index))
		}
		if size == 0 {
			return model.Span{}
		}
		if s.size > 0 && s.size < uint64(size) {
			size = int64(s.size)
		}
		return d.carrier.src.Span(off, size)
	}
	return d.carrier.buffer.Span(s.value.first, s.value.n)
}

// checkSettings reports what is wrong with the fields and samples of a delta.
func (d *delta) checkSettings(ctx context.Context, progress model.Progress, report func(path string, p model.Problem)) error {
	r := d.carrier.buffer.Reader(ctx)
	defer d.carrier.buffer.Release(r)
	for _, sample := range []bool{false, true} {
		n := d.fields.n
		if sample {
			n = d.samples.n
		}
		for i := range n {
			if i&1023 == 0 {
				if err := ctx.Err(); err != nil {
					return err
				}
				progress.Report(i, n, "checking fields and time samples")
			}
			s, ok := d.setting(r, sample, i)
			if !ok {
				continue // a problem of the FlatBuffer
			}
			list, err := d.settingProblems(ctx, &s, sample, progress)
			if err != nil {
				return err
			}
			for _, p := range list {
				report(d.tree.ObjectPath(s.table), p)
			}
		}
	}
	return nil
}

// settingProblems lists what is wrong with one field or sample, its value's inside left out.
func (d *delta) settingProblems(ctx context.Context, s *setting, sample bool, progress model.Progress) ([]model.Problem, error) {
	place := d.carrier.buffer.Span(s.table, 4)
	var list []model.Problem
	if s.sectionID == 0 {
		list = append(list, model.Problemf(model.Suspicious, "omnilive.field.zero-id", place, "the section is 0, which none has"))
	}
	if !sample && s.key == "" {
		list = append(list, model.Problemf(model.Suspicious, "omnilive.field.key", place, "the field has no name"))
	}
	if !s.external() {
		if s.value.n > largeValue {
			list = append(list, model.Problemf(model.Suspicious, "omnilive.external.limit", place, "a value this large is in the FlatBuffer").Want("at most 65535", s.value.n))
		}
		return list, nil
	}
	x, err := d.external(ctx, s, true, progress)
	return append(list, x.problems...), err
}
