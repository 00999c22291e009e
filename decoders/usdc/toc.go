package usdc

// contents is the table of contents (chapter 4).
type contents struct{}
