package controlplane

import (
	"context"
	"errors"
	"syscall"
	"time"
)

// PauseControllerManager freezes the controllers, the garbage collector among them, until
// ResumeControllerManager. Only so can a reference that the collector acts on be looked at.
//
// It returns when every thread has stopped: the signal alone leaves a busy one a moment on another core, in which the
// collector can take what the test wants to look at.
func (cp *ControlPlane) PauseControllerManager() error {
	if err := cp.signalManager(syscall.SIGSTOP); err != nil {
		return err
	}
	cp.mu.Lock()
	manager := cp.manager
	cp.mu.Unlock()
	return Until(context.Background(), time.Minute, "the controller manager to stop", func(context.Context) (bool, error) {
		return manager.stopped()
	})
}

// ResumeControllerManager lets the controllers continue where they were.
func (cp *ControlPlane) ResumeControllerManager() error {
	return cp.signalManager(syscall.SIGCONT)
}

func (cp *ControlPlane) signalManager(sig syscall.Signal) error {
	cp.mu.Lock()
	defer cp.mu.Unlock()
	if cp.manager == nil || !cp.manager.alive() {
		return errors.New("the controller manager is not running")
	}
	cp.manager.signal(sig)
	return nil
}

// restartControllerManager makes the controllers see kinds that are new since they started.
func (cp *ControlPlane) restartControllerManager() error {
	cp.mu.Lock()
	manager := cp.manager
	cp.mu.Unlock()
	if manager == nil {
		return nil // not started yet: it will see them
	}
	manager.stop(5 * time.Second)
	return cp.startControllerManager()
}
