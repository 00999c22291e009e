package grammar

// FewEmptyElements lowers the limit of elements without bytes, for tests that meet it again and again.
func FewEmptyElements() { emptyElements = 1000 }
