package change

import (
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/mechanism"
)

// mesh takes a driver out of a service mesh that its executors are kept out of, by the same annotation or label.
func mesh(v *mechanism.View, c *cause.Cause) []Change {
	d, is := c.Detail.(mechanism.MeshOneSided)
	object, prefix := owner(v)
	if !is || d.Optout == "" || object.Name == "" || v.IsConnect() {
		return nil
	}
	out := Change{Object: object, Path: below(prefix, "driver", d.Optout, d.Key), To: d.Off, Because: OfExecutors{}}
	if d.Now != "" {
		out.From = d.Now
	}
	return []Change{out}
}
