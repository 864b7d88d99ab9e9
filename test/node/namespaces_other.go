//go:build !linux

package node

import "syscall"

// ownNamespaces is not called: Supported says no.
func ownNamespaces() *syscall.SysProcAttr { return nil }
