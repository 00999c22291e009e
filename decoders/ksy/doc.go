// Package ksy reads Kaitai Struct descriptions (https://doc.kaitai.io/user_guide.html): from text to a checked, typed tree
// that is compiled into records of decoders/grammar, whose engine reads files by them.
//
// A description goes through these passes, each over all modules (the description and what it imports):
//
//  1. yaml.go: text to nodes that know their line, column and path.
//
//  2. load.go: imports, from the named folders only.
//
//  3. type.go, field.go: nodes to types, fields and enums; keys that don't belong are found here, and each text
//     that is an expression is parsed (lexer.go, parser.go).
//
//  4. resolve.go: names of types and enums to what they mean; the parent of each type from where it is used.
//
//  5. check.go, infer.go, methods.go, sizeof.go: a type for every expression, a declaration for every name.
//
//  6. style.go, encoding.go: what is legal but had better be written otherwise, as warnings.
//
//  7. compile.go, eval.go: types to records, expressions to functions of the engine's scope; transform.go, charset.go: what
//     bytes become on the way.
//
// What is wrong is a Finding; the passes go on after one, so that a writer sees all of them at once. A tree with a finding
// that is no warning is not to be compiled.
package ksy
