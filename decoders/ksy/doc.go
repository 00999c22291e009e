// Package ksy reads Kaitai Struct descriptions (https://doc.kaitai.io/user_guide.html). It parses and checks a typed
// tree, and compiles that to records of decoders/grammar, which read files.
//
// A description passes these steps, each for all modules (the description and its imports):
//
//  1. yaml.go: text to nodes that know their line, column and path.
//  2. load.go: imports, only from the named folders.
//  3. type.go, field.go: nodes to types, fields and enums. Unknown keys are reported here, and expressions parsed
//     (decoders/expr).
//  4. resolve.go: names of types and enums to their declarations; the parent of each type from its uses.
//  5. check.go, infer.go, methods.go, sizeof.go: the type of every expression, the declaration of every name.
//  6. style.go, encoding.go: warnings on legal but discouraged descriptions.
//  7. compile.go, eval.go: types to records, expressions to code; transform.go, charset.go: conversions of bytes.
//
// Errors are Findings. A pass continues after one, so that an author sees all at once. A tree with a finding
// that is no warning must not be compiled.
package ksy
