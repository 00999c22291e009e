//go:build cgo && (windows || darwin) && !ci && !headless

package sysdialog

import (
	"runtime"
	"sync"

	"cutaway/ui/sysdialog/native"
	"cutaway/ui/sysdialog/question"
)

var one sync.Mutex

func ask(q question.Question) (string, error) {
	one.Lock()
	defer one.Unlock()
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	return native.Show(q)
}
