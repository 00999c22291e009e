// Package ledger lists small layers of which the AOUSD Core Specification, usd-core, LightUSD and the openusd crate do not
// say the same. testdata/ledger has the layers and what each reader says; docs/usd-standard.md shows them. The list is a
// test, and make ledger asks the readers again.
package ledger
