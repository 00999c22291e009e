// Package scan examines many files in parallel and reports the format and the problems of each. A file's line does not
// depend on the other files.
package scan

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"strings"
	"sync"
	"time"

	"cutaway/decoders"
	"cutaway/model"
	"cutaway/model/export"
	"cutaway/source/far"
)

// Options control a scan.
type Options struct {
	Open   decoders.OpenOptions // of each file
	Opener Opener               // or nil for decoders.OpenTarget
	Deep   bool                 // check every byte, not only headers and indexes
	Jobs   int                  // parallel files, or 0 for the number of processors
	Why    bool                 // report the reason of each format for refusing a file
	Fields []string             // keys of further facts, Tracks, or paths of nodes
	// Timeout is the time limit for a file, or 0 for none. Limit names it in the file's line.
	Timeout time.Duration
	Limit   string

	Identity bool   // identify the content of each file
	Since    Former // an earlier scan to compare with, or nil
	By       string // version of the program: lines of other versions are not reused
}

// An Opener opens a file.
type Opener func(ctx context.Context, t decoders.Target, opt decoders.OpenOptions) (*model.Document, error)

// A File holds the results for one file.
type File struct {
	Name            string // without the secrets of an address
	Format, Version string
	Size            int64 // in bytes, or -1 if unknown
	Checked         bool  // every byte was checked
	Headless        bool  // a package without the layer that it is opened for
	Found           export.Tally
	First           string // the first error, or else the first warning
	Facts           model.Object
	Titles          map[string]string // titles of the facts for people, by key
	Seconds         float64           // how long it took
	Failed          string            // why it could not be read to its end, or ""
	Cause           *model.Cause      // why no format fits, or nil if one does or the file cannot be read
	Tried           []model.Tried     // the reason of each format, with Options.Why
	Unopened        Unopened          // its class if it could not be read

	Identified             bool // identification was attempted; the next three are set if it succeeded
	Identity, Modified, By string
	Change                 string // Same, Changed, New or Gone, or "" if nothing was compared
}

// Run scans the files that names passes on, and calls each with the result of each, in this goroutine and in no order.
// It ends early when ctx ends, or with an error of names or each.
func Run(ctx context.Context, names func(give func(Name) error) error, opt Options, each func(*File) error) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	todo, done := make(chan Name), make(chan *File)
	var listing error
	go func() {
		defer close(todo)
		listing = names(func(n Name) error {
			select {
			case todo <- n:
				return nil
			case <-ctx.Done():
				return ctx.Err()
			}
		})
	}()
	var workers sync.WaitGroup
	for range cmp.Or(max(opt.Jobs, 0), runtime.GOMAXPROCS(0)) {
		workers.Go(func() {
			for name := range todo {
				f := opt.file(ctx, name)
				if ctx.Err() != nil {
					return // not fully scanned
				}
				select {
				case done <- f:
				case <-ctx.Done():
				}
			}
		})
	}
	go func() {
		workers.Wait()
		close(done)
	}()
	var err error
	for f := range done {
		if err == nil {
			if err = each(f); err != nil {
				stop()
			}
		}
	}
	if err == nil {
		err = ctx.Err()
	}
	if err != nil {
		return err // names may still be running
	}
	return listing
}

// file scans one file.
func (o *Options) file(ctx context.Context, name Name) *File {
	began := time.Now()
	f := &File{Name: far.Keep(name.File), Size: -1}
	defer far.Forget(f.Name)
	if o.Timeout > 0 {
		limited, stop := context.WithTimeoutCause(ctx, o.Timeout, fmt.Errorf("given up after %s (%s)", o.Timeout, o.Limit))
		defer stop()
		ctx = limited
	}
	target := decoders.ParseTarget(f.Name, isThere)
	if o.Identity || o.Since != nil {
		if o.identify(ctx, f, target); o.reuse(f) {
			return f
		}
	}
	if err := o.look(ctx, f, target); err != nil {
		if ctx.Err() != nil {
			err = context.Cause(ctx)
		}
		f.Failed, f.Unopened = err.Error(), name.Unopened(err)
		o.refuse(f, err)
	}
	f.Seconds = time.Since(began).Seconds()
	return f
}

// refuse records the reason in err why no format fits, if any.
func (o *Options) refuse(f *File, err error) {
	var refused *model.ErrUnrecognized
	if !errors.As(err, &refused) {
		return
	}
	f.First, f.Cause = f.Failed, &refused.Cause
	if o.Why {
		f.Tried = refused.Tried
	}
}

func isThere(file string) bool {
	_, err := os.Stat(file)
	return err == nil
}

// look opens a file and reads the requested facts.
func (o *Options) look(ctx context.Context, f *File, target decoders.Target) error {
	open := o.Opener
	if open == nil {
		open = decoders.OpenTarget
	}
	d, err := open(ctx, target, o.Open)
	if err != nil {
		if info, statErr := os.Stat(f.Name); statErr == nil && info.Mode().IsRegular() {
			f.Size = info.Size()
		}
		return err
	}
	defer func() { _ = d.Close() }() // opened for reading only
	f.Format, f.Version, f.Size, f.Headless = d.Format, d.Version, 0, d.Headless != nil
	for _, src := range d.Sources {
		if src.Origin() == nil {
			f.Size += src.Size()
		}
	}
	if f.Facts, f.Titles, err = o.factsOf(ctx, d); err != nil {
		return err
	}
	if o.Deep {
		add := func(p model.LocatedProblem) { f.add(&p.Problem) }
		_, err = d.CheckFound(ctx, nil, add)
	} else {
		err = Known(ctx, d, 0, f.add)
	}
	if err == nil {
		err = model.FailedRead(d)
	}
	f.Checked = o.Deep && err == nil
	return err
}

// add counts a problem.
func (f *File) add(p *model.Problem) {
	severity := p.Kind.Severity()
	if severity == model.Error && f.Found.Errors == 0 || severity == model.Warning && f.Found.Errors+f.Found.Warnings == 0 {
		f.First = p.Message
	}
	f.Found.Add(p)
}

// Known calls found for the problems of the layout that are found without decoding nodes of more than decode bytes. It
// examines only a part of long lists and large trees.
func Known(ctx context.Context, d *model.Document, decode int64, found func(*model.Problem)) error {
	const longList, enough = 4096, 20_000
	nodes := 0
	visit := func(p *model.Place) error {
		if nodes++; nodes <= enough && p.Node.Span().Len <= decode {
			if err := p.Resolve(ctx, nil); err != nil {
				return err
			}
		}
		for i := range p.Node.Problems {
			found(&p.Node.Problems[i])
		}
		if n, _ := p.Len(ctx); n > longList || nodes > enough {
			return model.ErrSkip
		}
		return nil
	}
	err := model.Walk(ctx, d.View(model.LayoutView).Place(ctx), model.WalkOptions{Derived: decode > 0}, visit)
	for _, path := range d.Tables {
		// Derived sources are not part of that walk.
		if p, lookup := d.Lookup(ctx, path); err == nil && lookup == nil && strings.Contains(path, "@") {
			err = model.Walk(ctx, p, model.WalkOptions{}, visit)
		}
	}
	return err
}
