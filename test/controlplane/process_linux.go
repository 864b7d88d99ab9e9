package controlplane

import "syscall"

// dieWithParent lets the kernel kill the program when the test process dies, however it dies.
// The signal is tied to the thread that started the program; Go ends a thread only when a goroutine
// locked to it ends, and none is here (golang/go#27505).
func dieWithParent() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
}
