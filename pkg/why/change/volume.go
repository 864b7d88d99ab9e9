package change

import (
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/mechanism"
)

const (
	larger = 2 // times, where nothing tells how much would have been written
	most   = 8 // times: where more is missing, other executors have to share it
)

// volume is about an emptyDir that was written beyond its sizeLimit: the limit where the spec sets it. The volumes of a role are those of
// spec.volumes, of its template, and of Spark's settings (docs/running-on-kubernetes.md@v3.5.5, Using Kubernetes Volumes).
func volume(v *mechanism.View, c *cause.Cause) []Change {
	d, is := c.Detail.(mechanism.Eviction)
	if !is {
		return nil
	}
	limit := d.Volume.Limit
	object, prefix := owner(v)
	if limit.Sign() <= 0 || object.Name == "" {
		return nil
	}
	to, because := enlarged(limit, &d.Volume)
	role := roleOf(c)
	setting := fmt.Sprintf("spark.kubernetes.%s.volumes.emptyDir.%s.options.sizeLimit", role, d.Volume.Name)
	if v.Spec.Conf[setting] != "" {
		return []Change{set(v, field{setting: setting}, to.String(), because)}
	}
	name := string(role)
	if v.IsConnect() && role == cause.DriverRole {
		name = "server"
	}
	for _, in := range []struct {
		path []string
		list []corev1.Volume
	}{{[]string{"volumes"}, v.Spec.Volumes}, {[]string{name, "template", "spec", "volumes"}, v.Spec.Role(name).Template.Pod.Volumes}} {
		next := slices.Clone(in.list)
		for i := range next {
			if e := next[i].EmptyDir; next[i].Name == d.Volume.Name && e != nil && e.SizeLimit != nil && e.SizeLimit.Cmp(limit) == 0 {
				e = e.DeepCopy()
				e.SizeLimit = &to
				next[i].EmptyDir = e
				return []Change{{Object: object, Path: below(prefix, in.path...), From: in.list, To: next, Because: because,
					Item: &Item{At: "[" + d.Volume.Name + "].emptyDir.sizeLimit", From: limit.String(), To: to.String()}}}
			}
		}
	}
	return nil
}

// enlarged is a limit for all tasks of the stage at work, if those that had finished filled the volume.
func enlarged(limit resource.Quantity, of *mechanism.Outgrown) (resource.Quantity, Reason) {
	bytes := limit.Value()
	if t := of.Tasks; t.Done > 0 && t.Done < t.Of && t.Of <= most*t.Done {
		const unit = 1 << 30
		all := int64(float64(bytes) * float64(t.Of) / float64(t.Done))
		return *resource.NewQuantity((all+unit-1)/unit*unit, resource.BinarySI), Outgrown{Limit: of.Limit, Tasks: t}
	}
	return *resource.NewQuantity(larger*bytes, limit.Format), Scaled{Times: larger, Of: OfPresent}
}
