package textio

// A Counter counts the bytes that are written to it.
type Counter int64

// Write implements io.Writer. It never fails.
func (n *Counter) Write(p []byte) (int, error) {
	*n += Counter(len(p))
	return len(p), nil
}
