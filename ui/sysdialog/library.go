//go:build cgo && (windows || darwin) && !ci && !headless

package sysdialog

import (
	"runtime"
	"sync"

	"cutaway/ui/sysdialog/native"
)

var one sync.Mutex

func ask(q native.Question) (string, error) {
	one.Lock()
	defer one.Unlock()
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	return native.Show(q)
}
