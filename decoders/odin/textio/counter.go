package textio

// A Counter counts the bytes that pass through Write.
type Counter int64

// Write adds the number of the bytes. It never fails.
func (n *Counter) Write(p []byte) (int, error) {
	*n += Counter(len(p))
	return len(p), nil
}
