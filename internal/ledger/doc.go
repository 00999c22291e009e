// Package ledger lists small layers on which the AOUSD Core Specification, usd-core, LightUSD and the openusd crate disagree.
// testdata/ledger has the layers and the answers of each reader; docs/usd-standard.md shows them. The list is a test, and make
// ledger asks the readers again.
package ledger
