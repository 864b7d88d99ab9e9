package change

import (
	"strconv"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/mechanism"
)

// blockPort gives a driver the port that Services and network policies know, and executors the one that a policy allows.
func blockPort(v *mechanism.View, c *cause.Cause) []Change {
	if p, is := c.Detail.(mechanism.PolicyBlocks); is && p.Open > 0 {
		return []Change{set(v, field{setting: "spark.blockManager.port"}, strconv.Itoa(int(p.Open)), AllowedPort{Policy: c.Subject.Name})}
	}
	d, is := c.Detail.(mechanism.DriverBlocks)
	if !is || !d.Random {
		return nil
	}
	return []Change{set(v, field{setting: "spark.driver.blockManager.port"}, "7079", KnownPort{})}
}
