// Package expr parses expressions: the conditions, sizes and counts of descriptions of binary formats.
//
// It has two dialects of one language. Kaitai is that of .ksy files. BuiltIn, for the descriptions that come with the program,
// has the same operators with the same precedence, and more, which .ksy text cannot use:
//
//	x in a..b          at least a, at most b
//	x in (a, b, c)     equal to one of them
//	v0.8.0             a version, a number that compares as versions do
//	'i'                the number of a character
//	has(f), min(a, b)  a function of the language
//	a &^ b             the bits of a that are not in b
//
// Rows of tables need no syntax of their own: types[type].size is an attribute of an element, and types.element of a name.
// What names mean is not this package's: Infer asks its Env.
package expr
