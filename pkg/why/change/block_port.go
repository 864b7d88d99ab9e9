package change

import (
	"cmp"
	"strconv"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/mechanism"
)

// blockPort gives a driver the port that Services and network policies know, and executors the one that a policy allows.
func blockPort(v *mechanism.View, c *cause.Cause) []Change {
	if p, is := c.Detail.(mechanism.PolicyBlocks); is && p.Open > 0 {
		return []Change{set(v, field{setting: "spark.blockManager.port"}, strconv.Itoa(int(p.Open)), AllowedPort{Policy: c.Subject.Name})}
	}
	if p, is := c.Detail.(mechanism.PolicyBlocks); is && p.Asked.Open {
		return []Change{ownPort(v, &p)}
	}
	d, is := c.Detail.(mechanism.DriverBlocks)
	if !is || !d.Random {
		return nil
	}
	return []Change{set(v, field{setting: "spark.driver.blockManager.port"}, "7079", KnownPort{})}
}

// ownPort lets Spark take the port that policies know: of a driver, the one that it has without the setting. An executor's would be random
// without it.
func ownPort(v *mechanism.View, p *mechanism.PolicyBlocks) Change {
	because := OwnPort{Policy: cmp.Or(p.Egress.Elsewhere.Policy, p.Ingress.Elsewhere.Policy), Port: p.Asked.Own, Instead: p.To.Port}
	because.Egress, because.Ingress = p.Egress.Closed, p.Ingress.Closed
	if p.Egress.Closed && p.Ingress.Closed && p.Egress.Elsewhere.Policy != p.Ingress.Elsewhere.Policy {
		because.Instead = 0 // one policy alone does not open both ends
	}
	to := strconv.Itoa(int(p.Asked.Own))
	out := set(v, field{setting: p.Asked.Name}, to, because)
	if p.To.Kind != mechanism.ExecutorPort {
		out.To = nil
	}
	return out
}
