// Package grammar holds descriptions of records, and the one engine that reads them.
//
// A Record is a description: fields in the order of the bytes, each with a name, a type and a line of help. A field may have
// a condition, an extent, a repetition, a place of its own and rules. Packages lang and ksy make descriptions: from the tables
// of a format, from a file, from a Kaitai Struct description. Conditions, sizes and counts are expressions (Expr) of theirs.
// Building a Record compiles these to what the engine evaluates (Code), and finds the mistakes of the description.
//
// Reading fills the slots of an Object, which is one record at one place: where each field begins and ends, and its
// number. Everything else is made from the slots:
//
//   - measure: Object.End, without a node (Record.Read, and lists that are scanned);
//   - nodes: Object.Node and Object.Children, made when looked at, pending where reading takes many steps;
//   - values: Object.Uint, Int, Text, … for the decoder, and Value for expressions;
//   - leaves: ranges without fields of their own, visited one after another (Record.ReadLeaves), or found by a byte (LeafAt);
//   - survey: the problems and the coverage of all below, without nodes (model.Bulk);
//   - locate: from a byte to its field or element, by the slots, by division, or from a checkpoint.
//
// The engine keeps what every format must keep. A count is held against the bytes that its elements need before memory
// is taken. A list whose elements take no bytes ends. Records in records end at MaxDepth. A field that the bytes do not
// hold gets a problem, and the fields after its parent are still read if their place is known.
package grammar
