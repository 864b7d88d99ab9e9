package words

import (
	"fmt"
	"net/netip"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/command"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/mechanism"
)

// noAddresses says that a node has no IP address left for pods, and how many it has, where that is known.
func noAddresses(d *mechanism.SandboxUnmade, begin string) Phrase {
	p := Phrase{Says: begin + fmt.Sprintf("no IP addresses are left for pods on node %s", d.Node)}
	if n := addresses(d.Range); n > 0 {
		p.Says += fmt.Sprintf(" (podCIDR %s has %d", d.Range, n)
		if d.Pods > 0 {
			p.Says += fmt.Sprintf(", for up to %d pods", d.Pods)
		}
		p.Says += ")"
	}
	p.Says += ": " + sentence(d.Said)
	if d.Who.Role != cause.ExecutorRole {
		p.Do = []command.Command{command.Do("cordon the node and run the application again, so that its %s is placed elsewhere; then give the "+
			"network of the node more addresses, or let it take fewer pods", driver(d.Who.Server)).With("kubectl cordon %s", d.Node)}
		return p
	}
	p.Do = []command.Command{
		command.Do("cordon the node and delete the pods that wait, so that others take their place elsewhere; then give its network more "+
			"addresses, or let it take fewer pods").With("kubectl cordon %s", d.Node)}
	return p
}

// addresses is how many a range of IPv4 has; 0: it is none, or has more than a node can use.
func addresses(text string) int {
	r, err := netip.ParsePrefix(text)
	if err != nil || !r.Addr().Is4() || r.Bits() < 16 {
		return 0
	}
	return 1 << (32 - r.Bits())
}
