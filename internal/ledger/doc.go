// Package ledger asks usd-core, LightUSD and the openusd crate about small layers on which they disagree with each other or
// with the AOUSD Core Specification. The layers and the answers are in testdata/ledger; docs/usd-standard.md shows both.
package ledger
