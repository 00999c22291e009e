package export

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"cutaway/model"
)

// A Form is a file format that nodes can be written in.
type Form struct {
	Name      string // on the command line: "json"
	Title     string // for people: "JSON"
	Extension string // of a file's name, with the dot
	Help      string // a few words on the content
	Binary    bool   // the output is no text
	Nests     bool   // writes descendants: Request.Depth and Elements apply
	Shortens  bool   // shortens long arrays unless Request.Whole is set
	Rows      bool   // writes rows: Request.Rows applies
	Snippet   bool   // small results are for pasting into other text
	// Document means that the form is about the whole document; nodes are additions.
	Document bool
	// Layout means that the default node is the layout.
	Layout bool
	Media  bool // pictures or sound
	// Single means that a file has only one node.
	Single bool
	// own reports whether a node itself suits the form, not only one of its children. It is set for the parts of a clip.
	own func(ctx context.Context, n *model.Node) bool
	// folder means that the form writes several files, however many places and items there are.
	folder bool
	// refuse returns the reason why the node at p cannot be written, as far as is known, or "".
	refuse func(ctx context.Context, p *model.Place) string
	// timed reports whether Request.Times apply to a place. If nil, they never do.
	timed func(ctx context.Context, p *model.Place) bool
	write func(ctx context.Context, w io.Writer, r *Request) (Tally, error)
	size  func(ctx context.Context, r *Request) int64 // or nil if only writing reveals the size
	// count returns the number of items of a place, or 0 for one thing, or if unknown. files makes a file for each
	// item. Both are nil for a form without items.
	count func(ctx context.Context, p *model.Place) int64
	files func(ctx context.Context, r *Request, create func(name string, write func(io.Writer) error) error) error
}

// A Request describes what to write.
type Request struct {
	Doc      *model.Document
	Places   []*model.Place
	Whole    bool             // write long arrays whole
	Elements bool             // write the elements of arrays as nodes too
	Depth    int              // levels below each place: 0 for none, negative for all
	Quick    bool             // report only what is known, without decoding the rest
	Bare     bool             // write only the literals, without the lines around them in a source file
	Version  string           // of Cutaway, for a report
	Times    Times            // of streams
	Rows     string           // of arrays and tables, for forms with Rows, as in ParseRows, or "" for all
	Safe     bool             // for CSV: keep spreadsheets from taking texts for formulas
	Notes    []Note           // of the user, for a report
	Omitted  *model.Omissions // collects losses and reductions; may be nil
	// Progress receives the progress of decoding, and under the name Writing the number of elements and rows written
	// and of all.
	Progress model.Progress

	look int64 // number of elements of a sequence that determine its columns, or 0 for all
}

// A Note is a user's note on a place of a document.
type Note struct {
	Where  string
	Text   string
	Colour string
	Type   string      // the type of the bytes there, or ""
	Value  model.Value // or nil if unknown
	Gone   string      // the reason why the bytes or node are no longer in the file, or ""
}

// Writing names the writing of elements and rows in progress reports.
const Writing = "writing"

// Forms are forms in display order.
type Forms []*Form

// Common are the forms for nodes of any format.
var Common = slices.Concat(Forms{
	{Name: "json", Title: "JSON", Extension: ".json", Help: "the node and all below it", Nests: true, Shortens: true, Snippet: true,
		write: func(ctx context.Context, w io.Writer, r *Request) (Tally, error) {
			return JSON(ctx, w, r.Places, r.nest())
		}},
	{Name: "yaml", Title: "YAML", Extension: ".yaml", Help: "the same as YAML", Nests: true, Shortens: true, Snippet: true,
		write: func(ctx context.Context, w io.Writer, r *Request) (Tally, error) {
			return YAML(ctx, w, r.Places, r.nest())
		}},
	{Name: "csv", Title: "CSV", Extension: ".csv", Help: "arrays and tables, side by side", Rows: true,
		own: hasRows, refuse: refuseRows, timed: haveTimes,
		write: ofValues(func(ctx context.Context, w io.Writer, r *Request) error {
			return CSV(ctx, w, r)
		})},
	rowsForm("npy", "NumPy (.npy)", "an array, or the table of a node as an array of structures, for NumPy", NumPy),
	rowsForm("parquet", "Parquet", "an array or table as Parquet, for pandas, Arrow and databases", Parquet),
	{Name: "text", Title: "Text", Extension: ".txt", Help: "a listing or text, else an indented tree", Nests: true,
		write: func(ctx context.Context, w io.Writer, r *Request) (Tally, error) {
			var all Tally
			err := r.each(func(p *model.Place) error {
				found, err := Text(ctx, w, r, p)
				all.add(found)
				return err
			})
			return all, err
		}},
	{Name: "raw", Title: "Bytes as stored", Extension: ".bin", Help: "the bytes as stored", Binary: true, Layout: true,
		refuse: noBytes,
		write: withoutBelow(func(ctx context.Context, w io.Writer, r *Request) error {
			return r.each(func(p *model.Place) error { return Raw(ctx, w, p) })
		}),
		size: func(ctx context.Context, r *Request) int64 {
			var sum int64
			for _, p := range r.Places {
				for _, s := range ownBytes(ctx, p) {
					sum += s.Len
				}
			}
			return sum
		}},
	{Name: "decoded", Title: "Bytes after decoding", Extension: ".bin", Help: "the bytes after decoding", Binary: true, Layout: true,
		refuse: func(ctx context.Context, p *model.Place) string {
			switch p.Node.Value.(type) {
			case model.Text, model.Blob, model.Array:
				return ""
			}
			if len(p.Node.Derived) > 0 {
				return ""
			}
			return noBytes(ctx, p)
		},
		write: withoutBelow(func(ctx context.Context, w io.Writer, r *Request) error {
			return r.each(func(p *model.Place) error { return Decoded(ctx, w, r, p) })
		})},
	literalForm("c", "C", ".h", "a constant in C99", &cLanguage),
	literalForm("go", "Go", ".go", "a variable in Go", &goLanguage),
	literalForm("python", "Python", ".py", "a variable in Python", &pythonLanguage),
}, mediaForms(), Forms{
	{Name: "html", Title: "Report (HTML)", Extension: ".html", Help: "a report on the whole file: facts, problems and space", Document: true,
		write: Report},
})

// FormsOf returns the common forms and those of formats.
func FormsOf(formats []*model.Format) Forms {
	all := slices.Clone(Common)
	for _, format := range formats {
		for _, own := range format.Forms {
			if own.Words != "" {
				all = append(all, wordsForm(own))
			} else {
				as := copyForm(own)
				all = append(all, as, clipForm(own, as))
			}
		}
	}
	return all
}

// ByName returns the form with a name, or nil.
func (f Forms) ByName(name string) *Form {
	i := slices.IndexFunc(f, func(f *Form) bool { return f.Name == name })
	if i < 0 {
		return nil
	}
	return f[i]
}

// wordsForm returns the form that the Words of a card write.
func wordsForm(own model.OwnForm) *Form {
	return &Form{Name: own.Name, Title: own.Title, Extension: own.Extension, Help: own.Help,
		refuse: func(ctx context.Context, p *model.Place) string {
			if wordsOf(ctx, &p.Node, own.Words) == nil {
				return noWords(p, own.Words)
			}
			return ""
		},
		write: ofValues(func(ctx context.Context, w io.Writer, r *Request) error {
			return r.each(func(p *model.Place) error { return Words(ctx, w, r.Omitted, p, own.Words) })
		})}
}

// rowsForm returns a form for the array or table of one node.
func rowsForm(name, title, help string, write func(context.Context, io.Writer, *Request, *model.Place) error) *Form {
	return &Form{Name: name, Title: title, Extension: "." + name, Help: help, Binary: true, Single: true, Rows: true, refuse: refuseRows, timed: haveTimes,
		write: ofValues(func(ctx context.Context, w io.Writer, r *Request) error {
			return r.each(func(p *model.Place) error { return write(ctx, w, r, p) })
		})}
}

// refuseRows returns the reason why a node has no rows, or "".
func refuseRows(ctx context.Context, p *model.Place) string {
	if withRows(ctx, p) == nil && !p.Node.IsPending() {
		return noRows(ctx, p)
	}
	return ""
}

// haveTimes reports whether the rows of a node begin with times.
func haveTimes(ctx context.Context, p *model.Place) bool {
	owner := withRows(ctx, p)
	return owner != nil && isTimed(rowCard(ctx, &owner.Node))
}

// everyPlace accepts every place.
func everyPlace(context.Context, *model.Place) bool { return true }

// Timed reports whether Request.Times apply to the places, as far as is known.
func (f *Form) Timed(ctx context.Context, places []*model.Place) bool {
	return f.timed != nil && !slices.ContainsFunc(places, func(p *model.Place) bool { return !p.Node.IsPending() && !f.timed(ctx, p) })
}

// withoutBelow adapts a writer of places without their descendants: it tallies the problems of the places.
func withoutBelow(write func(ctx context.Context, w io.Writer, r *Request) error) func(context.Context, io.Writer, *Request) (Tally, error) {
	return func(ctx context.Context, w io.Writer, r *Request) (Tally, error) {
		var found Tally
		for _, p := range r.Places {
			for i := range p.Node.Problems {
				found.Add(&p.Node.Problems[i])
			}
		}
		return found, write(ctx, w, r)
	}
}

// ofValues is like withoutBelow, for writers of values, which lack the parts that a limit left unread; raw bytes have them.
func ofValues(write func(ctx context.Context, w io.Writer, r *Request) error) func(context.Context, io.Writer, *Request) (Tally, error) {
	return withoutBelow(func(ctx context.Context, w io.Writer, r *Request) error {
		for _, p := range r.Places {
			r.limits(p)
		}
		return write(ctx, w, r)
	})
}

// Refuse returns the reason why the form does not suit the places, as far as is known, or "". It makes cards and
// children of the nodes, but reads no arrays.
func (f *Form) Refuse(ctx context.Context, places []*model.Place) string {
	switch {
	case f.Document:
		return ""
	case len(places) == 0:
		return "no node is selected"
	case f.Single && len(places) > 1:
		return "such a file has one node only"
	case f.refuse == nil:
		return ""
	}
	for _, p := range places {
		if why := f.refuse(ctx, p); why != "" {
			return why
		}
	}
	return ""
}

// Write writes r. The tally counts the problems in the output.
func (f *Form) Write(ctx context.Context, w io.Writer, r *Request) (Tally, error) {
	if f.Single && len(r.Places) > 1 {
		return Tally{}, errors.New(f.Refuse(ctx, r.Places))
	}
	return f.emit(ctx, w, r)
}

// emit writes r, or only its Rows if set.
func (f *Form) emit(ctx context.Context, w io.Writer, r *Request) (Tally, error) {
	rows, err := ParseRows(r.Rows)
	if err != nil && f.Rows {
		return Tally{}, err
	}
	if f.Rows && len(rows) > 0 {
		some := *r
		some.Places = nil
		for _, p := range r.Places {
			one, others, err := rows.chosenRows(ctx, r, p)
			if err != nil {
				return Tally{}, err
			}
			if others {
				r.reduce(p, "only the rows that were chosen")
			}
			some.Places = append(some.Places, one)
		}
		r = &some
	}
	return f.write(ctx, w, r)
}

// Many reports whether the places are written as several files in a folder, as far as is known.
func (f *Form) Many(ctx context.Context, places []*model.Place) bool {
	return f.folder || f.items(ctx, places) > 1
}

func (f *Form) items(ctx context.Context, places []*model.Place) int64 {
	if f.count == nil || len(places) != 1 {
		return 0
	}
	return f.count(ctx, places[0])
}

// errEnough ends the writing of a preview.
var errEnough = errors.New("the preview is full")

// Preview returns the first limit bytes that Write would write; whole reports whether these are all.
func (f *Form) Preview(ctx context.Context, r *Request, limit int) (b []byte, whole bool, err error) {
	w := &head{limit: limit}
	some := *r
	some.look = Window
	if _, err = f.emit(ctx, w, &some); errors.Is(err, errEnough) {
		return w.b, false, nil
	}
	return w.b, err == nil, err
}

// A head keeps a limited number of bytes, and refuses the rest.
type head struct {
	b     []byte
	limit int
}

func (h *head) Write(p []byte) (int, error) {
	n := min(len(p), h.limit-len(h.b))
	h.b = append(h.b, p[:n]...)
	if n < len(p) {
		return n, errEnough
	}
	return n, nil
}

// Size returns the number of bytes that Write would write. It takes as long as writing, unless the form knows the size.
// It calls progress, which may be nil, with the bytes so far.
func (f *Form) Size(ctx context.Context, r *Request, progress func(int64)) (int64, error) {
	if f.size != nil {
		return f.size(ctx, r), nil
	}
	c := counter{progress: progress}
	_, err := f.emit(ctx, &c, r)
	return c.n, err
}

type counter struct {
	n        int64
	progress func(int64)
}

func (c *counter) Write(p []byte) (int, error) {
	c.n += int64(len(p))
	if c.progress != nil {
		c.progress(c.n)
	}
	return len(p), nil
}

func (r *Request) walk() model.WalkOptions {
	return model.WalkOptions{Resolve: true, Derived: true, Elements: r.Elements, Fleeting: true, Depth: max(r.Depth, 0), Progress: r.Progress}
}

func (r *Request) nest() NestOptions {
	return NestOptions{Walk: r.walk(), Whole: r.Whole, Alone: r.Depth == 0, request: r}
}

// each calls f for the places in turn until one fails.
func (r *Request) each(f func(*model.Place) error) error {
	for _, p := range r.Places {
		if err := f(p); err != nil {
			return err
		}
	}
	return nil
}

func (t *Tally) add(o Tally) {
	t.Errors += o.Errors
	t.Warnings += o.Warnings
	t.Notes += o.Notes
}

// noBytes returns the reason why a node has no bytes, or "".
func noBytes(ctx context.Context, p *model.Place) string {
	if len(ownBytes(ctx, p)) > 0 {
		return ""
	}
	return fmt.Sprintf("%s has no bytes of its own", PathText(p.Path()))
}
