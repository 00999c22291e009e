package cli

import (
	"io"
	"os"
	"syscall"
	"unsafe"
)

// enableColour asks the console to obey escape sequences and reports whether it does.
func enableColour(w io.Writer) bool {
	const virtualTerminal = 4 // ENABLE_VIRTUAL_TERMINAL_PROCESSING
	f, ok := w.(*os.File)
	if !ok {
		return false
	}
	kernel := syscall.NewLazyDLL("kernel32.dll")
	var mode uint32
	if r, _, _ := kernel.NewProc("GetConsoleMode").Call(f.Fd(), uintptr(unsafe.Pointer(&mode))); r == 0 {
		return false
	}
	r, _, _ := kernel.NewProc("SetConsoleMode").Call(f.Fd(), uintptr(mode|virtualTerminal))
	return r != 0
}
