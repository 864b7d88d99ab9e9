package mechanism

import (
	"slices"
	"strings"
	"time"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
)

// kernelKills are events about processes of a program that the kernel killed for memory, on the nodes of the executors; on any node, where
// no executor pod is left to name one.
func kernelKills(v *View, program string, from, to time.Time) []cause.Proof {
	var nodes []string
	for _, p := range v.Executors {
		if p.Spec.NodeName != "" {
			nodes = append(nodes, p.Spec.NodeName)
		}
	}
	var out []cause.Proof
	for _, e := range v.Events {
		ofNodes := len(nodes) == 0 || slices.Contains(nodes, e.Involved.Name)
		inTime := !e.Last.Before(from) && !e.Last.After(to)
		if ofNodes && inTime && e.Involved.Kind == "Node" && e.KernelKilled() && strings.Contains(e.Message, program) {
			out = append(out, cause.Proof{Object: e.Involved, Field: "event " + e.Reason, Value: e.Message, At: e.Last})
		}
	}
	slices.SortStableFunc(out, func(a, b cause.Proof) int { return a.At.Compare(b.At) })
	return out
}
