package grammar

// FewEmptyElements lowers the limit of elements without bytes, for tests that meet it again and again.
func FewEmptyElements() { emptyAtLeast, emptyPerByte, emptyAtMost = 10, 1, 1000 }
