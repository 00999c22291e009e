// Package ledger records disagreements between usd-core, LightUSD, the openusd crate and the AOUSD Core Specification. The
// layers and the answers are in testdata/ledger; docs/usd-standard.md shows both.
package ledger
