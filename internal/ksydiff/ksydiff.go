// Package ksydiff compares what the product reads by descriptions of Kaitai Struct's gallery with what their reference reads,
// field by field. The comparison is a test, which make ksydiff prepares.
package ksydiff
