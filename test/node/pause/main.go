//go:build linux

// Command pause is the process that holds a pod's namespaces until the runtime ends it.
package main

import (
	"os"
	"os/signal"
	"syscall"
)

func main() {
	// The kernel reaps the children of a process that ignores SIGCHLD (wait(2)): with shareProcessNamespace it is the pod's first one.
	signal.Ignore(syscall.SIGCHLD)
	end := make(chan os.Signal, 1)
	signal.Notify(end, os.Interrupt, syscall.SIGTERM)
	<-end
}
