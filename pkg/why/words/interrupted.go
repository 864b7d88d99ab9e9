package words

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/command"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/mechanism"
)

// interruptedWords are about a driver on a node whose machine its provider took back or stopped, so that Karpenter drained it. To annotate
// the pod would not help: Interruption says why.
func (t Terms) interruptedWords(d *mechanism.Drain) Phrase {
	node := "node " + cmp.Or(d.Node, "of the "+driver(d.Server))
	drained := "Karpenter evicted the " + driver(d.Server) + " from it"
	if !d.Interrupted.Spot {
		return Phrase{fmt.Sprintf("the cloud provider interrupted the machine of %s, and %s", node, drained), []command.Command{
			t.do("run it again, with restartPolicy OnFailure and onFailureRetries: karpenter.sh/do-not-disrupt does not hold off an interruption")}}
	}
	instead := make([]string, 0, len(d.Spot.Pins))
	for _, label := range d.Spot.Pins {
		instead = append(instead, label.Key+": "+label.Value)
	}
	next := fmt.Sprintf("%s: %s (a NodePool must offer it)", d.Spot.StaysKey, d.Spot.StaysValue)
	if len(instead) > 0 {
		next += " instead of " + strings.Join(instead, ", ")
	}
	return Phrase{fmt.Sprintf("spot %s was reclaimed by the cloud provider, and %s", node, drained),
		[]command.Command{t.do("keep {the driver} off spot nodes: in {driver.nodeSelector}, %s", next)}}
}
