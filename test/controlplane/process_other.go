//go:build !linux

package controlplane

import "syscall"

func dieWithParent() *syscall.SysProcAttr { return nil }

// stopped takes the signal's word for it.
func (p *process) stopped() (bool, error) { return true, nil }
