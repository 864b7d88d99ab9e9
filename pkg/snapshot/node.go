package snapshot

import (
	"time"
)

// Node is a node on which a driver is that does not seem to run.
type Node struct {
	Object
	Ready           string // status of the condition Ready: True, False, or Unknown when its kubelet says nothing any more
	ReadySince      time.Time
	Reason, Message string // of that condition
}

// Nodes returns those of drivers that do not seem to run; from files, all.
func (s *Snapshot) Nodes() []Node { return read[Node](s, Nodes) }

func (n *Node) dates(see func(time.Time)) { see(n.ReadySince) }
