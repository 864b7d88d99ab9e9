package change

import (
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/spelling"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/mechanism"
)

// undeclaredVolume is about a mount whose volume spec.volumes does not have, where it has one of nearly that name, or only one. The
// mounts of the other role of the same name go with it.
func undeclaredVolume(v *mechanism.View, c *cause.Cause) []Change {
	d, is := c.Detail.(mechanism.VolumeUndeclared)
	object, prefix := owner(v)
	if !is || object.Name == "" || v.IsConnect() {
		return nil
	}
	near := spelling.Nearest(d.Name, d.Volumes, spelling.Few)
	if len(d.Volumes) == 1 {
		near = d.Volumes
	}
	if len(near) != 1 || !spelling.Slip(d.Name, near[0]) {
		return nil
	}
	var out []Change
	for _, role := range []string{"driver", "executor"} {
		now := v.Spec.Role(role).VolumeMounts
		next := slices.Clone(now)
		for i := range next {
			if next[i].Name == d.Name {
				next[i].Name = near[0]
			}
		}
		if !slices.Equal(namesOf(now), namesOf(next)) {
			out = append(out, Change{Object: object, Path: below(prefix, role, "volumeMounts"), From: now, To: next,
				Item: &Item{At: "[" + d.Name + "].name", From: d.Name, To: near[0]}, Because: NearName{Kind: "volume", Absent: d.Name}})
		}
	}
	return out
}

func namesOf(mounts []corev1.VolumeMount) []string {
	out := make([]string, 0, len(mounts))
	for i := range mounts {
		out = append(out, mounts[i].Name)
	}
	return out
}
