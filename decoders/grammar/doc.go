// Package grammar is how a decoder says what its records look like, and the one engine that reads them.
//
// A Record is a description: fields in the order of the bytes, each with a name, a type, a line of help and, where the
// format has them, a condition, an extent, a repetition, a place of its own and rules. Conditions, sizes and counts
// are expressions that name earlier fields. A description is data: it is built once, when the program starts or when
// a file (or a Kaitai Struct description) tells of it, and a mistake in it is found when it is built.
//
// Reading fills the slots of an Object, which is one record at one place: where each field begins and ends, and its
// number. Everything else is made from the slots:
//
//   - measure: Object.End, without a node (Record.Read, and lists that are scanned);
//   - nodes: Object.Node and Object.Children, made when looked at, pending where reading takes many steps;
//   - values: Object.Uint, Int, Text, … for the decoder, and Value for expressions;
//   - leaves: what has no fields of its own, told one after another (Record.Leaves), or found by its byte (LeafAt);
//   - survey: the problems and the coverage of all below, without nodes (model.Bulk);
//   - locate: from a byte to its field or element, by the slots, by division, or from a checkpoint.
//
// The engine keeps what every format must keep: a count is held against the bytes that its elements need before
// anything is made of it, a list whose elements take no bytes ends, records in records end at MaxDepth, and a field
// that the bytes do not hold gets a problem while what follows its parent is still read where its place is known.
package grammar
