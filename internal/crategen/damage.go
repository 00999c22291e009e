package crategen

import (
	"bytes"
	"encoding/binary"
	"math"
	"slices"
)

// Fixtures returns the small crates of testdata/usdc: made-V.usdc, the scene in version V, and x-NAME.usdc, a few
// specs damaged as NAME says; x-ok-NAME is odd, but sound. made-sample.usdz is the program's sample as a package,
// x-NAME.usdz are packages that break a rule.
func Fixtures() (map[string][]byte, error) {
	files, err := packages()
	if err != nil {
		return nil, err
	}
	for _, v := range Versions() {
		data, err := inMemory(v, Scene, nil)
		if err != nil {
			return nil, err
		}
		files["made-"+v.String()+".usdc"] = data
	}
	for _, list := range [][]damage{valueDamages(), tableDamages(), fileDamages()} {
		for _, d := range list {
			data, err := d.file()
			if err != nil {
				return nil, err
			}
			files["x-"+d.name+".usdc"] = data
		}
	}
	return files, nil
}

// inMemory writes one crate in memory.
func inMemory(v Version, content func(*Writer), edit func(*Tables)) ([]byte, error) {
	var m Memory
	w := NewWriter(&m, v)
	w.Filler = 0xCD
	w.Edit = edit
	content(w)
	err := w.Close()
	return m, err
}

// A damage is one change of the small scene: of a value, of the tables before they are encoded, or of the bytes.
type damage struct {
	name    string
	version Version // 0.8.0 when zero
	value   Value
	tables  func(*Tables)
	bytes   func(file []byte) []byte
}

func (d *damage) file() ([]byte, error) {
	v, value := d.version, d.value
	if v == (Version{}) {
		v = Version{0, 8, 0}
	}
	if value == nil {
		value = Text("sound")
	}
	data, err := inMemory(v, func(w *Writer) { smallScene(w, value) }, d.tables)
	if err == nil && d.bytes != nil {
		data = d.bytes(data)
	}
	return data, err
}

// smallScene is six specs, one of them the attribute /A.value.
func smallScene(w *Writer, value Value) {
	def := Field{"specifier", Inline(TSpecifier, 0)}
	w.Spec("/", PseudoRoot, Field{"primChildren", Tokens("A")})
	w.Spec("/A", Prim, def, Field{"primChildren", Tokens("B", "C")}, Field{"properties", Tokens("value")})
	w.Spec("/A.value", Attribute, Field{"typeName", Token("string")}, Field{"default", value})
	w.Spec("/A/B", Prim, def, Field{"primChildren", Tokens("D")})
	w.Spec("/A/B/D", Prim, def)
	w.Spec("/A/C", Prim, def, Field{"kind", Token("prop")})
}

// compressedArray returns an array with a count and a body that need not fit it.
func compressedArray(t Type, count int64, parts ...[]byte) Value {
	return func(w *Writer) Rep {
		at := w.arrayHeader(count, false)
		for _, p := range parts {
			w.write(p)
		}
		return MakeRep(t, ArrayBit|CompressedBit, at)
	}
}

// wideInts returns the coding of integers that ascend by 1, each with a whole difference.
func wideInts(count int) []byte {
	coded := slices.Concat(make([]byte, 4), bytes.Repeat([]byte{0xFF}, (count+3)/4), bytes.Repeat([]byte{1, 0, 0, 0}, count))
	c := Compress(coded)
	return append(binary.LittleEndian.AppendUint64(nil, uint64(len(c))), c...)
}

// self returns a value that depends on its own rep: the offset at which it begins.
func self(t Type, body func(w *Writer, own Rep)) Value {
	return func(w *Writer) Rep {
		own := MakeRep(t, 0, w.Pos())
		body(w, own)
		return own
	}
}

func valueDamages() []damage {
	ten := counting(40, 3)
	deep := Int(1)
	for range 1000 {
		deep = Dict(Entry{"d", deep})
	}
	doubling := Int(1)
	for range 40 {
		inner := doubling
		doubling = func(w *Writer) Rep { // both entries share one inner value
			shared := Raw(inner(w))
			return Dict(Entry{"a", shared}, Entry{"b", shared})(w)
		}
	}
	raw := func(t Type, flags Rep, payload int64) Value { return Raw(MakeRep(t, flags, payload)) }
	words := func(ws ...uint64) []byte {
		var b []byte
		for _, v := range ws {
			b = binary.LittleEndian.AppendUint64(b, v)
		}
		return b
	}
	return []damage{
		{name: "array-count-huge", value: func(w *Writer) Rep { return MakeRep(TDouble, ArrayBit, w.arrayHeader(1<<61, true)) }},
		{name: "array-past-end", value: raw(TFloat3, ArrayBit, 1<<40)},
		{name: "array-cints-huge", value: compressedArray(TInt, 1<<40, codedInts([]int32{1, 2, 3}, 4))},
		{name: "array-cints-short", value: compressedArray(TInt, 40, codedInts([]int32{5, 9, 1, 2}, 4))},
		{name: "array-cints-size-huge", value: compressedArray(TInt, 40, words(1<<50))},
		{name: "array-code-x", value: compressedArray(TFloat, 40, []byte{'x'}, codedInts(ten, 4))},
		{name: "array-lut-oob", value: compressedArray(TFloat, 40, []byte{'t', 1, 0, 0, 0}, Floats(0.5), codedInts(ten, 4))},
		{name: "array-lut-huge", value: compressedArray(TDouble, 40, []byte{'t', 255, 255, 255, 127}, codedInts(ten, 4))},
		{name: "ok-array-short-compressed", value: compressedArray(TInt, 3, Words(4, 1, 2, 3))},
		{name: "ok-array-five-compressed", value: compressedArray(TInt, 5, codedInts([]int32{5, 900_000_000, 1, 200_000_000, 7}, 4))},
		{name: "ok-integers-wide", value: compressedArray(TInt, 40, wideInts(40))},
		{name: "ok-array-empty-behind-payload", value: func(w *Writer) Rep { return MakeRep(TFloat, ArrayBit, w.arrayHeader(0, true)) }},
		{name: "dict-1000-deep", value: deep},
		{name: "dict-doubling-40", value: doubling},
		{name: "dict-in-itself", value: self(TDictionary, func(w *Writer, own Rep) { w.dictionary([]Entry{{"me", Raw(own)}}) })},
		{name: "dict-count-huge", value: Bytes(TDictionary, words(1<<60))},
		{name: "dict-key-oob", value: func(w *Writer) Rep {
			return Bytes(TDictionary, slices.Concat(words(1), Words(4, 9999), words(8), words(uint64(MakeRep(TInt, InlinedBit, 1)))))(w)
		}},
		{name: "jump-negative", value: Bytes(TUnregisteredValue, words(1<<63|1<<40))},
		{name: "jump-zero", value: Bytes(TUnregisteredValue, words(0, 0))},
		{name: "value-in-itself", value: self(TValue, func(w *Writer, own Rep) { w.jump(Raw(own)) })},
		{name: "samples-in-itself", value: self(TTimeSamples, func(w *Writer, own Rep) {
			Samples([]float64{1}, Raw(own))(w)
		})},
		{name: "samples-times-int", value: func(w *Writer) Rep {
			return Bytes(TTimeSamples, words(8, uint64(MakeRep(TInt, InlinedBit, 4)), 8, 0))(w)
		}},
		{name: "samples-fewer-values", value: Samples([]float64{1, 2, 3}, Double(1))},
		{name: "samples-descending", value: Samples([]float64{3, 1, 2}, Double(1), Double(2), Double(3))},
		{name: "listop-count-huge", value: Bytes(TTokenListOp, append([]byte{0x02}, words(1<<60)...))},
		{name: "rep-in-bootstrap", value: raw(TReferenceListOp, 0, 0)},
		{name: "rep-in-section", value: func(w *Writer) Rep { return MakeRep(TDictionary, 0, w.Pos()+400) }},
		{name: "rep-inlined-quat", value: raw(TQuatf, InlinedBit, 1)},
		{name: "rep-past-end", value: raw(TInt64, 0, 1<<47)},
		{name: "rep-type-0", value: raw(0, 0, 100)},
		{name: "rep-type-200", value: raw(200, 0, 100)},
		{name: "rep-enum-unknown", value: raw(TSpecifier, InlinedBit, 77)},
		{name: "string-oob", value: raw(TString, InlinedBit, 5555)},
		{name: "token-oob", value: raw(TToken, InlinedBit, 5555)},
		{name: "spline-cut", version: Version{0, 12, 0}, value: Bytes(TSpline, slices.Concat(words(9), []byte{0x11, 9, 40, 0, 0, 0, 6, 0, 0}, words(0)))},
		{name: "spline-version-9", version: Version{0, 12, 0}, value: Bytes(TSpline, slices.Concat(words(6), []byte{0x19, 9, 0, 0, 0, 0}, words(0)))},
		{name: "spline-size-huge", version: Version{0, 12, 0}, value: Bytes(TSpline, words(1<<60))},
		{name: "edit-literals-text", version: Version{0, 14, 0}, value: func(w *Writer) Rep {
			return Bytes(TInt, append(words(uint64(Text("no array")(w)), uint64(Double(1)(w))), 0))(w) | ArrayEditBit
		}},
		{name: "edit-in-itself", version: Version{0, 14, 0}, value: func(w *Writer) Rep {
			own := MakeRep(TInt, ArrayEditBit, w.Pos())
			return Bytes(TInt, append(words(uint64(own), uint64(own)), 0))(w) | ArrayEditBit
		}},
		{name: "edit-in-dict-in-itself", version: Version{0, 14, 0}, value: func(w *Writer) Rep {
			at := w.Pos()
			own := MakeRep(TInt, ArrayEditBit, at)
			w.write(append(words(uint64(MakeRep(TDictionary, 0, at+17)), uint64(own)), 0))
			w.dictionary([]Entry{{"me", Raw(own)}})
			return own
		}},
		{name: "edit-op-99", version: Version{0, 14, 0}, value: ArrayEdit([]int64{1}, []int64{99<<56 | 1, 0, 0})},
	}
}

func tableDamages() []damage {
	old := Version{0, 1, 0}
	return []damage{
		{name: "tokens-no-nul", tables: func(t *Tables) { t.Tokens[len(t.Tokens)-1] = 'x' }},
		{name: "tokens-too-few", tables: func(t *Tables) { t.TokenCount += 5 }},
		{name: "tokens-count-huge", tables: func(t *Tables) { t.TokenCount = 1 << 60 }},
		{name: "tokens-not-utf8", tables: func(t *Tables) { t.Tokens = bytes.Replace(t.Tokens, []byte("prop\x00"), []byte("p\xffop\x00"), 1) }},
		{name: "ok-first-token", tables: func(t *Tables) { t.Strings = append(t.Strings, 0) }},
		{name: "ok-first-element", tables: func(t *Tables) {
			_, rest, _ := bytes.Cut(t.Tokens, []byte{0})
			d := bytes.Count(t.Tokens[:bytes.Index(t.Tokens, []byte("\x00D\x00"))+1], []byte{0})
			t.Tokens = slices.Concat([]byte("D\x00"), rest)
			t.Element[slices.Index(t.Element, int32(d))] = 0
		}},
		{name: "string-token-oob", tables: func(t *Tables) { t.Strings[0] = 40000 }},
		{name: "field-token-oob", tables: func(t *Tables) { t.FieldNames[1] = 999999 }},
		{name: "fieldset-field-oob", tables: func(t *Tables) { t.FieldSets[0] = 12345 }},
		{name: "fieldset-unterminated", tables: func(t *Tables) { t.FieldSets = t.FieldSets[:len(t.FieldSets)-1] }},
		{name: "ok-fieldset-empty-group", tables: func(t *Tables) { t.FieldSets = append(t.FieldSets, None, None) }},
		{name: "path-count-huge", tables: func(t *Tables) { t.PathCount = 1 << 50 }},
		{name: "path-count-less", tables: func(t *Tables) { t.PathCount = 2 }},
		{name: "path-index-oob", tables: func(t *Tables) { t.PathIndex[2] = 1 << 20 }},
		{name: "path-index-twice", tables: func(t *Tables) { t.PathIndex[2] = t.PathIndex[1] }},
		{name: "path-jump-minus3", tables: func(t *Tables) { t.Jump[2] = -3 }},
		{name: "path-jump-oob", tables: func(t *Tables) { t.Jump[1] = 1 << 20 }},
		{name: "path-jump-into-child", tables: func(t *Tables) { t.Jump[0] = 1 }},
		{name: "path-no-end", tables: func(t *Tables) { t.Jump[len(t.Jump)-1] = jumpSibling }},
		{name: "path-token-oob", tables: func(t *Tables) { t.Element[1] = 500000 }},
		{name: "path-token-minimum", tables: func(t *Tables) { t.Element[1] = math.MinInt32 }},
		{name: "ok-path-root-sibling", tables: func(t *Tables) { t.Jump[0] = jumpSibling }},
		{name: "spec-path-oob", tables: func(t *Tables) { t.SpecPath[0] = 777 }},
		{name: "spec-path-none", tables: func(t *Tables) { t.SpecPath[4] = None }},
		{name: "spec-path-twice", tables: func(t *Tables) { t.SpecPath[4] = t.SpecPath[3] }},
		{name: "spec-set-inside", tables: func(t *Tables) { t.SpecSet[1]++ }},
		{name: "spec-set-oob", tables: func(t *Tables) { t.SpecSet[1] = 1 << 30 }},
		{name: "spec-type-0", tables: func(t *Tables) { t.SpecType[1] = 0 }},
		{name: "spec-type-12", tables: func(t *Tables) { t.SpecType[1] = 12 }},
		{name: "section-missing", tables: func(t *Tables) { t.Leave = "FIELDS" }},
		{name: "ok-unknown-section", tables: func(t *Tables) { t.Extra = map[string][]byte{"FUTURE": []byte("whatever comes")} }},
		{name: "old-sibling-cycle", version: old, bytes: oldSibling(func(at int64) int64 { return at - 12 })},
		{name: "old-sibling-negative", version: old, bytes: oldSibling(func(int64) int64 { return -16 })},
		{name: "old-sibling-outside", version: old, bytes: oldSibling(func(int64) int64 { return 1 << 40 })},
		{name: "old-rep-past-end", version: Version{0, 0, 1}, value: Raw(MakeRep(TDouble, 0, 1<<40))},
	}
}

// oldSibling changes the offset after the first path item of an old crate that has one: to gets that offset.
func oldSibling(to func(at int64) int64) func([]byte) []byte {
	return func(file []byte) []byte {
		const item, bits = 12, 8
		at := start(file, "PATHS") + 8
		for file[at+bits]&3 != 3 { // /A/B has a child and a sibling
			at += item
		}
		return patched(at+item, uint64(to(at+item)))(file)
	}
}

// entry returns the offset of a section's name, start and size in the table of contents.
func entry(file []byte, name string) int64 {
	toc := binary.LittleEndian.Uint64(file[16:])
	return int64(toc) + int64(bytes.Index(file[toc:], append([]byte(name), 0)))
}

// start returns the offset of a section.
func start(file []byte, name string) int64 {
	return int64(binary.LittleEndian.Uint64(file[entry(file, name)+16:]))
}

// patched writes a word at an offset.
func patched(at int64, word uint64) func([]byte) []byte {
	return func(file []byte) []byte {
		binary.LittleEndian.PutUint64(file[at:], word)
		return file
	}
}

func fileDamages() []damage {
	const tocOffset = 16
	version := func(v Version) func([]byte) []byte {
		return func(file []byte) []byte { return append(file[:8], append(v[:], file[11:]...)...) }
	}
	at := func(section string, offset int64, word uint64) func([]byte) []byte {
		return func(file []byte) []byte { return patched(start(file, section)+offset, word)(file) }
	}
	inEntry := func(section string, offset int64, word uint64) func([]byte) []byte {
		return func(file []byte) []byte { return patched(entry(file, section)+offset, word)(file) }
	}
	cut := func(n func(size int) int) func([]byte) []byte {
		return func(file []byte) []byte { return file[:n(len(file))] }
	}
	const container = 24 // of TOKENS, after count and sizes
	return []damage{
		{name: "empty", bytes: cut(func(int) int { return 0 })},
		{name: "short87", bytes: cut(func(int) int { return bootstrapSize - 1 })},
		{name: "only-bootstrap", bytes: cut(func(int) int { return bootstrapSize })},
		{name: "cut-in-half", bytes: cut(func(n int) int { return n / 2 })},
		{name: "cut-in-toc", bytes: cut(func(n int) int { return n - 20 })},
		{name: "bad-magic", bytes: func(file []byte) []byte { return append([]byte("PXR-USDX"), file[8:]...) }},
		{name: "version-0.3", bytes: version(Version{0, 3, 0})},
		{name: "version-0.99", bytes: version(Version{0, 99, 0})},
		{name: "version-1.0", bytes: version(Version{1, 0, 0})},
		{name: "toc-negative", bytes: patched(tocOffset, math.MaxUint64-7)},
		{name: "toc-past-end", bytes: patched(tocOffset, 100000)},
		{name: "toc-in-bootstrap", bytes: patched(tocOffset, 24)},
		{name: "toc-count-huge", bytes: func(file []byte) []byte {
			return patched(int64(binary.LittleEndian.Uint64(file[tocOffset:])), 1<<60)(file)
		}},
		{name: "section-outside", bytes: inEntry("PATHS", 16, 1<<40)},
		{name: "section-negative", bytes: inEntry("PATHS", 16, math.MaxUint64)},
		{name: "section-size-negative", bytes: inEntry("SPECS", 24, math.MaxUint64)},
		{name: "section-size-less", bytes: inEntry("FIELDS", 24, 9)},
		{name: "sections-overlap", bytes: func(file []byte) []byte {
			return patched(entry(file, "STRINGS")+16, uint64(start(file, "TOKENS")+4))(file)
		}},
		{name: "tokens-bomb", bytes: at("TOKENS", 8, 1<<40)},
		{name: "tokens-size-huge", bytes: at("TOKENS", 16, 1<<40)},
		{name: "tokens-chunks-200", bytes: func(file []byte) []byte {
			file[start(file, "TOKENS")+container] = 200
			return file
		}},
		{name: "tokens-lz4-offset0", bytes: func(file []byte) []byte {
			// one literal, then a match from 0 bytes back
			copy(file[start(file, "TOKENS")+container+1:], []byte{0x10, ';', 0, 0})
			return file
		}},
		{name: "ok-stale-bootstrap", bytes: func(file []byte) []byte {
			return patched(40, 0xDEADBEEF)(append(append(slices.Clone(file[:11]), 1, 2, 3, 4, 5), file[16:]...))
		}},
		{name: "ok-trailing-bytes", bytes: func(file []byte) []byte { return append(file, "and something behind the end"...) }},
	}
}
