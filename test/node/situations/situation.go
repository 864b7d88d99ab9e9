// Package situations makes what goes wrong with Spark on a real node happen, one thing to a namespace, and keeps what the cluster
// says of it. Nothing is written into a status: a kubelet, a scheduler and the operator report what programs did.
package situations

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/sparkdoctor/kubectl-sparkdoctor/test/controlplane"
	"github.com/sparkdoctor/kubectl-sparkdoctor/test/node"
)

// Situation is one thing that happens. Its name is that of its namespace, of the recording, and of the row of the table that says
// what a scan must find in it.
type Situation struct {
	Name  string
	Steps []Step
}

// Step is something that is done or waited for. It fails after a minute and a half.
type Step struct {
	Name string
	do   func(context.Context, place) error
}

// place is where a situation happens.
type place struct {
	cp        *controlplane.ControlPlane
	node      *node.Node
	namespace string
}

const patience = 90 * time.Second

// All returns the situations that do not disturb each other.
func All() []Situation { return slices.Concat(Waves()...) }

// Waves are these in the order in which they happen, in parts whose pods a node with 24 GiB has room for. In each, those come first
// that count only after some minutes: they have these while the others happen.
func Waves() [][]Situation {
	return [][]Situation{
		slices.Concat(starting(), configuration(), scheduling(), killed(), disruptions(), failures()),
		slices.Concat(storage(), lifecycle(), healthy()),
	}
}

// happen makes a situation happen in its namespace, which the operator must watch already.
func (s Situation) happen(ctx context.Context, b Bed) error {
	for _, step := range s.Steps {
		bounded, cancel := context.WithTimeout(ctx, patience)
		err := step.do(bounded, place{b.Cluster, b.Node, s.Name})
		cancel()
		if err != nil {
			return fmt.Errorf("situation %s: %s: %w", s.Name, step.Name, err)
		}
	}
	return nil
}
