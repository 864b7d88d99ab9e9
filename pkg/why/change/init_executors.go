package change

import (
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/mechanism"
)

// AsksAtFirst is how many executors dynamic allocation asks for before any task waits for one.
type AsksAtFirst struct {
	First, Most int
	Setting     string // that bounds them
}

// AsksAtMost is how many executors Spark asks for.
type AsksAtMost struct {
	Most    int
	Setting string // that says so
}

// initExecutors is a SparkApplication of the Apache Spark Kubernetes Operator that waits for more executors than Spark asks for.
func initExecutors(v *mechanism.View, c *cause.Cause) []Change {
	d, is := c.Detail.(mechanism.ApacheExecutorsTimedOut)
	if !is || d.Most == 0 {
		return nil
	}
	out := Change{Object: v.Apache.Ref(), Path: []string{"spec", "applicationTolerations", "instanceConfig", "initExecutors"}, From: d.Asked,
		To: d.Most, Because: AsksAtMost{Most: d.Most, Setting: d.Setting}}
	if first := v.Apache.Begins(); v.Apache.Allocates() && first > 0 && first < d.Most {
		out.To, out.Because = first, AsksAtFirst{First: first, Most: d.Most, Setting: d.Setting}
	}
	return []Change{out}
}
