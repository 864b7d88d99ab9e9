package change

import (
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/mechanism"
)

// skew lets Spark split a partition that is far larger than the others of a join, where the spec keeps it from that: optimizing skewed
// joins is on, and needs adaptive execution (docs/sql-performance-tuning.md@v3.5.5).
func skew(v *mechanism.View, c *cause.Cause) []Change {
	if d, is := c.Detail.(mechanism.Straggler); !is || d.Adaptive != "false" {
		return nil
	}
	return []Change{set(v, field{setting: mechanism.AdaptiveExecution, holds: "true"}, "true", SplitsSkew{})}
}
