package change

import (
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/mechanism"
)

// blockPort gives a driver the port that Services and network policies know.
func blockPort(v *mechanism.View, c *cause.Cause) []Change {
	d, is := c.Detail.(mechanism.DriverBlocks)
	if !is || !d.Random {
		return nil
	}
	return []Change{set(v, field{setting: "spark.driver.blockManager.port"}, "7079", KnownPort{})}
}
