package odingen

import (
	"bufio"
	"io"
	"os"

	"cutaway/internal/filegen"
)

// entriesOfPoint is the number of entries of a point of a bulk stream.
const entriesOfPoint = 4

// Bulk writes a stream of about n entries: an object whose list holds points, every eighth a reference node, the
// others structs. The same n gives the same bytes.
func Bulk(out io.Writer, n int64) error {
	const list = "System.Collections.Generic.List`1[[Demo.Point, Assembly-CSharp]], mscorlib"
	const point = "Demo.Point, Assembly-CSharp"
	b := bufio.NewWriterSize(out, 1<<20)
	w := &Writer{}
	flush := func() {
		_, _ = b.Write(w.Bytes()) // Flush returns the error
		w.Reset()
	}
	w.Ref("Demo.Cloud, Assembly-CSharp", func() {
		w.Name("label").Str("a large cloud")
		w.Name("points").Ref(list, func() {
			count := n / entriesOfPoint
			w.Array(count, func() {
				for i := range count {
					fields := func() {
						w.Name("x").Int(int32(i))
						w.Name("y").Float(float32(i) / 8)
					}
					if i%8 == 0 {
						w.Ref(point, fields)
					} else {
						w.Struct(point, fields)
					}
					if w.Len() > 1<<16 {
						flush()
					}
				}
			})
		})
	})
	flush()
	return b.Flush()
}

// BulkFile writes a bulk stream to a file; a file that is not whole does not keep the name.
func BulkFile(name string, n int64) error {
	return filegen.Whole(name, func(f *os.File) error { return Bulk(f, n) })
}
