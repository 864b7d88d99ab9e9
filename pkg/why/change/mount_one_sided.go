package change

import (
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/app"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/mechanism"
)

// OtherRoleHas is what the pods of the other role have.
type OtherRoleHas struct{ Role cause.Role }

func (OtherRoleHas) reason() {}

// mountOneSided gives one role what the spec mounts into the other only.
func mountOneSided(v *mechanism.View, c *cause.Cause) []Change {
	d, is := c.Detail.(mechanism.MountOneSided)
	object, prefix := owner(v)
	if !is || object.Name == "" {
		return nil
	}
	other := cause.DriverRole
	if d.Lacks == cause.DriverRole {
		other = cause.ExecutorRole
	}
	from, to := v.Spec.Role(string(d.Lacks)), v.Spec.Role(string(other))
	out := Change{Object: object, Path: below(prefix, string(d.Lacks), d.Mount.List), Because: OtherRoleHas{other},
		Item: &Item{At: "[" + d.Mount.Name + "]", To: d.Mount.Name + " at " + d.Mount.Path}}
	switch d.Mount.List {
	case "secrets":
		out.From, out.To = added(from.Secrets, to.Secrets, func(m app.SecretMount) bool { return d.Mount.Is(m.Name, m.Path) })
	case "configMaps":
		out.From, out.To = added(from.ConfigMaps, to.ConfigMaps, func(m app.Mount) bool { return d.Mount.Is(m.Name, m.Path) })
	default:
		out.From, out.To = added(from.VolumeMounts, to.VolumeMounts, func(m corev1.VolumeMount) bool { return d.Mount.Is(m.Name, m.MountPath) })
	}
	return []Change{out}
}

// added is a list as it is, and with an item of another list.
func added[T any](now, of []T, is func(T) bool) (from, to any) {
	if len(now) > 0 {
		from = now
	}
	return from, append(slices.Clone(now), of[slices.IndexFunc(of, is)])
}
