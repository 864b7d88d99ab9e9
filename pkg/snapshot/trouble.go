package snapshot

import (
	"time"
)

// Trouble is what keeps a pod from working, or how it ended. Pods that work have none.
type Trouble struct {
	Scheduling string // why a pending pod has no node: Unschedulable, SchedulingGated, or NoScheduler
	Scheduler  string // spec.schedulerName of a pod without a node, if it is not the default
	Queue      string // the annotation of a pod without a node that names the queue of a batch scheduler
	Reason     string // status.reason: Evicted, DeadlineExceeded, NodeLost
	Message    string // of the scheduler, or of the failed pod, first 512 bytes
	Disruption string // reason of the condition DisruptionTarget: who ended the pod, if it did not end by itself
	Containers []ContainerTrouble

	// Of a driver that runs and is not ready, or is being deleted.
	Node      string    // spec.nodeName
	LostSince time.Time // when it became unready although its containers are ready: the node controller does that
}

// NoScheduler is the Scheduling of a pending pod of which neither a scheduler nor a kubelet has said anything.
const NoScheduler = "NoScheduler"

// StillRunning is the Reason of an init container for which the others of a pending pod wait.
const StillRunning = "StillRunning"

// ContainerTrouble is a container that waits for more than its turn, that keeps others waiting, or that ended.
type ContainerTrouble struct {
	Name, Image     string
	Init            bool
	Ended           bool
	ExitCode        int
	Reason, Message string    // first 512 bytes of the message
	Finished        time.Time // of one that ended
}

// Container returns what is wrong with one of the containers of these names, or nil.
func (t *Trouble) Container(names ...string) *ContainerTrouble {
	if t == nil {
		return nil
	}
	for _, name := range names {
		for i := range t.Containers {
			if c := &t.Containers[i]; c.Name == name && !c.Init {
				return c
			}
		}
	}
	return nil
}
