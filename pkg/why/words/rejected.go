package words

import (
	"cmp"
	"fmt"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/command"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/phrase"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/fields"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/mechanism"
)

// rejectionWords are about pods that the kubelet did not take. Spark asks for other executors by itself.
func (t Terms) rejectionWords(d *mechanism.Rejection) Phrase {
	if d.Shared.Asks > 1 {
		return sharedWords(d)
	}
	var p Phrase
	switch {
	case d.Device != "" && d.Node != "" && d.Lost.N > 0:
		p.Says = fmt.Sprintf("%s lost: the kubelet of node %s rejected %s, as it had no free %s", of(d.Lost), d.Node,
			phrase.Verb(d.Lost.N, "it", "them"), d.Device)
	case d.Lost.N > 0:
		by := OfEnd(mechanism.EndReason{Kind: mechanism.Rejected})
		if d.Node != "" {
			by += " of node " + d.Node
		}
		p.Says = fmt.Sprintf("%s lost (%s): %s", of(d.Lost), by, sentence(d.Says))
	default:
		p.Says = fmt.Sprintf("the kubelet of node %s rejected the %s (%s): %s", d.Node, driver(d.Server), d.Reason, sentence(d.Says))
	}
	switch {
	case d.Device != "" && d.Node != "":
		p.Do = []command.Command{command.Do("keep pods off the node, and restart the device plugin of %s and the kubelet there", d.Device).
			With("kubectl cordon %s", d.Node)}
	case d.Lost.N == 0 && !d.Server:
		by := "a restartPolicy OnFailure does so by itself"
		if t.Runner == fields.Submit {
			by = "what submits it may do so"
		}
		p.Do = []command.Command{command.Do("run it again: the node filled up between scheduling and start; %s", by)}
	}
	return p
}

// sharedWords are about a request for more than one of the devices that pods share.
func sharedWords(d *mechanism.Rejection) Phrase {
	who, asks, role := "the "+driver(d.Server), "it asks", cause.DriverRole
	if d.Lost.N > 0 {
		who, asks, role = of(d.Lost), "each asks", cause.ExecutorRole
	}
	says := fmt.Sprintf("%s rejected by the kubelet: %s for %d %s, which pods share here, and a pod may have 1", who, asks, d.Shared.Asks,
		cmp.Or(d.Shared.Resource, "devices"))
	return Phrase{says, []command.Command{command.Do("set %s to 1: more shares give a pod no more of a GPU",
		cmp.Or(d.Shared.Setting, string(role)+".gpu.quantity"))}}
}
