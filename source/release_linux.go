package source

import "syscall"

// release releases the pages of a mapped file. A failure costs memory only.
func release(mapped []byte) { _ = syscall.Madvise(mapped, syscall.MADV_DONTNEED) }
