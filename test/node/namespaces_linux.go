package node

import "syscall"

// ownNamespaces gives a process mount, process and network namespaces of its own. The kernel ends it with the thread that started it,
// and boot ends by itself when its standard input does (see dieWithParent in package controlplane).
func ownNamespaces() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{
		Cloneflags: syscall.CLONE_NEWNS | syscall.CLONE_NEWPID | syscall.CLONE_NEWNET,
		Pdeathsig:  syscall.SIGKILL,
	}
}
